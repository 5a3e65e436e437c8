/* The names of one paper while it is annotated: pure functions, without the page. */

/** @param {AnnotationPaper} paper @returns {TokenText} */
function tokenText({ title, abstract, tokens }) {
  const startingAt = new Map(tokens.map(([start], i) => [start, i]));
  const endingAt = new Map(tokens.map(([, end], i) => [end, i]));
  const found = tokens.findIndex(([start]) => start > title.length);
  return { text: `${title}\n${abstract}`, tokens, startingAt, endingAt, abstract: found < 0 ? tokens.length : found };
}

/**
 * Return the entities of the server as names; those that were saved are accepted.
 * @param {AnnotatedEntity[]} entities
 * @param {boolean} saved
 * @returns {AnnotatedName[]}
 */
function namesFrom(entities, saved) {
  return entities.map(({ surfaces, type, relation, also_relation: also, optional, confidence, name: _name, ...kept }) => ({
    surfaces,
    type,
    roles: [relation ?? "", ...(also ?? [])].filter(Boolean),
    optional: Boolean(optional),
    state: saved ? "accepted" : "proposed",
    confidence: confidence ?? null,
    kept,
  }));
}

/** Return the accepted names in the format of annotations. @param {AnnotatedName[]} names @returns {AnnotatedEntity[]} */
function entitiesFrom(names) {
  return names
    .filter(({ state }) => state === "accepted")
    .map(({ surfaces, type, roles: [relation = "", ...also], optional, kept }) => ({
      name: surfaces[0],
      surfaces,
      type,
      relation,
      also_relation: also,
      optional,
      ...kept,
    }));
}

/** Return the text of the tokens `first` to `last` (exclusive). @param {TokenText} doc @param {number} first @param {number} last */
function surfaceOf(doc, first, last) {
  return doc.text.slice(doc.tokens[first][0], doc.tokens[last - 1][1]);
}

/** Return the token spans at which a spelling occurs. @param {TokenText} doc @param {string} surface */
function occurrencesOf(doc, surface) {
  /** @type {[number, number][]} */
  const spans = [];
  for (let at = doc.text.indexOf(surface); surface && at >= 0; at = doc.text.indexOf(surface, at + 1)) {
    const [first, last] = [doc.startingAt.get(at), doc.endingAt.get(at + surface.length)];
    if (first !== undefined && last !== undefined) spans.push([first, last + 1]);
  }
  return spans;
}

/**
 * Return the marks of the names in text order, without overlaps: every occurrence of a spelling names its entity, longer
 * ones come first, and rejected names take what is left.
 * @param {TokenText} doc
 * @param {AnnotatedName[]} names
 * @returns {NameMark[]}
 */
function marksOf(doc, names) {
  const possible = names.flatMap(({ surfaces, state }, name) =>
    surfaces.flatMap((surface) =>
      occurrencesOf(doc, surface).map(([first, last]) => ({ first, last, name, rejected: Number(state === "rejected") })),
    ),
  );
  possible.sort((a, b) => a.rejected - b.rejected || b.last - b.first - (a.last - a.first) || a.first - b.first);
  const taken = new Set();
  const marks = [];
  for (const { first, last, name } of possible) {
    const own = Array.from({ length: last - first }, (_, i) => first + i);
    if (own.some((token) => taken.has(token))) continue;
    own.forEach((token) => taken.add(token));
    marks.push({ first, last, name });
  }
  return marks.sort((a, b) => a.first - b.first);
}

/** Return the mark over a token. @param {NameMark[]} marks @param {number} token */
function markAt(marks, token) {
  return marks.find(({ first, last }) => first <= token && token < last) ?? null;
}

/** Return the first mark of each name, in text order. @param {NameMark[]} marks */
function firstMarks(marks) {
  return marks.filter(({ name }, i) => marks.findIndex((other) => other.name === name) === i);
}

/** Return the mark after (`step` 1) or before (-1) a token, round the end. @param {NameMark[]} marks @param {number} token @param {number} step */
function markBeside(marks, token, step) {
  if (step > 0) return marks.find(({ first }) => first > token) ?? marks.at(0) ?? null;
  return marks.findLast(({ last }) => last <= token) ?? marks.at(-1) ?? null;
}

/** Return the next undecided name after a token, round the end. @param {NameMark[]} marks @param {AnnotatedName[]} names @param {number} token */
function nextUndecided(marks, names, token) {
  const open = firstMarks(marks).filter(({ name }) => names[name].state === "proposed");
  return open.find(({ first }) => first > token) ?? open.at(0) ?? null;
}

/** Return the names with changes to one of them. @param {AnnotatedName[]} names @param {number} at @param {Partial<AnnotatedName>} change */
function withName(names, at, change) {
  return names.map((name, i) => (i === at ? { ...name, ...change } : name));
}

/** Return the names with another type of one; roles that do not fit it are left out. @param {AnnotatedName[]} names @param {number} at @param {string} type @param {AnnotationRole[]} roles */
function withType(names, at, type, roles) {
  const fitting = new Set(roles.filter(({ fits }) => fits.includes(type)).map(({ name }) => name));
  return withName(names, at, { type, roles: names[at].roles.filter((role) => fitting.has(role)), state: "accepted" });
}

/** Add a role to a name, or remove it. @param {AnnotatedName[]} names @param {number} at @param {string} role */
function withRole(names, at, role) {
  const { roles } = names[at];
  const changed = roles.includes(role) ? roles.filter((other) => other !== role) : [...roles, role];
  return withName(names, at, { roles: changed, state: "accepted" });
}

/** Join two names to one, with the type and the roles of the first. @param {AnnotatedName[]} names @param {number} one @param {number} other */
function joinedNames(names, one, other) {
  const surfaces = [...new Set([...names[one].surfaces, ...names[other].surfaces])];
  return withName(names, one, { surfaces, state: "accepted" }).filter((_, i) => i !== other);
}

/** Make a spelling of a name a name of its own. @param {AnnotatedName[]} names @param {number} at @param {string} surface */
function splitName(names, at, surface) {
  const rest = names[at].surfaces.filter((other) => other !== surface);
  if (!rest.length) return names;
  return [...withName(names, at, { surfaces: rest }), { ...names[at], surfaces: [surface], kept: {} }];
}

/**
 * Return the names with a new one of a type; a name with that spelling is accepted instead.
 * @param {AnnotatedName[]} names
 * @param {string} surface
 * @param {string} type
 */
function withSurface(names, surface, type) {
  const known = names.findIndex(({ surfaces }) => surfaces.includes(surface));
  if (known >= 0) return withName(names, known, { state: "accepted" });
  /** @type {AnnotatedName} */
  const added = { surfaces: [surface], type, roles: [], optional: false, state: "accepted", confidence: null, kept: {} };
  return [...names, added];
}

/**
 * Return the names with another spelling in place of one, which other names give up.
 * @param {AnnotatedName[]} names
 * @param {number} at
 * @param {string} surface
 * @param {string} instead
 */
function withEdges(names, at, surface, instead) {
  /** @param {AnnotatedName} name @param {number} i */
  const changed = (name, i) => {
    if (i !== at) return { ...name, surfaces: name.surfaces.filter((other) => other !== instead) };
    const surfaces = [...new Set(name.surfaces.map((own) => (own === surface ? instead : own)))];
    return { ...name, surfaces, state: /** @type {NameState} */ ("accepted") };
  };
  return names.map(changed).filter(({ surfaces }) => surfaces.length);
}

/** Return the tokens of a selection, from the first to the last (exclusive). @param {WordSelection} selection */
function selectedTokens({ anchor, focus }) {
  return [Math.min(anchor, focus), Math.max(anchor, focus) + 1];
}

/**
 * Return a selection after a step of some tokens; an extended one stays within the title or the abstract.
 * @param {TokenText} doc
 * @param {WordSelection} selection
 * @param {number} step
 * @param {boolean} extends_
 * @returns {WordSelection}
 */
function movedSelection(doc, selection, step, extends_) {
  const { anchor, focus } = selection;
  const inTitle = anchor < doc.abstract;
  const [low, high] = extends_ ? [inTitle ? 0 : doc.abstract, inTitle ? doc.abstract : doc.tokens.length] : [0, doc.tokens.length];
  const moved = Math.min(Math.max(focus + step, low), high - 1);
  return { ...selection, focus: moved, anchor: extends_ ? anchor : moved };
}
