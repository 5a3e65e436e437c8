"""Report the evaluation of adapted weights as a table, as JSON and in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from citekg.evaluation.metrics import Score
from citekg.learning.learn import Learnt
from citekg.text_table import Table


def table(learnt: Learnt) -> Table:
    """Return the scores before and after learning, by type."""
    rows = tuple((name, *_cells(before), *_cells(after)) for name, before, after in _scores(learnt))
    roles = tuple(
        (name, "", "", _share(before), "", "", _share(after))
        for name, before, after in _role_shares(learnt)
    )
    return Table(
        f"Cross-validation on {learnt.before.papers} papers",
        ("type", "P before", "R before", "F1 before", "P after", "R after", "F1 after"),
        rows + roles,
        note=_verdict(learnt),
    )


def _verdict(learnt: Learnt) -> str:
    """Return in a sentence whether the adapted weights are better."""
    before, after = learnt.before.typed.f1, learnt.after.typed.f1
    change = f"typed F1 {before:.3f} before, {after:.3f} after"
    if learnt.is_better:
        return f"better: {change}, higher in {learnt.share_of_gains:.0%} of resamplings"
    return (
        f"not better: {change}, higher in {learnt.share_of_gains:.0%} of resamplings; "
        "annotate more papers, or use the shipped models"
    )


def as_json(learnt: Learnt) -> dict[str, Any]:
    """Return the figures as a JSON object."""
    return {
        "papers": learnt.before.papers,
        "better": learnt.is_better,
        "share of gains": round(learnt.share_of_gains, 4),
        "weights": learnt.weights.digest,
        "types": list(learnt.weights.tagger.types),
        "roles": list(learnt.weights.roles),
        "scores": {
            name: {"before": _values(before), "after": _values(after)}
            for name, before, after in _scores(learnt)
        },
        **{
            name: {"before": round(before, 4), "after": round(after, 4)}
            for name, before, after in _role_shares(learnt)
        },
    }


def _scores(learnt: Learnt) -> Iterator[tuple[str, Score, Score]]:
    """Yield the scores of each type that was annotated or found, and of all."""
    for name, before in learnt.before.by_type.items():
        after = learnt.after.by_type[name]
        if any((before.tp, before.fp, before.fn, after.fp)):
            yield name, before, after
    yield "all, typed", learnt.before.typed, learnt.after.typed


def _role_shares(learnt: Learnt) -> Iterator[tuple[str, float, float]]:
    """Yield the share of entities with the right type that have a right role."""
    if any(case.gold_role for case in learnt.before.cases):
        yield "right role", learnt.before.relation_accuracy, learnt.after.relation_accuracy


def _cells(score: Score) -> tuple[str, str, str]:
    return _share(score.precision), _share(score.recall), _share(score.f1)


def _share(value: float) -> str:
    return f"{value:.3f}"


def _values(score: Score) -> dict[str, float]:
    return {
        "P": round(score.precision, 4),
        "R": round(score.recall, 4),
        "F1": round(score.f1, 4),
    }
