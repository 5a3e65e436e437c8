/* The details of a paper: addresses, abstract with linked mentions, relations and links. */

const UNREAD = "Not part of this corpus; known only because it introduced an entity or is cited.";

class PaperDetails {
  /** @param {Graph} graph @param {EvidenceView} evidence @param {ResultsView} results @param {Actions} actions */
  constructor(graph, evidence, results, actions) {
    this.graph = graph;
    this.evidence = evidence;
    this.results = results;
    this.actions = actions;
  }

  /** Return the sections below the header. @param {number} node */
  parts(node) {
    return [
      this.#abstract(node),
      this.results.sections(node),
      this.#names(node),
      this.#linked(node, "Builds on", "from", "to"),
      this.#linked(node, "Built upon by", "to", "from"),
      this.#listed(node, "References in this graph", "from", "to"),
      this.#listed(node, "Cited by", "to", "from"),
    ];
  }

  /** @param {number} node */
  kind(node) {
    return [this.graph.typeLabel(node), this.graph.dateOf(node), this.graph.paper(node, "venue")]
      .filter(Boolean)
      .join(" · ");
  }

  /** @param {number} node */
  facts(node) {
    const { graph } = this;
    const authors = graph.paper(node, "authors").join(", ");
    return [
      authors ? element("p.quiet", authors) : null,
      this.#addresses(node),
      graph.isStub(node) ? element("p.quiet", UNREAD) : null,
    ];
  }

  /** Return links to the paper itself, or to a search for it. @param {number} node */
  #addresses(node) {
    const links = linksOut(this.graph, node);
    /** @param {[string, string]} link */
    const anchor = ([text, href]) => element("a", { href, target: "_blank", rel: "noopener noreferrer" }, text);
    return links.length ? element("p", intersperse(links.map(anchor), " · ")) : null;
  }

  /**
   * Return the abstract with each mention linked to its entity; it is filled in once the text is unpacked.
   * @param {number} node
   */
  #abstract(node) {
    const container = element("div.abstract");
    this.graph.text(node).then((text) => {
      if (text?.abstract) container.append(element("p", this.#linkedNames(this.graph.label[node], text)));
    });
    return container;
  }

  /** @param {string} title @param {PaperText} text */
  #linkedNames(title, { abstract, mentions }) {
    const points = Array.from(`${title}\n${abstract}`);
    /** @param {number} from @param {number} [to] */
    const cut = (from, to) => points.slice(from, to).join("");
    const parts = [];
    let at = points.length - Array.from(abstract).length;
    for (const [entity, start, end] of mentions) {
      if (start < at || this.graph.hidden[entity]) continue;
      parts.push(cut(at, start), this.actions.link(entity, cut(start, end)));
      at = end;
    }
    return [...parts, cut(at)];
  }

  /** @param {number} node */
  #names(node) {
    const { roles, relations } = this.graph;
    return byRole(this.graph, node).map(([role, claims]) => {
      const rows = longList(claims, (i) => this.evidence.relationRow(relations.to[i], i));
      return section(capitalised(roles[role].label), claims.length, rows, roleIcon(role));
    });
  }

  /**
   * Return the references of the paper, or the papers that cite it: they come from lists and have no evidence.
   * @param {number} node
   * @param {string} title
   * @param {"from" | "to"} here
   * @param {"from" | "to"} there
   */
  #listed(node, title, here, there) {
    const { citations, citationsOf } = this.graph;
    const mine = Array.from(citationsOf.of(node)).filter((i) => citations[here][i] === node);
    /** @param {number} i */
    const row = (i) => element("li", this.actions.link(citations[there][i]));
    return mine.length ? section(title, mine.length, longList(mine, row)) : null;
  }

  /**
   * Return the links in which the paper is at one end, each with the paper at the other end.
   * @param {number} node
   * @param {string} title
   * @param {"from" | "to"} here
   * @param {"from" | "to"} there
   */
  #linked(node, title, here, there) {
    const { links, linksOf, kinds, label } = this.graph;
    const mine = Array.from(linksOf.of(node)).filter((i) => links[here][i] === node);
    /** @param {number} i */
    const row = (i) => {
      const mark = links.tentative[i] ? " (tentative)" : "";
      const [verb, through] = [kinds[links.label[i]].label, `: ${label[links.via[i]]}${mark}`];
      /** @param {string} text */
      const quiet = (text) => element("span.quiet", text);
      const other = this.actions.link(links[there][i]);
      const citing = [quiet(`${verb} `), other, quiet(through)];
      const cited = [other, quiet(` ${verb} this paper${through}`)];
      const subject = /** @type {Subject} */ ({ kind: "link", claim: i });
      return this.evidence.row(here === "from" ? citing : cited, links.from[i], links.evidence[i], subject);
    };
    const papers = new Set(mine.map((i) => links[there][i]));
    return mine.length ? section(title, papers.size, longList(mine, row)) : null;
  }
}

/** @param {string} link */
function isWeb(link) {
  return /^https?:\/\//i.test(link);
}

/** Return a short text that distinguishes a link: the host and the last part of the path. @param {string} link */
function hostAndEnd(link) {
  const [host, ...path] = link
    .replace(/^https?:\/\/(www\.)?/i, "")
    .split(/[?#]/)[0]
    .split("/")
    .filter(Boolean);
  return path.length ? `${host} … ${path[path.length - 1]}`.replace(/^(.{60}).+$/, "$1…") : (host ?? link);
}
