/* Building the page: every text goes in as text, never as markup. */

/** An element with listeners (`onclick`), properties, attributes and children, which are elements or texts. */
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** A small drawing of one path, for legends and buttons. */
function icon(data, className, box = "0 0 16 16") {
  const drawing = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  drawing.setAttribute("viewBox", box);
  drawing.setAttribute("class", `icon ${className}`);
  drawing.setAttribute("aria-hidden", "true");
  path.setAttribute("d", data);
  drawing.append(path);
  return drawing;
}

/** The sign of a node type as the drawing shows it. */
function typeSign(type, types) {
  return icon(outline(shapeOf(type, types), 8, 8, 5.2), type === types ? "sign paper" : `sign type-${type % 8}`);
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
