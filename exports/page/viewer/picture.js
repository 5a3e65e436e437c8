/* The drawing as a picture of its own: the part of the window that no panel covers, with a legend below. */

class Picture {
  /** @param {Graph} graph @param {Painter} painter @param {Camera} camera */
  constructor(graph, painter, camera) {
    this.graph = graph;
    this.painter = painter;
    this.camera = camera;
  }

  /** Return the part of the drawing that no panel covers, its size, and the legend. */
  #parts() {
    const area = this.camera.page.uncoveredArea();
    const legend = new PictureLegend(this.graph, this.painter, byId("status").textContent);
    const [width, height] = [Math.ceil(area.right - area.left), Math.ceil(area.bottom - area.top)];
    return { area, legend, width, height, total: Math.ceil(height + legend.height(width)) };
  }

  /**
   * Return the viewport of the camera at another number of device pixels, moved by some pixels.
   * @param {number} ratio
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   */
  #view(ratio, left, top, width, height) {
    const { view } = this.camera;
    const factor = ratio / view.ratio;
    const [x, y] = [view.x * factor - left * ratio, view.y * factor - top * ratio];
    return new Viewport(view.scale * factor, x, y, width * ratio, height * ratio, ratio);
  }

  /** Draw everything directly; the labels of the page are placed again afterwards. @param {any} context @param {Viewport} view */
  #paint(context, view) {
    this.painter.frame(context, view, true);
    setTimeout(() => this.camera.redraw());
  }

  /** Return the picture on a canvas, with at least two device pixels per pixel. */
  canvas() {
    const { area, legend, width, height, total } = this.#parts();
    const ratio = Math.max(2, this.camera.view.ratio);
    const [canvas, drawing] = [total, height].map((rows) =>
      element("canvas", { width: width * ratio, height: rows * ratio }),
    );
    this.#paint(contextOf(drawing), this.#view(ratio, area.left, area.top, width, height));
    const context = contextOf(canvas);
    context.fillStyle = this.painter.colours.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(drawing, 0, 0);
    legend.draw(context, 0, height, width, ratio);
    return canvas;
  }

  /** Return the picture as SVG, in the coordinates of the window. */
  svg() {
    const { area, legend, width, height, total } = this.#parts();
    const { clientWidth, clientHeight } = this.camera.canvas;
    const recorder = new SvgRecorder(clientWidth, clientHeight);
    this.#paint(recorder, this.#view(1, 0, 0, clientWidth, clientHeight));
    legend.draw(/** @type {any} */ (recorder), area.left, area.top + height, width, 1);
    const box = `x="${area.left}" y="${area.top}" width="${width}" height="${total}"`;
    return [
      `<svg xmlns="${SVG}" width="${width}" height="${total}" viewBox="${area.left} ${area.top} ${width} ${total}">`,
      `<rect ${box} fill="${this.painter.colours.ground}"/>`,
      ...recorder.parts,
      "</svg>",
    ].join("\n");
  }
}
