/* A bar chart of the papers per year. */

const CHART = { width: 352, height: 74, bar: 44, foot: 16, head: 15 }; // in units of the chart

/**
 * Draw `counts`, the number of papers by year; bars are labelled where there is room.
 * @param {Map<number, number>} counts
 * @param {number} type
 */
function timeline(counts, type) {
  const { width, height, head, foot } = CHART;
  const years = [...counts.keys()].sort((a, b) => a - b);
  const [first, last] = [years[0], years[years.length - 1]];
  const step = Math.min(CHART.bar, width / (last - first + 1));
  const scale = (height - head - foot) / Math.max(...counts.values());
  /** @param {number} number @param {number} x @param {number | string} y */
  const text = (number, x, y) => svgElement("text", { x: x.toFixed(1), y, "text-anchor": "middle" }, String(number));
  const bars = years.flatMap((year) => {
    const papers = counts.get(year) ?? 0;
    const [left, barHeight] = [(year - first) * step, papers * scale];
    const middle = left + step / 2;
    const top = height - foot - barHeight;
    const size = {
      x: (left + 1).toFixed(1),
      y: top.toFixed(1),
      width: (step - 2).toFixed(1),
      height: barHeight.toFixed(1),
    };
    const isLabelled = step > 34 || year === first || year === last;
    return [
      svgElement("rect", size),
      step > 14 ? text(papers, middle, (top - 4).toFixed(1)) : null,
      isLabelled ? text(year, Math.max(13, Math.min(width - 13, middle)), height - 3) : null,
    ];
  });
  const drawn = bars.filter((bar) => bar !== null);
  const label = `Papers by year: ${years.map((year) => `${year}: ${counts.get(year)}`).join(", ")}`;
  const attributes = { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label };
  const axis = svgElement("path", { d: `M0 ${height - foot}H${width}` });
  return svgElement("svg", { class: `timeline type-${type % 8}`, ...attributes }, ...drawn, axis);
}
