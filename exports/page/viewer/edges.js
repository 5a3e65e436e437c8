/* The edges of a view. */

/** The edges of the current view: `from` and `to` are nodes, `weight` counts the statements behind each edge. */
class Edges {
  /** @param {number} size @param {number[][]} rows from, to, weight and label */
  constructor(size, rows) {
    this.count = rows.length;
    this.from = new Int32Array(this.count).map((_zero, edge) => rows[edge][0]);
    this.to = new Int32Array(this.count).map((_zero, edge) => rows[edge][1]);
    this.weight = new Int32Array(this.count).map((_zero, edge) => rows[edge][2]);
    this.label = new Uint8Array(this.count).map((_zero, edge) => rows[edge][3]);
    this.size = size;
    /** @type {Incidence | undefined} */
    this.nodeEdges = undefined;
  }

  /** The edges of each node. */
  get incidence() {
    this.nodeEdges ??= new Incidence(this.size, this.from, this.to);
    return this.nodeEdges;
  }

  /** @param {number} edge @param {number} node */
  other(edge, node) {
    return this.from[edge] === node ? this.to[edge] : this.from[edge];
  }

  /** @param {number} node */
  neighbours(node) {
    return new Set(Array.from(this.incidence.of(node), (edge) => this.other(edge, node)));
  }

  /** Return the edges whose ends are both in the mask `kept`. @param {number} size @param {Uint8Array} kept */
  within(size, kept) {
    const rows = [];
    for (let i = 0; i < this.count; i++) {
      const row = [this.from[i], this.to[i], this.weight[i], this.label[i]];
      if (kept[row[0]] && kept[row[1]]) rows.push(row);
    }
    return new Edges(size, rows);
  }
}
