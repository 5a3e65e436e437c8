/* Puts the page together: what the reader does goes into the state, what the state says goes onto the page. */

const BIG = 5000; // nodes from which on a graph opens on its core
const CORE = 2500; // nodes of the core
const FILTERS = ["view", "off", "from", "to", "papers", "sure", "focus", "steps", "more", "plus"];

class Page {
  constructor(graph) {
    this.graph = graph;
    this.state = new State();
    this.#theme();
    this.painter = new Painter(graph);
    this.camera = new Camera(document.getElementById("drawing"), this.painter, this.#events());
    this.relaxation = new Relaxation(graph, () => this.camera.redraw());
    const actions = this.#actions();
    this.legend = new Legend(document.getElementById("filters"), graph, this.state);
    this.chips = new Chips(graph, this.state, actions);
    this.panel = new Panel(graph, this.state, actions);
    this.panes = { table: new Table(graph, this.state, actions), grid: new Grid(graph, this.state, actions) };
    this.search = new Search(graph, (node) => this.go(node));
    this.saving = new Saving(graph, this.painter, this.camera);
    this.tools = new Tools(this);
    this.state.listen((changed, wandered) => this.#update(changed, wandered));
    this.#title();
    this.#keys();
    this.#update(new Set(Object.keys(START)), true);
    if (!this.state.get("eye")) this.camera.fit(this.#subject(), false);
  }

  /** What a page that says nothing of its camera opens on: the way, what is chosen with its neighbours, or all. */
  #subject() {
    const { way, chosen } = this.painter;
    const near = [...chosen].filter((node) => this.shown.node[node]).flatMap((node) => [node, ...this.shown.edges.neighbours(node)]);
    return [way, near].find((nodes) => nodes.length) ?? this.shown.list;
  }

  #title() {
    const { graph } = this;
    const papers = plural(graph.size - graph.entityCount, "paper");
    document.getElementById("heading").textContent = papers;
    document.getElementById("subheading").textContent =
      `and the ${plural(graph.entityCount, "thing")} they name, in ${plural(graph.relations.count, "relation")}`;
    document.title = `${papers} · knowledge graph`;
  }

  /* What the pointer and the camera tell */

  #events() {
    return {
      click: (x, y) => this.#click(x, y),
      doubleClick: (x, y) => {
        const node = this.painter.nodeAt(x, y, this.camera.view);
        if (node >= 0) this.state.set({ focus: this.graph.key[node], at: this.graph.key[node] });
      },
      hover: (point) => this.#hover(point),
      moved: (eye) => this.state.set({ eye }, false),
      free: () => this.#free(),
    };
  }

  #click(x, y) {
    const node = this.painter.nodeAt(x, y, this.camera.view);
    if (node >= 0) return this.#chooseInSight(node);
    const ends = this.painter.edgeAt(x, y, this.camera.view);
    return ends ? this.chooseEdge(...ends) : this.close();
  }

  /** Choose a node, and bring it out where the panel would cover it. */
  #chooseInSight(node) {
    this.choose(node);
    const { x, y } = this.camera.spot(node);
    const { width, height } = this.#free();
    if (this.shown.node[node] && (x > width - 20 || y > height - 20)) this.camera.centre(node);
  }

  #hover(point) {
    const node = point ? this.painter.nodeAt(point.x, point.y, this.camera.view) : -1;
    if (node !== this.painter.hover) this.point(node);
  }

  /** Light a node up as if the pointer were on it, and say what it is; -1 for none. */
  point(node) {
    this.painter.hover = node;
    this.camera.canvas.style.cursor = node >= 0 ? "pointer" : "";
    const tip = document.getElementById("tip");
    tip.hidden = node < 0 || !this.shown.node[node];
    if (!tip.hidden) this.#tip(tip, node);
    this.camera.redraw();
  }

  #tip(tip, node) {
    const { graph } = this;
    const papers = graph.isPaper(node) ? graph.paper(node, "date") : plural(this.shown.papers[node], "paper");
    tip.textContent = [graph.typeName(node), papers, plural(this.shown.edges.at.of(node).length, "connection")].filter(Boolean).join(" · ");
    const { x, y } = this.camera.spot(node);
    tip.style.left = `${Math.round(x)}px`;
    tip.style.top = `${Math.round(y)}px`;
  }

  /** The part of the drawing that no panel covers, and how far its middle lies off. */
  #free() {
    const { clientWidth: width, clientHeight: height } = document.getElementById("drawing");
    const panel = document.getElementById("panel");
    if (panel.hidden) return { width, height, shiftX: 0, shiftY: 0 };
    if (panel.offsetWidth > width * 0.8) return { width, height: height - panel.offsetHeight, shiftX: 0, shiftY: panel.offsetHeight / 2 };
    return { width: width - panel.offsetWidth, height, shiftX: panel.offsetWidth / 2, shiftY: 0 };
  }

  /* What the reader does */

  #actions() {
    return {
      link: (node, text) => this.#link(node, text),
      edge: (a, b) => this.chooseEdge(a, b),
      focus: (node) => this.state.set({ focus: this.graph.key[node] }),
      centre: (node) => this.camera.centre(node),
      pathFrom: (node) => this.pathFrom(node),
      pathStart: () => this.pathStart ?? null,
      relax: (node) => this.relaxation.run(this.shown, node, () => this.camera.fit(this.shown.list)),
      close: () => this.close(),
      point: (node) => this.point(node),
      drawn: (node) => this.shown.node[node] === 1,
      reveal: (node) => this.#reveal(node),
      expand: (node) => this.#expand(node),
      whole: () => !this.#partial(),
      unfilter: () => this.state.set(Object.fromEntries(["off", "from", "to", "papers", "sure"].map((name) => [name, START[name]]))),
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
    return element("a", { href: `#${new URLSearchParams({ at: this.graph.key[node] })}`, class: `node ${kind}`, onclick: follow }, text || "(no name)");
  }

  /** Choose a node; while a path waits for its end, it becomes that end. */
  choose(node) {
    const at = this.graph.key[node];
    const start = this.pathStart;
    if (start === undefined || start === node) return this.state.set({ at, path: "" });
    this.pathStart = undefined;
    return this.state.set({ path: `${this.graph.key[start]}>${at}`, at: "" });
  }

  /** Choose a node that may lie outside the window, and go there. */
  go(node) {
    if (this.#partial() && !this.shown.node[node]) this.#expand(node);
    this.choose(node);
    if (this.shown.node[node] && !this.state.get("path")) this.camera.centre(node);
  }

  chooseEdge(a, b) {
    this.state.set({ at: `${this.graph.key[a]}>${this.graph.key[b]}`, path: "" });
  }

  close() {
    this.state.set({ at: "", path: "" });
  }

  /** Begin a path at a node, to be ended by the next choice; null gives it up. */
  pathFrom(node) {
    this.pathStart = node ?? undefined;
    this.chips.update(this.shown, !this.#partial());
    if (node !== null) document.getElementById("search").focus();
  }

  /** Change the view and drop filters until a node is in the drawing. */
  #reveal(node) {
    const off = [...this.state.names("off")].filter((name) => name !== this.graph.typeName(node));
    this.state.set({ view: "both", focus: "", papers: "1", sure: "0", from: "", to: "", off: off.map(encodeURIComponent).join(" ") });
    if (!this.shown.node[node]) this.state.set({ off: "" });
    this.go(node);
    this.#details();
  }

  /** Of a big graph, add a node with its neighbours to what is shown. */
  #expand(node) {
    const plus = new Set(this.state.get("plus").split(" ").filter(Boolean)).add(this.graph.key[node]);
    this.state.set({ plus: [...plus].join(" ") });
  }

  #keys() {
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = event.target.matches("input[type=search], select, textarea");
      if (event.key === "Escape") this.#escape();
      if (event.key !== "/" || typing) return;
      event.preventDefault();
      document.getElementById("search").focus();
    });
    document.getElementById("drawing").addEventListener("keydown", (event) => this.#drive(event));
    document.getElementById("skip").addEventListener("click", (event) => {
      event.preventDefault();
      this.state.set({ pane: "table" });
      document.querySelector("#drawer .scroll").focus();
    });
  }

  /** Leave whatever was entered last. */
  #escape() {
    if (this.tools.closeMenu()) return;
    if (this.pathStart !== undefined) this.pathFrom(null);
    else if (this.state.get("at") || this.state.get("path")) this.close();
    else if (this.state.get("focus")) this.state.set({ focus: "" });
    else if (this.state.get("pane")) this.state.set({ pane: "" });
    document.getElementById("drawing").focus();
  }

  #drive(event) {
    if (event.key === "+" || event.key === "=") return this.camera.zoom(1.3);
    if (event.key === "-") return this.camera.zoom(1 / 1.3);
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return undefined;
    event.preventDefault();
    const here = this.graph.find(this.state.get("at"));
    if (here < 0 || !this.shown.node[here]) return this.camera.pan(way[0] * 60, way[1] * 60);
    const next = this.#neighbourTowards(here, way);
    return next < 0 ? undefined : this.go(next);
  }

  /** The neighbour that lies most nearly in a direction; of two, the nearer. */
  #neighbourTowards(here, [dx, dy]) {
    const { x, y } = this.graph;
    let [best, most] = [-1, 0.3];
    for (const node of this.shown.edges.neighbours(here)) {
      const [gx, gy] = [x[node] - x[here], y[node] - y[here]];
      const far = Math.hypot(gx, gy) || 1;
      const worth = (gx * dx + gy * dy) / far - far / 1e5;
      if (worth > most) [best, most] = [node, worth];
    }
    return best;
  }

  /* What the state says */

  #update(changed, wandered) {
    const any = (...names) => names.some((name) => changed.has(name));
    if (any("theme")) this.#theme();
    if (any("focus", "view", "plus", "more")) this.relaxation.restore();
    if (any("theme", "colour", "size")) this.painter.dress(this.state.get("colour"), this.state.get("size"));
    if (any(...FILTERS)) this.#filter();
    if (any(...FILTERS, "colour", "size")) this.legend.update(this.shown, this.painter);
    if (any("pane", "order", "grid", ...FILTERS)) this.#pane();
    if (any("at", "path", "proof", ...FILTERS)) this.#details(wandered);
    this.panes.table.mark();
    if (wandered && any("eye") && this.state.get("eye")) this.camera.look(this.state.get("eye"));
    else if (any("focus", "steps", "more") && !wandered) this.camera.fit(this.shown.list);
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
    const wanted = ["plus", "at", "path"].flatMap((name) => this.state.get(name).split(/[ >]/)).map((key) => this.graph.find(key));
    const admitted = this.#partial() ? core(this.graph, this.state.number("more") || CORE, wanted.filter((node) => node >= 0)) : null;
    this.shown = new Shown(this.graph, this.state, admitted);
    this.painter.show(this.shown);
    this.painter.hover = -1;
    this.chips.update(this.shown, !admitted);
    this.#status();
  }

  #status() {
    const { list, possible, edges } = this.shown;
    const papers = list.filter((node) => this.graph.isPaper(node)).length;
    const parts = [papers ? plural(papers, "paper") : "", list.length > papers ? plural(list.length - papers, "thing") : ""].filter(Boolean);
    const all = list.length < possible ? ` of ${possible.toLocaleString("en")}` : "";
    const text = parts.length ? `${parts.join(" and ")}${all}, ${plural(edges.count, "connection")}` : "Nothing passes the filters";
    document.getElementById("status").textContent = text;
  }

  #details(wandered = false) {
    const [from, to] = this.#ends("path");
    const [a, b] = this.#ends("at");
    this.painter.way = [];
    this.painter.focus = this.graph.find(this.state.get("focus"));
    this.painter.chosen = new Set([a, b].filter((node) => node >= 0 && node !== this.painter.focus));
    if (from >= 0 && to >= 0) this.#way(from, to, wandered);
    else if (a >= 0 && b >= 0) this.panel.edge(a, b);
    else if (a >= 0) this.#node(a);
    else this.panel.close();
  }

  #node(node) {
    this.panel.node(node);
    document.getElementById("said").textContent = `${this.graph.label[node]}, ${this.graph.typeName(node)}: its details are open.`;
  }

  #ends(name) {
    const [a, b] = this.state.get(name).split(">");
    return [this.graph.find(a), this.graph.find(b)];
  }

  #way(from, to, wandered) {
    const way = this.shown.path(from, to);
    this.painter.way = way;
    this.panel.path(way, from, to);
    if (way.length && !wandered) this.camera.fit(way);
  }

  #pane() {
    const pane = this.panes[this.state.get("pane")];
    const drawer = document.getElementById("drawer");
    document.getElementById("stage").classList.toggle("with-drawer", Boolean(pane));
    const turned = drawer.hidden === Boolean(pane);
    drawer.hidden = !pane;
    if (turned) this.camera.resize();
    this.tools.update();
    if (pane) pane.draw(document.getElementById("drawer-content"), this.shown);
  }
}

async function open() {
  const graph = new Graph(embedded("about"), await unpack(embedded("columns")), embedded("texts"));
  return new Page(graph);
}

open().then(
  (page) => document.documentElement.setAttribute("data-ready", String(page.graph.size)),
  (error) => {
    const trouble = document.getElementById("trouble");
    trouble.textContent = `This page could not draw its graph: ${error.message}. It needs a current browser.`;
    trouble.hidden = false;
  },
);
