"""The graph as Markdown notes for Obsidian: one note per paper and per entity, linked both ways.

A file is named after the title of the paper or the name of the entity, without the characters that
an operating system or Obsidian forbids. Names that would collide on any system get a short hash of
the id.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from citekg.exports.texts.markdown import one_line, plain, web_link
from citekg.exports.texts.reported import markdown_line
from citekg.exports.zip_files import zip_files
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.plugins import ExportOptions
from citekg.schemas.records import Entity, Introduction, Link, Paper, Relation, Result, ResultName
from citekg.schemas.vocabulary import LINKS, Vocabulary

_FORBIDDEN: Final = re.compile(r'[\\/:*?"<>|#^\[\]%`\s]+')
#: The reserved device names of Windows, with or without an extension.
_RESERVED: Final = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?= *(?:\.|$))", re.IGNORECASE
)
_MAX_NAME_BYTES: Final = 120


def notes(graph: KnowledgeGraph, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001
    """Yield a zip file with a folder `citekg`: `papers/`, `entities/` and the index `citekg`."""
    vault = _Vault.of(graph)
    return zip_files((f"citekg/{name}.md", (text.encode(),)) for name, text in vault.notes())


def file_names(titles: Mapping[str, str]) -> dict[str, str]:
    """Return a unique file name for each id, safe on every operating system.

    >>> file_names({"a": "C#: a/b?", "b": "CON", "c": "..."})
    {'a': 'C a b', 'b': 'CON_', 'c': 'untitled'}
    """
    safe = {key: _safe(title) for key, title in titles.items()}
    shared = Counter(map(_fold, safe.values()))
    return {
        key: f"{name} {_hash(key)}" if shared[_fold(name)] > 1 else name
        for key, name in safe.items()
    }


def _safe(title: str) -> str:
    printed = "".join(
        " " if unicodedata.category(c)[0] == "C" else c for c in unicodedata.normalize("NFC", title)
    )
    name = (
        _FORBIDDEN.sub(" ", printed).encode()[:_MAX_NAME_BYTES].decode(errors="ignore").strip(" .")
    )
    return _RESERVED.sub(r"\1_", name, count=1) if _RESERVED.match(name) else name or "untitled"


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _hash(key: str) -> str:
    return f"({hashlib.sha256(key.encode()).hexdigest()[:8]})"


@dataclass(frozen=True, slots=True)
class _Vault:
    """The graph with the name of each note, and the claims by paper and by entity."""

    graph: KnowledgeGraph
    papers: Mapping[str, str]
    entities: Mapping[str, str]
    relations: Mapping[str, list[Relation]]
    links: Mapping[str, list[Link]]
    known: Mapping[str, list[Introduction]]
    citations: Mapping[str, list[str]]
    results: Mapping[str, list[Result]]

    @classmethod
    def of(cls, graph: KnowledgeGraph) -> _Vault:
        papers = file_names({p.id: p.title for p in (*graph.papers, *graph.stubs)})
        entities = file_names({e.id: e.name for e in graph.entities})
        relations, links, known, citations = (defaultdict(list) for _ in range(4))
        for relation in graph.relations:
            relations["p" + relation.paper].append(relation)
            relations["e" + relation.entity].append(relation)
        for link in graph.links:
            links["from" + link.citing].append(link)
            links["to" + link.cited].append(link)
        for introduction in graph.introductions:
            known["p" + introduction.paper].append(introduction)
            known["e" + introduction.entity].append(introduction)
        for citation in graph.citations:
            citations["from" + citation.citing].append(citation.cited)
            citations["to" + citation.cited].append(citation.citing)
        results: defaultdict[str, list[Result]] = defaultdict(list)
        for result in graph.results:
            results["p" + result.paper].append(result)
            for entity in dict.fromkeys(name.entity for name in result.names if name.entity):
                results["e" + entity].append(result)
        return cls(graph, papers, entities, relations, links, known, citations, results)

    def notes(self) -> Iterator[tuple[str, str]]:
        yield "citekg", _note({}, self._index())
        for kind, papers in (("paper", self.graph.papers), ("stub", self.graph.stubs)):
            for paper in papers:
                yield (
                    f"papers/{self.papers[paper.id]}",
                    _note(_paper_properties(paper, kind), self._paper(paper)),
                )
        for entity in self.graph.entities:
            yield (
                f"entities/{self.entities[entity.id]}",
                _note(_entity_properties(entity), self._entity(entity)),
            )

    def _index(self) -> Iterator[str]:
        yield f"# {len(self.graph.papers)} papers, {len(self.graph.entities)} entities"
        types = self.graph.vocabulary.types
        for type_ in dict.fromkeys((*types, *sorted({e.type for e in self.graph.entities}))):
            named = [self._entity_link(e.id) for e in self.graph.entities if e.type == type_]
            yield from _section(types[type_].plural if type_ in types else type_, named)

    def _paper(self, paper: Paper) -> Iterator[str]:
        yield f"# {plain(paper.title)}"
        if places := [*filter(None, map(web_link, (paper.url, *paper.links)))]:
            yield "\n".join(places)
        if paper.abstract:
            yield plain(paper.abstract)
        known = (self._entity_link(i.entity) for i in self.known.get("p" + paper.id, ()))
        yield from _section("Known to introduce", known)
        for label, group in _by_role(self.relations.get("p" + paper.id, ()), self.graph.vocabulary):
            yield from _section(
                label.capitalize(), (self._entity_link(r.entity) + self._evidence(r) for r in group)
            )
        reported = map(self._result, self.results.get("p" + paper.id, ()))
        yield from _section("Reported results", reported)
        yield from _section("Builds on", map(self._cited, self.links.get("from" + paper.id, ())))
        yield from _section("Built on by", map(self._citing, self.links.get("to" + paper.id, ())))
        yield from _section(
            "References", map(self._paper_link, self.citations.get("from" + paper.id, ()))
        )
        yield from _section(
            "Referenced by", map(self._paper_link, self.citations.get("to" + paper.id, ()))
        )

    def _entity(self, entity: Entity) -> Iterator[str]:
        yield f"# {plain(entity.name)}"
        if entity.family and entity.family in self.entities:
            yield f"A variant of {self._entity_link(entity.family)}."
        known = (self._paper_link(i.paper) for i in self.known.get("e" + entity.id, ()))
        yield from _section("Known to be introduced by", known)
        own = self.relations.get("e" + entity.id, ())
        for label, group in _by_role(own, self.graph.vocabulary):
            yield from _section(
                f"A paper {label} it",
                (self._paper_link(r.paper) + self._evidence(r) for r in group),
            )
        reported = self.results.get("e" + entity.id, ())
        yield from _section(
            "Reported results",
            (f"{self._paper_link(r.paper)}: {self._result(r)}" for r in reported),
        )

    def _result(self, result: Result) -> str:
        mark = " (tentative)" if self.graph.is_tentative(result) else ""
        line = markdown_line(result, self._name)
        return f"{line}{mark}: “{plain(self.graph.sentence(result))}”"

    def _name(self, name: ResultName) -> str:
        return self._entity_link(name.entity) if name.entity else plain(name.text)

    def _cited(self, link: Link) -> str:
        return f"{_link_label(link)} {self._paper_link(link.cited)} ({self._reason(link)})"

    def _citing(self, link: Link) -> str:
        return f"{self._paper_link(link.citing)} {_link_label(link)} this ({self._reason(link)})"

    def _reason(self, link: Link) -> str:
        mark = ", tentative" if self.graph.is_tentative(link) else ""
        return f"{self._entity_link(link.entity)}{mark}"

    def _evidence(self, relation: Relation) -> str:
        mark = " (tentative)" if self.graph.is_tentative(relation) else ""
        if not relation.evidence:
            return mark
        mention = self.graph.mention_by_id[relation.evidence[0]]
        return f"{mark}: “{plain(self.graph.sentence(mention))}”"

    def _paper_link(self, paper: str) -> str:
        return _wiki_link(f"papers/{self.papers[paper]}", self.graph.cited_by_id[paper].title)

    def _entity_link(self, entity: str) -> str:
        return _wiki_link(f"entities/{self.entities[entity]}", self.graph.entity_by_id[entity].name)


def _by_role(
    relations: Iterable[Relation], vocabulary: Vocabulary
) -> Iterator[tuple[str, list[Relation]]]:
    """Yield the relations by the label of their role, in the order of the vocabulary."""
    found: defaultdict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        found[relation.role].append(relation)
    roles = vocabulary.roles
    for role in (*roles, *sorted(found.keys() - roles.keys())):
        if role in found:
            yield roles[role].label if role in roles else role, found[role]


def _paper_properties(paper: Paper, kind: str) -> dict[str, str | tuple[str, ...]]:
    return {
        "title": paper.title, "date": paper.date, "authors": paper.authors, "arxiv": paper.arxiv_id,
        "doi": paper.doi,
        "venue": paper.venue, "id": paper.id, "tags": (kind,),
    }  # fmt: skip


def _entity_properties(entity: Entity) -> dict[str, str | tuple[str, ...]]:
    return {
        "aliases": entity.aliases,
        "type": entity.type,
        "id": entity.id,
        "tags": (_safe(entity.type).lower(),),
    }


def _link_label(link: Link) -> str:
    return LINKS[link.kind].label if link.kind in LINKS else plain(link.kind)


def _note(properties: Mapping[str, str | tuple[str, ...]], blocks: Iterable[str]) -> str:
    """Return a note: properties as YAML front matter, with values as JSON, then Markdown blocks."""
    lines = [f"{name}: {_yaml(value)}" for name, value in properties.items() if value]
    head = "\n".join(("---", *lines, "---", "")) if lines else ""
    return head + "\n\n".join(blocks) + "\n"


def _section(title: str, items: Iterable[str]) -> Iterator[str]:
    if lines := "\n".join(f"- {item}" for item in items):
        yield f"## {plain(title)}\n\n{lines}"


def _yaml(value: str | tuple[str, ...]) -> str:
    flat = one_line(value) if isinstance(value, str) else [one_line(part) for part in value]
    return json.dumps(flat, ensure_ascii=False)


def _wiki_link(file: str, label: str) -> str:
    shown = re.sub(r"[\[\]|<>\\`\s]+|%%+", " ", one_line(label)).strip()
    return f"[[{file}|{shown}]]" if shown else f"[[{file}]]"
