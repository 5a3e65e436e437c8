"""The record collections of a graph: tuples with filters, which notebooks show as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final, SupportsIndex, TypeVar, overload

from citekg.graph import filters
from citekg.graph.filters import Test
from citekg.graph.usage import papers_naming
from citekg.schemas.errors import UnknownName
from citekg.schemas.measures import name_list
from citekg.schemas.metrics import metric_key
from citekg.schemas.names import key
from citekg.schemas.records import (
    CHANGE,
    SCORE,
    Citation,
    Entity,
    Introduction,
    Link,
    Mention,
    Outperformance,
    Paper,
    Relation,
    Result,
    ResultName,
    Topic,
)
from citekg.schemas.vocabulary import LINKS
from citekg.text_table import Table, shortened

if TYPE_CHECKING:
    from typing_extensions import Self

    from citekg.schemas.graph import KnowledgeGraph

_T = TypeVar("_T")

#: The number of records that `repr` names, and of rows that a notebook shows.
_REPR_LIMIT: Final = 3
_TABLE_LIMIT: Final = 10


class Records(tuple[_T, ...]):
    """Records of one kind, in the order of the graph: a tuple that can be filtered.

    `where` and slices return the same class; otherwise it behaves as the tuple of its records and
    is equal to it. A notebook shows the first ten records as a table.
    """

    #: The singular and the plural noun of the records.
    nouns: ClassVar = ("record", "records")
    #: The header of the table that a notebook shows.
    header: ClassVar[tuple[str, ...]] = ()
    _graph: KnowledgeGraph

    def __new__(cls, records: Iterable[_T] = (), graph: KnowledgeGraph | None = None) -> Self:
        """Return the records of a graph; without a graph they cannot be filtered."""
        made = super().__new__(cls, records)
        if graph is not None:
            made._graph = graph
        return made

    @overload
    def __getitem__(self, at: SupportsIndex) -> _T: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    def __getitem__(self, at: SupportsIndex | slice) -> _T | Self:
        return (
            self._like(super().__getitem__(at))
            if isinstance(at, slice)
            else super().__getitem__(at)
        )

    def __repr__(self) -> str:
        labels = list(islice(self._labels(), _REPR_LIMIT + 1))
        listed = ", ".join(labels[:_REPR_LIMIT] + ["…"] * (len(labels) > _REPR_LIMIT))
        return f"<{self._counted()}: {listed}>" if labels else f"<{self._counted()}>"

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[_T, ...], KnowledgeGraph]]:
        return type(self), (tuple(self), self._graph)

    def _repr_html_(self) -> str:
        title = (
            f"{self._counted()}, the first {_TABLE_LIMIT}"
            if len(self) > _TABLE_LIMIT
            else self._counted()
        )
        return Table(
            title, self.header, tuple(self._row(record) for record in self[:_TABLE_LIMIT])
        ).html()

    def _counted(self) -> str:
        return f"{len(self)} {self.nouns[len(self) != 1]}"

    def _labels(self) -> Iterator[str]:
        """Yield the labels of the records in `repr`."""
        return (shortened(self._row(record)[0], 40) for record in self)

    def _row(self, record: _T) -> tuple[str, ...]:
        """Return a record as a row of the table; the first cell is its label."""
        raise NotImplementedError

    def _like(self, records: Iterable[_T]) -> Self:
        return type(self)(records, self._graph)

    def _kept(self, tests: Iterable[Test[_T] | None]) -> Self:
        given = [test for test in tests if test]
        return self._like(record for record in self if all(test(record) for test in given))

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
        """Return the papers that match all filters.

        `since` and `until` are dates such as `2025`, `2025-03` or `2025-03-14`, both inclusive. A
        date without a month or day counts as its first day; a paper without a date never matches.
        `venue`, `author` and `text` (title or abstract) match a part of the text, ignoring case.
        Raises `FilterError` for an invalid date.

        >>> graph.papers.where(since=2023, until="2023-04", venue="neurips")
        <1 paper: Reflexion: Language Agents with Verbal…>
        """
        return self._kept(
            (
                filters.since(since),
                filters.until(until),
                filters.containing(venue, lambda p: (p.venue,)),
                filters.containing(author, lambda p: p.authors),
                filters.containing(text, lambda p: (p.text,)),
            )
        )

    def _row(self, record: Paper) -> tuple[str, ...]:
        return record.title, record.date, record.venue, record.id


class Entities(Records[Entity]):
    """The entities of a graph: methods, benchmarks, models and datasets, or types of a schema."""

    nouns = ("entity", "entities")
    header = ("name", "type", "papers", "also called")

    def where(
        self,
        *,
        type: str | Iterable[str] | None = None,  # noqa: A002
        name: str | None = None,
        family: Entity | str | None = None,
        min_papers: int = 0,
    ) -> Self:
        """Return the entities that match all filters.

        `type` is one or several of Method, Benchmark, Model and Dataset, or of
        `graph.vocabulary.types`. `name` matches a part of the name or of an alias. `family` selects
        its direct variants, `min_papers` the entities that at least that many papers name. Raises
        `FilterError` for an unknown type and `UnknownName` for an unknown family.

        >>> graph.entities.where(type="Benchmark", min_papers=8)
        <4 entities: Atari, GSM8K, MATH, …>
        """
        wider = None if family is None else filters.entity(self._graph, family).id
        folded = key(name or "")
        return self._kept(
            (
                filters.among(filters.types(self._graph, type), lambda e: e.type),
                (lambda e: any(folded in key(n) for n in e.names)) if name is not None else None,
                (lambda e: e.family == wider) if wider is not None else None,
                (lambda e: papers_naming(self._graph, e.id) >= min_papers) if min_papers else None,
            )
        )

    def _row(self, record: Entity) -> tuple[str, ...]:
        papers = str(papers_naming(self._graph, record.id))
        return record.name, record.type, papers, ", ".join(record.aliases)


class Mentions(Records[Mention]):
    """The mentions of a graph: the spans of papers that name entities."""

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
        """Return the mentions that match all filters; `type` is the type predicted for the mention.

        Papers are given by record, id or title, entities by record, name or alias. Raises
        `FilterError` for an unknown type or layer, `UnknownName` for an unknown paper or entity.

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
                filters.confident(min_confidence),
            )
        )

    def _row(self, record: Mention) -> tuple[str, ...]:
        return record.text, record.type, self._name(record.entity), self._title(record.paper)


class Relations(Records[Relation]):
    """The relations of a graph: the roles of entities in papers."""

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
        """Return the relations that match all filters; `type` is the type of the entity.

        Papers are given by record, id or title, entities by record, name or alias; all filters but
        `min_confidence` take one value or several. `role` is introduces, extends, evaluatesOn,
        trainsOn, outperforms, comparesTo, uses or mentions, or one of `graph.vocabulary.roles`. An
        introduction that the list of introductions holds has confidence 1. Raises `FilterError` for
        an unknown role or type, `UnknownName` for an unknown paper or entity.

        >>> graph.relations.where(role=("introduces", "extends"), entity="GRPO", min_confidence=0.8)
        <2 relations: 1 introduces, 1 extends>
        >>> recent = graph.papers.where(since=2025)
        >>> graph.relations.where(paper=recent, type="Benchmark", role="introduces")
        <0 relations>
        """
        type_of = self._graph.entity_by_id
        return self._kept(
            (
                filters.among(filters.papers(self._graph, paper), lambda r: r.paper),
                filters.among(filters.roles(self._graph, role), lambda r: r.role),
                filters.among(filters.entities(self._graph, entity), lambda r: r.entity),
                filters.among(filters.types(self._graph, type), lambda r: type_of[r.entity].type),
                filters.confident(min_confidence, self._graph.confidence),
            )
        )

    def _labels(self) -> Iterator[str]:
        return (f"{count} {role}" for role, count in Counter(r.role for r in self).most_common())

    def _row(self, record: Relation) -> tuple[str, ...]:
        return (
            self._title(record.paper),
            record.role,
            self._name(record.entity),
            f"{record.confidence:.2f}",
        )


class Links(Records[Link]):
    """The citation-style links of a graph: which paper builds on which, through which entity."""

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
        """Return the links that match all filters.

        Papers are given by record, id or title, entities by record, name or alias; `kind` is
        extends, usesMethodIn, usesDataFrom or cites. Raises `FilterError` for an unknown kind,
        `UnknownName` for an unknown paper or entity.

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
                filters.confident(min_confidence),
            )
        )

    def _labels(self) -> Iterator[str]:
        return (f"{count} {kind}" for kind, count in Counter(k.kind for k in self).most_common())

    def _row(self, record: Link) -> tuple[str, ...]:
        ends = self._title(record.citing), record.kind, self._title(record.cited)
        return *ends, self._name(record.entity), f"{record.confidence:.2f}"


class Citations(Records[Citation]):
    """The citations of a graph, from the reference lists of the papers."""

    nouns = ("citation", "citations")
    header = ("citing", "cited")

    def where(
        self,
        *,
        citing: Paper | str | Iterable[Paper | str] | None = None,
        cited: Paper | str | Iterable[Paper | str] | None = None,
    ) -> Self:
        """Return the citations that match all filters.

        Papers are given by record, id or title. Raises `UnknownName` for an unknown paper.

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
    """The known introductions of entities, which do not derive from the texts of the papers."""

    nouns = ("introduction", "introductions")
    header = ("entity", "paper")

    def where(
        self,
        *,
        paper: Paper | str | Iterable[Paper | str] | None = None,
        entity: Entity | str | Iterable[Entity | str] | None = None,
        type: str | Iterable[str] | None = None,  # noqa: A002
    ) -> Self:
        """Return the introductions that match all filters; `type` is the type of the entity.

        Raises `FilterError` for an unknown type, `UnknownName` for an unknown paper or entity.

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


class Results(Records[Result]):
    """The results of a graph: the measured values that titles and abstracts report."""

    nouns = ("result", "results")
    header = ("value", "metric", "on", "system", "compared with", "paper")

    def where(
        self,
        *,
        paper: Paper | str | Iterable[Paper | str] | None = None,
        on: Entity | str | Iterable[Entity | str] | None = None,
        system: Entity | str | Iterable[Entity | str] | None = None,
        versus: Entity | str | Iterable[Entity | str] | None = None,
        metric: str | None = None,
        kind: str | Iterable[str] | None = None,
        min_confidence: float = 0.0,
    ) -> Self:
        """Return the results that match all filters.

        Papers are given by record, id or title. `on`, `system` and `versus` are entities by record,
        name or alias, or names as a result spells them; of several names, one matches. `metric`
        matches in every spelling, but not with other qualifiers: accuracy is not top-1 accuracy.
        `kind` is score or change. Raises `FilterError` for an unknown kind, `UnknownName` for an
        unknown paper, or for a name that no entity and no result has.

        >>> graph.results.where(on="D4RL", metric="accuracy")
        <0 results>
        """
        wanted = None if metric is None else metric_key(metric)
        return self._kept(
            (
                filters.among(filters.papers(self._graph, paper), lambda r: r.paper),
                self._named(on, lambda r: r.on),
                self._named(system, lambda r: r.systems),
                self._named(versus, lambda r: r.versus),
                None if wanted is None else (lambda r: metric_key(r.metric) == wanted),
                filters.among(filters.known("kind", kind, (CHANGE, SCORE)), lambda r: r.kind),
                filters.confident(min_confidence),
            )
        )

    def _named(
        self,
        given: Entity | str | Iterable[Entity | str] | None,
        slot: Callable[[Result], tuple[ResultName, ...]],
    ) -> Test[Result] | None:
        """Return a predicate: a name in the slot is the entity, or has the spelling."""
        if given is None:
            return None
        listed = (given,) if isinstance(given, (Entity, str)) else tuple(given)
        spelled = {key(n.text) for r in self for n in slot(r) if not n.entity}
        texts, entities = set[str](), set[str]()
        for one in listed:
            if isinstance(one, str) and key(one) in spelled:
                texts.add(key(one))
            try:
                entities.add(filters.entity(self._graph, one).id)
            except UnknownName:
                if not (isinstance(one, str) and key(one) in texts):
                    raise
        return lambda r: any(
            n.entity in entities if n.entity else key(n.text) in texts for n in slot(r)
        )

    def _labels(self) -> Iterator[str]:
        return (" ".join(filter(None, (r.value, r.metric))) for r in self)

    def _row(self, record: Result) -> tuple[str, ...]:
        slots = (record.on, record.systems, record.versus)
        return record.value, record.metric, *map(name_list, slots), self._title(record.paper)


class Outperformances(Records[Outperformance]):
    """The outperformances of a graph: one entity is better than another, by the results."""

    nouns = ("outperformance", "outperformances")
    header = ("winner", "loser", "margin", "metric", "on", "paper")

    def where(
        self,
        *,
        winner: Entity | str | Iterable[Entity | str] | None = None,
        loser: Entity | str | Iterable[Entity | str] | None = None,
        paper: Paper | str | Iterable[Paper | str] | None = None,
        min_confidence: float = 0.0,
    ) -> Self:
        """Return the outperformances that match all filters.

        Entities are given by record, name or alias, papers by record, id or title. Raises
        `UnknownName` for an unknown entity or paper.

        >>> graph.outperformances.where(winner="GRPO")
        <0 outperformances>
        """
        return self._kept(
            (
                filters.among(filters.entities(self._graph, winner), lambda o: o.winner),
                filters.among(filters.entities(self._graph, loser), lambda o: o.loser),
                filters.among(filters.papers(self._graph, paper), lambda o: o.paper),
                filters.confident(min_confidence),
            )
        )

    def _labels(self) -> Iterator[str]:
        return (f"{self._name(o.winner)} over {self._name(o.loser)}" for o in self)

    def _row(self, record: Outperformance) -> tuple[str, ...]:
        ends = self._name(record.winner), self._name(record.loser)
        on = ", ".join(record.on)
        return *ends, record.margin, record.metric, on, self._title(record.paper)


class Topics(Records[Topic]):
    """The topics of a graph: groups of entities that the same papers name, the largest first."""

    nouns = ("topic", "topics")
    header = ("topic", "papers", "entities")

    def where(
        self,
        *,
        entity: Entity | str | Iterable[Entity | str] | None = None,
        paper: Paper | str | Iterable[Paper | str] | None = None,
        min_papers: int = 0,
    ) -> Self:
        """Return the topics that have one of the entities and one of the papers.

        Entities are given by record, name or alias, papers by record, id or title; `min_papers`
        selects the topics with at least that many papers. Raises `UnknownName` for an unknown
        entity or paper.

        >>> graph.topics.where(entity="Rainbow")
        <1 topic: Atari · Deep Q-Network · MuJoCo>
        """
        entities = filters.entities(self._graph, entity)
        papers = filters.papers(self._graph, paper)
        return self._kept(
            (
                (lambda t: not entities.isdisjoint(t.entities)) if entities is not None else None,
                (lambda t: not papers.isdisjoint(t.papers)) if papers is not None else None,
                (lambda t: len(t.papers) >= min_papers) if min_papers else None,
            )
        )

    def _row(self, record: Topic) -> tuple[str, ...]:
        return record.label, str(len(record.papers)), str(len(record.entities))
