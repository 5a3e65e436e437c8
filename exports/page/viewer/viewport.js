/* The viewport of the drawing, and plane geometry. */

/** Maps units of the drawing to device pixels: `scale`, the origin `x`, `y`, and the size of the window. */
class Viewport {
  /**
   * @param {number} scale
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {number} ratio
   */
  constructor(scale, x, y, width, height, ratio) {
    this.scale = scale;
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
  }

  /** @param {Viewport | null | undefined} other */
  equals(other) {
    if (!other || this.scale !== other.scale) return false;
    return this.x === other.x && this.y === other.y && this.width === other.width && this.height === other.height;
  }

  /** Return the viewport of a larger window with the same centre. @param {number} by */
  enlarged(by) {
    const [dx, dy] = [Math.round(this.width * by), Math.round(this.height * by)];
    return new Viewport(this.scale, this.x + dx, this.y + dy, this.width + 2 * dx, this.height + 2 * dy, this.ratio);
  }

  /** CSS pixels per unit. */
  get zoom() {
    return this.scale / this.ratio;
  }

  /** @returns {[number, number]} @param {number} x @param {number} y */
  toPixels(x, y) {
    return [x * this.scale + this.x, y * this.scale + this.y];
  }

  /**
   * Return the pixels of a radius in units: nodes shrink more slowly than the drawing, and never vanish.
   * @param {number} units
   */
  radius(units) {
    return Math.max(1.1, units * (this.zoom < 1 ? this.zoom ** 0.8 : this.zoom ** 0.5)) * this.ratio;
  }

  /**
   * Move a horizontal position inwards until it has a margin on both sides; positions outside stay.
   * @param {number} x
   * @param {number} margin
   */
  clampInside(x, margin) {
    return x + margin < 0 || x - margin > this.width ? x : Math.max(margin, Math.min(this.width - margin, x));
  }

  /** Whether a disc lies outside the window. @param {number} x @param {number} y @param {number} radius */
  isOutside(x, y, radius) {
    return x < -radius || y < -radius || x > this.width + radius || y > this.height + radius;
  }

  /**
   * Whether a line certainly lies outside the window.
   * @param {number} x1
   * @param {number} y1
   * @param {number} x2
   * @param {number} y2
   */
  isLineOutside(x1, y1, x2, y2) {
    const { width, height } = this;
    return (x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > width && x2 > width) || (y1 > height && y2 > height);
  }
}

/** @param {Box} a @param {Box} b */
function overlaps(a, b) {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}

/**
 * Return the distance of a point from the segment between two others.
 * @param {Point} end1
 * @param {Point} end2
 * @param {Point} end3
 */
function distanceToSegment([x, y], [x1, y1], [x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const share = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x1 + share * dx - x, y1 + share * dy - y);
}

/** Return the minimum and maximum of the values of some nodes. @param {number[]} nodes @param {Float32Array} values */
function extent(nodes, values) {
  let [minimum, maximum] = [Infinity, -Infinity];
  for (const node of nodes) {
    minimum = Math.min(minimum, values[node]);
    maximum = Math.max(maximum, values[node]);
  }
  return [minimum, maximum];
}
