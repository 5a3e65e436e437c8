/* Requests to the server of the page, with the token of its address; what is not saved yet stays in the browser. */

class AnnotationServer {
  constructor() {
    this.token = new URLSearchParams(location.search).get("token") ?? "";
  }

  /** @returns {Promise<AnnotationOverview>} */
  async overview() {
    return (await this.#request("GET", "papers")).json();
  }

  /** @param {number} at @returns {Promise<AnnotationPaper>} */
  async paper(at) {
    return (await this.#request("GET", `papers/${at}`)).json();
  }

  /** @param {number} at @param {AnnotatedEntity[]} entities */
  async save(at, entities) {
    await this.#request("POST", `papers/${at}`, JSON.stringify({ entities }));
  }

  /** @param {string} method @param {string} path @param {string} [body] */
  #request(method, path, body) {
    const unanswered = "The server does not answer. Start kg annotate again, and open the address that it prints.";
    return tokenRequest(path, this.token, unanswered, method, body);
  }
}

/** The names of papers that are not saved yet, kept in the browser until they are. */
class AnnotationDrafts {
  /** @param {AnnotationOverview} overview */
  constructor({ file, annotator }) {
    this.prefix = JSON.stringify(["kg annotate", file, annotator]);
  }

  /** Return the names kept of a paper; null if there are none, or of another text. @param {AnnotationPaper} paper @returns {AnnotatedName[] | null} */
  read(paper) {
    try {
      const kept = JSON.parse(localStorage.getItem(this.prefix + paper.id) ?? "null");
      return kept?.abstract === paper.abstract && Array.isArray(kept.names) ? kept.names : null;
    } catch {
      return null;
    }
  }

  /** @param {AnnotationPaper} paper @param {AnnotatedName[]} names */
  write({ id, abstract }, names) {
    try {
      localStorage.setItem(this.prefix + id, JSON.stringify({ abstract, names }));
    } catch {
      return; // the browser keeps nothing: the paper is safe once it is saved
    }
  }

  /** @param {AnnotationPaper} paper */
  remove({ id }) {
    try {
      localStorage.removeItem(this.prefix + id);
    } catch {
      return;
    }
  }
}
