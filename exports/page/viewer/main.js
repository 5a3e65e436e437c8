/* Opens the page. */

async function open() {
  const [columns, details] = await Promise.all([
    inflated(embedded("columns")).json(),
    inflated(embedded("details")).text(),
  ]);
  return new Page(new Graph(embedded("about"), columns, embedded("texts"), () => JSON.parse(details)));
}

/** @param {Error} error */
function fail(error) {
  const failure = byId("failure");
  failure.textContent = `The graph could not be drawn: ${error.message}. Please open this page in a current browser.`;
  failure.hidden = false;
}

/** Mark the page as ready after its first frame. @param {Page} page */
function markReady(page) {
  requestAnimationFrame(() => document.documentElement.setAttribute("data-ready", String(page.graph.size)));
}

open().then(markReady, fail);
