/* Addresses of a paper on the web: its own ones, or else a search for its title. */

const TITLE_SEARCH = "https://scholar.google.com/scholar?q=";

/** @param {string} arxiv */
function arxivAddress(arxiv) {
  return `https://arxiv.org/abs/${encodeURIComponent(arxiv).replaceAll("%2F", "/")}`;
}

/** @param {string} doi */
function doiAddress(doi) {
  return `https://doi.org/${encodeURIComponent(doi).replaceAll("%2F", "/")}`;
}

/**
 * Return the text and the address of each link out of a paper, best first; a paper without an address of its own has a
 * search for its title. Only web addresses become links.
 * @param {Graph} graph
 * @param {number} paper
 * @returns {[string, string][]}
 */
function linksOut(graph, paper) {
  const [arxiv, doi, url] = [graph.paper(paper, "arxiv"), graph.paper(paper, "doi"), graph.paper(paper, "url")];
  const title = graph.label[paper].trim();
  /** @type {[string, string][]} */
  const links = [];
  if (doi) links.push([`DOI ${doi}`, doiAddress(doi)]);
  if (arxiv) links.push([`arXiv ${arxiv}`, arxivAddress(arxiv)]);
  if (isWeb(url)) links.push(["Source page", url]);
  if (!links.length && title) links.push(["Search for the title", TITLE_SEARCH + encodeURIComponent(title)]);
  for (const link of (graph.paper(paper, "links") ?? []).filter(isWeb)) links.push([hostAndEnd(link), link]);
  return links;
}
