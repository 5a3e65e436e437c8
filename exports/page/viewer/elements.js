/* DOM helpers: text is always inserted as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return a value that is there unless the page is broken; throw an error that names what is missing.
 * @template Value
 * @param {Value | null | undefined} value
 * @param {string} name
 * @returns {Value}
 */
function required(value, name) {
  if (value === null || value === undefined) throw new Error(`${name} is missing`);
  return value;
}

/** Return the element of the page with an id. @param {string} id */
function byId(id) {
  return required(document.getElementById(id), `#${id}`);
}

/** @param {HTMLCanvasElement} canvas */
function contextOf(canvas) {
  return required(canvas.getContext("2d"), "The context of a canvas");
}

/**
 * Create an element: `element("p.quiet", { title }, "text", child)`. Classes follow dots. An object may follow with
 * listeners (`onclick`), properties, ARIA attributes (`ariaLabel`) and other attributes; then children, empty ones skipped.
 * @template {string} Tag
 * @param {Tag} tag
 * @param {...any} rest
 * @returns {TaggedElement<Tag>}
 */
function element(tag, ...rest) {
  const [name, ...classes] = tag.split(".");
  const created = document.createElement(name);
  if (classes.length) created.className = classes.join(" ");
  if (rest[0]?.constructor === Object) setProperties(created, rest.shift());
  created.append(...present(rest.flat()));
  return /** @type {TaggedElement<Tag>} */ (created);
}

/** Leave out the empty parts. @param {Part[]} parts */
function present(parts) {
  return parts.filter((part) => part !== null && part !== undefined).filter((part) => part !== "");
}

/** @param {any} created @param {Record<string, any>} properties */
function setProperties(created, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) created.addEventListener(name.slice(2), value);
    else if (name.startsWith("aria")) created.setAttribute(`aria-${name.slice(4).toLowerCase()}`, value);
    else if (name in created) created[name] = value;
    else created.setAttribute(name, value);
  }
}

/** @param {Content} content @param {(event: MouseEvent) => void} onclick */
function button(content, onclick, properties = {}) {
  return element("button", { type: "button", onclick, ...properties }, content);
}

/**
 * Create a button that shows an icon and is named by its label.
 * @param {string} label
 * @param {Content} symbol
 * @param {(event: MouseEvent) => void} onclick
 */
function iconButton(label, symbol, onclick) {
  return button(symbol, onclick, { ariaLabel: label, title: label });
}

/**
 * Create an SVG element with attributes and children.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function svgElement(tag, attributes, ...children) {
  const created = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value));
  created.append(...children);
  return created;
}

/** Create an SVG icon of one path, for legends and buttons. @param {string} data @param {string} className */
function icon(data, className, box = "0 0 16 16") {
  const attributes = { viewBox: box, class: `icon ${className}`, "aria-hidden": "true" };
  return svgElement("svg", attributes, svgElement("path", { d: data }));
}

/**
 * Create the icon of a node type, in the shape and colour of the drawing.
 * @param {number} type
 * @param {number} types
 */
function typeIcon(type, types) {
  const own = type < types ? `type-${type % 8}` : type === types ? "paper" : "stub";
  return icon(outline(shapeOf(type, types), 8, 8, 5.2), `symbol ${own}`);
}

/** Create the icon of a role: its line style in the drawing. @param {number} role */
function roleIcon(role) {
  const { width, dash } = strokeOf(role);
  const symbol = icon("M1 8H25", "stroke", "0 0 26 16");
  symbol.children[0].setAttribute("stroke-width", String(width));
  symbol.children[0].setAttribute("stroke-dasharray", dash.join(" "));
  return symbol;
}

/** Focus the first descendant that a selector finds. @param {Element} container @param {string} selector */
function focusFirst(container, selector) {
  elementsIn(container, selector).at(0)?.focus();
}

/** Return the descendants that a selector finds. @param {Element} container @param {string} selector */
function elementsIn(container, selector) {
  return [...container.querySelectorAll(selector)].filter((found) => found instanceof HTMLElement);
}

/** Return a whole number with commas; unlike `toLocaleString`, this loads no language data at opening. @param {number} count */
function withCommas(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** @param {number} count @param {string} one */
function plural(count, one, many = `${one}s`) {
  return `${withCommas(count)} ${count === 1 ? one : many}`;
}

/** @param {string} text */
function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return the items with a separator between each two. @param {Part[]} items @param {Part} separator */
function intersperse(items, separator) {
  return items.flatMap((item, i) => (i ? [separator, item] : [item]));
}

/** @param {string} text @param {number} length */
function truncated(text, length) {
  if (text.length <= length) return text;
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join("").trimEnd()}…`; // prettier-ignore
}
