/* The graph in the page: typed arrays over node numbers, entities first, then papers. */

const PAPER = "Paper"; // what papers are called where types are listed
const STUB = "Paper not at hand"; // and those that are only known to have introduced something
const TOGETHER = 254; // the label of an edge between things that one paper names
const VARIANT = 255; // the label of an edge from a variant to the wider thing
const KNOWN = "known"; // introductions that come from a list and not from a text, where edges are listed
const REFERENCE = 253; // the label of an edge to a paper on the list of references

/** Turn deflated Base64 back into the value it was made from. */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** The JSON that stands in the page under this id. */
function embedded(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** For each node the numbers of the edges that touch it, as slices of one array. */
class Incidence {
  constructor(size, ...ends) {
    this.start = new Int32Array(size + 1);
    for (const end of ends) for (const node of end) this.start[node + 1]++;
    for (let i = 0; i < size; i++) this.start[i + 1] += this.start[i];
    const next = this.start.slice(0, size);
    this.items = new Int32Array(this.start[size]);
    for (const end of ends) end.forEach((node, edge) => (this.items[next[node]++] = edge));
  }

  of(node) {
    return this.items.subarray(this.start[node], this.start[node + 1]);
  }
}

class Graph {
  constructor(about, columns, texts) {
    const { entities, papers, relations, links, families, citations } = columns;
    this.about = about;
    this.types = about.types;
    this.roles = about.roles;
    this.kinds = about.links;
    this.blocks = texts;
    this.opened = new Map();
    this.entityCount = entities.key.length;
    this.size = this.entityCount + papers.key.length;
    this.key = entities.key.concat(papers.key);
    this.label = entities.label.concat(papers.label);
    this.x = Float32Array.from(entities.x.concat(papers.x));
    this.y = Float32Array.from(entities.y.concat(papers.y));
    this.entities = entities;
    this.papers = papers;
    this.type = this.#types(entities.type);
    this.year = Int16Array.from(papers.date, (date) => parseInt(date, 10) || 0);
    this.relations = this.#edges(relations, relations.role, relations.to);
    this.relations.known = Uint8Array.from(relations.known);
    this.links = this.#edges(links, links.kind, links.entity);
    this.relationsOf = new Incidence(this.size, this.relations.from, this.relations.to);
    this.linksOf = new Incidence(this.size, this.links.from, this.links.to);
    this.families = {
      from: Int32Array.from(families.from),
      to: Int32Array.from(families.to),
      count: families.from.length,
    };
    this.familiesOf = new Incidence(this.size, this.families.from, this.families.to);
    this.citations = {
      count: citations.from.length,
      from: Int32Array.from(citations.from),
      to: Int32Array.from(citations.to),
      label: new Uint8Array(citations.from.length).fill(REFERENCE),
    };
    this.citationsOf = new Incidence(this.size, this.citations.from, this.citations.to);
    this.uses = this.#uses();
  }

  #types(names) {
    const numbers = new Map(this.types.map((type, i) => [type.name, i]));
    const all = Uint8Array.from({ length: this.size }, (_, node) => this.types.length + this.isStub(node));
    names.forEach((name, i) => (all[i] = numbers.get(name)));
    return all;
  }

  #edges(columns, label, via) {
    return {
      count: columns.from.length,
      from: Int32Array.from(columns.from),
      to: Int32Array.from(columns.to),
      label: Uint8Array.from(label),
      via: Int32Array.from(via),
      sure: Uint8Array.from(columns.confidence),
      evidence: columns.evidence,
      known: columns.known, // of relations: whether no text says so
    };
  }

  /** The wider things that a thing is a variant of: none or one. */
  widerOf(node) {
    return Array.from(this.familiesOf.of(node))
      .filter((i) => this.families.from[i] === node)
      .map((i) => this.families.to[i]);
  }

  variantsOf(node) {
    return Array.from(this.familiesOf.of(node))
      .filter((i) => this.families.to[i] === node)
      .map((i) => this.families.from[i]);
  }

  /** How many papers that were read name an entity; how many things a paper names. */
  #uses() {
    const uses = new Int32Array(this.size);
    const { from, to, known, count } = this.relations;
    const last = new Int32Array(this.size).fill(-1);
    for (let i = 0; i < count; i++) {
      if (last[to[i]] !== from[i]) {
        if (!known[i]) uses[to[i]]++;
        uses[from[i]]++;
      }
      last[to[i]] = from[i];
    }
    return uses;
  }

  isPaper(node) {
    return node >= this.entityCount;
  }

  /** Whether a paper was not read and is only known to have introduced something. */
  isStub(node) {
    return this.isPaper(node) && this.papers.stub[node - this.entityCount] === 1;
  }

  /** The year of a paper, 0 where the source gives none. */
  yearOf(paper) {
    return this.year[paper - this.entityCount];
  }

  paper(node, field) {
    return this.papers[field][node - this.entityCount];
  }

  /** How many papers use an entity, or what a paper introduced, in their own work: neither compare nor mention. */
  influence(node) {
    this.users ??= this.#users();
    return this.users[node];
  }

  #users() {
    const counts = new Int32Array(this.size);
    const seen = new Set();
    for (const [edges, labels] of [[this.relations, this.roles], [this.links, this.kinds]]) {
      for (let i = 0; i < edges.count; i++) {
        const pair = edges.to[i] * this.size + edges.from[i];
        if (!labels[edges.label[i]].use || seen.has(pair)) continue;
        counts[edges.to[i]]++;
        seen.add(pair);
      }
    }
    return counts;
  }

  /** The year of a paper, or of the first dated paper that names a thing; 0 where none is known. */
  firstYear(node) {
    if (this.isPaper(node)) return this.yearOf(node);
    let first = 0;
    for (const i of this.relationsOf.of(node)) {
      const year = this.yearOf(this.relations.from[i]);
      if (year && (!first || year < first)) first = year;
    }
    return first;
  }

  /** The node of that name in the address and in RDF, or -1. */
  find(key) {
    if (!key) return -1;
    this.numbers ??= new Map(this.key.map((name, node) => [name, node]));
    return this.numbers.get(key) ?? -1;
  }

  typeName(node) {
    return this.types[this.type[node]]?.name ?? (this.isStub(node) ? STUB : PAPER);
  }

  /** What the node is called in a sentence: the label of its type. */
  typeLabel(node) {
    return capital(this.types[this.type[node]]?.label || this.typeName(node));
  }

  /** What a long name is known by: an alias made of its initials, as GRPO; of a title what stands before the colon. */
  short(node) {
    if (this.isPaper(node)) return /^(.{2,30}?): /u.exec(this.label[node])?.[1] ?? "";
    const initials = this.label[node]
      .split(/[\s-]+/)
      .map((word) => word.charAt(0))
      .join("")
      .toLowerCase();
    return (
      this.entities.aliases[node].find(
        (alias) => alias.length > 1 && alias.length < 9 && within(alias.toLowerCase(), initials),
      ) ?? ""
    );
  }

  /** The papers at hand that name a thing, or the things that such a paper names, each once. */
  namers(node) {
    const { from, to, known } = this.relations;
    const other = this.isPaper(node) ? to : from;
    const said = Array.from(this.relationsOf.of(node)).filter((i) => !known[i]);
    return new Set(said.map((i) => other[i]));
  }

  /** Abstract and mentions of a paper; null where the page was made without them. */
  async text(paper) {
    const at = paper - this.entityCount;
    const block = Math.floor(at / this.about.block);
    if (block >= this.blocks.length) return null;
    if (!this.opened.has(block)) this.opened.set(block, unpack(this.blocks[block]));
    return (await this.opened.get(block))[at % this.about.block];
  }

  /** The sentences that prove a claim of this paper, each cut at its mentions: every second part is one. */
  async sentences(paper, evidence) {
    const text = await this.text(paper);
    if (!text) return [];
    const points = Array.from(`${this.label[paper]}\n${text.abstract}`);
    const cut = (from, to) => points.slice(from, to).join("");
    const sentences = new Map();
    for (const [, start, end, begin, stop] of evidence.map((i) => text.mentions[i]).sort((a, b) => a[1] - b[1])) {
      const sentence = sentences.get(begin) ?? { parts: [], at: begin, stop };
      if (start < sentence.at) continue;
      sentence.parts.push(cut(sentence.at, start), cut(start, end));
      sentences.set(begin, { ...sentence, at: end });
    }
    return Array.from(sentences.values(), ({ parts, at, stop }) => [...parts, cut(at, stop)]);
  }

  /** The relations, the links and the references that stand between two nodes, in either direction. */
  between(a, b) {
    const joins = (set) => (i) => (set.from[i] === a && set.to[i] === b) || (set.from[i] === b && set.to[i] === a);
    return {
      relations: Array.from(this.relationsOf.of(a)).filter(joins(this.relations)),
      links: Array.from(this.linksOf.of(a)).filter(joins(this.links)),
      citations: Array.from(this.citationsOf.of(a)).filter(joins(this.citations)),
    };
  }

  /** The papers that name both things. */
  shared(a, b) {
    const first = this.namers(a);
    return [...this.namers(b)].filter((paper) => first.has(paper));
  }
}

/** Whether letters stand in a text in this order, from its first one on, others between them or not. */
function within(letters, text) {
  if (letters.charAt(0) !== text.charAt(0)) return false;
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (!at) return false;
  }
  return true;
}
