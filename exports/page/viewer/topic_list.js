/* The list of topics above the legend: a way to each topic, and a filter. */

const LISTED_TOPICS = 6; // number of topics that are listed at first

class TopicList {
  /**
   * @param {Graph} graph
   * @param {State} state
   * @param {(nodes: number[]) => void} goTo shows these nodes in the window
   */
  constructor(graph, state, goTo) {
    this.graph = graph;
    this.state = state;
    this.goTo = goTo;
    this.sizes = topicPapers(graph, new Uint8Array(graph.size).fill(1));
    this.rows = graph.topics.key.map((_key, topic) => this.#row(topic));
    this.more = button("", () => this.#toggle(), { className: "more-topics" });
    this.isOpen = false;
    this.container = element(
      "fieldset.legend",
      { "data-group": "topics", hidden: !this.rows.length },
      element("legend", "Topics"),
      this.rows.map(({ row }) => row),
      this.more,
    );
    this.#fold();
  }

  /** @param {number} topic */
  #row(topic) {
    const { graph, state } = this;
    const key = graph.topics.key[topic];
    const full = graph.topics.names[topic].map((node) => graph.label[node]).join(" · ");
    const [first, ...others] = topicNames(graph, topic);
    const names = [element("b", first), others.map((name) => ` · ${name}`).join("")];
    const go = button("", () => this.#show(topic), { title: full, className: "name", "data-topic": key });
    go.append(element("span", names));
    const only = button("only", () => state.set({ topic: state.get("topic") === key ? "" : key }), {
      className: "only",
      title: "Show only the papers and entities of this topic",
      ariaLabel: `Only ${first}`,
    });
    const count = element("span.count", { title: "papers" });
    const mark = element("span.region", { "data-hue": String(topicHue(topic)) });
    mark.style.setProperty("--hue", String(topicHue(topic)));
    return { row: element("div.topic", mark, go, count, only), only, count, key };
  }

  /** Show a topic in the window; filter by it if the excerpt of a large graph has none of its nodes. @param {number} topic */
  #show(topic) {
    const nodes = required(this.shown, "The visible graph").list.filter((node) => this.graph.topics.of[node] === topic);
    if (nodes.length) this.goTo(nodes);
    else this.state.set({ topic: this.graph.topics.key[topic] });
  }

  #toggle() {
    this.isOpen = !this.isOpen;
    this.#fold();
  }

  /** Hide the smaller topics unless the list is open or the topic is chosen. */
  #fold() {
    const chosen = this.state.get("topic");
    this.rows.forEach(({ row, key }, i) => (row.hidden = !this.isOpen && i >= LISTED_TOPICS && key !== chosen));
    this.more.hidden = this.rows.length <= LISTED_TOPICS;
    this.more.textContent = this.isOpen ? "Show fewer topics" : `Show all ${this.rows.length} topics`;
    this.more.setAttribute("aria-expanded", String(this.isOpen));
  }

  /** Update the numbers of papers and the chosen topic. @param {VisibleGraph} shown */
  update(shown) {
    this.shown = shown;
    const papers = shown.topicPapers;
    const chosen = this.state.get("topic");
    this.rows.forEach(({ row, only, count, key }, topic) => {
      const isOff = Boolean(chosen) && key !== chosen;
      count.textContent = withCommas(isOff ? this.sizes[topic] : papers[topic]);
      only.setAttribute("aria-pressed", String(key === chosen));
      row.classList.toggle("off", isOff);
    });
    this.#fold();
  }
}
