"""The records of a graph as users hold them: tuples that can be filtered and that a notebook shows as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final, SupportsIndex, TypeVar, overload

from citekg.graph import filters
from citekg.graph.filters import Test
from citekg.graph.usage import papers_naming
from citekg.schemas.names import key
from citekg.schemas.records import Citation, Entity, Introduction, Link, Mention, Paper, Relation
from citekg.schemas.vocabulary import LINKS
from citekg.text_table import Table, shortened

if TYPE_CHECKING:
    from citekg.schemas.graph import KnowledgeGraph
    from typing_extensions import Self

_T = TypeVar("_T")

#: How many records `repr` names, and how many rows a notebook shows.
_NAMED: Final = 3
_SHOWN: Final = 10


class Records(tuple[_T, ...]):
    """Records of one kind, in the graph's order: a tuple that can be filtered.

    `where` and slices give the same kind again; in everything else it is the tuple of its records, and
    equal to it. A notebook shows the first ten as a table.
    """

    #: What one of them and what several are called.
    nouns: ClassVar = ("record", "records")
    #: The header of the table that a notebook shows.
    header: ClassVar[tuple[str, ...]] = ()
    _graph: KnowledgeGraph

    def __new__(cls, records: Iterable[_T] = (), graph: KnowledgeGraph | None = None) -> Self:
        """The records of that graph; without one they cannot be filtered."""
        made = super().__new__(cls, records)
        if graph is not None:
            made._graph = graph
        return made

    @overload
    def __getitem__(self, at: SupportsIndex) -> _T: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    def __getitem__(self, at: SupportsIndex | slice) -> _T | Self:
        return self._like(super().__getitem__(at)) if isinstance(at, slice) else super().__getitem__(at)

    def __repr__(self) -> str:
        told = list(islice(self._told(), _NAMED + 1))
        listed = ", ".join(told[:_NAMED] + ["…"] * (len(told) > _NAMED))
        return f"<{self._counted()}: {listed}>" if told else f"<{self._counted()}>"

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[_T, ...], KnowledgeGraph]]:
        return type(self), (tuple(self), self._graph)

    def _repr_html_(self) -> str:
        title = f"{self._counted()}, the first {_SHOWN}" if len(self) > _SHOWN else self._counted()
        return Table(title, self.header, tuple(self._row(record) for record in self[:_SHOWN])).html()

    def _counted(self) -> str:
        return f"{len(self)} {self.nouns[len(self) != 1]}"

    def _told(self) -> Iterator[str]:
        """What `repr` tells of the records."""
        return (shortened(self._row(record)[0], 40) for record in self)

    def _row(self, record: _T) -> tuple[str, ...]:
        """The record as a row under the header; the first cell is what it is called."""
        raise NotImplementedError

    def _like(self, records: Iterable[_T]) -> Self:
        return type(self)(records, self._graph)

    def _kept(self, tests: Iterable[Test[_T] | None]) -> Self:
        asked = [test for test in tests if test]
        return self._like(record for record in self if all(test(record) for test in asked))

    def _name(self, entity: str) -> str:
        return self._graph.entity_by_id[entity].name

    def _title(self, paper: str) -> str:
        return self._graph.cited_by_id[paper].title


class Papers(Records[Paper]):
    """The papers of a graph, or its stubs."""

    nouns = ("paper", "papers")
    header = ("title", "date", "venue", "id")

    def where(
        self,
        *,
        since: str | int | None = None,
        until: str | int | None = None,
        venue: str | None = None,
        author: str | None = None,
        text: str | None = None,
    ) -> Self:
        """The papers for which all of this holds.

        `since` and `until` are dates such as `2025`, `2025-03` or `2025-03-14`, both inclusive; a date that
        is known less closely counts as its first day, and no date never fits. `venue`, `author` and `text`
        (title or abstract) hold what is asked for, whatever the case. Raises `FilterError` for what is no date.

        >>> graph.papers.where(since=2023, until="2023-04", venue="neurips")
        <1 paper: Reflexion: Language Agents with Verbal…>
        """
        return self._kept(
            (
                filters.since(since),
                filters.until(until),
                filters.holding(venue, lambda p: (p.venue,)),
                filters.holding(author, lambda p: p.authors),
                filters.holding(text, lambda p: (p.text,)),
            )
        )

    def _row(self, record: Paper) -> tuple[str, ...]:
        return record.title, record.date, record.venue, record.id


class Entities(Records[Entity]):
    """The entities of a graph: its methods, benchmarks, models and datasets, or the types of its own schema."""

    nouns = ("entity", "entities")
    header = ("name", "type", "papers", "also called")

    def where(
        self,
        *,
        type: str | Iterable[str] | None = None,  # noqa: A002  # the word that a user looks for
        name: str | None = None,
        family: Entity | str | None = None,
        min_papers: int = 0,
    ) -> Self:
        """The entities for which all of this holds.

        They are of this type (or one of these: Method, Benchmark, Model, Dataset, or those of
        `graph.vocabulary.types`), have `name` in their name or an alias, are a direct variant
        of `family`, and are named by at least `min_papers` papers. Raises `FilterError` for a type that
        nobody knows and `UnknownName` for a family that is not there.

        >>> graph.entities.where(type="Benchmark", min_papers=8)
        <3 entities: Atari, GSM8K, MMLU>
        """
        wider = None if family is None else filters.entity(self._graph, family).id
        folded = key(name or "")
        return self._kept(
            (
                filters.among(filters.types(self._graph, type), lambda e: e.type),
                (lambda e: any(folded in key(n) for n in (e.name, *e.aliases))) if name is not None else None,
                (lambda e: e.family == wider) if wider is not None else None,
                (lambda e: papers_naming(self._graph, e.id) >= min_papers) if min_papers else None,
            )
        )

    def _row(self, record: Entity) -> tuple[str, ...]:
        papers = str(papers_naming(self._graph, record.id))
        return record.name, record.type, papers, ", ".join(record.aliases)


class Mentions(Records[Mention]):
    """The mentions of a graph: which span of which paper names what."""

    nouns = ("mention", "mentions")
    header = ("text", "type", "entity", "paper")

    def where(
        self,
        *,
        paper: Paper | str | Iterable[Paper | str] | None = None,
        entity: Entity | str | Iterable[Entity | str] | None = None,
        type: str | Iterable[str] | None = None,  # noqa: A002
        layer: str | Iterable[str] | None = None,
        min_confidence: float = 0.0,
    ) -> Self:
        """The mentions for which all of this holds; `type` is what the span is taken for where it stands.

        Papers go by record, id or title, entities by record, name or alias. Raises `FilterError` for a type
        or layer that nobody knows, `UnknownName` for a paper or entity that is not there.

        >>> graph.mentions.where(entity="GRPO", layer="abbreviations")
        <3 mentions: Group Relative Policy Optimization, GRPO, GRPO>
        """
        layers = {m.layer for m in self._graph.mentions}
        return self._kept(
            (
                filters.among(filters.papers(self._graph, paper), lambda m: m.paper),
                filters.among(filters.entities(self._graph, entity), lambda m: m.entity),
                filters.among(filters.types(self._graph, type), lambda m: m.type),
                filters.among(filters.known("layer", layer, layers), lambda m: m.layer),
                filters.sure(min_confidence),
            )
        )

    def _row(self, record: Mention) -> tuple[str, ...]:
        return record.text, record.type, self._name(record.entity), self._title(record.paper)


class Relations(Records[Relation]):
    """The relations of a graph: what which paper does with which entity."""

    nouns = ("relation", "relations")
    header = ("paper", "role", "entity", "confidence")

    def where(
        self,
        *,
        paper: Paper | str | Iterable[Paper | str] | None = None,
        role: str | Iterable[str] | None = None,
        entity: Entity | str | Iterable[Entity | str] | None = None,
        type: str | Iterable[str] | None = None,  # noqa: A002
        min_confidence: float = 0.0,
    ) -> Self:
        """The relations for which all of this holds; `type` is the type of the entity.

        Papers go by record, id or title, entities by record, name or alias; all but `min_confidence` may be
        several at once. `role` is introduces, extends, evaluatesOn, trainsOn, outperforms, comparesTo, uses
        or mentions, or one of `graph.vocabulary.roles`. Raises `FilterError` for a role or type that nobody
        knows, `UnknownName` for a paper or entity that is not there.

        >>> graph.relations.where(role=("introduces", "extends"), entity="GRPO", min_confidence=0.8)
        <2 relations: 1 introduces, 1 extends>
        >>> graph.relations.where(paper=graph.papers.where(since=2025), type="Benchmark", role="introduces")
        <0 relations>
        """
        type_of = self._graph.entity_by_id
        return self._kept(
            (
                filters.among(filters.papers(self._graph, paper), lambda r: r.paper),
                filters.among(filters.roles(self._graph, role), lambda r: r.role),
                filters.among(filters.entities(self._graph, entity), lambda r: r.entity),
                filters.among(filters.types(self._graph, type), lambda r: type_of[r.entity].type),
                filters.sure(min_confidence),
            )
        )

    def _told(self) -> Iterator[str]:
        return (f"{count} {role}" for role, count in Counter(r.role for r in self).most_common())

    def _row(self, record: Relation) -> tuple[str, ...]:
        return self._title(record.paper), record.role, self._name(record.entity), f"{record.confidence:.2f}"


class Links(Records[Link]):
    """The citation-style links of a graph: which paper builds on which, and through what."""

    nouns = ("link", "links")
    header = ("citing", "kind", "cited", "through", "confidence")

    def where(
        self,
        *,
        citing: Paper | str | Iterable[Paper | str] | None = None,
        kind: str | Iterable[str] | None = None,
        cited: Paper | str | Iterable[Paper | str] | None = None,
        entity: Entity | str | Iterable[Entity | str] | None = None,
        min_confidence: float = 0.0,
    ) -> Self:
        """The links for which all of this holds.

        Papers go by record, id or title, entities by record, name or alias; `kind` is extends, usesMethodIn,
        usesDataFrom or cites. Raises `FilterError` for a kind that nobody knows, `UnknownName` for a paper or
        entity that is not there.

        >>> graph.links.where(cited="Proximal Policy Optimization Algorithms", kind="extends")
        <1 link: 1 extends>
        """
        kinds = {*LINKS, *(k.kind for k in self._graph.links)}
        return self._kept(
            (
                filters.among(filters.papers(self._graph, citing), lambda k: k.citing),
                filters.among(filters.known("kind", kind, kinds), lambda k: k.kind),
                filters.among(filters.papers(self._graph, cited), lambda k: k.cited),
                filters.among(filters.entities(self._graph, entity), lambda k: k.entity),
                filters.sure(min_confidence),
            )
        )

    def _told(self) -> Iterator[str]:
        return (f"{count} {kind}" for kind, count in Counter(k.kind for k in self).most_common())

    def _row(self, record: Link) -> tuple[str, ...]:
        ends = self._title(record.citing), record.kind, self._title(record.cited)
        return *ends, self._name(record.entity), f"{record.confidence:.2f}"


class Citations(Records[Citation]):
    """The citations of a graph: whose list of references names which of its papers."""

    nouns = ("citation", "citations")
    header = ("citing", "cited")

    def where(
        self,
        *,
        citing: Paper | str | Iterable[Paper | str] | None = None,
        cited: Paper | str | Iterable[Paper | str] | None = None,
    ) -> Self:
        """The citations for which all of this holds.

        Papers go by record, id or title. Raises `UnknownName` for a paper that is not there.

        >>> graph.citations.where(cited="Proximal Policy Optimization Algorithms")
        <0 citations>
        """
        return self._kept(
            (
                filters.among(filters.papers(self._graph, citing), lambda c: c.citing),
                filters.among(filters.papers(self._graph, cited), lambda c: c.cited),
            )
        )

    def _row(self, record: Citation) -> tuple[str, ...]:
        return self._title(record.citing), self._title(record.cited)


class Introductions(Records[Introduction]):
    """Who is known to have introduced what, beside what the texts say."""

    nouns = ("introduction", "introductions")
    header = ("entity", "paper")

    def where(
        self,
        *,
        paper: Paper | str | Iterable[Paper | str] | None = None,
        entity: Entity | str | Iterable[Entity | str] | None = None,
        type: str | Iterable[str] | None = None,  # noqa: A002
    ) -> Self:
        """The introductions for which all of this holds; `type` is the type of the entity.

        Raises `FilterError` for a type that nobody knows, `UnknownName` for a paper or entity that is not there.

        >>> graph.introductions.where(entity="Rainbow")
        <1 introduction: Rainbow>
        """
        type_of = self._graph.entity_by_id
        return self._kept(
            (
                filters.among(filters.papers(self._graph, paper), lambda i: i.paper),
                filters.among(filters.entities(self._graph, entity), lambda i: i.entity),
                filters.among(filters.types(self._graph, type), lambda i: type_of[i.entity].type),
            )
        )

    def _row(self, record: Introduction) -> tuple[str, ...]:
        return self._name(record.entity), self._title(record.paper)
