/* The worker that answers SPARQL; the bindings of Oxigraph and `inflated` come before this script. */

const SPARQL_JSON = "application/sparql-results+json";
const DATATYPE_STRING = "http://www.w3.org/2001/XMLSchema#string";
const LOADED_AT_ONCE = 64_000; // characters of N-Quads that are handed to the store together

/** @type {Store | undefined} */
let store;
/** The graphs with all claims. @type {(DefaultGraph | NamedNode)[]} */
let allGraphs = [];

/** Undo the front coding of sorted names. @param {PackedQuads["names"]} names */
function decodedNames([shared, rests]) {
  let name = "";
  return rests.map((rest, i) => (name = name.slice(0, shared[i]) + rest));
}

/** Return a literal as in N-Quads. @param {string} text @param {string} datatype */
function nquadsLiteral(text, datatype) {
  const escaped = text.replace(/[\\"\n\r]/g, (c) => ({ "\n": "\\n", "\r": "\\r" })[c] ?? `\\${c}`);
  return datatype === DATATYPE_STRING ? `"${escaped}"` : `"${escaped}"^^<${datatype}>`;
}

/**
 * Yield the quads as lines of N-Quads; `held` are the texts of the page to which numbers in columns of literals refer.
 * @param {PackedQuads} packed
 * @param {string[]} held
 */
function* nquads({ names: coded, graphs, shapes, columns }, held) {
  const names = decodedNames(coded);
  const read = columns.map(() => 0);
  /** @param {number} column @param {number} subject */
  const object = (column, subject) => {
    const [, datatype, relative, values] = columns[column];
    const value = values[read[column]++];
    if (datatype >= 0) return nquadsLiteral(typeof value === "number" ? held[value] : value, names[datatype]);
    return `<${names[Number(value) + (relative ? subject : 0)]}>`;
  };
  for (const [graph, distances, ofSubjects] of graphs) {
    const end = graph ? ` <${graph}> .\n` : " .\n";
    let subject = 0;
    for (const [i, shape] of ofSubjects.entries()) {
      subject += distances[i];
      for (const column of shapes[shape]) {
        yield `<${names[subject]}> <${names[columns[column][0]]}> ${object(column, subject)}${end}`;
      }
    }
  }
}

/** Join short texts to longer ones. @param {Iterable<string>} parts @param {number} length */
function* joined(parts, length) {
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length < length) continue;
    yield text;
    text = "";
  }
  yield text;
}

/**
 * Fill the store in one transaction, without checking the IRIs again, which come from a store; return
 * the number of its quads.
 * @param {WorkerStart} start
 */
async function openStore({ engine, quads, labels, texts }) {
  const abstracts = texts.map(async (block) => (await inflated(block).json()).map((/** @type {PaperText} */ p) => p.abstract));
  const held = labels.concat(...(await Promise.all(abstracts)));
  const packed = /** @type {PackedQuads} */ (await inflated(quads).json());
  initSync({ module: await inflated(engine).arrayBuffer() });
  store = new Store();
  store.load(joined(nquads(packed, held), LOADED_AT_ONCE), { format: "application/n-quads", lenient: true });
  allGraphs = packed.graphs.map(([name]) => (name ? namedNode(name) : defaultGraph()));
  return store.size;
}

/**
 * Answer a query in a format; without one, as rows.
 * @param {WorkerQuery} asked
 * @returns {SparqlAnswer | string}
 */
function answerQuery({ query, dataset, format }) {
  if (!store) throw new Error("the store is empty");
  const graphs = { all: { default_graph: allGraphs }, firm: { default_graph: [defaultGraph()] }, own: {} }[dataset];
  if (format) return String(store.query(query, { ...graphs, results_format: format }));
  try {
    return JSON.parse(String(store.query(query, { ...graphs, results_format: SPARQL_JSON })));
  } catch (error) {
    if (!/not supported.*format/i.test(String(error))) throw error;
    return triplesAnswer(/** @type {Quad[]} */ (store.query(query, graphs)));
  }
}

/** Return triples as the rows of an answer. @param {Quad[]} triples @returns {SparqlAnswer} */
function triplesAnswer(triples) {
  const vars = ["subject", "predicate", "object"];
  /** @param {RdfTerm} term @returns {SparqlTerm} */
  const json = (term) =>
    term.termType === "Literal"
      ? { type: "literal", value: term.value, datatype: term.datatype.value }
      : { type: term.termType === "NamedNode" ? "uri" : "bnode", value: term.value };
  const bindings = triples.map((triple) => ({
    subject: json(triple.subject),
    predicate: json(triple.predicate),
    object: json(triple.object),
  }));
  return { head: { vars }, results: { bindings }, triples: true };
}

/** @param {MessageEvent<WorkerRequest>} event */
async function reply({ data }) {
  try {
    const value = "engine" in data ? await openStore(data) : answerQuery(data);
    postMessage({ id: data.id, value });
  } catch (error) {
    const isBroken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    postMessage({ id: data.id, isBroken, error: error instanceof Error ? error.message : String(error) });
  }
}

addEventListener("message", reply);
