/* The panel: what a node or an edge or a path is, down to the sentences that prove it. */

class Panel {
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.proof = new Proof(graph, state, actions);
    this.thing = new ThingDetails(graph, this.proof, actions);
    this.paper = new PaperDetails(graph, this.proof, actions);
    this.place = document.getElementById("panel");
  }

  close() {
    this.place.hidden = true;
    this.place.replaceChildren();
  }

  #open(...parts) {
    const close = button("×", () => this.actions.close(), { className: "close", ariaLabel: "Close details" });
    this.place.replaceChildren(close, ...parts.flat(2).filter(Boolean));
    this.place.hidden = false;
    this.place.scrollTop = 0;
  }

  node(node) {
    const details = this.graph.isPaper(node) ? this.paper : this.thing;
    const sign = typeSign(this.graph.type[node], this.graph.types.length);
    const head = element("header", element("p.kind", sign, details.kind(node)), element("h2", this.graph.label[node]));
    this.#open(head, this.#hidden(node), details.facts(node), this.#doing(node), details.parts(node));
  }

  /** Says so where the drawing leaves the node out, with the way to have it in. */
  #hidden(node) {
    if (this.actions.drawn(node)) return null;
    return element(
      "p.notice",
      "Not in the drawing as it is. ",
      button("Show it", () => this.actions.reveal(node)),
    );
  }

  #doing(node) {
    const open = this.state.get("proof") === "1";
    const turnProof = () => this.state.set({ proof: open ? "" : "1" }, false);
    return element(
      "div.doing",
      button("Focus", () => this.actions.focus(node)),
      button("Path to…", () => this.actions.pathFrom(node)),
      button("Centre", () => this.actions.centre(node)),
      button("All proof", turnProof, { ariaPressed: open }),
      this.actions.whole() ? null : button("Expand", () => this.actions.expand(node)),
    );
  }

  /** Everything that stands between two nodes, with its proof open. */
  edge(a, b) {
    const { graph, proof } = this;
    const { relations, links, citations } = graph.between(a, b);
    const papers = graph.isPaper(a) || graph.isPaper(b) ? [] : proof.company(a, b);
    this.#open(
      this.#pairHead("Connection", a, " and ", b),
      proof.kinship(a, b),
      relations.map((i) => proof.relation(i)),
      links.map((i) => proof.paperLink(i)),
      citations.map((i) => proof.reference(i)),
      papers.length ? element("p.quiet", `${plural(papers.length, "paper names", "papers name")} both.`) : null,
      papers,
    );
  }

  /** A way through the graph, hop by hop. */
  path(way, from, to) {
    const nothing = "Nothing that is shown joins these two. Widen the filters, or look at another view.";
    const hops = way.slice(1).map((node, i) => element("li", this.#hop(way[i], node)));
    const kind = hops.length ? `Path · ${plural(hops.length, "step")}` : "Path";
    this.#open(this.#pairHead(kind, from, " to ", to), hops.length ? element("ol.way", hops) : element("p", nothing));
  }

  #pairHead(kind, a, word, b) {
    const { link } = this.actions;
    return element(
      "header",
      element("p.kind", kind),
      element("h2.pair", link(a), element("span.quiet", word), link(b)),
    );
  }

  /** The strongest claim that joins two neighbours. */
  #hop(a, b) {
    const { link } = this.actions;
    const { relations, links, citations } = this.graph.between(a, b);
    if (relations.length) return this.proof.relation(relations[0]);
    if (links.length) return this.proof.paperLink(links[0]);
    if (citations.length) return this.proof.reference(citations[0]);
    const both = () => [element("p", link(a), " and ", link(b)), ...this.proof.company(a, b).slice(0, 2)];
    return this.proof.kinship(a, b) ?? both();
  }
}
