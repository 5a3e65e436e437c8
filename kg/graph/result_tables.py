"""Reported results as tables: of a benchmark, of a method, or of a paper, best first.

A table consists of groups of results that can be compared. Nothing is ranked across groups. The
results are those that titles and abstracts report; their conditions may differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from citekg.graph.lookup import find_any
from citekg.graph.usage import variants_of
from citekg.schemas.errors import UnknownName
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.measures import (
    Measure,
    amount_of,
    by_measure,
    measure_title,
    metric_name,
    name_key,
    name_list,
    value_label,
)
from citekg.schemas.names import key
from citekg.schemas.records import Entity, Paper, Result, ResultName
from citekg.schemas.vocabulary import MIN_CONFIDENCE
from citekg.text_table import Table

#: The notice in every view of results.
NOTICE: Final = "reported in the abstract; conditions may differ"

_HEADER: Final = (
    "metric", "unit", "on", "value", "system", "versus", "from", "paper", "date", "sentence"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """A result with its paper and its sentence.

    `label` is the value as it is shown, such as `+4.3 points`; `amount` is the number by which it
    is ranked, None without digits.
    """

    result: Result
    paper: Paper
    sentence: str
    label: str
    amount: float | None


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """Results that can be compared, best first; newest first if `lower_is_better` is None.

    `metric` is spelt as in most of the results; `on` has the names of the entities.
    """

    measure: Measure
    metric: str
    on: tuple[str, ...]
    results: tuple[ReportedResult, ...]

    @property
    def lower_is_better(self) -> bool | None:
        """Whether low values are better; None if that is unknown or values cannot be compared."""
        return self.measure.lower_is_better

    @property
    def title(self) -> str:
        """Return metric, unit and benchmarks, such as `change of accuracy in % on X`."""
        return measure_title(self.measure, self.metric, self.on)

    @property
    def order(self) -> str:
        """Return how the results are sorted, in words."""
        if self.lower_is_better is None:
            return "newest first: not ranked"
        return f"{'lower' if self.lower_is_better else 'higher'} is better"


@dataclass(frozen=True)
class ResultTable:
    """The reported results of a benchmark, a dataset, a method, a model or a paper, in groups.

    `about` is the entity or the paper, or the name if the graph has no entity of this name;
    `hidden` counts the results of a lower confidence, which are left out. `variants` are the
    variants of an entity, such as AIME 2024 of AIME, with the number of their results.
    """

    about: Entity | Paper | str
    groups: tuple[ResultGroup, ...]
    hidden: int = 0
    variants: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """Return the name of the entity or the title of the paper."""
        if isinstance(self.about, str):
            return self.about
        return self.about.title if isinstance(self.about, Paper) else self.about.name

    @cached_property
    def results(self) -> tuple[ReportedResult, ...]:
        """The results of all groups."""
        return tuple(one for group in self.groups for one in group.results)

    @property
    def title(self) -> str:
        """Return the name, the number of results and papers, and the notice."""
        papers = len({one.paper.id for one in self.results})
        counted = f"{_count(len(self.results), 'result')} of {_count(papers, 'paper')}"
        return f"{self.name}: {counted}, {NOTICE}"

    def table(self) -> Table:
        """Return all results as one table; the rows of a group are together."""
        rows = (_row(group, one) for group in self.groups for one in group.results)
        return Table(self.title, _HEADER, tuple(rows), len(_HEADER))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.title}>"

    def _repr_html_(self) -> str:
        return self.table().html()


def result_table(
    graph: KnowledgeGraph,
    name: str | Entity | Paper,
    *,
    against: bool = False,
    min_confidence: float = MIN_CONFIDENCE,
) -> ResultTable:
    """Return the results on a benchmark or dataset, of a method or model, or by a paper.

    With `against`, the results that are compared with the entity. A name is looked up by
    `find_any`; a name that only results spell is found too. Raises `UnknownName`.
    """
    about = _about(graph, name)
    found = [r for r in graph.results if _concerns(about, r, against=against)]
    kept = [r for r in found if r.confidence >= min_confidence]
    wider = variants_of(graph, about) if isinstance(about, Entity) else ()
    counts = ((e.name, _reports(graph, e, min_confidence, against=against)) for e in wider)
    variants = tuple((variant, count) for variant, count in counts if count)
    return ResultTable(about, _groups(graph, kept), len(found) - len(kept), variants)


def _reports(graph: KnowledgeGraph, entity: Entity, min_confidence: float, *, against: bool) -> int:
    """Return the number of results of an entity."""
    return sum(
        r.confidence >= min_confidence and _concerns(entity, r, against=against)
        for r in graph.results
    )


def _about(graph: KnowledgeGraph, name: str | Entity | Paper) -> Entity | Paper | str:
    if not isinstance(name, str):
        return name
    try:
        return find_any(graph, name)
    except UnknownName:
        if any(key(n.text) == key(name) for r in graph.results for n in _names(r)):
            return name
        raise


def _names(result: Result) -> tuple[ResultName, ...]:
    return (*result.on, *result.systems, *result.versus)


def _concerns(about: Entity | Paper | str, result: Result, *, against: bool) -> bool:
    if isinstance(about, Paper):
        return result.paper == about.id and not against
    wanted = about.id if isinstance(about, Entity) else key(about)
    names = result.versus if against else (*result.on, *result.systems)
    return any(wanted == name_key(name) for name in names)


def _groups(graph: KnowledgeGraph, results: Iterable[Result]) -> tuple[ResultGroup, ...]:
    return tuple(
        ResultGroup(
            measure,
            metric_name(found),
            _on(graph, found),
            tuple(_reported(graph, result) for result in found),
        )
        for measure, found in by_measure(results, graph.paper_by_id)
    )


def _on(graph: KnowledgeGraph, results: Iterable[Result]) -> tuple[str, ...]:
    """Return the names of the benchmarks of a group."""
    spelled = Counter(tuple(_name(graph, n) for n in r.on) for r in results)
    return spelled.most_common(1)[0][0]


def _name(graph: KnowledgeGraph, name: ResultName) -> str:
    entity = graph.entity_by_id.get(name.entity)
    return entity.name if entity else name.text


def _reported(graph: KnowledgeGraph, result: Result) -> ReportedResult:
    paper, sentence = graph.paper_by_id[result.paper], graph.sentence(result)
    return ReportedResult(result, paper, sentence, value_label(result), amount_of(result))


def _row(group: ResultGroup, one: ReportedResult) -> tuple[str, ...]:
    result = one.result
    return (
        result.metric,
        group.measure.unit,
        name_list(result.on),
        one.label,
        name_list(result.systems),
        name_list(result.versus),
        result.previous,
        one.paper.title,
        one.paper.date,
        " ".join(one.sentence.split()),
    )


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
