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
    this.picture = new Picture(graph, painter, camera);
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
        ["Image (SVG)", () => download("graph.svg", "image/svg+xml", this.picture.svg())],
        ["Print…", () => print()],
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

  png() {
    this.picture.canvas().toBlob((blob) => download("graph.png", "image/png", required(blob, "The image")));
  }
}
