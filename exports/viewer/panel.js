/* The panel: what a thing, a paper or an edge is, down to the sentences that prove it. */

const FIRST = 8; // rows of a list before "show all"
const ALIASES = 6;

class Panel {
  constructor(graph, state, actions) {
    this.graph = graph;
    this.state = state;
    this.actions = actions;
    this.place = document.getElementById("panel");
  }

  close() {
    this.place.hidden = true;
    this.place.replaceChildren();
  }

  #open(...parts) {
    const close = element("button", { type: "button", class: "close", "aria-label": "Close details", onclick: () => this.actions.close() }, "×");
    this.place.replaceChildren(close, ...parts.flat().filter(Boolean));
    this.place.hidden = false;
    this.place.scrollTop = 0;
  }

  node(node) {
    if (this.graph.isPaper(node)) this.#paper(node);
    else this.#entity(node);
  }

  /* Things */

  #entity(node) {
    const { graph } = this;
    const type = graph.types[graph.type[node]];
    this.#open(
      this.#head(node, [type.name, plural(graph.uses[node], "paper")].join(" · ")),
      this.#hidden(node),
      this.#aliases(node),
      this.#family(node),
      this.#doing(node),
      this.#timeline(node),
      this.#roles(node),
      this.#company(node),
    );
  }

  #head(node, kind) {
    return element("header", {},
      element("p", { class: "kind" }, typeSign(this.graph.type[node], this.graph.types.length), kind),
      element("h2", {}, this.graph.label[node]));
  }

  /** Says so where the drawing leaves the node out, with the way to have it in. */
  #hidden(node) {
    if (this.actions.drawn(node)) return null;
    return element("p", { class: "notice" }, "Not in the drawing as it is. ",
      element("button", { type: "button", onclick: () => this.actions.reveal(node) }, "Show it"));
  }

  #aliases(node) {
    const spellings = new Map([[folded(this.graph.label[node]), ""]]);
    for (const alias of this.graph.entities.aliases[node]) {
      if (!spellings.has(folded(alias))) spellings.set(folded(alias), alias);
    }
    const names = [...spellings.values()].filter(Boolean).sort((a, b) => a.length - b.length);
    if (!names.length) return null;
    const rest = names.slice(ALIASES);
    return element("p", { class: "quiet", title: rest.join(", ") }, `Also ${names.slice(0, ALIASES).join(", ")}${rest.length ? ` and ${rest.length} more` : ""}`);
  }

  #family(node) {
    const line = (start, others) => (others.length ? element("p", {}, start, ...between(others.map((other) => this.#link(other)), ", ")) : null);
    return [line("A kind of ", this.graph.widerOf(node)), line("Variants: ", this.graph.variantsOf(node))];
  }

  #doing(node) {
    const button = (label, act) => element("button", { type: "button", onclick: act }, label);
    return element("div", { class: "doing" },
      button("Focus", () => this.actions.focus(node)),
      button("Path to…", () => this.actions.pathFrom(node)),
      button("Centre", () => this.actions.centre(node)),
      this.#allProof(),
      this.actions.whole() ? null : button("Expand", () => this.actions.expand(node)));
  }

  /** Opens every proof in the panel, or folds them all. */
  #allProof() {
    const open = this.state.get("proof") === "1";
    return element("button", { type: "button", "aria-pressed": open, onclick: () => this.state.set({ proof: open ? "" : "1" }, false) }, "All proof");
  }

  /** Papers a year, as bars, where at least two years are known. */
  #timeline(node) {
    const { graph } = this;
    const years = new Map();
    for (const paper of graph.namers(node)) {
      const year = graph.yearOf(paper);
      if (year) years.set(year, (years.get(year) ?? 0) + 1);
    }
    if (years.size < 2) return null;
    const [first, last] = [Math.min(...years.keys()), Math.max(...years.keys())];
    const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    return section("Papers by year", null, timeline(all, years, graph.type[node]));
  }

  /** The papers by what they do with the thing, each with its proof folded away. */
  #roles(node) {
    const { graph } = this;
    const groups = graph.roles.map(() => []);
    for (const i of graph.relationsOf.of(node)) groups[graph.relations.label[i]].push(i);
    return graph.roles.map((role, at) => {
      if (!groups[at].length) return null;
      const newest = groups[at].sort((a, b) => this.#dateOf(b).localeCompare(this.#dateOf(a)) || a - b);
      return section(saidOfMany(role.label), groups[at].length, this.#list(newest, (i) => this.#claim(graph.relations.from[i], i)), roleSign(at));
    });
  }

  #dateOf(relation) {
    return this.graph.paper(this.graph.relations.from[relation], "date");
  }

  /** The things that the same papers name, most often shared first. */
  #company(node) {
    const { graph } = this;
    const together = new Map();
    for (const paper of graph.namers(node)) {
      for (const other of graph.namers(paper)) {
        if (other !== node) together.set(other, (together.get(other) ?? 0) + 1);
      }
    }
    if (!together.size) return null;
    const most = [...together].sort((a, b) => b[1] - a[1] || graph.uses[b[0]] - graph.uses[a[0]] || a[0] - b[0]);
    const row = ([other, papers]) => element("li", {}, this.#link(other),
      element("button", { type: "button", class: "count", title: "The papers that name both", onclick: () => this.actions.edge(node, other) }, plural(papers, "paper")));
    return section("Named together with", most.length, this.#list(most, row));
  }

  /* Papers */

  #paper(node) {
    const { graph } = this;
    const place = element("div", { class: "abstract" });
    this.#open(
      this.#head(node, ["Paper", graph.paper(node, "date"), graph.paper(node, "venue")].filter(Boolean).join(" · ")),
      graph.paper(node, "authors").length ? element("p", { class: "quiet" }, graph.paper(node, "authors").join(", ")) : null,
      this.#hidden(node),
      this.#addresses(node),
      this.#doing(node),
      graph.paper(node, "stub") ? element("p", { class: "quiet" }, "Known only as the paper that introduced what others name.") : null,
      place,
      this.#names(node),
      this.#linked(node, "Builds on", "from", "to"),
      this.#linked(node, "Taken up by", "to", "from"),
    );
    this.#abstract(node, place);
  }

  /** Ways to the paper itself; only web addresses become links. */
  #addresses(node) {
    const { graph } = this;
    const arxiv = graph.paper(node, "arxiv");
    const links = [];
    if (arxiv) links.push([`arXiv ${arxiv}`, `https://arxiv.org/abs/${encodeURIComponent(arxiv)}`]);
    if (/^https?:\/\//i.test(graph.paper(node, "url"))) links.push(["Source page", graph.paper(node, "url")]);
    if (!links.length) return null;
    const anchors = links.map(([text, href]) => element("a", { href, target: "_blank", rel: "noopener noreferrer" }, text));
    return element("p", {}, between(anchors, " · "));
  }

  /** The abstract, with each name in it a link to its thing. */
  async #abstract(node, place) {
    const text = await this.graph.text(node);
    if (!text?.abstract) return;
    const points = Array.from(`${this.graph.label[node]}\n${text.abstract}`);
    const parts = [];
    let at = points.length - Array.from(text.abstract).length;
    for (const [entity, start, end] of text.mentions) {
      if (start < at) continue;
      parts.push(points.slice(at, start).join(""), this.#link(entity, points.slice(start, end).join("")));
      at = end;
    }
    place.append(element("p", {}, parts, points.slice(at).join("")));
  }

  #names(node) {
    const { graph } = this;
    const groups = graph.roles.map(() => []);
    for (const i of graph.relationsOf.of(node)) groups[graph.relations.label[i]].push(i);
    return graph.roles.map((role, at) => groups[at].length
      ? section(capital(role.label), groups[at].length, this.#list(groups[at], (i) => this.#claim(graph.relations.to[i], i)), roleSign(at))
      : null);
  }

  #linked(node, title, here, there) {
    const { graph } = this;
    const links = Array.from(graph.linksOf.of(node)).filter((i) => graph.links[here][i] === node);
    const how = (i) => element("span", { class: "quiet" }, ` ${graph.kinds[graph.links.label[i]].label}: ${graph.label[graph.links.via[i]]}`);
    const row = (i) => this.#provable([this.#link(graph.links[there][i]), how(i)], graph.links.from[i], graph.links.evidence[i]);
    return links.length ? section(title, links.length, this.#list(links, row)) : null;
  }

  /* Edges */

  /** Everything that stands between two nodes, with its proof open. */
  edge(a, b) {
    const { graph } = this;
    const { relations, links } = graph.between(a, b);
    const kin = this.#kinship(a, b);
    this.#open(
      element("header", {}, element("p", { class: "kind" }, "Connection"),
        element("h2", { class: "pair" }, this.#link(a), element("span", { class: "quiet" }, " and "), this.#link(b))),
      kin,
      relations.map((i) => this.#statement(i)),
      links.map((i) => this.#linkStatement(i)),
      graph.isPaper(a) || graph.isPaper(b) ? null : this.#sharedPapers(a, b));
  }

  /** Says which of two things is a variant of the other, if one is. */
  #kinship(a, b) {
    const [narrow, wide] = this.graph.widerOf(a).includes(b) ? [a, b] : [b, a];
    if (!this.graph.widerOf(narrow).includes(wide)) return null;
    return element("p", {}, this.#link(narrow), " ", element("b", {}, "is a kind of"), " ", this.#link(wide));
  }

  #statement(i) {
    const { from, to, label, sure, evidence } = this.graph.relations;
    return element("section", { class: "statement" },
      element("p", {}, this.#link(from[i]), " ", element("b", {}, this.graph.roles[label[i]].label), " ", this.#link(to[i]), confidence(sure[i])),
      this.#proofOf(from[i], evidence[i]));
  }

  #linkStatement(i) {
    const { graph } = this;
    const { from, to, via, label, sure, evidence } = graph.links;
    const first = Array.from(graph.relationsOf.of(to[i])).filter((r) => graph.relations.to[r] === via[i] && graph.relations.label[r] === 0);
    return element("section", { class: "statement" },
      element("p", {}, this.#link(from[i]), " ", element("b", {}, graph.kinds[label[i]].label), " ", this.#link(to[i]), ", through ", this.#link(via[i]), confidence(sure[i])),
      this.#proofOf(from[i], evidence[i]),
      first.map((r) => this.#statement(r)));
  }

  #sharedPapers(a, b) {
    const { graph } = this;
    const rows = graph.shared(a, b).map((paper) => {
      const claims = [a, b].flatMap((thing) => graph.between(paper, thing).relations);
      return element("section", { class: "statement" }, element("p", {}, this.#link(paper)),
        claims.map((i) => element("div", {}, element("p", { class: "quiet" }, graph.roles[graph.relations.label[i]].label, " ", this.#link(graph.relations.to[i]), confidence(graph.relations.sure[i])),
          this.#proofOf(paper, graph.relations.evidence[i]))));
    });
    return rows.length ? [element("p", { class: "quiet" }, `${plural(rows.length, "paper names", "papers name")} both.`), ...rows] : [];
  }

  /* A way through the graph */

  path(way, from, to) {
    if (!way.length) {
      return this.#open(element("header", {}, element("p", { class: "kind" }, "Path"),
        element("h2", { class: "pair" }, this.#link(from), element("span", { class: "quiet" }, " to "), this.#link(to))),
      element("p", {}, "Nothing that is shown joins these two. Widen the filters, or look at another view."));
    }
    const hops = way.slice(1).map((node, i) => this.#hop(way[i], node));
    return this.#open(
      element("header", {}, element("p", { class: "kind" }, `Path · ${plural(hops.length, "step")}`),
        element("h2", { class: "pair" }, this.#link(from), element("span", { class: "quiet" }, " to "), this.#link(to))),
      element("ol", { class: "way" }, hops));
  }

  #hop(a, b) {
    const { relations, links } = this.graph.between(a, b);
    return element("li", {}, relations.length ? this.#statement(relations[0])
      : links.length ? this.#linkStatement(links[0])
        : this.#kinship(a, b) ?? [element("p", {}, this.#link(a), " and ", this.#link(b)), ...this.#sharedPapers(a, b).slice(0, 2)]);
  }

  /* Parts */

  /** One row of a list: the other end of a relation, with its proof folded away. */
  #claim(other, i) {
    const { from, sure, evidence } = this.graph.relations;
    const year = this.graph.isPaper(other) ? this.graph.paper(other, "date").slice(0, 4) : "";
    return this.#provable([this.#link(other), element("span", { class: "quiet" }, year ? ` ${year}` : "", confidence(sure[i]))], from[i], evidence[i]);
  }

  /** A row whose proof unfolds on request, or stands open where the reader wants all of it. */
  #provable(content, paper, evidence) {
    const place = element("div", { class: "proof" });
    const fold = (open) => {
      button.setAttribute("aria-expanded", open);
      place.replaceChildren(...(open ? [this.#proofOf(paper, evidence)] : []));
    };
    const button = element("button", {
      type: "button", class: "unfold", "aria-label": "The sentences that prove it", onclick: () => fold(button.getAttribute("aria-expanded") === "false"),
    });
    fold(this.state.get("proof") === "1");
    return element("li", {}, button, ...content, place);
  }

  /** The sentences that prove a claim; they arrive once the paper's text is unpacked. */
  #proofOf(paper, evidence) {
    const place = element("div", { class: "sentences" });
    this.graph.sentences(paper, evidence).then((sentences) => {
      place.append(...sentences.map(([before, mention, after]) => element("blockquote", {}, before, element("mark", {}, mention), after)));
      if (!sentences.length) place.append(element("p", { class: "quiet" }, "This page was made without the papers' texts."));
    });
    return place;
  }

  #link(node, text = this.graph.label[node]) {
    return this.actions.link(node, text);
  }

  /** A list that shows its first rows and the rest on request. */
  #list(items, row) {
    const list = element("ul", {}, items.slice(0, FIRST).map(row));
    if (items.length <= FIRST) return list;
    const all = element("button", { type: "button", class: "more", onclick: () => {
      list.append(...items.slice(FIRST).map(row));
      all.remove();
    } }, `Show all ${items.length}`);
    return [list, all];
  }
}

function section(title, count, content, sign = null) {
  return element("section", {}, element("h3", {}, sign, title, count === null ? null : element("span", { class: "count" }, String(count))), content);
}

/** Bars of papers a year, with the first and the last year below. */
function timeline(years, counts, type) {
  const most = Math.max(...counts.values());
  const words = years.filter((year) => counts.has(year)).map((year) => `${year}: ${counts.get(year)}`).join(", ");
  const chart = document.createElementNS(SVG, "svg");
  chart.setAttribute("viewBox", `0 0 ${years.length * 10} 40`);
  chart.setAttribute("preserveAspectRatio", "none");
  chart.setAttribute("class", `timeline type-${type % 8}`);
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", `Papers by year: ${words}`);
  years.forEach((year, i) => {
    const bar = document.createElementNS(SVG, "rect");
    const height = (38 * (counts.get(year) ?? 0)) / most;
    for (const [name, value] of Object.entries({ x: i * 10 + 1, y: 40 - height, width: 8, height })) bar.setAttribute(name, value);
    chart.append(bar);
  });
  return [chart, element("p", { class: "years-below quiet", "aria-hidden": "true" }, element("span", {}, String(years[0])), element("span", {}, String(years.at(-1))))];
}

function confidence(percent) {
  return element("span", { class: "confidence", title: "Confidence" }, ` ${percent} %`);
}

/** A heading over papers for a role such as "evaluates on": "Papers that evaluate on it". */
function saidOfMany(label) {
  const [verb, ...rest] = label.split(" ");
  return ["Papers that", verb.replace(/s$/, ""), ...rest, "it"].join(" ");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function between(items, separator) {
  return items.flatMap((item, i) => (i ? [separator, item] : [item]));
}
