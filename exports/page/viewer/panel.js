/* The details panel: a node, an edge or a path, with the evidence. */

class Panel {
  /** @param {Graph} graph @param {State} state @param {Actions} actions */
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.evidence = new EvidenceView(graph, state, actions);
    const results = new ResultsView(graph, state, actions);
    this.entity = new EntityDetails(graph, this.evidence, results, actions);
    this.paper = new PaperDetails(graph, this.evidence, results, actions);
    this.questions = new QuestionsPanel(graph, state, actions, this.evidence, results);
    this.container = byId("panel");
    /** @type {{ answer: Answer | null, evidence: string } | null} the answer in the panel */
    this.drawn = null;
  }

  close() {
    this.drawn = null;
    this.container.hidden = true;
    this.container.replaceChildren();
  }

  /** @param {...(Content | Content[])} parts */
  #open(...parts) {
    this.drawn = null;
    const close = button("×", () => this.actions.close(), { className: "close", ariaLabel: "Close details" });
    this.container.replaceChildren(close, ...present(parts.flat(2)));
    this.container.hidden = false;
    this.container.scrollTop = 0;
  }

  /** @param {number} node */
  node(node) {
    const details = this.graph.isPaper(node) ? this.paper : this.entity;
    const symbol = typeIcon(this.graph.type[node], this.graph.types.length);
    const head = element(
      "header",
      element("p.kind", symbol, details.kind(node)),
      element("h2", this.graph.label[node]),
    );
    this.#open(
      this.questions.back(),
      head,
      this.#hidden(node),
      details.facts(node),
      this.#buttons(node),
      this.graph.isPaper(node) ? null : this.actions.wrong({ kind: "entity", node }),
      this.questions.section(node),
      details.parts(node),
    );
  }

  /** Show the answer to the question of the state, or the list of questions; return the nodes that it is about. */
  answer() {
    const answer = this.questions.answer();
    const evidence = this.state.get("evidence");
    if (!answer || this.drawn?.answer !== answer || this.drawn.evidence !== evidence) this.#open(this.questions.parts());
    this.drawn = { answer, evidence };
    return answer?.subjects ?? [];
  }

  /** Return a notice if the drawing leaves the node out, with a button that shows it. @param {number} node */
  #hidden(node) {
    if (this.actions.isInDrawing(node)) return null;
    return element(
      "p.notice",
      "The current view or filters hide this node. ",
      button("Show it", () => this.actions.reveal(node)),
    );
  }

  /** @param {number} node */
  #buttons(node) {
    const isOpen = this.state.get("evidence") === "1";
    const toggleEvidence = () => this.state.set({ evidence: isOpen ? "" : "1" }, false);
    return element(
      "div.actions",
      button("Focus", () => this.actions.focus(node), { title: "Show only its neighbourhood" }),
      button("Path to…", () => this.actions.pathFrom(node), { title: "Find a shortest path to another node" }),
      button("Centre", () => this.actions.centre(node), { title: "Move it to the centre of the drawing" }),
      button("All evidence", toggleEvidence, { ariaPressed: isOpen, title: "Open the evidence of every statement" }),
      this.actions.isComplete()
        ? null
        : button("Expand", () => this.actions.expand(node), { title: "Add its neighbours to the drawing" }),
    );
  }

  /** Show everything that connects two nodes, with its evidence open. @param {number} a @param {number} b */
  edge(a, b) {
    const { graph, evidence } = this;
    const { relations, links, citations } = graph.between(a, b);
    const papers = graph.isPaper(a) || graph.isPaper(b) ? [] : evidence.sharedPapers(a, b);
    this.#open(
      this.#pairHead("Connection", a, " and ", b),
      evidence.variantRelation(a, b),
      relations.filter((i) => !graph.isImplied(i)).map((i) => evidence.relation(i)),
      links.map((i) => evidence.paperLink(i)),
      citations.map((i) => evidence.reference(i)),
      papers.length ? element("p.quiet", `${plural(papers.length, "paper mentions", "papers mention")} both.`) : null,
      papers,
    );
  }

  /** Show a path through the graph, step by step. @param {number[]} nodes @param {number} from @param {number} to */
  path(nodes, from, to) {
    const noPath = "No path connects these two nodes in this view. Reset the filters or change the view.";
    const steps = nodes.slice(1).map((node, i) => element("li", this.#step(nodes[i], node)));
    const kind = steps.length ? `Path · ${plural(steps.length, "step")}` : "Path";
    this.#open(this.#pairHead(kind, from, " to ", to), steps.length ? element("ol.path", steps) : element("p", noPath));
  }

  /** @param {string} kind @param {number} a @param {string} word @param {number} b */
  #pairHead(kind, a, word, b) {
    const { link } = this.actions;
    return element(
      "header",
      element("p.kind", kind),
      element("h2.pair", link(a), element("span.quiet", word), link(b)),
    );
  }

  /** Return the strongest statement that connects two neighbours. @param {number} a @param {number} b */
  #step(a, b) {
    const { link } = this.actions;
    const { relations, links, citations } = this.graph.between(a, b);
    if (relations.length) return this.evidence.relation(relations[0]);
    if (links.length) return this.evidence.paperLink(links[0]);
    if (citations.length) return this.evidence.reference(citations[0]);
    const both = () => [element("p", link(a), " and ", link(b)), ...this.evidence.sharedPapers(a, b).slice(0, 2)];
    return this.evidence.variantRelation(a, b) ?? both();
  }
}
