"""Hostile texts, and a graph that has one of them in every text field of every record.

The graph is derived from the fields of the sample graph's records, so it covers new fields too.
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

#: Fields with a word of the vocabulary or a slug; a separate test sets each of them alone.
VOCABULARY_FIELDS = {
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
#: Fields that refer to another record.
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
    """Return the sample graph with the text in every free text, and as a mention of each paper."""
    graph = _mapped(sample_graph(), lambda record: _with_text(record, text))
    firsts = [_first_mention(p, text, graph.entities[0]) for p in graph.papers]
    return replace(
        graph, mentions=tuple(sorted((*graph.mentions, *firsts), key=lambda m: (m.paper, m.start)))
    )


def with_schema(text: str) -> KnowledgeGraph:
    """Return the sample graph with the text in all labels and comments of its types and roles."""
    graph = sample_graph()

    def values(term: Any) -> Any:
        free = {f.name for f in fields(term)} & {"label", "plural", "comment"}
        return replace(term, **{name: text + getattr(term, name) for name in free})

    types, roles = (
        map(values, graph.vocabulary.entity_types),
        map(values, graph.vocabulary.paper_roles),
    )
    return replace(graph, vocabulary=Vocabulary(tuple(types), tuple(roles)))


def with_vocabulary_text(kind: type, name: str, text: str) -> KnowledgeGraph:
    """Return the sample graph with the text in one of the `VOCABULARY_FIELDS`.

    If the field is an id, the references to it change as well.
    """

    def changed(record: Any) -> Any:
        values = {f.name: getattr(record, f.name) for f in fields(record)}
        if type(record) is kind:
            words = {
                "types": ((text, 1),),
                "references": (text,),
                "id": text + values.get("id", ""),
            }
            values[name] = words.get(name, text)
        for field in values:
            if isinstance(record, Result) and isinstance(values[field], tuple):
                parts = (changed(v) if is_dataclass(v) else v for v in values[field])
                values[field] = tuple(parts)
            elif (
                kind is Entity
                and name == "id"
                and (type(record), field) in _ENTITIES
                and values[field]
            ):
                values[field] = text + values[field]
        return type(record)(**values)

    return _mapped(sample_graph(), changed)


def texts_of(record: Any) -> Iterator[tuple[type, str, str]]:
    """Yield every text of a record and its parts, with the type of the record and the field name."""
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
    values: dict[str, Any] = {name: tuple(map(change, getattr(graph, name))) for name in _RECORDS}
    return KnowledgeGraph.of(**values, run=change(graph.run))


def _with_text(record: Any, text: str) -> Any:
    shift = len(text)
    values: dict[str, Any] = {}
    for field in fields(record):
        place, value = (type(record), field.name), getattr(record, field.name)
        if place in _PAPERS or place == (Paper, "id"):
            values[field.name] = text + value
        elif place in _ENTITIES or place == (Entity, "id"):
            values[field.name] = slug(text) + value if value else ""
        elif field.name == "evidence":
            values[field.name] = tuple(text + _shifted(mention, shift) for mention in value)
        elif place in VOCABULARY_FIELDS or place == (Mention, "text"):
            values[field.name] = value
        elif isinstance(record, Mention) and isinstance(value, int):
            values[field.name] = value + shift
        elif place == (Result, "metric"):  # after its own words, which determine the direction
            values[field.name] = f"{value} {text}"
        elif place == (Mention, "sentence"):
            values[field.name] = tuple(at + shift for at in value)
        else:
            values[field.name] = _value_with_text(value, text, after=field.name == "abstract")
    return type(record)(**values)


def _value_with_text(value: Any, text: str, *, after: bool = False) -> Any:
    """Return the value with the text before it, or `after` it to keep offsets; a list gains an item."""
    if isinstance(value, str):
        return value + text if after else text + value
    if isinstance(value, tuple):
        parts = tuple(_value_with_text(part, text) for part in value)
        return tuple(sorted({*parts, text})) if parts and isinstance(parts[0], str) else parts
    return _with_text(value, text) if is_dataclass(value) else value


def _shifted(mention: str, shift: int) -> str:
    paper, _, start = mention.rpartition("_m")
    return f"{paper}_m{int(start) + shift}"


def _first_mention(paper: Paper, text: str, entity: Entity) -> Mention:
    title = (0, len(paper.title))
    return Mention(paper.id, entity.id, 0, len(text), text, entity.type, title, text + "layer", 0.5)


#: The types of the records of a graph; test_hostile_texts.py checks each of their fields.
_KINDS = (
    Paper, Source, Entity, Mention, Relation, Link, Introduction, Result, ResultName, Run,
)  # fmt: skip
RECORDS: Mapping[str, type] = {kind.__name__: kind for kind in _KINDS}
