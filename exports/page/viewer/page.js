/* Puts the page together: what the reader does goes into the state, what the state says goes onto the page. */

const BIG = 5000; // nodes from which on a graph opens on its core
const CORE = 2500; // nodes of the core
const NARROWING = ["view", "off", "from", "to", "papers", "sure", "focus", "steps", "more", "plus"];

class Page {
  constructor(graph) {
    this.graph = graph;
    this.state = new State();
    this.pathStart = null;
    this.#theme();
    this.painter = new Painter(graph);
    this.pointing = new Pointing(this);
    this.camera = new Camera(document.getElementById("drawing"), this);
    this.relaxation = new Relaxation(graph, () => this.camera.redraw());
    this.#furnish();
    this.#title();
    this.state.listen((changed, wandered) => keepFocus(() => this.#update(changed, wandered)));
    this.#update(new Set(Object.keys(START)), true);
    if (!this.state.get("eye")) this.camera.fit(this.#subject(), false);
  }

  /** Everything around the drawing. */
  #furnish() {
    const { graph, state } = this;
    const actions = this.#actions();
    this.legend = new Legend(document.getElementById("filters"), graph, state);
    this.chips = new Chips(graph, state, actions);
    this.panel = new Panel(graph, state, actions);
    this.panes = { table: new Table(graph, state, actions), grid: new Grid(graph, state, actions) };
    this.search = new Search(graph, (node) => this.#found(node));
    this.saving = new Saving(graph, this.painter, this.camera);
    this.tools = new Tools(this);
    this.keyboard = new Keyboard(this);
  }

  /** What a page that says nothing of its camera opens on: the way, what is chosen with its neighbours, or all. */
  #subject() {
    const { way, chosen } = this.painter;
    const drawn = [...chosen].filter((node) => this.shown.node[node]);
    const near = drawn.flatMap((node) => [node, ...this.shown.edges.neighbours(node)]);
    return [way, near].find((nodes) => nodes.length) ?? this.shown.list;
  }

  #title() {
    const { papers: held, entityCount, relations } = this.graph;
    const papers = plural(held.stub.filter((stub) => !stub).length, "paper");
    const claims = plural(relations.count - relations.known.reduce((sum, known) => sum + known, 0), "relation");
    const rest = `and ${plural(entityCount, "thing")}, joined by ${claims}`;
    document.getElementById("heading").textContent = papers;
    document.getElementById("subheading").textContent = rest;
    document.title = `${papers} · knowledge graph`;
  }

  /* What the reader does */

  #actions() {
    const { graph, state } = this;
    return {
      choose: (node) => this.go(node),
      link: (node, text) => this.#link(node, text),
      edge: (a, b) => this.chooseEdge(a, b),
      focus: (node) => state.set({ focus: graph.key[node] }),
      centre: (node) => this.camera.centre(node),
      point: (node) => this.pointing.light(node),
      pathFrom: (node) => this.pathFrom(node),
      pathStart: () => this.pathStart,
      relax: (node) => this.relaxation.run(this.shown, node, () => this.camera.fit(this.shown.list)),
      close: () => this.close(),
      drawn: (node) => this.shown.node[node] === 1,
      reveal: (node) => this.#reveal(node),
      expand: (node) => this.#expand(node),
      whole: () => !this.#partial(),
      unfilter: () => state.set(Object.fromEntries(FILTERING.map((name) => [name, START[name]]))),
    };
  }

  /** A link to a node, in the page's own address, so that it can be copied and opened elsewhere. */
  #link(node, text = this.graph.label[node]) {
    const follow = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.go(node);
    };
    const kind = this.graph.isPaper(node) ? "paper" : `type-${this.graph.type[node] % 8}`;
    const href = `#${new URLSearchParams({ at: this.graph.key[node] })}`;
    return element(`a.node.${kind}`, { href, onclick: follow }, text || "(no name)");
  }

  /** Choose a node; while a path waits for its end, it becomes that end. */
  choose(node) {
    const at = this.graph.key[node];
    const start = this.pathStart;
    if (start === null || start === node) return this.state.set({ at, path: "" });
    this.#startPath(null);
    return this.state.set({ path: `${this.graph.key[start]}>${at}`, at: "" });
  }

  /** Choose a node that may lie outside the window, and go there. */
  go(node) {
    if (this.#partial() && !this.shown.node[node]) this.#expand(node);
    this.choose(node);
    if (this.shown.node[node] && !this.state.get("path")) this.camera.centre(node);
  }

  /** Go to what the search has found; filters that hide the drawing make room. */
  #found(node) {
    this.tools.toggleFilters(false);
    this.go(node);
  }

  chooseEdge(a, b) {
    this.state.set({ at: `${this.graph.key[a]}>${this.graph.key[b]}`, path: "" });
  }

  close() {
    this.state.set({ at: "", path: "" });
  }

  /** Begin a path at a node, to be ended by the next choice; null gives it up. */
  pathFrom(node) {
    this.#startPath(node);
    if (node !== null) document.getElementById("search").focus();
  }

  #startPath(node) {
    this.pathStart = node;
    keepFocus(() => this.chips.update(this.shown));
  }

  /** Change the view and drop filters until a node is in the drawing. */
  #reveal(node) {
    const unfiltered = Object.fromEntries(FILTERING.map((name) => [name, START[name]]));
    this.state.set({ ...unfiltered, view: START.view, focus: "" });
    this.go(node);
  }

  /** Of a big graph, add a node with its neighbours to what is shown. */
  #expand(node) {
    const plus = new Set(this.state.get("plus").split(" ").filter(Boolean)).add(this.graph.key[node]);
    this.state.set({ plus: [...plus].join(" ") });
  }

  /* What the camera and the pointer tell */

  moved(eye) {
    this.state.set({ eye }, false);
  }

  /** The part of the drawing that no panel covers, in CSS pixels of the drawing. */
  uncovered() {
    const [drawing, controls] = ["drawing", "controls"].map(boxOf);
    return {
      left: controls.left - drawing.left,
      right: controls.right - drawing.left,
      top: controls.top - drawing.top,
      bottom: controls.bottom - drawing.top,
    };
  }

  /** What is left of that between the buttons above and below, or all of it where they leave less than a third. */
  free() {
    const uncovered = this.uncovered();
    const top = uncovered.top + boxOf("above").bottom - boxOf("controls").top;
    const bottom = uncovered.bottom + boxOf("below").top - boxOf("controls").bottom;
    const enough = 3 * (bottom - top) > uncovered.bottom - uncovered.top;
    return enough ? { ...uncovered, top, bottom } : uncovered;
  }

  /* What the state says */

  /** `wandered` tells a step back or forward, where the camera goes to where it was. */
  #update(changed, wandered) {
    const any = (...names) => names.some((name) => changed.has(name));
    const { state } = this;
    if (any("theme")) this.#theme();
    if (any("theme", "colour", "size")) this.painter.dress(state.get("colour"), state.get("size"));
    if (any(...NARROWING)) this.#filter();
    if (any(...NARROWING, "colour", "size")) this.legend.update(this.shown, this.painter);
    if (any(...NARROWING, "pane", "order", "grid")) this.#pane();
    if (any(...NARROWING, "at", "path", "proof")) this.#details(wandered);
    this.panes.table.mark();
    if (wandered && any("eye")) this.camera.look(state.get("eye"));
    if (!wandered && any("focus", "more", ...(state.get("focus") ? NARROWING : []))) this.camera.fit(this.shown.list);
    this.camera.redraw();
  }

  #theme() {
    const wanted = this.state.get("theme");
    const dark = wanted ? wanted === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }

  /** Whether only a part of a big graph is shown; a focus reaches into all of it. */
  #partial() {
    return this.graph.size > BIG && this.state.get("more") !== "all" && !this.state.get("focus");
  }

  #filter() {
    this.relaxation.restore();
    this.shown = new Shown(this.graph, this.state, this.#partial() ? (shown) => this.#core(shown) : null);
    this.relaxation.arrange(this.shown, this.graph.find(this.state.get("focus")));
    this.painter.show(this.shown);
    this.pointing.light(-1);
    this.chips.update(this.shown);
    this.#status();
  }

  /** Of what passes in a big graph, the best connected nodes and those that the state asks for. */
  #core(shown) {
    const keys = ["plus", "at", "path"].flatMap((name) => this.state.get(name).split(/[ >]/));
    const wanted = keys.map((key) => this.graph.find(key)).filter((node) => node >= 0);
    return core(shown, this.state.number("more") || CORE, wanted);
  }

  #status() {
    const { list, possible } = this.shown;
    const stubs = list.filter((node) => this.graph.isStub(node)).length;
    const papers = list.filter((node) => this.graph.isPaper(node)).length - stubs;
    const things = list.length - papers - stubs;
    const unread = plural(stubs, "paper not at hand", "papers not at hand");
    const parts = [papers && plural(papers, "paper"), things && plural(things, "thing"), stubs && unread].filter(Boolean);
    const [some, all] = [list.length, possible].map((count) => count.toLocaleString("en"));
    const part = list.length < possible ? `Showing ${some} of ${all}: ` : "";
    const shown = `${part}${[...parts, ...this.shown.joined()].join(", ")}`;
    document.getElementById("status").textContent = list.length ? shown : this.#whyEmpty();
  }

  #whyEmpty() {
    const focus = this.graph.find(this.state.get("focus"));
    const around = focus < 0 ? "" : ` around ${shortened(this.graph.label[focus], 40)}`;
    return this.chips.filtered ? `Nothing${around} passes the filters` : `There is nothing${around} in this view`;
  }

  #details(wandered) {
    const { painter, panel } = this;
    const [from, to] = this.#ends("path");
    const [a, b] = this.#ends("at");
    painter.focus = this.graph.find(this.state.get("focus"));
    painter.chosen = new Set([a, b].filter((node) => node >= 0 && node !== painter.focus));
    painter.way = from >= 0 && to >= 0 ? this.shown.path(from, to) : [];
    if (from >= 0 && to >= 0) panel.path(painter.way, from, to);
    else if (a >= 0 && b >= 0) panel.edge(a, b);
    else if (a >= 0) this.#node(a);
    else panel.close();
    document.getElementById("stage").classList.toggle("with-panel", !panel.place.hidden);
    if (!wandered) this.camera.fit(painter.way);
  }

  #ends(name) {
    const [a, b] = this.state.get(name).split(">");
    return [this.graph.find(a), this.graph.find(b)];
  }

  #node(node) {
    this.panel.node(node);
    const said = `${this.graph.label[node]}, ${this.graph.typeLabel(node)}: its details are open, D leads into them.`;
    document.getElementById("said").textContent = said;
  }

  #pane() {
    const pane = this.panes[this.state.get("pane")];
    const drawer = document.getElementById("drawer");
    const turned = drawer.hidden === Boolean(pane);
    document.getElementById("stage").classList.toggle("with-drawer", Boolean(pane));
    drawer.hidden = !pane;
    if (turned) this.camera.resize();
    this.tools.update();
    if (pane) pane.draw(document.getElementById("drawer-content"), this.shown);
  }
}

function boxOf(id) {
  return document.getElementById(id).getBoundingClientRect();
}
