/* The keys of the page: which command a keystroke gives, and what the help says about it. */

/** @type {[string, string][]} */
const ANNOTATION_KEYS = [
  ["↓ ↑", "next or previous name"],
  ["→ ←", "next or previous mark in the text"],
  ["A", "accept the name, and go to the next undecided one"],
  ["X", "reject it, and go on; rejected names are not annotated"],
  ["1 … 9", "set the type"],
  ["Shift + 1 … 9", "add a role, or remove it; the first one is the main role"],
  ["N", "new name: select words, then Enter or the number of a type"],
  ["E", "edges: select other words for the marked ones"],
  ["→ ← ↑ ↓", "while words are selected: move; with Shift: extend; E: move the other edge"],
  ["J", "join: then go to another spelling of the same entity, and J again"],
  ["S", "split: the marked spelling becomes a name of its own"],
  ["O", "optional: the name may count or not"],
  ["U, Shift + U", "undo, redo"],
  ["Shift + A", "accept all undecided names"],
  ["Enter", "save the paper, and go to the next one that is not saved"],
  ["B, F", "back and forward through the papers, without saving"],
  ["Esc", "stop selecting or joining"],
  ["?", "this help"],
];

/** @type {Record<string, string>} */
const COMMANDS_BY_KEY = {
  ArrowDown: "next name",
  ArrowUp: "previous name",
  ArrowRight: "next mark",
  ArrowLeft: "previous mark",
  Enter: "save",
  Escape: "leave",
  Delete: "reject",
  "?": "help",
  A: "accept all",
  U: "redo",
  a: "accept",
  b: "back",
  e: "edges",
  f: "forward",
  j: "join",
  n: "new",
  o: "optional",
  s: "split",
  u: "undo",
  x: "reject",
};

/** Return the command of a keystroke, such as "accept" or "type 3"; "" for none. @param {Keystroke} stroke */
function commandOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }) {
  if (altKey) return "";
  if (ctrlKey || metaKey) return key.toLowerCase() === "z" ? (shiftKey ? "redo" : "undo") : "";
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
  if (digit) return `${shiftKey ? "role" : "type"} ${digit[1]}`;
  return COMMANDS_BY_KEY[key] ?? "";
}

/** @type {Record<string, [string, number]>} */
const SELECTION_STEPS = { ArrowRight: ["word", 1], ArrowLeft: ["word", -1], ArrowDown: ["line", 1], ArrowUp: ["line", -1] };
