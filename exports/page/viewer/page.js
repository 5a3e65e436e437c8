/* The page: actions of the reader change the state, and a changed state updates the page. */

const BIG = 5000; // number of nodes above which a graph opens on an excerpt
const CORE = 2500; // number of nodes of the excerpt
/** @type {StateName[]} */
const NARROWING = ["view", "off", "from", "to", "papers", "confidence", "tentative", "topic", "focus", "steps", "more", "plus"];

class Page {
  /** @type {VisibleGraph | null} */
  #shown = null;

  /** @param {Graph} graph */
  constructor(graph) {
    /** Whether the page is complete; nothing is drawn before. */
    this.isOpen = false;
    this.graph = graph;
    this.state = new State();
    if (graph.additions && location.hash.length < 2) this.state.set({ ask: "earlier" }, false);
    /** @type {number | null} */
    this.pathStart = null;
    /** @type {Picking | null} */
    this.picking = null;
    this.#applyTheme();
    this.painter = new Painter(graph);
    this.painter.controls = () => this.#controlBoxes();
    this.pointer = new Pointer(this);
    this.camera = new Camera(byId("drawing"), this);
    this.relaxation = new Relaxation(graph, () => this.camera.redraw());
    const { state } = this;
    this.corrections = new Corrections(graph, state);
    this.help = new Help(graph, state);
    const actions = this.#actions();
    this.legend = new Legend(byId("filters"), graph, state);
    this.topicList = new TopicList(graph, state, (nodes) => this.#goToTopic(nodes));
    required(byId("filters").querySelector("[data-group=types]"), "Node types").before(this.topicList.container);
    this.chips = new Chips(graph, state, actions);
    this.panel = new Panel(graph, state, actions);
    this.table = new Table(graph, state, actions);
    /** @type {Record<string, Table | Grid | SparqlPane>} */
    this.panes = { table: this.table, grid: new Grid(graph, state, actions) };
    if (SparqlPane.isThere()) this.panes.sparql = new SparqlPane(graph, state, actions);
    this.search = new Search(graph, (node) => this.#goToMatch(node));
    this.saving = new Saving(graph, this.painter, this.camera);
    this.tools = new Tools(this);
    this.keyboard = new Keyboard(this);
    this.state.listen((changed, fromHistory) => keepFocus(() => this.#update(changed, fromHistory)));
    this.#update(new Set(STATE_NAMES), true);
    if (!this.state.get("camera")) this.camera.fit(this.#initialNodes(), false);
    this.isOpen = true; // the camera's network has requested a frame
  }

  /** The visible part of the graph, from the first update on. */
  get shown() {
    return required(this.#shown, "The visible graph");
  }

  /** Return the nodes that the camera fits initially: the path, the selection with its neighbours, or all. */
  #initialNodes() {
    const { path, selected } = this.painter;
    const drawn = [...selected].filter((node) => this.shown.node[node]);
    const near = drawn.flatMap((node) => [node, ...this.shown.edges.neighbours(node)]);
    return [path, near].find((nodes) => nodes.length) ?? this.shown.list;
  }

  #showTitle() {
    const { papers: columns, entityCount, relations, hidden } = this.graph;
    const papers = plural(columns.stub.filter((stub) => !stub).length, "paper");
    const claims = plural(relations.count - relations.known.reduce((sum, known) => sum + known, 0), "relation");
    const entities = entityCount - countOfOnes(hidden.subarray(0, entityCount));
    const rest = `and ${plural(entities, "entity", "entities")}, connected by ${claims}`;
    byId("heading").textContent = papers;
    byId("subheading").textContent = rest;
    document.title = `${papers} · knowledge graph`;
  }

  /* Actions of the reader */

  /** @returns {Actions} */
  #actions() {
    const { graph, state } = this;
    return {
      select: (node) => this.goTo(node),
      link: (node, text) => this.#link(node, text),
      edge: (a, b) => this.selectEdge(a, b),
      focus: (node) => state.set({ focus: graph.key[node] }),
      centre: (node) => this.camera.centre(node),
      highlight: (node) => this.pointer.highlight(node),
      pathFrom: (node) => this.pathFrom(node),
      pathStart: () => this.pathStart,
      pick: (prompt, take) => this.pick(prompt, take),
      picking: () => this.picking,
      relax: (node) => this.relaxation.run(this.shown, node, () => this.camera.fit(this.shown.list)),
      close: () => this.close(),
      wrong: (subject) => this.corrections.button(subject),
      isInDrawing: (node) => this.shown.node[node] === 1,
      reveal: (node) => this.#reveal(node),
      expand: (node) => this.#expand(node),
      isComplete: () => !this.#isPartial(),
      resetFilters: () => state.set(Object.fromEntries(FILTERING.map((name) => [name, START[name]]))),
    };
  }

  /**
   * Create a link to a node in the page's own address, so that it can be copied and opened elsewhere.
   * @param {number} node
   */
  #link(node, text = this.graph.label[node]) {
    /** @param {MouseEvent} event */
    const follow = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.goTo(node);
    };
    const kind = this.graph.isPaper(node) ? "paper" : `type-${this.graph.type[node] % 8}`;
    const href = `#${new URLSearchParams({ at: this.graph.key[node] })}`;
    return element(`a.node.${kind}`, { href, onclick: follow }, text || "(no name)");
  }

  /** Select a node; if a path is being chosen, the node becomes its end. @param {number} node */
  select(node) {
    const at = this.graph.key[node];
    const { picking } = this;
    if (picking) {
      this.pick(null);
      const hint = `${truncated(this.graph.label[node], 30)} cannot be chosen here. `;
      if (!picking.take(node)) this.pick(picking.prompt, picking.take, hint);
      return undefined;
    }
    const start = this.pathStart;
    if (start === null || start === node) return this.state.set({ at, path: "" });
    this.#setPathStart(null);
    return this.state.set({ path: `${this.graph.key[start]}>${at}`, at: "" });
  }

  /** Select a node that may lie outside the window, and centre it. @param {number} node */
  goTo(node) {
    if (this.#isPartial() && !this.shown.node[node]) this.#expand(node);
    this.select(node);
    if (this.shown.node[node] && !this.state.get("path")) this.camera.centre(node);
  }

  /** Go to a search result; close the filters where they hide the drawing. @param {number} node */
  #goToMatch(node) {
    this.tools.toggleFilters(false);
    this.goTo(node);
  }

  /** Show the topic whose label lies at a point of the drawing; return whether there is one. @param {number} left @param {number} top */
  showTopicAt(left, top) {
    const topic = this.painter.topicLabels.topicAt(...pointOf(left, top, this.camera.view));
    if (topic >= 0) this.#goToTopic(this.shown.list.filter((node) => this.graph.topics.of[node] === topic));
    return topic >= 0;
  }

  /** Show the nodes of a topic; close the filters where they hide the drawing. @param {number[]} nodes */
  #goToTopic(nodes) {
    this.tools.toggleFilters(false);
    this.camera.fit(nodes);
  }

  /** @param {number} a @param {number} b */
  selectEdge(a, b) {
    this.state.set({ at: `${this.graph.key[a]}>${this.graph.key[b]}`, path: "" });
  }

  /** Close the details; without details, the answer or the questions. */
  close() {
    const { at, path } = this.state.values;
    this.state.set(at || path ? { at: "", path: "" } : { ask: "" });
  }

  /** Open the questions, or close them and their answer. */
  askOrClose() {
    this.state.set(this.state.get("ask") ? { ask: "" } : { ask: "start", at: "", path: "" });
    if (this.state.get("ask")) byId("panel").focus();
  }

  /**
   * Let the reader choose a node, whose next selection `take` gets first; null cancels.
   * @param {string | null} prompt
   * @param {(node: number) => boolean} [take] returns whether the node fits
   */
  pick(prompt, take, hint = "") {
    this.picking = prompt && take ? { prompt, take, hint } : null;
    keepFocus(() => this.chips.update(this.shown));
    if (this.picking) byId("search").focus();
  }

  /** Start a path at a node, to be ended by the next selection; null cancels. @param {number | null} node */
  pathFrom(node) {
    this.#setPathStart(node);
    if (node !== null) byId("search").focus();
  }

  /** @param {number | null} node */
  #setPathStart(node) {
    this.pathStart = node;
    keepFocus(() => this.chips.update(this.shown));
  }

  /** Reset the view and the filters so that a node is in the drawing. @param {number} node */
  #reveal(node) {
    const unfiltered = Object.fromEntries(FILTERING.map((name) => [name, START[name]]));
    this.state.set({ ...unfiltered, view: START.view, focus: "" });
    this.goTo(node);
  }

  /** Add a node of a large graph and its neighbours to the excerpt. @param {number} node */
  #expand(node) {
    const plus = new Set(this.state.get("plus").split(" ").filter(Boolean)).add(this.graph.key[node]);
    this.state.set({ plus: [...plus].join(" ") });
  }

  /* Events of the camera */

  /** @param {string} position */
  cameraMoved(position) {
    this.state.set({ camera: position }, false);
  }

  /** Return the boxes of the controls over the drawing, in CSS pixels of the drawing. */
  #controlBoxes() {
    const drawing = boxOf("drawing");
    const shown = ["tools", "chips", "zoom", "status", "panel"].map(boxOf).filter(({ width }) => width);
    return shown.map(({ left, right, top, bottom }) => ({
      left: left - drawing.left,
      right: right - drawing.left,
      top: top - drawing.top,
      bottom: bottom - drawing.top,
    }));
  }

  /** Return the part of the drawing that no panel covers, in CSS pixels of the drawing. */
  uncoveredArea() {
    const [drawing, controls] = ["drawing", "controls"].map(boxOf);
    return {
      left: controls.left - drawing.left,
      right: controls.right - drawing.left,
      top: controls.top - drawing.top,
      bottom: controls.bottom - drawing.top,
    };
  }

  /** Return the same area without the buttons above and below, or all of it if less than a third remained. */
  freeArea() {
    const uncoveredArea = this.uncoveredArea();
    const top = uncoveredArea.top + boxOf("above").bottom - boxOf("controls").top;
    const bottom = uncoveredArea.bottom + boxOf("below").top - boxOf("controls").bottom;
    const enough = 3 * (bottom - top) > uncoveredArea.bottom - uncoveredArea.top;
    return enough ? { ...uncoveredArea, top, bottom } : uncoveredArea;
  }

  /* Updates from the state */

  /**
   * Update what depends on the changed values; `fromHistory` marks a step back or forward, which restores the camera.
   * @param {Set<StateName>} changed
   * @param {boolean} fromHistory
   */
  #update(changed, fromHistory) {
    if (changed.size === 1 && changed.has("camera") && !fromHistory) return; // the drawing shows this camera already
    /** @param {StateName[]} names */
    const any = (...names) => names.some((name) => changed.has(name));
    const { state } = this;
    if (any("theme")) this.#applyTheme();
    if (any("tentative")) this.#showClaims();
    if (any("theme", "colour", "size", "tentative")) this.painter.applyDisplay(state.get("colour"), state.get("size"));
    if (any(...NARROWING)) this.#applyFilters();
    if (any(...NARROWING, "colour", "size")) this.legend.update(this.shown, this.painter);
    if (any(...NARROWING)) this.topicList.update(this.shown);
    if (any(...NARROWING, "pane", "order", "grid")) this.#showPane();
    if (any(...NARROWING, "at", "path", "evidence", "ask")) this.#showDetails(fromHistory);
    if (any("corrections")) this.corrections.update();
    if (any("help")) this.help.update();
    this.table.mark();
    if (fromHistory && any("camera")) this.camera.restore(state.get("camera"));
    if (!fromHistory && any("focus", "more", "topic", ...(state.get("focus") ? NARROWING : [])))
      this.camera.fit(this.shown.list);
    this.camera.redraw();
  }

  #showClaims() {
    this.graph.showTentative(this.state.get("tentative") === "1");
    this.#showTitle();
  }

  #applyTheme() {
    const wanted = this.state.get("theme");
    const dark = wanted ? wanted === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }

  /** Whether only an excerpt of a large graph is shown; a focus reaches into the whole graph. */
  #isPartial() {
    return this.graph.size > BIG && this.state.get("more") !== "all" && !this.state.get("focus");
  }

  #applyFilters() {
    this.relaxation.restore();
    this.#shown = new VisibleGraph(this.graph, this.state, this.#isPartial() ? (shown) => this.#core(shown) : null);
    this.relaxation.arrange(this.shown, this.graph.find(this.state.get("focus")));
    this.painter.show(this.shown);
    this.pointer.highlight(-1);
    this.chips.update(this.shown);
    this.#showStatus();
  }

  /**
   * Return the excerpt: the best connected nodes that pass, and those that the state names.
   * @param {VisibleGraph} shown
   */
  #core(shown) {
    const { state } = this;
    const keys = [state.get("plus"), state.get("at"), state.get("path")].flatMap((names) => names.split(/[ >]/));
    const wanted = keys.map((key) => this.graph.find(key)).filter((node) => node >= 0);
    return core(shown, state.number("more") || CORE, wanted);
  }

  #showStatus() {
    const { list, passingCount } = this.shown;
    const stubs = list.filter((node) => this.graph.isStub(node)).length;
    const papers = list.filter((node) => this.graph.isPaper(node)).length - stubs;
    const entities = list.length - papers - stubs;
    const outside = plural(stubs, "cited paper outside this corpus", "cited papers outside this corpus");
    const parts = [
      papers && plural(papers, "paper"),
      entities && plural(entities, "entity", "entities"),
      stubs && outside,
    ].filter(Boolean);
    const [some, all] = [list.length, passingCount].map(withCommas);
    const part = list.length < passingCount ? `Showing ${some} of ${all}: ` : "";
    const shown = `${part}${[...parts, ...this.shown.edgeCounts()].join(", ")}`;
    byId("status").textContent = list.length ? shown : this.#emptyMessage();
  }

  #emptyMessage() {
    const focus = this.graph.find(this.state.get("focus"));
    const around = focus < 0 ? "" : ` around ${truncated(this.graph.label[focus], 40)}`;
    return this.chips.isFiltered ? `No node${around} passes the filters` : `No nodes${around} in this view`;
  }

  /** @param {boolean} fromHistory */
  #showDetails(fromHistory) {
    const { painter, panel } = this;
    const [from, to] = this.#nodesOf("path");
    const [a, b] = this.#nodesOf("at");
    painter.focus = this.graph.find(this.state.get("focus"));
    painter.selected = new Set([a, b].filter((node) => node >= 0 && node !== painter.focus));
    painter.path = from >= 0 && to >= 0 ? this.shown.path(from, to) : [];
    if (from >= 0 && to >= 0) panel.path(painter.path, from, to);
    else if (a >= 0 && b >= 0) panel.edge(a, b);
    else if (a >= 0) this.#showNode(a);
    else if (this.state.get("ask")) for (const node of panel.answer()) painter.selected.add(node);
    else panel.close();
    this.tools.update();
    byId("stage").classList.toggle("with-answer", !panel.container.hidden && a < 0 && from < 0);
    byId("stage").classList.toggle("with-panel", !panel.container.hidden);
    if (!fromHistory) this.camera.fit(painter.path);
  }

  /** @param {StateName} name */
  #nodesOf(name) {
    const [a, b] = this.state.get(name).split(">");
    return [this.graph.find(a), this.graph.find(b)];
  }

  /** @param {number} node */
  #showNode(node) {
    this.panel.node(node);
    const name = `${this.graph.label[node]}, ${this.graph.typeLabel(node)}`;
    const announcement = `${name}: the details are open, press D to move to them.`;
    byId("announcement").textContent = announcement;
  }

  #showPane() {
    const pane = this.panes[this.state.get("pane")];
    const drawer = byId("drawer");
    const isToggled = drawer.hidden === Boolean(pane);
    byId("stage").classList.toggle("with-drawer", Boolean(pane));
    drawer.hidden = !pane;
    if (isToggled) this.camera.resize();
    this.tools.update();
    if (pane) pane.draw(byId("drawer-content"), this.shown);
  }
}

/** @param {string} id */
function boxOf(id) {
  return byId(id).getBoundingClientRect();
}
