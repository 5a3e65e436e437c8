/* Opens the page. */

async function open() {
  const columns = await unpack(embedded("columns"));
  return new Page(new Graph(embedded("about"), columns, embedded("texts")));
}

/** @param {Error} error */
function fail(error) {
  const failure = byId("failure");
  failure.textContent = `The graph could not be drawn: ${error.message}. Please open this page in a current browser.`;
  failure.hidden = false;
}

open().then((page) => document.documentElement.setAttribute("data-ready", String(page.graph.size)), fail);
