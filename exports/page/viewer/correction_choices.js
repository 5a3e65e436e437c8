/* What can be wrong with an entity, a role, a mention or a link, and the decisions that correct it. */

class CorrectionChoices {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
  }

  /** Return the title and the choices of the dialog about a subject. @param {Subject} subject @returns {ChoiceList} */
  of(subject) {
    if (subject.kind === "entity") return this.#entity(subject.node);
    return subject.kind === "role" ? this.#role(subject.claim) : this.#link(subject.claim);
  }

  /** Whether a correction is about a subject. @param {Correction} correction @param {Subject} subject */
  isAbout(correction, subject) {
    const { graph } = this;
    /** @param {number} node */
    const names = (node) => namesOf(correction).some((name) => nameKey(name) === nameKey(graph.label[node]));
    if (subject.kind === "entity") return !placeOf(correction) && names(subject.node);
    const claims = subject.kind === "role" ? graph.relations : graph.links;
    const papers = subject.kind === "role" ? [claims.from] : [claims.from, claims.to];
    const ids = papers.map((ends) => paperId(graph.key[ends[subject.claim]]));
    return ids.includes(placeOf(correction)) && names(claims.via[subject.claim]);
  }

  /** Return what a correction says, as a sentence. @param {Correction} correction */
  describe(correction) {
    const { kind, name = "", names = [], papers = [], spellings = [], into = "" } = correction;
    const where = papers.length ? ` in ${papers.map((id) => this.#title(id)).join(", ")}` : "";
    const title = this.#title(correction.paper ?? "");
    const role = this.graph.roles.find((each) => each.name === correction.role)?.label ?? correction.role;
    /** @type {Record<string, () => string>} */
    const sentences = {
      type: () => `${name} is a ${this.#typeLabel(correction.type ?? "")}`,
      role: () => `“${title}”: ${role} ${name}`,
      "no-role": () => `“${title}”: not “${role} ${name}”`,
      ban: () => `${name} is not an entity${where}`,
      merge: () => `${names.join(" and ")} are the same: ${correction.keep}`,
      split: () => `${spellings.length ? spellings.join(", ") : name}${where} is not ${name} but ${into}`,
      rename: () => `${name} should be called ${correction.to}`,
    };
    return sentences[kind]?.() ?? `${kind}: ${namesOf(correction).join(", ")}`;
  }

  /** @param {string} id */
  #title(id) {
    const { graph } = this;
    const node = graph.key.findIndex((key, at) => graph.isPaper(at) && paperId(key) === id);
    return node < 0 ? id : truncated(graph.label[node], 60);
  }

  /** @param {string} name */
  #typeLabel(name) {
    return this.graph.types.find((type) => type.name === name)?.label || name;
  }

  /** @param {number} node @returns {ChoiceList} */
  #entity(node) {
    const { graph } = this;
    const name = graph.label[node];
    const types = graph.types.filter((_type, at) => at !== graph.type[node]);
    const type = choiceOf("The right type", types.map(({ name: value, label }) => [value, capitalised(label)]));
    const correctName = textOf("The right name");
    const choices = [
      choice(["It is not an entity"], () => [{ kind: "ban", name }]),
      choice(["Wrong type: it is a ", type], () => [{ kind: "type", name, type: type.value }]),
      this.#sameAs(node),
      ...this.#notTheSame(node),
      choice(["Wrong name: it should be ", correctName], () => {
        const to = filled(correctName);
        if (to === name) throw new CorrectionError("This is its name already.");
        return [{ kind: "rename", name, to }];
      }),
    ];
    return { title: name, choices, more: [] };
  }

  /** @param {number} node */
  #sameAs(node) {
    const { graph } = this;
    const name = graph.label[node];
    const [other, completions] = this.#entityInput("The other entity", node);
    const keep = choiceOf("The name to keep", [
      ["", "keep the name of more papers"],
      ["this", `keep ${truncated(name, 30)}`],
      ["other", "keep the other name"],
    ]);
    return choice(["It is the same as ", other, completions, keep], () => {
      const found = this.#entityNamed(filled(other), node);
      if (found < 0) throw new CorrectionError("No other entity has this name.");
      const most = graph.mentionCounts[found] > graph.mentionCounts[node] ? "other" : "this";
      const kept = (keep.value || most) === "other" ? graph.label[found] : name;
      return [{ kind: "merge", names: [name, graph.label[found]], keep: kept }];
    });
  }

  /** Return the choice that undoes a wrong merge, if the entity has further names. @param {number} node */
  #notTheSame(node) {
    const name = this.graph.label[node];
    const aliases = this.graph.entities.aliases[node].filter((alias) => nameKey(alias) !== nameKey(name));
    const spellings = [...new Map(aliases.map((alias) => [nameKey(alias), alias])).values()];
    if (!spellings.length) return [];
    const alias = choiceOf("The name that means another entity", spellings.map((text) => [text, text])); // prettier-ignore
    const into = textOf("The name of the other entity", "its own name");
    const make = () => {
      const same = aliases.filter((text) => nameKey(text) === nameKey(alias.value));
      return [this.#split(name, into.value.trim() || alias.value, { spellings: same })];
    };
    return [choice(["Not the same: ", alias, " is another entity, ", into], make)];
  }

  /** @param {string} name @param {string} into @param {Partial<Correction>} places @returns {Draft} */
  #split(name, into, places) {
    if (nameKey(into) === nameKey(name)) throw new CorrectionError("This is the name of the entity itself.");
    return { kind: "split", name, into, ...places };
  }

  /** @param {number} claim @returns {ChoiceList} */
  #role(claim) {
    const { relations } = this.graph;
    const [paper, node, role] = [relations.from[claim], relations.to[claim], relations.label[claim]];
    const pair = { paper: paperId(this.graph.key[paper]), name: this.graph.label[node] };
    const { name, label } = this.graph.roles[role];
    const choices = [];
    if (relations.known[claim] || this.graph.isStub(paper)) {
      choices.push(choice([`It did not introduce ${pair.name}`], () => [{ kind: "no-role", ...pair, role: name }]));
    } else {
      choices.push(this.#otherRole(claim, pair));
      if (name !== "mentions")
        choices.push(choice([`It does not: not “${label}”`], () => [{ kind: "no-role", ...pair, role: name }]));
      choices.push(...this.#inPaper(pair), this.#spelling(paper, node));
    }
    const title = `“${truncated(this.graph.label[paper], 80)}” ${label} ${pair.name}`;
    return { title, choices, more: [{ kind: "entity", node }] };
  }

  /** @param {number} claim @param {{ paper: string, name: string }} pair */
  #otherRole(claim, pair) {
    const { graph } = this;
    const { relations, roles } = graph;
    const type = graph.typeName(relations.to[claim]);
    const current = graph.rolesOfPair(claim).map((i) => roles[relations.label[i]].name);
    const fitting = roles.filter((role) => role.fits.includes(type) && !current.includes(role.name));
    const role = choiceOf("The right role", fitting.map(({ name, label }) => [name, label])); // prettier-ignore
    const others = graph.rolesOfPair(claim).filter((i) => i !== claim && !graph.isImplied(i) && !relations.known[i]);
    return choice(["Wrong role: it ", role, ` ${pair.name}`], () => {
      const kept = others.map((i) => roles[relations.label[i]].name).filter((name) => name !== "mentions");
      const given = role.value === "mentions" ? [role.value] : [role.value, ...kept];
      return given.map((each) => ({ kind: "role", ...pair, role: each }));
    });
  }

  /** Return what may be wrong with the mentions of a name in one paper. @param {{ paper: string, name: string }} pair */
  #inPaper({ paper, name }) {
    const into = textOf("The name of the other entity");
    return [
      choice([`${name} is not an entity in this paper`], () => [{ kind: "ban", name, papers: [paper] }]),
      choice([`${name} is another entity in this paper: `, into], () => [
        this.#split(name, filled(into), { papers: [paper] }),
      ]),
    ];
  }

  /**
   * Return the choice that another spelling in this paper means another entity; ready once the text is unpacked.
   * @param {number} paper
   * @param {number} node
   */
  #spelling(paper, node) {
    const name = this.graph.label[node];
    const text = choiceOf("The mention that means another entity", []);
    const into = textOf("The name of the other entity", "its own name");
    const make = () => [this.#split(name, into.value.trim() || text.value, { spellings: [text.value] })];
    const made = choice(["The mention ", text, ` is not ${name} but `, into], make);
    made.isReady = this.graph.text(paper).then((found) => {
      const points = Array.from(`${this.graph.label[paper]}\n${found?.abstract ?? ""}`);
      const mine = (found?.mentions ?? []).filter(([entity]) => entity === node);
      const texts = new Set(mine.map(([, start, end]) => points.slice(start, end).join("")));
      const others = [...texts].filter((each) => nameKey(each) !== nameKey(name));
      text.append(...others.map((value) => element("option", { value }, value)));
      return others.length > 0;
    });
    return made;
  }

  /** @param {number} claim @returns {ChoiceList} */
  #link(claim) {
    const { graph } = this;
    const { links, relations, roles } = graph;
    const [citing, cited, node] = [links.from[claim], links.to[claim], links.via[claim]];
    const pair = { paper: paperId(graph.key[citing]), name: graph.label[node] };
    const source = { paper: paperId(graph.key[cited]), name: pair.name };
    const claims = graph.between(citing, node).relations.filter((i) => !graph.isImplied(i));
    const named = claims.map((i) => roles[relations.label[i]]).filter((role) => role.name !== "mentions");
    /** @param {number} paper */
    const title = (paper) => `“${truncated(graph.label[paper], 60)}”`;
    const choices = [
      ...named.map(({ name, label }) =>
        choice([`Wrong role: ${title(citing)} does not: ${label} ${pair.name}`], () => [
          { kind: "no-role", ...pair, role: name },
        ]),
      ),
      choice([`${title(cited)} did not introduce ${pair.name}`], () => [
        { kind: "no-role", ...source, role: roles[0].name },
      ]),
      ...this.#inPaper(pair),
    ];
    const heading = `${title(citing)} ${graph.kinds[links.label[claim]].label} ${title(cited)}, through ${pair.name}`;
    return { title: heading, choices, more: [{ kind: "entity", node }] };
  }

  /**
   * Return an input that completes the names of entities, and the list of these names.
   * @param {string} label
   * @param {number} node
   * @returns {[HTMLInputElement, HTMLDataListElement]}
   */
  #entityInput(label, node) {
    const { graph } = this;
    const names = element("datalist", { id: "entity-names" });
    const input = textOf(label);
    input.setAttribute("list", names.id);
    input.addEventListener("input", () => {
      const wanted = folded(input.value);
      const entities = graph.label.slice(0, graph.entityCount);
      const found = entities.filter((name, at) => at !== node && wanted && folded(name).includes(wanted));
      found.sort((a, b) => a.length - b.length);
      names.replaceChildren(...found.slice(0, 20).map((value) => element("option", { value })));
    });
    return [input, names];
  }

  /** Return the entity with a name or an alias, the one of most papers first, or -1. @param {string} name @param {number} except */
  #entityNamed(name, except) {
    const { graph } = this;
    const wanted = nameKey(name);
    /** @param {(node: number) => string[]} names */
    const find = (names) =>
      Array.from({ length: graph.entityCount }, (_, node) => node)
        .filter((node) => node !== except && names(node).some((each) => nameKey(each) === wanted))
        .sort((a, b) => graph.mentionCounts[b] - graph.mentionCounts[a])[0] ?? -1;
    const byName = find((node) => [graph.label[node]]);
    return byName < 0 ? find((node) => graph.entities.aliases[node]) : byName;
  }
}

/** What the reader entered makes no correction; the message says why. */
class CorrectionError extends Error {}

/** @param {Part[]} parts @param {() => Draft[]} make @returns {Choice} */
function choice(parts, make) {
  return { parts, make };
}

/** Create a list to choose from. @param {string} label @param {[string, string][]} options */
function choiceOf(label, options) {
  return element("select", { ariaLabel: label }, options.map(([value, text]) => element("option", { value }, text))); // prettier-ignore
}

/** @param {string} label */
function textOf(label, placeholder = "") {
  return element("input", { type: "text", ariaLabel: label, placeholder, maxLength: 300 });
}

/** Return the text of an input; throw an error if it is empty. @param {HTMLInputElement} input */
function filled(input) {
  const text = input.value.trim();
  if (!text) throw new CorrectionError("Enter a name.");
  return text;
}
