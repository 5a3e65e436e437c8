"""The graph as compact JSON-LD with an embedded context, so that reading it needs no network.

The context, `schemas/context.jsonld`, defines the form of each term. There is one node per line.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import citekg.schemas
from citekg.exports.rdf.mapping import BOOLEAN, INTEGER, TEXT, TYPE, Literal, Object
from citekg.exports.rdf.triples import Triple, triples
from citekg.exports.rdf.vocabulary import DECLARATION_PREFIXES
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.vocabulary import DEFAULT, PREFIXES, Vocabulary

Definitions = dict[str, Any]


def jsonld(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:
    """Yield compact JSON-LD: `@context`, then `@graph` with one node per line."""
    definitions = context() | {"ckgid": options.base_iri} | _own_prefixes(graph.vocabulary)
    writer = _Writer(definitions)
    yield f'{{"@context": {_json(definitions)},\n"@graph": ['.encode()
    comma = "\n"
    for subject, block in groupby(triples(graph, options), key=lambda triple: triple[0]):
        yield f"{comma}{_json(writer.node(subject, block))}".encode()
        comma = ",\n"
    yield b"\n]}\n"


def context() -> Definitions:
    """Return the definitions of the project's JSON-LD context."""
    file = Path(citekg.schemas.__file__).with_name("context.jsonld")
    definitions: Definitions = json.loads(file.read_text(encoding="utf-8"))["@context"]
    return definitions


def _own_prefixes(vocabulary: Vocabulary) -> Definitions:
    return (
        {}
        if vocabulary == DEFAULT
        else {n: PREFIXES[n] for n in DECLARATION_PREFIXES} | dict(vocabulary.namespaces)
    )


class _Writer:
    """A compactor: it writes nodes with the terms and the prefixes of a context."""

    def __init__(self, definitions: Definitions) -> None:
        self.spaces = {
            iri: p for p, iri in definitions.items() if isinstance(iri, str) and iri[-1] in "/#:"
        }
        self.terms: dict[str, tuple[str, str]] = {TYPE: ("type", "@vocab")}
        for name, meaning in definitions.items():
            if isinstance(meaning, dict):
                self.terms[self._expand_iri(meaning["@id"], definitions)] = (
                    name,
                    self._expand_iri(meaning["@type"], definitions),
                )
            elif isinstance(meaning, str) and meaning not in self.spaces:
                self.terms[self._expand_iri(meaning, definitions)] = (name, TEXT)

    @staticmethod
    def _expand_iri(name: str, definitions: Definitions) -> str:
        prefix, _, local = name.partition(":")
        return f"{definitions[prefix]}{local}" if local else name

    def node(self, subject: str, block: Iterable[Triple]) -> Definitions:
        """Return a subject as a node object; a property with several values has a list."""
        values: defaultdict[str, list[Any]] = defaultdict(list)
        for _, predicate, value in block:
            name, coercion = self.terms.get(predicate) or (self._compact_iri(predicate), TEXT)
            values[name].append(self._value(value, coercion))
        return {"id": self._compact_iri(subject)} | {
            n: v[0] if len(v) == 1 else v for n, v in values.items()
        }

    def _value(self, value: Object, coercion: str) -> Any:
        if not isinstance(value, Literal):
            if coercion == "@vocab" and value in self.terms:
                return self.terms[value][0]
            return (
                self._compact_iri(value)
                if coercion.startswith("@")
                else {"id": self._compact_iri(value)}
            )
        if value.datatype != coercion:
            return {"@type": self._compact_iri(value.datatype), "@value": value.text}
        if coercion == BOOLEAN:
            return value.text == "true"
        return int(value.text) if coercion == INTEGER else value.text

    def _compact_iri(self, iri: str) -> str:
        space = next((s for s in self.spaces if iri.startswith(s)), "")
        return f"{self.spaces[space]}:{iri[len(space) :]}" if space else iri


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
