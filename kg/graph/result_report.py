"""Tables of reported results as text and as values for JSON (`kg results`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from citekg.graph.result_tables import NOTICE, ReportedResult, ResultGroup, ResultTable
from citekg.schemas.measures import name_list
from citekg.schemas.records import Entity, Paper, ResultName


def as_values(table: ResultTable) -> dict[str, Any]:
    """Return a table as lists and dictionaries; the keys of a result are those of `kg extract`."""
    about = table.about
    identity = {} if isinstance(about, str) else {"id": about.id}
    return {
        **identity,
        "name": table.name,
        "type": about.type if isinstance(about, Entity) else _type(about),
        "notice": NOTICE,
        "groups": [_group(group) for group in table.groups],
        "hidden": table.hidden,
        "variants": [{"name": name, "results": count} for name, count in table.variants],
    }


def _type(about: Paper | str) -> str:
    return "Paper" if isinstance(about, Paper) else ""


def _group(group: ResultGroup) -> dict[str, Any]:
    return {
        "metric": group.metric,
        "unit": group.measure.unit,
        "kind": group.measure.kind,
        "on": list(group.on),
        "lower_is_better": group.lower_is_better,
        "results": [_result(one) for one in group.results],
    }


def _result(one: ReportedResult) -> dict[str, Any]:
    result, paper = one.result, one.paper
    return {
        "value": result.value,
        "label": one.label,
        "amount": one.amount,
        "kind": result.kind,
        "direction": result.direction,
        "metric": result.metric,
        "on": _names(result.on),
        "system": _names(result.systems),
        "versus": _names(result.versus),
        "from": result.previous,
        "start": result.start,
        "end": result.end,
        "sentence": one.sentence,
        "confidence": result.confidence,
        "paper": paper.id,
        "title": paper.title,
        "date": paper.date,
    }


def _names(names: tuple[ResultName, ...]) -> list[dict[str, str]]:
    return [{"text": name.text, "entity": name.entity} for name in names]


def as_text(table: ResultTable, limit: int) -> str:
    """Return a table as text, with at most `limit` results of each group."""
    return "\n".join(_lines(table, limit))


def _lines(table: ResultTable, limit: int) -> Iterator[str]:
    yield table.title if table.groups else f"{table.name}: no results are reported"
    if table.variants:
        counted = ", ".join(f"{name} ({count})" for name, count in table.variants)
        yield f"results of its variants are listed apart: {counted}"
    for group in table.groups:
        yield from _group_lines(group, limit)
    if table.hidden:
        counted = f"{table.hidden} more result{'s' * (table.hidden != 1)}"
        yield f"\n{counted} of a low confidence: show with --all"


def _group_lines(group: ResultGroup, limit: int) -> Iterator[str]:
    shown = group.results[:limit]
    width = max(len(one.label) for one in shown)
    yield f"\n{group.title}{f' ({group.order})' if len(group.results) > 1 else ''}"
    for one in shown:
        facts = _facts(one) or "system not named"
        yield f"  {one.label:>{width}}  {facts}"
        yield f"  {'':{width}}  {one.paper.title} ({one.paper.date or 'undated'})"
        yield f"  {'':{width}}  “{' '.join(one.sentence.split())}”"
    if len(group.results) > limit:
        yield f"  … and {len(group.results) - limit} more"


def _facts(one: ReportedResult) -> str:
    """Return the systems, the earlier level and the rivals of a result in words."""
    result = one.result
    previous = f"from {result.previous}" if result.previous else ""
    versus = f"against {name_list(result.versus)}" if result.versus else ""
    return ", ".join(filter(None, (name_list(result.systems), previous, versus)))
