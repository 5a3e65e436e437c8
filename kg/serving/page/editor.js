// The query editor, in the query page of `kg serve` and in a page that answers SPARQL itself.
"use strict";

/**
 * Creates the editor in an element. `prefixes` are declared in every query; `ask` answers a query as SPARQL JSON.
 */
// eslint-disable-next-line no-unused-vars -- called by the scripts of both pages
function makeQueryEditor(parent, prefixes, ask) {
  const autocompleters = [
    "variables",
    makeAutocompleter("class", "?s a ?term", ask),
    makeAutocompleter("property", "?s ?term ?o", ask),
  ];
  const editor = new Yasqe(parent, {
    autocompleters,
    persistenceId: null,
    consumeShareLink: null,
    createShareableLink: null,
    prefixCcApi: null,
    showQueryButton: false,
    resizeable: true,
    editorHeight: "16rem",
  });
  declarePrefixes(editor, prefixes);
  parent.querySelector("textarea").setAttribute("aria-label", "SPARQL query");
  parent.querySelector(".CodeMirror-scroll").tabIndex = 0;
  return editor;
}

/** Registers an autocompleter for the classes or properties of the graph; returns its name. */
function makeAutocompleter(name, pattern, ask) {
  Yasqe.forkAutocompleter(name, {
    name: `own-${name}`,
    bulk: true,
    autoShow: false,
    persistenceId: null,
    get: async () => {
      const answer = await ask(`SELECT DISTINCT ?term { ${pattern} }`);
      return answer.results.bindings.map((row) => row.term.value);
    },
  });
  return `own-${name}`;
}

/** Declares prefixes in the editor, for autocompletion and for its syntax check. */
function declarePrefixes(editor, prefixes) {
  const mode = editor.getMode();
  const start = mode.startState;
  mode.startState = () => Object.assign(start.call(mode), { prefixes: { ...prefixes } });
  editor.getPrefixesFromQuery = () => prefixes;
}
