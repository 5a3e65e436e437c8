/* A drawing written down as SVG. */

/** Stands in for a canvas and writes down as SVG what the painter draws. */
class Recorder {
  constructor(width, height) {
    this.canvas = { width, height };
    this.parts = [];
    this.path = [];
    this.globalAlpha = 1;
    this.dash = [];
    this.measure = document.createElement("canvas").getContext("2d");
  }

  save() {}
  restore() {}
  setTransform() {}
  clearRect() {}

  setLineDash(dash) {
    this.dash = dash;
  }

  beginPath() {
    this.path = [];
  }

  moveTo(x, y) {
    this.path.push(`M${short(x)} ${short(y)}`);
  }

  lineTo(x, y) {
    this.path.push(`L${short(x)} ${short(y)}`);
  }

  closePath() {
    this.path.push("Z");
  }

  arc(x, y, radius) {
    const r = short(radius);
    this.path.push(
      `M${short(x - radius)} ${short(y)}a${r} ${r} 0 1 0 ${short(2 * radius)} 0a${r} ${r} 0 1 0 ${short(-2 * radius)} 0`,
    );
  }

  stroke() {
    if (this.path.length)
      this.#add(
        `<path d="${this.path.join("")}" fill="none" stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth)}" stroke-dasharray="${this.dash.map(short).join(" ")}"`,
      );
  }

  fill() {
    if (this.path.length) this.#add(`<path d="${this.path.join("")}" fill="${this.fillStyle}"`);
  }

  fillRect(x, y, width, height) {
    this.#add(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${this.fillStyle}"`);
  }

  measureText(text) {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }

  strokeText(text, x, y) {
    this.#text(
      text,
      x,
      y,
      `fill="none" stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth)}" stroke-linejoin="round"`,
    );
  }

  fillText(text, x, y) {
    this.#text(text, x, y, `fill="${this.fillStyle}"`);
  }

  #text(text, x, y, look) {
    const [, weight, size, family] = this.font.match(/^(\S+) ([\d.]+)px (.*)$/);
    this.parts.push(
      `<text x="${short(x)}" y="${short(y + 0.82 * size)}" text-anchor="middle" font-family="${markupText(family)}" font-size="${size}" font-weight="${weight}" ${look}>${markupText(text)}</text>`,
    );
  }

  #add(start) {
    this.parts.push(`${start} opacity="${this.globalAlpha}"/>`);
  }
}

function short(value) {
  return Number(value).toFixed(1);
}

function markupText(text) {
  return text.replace(
    /[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? "",
  );
}
