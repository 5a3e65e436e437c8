/* Where the drawing lies in the window, and the plain geometry that goes with it. */

/** Device pixels a unit of the drawing, and where its origin stands in a window of that size. */
class View {
  constructor(scale, x, y, width, height, ratio) {
    Object.assign(this, { scale, x, y, width, height, ratio });
  }

  same(other) {
    return Boolean(other) && ["scale", "x", "y", "width", "height"].every((name) => this[name] === other[name]);
  }

  /** The same view of a wider window. */
  widened(by) {
    const [dx, dy] = [Math.round(this.width * by), Math.round(this.height * by)];
    return new View(this.scale, this.x + dx, this.y + dy, this.width + 2 * dx, this.height + 2 * dy, this.ratio);
  }

  /** CSS pixels a unit. */
  get zoom() {
    return this.scale / this.ratio;
  }

  place(x, y) {
    return [x * this.scale + this.x, y * this.scale + this.y];
  }

  /** Pixels for a radius in units: discs shrink more slowly than the drawing, and never vanish. */
  radius(units) {
    return Math.max(1.1, units * (this.zoom < 1 ? this.zoom ** 0.8 : this.zoom ** 0.5)) * this.ratio;
  }

  /** A place across the window, moved in until so much room is on both sides of it. */
  inside(x, room) {
    return x + room < 0 || x - room > this.width ? x : Math.max(room, Math.min(this.width - room, x));
  }

  /** Whether a disc lies outside the window. */
  misses(x, y, radius) {
    return x < -radius || y < -radius || x > this.width + radius || y > this.height + radius;
  }

  /** Whether a line surely lies outside the window. */
  missesLine(x1, y1, x2, y2) {
    const { width, height } = this;
    return (x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > width && x2 > width) || (y1 > height && y2 > height);
  }
}

function overlap(a, b) {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}

/** From a point to the line between two others. */
function distance([x, y], [x1, y1], [x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const part = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x1 + part * dx - x, y1 + part * dy - y);
}

/** The least and the most of the values of some nodes. */
function extremes(nodes, values) {
  let [least, most] = [Infinity, -Infinity];
  for (const node of nodes) {
    least = Math.min(least, values[node]);
    most = Math.max(most, values[node]);
  }
  return [least, most];
}
