/* What the panel says of a paper: where it is, its abstract with the names in it, what it names, its links. */

const UNREAD = "Known only as the paper that introduced what others name.";

class PaperDetails {
  constructor(graph, proof, actions) {
    this.graph = graph;
    this.proof = proof;
    this.actions = actions;
  }

  /** The parts below the head. */
  parts(node) {
    return [
      this.#abstract(node),
      this.#names(node),
      this.#linked(node, "Builds on", "from", "to"),
      this.#linked(node, "Taken up by", "to", "from"),
      this.#listed(node, "References here", "from", "to"),
      this.#listed(node, "On the list of references of", "to", "from"),
    ];
  }

  kind(node) {
    return [PAPER, this.graph.paper(node, "date"), this.graph.paper(node, "venue")].filter(Boolean).join(" · ");
  }

  facts(node) {
    const { graph } = this;
    const authors = graph.paper(node, "authors").join(", ");
    return [
      authors ? element("p.quiet", authors) : null,
      this.#addresses(node),
      graph.isStub(node) ? element("p.quiet", UNREAD) : null,
    ];
  }

  /** Ways to the paper itself; only web addresses become links. */
  #addresses(node) {
    const [arxiv, doi, url] = ["arxiv", "doi", "url"].map((field) => this.graph.paper(node, field));
    const links = [];
    if (arxiv) links.push([`arXiv ${arxiv}`, `https://arxiv.org/abs/${encodeURIComponent(arxiv)}`]);
    if (doi) links.push([`DOI ${doi}`, `https://doi.org/${encodeURIComponent(doi).replaceAll("%2F", "/")}`]);
    if (isWeb(url)) links.push(["Source page", url]);
    for (const link of this.graph.paper(node, "links").filter(isWeb)) links.push([hostAndEnd(link), link]);
    const anchor = ([text, href]) => element("a", { href, target: "_blank", rel: "noopener noreferrer" }, text);
    return links.length ? element("p", between(links.map(anchor), " · ")) : null;
  }

  /** The abstract, each name in it a link to its thing; it arrives once the text is unpacked. */
  #abstract(node) {
    const place = element("div.abstract");
    this.graph.text(node).then((text) => {
      if (text?.abstract) place.append(element("p", this.#linkedNames(this.graph.label[node], text)));
    });
    return place;
  }

  #linkedNames(title, { abstract, mentions }) {
    const points = Array.from(`${title}\n${abstract}`);
    const cut = (from, to) => points.slice(from, to).join("");
    const parts = [];
    let at = points.length - Array.from(abstract).length;
    for (const [entity, start, end] of mentions) {
      if (start < at) continue;
      parts.push(cut(at, start), this.actions.link(entity, cut(start, end)));
      at = end;
    }
    return [...parts, cut(at)];
  }

  #names(node) {
    const { roles, relations } = this.graph;
    return byRole(this.graph, node).map(([role, claims]) => {
      const rows = longList(claims, (i) => this.proof.relationRow(relations.to[i], i));
      return section(capital(roles[role].label), claims.length, rows, roleSign(role));
    });
  }

  /** The papers that it shares a reference with at one end: read from lists, so they have no proof in a text. */
  #listed(node, title, here, there) {
    const { citations, citationsOf } = this.graph;
    const mine = Array.from(citationsOf.of(node)).filter((i) => citations[here][i] === node);
    const row = (i) => element("li", this.actions.link(citations[there][i]));
    return mine.length ? section(title, mine.length, longList(mine, row)) : null;
  }

  /** The links that leave the paper at one end, each with the paper at the other. */
  #linked(node, title, here, there) {
    const { links, linksOf, kinds, label } = this.graph;
    const mine = Array.from(linksOf.of(node)).filter((i) => links[here][i] === node);
    const row = (i) => {
      const [verb, through] = [kinds[links.label[i]].label, `: ${label[links.via[i]]}`];
      const quiet = (text) => element("span.quiet", text);
      const other = this.actions.link(links[there][i]);
      const citing = [quiet(`${verb} `), other, quiet(through)];
      const cited = [other, quiet(` ${verb} this paper${through}`)];
      return this.proof.row(here === "from" ? citing : cited, links.from[i], links.evidence[i]);
    };
    return mine.length ? section(title, mine.length, longList(mine, row)) : null;
  }
}

function isWeb(link) {
  return /^https?:\/\//i.test(link);
}

/** What tells one link from the others at a glance: the site, and the last part of the path. */
function hostAndEnd(link) {
  const [host, ...path] = link.replace(/^https?:\/\/(www\.)?/i, "").split(/[?#]/)[0].split("/").filter(Boolean);
  return path.length ? `${host} … ${path[path.length - 1]}`.replace(/^(.{60}).+$/, "$1…") : (host ?? link);
}
