"""Records of the results that were found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citekg.extractors.results.choice import ChoiceModel
from citekg.extractors.results.extract import UNIT
from citekg.extractors.results.features import Finding, NameCandidate, Story
from citekg.extractors.results.values import measure_of
from citekg.schemas.records import Result, ResultName

#: Stands for the paper's own method or model where it has no name.
OURS: Final = ResultName("ours")


def make_records(story: Story, model: ChoiceModel) -> tuple[Result, ...]:
    """Return the records of a paper's results in text order.

    A result of the title that the abstract repeats is left out.
    """
    title_end = len(story.doc.paper.title)
    records = [_make_record(story, finding, model) for finding in story.found]
    repeated = {_claim(record) for record in records if record.start > title_end}
    return tuple(r for r in records if r.start > title_end or _claim(r) not in repeated)


def _claim(record: Result) -> tuple[str, str]:
    """Return what two statements of one result share: kind and number."""
    return record.kind, "".join(c for c in record.value if c.isdigit() or c == ".")


def _make_record(story: Story, finding: Finding, model: ChoiceModel) -> Result:
    doc, value = story.doc, story.values[finding.number]
    text = doc.paper.text
    start, end = doc.given_span(value.start, value.end)
    previous = text[slice(*doc.given_span(*value.previous))] if value.previous else ""
    return Result(
        paper=doc.paper.id,
        start=start,
        end=end,
        value=text[start:end],
        kind=finding.kind,
        direction=finding.direction,
        metric=_metric(story, finding),
        on=_names(story, finding.on),
        systems=_names(story, finding.systems) or (OURS,),
        versus=_names(story, finding.versus),
        previous=previous,
        sentence=doc.given_span(*doc.sentence_span(finding.scene)),
        confidence=round(model.calibrated(finding.probability), 2),
    )


def _metric(story: Story, finding: Finding) -> str:
    doc = story.doc
    if finding.metric == UNIT:
        unit = story.values[finding.number].unit
        return measure_of(unit) or unit
    if finding.metric is None:
        return ""
    first, last = finding.metric
    return doc.paper.text[slice(*doc.given_span(doc.starts[first], doc.ends[last - 1]))]


def _names(story: Story, candidates: Sequence[NameCandidate]) -> tuple[ResultName, ...]:
    doc = story.doc
    spans = (doc.given_span(doc.starts[a], doc.ends[b - 1]) for _, _, _, (a, b) in candidates)
    return tuple(ResultName(doc.paper.text[a:b]) for a, b in spans)
