"""The IRIs of instances: minting the node of a record, and parsing a node back to a record's id.

All names are flat, consist of unreserved ASCII characters (RFC 3986), and are reversible: `p-…` is
a paper, `e-…` an entity, `p-…_m12` a mention. Slugs contain no underscore, so an underscore
separates the parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from citekg.schemas.errors import GraphError
from citekg.schemas.names import slug, unslug
from citekg.schemas.records import Source
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

_SLUG = re.compile(r"[a-z0-9.~-]+")
_BASE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`]*[/#:=]")


class Node(str):
    """An IRI as an object of a triple."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Iris:
    """The IRIs of nodes under a base IRI, and of the classes and properties of a vocabulary.

    Raises `GraphError` for a base that is not an absolute IRI ending in `/`, `#`, `:` or `=`.

    >>> iris = Iris("https://w3id.org/citekg/id/")
    >>> iris.mention("2402.03300_m7")
    'https://w3id.org/citekg/id/p-2402.03300_m7'
    >>> iris.entity_id(iris.entity("et-al."))
    'et-al.'
    """

    base: str
    vocabulary: Vocabulary = DEFAULT

    def __post_init__(self) -> None:
        if not _BASE.fullmatch(self.base):
            raise GraphError(f"base IRI {self.base!r}: give an absolute IRI that ends in / or #")

    def node(self, name: str) -> Node:
        """Return the node with a local name."""
        return Node(self.base + name)

    def paper(self, paper: str) -> Node:
        """Return the node of a paper id."""
        return Node(f"{self.base}p-{_paper_slug(paper)}")

    def entity(self, entity: str) -> Node:
        """Return the node of an entity id; raises `GraphError` if the id is not a slug."""
        return Node(f"{self.base}e-{_entity_slug(entity)}")

    def topic(self, entities: Iterable[str]) -> Node:
        """Return the node of a topic, given the entities that name it; raises as `entity`."""
        return Node(f"{self.base}t-{'_'.join(map(_entity_slug, entities))}")

    def class_(self, type_: str) -> Node:
        """Return the class of an entity type."""
        return Node(self.vocabulary.types[type_].iri)

    def property(self, role: str) -> Node:
        """Return the property of a role."""
        return Node(self.vocabulary.roles[role].iri)

    def mention(self, mention: str) -> Node:
        """Return the node of a mention id (`paper_m12`)."""
        paper, _, start = mention.rpartition("_m")
        return Node(f"{self.paper(paper)}_m{start}")

    def result(self, result: str) -> Node:
        """Return the node of a result id (`paper_r12`)."""
        paper, _, start = result.rpartition("_r")
        return Node(f"{self.paper(paper)}_r{start}")

    def source(self, source: Source) -> Node:
        """Return the node of a source, that is, a line of a file."""
        return Node(f"{self.base}source-{slug(source.name)}_{source.line}")

    def statement(self, first: Node, *parts: str) -> Node:
        """Return the node of a statement: the local names of its terms, joined by underscores."""
        return Node("_".join((first, *(part.removeprefix(self.base) for part in parts))))

    def local(self, iri: str) -> str:
        """Return the local name of a node; raises `GraphError` for a node of another base."""
        if not iri.startswith(self.base):
            raise GraphError(f"<{iri}> does not lie under the base IRI <{self.base}>")
        return iri[len(self.base) :]

    def paper_id(self, iri: str) -> str:
        """Return the paper id of a node; raises `GraphError` for any other node."""
        return _unslug(self._without_prefix(iri, "p-"))

    def entity_id(self, iri: str) -> str:
        """Return the entity id of a node; raises `GraphError` for any other node."""
        return _unescape_final_dot(self._without_prefix(iri, "e-"))

    def mention_id(self, iri: str) -> str:
        """Return the mention id of a node; raises `GraphError` for any other node."""
        paper, start = self._span(iri, "_m", "mention")
        return f"{paper}_m{start}"

    def result_start(self, iri: str) -> int:
        """Return the start of the value of a result; raises `GraphError` for any other node."""
        return int(self._span(iri, "_r", "result")[1])

    def _span(self, iri: str, mark: str, kind: str) -> tuple[str, str]:
        """Return the paper and the start of a mention or a result."""
        paper, found, start = self._without_prefix(iri, "p-").rpartition(mark)
        if not found or not (start.isdecimal() and start.isascii()):
            raise GraphError(f"<{iri}> does not name a {kind}")
        return _unslug(paper), start

    def _without_prefix(self, iri: str, mark: str) -> str:
        name = self.local(iri)
        if not name.startswith(mark):
            raise GraphError(f"<{iri}> does not begin with {mark} after the base IRI")
        if name == mark:
            raise GraphError(f"<{iri}> holds no id after {mark}; build the graph again")
        return name[len(mark) :]


def _escape_final_dot(text: str) -> str:
    """Escape a final dot, which some Turtle parsers would read as the end of the statement."""
    return f"{text[:-1]}~2e" if text.endswith(".") else text


def _unescape_final_dot(text: str) -> str:
    return f"{text[:-3]}." if text.endswith("~2e") else text


@lru_cache(maxsize=65536)
def _paper_slug(paper: str) -> str:
    return _escape_final_dot(slug(paper))


@lru_cache(maxsize=65536)
def _entity_slug(entity: str) -> str:
    if not _SLUG.fullmatch(entity):
        raise GraphError(
            f"entity id {entity!r}: not a slug; make it with citekg.schemas.names.slug"
        )
    return _escape_final_dot(entity)


@lru_cache(maxsize=65536)
def _unslug(text: str) -> str:
    try:
        return unslug(text)
    except UnicodeError as error:
        raise GraphError(f"{text!r} is not a slug") from error
