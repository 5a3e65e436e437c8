"""The IRIs of instances: how each record's node is named, and which record a node stands for.

All names are flat, made of unreserved ASCII characters, and reversible: `p-…` is a paper, `e-…`
an entity, `p-…_m12` a mention; slugs hold no underscore, so the parts never run together.
"""

from __future__ import annotations

import re
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
    """The names of nodes under a base IRI; classes and properties are those of the vocabulary.

    Raises `GraphError` for a base that is no absolute IRI ending in `/`, `#`, `:` or `=`.

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
        """The node of that local name."""
        return Node(self.base + name)

    def paper(self, paper: str) -> Node:
        """The node of a paper, by its id."""
        return Node(f"{self.base}p-{_paper_slug(paper)}")

    def entity(self, entity: str) -> Node:
        """The node of an entity, by its id, which is a slug; raises `GraphError` if it is none."""
        return Node(f"{self.base}e-{_entity_slug(entity)}")

    def class_(self, type_: str) -> Node:
        """The class of an entity type."""
        return Node(self.vocabulary.types[type_].iri)

    def property(self, role: str) -> Node:
        """The property of a role."""
        return Node(self.vocabulary.roles[role].iri)

    def mention(self, mention: str) -> Node:
        """The node of a mention, by its id (`paper_m12`)."""
        paper, _, start = mention.rpartition("_m")
        return Node(f"{self.paper(paper)}_m{start}")

    def source(self, source: Source) -> Node:
        """The node of a line of a source."""
        return Node(f"{self.base}source-{slug(source.name)}_{source.line}")

    def joined(self, first: Node, *parts: str) -> Node:
        """The node of a statement about the first node: its name with those of the others."""
        return Node("_".join((first, *(part.removeprefix(self.base) for part in parts))))

    def local(self, iri: str) -> str:
        """The name of a node without the base; raises `GraphError` for a node of another base."""
        if not iri.startswith(self.base):
            raise GraphError(f"<{iri}> does not lie under the base IRI <{self.base}>")
        return iri[len(self.base) :]

    def paper_id(self, iri: str) -> str:
        """The id of the paper that a node stands for."""
        return _unslug(self._after(iri, "p-"))

    def entity_id(self, iri: str) -> str:
        """The id of the entity that a node stands for."""
        return _opened(self._after(iri, "e-"))

    def mention_id(self, iri: str) -> str:
        """The id of the mention that a node stands for."""
        paper, mark, start = self._after(iri, "p-").rpartition("_m")
        if not mark or not start.isdecimal():
            raise GraphError(f"<{iri}> does not name a mention")
        return f"{_unslug(paper)}_m{start}"

    def _after(self, iri: str, mark: str) -> str:
        name = self.local(iri)
        if not name.startswith(mark):
            raise GraphError(f"<{iri}> does not begin with {mark} after the base IRI")
        if name == mark:
            raise GraphError(f"<{iri}> holds no id after {mark}; build the graph again")
        return name[len(mark) :]


def _closed(text: str) -> str:
    """A slug that does not end in a dot, which would end the statement for some Turtle readers."""
    return f"{text[:-1]}~2e" if text.endswith(".") else text


def _opened(text: str) -> str:
    return f"{text[:-3]}." if text.endswith("~2e") else text


@lru_cache(maxsize=65536)
def _paper_slug(paper: str) -> str:
    return _closed(slug(paper))


@lru_cache(maxsize=65536)
def _entity_slug(entity: str) -> str:
    if not _SLUG.fullmatch(entity):
        raise GraphError(f"entity id {entity!r}: not a slug; make it with citekg.schemas.names.slug")
    return _closed(entity)


@lru_cache(maxsize=65536)
def _unslug(text: str) -> str:
    try:
        return unslug(text)
    except UnicodeError as error:
        raise GraphError(f"{text!r} is not a slug") from error
