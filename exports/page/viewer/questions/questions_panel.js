/* The start panel with all questions, the questions about a node, and the answers. */

class QuestionsPanel {
  /** @param {Graph} graph @param {State} state @param {Actions} actions @param {EvidenceView} evidence @param {ResultsView} results */
  constructor(graph, state, actions, evidence, results) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    /** @type {{ ask: string, claims: Graph["claims"] | null, answer: Answer | null }} */
    this.asked = { ask: "", claims: null, answer: null };
    this.view = new AnswerView(graph, state, actions, evidence, results);
  }

  /** Return the answer to the question of the state, computed once; null on the start panel. */
  answer() {
    const ask = this.state.get("ask");
    const { claims } = this.graph;
    if (this.asked.ask !== ask || this.asked.claims !== claims)
      this.asked = { ask, claims, answer: answerTo(this.graph, ask) };
    return this.asked.answer;
  }

  /** Return the parts of the panel: the answer to the question of the state, or the list of questions. */
  parts() {
    const answer = this.answer();
    return answer ? this.view.parts(answer) : this.#start();
  }

  /** Return the way back from a node to the answer in which it stands, or null. */
  back() {
    if (!this.state.get("ask")) return null;
    const title = truncated(this.answer()?.title ?? "Questions", 48);
    return element("p.back", button(`← ${title}`, () => this.state.set({ at: "", path: "" }), { className: "more" }));
  }

  /** Return the questions about a node. @param {number} node */
  section(node) {
    const { graph } = this;
    const name = graph.isPaper(node) ? "this paper" : "it";
    const asked = questionsAbout(graph, node).filter(([question]) => question !== "like" || !graph.isStub(node));
    const buttons = asked.map(([question, { text, about }]) =>
      button(capitalised(text(name).replace(/^it /, "")), () => this.#ask(question, about, [node]), { "data-question": question }),
    );
    return buttons.length ? section("Questions", 0, element("div.questions", buttons)) : null;
  }

  /**
   * Show the answer to a question about some nodes, or let the reader choose the next node.
   * @param {string} question
   * @param {QuestionSubject[]} about
   * @param {number[]} nodes
   */
  #ask(question, about, nodes) {
    const { graph, actions, state } = this;
    const ask = [question, ...nodes.map((node) => graph.key[node])].join(" ");
    if (nodes.length === about.length) return state.set({ ask, at: "", path: "" });
    const next = about[nodes.length];
    const text = QUESTIONS[question].text(nodes.length ? graph.label[nodes[0]] : "…");
    return actions.pick(text, (node) => {
      if (!isAbout(graph, next, node)) return false;
      this.#ask(question, about, [...nodes, node]);
      return true;
    });
  }

  #start() {
    const names = ["extends", "compared", "replaced", "beside", "read", "like"];
    const chosen = names.map((name) => {
      const { text, about } = QUESTIONS[name];
      return button(text("…"), () => this.#ask(name, about, []), { "data-question": name });
    });
    return [
      element("header", element("p.kind", "Questions"), element("h2", "Ask this corpus")),
      element("p.quiet", "Answers come from the titles and abstracts of all papers of this page, regardless of the filters."),
      section("About the whole corpus", 0, element("div.questions", present(this.#general()))),
      section("About an entity or paper that you choose", 0, [
        element("p.quiet", "Choose the question, then click a node or search for it."),
        element("div.questions", chosen),
      ]),
    ];
  }

  #general() {
    const { graph } = this;
    const plain = ["earlier", "introduced"].filter((name) => name !== "earlier" || graph.additions);
    const buttons = plain.map((name) =>
      button(QUESTIONS[name].text(graph.additions?.earlier ?? ""), () => this.state.set({ ask: name, at: "", path: "" }), {
        "data-question": name,
      }),
    );
    /** @type {[string, string][]} */
    const types = graph.types.filter((_type, i) => graph.type.includes(i)).map(({ name, plural }) => [encodeURIComponent(name), plural.toLowerCase()]);
    types.sort(([a], [b]) => Number(isDataType(graph, b)) - Number(isDataType(graph, a)));
    /** @type {[string, string][]} */
    const dates = datesOf(graph).map((date) => [date, date]);
    const undated = element("p.quiet", "The papers have no dates, so questions about time cannot be answered.");
    const timed = dates.length ? [this.#choice("trends", "Which", types, "rise and fall?"), this.#choice("since", "What is new since", dates, "?")] : [undated];
    /** @type {[string, string][]} */
    const topics = graph.topics.key.map((key, topic) => [encodeURIComponent(key), topicNames(graph, topic).join(", ")]);
    const reading = topics.length ? this.#choice("topic", "What to read first on", topics, "?") : null;
    return [...buttons, reading, ...timed];
  }

  /** @param {string} question @param {string} before @param {[string, string][]} choices @param {string} after */
  #choice(question, before, choices, after) {
    const options = choices.map(([value, text]) => element("option", { value }, text));
    const select = element("select", { ariaLabel: `${before} … ${after}` }, options);
    if (question === "topic" && this.state.get("topic")) select.value = encodeURIComponent(this.state.get("topic"));
    const ask = () => this.state.set({ ask: `${question} ${select.value}`, at: "", path: "" });
    return element("div.choose", element("span", before), select, element("span", after), button("Answer", ask, { "data-question": question, ariaLabel: `Answer: ${before} … ${after}` }));
  }
}

/** @param {Graph} graph @param {string} name */
function isDataType(graph, name) {
  return graph.types[typeNumber(graph, name)]?.data === true;
}
