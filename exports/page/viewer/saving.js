/* Downloads: the drawing as PNG or SVG, references to the papers, and the graph as CSV, JSON or Turtle. */

/** @param {string} name @param {string} type @param {Blob | string} content */
function download(name, type, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

class Saving {
  /** @param {Graph} graph @param {Painter} painter @param {Camera} camera */
  constructor(graph, painter, camera) {
    this.files = new GraphFiles(graph, painter);
    this.references = new References(graph, painter);
    this.readingList = new ReadingList(graph, painter, this.references);
    this.painter = painter;
    this.camera = camera;
  }

  /**
   * The downloads by group: label and action.
   * @returns {Record<string, [string, () => void][]>}
   */
  get formats() {
    const { files, references } = this;
    return {
      Drawing: [
        ["Image (PNG)", () => this.png()],
        ["Image (SVG)", () => download("graph.svg", "image/svg+xml", this.svg())],
      ],
      References: [
        ["BibTeX", async () => download("graph.bib", "application/x-bibtex", await references.bibtex())],
        ["RIS", async () => download("graph.ris", "application/x-research-info-systems", await references.ris())],
        ["Reading list (Markdown)", async () => download("graph.md", "text/markdown", await this.readingList.markdown())],
      ],
      Data: [
        ["Relations (CSV)", async () => download("graph.csv", "text/csv", await files.csv())],
        ["Results (CSV)", async () => download("results.csv", "text/csv", await files.resultsCsv())],
        ["Graph (JSON)", async () => download("graph.json", "application/json", await files.json())],
        ["Graph (Turtle)", () => download("graph.ttl", "text/turtle", files.turtle())],
      ],
    };
  }

  /** Download the drawing as in the window, with its background. */
  png() {
    const source = this.camera.canvas;
    const copy = element("canvas", { width: source.width, height: source.height });
    const context = contextOf(copy);
    context.fillStyle = this.painter.colours.ground;
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(source, 0, 0);
    copy.toBlob((blob) => download("graph.png", "image/png", required(blob, "The image")));
  }

  svg() {
    const { view } = this.camera;
    const recorder = new SvgRecorder(view.width, view.height);
    this.painter.frame(/** @type {any} */ (recorder), view, true);
    const [width, height] = [view.width / view.ratio, view.height / view.ratio];
    return [
      `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${view.width} ${view.height}">`,
      `<rect width="100%" height="100%" fill="${this.painter.colours.ground}"/>`,
      ...recorder.parts,
      "</svg>",
    ].join("\n");
  }
}
