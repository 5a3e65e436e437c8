/* Claims and the sentences that prove them, as parts of the panel. */

const NO_TEXTS = "This page was made without the papers' texts.";
const NO_EVIDENCE = "Known from a list of well-known introductions, not from a text.";
const FIRST = 8; // rows of a list before the rest is asked for

class Proof {
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.link = actions.link;
  }

  /** The sentences that prove a claim of a paper; they arrive once its text is unpacked. */
  sentences(paper, evidence) {
    const place = element("div.sentences");
    this.graph.sentences(paper, evidence).then((sentences) => {
      const marked = (part, i) => (i % 2 ? element("mark", part) : part);
      place.append(...sentences.map((parts) => element("blockquote", parts.map(marked))));
      if (!sentences.length) place.append(element("p.quiet", evidence.length ? NO_TEXTS : NO_EVIDENCE));
    });
    return place;
  }

  /** A row of a list whose proof unfolds on request; it stands open where the reader wants all of it, or if `open`. */
  row(content, paper, evidence, open = false) {
    const place = element("div.proof");
    const fold = (opened) => {
      unfold.setAttribute("aria-expanded", opened);
      place.replaceChildren(...(opened ? [this.sentences(paper, evidence)] : []));
    };
    const unfold = button("", () => fold(unfold.getAttribute("aria-expanded") === "false"), {
      className: "unfold",
      ariaLabel: "The sentences that prove it",
    });
    fold(open || this.state.get("proof") === "1");
    return element("li", unfold, content, place);
  }

  /** A row for a relation, seen from one end: the other end, its year, and how sure it is. */
  relationRow(other, i, open = false) {
    const { from, sure, evidence } = this.graph.relations;
    const year = this.graph.isPaper(other) ? this.graph.paper(other, "date").slice(0, 4) : "";
    const facts = element("span.quiet", year ? ` ${year}` : "", confidence(sure[i]));
    return this.row([this.link(other), facts], from[i], evidence[i], open);
  }

  /** A relation in a sentence, with its proof open. */
  relation(i) {
    const { from, to, label, sure, evidence } = this.graph.relations;
    const verb = element("b", this.graph.roles[label[i]].label);
    const claim = element("p", this.link(from[i]), " ", verb, " ", this.link(to[i]), confidence(sure[i]));
    return element("section.statement", claim, this.sentences(from[i], evidence[i]));
  }

  /** A link between papers in a sentence, with the proof of both halves: the use and the introduction. */
  paperLink(i) {
    const { graph } = this;
    const { from, to, via, label, sure, evidence } = graph.links;
    const verb = element("b", graph.kinds[label[i]].label);
    const through = [", through ", this.link(via[i]), confidence(sure[i])];
    const introduces = graph.between(to[i], via[i]).relations.filter((r) => graph.relations.label[r] === 0);
    return element(
      "section.statement",
      element("p", this.link(from[i]), " ", verb, " ", this.link(to[i]), ...through),
      this.sentences(from[i], evidence[i]),
      introduces.map((r) => this.relation(r)),
    );
  }

  /** That a paper is on the list of references of another, which no sentence of the abstract has to say. */
  reference(i) {
    const { from, to } = this.graph.citations;
    const claim = [this.link(from[i]), " ", element("b", "has the reference"), " ", this.link(to[i])];
    return element("p", claim, element("span.quiet", " as its source lists it"));
  }

  /** Which of two things is a variant of the other; null if neither is. */
  kinship(a, b) {
    const [narrow, wide] = this.graph.widerOf(a).includes(b) ? [a, b] : [b, a];
    if (!this.graph.widerOf(narrow).includes(wide)) return null;
    return element("p", this.link(narrow), " ", element("b", "is a kind of"), " ", this.link(wide));
  }

  /** The papers that name both things, each with what it does with them. */
  company(a, b) {
    return this.graph.shared(a, b).map((paper) => {
      const claims = [a, b].flatMap((thing) => this.graph.between(paper, thing).relations);
      return element(
        "section.statement",
        element("p", this.link(paper)),
        claims.map((i) => this.#aside(paper, i)),
      );
    });
  }

  #aside(paper, i) {
    const { to, label, sure, evidence } = this.graph.relations;
    const claim = [this.graph.roles[label[i]].label, " ", this.link(to[i]), confidence(sure[i])];
    return element("div", element("p.quiet", claim), this.sentences(paper, evidence[i]));
  }
}

/** The relations of a node by role: pairs of a role's number and its relations, where there are any. */
function byRole(graph, node) {
  const groups = graph.roles.map(() => []);
  for (const i of graph.relationsOf.of(node)) groups[graph.relations.label[i]].push(i);
  return [...groups.entries()].filter(([, relations]) => relations.length);
}

/** A list that shows its first rows and the rest on request. */
function longList(items, row) {
  const list = element("ul", items.slice(0, FIRST).map(row));
  if (items.length <= FIRST) return list;
  const showAll = () => {
    const rows = items.slice(FIRST).map(row);
    list.append(...rows);
    more.remove();
    rows[0].querySelector("a, button").focus();
  };
  const more = button(`Show all ${items.length}`, showAll, { className: "more" });
  return [list, more];
}

function section(title, count, content, sign = null) {
  return element("section", element("h3", sign, title, count ? element("span.count", String(count)) : null), content);
}

function confidence(percent) {
  return element("span.confidence", { title: "Confidence" }, ` ${percent} %`);
}
