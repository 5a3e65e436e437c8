/* Statements and the sentences that support them, as parts of the details panel. */

const NO_TEXTS = "This page was exported without abstracts, so there are no sentences to show.";
const NO_EVIDENCE = "Taken from a curated list of well-known introductions; no paper of this corpus states it.";
const SHOWN_FIRST = 8; // rows of a list; the others are shown on request

class EvidenceView {
  /** @param {Graph} graph @param {State} state @param {Actions} actions */
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.link = actions.link;
    this.wrong = actions.wrong;
  }

  /**
   * Return the sentences that support a statement of a paper, filled in once its text is unpacked, and the button that
   * corrects the statement.
   * @param {number} paper
   * @param {number[]} evidence
   * @param {Subject} subject
   */
  sentences(paper, evidence, subject) {
    const container = element("div.sentences");
    this.graph.sentences(paper, evidence).then((sentences) => {
      /** @param {string} part @param {number} i */
      const marked = (part, i) => (i % 2 ? element("mark", part) : part);
      container.append(...sentences.map((parts) => element("blockquote", parts.map(marked))));
      if (!sentences.length) container.append(element("p.quiet", evidence.length ? NO_TEXTS : NO_EVIDENCE));
    });
    return element("div", container, this.wrong(subject));
  }

  /**
   * Return a list row with evidence that expands on request; initially open if `isOpen` or if all evidence is shown.
   * @param {Content} content
   * @param {number} paper
   * @param {number[]} evidence
   * @param {Subject} subject
   */
  row(content, paper, evidence, subject, isOpen = false) {
    const container = element("div.evidence");
    /** @param {boolean} isOpen */
    const setExpanded = (isOpen) => {
      toggle.setAttribute("aria-expanded", String(isOpen));
      container.replaceChildren(...(isOpen ? [this.sentences(paper, evidence, subject)] : []));
    };
    const toggle = button("", () => setExpanded(toggle.getAttribute("aria-expanded") === "false"), {
      className: "unfold",
      ariaLabel: "Show the evidence",
    });
    setExpanded(isOpen || this.state.get("evidence") === "1");
    return element("li", toggle, content, container);
  }

  /**
   * Return the row of a relation seen from one end: the other end, its year, the confidence and other roles.
   * @param {number} other
   * @param {number} i
   */
  relationRow(other, i, isOpen = false) {
    const { relations } = this.graph;
    const year = this.graph.isPaper(other) ? this.graph.dateOf(other).slice(0, 4) : "";
    const facts = element("span.quiet", year ? ` ${year}` : "", confidenceLabel(relations, i), this.#otherRoles(i));
    const content = [this.link(other), facts];
    return this.row(content, relations.from[i], relations.evidence[i], roleSubject(i), isOpen);
  }

  /**
   * Return the other roles that the paper of a relation has for its entity, such as " · also outperforms".
   * @param {number} relation
   */
  #otherRoles(relation) {
    const { graph } = this;
    const others = graph.rolesOfPair(relation).filter((i) => i !== relation && !graph.isImplied(i));
    const labels = others.map((i) => graph.roles[graph.relations.label[i]].label);
    return labels.length ? ` · also ${labels.join(", ")}` : "";
  }

  /** Return a relation as a sentence with its evidence. @param {number} i */
  relation(i) {
    const { relations } = this.graph;
    const { from, to, label, evidence } = relations;
    const verb = element("b", this.graph.roles[label[i]].label);
    const claim = element("p", this.link(from[i]), " ", verb, " ", this.link(to[i]), confidenceLabel(relations, i));
    return element("section.statement", claim, this.sentences(from[i], evidence[i], roleSubject(i)));
  }

  /**
   * Return a link between papers as a sentence, with the evidence of the use and of the introduction.
   * @param {number} i
   */
  paperLink(i) {
    const { graph } = this;
    const { from, to, via, label, evidence } = graph.links;
    const verb = element("b", graph.kinds[label[i]].label);
    const through = [", through ", this.link(via[i]), confidenceLabel(graph.links, i)];
    const introduces = graph.between(to[i], via[i]).relations.filter((r) => graph.relations.label[r] === 0);
    return element(
      "section.statement",
      element("p", this.link(from[i]), " ", verb, " ", this.link(to[i]), ...through),
      this.sentences(from[i], evidence[i], { kind: "link", claim: i }),
      introduces.map((r) => this.relation(r)),
    );
  }

  /**
   * Return an entry of a reference list as a sentence; it comes from metadata and has no evidence in the abstract.
   * @param {number} i
   */
  reference(i) {
    const { from, to } = this.graph.citations;
    const claim = [this.link(from[i]), " ", element("b", "cites"), " ", this.link(to[i])];
    return element("p", claim, element("span.quiet", " according to its reference list"));
  }

  /** Return which of two entities is a variant of the other, or null. @param {number} a @param {number} b */
  variantRelation(a, b) {
    const [variant, broader] = this.graph.broaderOf(a).includes(b) ? [a, b] : [b, a];
    if (!this.graph.broaderOf(variant).includes(broader)) return null;
    return element("p", this.link(variant), " ", element("b", "is a variant of"), " ", this.link(broader));
  }

  /**
   * Return the papers that mention both entities, each with its relations to them.
   * @param {number} a
   * @param {number} b
   */
  sharedPapers(a, b) {
    return this.graph.sharedPapers(a, b).map((paper) => {
      const relations = [a, b].flatMap((entity) => this.graph.between(paper, entity).relations);
      const claims = relations.filter((i) => !this.graph.isImplied(i));
      return element(
        "section.statement",
        element("p", this.link(paper)),
        claims.map((i) => this.#claim(paper, i)),
      );
    });
  }

  /** @param {number} paper @param {number} i */
  #claim(paper, i) {
    const { relations, roles } = this.graph;
    const verb = roles[relations.label[i]].label;
    const claim = [verb, " ", this.link(relations.to[i]), confidenceLabel(relations, i)];
    return element("div", element("p.quiet", claim), this.sentences(paper, relations.evidence[i], roleSubject(i)));
  }
}

/** Return what the reader may correct about a relation. @param {number} claim @returns {Subject} */
function roleSubject(claim) {
  return { kind: "role", claim };
}

/**
 * Return pairs of a role's index and the relations of a node in this role. Roles without relations are left out, and so
 * is a relation that a narrower one of the same pair implies.
 * @param {Graph} graph
 * @param {number} node
 */
function byRole(graph, node) {
  const { label } = graph.relations;
  const claims = Array.from(graph.relationsOf.of(node)).filter((i) => !graph.isImplied(i));
  /** @type {[number, number[]][]} */
  const groups = graph.roles.map((_role, role) => [role, claims.filter((i) => label[i] === role)]);
  return groups.filter(([, relations]) => relations.length);
}

/**
 * Return a list that shows its first rows, and the others on request.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => HTMLElement} row
 */
function longList(items, row) {
  const list = element("ul", items.slice(0, SHOWN_FIRST).map(row));
  if (items.length <= SHOWN_FIRST) return list;
  const showAll = () => {
    const rows = items.slice(SHOWN_FIRST).map(row);
    list.append(...rows);
    more.remove();
    focusFirst(rows[0], "a, button");
  };
  const more = button(`Show all ${items.length}`, showAll, { className: "more" });
  return [list, more];
}

/** @param {string} title @param {number} count @param {Content} content @param {Element | null} sign */
function section(title, count, content, sign = null) {
  return element("section", element("h3", sign, title, count ? element("span.count", String(count)) : null), content);
}

/**
 * Return the confidence of a relation or a link, with a mark if it is tentative.
 * @param {ClaimSet} set
 * @param {number} i
 */
function confidenceLabel(set, i) {
  const mark = set.tentative[i] ? ", tentative" : "";
  return element("span.confidence", { title: "Confidence of the extraction" }, ` ${set.confidence[i]} %${mark}`);
}
