/* The graph as typed arrays over node numbers: entities first, then papers. */

const PAPER = "Paper"; // the type name of papers
const STUB = "StubPaper"; // the type name of papers outside the corpus, known only for what they introduced
const STUB_LABEL = "Cited paper outside this corpus";
const CO_MENTION = 254; // the label of an edge between entities that one paper mentions
const VARIANT = 255; // the label of an edge from a variant to the broader entity
const KNOWN = "known"; // the filter name of introductions from a curated list rather than from a text
const REFERENCE = 253; // the label of an edge to a paper in a reference list

/** Return the JSON that is embedded in the page under an id. @param {string} id */
function embedded(id) {
  return JSON.parse(byId(id).textContent);
}

/** For each node the numbers of its edges, as slices of one array (compressed sparse rows). */
class Incidence {
  /** @param {number} size @param {...Int32Array} ends */
  constructor(size, ...ends) {
    this.start = new Int32Array(size + 1);
    for (const end of ends) end.forEach((node) => this.start[node + 1]++);
    for (let i = 0; i < size; i++) this.start[i + 1] += this.start[i];
    const next = this.start.slice(0, size);
    this.items = new Int32Array(this.start[size]);
    for (const end of ends) end.forEach((node, edge) => (this.items[next[node]++] = edge));
  }

  /** @param {number} node */
  of(node) {
    return this.items.subarray(this.start[node], this.start[node + 1]);
  }
}

class Graph {
  /** @type {Details | undefined} */
  #details;

  /**
   * `readDetails` returns the columns that the drawing does not need; they are read on first use.
   * @param {About} about
   * @param {Columns} columns
   * @param {string[]} texts
   * @param {() => Details} readDetails
   */
  constructor(about, columns, texts, readDetails) {
    const { entities, papers, relations, links, families, citations, results, measures, topics } = columns;
    this.about = about;
    this.types = about.types;
    this.roles = about.roles;
    this.kinds = about.links;
    this.blocks = texts;
    this.readDetails = readDetails;
    /** @type {Map<number, Promise<PaperText[]>>} */
    this.unpacked = new Map();
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
    this.columns = { relations, links };
    this.additions = columns.additions ?? null;
    this.topics = new Topics(topics, this.size);
    this.results = new Results(results, measures);
    this.tentativeCounts = {
      relations: countOfOnes(relations.tentative),
      links: countOfOnes(links.tentative),
      results: countOfOnes(results.tentative),
    };
    this.families = {
      from: Int32Array.from(families.from),
      to: Int32Array.from(families.to),
      count: families.from.length,
    };
    this.citations = {
      count: citations.from.length,
      from: Int32Array.from(citations.from),
      to: Int32Array.from(citations.to),
      label: new Uint8Array(citations.from.length).fill(REFERENCE),
    };
    /** @type {Incidence | undefined} */
    this.familyIncidence = undefined;
    /** @type {Incidence | undefined} */
    this.citationIncidence = undefined;
    /** @type {Map<string, number> | undefined} */
    this.nodesByKey = undefined;
    this.claims = this.#claims(false);
    /** @type {Int32Array | undefined} */
    this.influenceCounts = undefined;
  }

  /** The columns that the drawing does not need: names for search, facts about papers, evidence. */
  get details() {
    this.#details ??= this.readDetails();
    return this.#details;
  }

  /** The families of each entity. */
  get familiesOf() {
    this.familyIncidence ??= new Incidence(this.size, this.families.from, this.families.to);
    return this.familyIncidence;
  }

  /** The entries of reference lists by paper. */
  get citationsOf() {
    this.citationIncidence ??= new Incidence(this.size, this.citations.from, this.citations.to);
    return this.citationIncidence;
  }

  /** Include the tentative claims, or leave them out with the nodes that only they name. @param {boolean} on */
  showTentative(on) {
    if (on === this.results.withTentative) return;
    this.claims = this.#claims(on);
    this.results.withTentative = on;
    this.influenceCounts = undefined;
  }

  /** Return the relations and links with or without the tentative ones, and what follows from them. @param {boolean} on */
  #claims(on) {
    const { relations: used, links: linked } = this.columns;
    const relations = new ClaimSet(used, used.role, used.to, used.known, on, () => this.details.relations.evidence);
    const links = new ClaimSet(linked, linked.kind, linked.entity, [], on, () => this.details.links.evidence);
    const tentative = this.entities.tentative.concat(this.papers.tentative);
    return {
      relations,
      links,
      hidden: on ? new Uint8Array(this.size) : Uint8Array.from(tentative),
      mentionCounts: this.#countMentions(relations),
    };
  }

  get relations() {
    return this.claims.relations;
  }

  get links() {
    return this.claims.links;
  }

  /** The relations of each node. */
  get relationsOf() {
    return this.relations.incidence(this.size);
  }

  /** The links of each paper. */
  get linksOf() {
    return this.links.incidence(this.size);
  }

  /** The mask of the nodes that only tentative claims name, while these are left out. */
  get hidden() {
    return this.claims.hidden;
  }

  /** The number of corpus papers that mention each entity, and of entities that each paper mentions. */
  get mentionCounts() {
    return this.claims.mentionCounts;
  }

  /** @param {string[]} names */
  #types(names) {
    const numbers = new Map(this.types.map((type, i) => [type.name, i]));
    const all = new Uint8Array(this.size).map((_zero, node) => this.types.length + Number(this.isStub(node)));
    names.forEach((name, i) => (all[i] = numbers.get(name) ?? 0));
    return all;
  }

  /** Return the broader entity of a variant: an array of none or one. @param {number} node */
  broaderOf(node) {
    return Array.from(this.familiesOf.of(node))
      .filter((i) => this.families.from[i] === node && !this.hidden[this.families.to[i]])
      .map((i) => this.families.to[i]);
  }

  /** @param {number} node */
  variantsOf(node) {
    return Array.from(this.familiesOf.of(node))
      .filter((i) => this.families.to[i] === node && !this.hidden[this.families.from[i]])
      .map((i) => this.families.from[i]);
  }

  /** @param {ClaimSet} relations */
  #countMentions({ from, to, known, count }) {
    const mentionCounts = new Int32Array(this.size);
    const last = new Int32Array(this.size).fill(-1);
    for (let i = 0; i < count; i++) {
      if (last[to[i]] !== from[i]) {
        if (!known[i]) mentionCounts[to[i]]++;
        mentionCounts[from[i]]++;
      }
      last[to[i]] = from[i];
    }
    return mentionCounts;
  }

  /** @param {number} node */
  isPaper(node) {
    return node >= this.entityCount;
  }

  /** Whether a paper is outside the corpus and known only for what it introduced. @param {number} node */
  isStub(node) {
    return this.isPaper(node) && this.papers.stub[node - this.entityCount] === 1;
  }

  /** Return the year of a paper, 0 if unknown. @param {number} paper */
  yearOf(paper) {
    return this.year[paper - this.entityCount];
  }

  /** Return the date of a paper, "" if unknown. @param {number} paper */
  dateOf(paper) {
    return this.papers.date[paper - this.entityCount];
  }

  /**
   * @template {keyof PaperFacts} Field
   * @param {number} node
   * @param {Field} field
   * @returns {PaperFacts[Field][number]}
   */
  paper(node, field) {
    return this.details.papers[field][node - this.entityCount];
  }

  /**
   * Return how many papers use an entity, or what a paper introduced, in their own work: not compare or mention.
   * @param {number} node
   */
  influence(node) {
    this.influenceCounts ??= this.#countInfluence();
    return this.influenceCounts[node];
  }

  #countInfluence() {
    const counts = new Int32Array(this.size);
    const seen = new Set();
    const uses = [
      { edges: this.relations, labels: this.roles },
      { edges: this.links, labels: this.kinds },
    ];
    for (const { edges, labels } of uses) {
      for (let i = 0; i < edges.count; i++) {
        const pair = edges.to[i] * this.size + edges.from[i];
        if (!labels[edges.label[i]].use || seen.has(pair)) continue;
        counts[edges.to[i]]++;
        seen.add(pair);
      }
    }
    return counts;
  }

  /**
   * Return the year of a paper, or of the first dated paper that mentions an entity; 0 if unknown.
   * @param {number} node
   */
  firstYear(node) {
    if (this.isPaper(node)) return this.yearOf(node);
    let first = 0;
    for (const i of this.relationsOf.of(node)) {
      const year = this.yearOf(this.relations.from[i]);
      if (year && (!first || year < first)) first = year;
    }
    return first;
  }

  /**
   * Return the node with a key, which is its name in the address and in RDF, or -1 if there is none or it is hidden.
   * @param {string} key
   */
  find(key) {
    if (!key) return -1;
    this.nodesByKey ??= new Map(this.key.map((name, node) => [name, node]));
    const node = this.nodesByKey.get(key) ?? -1;
    return this.hidden[node] ? -1 : node;
  }

  /** @param {number} node */
  typeName(node) {
    return this.types[this.type[node]]?.name ?? (this.isStub(node) ? STUB : PAPER);
  }

  /** Return the label of the type of a node. @param {number} node */
  typeLabel(node) {
    return this.isStub(node) ? STUB_LABEL : capitalised(this.types[this.type[node]]?.label || this.typeName(node));
  }

  /**
   * Return a short name or "": an acronym among the aliases, such as GRPO; of a title the part before the colon.
   * @param {number} node
   */
  shortName(node) {
    if (this.isPaper(node)) return /^(.{2,30}?): /u.exec(this.label[node])?.[1] ?? "";
    const initials = this.label[node]
      .split(/[\s-]+/)
      .map((word) => word.charAt(0))
      .join("")
      .toLowerCase();
    return (
      this.entities.aliases[node].find(
        (alias) => alias.length > 1 && alias.length < 9 && isSubsequence(alias.toLowerCase(), initials),
      ) ?? ""
    );
  }

  /**
   * Return the corpus papers that mention an entity, or the entities that a corpus paper mentions.
   * @param {number} node
   */
  mentionPartners(node) {
    const { from, to, known } = this.relations;
    const other = this.isPaper(node) ? to : from;
    const inCorpus = Array.from(this.relationsOf.of(node)).filter((i) => !known[i]);
    return new Set(inCorpus.map((i) => other[i]));
  }

  /**
   * Return the abstract and the mentions of a paper; null if the page was written without texts.
   * @param {number} paper
   * @returns {Promise<PaperText | null>}
   */
  async text(paper) {
    const at = paper - this.entityCount;
    const block = Math.floor(at / this.about.block);
    if (block >= this.blocks.length) return null;
    const unpacked = this.unpacked.get(block) ?? inflated(this.blocks[block]).json();
    this.unpacked.set(block, unpacked);
    return (await unpacked)[at % this.about.block];
  }

  /**
   * Return the evidence sentences of a statement, each split at its mentions: every second part is a mention.
   * @param {number} paper
   * @param {number[]} evidence
   */
  async sentences(paper, evidence) {
    const text = await this.text(paper);
    if (!text) return [];
    const points = Array.from(`${this.label[paper]}\n${text.abstract}`);
    /** @param {number} from @param {number} to */
    const cut = (from, to) => points.slice(from, to).join("");
    /** @type {Map<number, { parts: string[], at: number, stop: number }>} */
    const sentences = new Map();
    for (const [, start, end, begin, stop] of evidence.map((i) => text.mentions[i]).sort((a, b) => a[1] - b[1])) {
      const sentence = sentences.get(begin) ?? { parts: [], at: begin, stop };
      if (start < sentence.at) continue;
      sentence.parts.push(cut(sentence.at, start), cut(start, end));
      sentences.set(begin, { ...sentence, at: end });
    }
    return Array.from(sentences.values(), ({ parts, at, stop }) => [...parts, cut(at, stop)]);
  }

  /**
   * Return a sentence of a paper in three parts, the second of which is a span; none if the page has no texts.
   * @param {number} paper
   * @param {Span} span
   */
  async markedSentence(paper, [start, end, begin, stop]) {
    const text = await this.text(paper);
    if (!text) return [];
    const points = Array.from(`${this.label[paper]}\n${text.abstract}`);
    const borders = [begin, start, end, stop];
    return borders.slice(1).map((to, i) => points.slice(borders[i], to).join(""));
  }

  /**
   * Return the relations, links and references between two nodes, in either direction.
   * @param {number} a
   * @param {number} b
   */
  between(a, b) {
    /** @param {PairSet} set @returns {(i: number) => boolean} */
    const joins = (set) => (i) => (set.from[i] === a && set.to[i] === b) || (set.from[i] === b && set.to[i] === a);
    return {
      relations: Array.from(this.relationsOf.of(a)).filter(joins(this.relations)),
      links: Array.from(this.linksOf.of(a)).filter(joins(this.links)),
      citations: Array.from(this.citationsOf.of(a)).filter(joins(this.citations)),
    };
  }

  /**
   * Return the relations between the paper and the entity of a relation, strongest role first; itself included.
   * @param {number} relation
   */
  rolesOfPair(relation) {
    const { from, to } = this.relations;
    return Array.from(this.relationsOf.of(from[relation])).filter((i) => to[i] === to[relation]);
  }

  /**
   * Whether a narrower role of the same pair says more, as "outperforms" says more than "compares with".
   * @param {number} relation
   */
  isImplied(relation) {
    /** @param {number} i */
    const role = (i) => this.roles[this.relations.label[i]];
    return this.rolesOfPair(relation).some((i) => role(i).parent === role(relation).name);
  }

  /** Return the papers that mention both entities. @param {number} a @param {number} b */
  sharedPapers(a, b) {
    const first = this.mentionPartners(a);
    return [...this.mentionPartners(b)].filter((paper) => first.has(paper));
  }
}

/**
 * Whether letters occur in a text in this order, the first one at its start (a subsequence).
 * @param {string} letters
 * @param {string} text
 */
function isSubsequence(letters, text) {
  if (letters.charAt(0) !== text.charAt(0)) return false;
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (!at) return false;
  }
  return true;
}

/** Claims in columns, with or without the tentative ones. */
class ClaimSet {
  /** @type {number[][] | undefined} */
  #evidence;
  /** @type {Incidence | undefined} */
  #incidence;

  /**
   * `known` is 1 for introductions from a curated list; `readEvidence` returns the evidence of all claims.
   * @param {ClaimColumns} columns
   * @param {number[]} label
   * @param {number[]} via
   * @param {number[]} known
   * @param {boolean} withTentative
   * @param {() => number[][]} readEvidence
   */
  constructor(columns, label, via, known, withTentative, readEvidence) {
    const all = new Int32Array(columns.from.length).map((_zero, i) => i);
    const rows = withTentative ? all : all.filter((i) => !columns.tentative[i]);
    /** @param {number[]} column */
    const numbers = (column) => rows.map((i) => column[i]);
    this.rows = rows;
    this.readEvidence = readEvidence;
    this.count = rows.length;
    this.from = numbers(columns.from);
    this.to = numbers(columns.to);
    this.label = Uint8Array.from(numbers(label));
    this.via = numbers(via);
    this.confidence = Uint8Array.from(numbers(columns.confidence));
    this.tentative = Uint8Array.from(numbers(columns.tentative));
    this.known = Uint8Array.from(numbers(known));
  }

  /** The claims of each node, of which there are `size`. @param {number} size */
  incidence(size) {
    this.#incidence ??= new Incidence(size, this.from, this.to);
    return this.#incidence;
  }

  /** The mentions that support each claim, as numbers among the mentions of its paper. */
  get evidence() {
    const evidence = this.#evidence ?? this.readEvidence();
    this.#evidence ??= Array.from(this.rows, (row) => evidence[row]);
    return this.#evidence;
  }
}

/** @param {{ reduce(add: (sum: number, flag: number) => number, start: number): number }} flags */
function countOfOnes(flags) {
  return flags.reduce((sum, flag) => sum + flag, 0);
}
