/* Corrections that `kg serve --edit` writes: requests to the server of the page, with the token of its address. */

const CORRECTIONS_PATH = "/corrections";

class EditServer {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
  }

  /** Return the server of the page; null if it does not write, or if the address has no token. @param {About} about */
  static of(about) {
    const token = about.editable ? new URLSearchParams(location.search).get("token") : "";
    return token ? new EditServer(token) : null;
  }

  /** Return the decisions of the file and its name. @returns {Promise<{ place: string, entries: Correction[] }>} */
  async read() {
    return (await this.#request("GET")).json();
  }

  /** Write corrections, and open the rebuilt page. @param {Correction[]} corrections */
  async add(corrections, onWritten = () => {}) {
    const decisions = corrections.map(({ date: _date, reason, ...fields }) => (reason ? { ...fields, reason } : fields));
    await this.#change({ add: decisions });
    onWritten();
    location.reload();
  }

  /** Remove a decision of the file, and open the rebuilt page. @param {Correction} decision */
  async remove(decision) {
    await this.#change({ remove: decision });
    location.reload();
  }

  /** @param {object} change */
  async #change(change) {
    const working = openDialog("Rebuilding the graph…", element("p", "The page opens again when the graph is ready."));
    try {
      await this.#request("POST", JSON.stringify(change));
    } finally {
      working.close();
    }
  }

  /** @param {string} method @param {string} [body] */
  #request(method, body) {
    const unanswered = "The server does not answer: is kg serve still running?";
    return tokenRequest(CORRECTIONS_PATH, this.token, unanswered, method, body).catch((error) => {
      throw new CorrectionError(error.message);
    });
  }
}
