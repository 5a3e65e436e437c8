/* Puts the page together: state in, drawing, legends and panel out. */

class Page {
  constructor(graph) {
    this.graph = graph;
    this.state = new State();
    this.painter = new Painter(graph);
    this.camera = new Camera(document.getElementById("drawing"), this.painter, this.#events());
    this.legend = new Legend(document.getElementById("filters"), graph, this.state);
    this.panel = new Panel(graph, this.state, this.#actions());
    this.search = new Search(graph, (node) => this.#found(node));
    this.state.listen((changed) => this.#update(changed));
    this.#title();
    this.#tools();
    this.#keys();
    this.#update(new Set(Object.keys(START)));
    if (this.state.get("eye")) this.camera.look(this.state.get("eye"));
    else this.camera.fit(this.shown.list, false);
  }

  #title() {
    const { graph } = this;
    const papers = graph.size - graph.entityCount;
    document.getElementById("heading").textContent = plural(papers, "paper");
    document.getElementById("subheading").textContent =
      `and the ${plural(graph.entityCount, "thing")} they name, joined by ${plural(graph.relations.count, "relation")}`;
    document.title = `${plural(papers, "paper")} · knowledge graph`;
  }

  /* What the pointer and the camera tell */

  #events() {
    return {
      click: (x, y) => this.#click(x, y),
      doubleClick: (x, y) => {
        const node = this.painter.nodeAt(x, y, this.camera.view);
        if (node >= 0) this.state.set({ focus: this.graph.ref(node), at: this.graph.ref(node) });
      },
      hover: (x, y) => this.#hover(x, y),
      moved: (eye) => this.state.set({ eye }, false),
      free: () => this.#free(),
    };
  }

  #click(x, y) {
    const node = this.painter.nodeAt(x, y, this.camera.view);
    if (node >= 0) return this.choose(node);
    const ends = this.painter.edgeAt(x, y, this.camera.view);
    if (ends) return this.#chooseEdge(...ends);
    return this.state.set({ at: "", path: "" });
  }

  #hover(x, y) {
    const node = x < 0 ? -1 : this.painter.nodeAt(x, y, this.camera.view);
    if (node === this.painter.hover) return;
    this.painter.hover = node;
    this.camera.canvas.style.cursor = node >= 0 ? "pointer" : "";
    this.camera.redraw();
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
      choose: (node) => this.#found(node),
      edge: (a, b) => this.#chooseEdge(a, b),
      focus: (node) => this.state.set({ focus: this.graph.ref(node) }),
      centre: (node) => this.camera.centre(node),
      pathFrom: (node) => this.#pathFrom(node),
      close: () => this.state.set({ at: "", path: "" }),
    };
  }

  /** Choose a node; while a path waits for its end, it becomes that end. */
  choose(node) {
    const ref = this.graph.ref(node);
    if (this.pathStart !== undefined && this.pathStart !== node) {
      const path = `${this.graph.ref(this.pathStart)}>${ref}`;
      this.pathStart = undefined;
      return this.state.set({ path, at: "" });
    }
    return this.state.set({ at: ref, path: "" });
  }

  /** Choose a node that may lie outside the window or the current view, and go to it. */
  #found(node) {
    this.choose(node);
    if (this.shown.node[node]) this.camera.centre(node);
  }

  #chooseEdge(a, b) {
    this.state.set({ at: `${this.graph.ref(a)}>${this.graph.ref(b)}`, path: "" });
  }

  #pathFrom(node) {
    this.pathStart = node;
    this.#say(`Choose where the path from ${this.graph.label[node]} leads: search for it, or click it.`);
    document.getElementById("search").focus();
  }

  #tools() {
    const button = (place, label, text, act) =>
      document.getElementById(place).append(element("button", { type: "button", "aria-label": label, title: label, onclick: act }, text));
    button("zoom", "Zoom in", "+", () => this.camera.zoom(1.5));
    button("zoom", "Zoom out", "−", () => this.camera.zoom(1 / 1.5));
    button("zoom", "Show everything", "⤢", () => this.camera.fit(this.shown.list));
    button("tools", "Dark or light", "◐", () => this.#turnTheme());
    const toggle = document.getElementById("filters-toggle");
    toggle.addEventListener("click", () => {
      const open = document.getElementById("side").classList.toggle("open");
      toggle.setAttribute("aria-expanded", open);
    });
  }

  #turnTheme() {
    const dark = document.documentElement.dataset.theme === "dark";
    this.state.set({ theme: dark ? "light" : "dark" }, false);
  }

  #keys() {
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = event.target.matches("input[type=search], select, textarea");
      if (event.key === "/" && !typing) {
        event.preventDefault();
        document.getElementById("search").focus();
      } else if (event.key === "Escape") this.#escape();
    });
    document.getElementById("drawing").addEventListener("keydown", (event) => this.#drive(event));
  }

  #escape() {
    this.pathStart = undefined;
    if (this.state.get("at") || this.state.get("path")) this.state.set({ at: "", path: "" });
    else if (this.state.get("focus")) this.state.set({ focus: "" });
    document.getElementById("drawing").focus();
  }

  #drive(event) {
    if (event.key === "+" || event.key === "=") return this.camera.zoom(1.3);
    if (event.key === "-") return this.camera.zoom(1 / 1.3);
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return undefined;
    event.preventDefault();
    const here = this.graph.find(this.state.get("at"));
    if (here < 0) return this.camera.pan(way[0] * 60, way[1] * 60);
    const next = this.#neighbourTowards(here, way);
    return next < 0 ? undefined : this.#found(next);
  }

  /** The neighbour that lies most nearly in a direction. */
  #neighbourTowards(here, [dx, dy]) {
    const { x, y } = this.graph;
    let [best, most] = [-1, 0.3];
    for (const node of this.shown.edges.neighbours(here)) {
      const [gx, gy] = [x[node] - x[here], y[node] - y[here]];
      const along = (gx * dx + gy * dy) / (Math.hypot(gx, gy) || 1);
      const worth = along - Math.hypot(gx, gy) / 1e5;
      if (worth > most) [best, most] = [node, worth];
    }
    return best;
  }

  /* What the state says */

  #update(changed) {
    const any = (...names) => names.some((name) => changed.has(name));
    if (any("theme")) this.#theme();
    if (any("theme", "colour", "size")) this.painter.dress({ colour: this.state.get("colour"), size: this.state.get("size") });
    if (any("view", "off", "from", "to", "papers", "sure", "focus", "steps", "more", "theme", "colour", "size")) this.#filter();
    if (any("at", "path", "view", "off", "focus", "steps")) this.#details();
    if (any("focus") && this.state.get("focus")) this.camera.fit(this.shown.list);
    this.camera.redraw();
  }

  #theme() {
    const wanted = this.state.get("theme");
    const dark = wanted ? wanted === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }

  #filter() {
    this.shown = new Shown(this.graph, this.state, null);
    this.painter.show(this.shown);
    this.legend.update(this.shown);
    this.#status();
  }

  #status() {
    const { counts, list, possible, edges } = this.shown;
    const papers = counts.types.at(-1);
    const parts = [papers ? plural(papers, "paper") : "", list.length > papers ? plural(list.length - papers, "thing") : ""];
    const whole = list.length < possible ? `Showing ${list.length} of ${possible}` : "Showing";
    this.#say(`${whole} ${parts.filter(Boolean).join(" and ")}, ${plural(edges.count, "connection")}`);
  }

  #say(text) {
    document.getElementById("status").textContent = text;
  }

  #details() {
    const ends = (name) => this.state.get(name).split(">").map((ref) => this.graph.find(ref));
    const [from, to] = ends("path");
    const [a, b] = ends("at");
    this.painter.way = [];
    this.painter.chosen = new Set([a, b].filter((node) => node >= 0));
    if (from >= 0 && to >= 0) {
      this.painter.way = this.shown.path(from, to);
      this.panel.path(this.painter.way, from, to);
      if (this.painter.way.length) this.camera.fit(this.painter.way);
    } else if (a >= 0 && b >= 0) this.panel.edge(a, b);
    else if (a >= 0) this.panel.node(a);
    else this.panel.close();
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
    trouble.textContent = `This page could not draw its graph: ${error.message}. A current browser is needed.`;
    trouble.hidden = false;
  },
);
