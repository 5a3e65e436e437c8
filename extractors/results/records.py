"""Records of the results that were found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citekg.extractors.results.choice import ChoiceModel
from citekg.extractors.results.extract import UNIT
from citekg.extractors.results.features import DraftResult, NameCandidate, ResultContext
from citekg.extractors.results.values import measure_of
from citekg.schemas.records import Result, ResultName

#: The placeholder for the paper's own method or model without a name.
OURS: Final = ResultName("ours")


def make_records(context: ResultContext, model: ChoiceModel) -> tuple[Result, ...]:
    """Return the records of a paper's results in text order.

    A result of the title that the abstract repeats is left out.
    """
    title_end = len(context.doc.paper.title)
    records = [_make_record(context, draft, model) for draft in context.found]
    repeated = {_claim(record) for record in records if record.start > title_end}
    return tuple(r for r in records if r.start > title_end or _claim(r) not in repeated)


def _claim(record: Result) -> tuple[str, str]:
    """Return the key that two statements of one result share: kind and number."""
    return record.kind, "".join(c for c in record.value if c.isdigit() or c == ".")


def _make_record(context: ResultContext, draft: DraftResult, model: ChoiceModel) -> Result:
    doc, value = context.doc, context.values[draft.number]
    text = doc.paper.text
    start, end = doc.original_span(value.start, value.end)
    earlier = value.previous or draft.previous
    previous = text[slice(*doc.original_span(*earlier))] if earlier else ""
    return Result(
        paper=doc.paper.id,
        start=start,
        end=end,
        value=text[start:end],
        kind=draft.kind,
        direction=draft.direction,
        metric=_metric(context, draft),
        on=_names(context, draft.on),
        systems=_names(context, draft.systems) or (OURS,),
        versus=_names(context, draft.versus),
        previous=previous,
        sentence=doc.original_span(*doc.sentence_span(draft.sentence)),
        confidence=round(model.calibrated(draft.probability), 2),
    )


def _metric(context: ResultContext, draft: DraftResult) -> str:
    doc = context.doc
    if draft.metric == UNIT:
        unit = context.values[draft.number].unit
        return measure_of(unit) or unit
    if draft.metric is None:
        return ""
    first, last = draft.metric
    return doc.paper.text[slice(*doc.original_span(doc.starts[first], doc.ends[last - 1]))]


def _names(context: ResultContext, candidates: Sequence[NameCandidate]) -> tuple[ResultName, ...]:
    doc = context.doc
    spans = (doc.original_span(doc.starts[a], doc.ends[b - 1]) for _, _, _, (a, b) in candidates)
    return tuple(ResultName(doc.paper.text[a:b]) for a, b in spans)
