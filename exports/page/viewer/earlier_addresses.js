/* Names that were used in the addresses of earlier versions of this page, so that old links still open. */

/** @type {Record<string, string>} */
const EARLIER_NAMES = { proof: "evidence", sure: "confidence", eye: "camera" };
/** @type {Record<string, [RegExp, string][]>} */
const EARLIER_VALUES = {
  view: [[/^things$/, "entities"]],
  order: [[/^things /, "entities "]],
  off: [[/Paper%20not%20at%20hand/, STUB]],
};

/** Return the values of an address under their current names. @param {Record<string, string>} values */
function withCurrentNames(values) {
  const renamed = Object.entries(values).map(([name, value]) => [EARLIER_NAMES[name] ?? name, value]);
  const current = Object.fromEntries(renamed);
  for (const [name, patterns] of Object.entries(EARLIER_VALUES)) {
    for (const [earlier, now] of patterns) current[name] = current[name]?.replace(earlier, now);
  }
  return current;
}
