/* SPARQL in the page: the worker that answers queries, which starts at the first query. */

const FROM_CLAUSE = /(?<![?$:\w])from(?!\w)/i;
const NOT_CODE = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|<[^<>\s"{}|^`]*>|#[^\r\n]*/g; // strings, IRIs, comments
const TOO_COMPLEX = "This query is too complex, or needs more memory than the page has: narrow it.";

/** Declare prefixes before a query, on a line of their own. @param {Record<string, string>} prefixes */
function prologue(prefixes) {
  const declared = Object.entries(prefixes).map(([name, iri]) => `PREFIX ${name}: <${iri}>`);
  return `${declared.join(" ")}\n`;
}

/** Whether a query names the graphs that it is about. @param {string} query */
function hasFromClause(query) {
  return FROM_CLAUSE.test(query.replace(NOT_CODE, " "));
}

/**
 * Return a message of the engine in words, with the line of the query, not of the text with its prologue.
 * @param {string} message
 */
function queryError(message) {
  if (/service.*not supported/i.test(message)) return "SERVICE is refused: a query is answered from this page alone.";
  const found = /error at (\d+):(\d+): (.*)/s.exec(message);
  if (!found) return message;
  const [, line, column, expected] = found;
  if (/^expected (one of )?(CONSTRUCT|ASK|SELECT|DESCRIBE)/.test(expected) && Number(line) < 3) {
    return `Line ${Number(line) - 1}, column ${column}: SELECT, ASK, CONSTRUCT or DESCRIBE is expected. Updates are refused.`;
  }
  return `Line ${Number(line) - 1}, column ${column}: this or the text before it is malformed.`;
}

class SparqlEngine {
  /** @param {Graph} graph @param {EmbeddedSparql} parts */
  constructor(graph, parts) {
    this.graph = graph;
    this.parts = parts;
    this.prologue = prologue(parts.prefixes);
    /** @type {Promise<Worker> | null} */
    this.started = null;
    /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.asked = 0;
  }

  /**
   * Answer a query: rows, or a text in a format. Reject with a message for the reader.
   * @param {string} query
   * @param {boolean} withTentative
   * @param {string} [format]
   * @returns {Promise<any>}
   */
  async ask(query, withTentative, format = "") {
    this.started ??= this.#start();
    const worker = await this.started;
    const dataset = hasFromClause(query) ? "own" : withTentative ? "all" : "firm";
    return this.#post(worker, { query: this.prologue + query, dataset, format });
  }

  /** End the worker and the queries that it answers; the next query starts another one. */
  async stop(reason = "Stopped.") {
    const { started } = this;
    this.started = null;
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
    if (started) (await started.catch(() => null))?.terminate();
  }

  async #start() {
    const source = await inflated(this.parts.worker).text();
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop(`The SPARQL engine cannot run here: ${event.message || "this browser blocks it"}.`);
    };
    const { engine, quads } = this.parts;
    await this.#post(worker, { engine, quads, labels: this.graph.label, texts: this.graph.blocks });
    URL.revokeObjectURL(address);
    return worker;
  }

  /** @param {Worker} worker @param {object} message @returns {Promise<any>} */
  #post(worker, message) {
    const id = this.asked++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...message });
    });
  }

  /** @param {WorkerReply} reply */
  #receive({ id, value, error, isBroken }) {
    const asked = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) return asked?.resolve(value);
    asked?.reject(new Error(isBroken ? TOO_COMPLEX : queryError(error)));
    return isBroken ? this.stop() : undefined;
  }
}
