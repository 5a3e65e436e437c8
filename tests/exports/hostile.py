"""Texts that try to be more than texts, and a graph that has one of them wherever a record has a text.

The graph is made from the sample graph by the fields of its records, so a new field is hostile by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.names import slug
from citekg.schemas.records import (
    Entity,
    Introduction,
    Link,
    Mention,
    Paper,
    Relation,
    Result,
    ResultName,
    Run,
    Source,
)
from citekg.schemas.vocabulary import Vocabulary
from tests.sample import sample_graph

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "end of script": "</script><script>alert(2)</script><!-- ]]> -->",
    "attribute": "\"' onmouseover=alert(3) x='",
    "image": "<img src=x onerror=alert(4)><svg/onload=alert(5)>",
    "javascript": "javascript:alert(6)//[click](javascript:alert(7)) ![x](https://evil.example/x.png)",
    "template": "{{ 7*7 }} {% raw %} ${7*7} #{7*7} <%= 7*7 %>",
    "separators": "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg",
    "bidi": "\u202egpj.exe\u2066 \u200f \ufeff",
    "lines": "one\ntwo\r\nthree\rfour\n\n# five\n---\nsix: seven",
    "backslash": "\\\" \\' \\u0022 \\n \\",
    "formula": "=HYPERLINK(\"http://evil.example\",\"x\");=1+1\t=2+2",
    "at": "@SUM(1;@SUM(1))",
    "plus": "+1+cmd|' /C calc'!A0",
    "minus": "-2+3",
    "tab": "\t=1+1",
    "apostrophe": "'=1+1",
    "wide formula": "＝1+1",
    "IRI": "> <urn:x> <urn:y> <urn:z> . <a{}|^`%zz\x00",
    "literal": "\"\"\" ; ckg:uses <urn:x> . '''",
    "Cypher": "'}) DETACH DELETE n // ` ; \\",
    "SPARQL": "' } ; DROP ALL # \" }",
    "YAML": "!!python/object/apply:os.system ['x'] & * : - ? | > % @ `",
    "Markdown": "[a](http://evil.example) ![b](x) <b>c</b> [[d|e]] #f `g` %%h%% $i$ ==j==",
    "LaTeX": "\\input{/etc/passwd} \\write18{x} } @article{ % $ ~",
    "code that notes run": "`$= dv.x` %%h%% ```dataviewjs\nx\n```\n~~~dataviewjs\nx\n~~~",
    "path": "../../../../etc/passwd",
    "Windows path": "..\\..\\C:\\boot.ini",
    "NUL": "a\x00b",
    "device": "CON",
    "device with ending": "nul.tar.gz",
    "dots": "...",
    "surrogate's place": "\ufffe\uffff\U0010ffff",
    "long": "x" * 3_000,
}  # fmt: skip

#: Fields that hold a word of the vocabulary or a slug, each hostile by itself in a test of its own.
WORDS = {
    (Entity, "type"),
    (Entity, "types"),
    (Mention, "type"),
    (Relation, "role"),
    (Link, "kind"),
    (Result, "kind"),
    (Result, "direction"),
    (Entity, "id"),
    (Paper, "references"),
}
#: Fields that name another record.
_PAPERS = {
    (Mention, "paper"),
    (Relation, "paper"),
    (Link, "citing"),
    (Link, "cited"),
    (Introduction, "paper"),
    (Result, "paper"),
}
_ENTITIES = {
    (Mention, "entity"),
    (Relation, "entity"),
    (Link, "entity"),
    (Introduction, "entity"),
    (ResultName, "entity"),
    (Entity, "family"),
}
_RECORDS = (
    "papers", "entities", "mentions", "relations", "links", "stubs", "introductions", "results",
)  # fmt: skip


def hostile_graph(text: str) -> KnowledgeGraph:
    """The sample graph with the text in every free text of every record, and as a mention of each paper."""
    graph = _mapped(sample_graph(), lambda record: _poisoned(record, text))
    firsts = [_first_mention(p, text, graph.entities[0]) for p in graph.papers]
    return replace(
        graph, mentions=tuple(sorted((*graph.mentions, *firsts), key=lambda m: (m.paper, m.start)))
    )


def with_schema(text: str) -> KnowledgeGraph:
    """The sample graph under a schema of one's own that has the text in all that it says of its types and roles."""
    graph = sample_graph()

    def reported(term: Any) -> Any:
        free = {f.name for f in fields(term)} & {"label", "plural", "comment"}
        return replace(term, **{name: text + getattr(term, name) for name in free})

    types, roles = (
        map(reported, graph.vocabulary.entity_types),
        map(reported, graph.vocabulary.paper_roles),
    )
    return replace(graph, vocabulary=Vocabulary(tuple(types), tuple(roles)))


def with_word(kind: type, name: str, text: str) -> KnowledgeGraph:
    """The sample graph with the bare text in one of the `WORDS`, and where that is an id also where it is used."""

    def changed(record: Any) -> Any:
        reported = {f.name: getattr(record, f.name) for f in fields(record)}
        if type(record) is kind:
            words = {
                "types": ((text, 1),),
                "references": (text,),
                "id": text + reported.get("id", ""),
            }
            reported[name] = words.get(name, text)
        for field in reported:
            if isinstance(record, Result) and isinstance(reported[field], tuple):
                parts = (changed(v) if is_dataclass(v) else v for v in reported[field])
                reported[field] = tuple(parts)
            elif (
                kind is Entity
                and name == "id"
                and (type(record), field) in _ENTITIES
                and reported[field]
            ):
                reported[field] = text + reported[field]
        return type(record)(**reported)

    return _mapped(sample_graph(), changed)


def texts_of(record: Any) -> Iterator[tuple[type, str, str]]:
    """Every text below a record, with the type of its record and the name of its field."""
    for field in fields(record):
        for value in _flat(getattr(record, field.name)):
            if isinstance(value, str):
                yield type(record), field.name, value
            elif is_dataclass(value):
                yield from texts_of(value)


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value


def _mapped(graph: KnowledgeGraph, change: Callable[[Any], Any]) -> KnowledgeGraph:
    reported: dict[str, Any] = {name: tuple(map(change, getattr(graph, name))) for name in _RECORDS}
    return KnowledgeGraph.of(**reported, run=change(graph.run))


def _poisoned(record: Any, text: str) -> Any:
    shift = len(text)
    reported: dict[str, Any] = {}
    for field in fields(record):
        place, value = (type(record), field.name), getattr(record, field.name)
        if place in _PAPERS or place == (Paper, "id"):
            reported[field.name] = text + value
        elif place in _ENTITIES or place == (Entity, "id"):
            reported[field.name] = slug(text) + value if value else ""
        elif field.name == "evidence":
            reported[field.name] = tuple(text + _shifted(mention, shift) for mention in value)
        elif place in WORDS or place == (Mention, "text"):
            reported[field.name] = value
        elif isinstance(record, Mention) and isinstance(value, int):
            reported[field.name] = value + shift
        elif place == (Result, "metric"):  # behind its own words, which say what is better
            reported[field.name] = f"{value} {text}"
        elif place == (Mention, "sentence"):
            reported[field.name] = tuple(at + shift for at in value)
        else:
            reported[field.name] = _poisoned_value(value, text, after=field.name == "abstract")
    return type(record)(**reported)


def _poisoned_value(value: Any, text: str, *, after: bool = False) -> Any:
    """The value with the text in front, or behind where what is before counts the places; a list has it as one more."""
    if isinstance(value, str):
        return value + text if after else text + value
    if isinstance(value, tuple):
        parts = tuple(_poisoned_value(part, text) for part in value)
        return tuple(sorted({*parts, text})) if parts and isinstance(parts[0], str) else parts
    return _poisoned(value, text) if is_dataclass(value) else value


def _shifted(mention: str, shift: int) -> str:
    paper, _, start = mention.rpartition("_m")
    return f"{paper}_m{int(start) + shift}"


def _first_mention(paper: Paper, text: str, entity: Entity) -> Mention:
    title = (0, len(paper.title))
    return Mention(paper.id, entity.id, 0, len(text), text, entity.type, title, text + "layer", 0.5)


#: The records that a graph is made of; the test of this file asks for each of their fields.
_KINDS = (
    Paper, Source, Entity, Mention, Relation, Link, Introduction, Result, ResultName, Run,
)  # fmt: skip
RECORDS: Mapping[str, type] = {kind.__name__: kind for kind in _KINDS}
