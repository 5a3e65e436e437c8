/* Shapes of node types and line styles of roles, so that nothing is encoded by colour alone. */

/** @type {Outline[]} */
const OUTLINES = [
  [
    [-0.8, -1],
    [0.8, -1],
    [0.8, 1],
    [-0.8, 1],
  ], // a page, for papers
  [], // a circle
  polygon(4, Math.PI / 4, 1.2), // a square
  polygon(4, 0, 1.3), // a diamond
  polygon(3, -Math.PI / 2, 1.35), // a triangle
  polygon(6, 0, 1.1), // a hexagon
  polygon(3, Math.PI / 2, 1.35), // an inverted triangle
  polygon(5, -Math.PI / 2, 1.15), // a pentagon
];

const CIRCLE = 1;

/** Line styles of roles and kinds of links when highlighted, by index. @type {Stroke[]} */
const STROKES = [
  { width: 3, dash: [] },
  { width: 2, dash: [9, 3] },
  { width: 1.6, dash: [] },
  { width: 1.6, dash: [5, 3] },
  { width: 2, dash: [2, 2] },
  { width: 1.4, dash: [3, 3] },
  { width: 1.2, dash: [] },
  { width: 1, dash: [1.5, 4] },
];

/** Return the line style of an edge label: a role, a kind of link, or a special label. @param {number} label */
function strokeOf(label) {
  return (
    {
      [CO_MENTION]: { width: 1.4, dash: [] },
      [VARIANT]: { width: 1.4, dash: [1, 4] },
      [REFERENCE]: { width: 1, dash: [7, 2, 1, 2] },
    }[label] ?? STROKES[label % STROKES.length]
  );
}

/** @param {number} corners @param {number} turn @param {number} reach @returns {Outline} */
function polygon(corners, turn, reach) {
  return Array.from({ length: corners }, (_, i) => {
    const angle = turn + (2 * Math.PI * i) / corners;
    return [reach * Math.cos(angle), reach * Math.sin(angle)];
  });
}

/**
 * Return the shape of a type by its index; the page shape is reserved for papers, which follow all types.
 * @param {number} type
 * @param {number} types
 */
function shapeOf(type, types) {
  return type >= types ? 0 : 1 + (type % (OUTLINES.length - 1));
}

/**
 * Add the outline of a node to the current path.
 * @param {CanvasRenderingContext2D} context
 * @param {number} shape
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function trace(context, shape, x, y, radius) {
  const corners = OUTLINES[shape];
  if (!corners.length) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
    return;
  }
  corners.forEach(([dx, dy], i) => {
    if (i) context.lineTo(x + dx * radius, y + dy * radius);
    else context.moveTo(x + dx * radius, y + dy * radius);
  });
  context.closePath();
}

/**
 * Return the same outline as SVG path data.
 * @param {number} shape
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function outline(shape, x, y, radius) {
  const corners = OUTLINES[shape];
  /** @param {number} value */
  const digits = (value) => value.toFixed(2);
  if (!corners.length) {
    const r = digits(radius);
    return `M${digits(x - radius)} ${digits(y)}a${r} ${r} 0 1 0 ${digits(2 * radius)} 0a${r} ${r} 0 1 0 ${digits(-2 * radius)} 0`;
  }
  return `M${corners.map(([dx, dy]) => `${digits(x + dx * radius)} ${digits(y + dy * radius)}`).join("L")}Z`;
}
