/* Corrections of the reader: decisions about the graph, as `kg build --decisions` reads them. */

/** The fields of each kind of decision, in the order of the file; lists are marked. @type {Record<string, string[]>} */
const DECISION_FIELDS = {
  type: ["name", "type"],
  role: ["paper", "name", "role"],
  "no-role": ["paper", "name", "role"],
  ban: ["name", "papers"],
  merge: ["names", "keep"],
  split: ["name", "into", "papers", "spellings"],
  rename: ["name", "to"],
};
const LIST_FIELDS = new Set(["papers", "names", "spellings"]);
const OPTIONAL_FIELDS = new Set(["papers", "spellings"]);
const MAX_CORRECTIONS = 1000;

/**
 * Return the corrections as a short text for the address: a JSON list of lists of values.
 * @param {Correction[]} corrections
 */
function correctionsText(corrections) {
  if (!corrections.length) return "";
  const rows = corrections.map((each) => {
    const values = DECISION_FIELDS[each.kind].map((name) => each[name] ?? "");
    return [each.kind, each.date, each.reason, ...values];
  });
  return JSON.stringify(rows);
}

/** Return the corrections of an address; what is no correction is left out. @param {string} text @returns {Correction[]} */
function correctionsFrom(text) {
  if (!text) return [];
  try {
    const rows = JSON.parse(text);
    return Array.isArray(rows) ? rows.slice(0, MAX_CORRECTIONS).flatMap((row) => correctionOf(row) ?? []) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** @param {any} row @returns {Correction | null} */
function correctionOf(row) {
  if (!Array.isArray(row) || !Object.keys(DECISION_FIELDS).includes(row[0])) return null;
  const [kind, date, reason, ...values] = row;
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || typeof reason !== "string") return null;
  /** @type {Correction} */
  const correction = { kind, date, reason };
  for (const [i, name] of DECISION_FIELDS[kind].entries()) {
    const value = values[i] ?? "";
    if (OPTIONAL_FIELDS.has(name) && !value.length) continue;
    if (!isFieldValue(value, LIST_FIELDS.has(name))) return null;
    correction[name] = value;
  }
  return correction;
}

/** @param {any} value @param {boolean} isList */
function isFieldValue(value, isList) {
  /** @param {any} text */
  const isText = (text) => typeof text === "string" && text !== "";
  return isList ? Array.isArray(value) && value.length > 0 && value.every(isText) : isText(value);
}

/**
 * Return the corrections with new ones; a new one takes the place of the earlier ones that it answers or contradicts.
 * @param {Correction[]} corrections
 * @param {Correction[]} added
 */
function withCorrections(corrections, added) {
  const kept = corrections.filter((each) => !added.some((other) => isReplacedBy(each, other)));
  return [...kept, ...added];
}

/** @param {Correction} earlier @param {Correction} later */
function isReplacedBy(earlier, later) {
  const names = namesOf(earlier).map(nameKey);
  if (!namesOf(later).some((name) => names.includes(nameKey(name)))) return false;
  const [one, other] = [placeOf(earlier), placeOf(later)];
  if (later.kind === "ban") return !other || one === other;
  if (earlier.kind === "ban") return !one || one === other;
  if (one || other) return one === other && isSameQuestion(earlier, later);
  return earlier.kind === later.kind && (later.kind === "type" || later.kind === "rename" || isSame(earlier, later));
}

/** Whether two corrections about one name in one paper say what only one of them can. @param {Correction} a @param {Correction} b */
function isSameQuestion(a, b) {
  const roles = ["role", "no-role"];
  if (roles.includes(a.kind) && roles.includes(b.kind)) return a.kind !== b.kind || a.role === b.role;
  return a.kind === b.kind;
}

/** @param {Correction} a @param {Correction} b */
function isSame(a, b) {
  return DECISION_FIELDS[a.kind].every((name) => String(a[name]) === String(b[name]));
}

/** The names that a correction is about, as the graph has them. @param {Correction} correction @returns {string[]} */
function namesOf(correction) {
  return correction.names ?? [correction.name ?? ""];
}

/**
 * Return a name without the differences that the build ignores: case, accents, kinds of dashes and spaces, a dash at a
 * digit, a final s.
 * @param {string} name
 */
function nameKey(name) {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s_\p{Pd}]+/gu, "-")
    .replace(/^-|-$|-(?=\d)|(?<=\d)-/g, "")
    .replace(/(?<=.)s$/, "");
}

/** The papers to which a correction is limited, "" for all. @param {Correction} correction */
function placeOf(correction) {
  return correction.paper ?? (correction.papers ?? []).join(" ");
}

/**
 * Return corrections as the YAML file of `kg build --decisions`.
 * @param {Correction[]} corrections
 * @param {string} author
 */
function decisionsYaml(corrections, author) {
  return corrections.map((each) => entryYaml(each, author)).join("");
}

/** @param {Correction} correction @param {string} author */
function entryYaml(correction, author) {
  /** @param {string | string[]} value */
  const text = (value) => (Array.isArray(value) ? `[${value.map(yamlText).join(", ")}]` : yamlText(value));
  const fields = DECISION_FIELDS[correction.kind].filter((name) => correction[name]?.length);
  const { kind, date, reason } = correction;
  const lines = [
    `- kind: ${kind}`,
    ...fields.map((name) => `  ${name}: ${text(correction[name] ?? "")}`),
    `  author: ${yamlText(author)}`,
    `  date: ${date}`,
    reason ? `  reason: ${yamlText(reason)}` : "",
  ];
  return `${lines.filter(Boolean).join("\n")}\n`;
}

/** Return a text as a double-quoted YAML scalar of printable characters on one line. @param {string} text */
function yamlText(text) {
  const quoted = JSON.stringify(text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd"));
  return quoted.replace(/[\u007f-\u00a0\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Return the id of the paper with a node key such as `p-2402.03300`. @param {string} key */
function paperId(key) {
  return decodeURIComponent(key.slice(2).replaceAll("~", "%"));
}

/** Return the day of the reader's clock, such as 2026-01-31. */
function today(now = new Date()) {
  return new Date(now.getTime() - 60000 * now.getTimezoneOffset()).toISOString().slice(0, 10);
}
