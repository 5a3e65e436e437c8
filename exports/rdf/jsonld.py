"""The graph as compact JSON-LD, with its context in the file, so that reading it needs no network.

The context, `schemas/context.jsonld`, decides how every term is written. One node a line.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import citekg.schemas
from citekg.exports import ExportOptions
from citekg.exports.rdf.mapping import INTEGER, TEXT, TYPE, Literal, Object
from citekg.exports.rdf.triples import Triple, triples
from citekg.exports.rdf.vocabulary import PREFIXES_USED
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.vocabulary import DEFAULT, PREFIXES, Vocabulary

Definitions = dict[str, Any]


def jsonld(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Compact JSON-LD: `@context`, then `@graph` with a node a line."""
    definitions = context() | {"ckgid": options.base_iri} | _own_prefixes(graph.vocabulary)
    writer = _Writer(definitions)
    yield f'{{"@context": {_json(definitions)},\n"@graph": ['.encode()
    comma = "\n"
    for subject, block in groupby(triples(graph, options), key=lambda triple: triple[0]):
        yield f"{comma}{_json(writer.node(subject, block))}".encode()
        comma = ",\n"
    yield b"\n]}\n"


def context() -> Definitions:
    """The definitions of the project's JSON-LD context."""
    file = Path(citekg.schemas.__file__).with_name("context.jsonld")
    definitions: Definitions = json.loads(file.read_text(encoding="utf-8"))["@context"]
    return definitions


def _own_prefixes(vocabulary: Vocabulary) -> Definitions:
    return {} if vocabulary == DEFAULT else {n: PREFIXES[n] for n in PREFIXES_USED} | dict(vocabulary.namespaces)


class _Writer:
    """Nodes under a context: its terms for classes and properties, its prefixes for the rest."""

    def __init__(self, definitions: Definitions) -> None:
        self.spaces = {iri: p for p, iri in definitions.items() if isinstance(iri, str) and iri[-1] in "/#:"}
        self.terms: dict[str, tuple[str, str]] = {TYPE: ("type", "@vocab")}
        for name, meaning in definitions.items():
            if isinstance(meaning, dict):
                self.terms[self._full(meaning["@id"], definitions)] = (name, self._full(meaning["@type"], definitions))
            elif isinstance(meaning, str) and meaning not in self.spaces:
                self.terms[self._full(meaning, definitions)] = (name, TEXT)

    @staticmethod
    def _full(name: str, definitions: Definitions) -> str:
        prefix, _, local = name.partition(":")
        return f"{definitions[prefix]}{local}" if local else name

    def node(self, subject: str, block: Iterable[Triple]) -> Definitions:
        """One subject with all its properties; those with several values have a list."""
        told: defaultdict[str, list[Any]] = defaultdict(list)
        for _, predicate, value in block:
            name, coercion = self.terms.get(predicate) or (self._short(predicate), TEXT)
            told[name].append(self._value(value, coercion))
        return {"id": self._short(subject)} | {n: v[0] if len(v) == 1 else v for n, v in told.items()}

    def _value(self, value: Object, coercion: str) -> Any:
        if not isinstance(value, Literal):
            if coercion == "@vocab" and value in self.terms:
                return self.terms[value][0]
            return self._short(value) if coercion.startswith("@") else {"id": self._short(value)}
        if value.datatype != coercion:
            return {"@type": self._short(value.datatype), "@value": value.text}
        return int(value.text) if coercion == INTEGER else value.text

    def _short(self, iri: str) -> str:
        space = next((s for s in self.spaces if iri.startswith(s)), "")
        return f"{self.spaces[space]}:{iri[len(space) :]}" if space else iri


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
