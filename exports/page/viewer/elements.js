/* Building the page: every text goes in as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element, `element("p.quiet", { title }, "text", child)`: classes after dots; if an object follows, its
 * listeners (`onclick`), properties, ARIA (`ariaLabel`) and other attributes; then children, less the empty ones.
 */
function element(tag, ...rest) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length) made.className = classes.join(" ");
  if (rest[0]?.constructor === Object) equip(made, rest.shift());
  made.append(...rest.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

function equip(made, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name.startsWith("aria")) made.setAttribute(`aria-${name.slice(4).toLowerCase()}`, value);
    else if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
}

function button(content, onclick, properties = {}) {
  return element("button", { type: "button", onclick, ...properties }, content);
}

/** A button that shows a sign and is called by its label. */
function signButton(label, sign, onclick) {
  return button(sign, onclick, { ariaLabel: label, title: label });
}

/** An element of a drawing, with its attributes and children. */
function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A small drawing of one path, for legends and buttons. */
function icon(data, className, box = "0 0 16 16") {
  const told = { viewBox: box, class: `icon ${className}`, "aria-hidden": "true" };
  return drawn("svg", told, drawn("path", { d: data }));
}

/** The sign of a node type as the drawing shows it. */
function typeSign(type, types) {
  const own = type < types ? `type-${type % 8}` : type === types ? "paper" : "stub";
  return icon(outline(shapeOf(type, types), 8, 8, 5.2), `sign ${own}`);
}

/** The stroke of a role as the drawing shows it. */
function roleSign(role) {
  const { width, dash } = strokeOf(role);
  const sign = icon("M1 8H25", "stroke", "0 0 26 16");
  sign.firstChild.setAttribute("stroke-width", width);
  sign.firstChild.setAttribute("stroke-dasharray", dash.join(" "));
  return sign;
}

function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The items with a separator between each two. */
function between(items, separator) {
  return items.flatMap((item, i) => (i ? [separator, item] : [item]));
}

function shortened(text, length) {
  if (text.length <= length) return text;
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join("").trimEnd()}…`; // prettier-ignore
}
