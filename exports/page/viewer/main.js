/* Opens the page. */

async function open() {
  const columns = await unpack(embedded("columns"));
  return new Page(new Graph(embedded("about"), columns, embedded("texts")));
}

function fail(error) {
  const trouble = document.getElementById("trouble");
  trouble.textContent = `This page could not draw its graph: ${error.message}. It needs a current browser.`;
  trouble.hidden = false;
}

open().then((page) => document.documentElement.setAttribute("data-ready", String(page.graph.size)), fail);
