/* The drawing as SVG. */

/** A stand-in for a canvas context that records the painter's calls as SVG. */
class SvgRecorder {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.canvas = { width, height };
    /** @type {string[]} */
    this.parts = [];
    /** @type {string[]} */
    this.path = [];
    this.globalAlpha = 1;
    this.strokeStyle = "";
    this.fillStyle = "";
    this.lineWidth = 1;
    this.font = "";
    this.textAlign = "center";
    /** @type {number[]} */
    this.dash = [];
    this.measureContext = contextOf(document.createElement("canvas"));
  }

  save() {}
  restore() {}
  setTransform() {}
  clearRect() {}

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash;
  }

  beginPath() {
    this.path = [];
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.path.push(`M${fixed(x)} ${fixed(y)}`);
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.path.push(`L${fixed(x)} ${fixed(y)}`);
  }

  closePath() {
    this.path.push("Z");
  }

  /** @param {number} x @param {number} y @param {number} radius */
  arc(x, y, radius) {
    const r = fixed(radius);
    this.path.push(
      `M${fixed(x - radius)} ${fixed(y)}a${r} ${r} 0 1 0 ${fixed(2 * radius)} 0a${r} ${r} 0 1 0 ${fixed(-2 * radius)} 0`,
    );
  }

  stroke() {
    if (!this.path.length) return;
    const dashes = this.dash.map(fixed).join(" ");
    const style = `stroke="${this.strokeStyle}" stroke-width="${fixed(this.lineWidth)}" stroke-dasharray="${dashes}"`;
    this.#add(`<path d="${this.path.join("")}" fill="none" ${style}`);
  }

  fill() {
    if (this.path.length) this.#add(`<path d="${this.path.join("")}" fill="${this.fillStyle}"`);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.#add(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${this.fillStyle}"`);
  }

  /** @param {string} text */
  measureText(text) {
    this.measureContext.font = this.font;
    return this.measureContext.measureText(text);
  }

  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.#text(
      text,
      x,
      y,
      `fill="none" stroke="${this.strokeStyle}" stroke-width="${fixed(this.lineWidth)}" stroke-linejoin="round"`,
    );
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    this.#text(text, x, y, `fill="${this.fillStyle}"`);
  }

  /** @param {string} text @param {number} x @param {number} y @param {string} attributes */
  #text(text, x, y, attributes) {
    const [, weight, size, family] = required(this.font.match(/^(\S+) ([\d.]+)px (.*)$/), "The size of the font");
    const position = `x="${fixed(x)}" y="${fixed(y + 0.82 * Number(size))}" text-anchor="${this.textAlign === "left" ? "start" : "middle"}"`;
    const font = `font-family="${escapeMarkup(family)}" font-size="${size}" font-weight="${weight}"`;
    const opacity = this.globalAlpha < 1 ? ` opacity="${this.globalAlpha}"` : "";
    this.parts.push(`<text ${position} ${font} ${attributes}${opacity}>${escapeMarkup(text)}</text>`);
  }

  /** @param {string} start */
  #add(start) {
    this.parts.push(`${start} opacity="${this.globalAlpha}"/>`);
  }
}

/** @param {number} value */
function fixed(value) {
  return Number(value).toFixed(1);
}

/** @param {string} text */
function escapeMarkup(text) {
  return text.replace(
    /[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? "",
  );
}
