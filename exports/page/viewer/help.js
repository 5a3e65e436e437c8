/* The help: what one sees, the keys, how certain the claims are; and what the page is about. */

/** @type {[string, string][]} */
const KEYS = [
  ["/", "search"],
  ["← → ↑ ↓", "select the neighbour in that direction; without a selection, move the drawing"],
  ["+ −", "zoom"],
  ["D", "move to the details; Esc goes back"],
  ["Esc", "close what was opened last"],
  ["?", "this help"],
];

class Help {
  /** @param {Graph} graph @param {State} state */
  constructor(graph, state) {
    this.graph = graph;
    this.state = state;
    /** @type {HTMLDialogElement | null} */
    this.dialog = null;
    this.button = iconButton("Help, and about this page", "?", () => this.open());
  }

  open() {
    this.state.set({ help: "1" });
  }

  /** Open or close the dialog as the state says. */
  update() {
    const isWanted = this.state.get("help") === "1";
    if (isWanted && !this.dialog) this.#show();
    else if (!isWanted) this.dialog?.close();
  }

  #show() {
    const onClose = () => {
      this.dialog = null;
      this.state.set({ help: "" });
    };
    const content = [this.#picture(), this.#questions(), this.#keys(), this.#certainty(), this.#about()];
    this.dialog = openDialog("Help", element("div.help", content), onClose);
  }

  #picture() {
    const { types, roles } = this.graph;
    /** @param {Element} symbol @param {string} name @param {string} text */
    const row = (symbol, name, text) => element("li", symbol, element("span", element("b", name), text));
    const papers = row(typeIcon(types.length, types.length), "Paper", " of this corpus");
    const stubs = row(typeIcon(types.length + 1, types.length), "Cited paper", " outside this corpus");
    return helpSection(
      "What you see",
      element(
        "p",
        "Every symbol is a paper or an entity that papers name: a method, a model, a dataset or a benchmark. " +
          "A line says what a paper does with an entity. Click a symbol, its name or a line for the sentences behind it. " +
          "Two symbols are near each other if many lines connect them; the directions have no meaning. Soft regions with " +
          "large names are topics: entities that the same papers name.",
      ),
      element("ul.signs", [
        papers,
        stubs,
        ...types.map((type, at) => row(typeIcon(at, types.length), capitalised(type.label || type.name), comment(type))),
      ]),
      element("ul.signs", roles.map((role, at) => row(roleIcon(at), capitalised(role.label), comment(role)))), // prettier-ignore
    );
  }

  #questions() {
    const tasks = [
      "What is this? Search its name, or click it: who introduced it, who uses it, and the sentences that say so.",
      "What surrounds it? Focus shows its neighbourhood; Path to… connects it with another node.",
      "What is used with what? Grid counts the papers for each pair of two types; Table lists and sorts the nodes.",
      "A question in plain words? Questions answers what extends it, what to read first, what is new, and more.",
      "Use it in another program? Save writes references as BibTeX and RIS, tables, and the drawing.",
      "Something is wrong? Open the statement and press This is wrong…; save your corrections for the next build.",
    ];
    return helpSection("What you can do", element("ul.tasks", tasks.map((task) => element("li", task)))); // prettier-ignore
  }

  #keys() {
    const rows = KEYS.map(([key, effect]) => element("tr", element("th", { scope: "row" }, element("kbd", key)), element("td", effect))); // prettier-ignore
    return helpSection("Keys", element("table.keys", element("tbody", rows)));
  }

  #certainty() {
    const { certain } = this.graph.about;
    return helpSection(
      "How certain the claims are",
      element(
        "p",
        "A program read the titles and abstracts, not the full papers. Every claim has a confidence: of the claims with " +
          `80 %, about four in five are expected to be right. Claims below ${certain} % are tentative; the page hides them ` +
          "until you show them. A claim without a sentence comes from a list of well-known introductions. What an " +
          "abstract does not say is missing here, so “none” means “none in these abstracts”. Read the sentence before you cite.",
      ),
    );
  }

  #about() {
    const { corpus, software } = this.graph.about;
    const papers = this.graph.papers.stub.filter((stub) => !stub).length;
    const facts = aboutFacts(corpus, software, papers);
    const rows = facts.map(([name, text]) => element("tr", element("th", { scope: "row" }, name), element("td", text)));
    return helpSection("About this page", element("table.keys", element("tbody", rows)));
  }
}

/**
 * Return what is known about the corpus, as pairs of a name and a text.
 * @param {CorpusInfo} corpus
 * @param {string} software
 * @param {number} papers
 * @returns {[string, string][]}
 */
function aboutFacts(corpus, software, papers) {
  const { title, sources, first, last, licence, inputs, configuration } = corpus;
  const some = sources.slice(0, 12).map(([name, count]) => `${name} (${plural(count, "paper")})`);
  const rest = sources.length > some.length ? ` and ${plural(sources.length - some.length, "further file")}` : "";
  const dates = first === last ? first : `${first} to ${last}`;
  const name = title || `Knowledge graph of ${plural(papers, "paper")}`;
  const from = dates ? ` (${dates})` : "";
  return [
    ["Corpus", title || "no name was given"],
    ["Papers", `${withCommas(papers)}${from}`],
    ["Sources", some.length ? `${some.join(", ")}${rest}` : "unknown"],
    ["Newest paper", last || "no paper has a date"],
    ["Made with", software],
    ["Version", `inputs ${inputs.slice(0, 12)}, configuration ${configuration.slice(0, 12)}`],
    ["Licence", licence || "none was stated. Titles and abstracts belong to their authors and publishers."],
    ["How to cite", `${name}${from}. Made with ${software}, version ${inputs.slice(0, 12)}-${configuration.slice(0, 12)}. For a claim, cite the paper that makes it.`],
  ]; // prettier-ignore
}

/** @param {{ comment: string }} info */
function comment(info) {
  return info.comment ? `: ${info.comment.replace(/\.$/, "")}` : "";
}

/** @param {string} title @param {...Part} parts */
function helpSection(title, ...parts) {
  return element("section", element("h3", title), parts);
}
