"""Report an evaluation as tables, as a list of errors, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from citekg.evaluation.matching import Case
from citekg.evaluation.metrics import Evaluation, Score
from citekg.text_table import Table

_ERRORS: Final = {"miss": "Missed", "type": "Wrong type", "extra": "Found, not annotated"}
_COUNTS: Final = ("P", "R", "F1", "right", "wrong", "missed")


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """Yield the metrics of an evaluation as tables."""
    overall = {"all, typed": evaluation.typed, "all, any type": evaluation.entity}
    yield _scores(
        f"Entities in {evaluation.papers} papers", "type", {**evaluation.by_type, **overall}
    )
    yield _confusion(evaluation)
    yield _layers(evaluation)
    shares = (
        f"accuracy {_share(evaluation.relation_accuracy)}",
        f"P {_share(evaluation.role_precision)}",
        f"R {_share(evaluation.role_recall)}",
    )
    title = f"Roles of entities with the right type ({', '.join(shares)})"
    yield _scores(title, "role", evaluation.by_role)
    yield _scores("Roles, with every miss, extra and wrong type", "role", evaluation.by_role_in_all)
    yield _calibration(evaluation)
    yield _relations(evaluation)


def error_listing(evaluation: Evaluation) -> str:
    """Return every miss, wrong type and extra with its sentence, as text."""
    blocks = []
    for verdict, title in _ERRORS.items():
        cases = [c for c in evaluation.cases if c.verdict == verdict]
        blocks.append("\n".join((f"{title}: {len(cases)}", *map(_error_text, cases))))
    return "\n\n".join(blocks)


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return the evaluation as a JSON object; shares are rounded to four digits."""
    return {
        "papers": evaluation.papers,
        "entity": _score(evaluation.entity),
        "typed": _score(evaluation.typed),
        "by_type": _all_scores(evaluation.by_type),
        "confusion": {
            gold or "none": {f or "none": n for f, n in row.items()}
            for gold, row in evaluation.confusion.items()
        },
        "by_layer": {
            layer or "all": {
                "proposed": shown.proposed,
                "annotated": shown.annotated,
                "recall": round(shown.recall, 4),
                "found": shown.found.tp + shown.found.fp,
                "precision": round(shown.found.precision, 4),
            }
            for layer, shown in evaluation.by_layer.items()
        },
        "relation_accuracy": round(evaluation.relation_accuracy, 4),
        "roles": {
            "P": round(evaluation.role_precision, 4),
            "R": round(evaluation.role_recall, 4),
        },
        "by_role": _all_scores(evaluation.by_role),
        "by_role_in_all": _all_scores(evaluation.by_role_in_all),
        "calibration": {
            "error": round(evaluation.calibration_error(typed=False), 4),
            "error_typed": round(evaluation.calibration_error(typed=True), 4),
            "bins": [
                {
                    "from": b.low,
                    "count": b.count,
                    "confidence": round(b.confidence, 4),
                    "precision": round(b.entity, 4),
                    "precision_typed": round(b.typed, 4),
                }
                for b in evaluation.calibration
            ],
        },
        "relations": [
            {
                "from": b.low,
                "to": b.high,
                "count": b.count,
                "confidence": round(b.confidence, 4),
                "precision": round(b.strict, 4),
                "precision_required": round(b.required, 4),
            }
            for b in evaluation.relation_calibration
        ],
        "faults": [_error_json(c) for c in evaluation.cases if c.verdict in _ERRORS],
    }


def _scores(title: str, what: str, scores: Mapping[str, Score]) -> Table:
    rows = [
        (name, _share(s.precision), _share(s.recall), _share(s.f1), str(s.tp), str(s.fp), str(s.fn))
        for name, s in scores.items()
    ]
    return Table(title, (what, *_COUNTS), tuple(rows))


def _confusion(evaluation: Evaluation) -> Table:
    names = list(evaluation.confusion)
    header = ("annotated as", *(name or "not found" for name in names))
    rows = [
        (gold or "not annotated", *(str(row[name]) if gold or name else "" for name in names))
        for gold, row in evaluation.confusion.items()
    ]
    return Table("Confusion matrix: annotated types, by the type found", header, tuple(rows))


def _layers(evaluation: Evaluation) -> Table:
    rows = [
        (
            layer or "all",
            _share(s.recall),
            str(s.proposed),
            str(s.found.tp + s.found.fp),
            _share(s.found.precision),
        )
        for layer, s in evaluation.by_layer.items()
    ]
    title = "Layers: annotated entities that each proposed, and scores of its entities"
    return Table(title, ("layer", "R of proposals", "proposed", "found", "P of found"), tuple(rows))


def _calibration(evaluation: Evaluation) -> Table:
    rows = [
        (
            f"{b.low:.1f} to {b.low + 0.1:.1f}",
            str(b.count),
            _share(b.confidence),
            _share(b.entity),
            _share(b.typed),
        )
        for b in evaluation.calibration
    ]
    errors = (_share(evaluation.calibration_error(typed=t)) for t in (False, True))
    error = ("expected error", "", "", *errors)
    return Table(
        "Calibration", ("confidence", "found", "mean", "P any type", "P typed"), (*rows, error)
    )


def _relations(evaluation: Evaluation) -> Table:
    rows = [
        (
            f"{b.low:.1f} to {b.high:.1f}",
            str(b.count),
            _share(b.confidence),
            _share(b.strict),
            _share(b.required),
        )
        for b in evaluation.relation_calibration
    ]
    header = ("confidence", "relations", "mean", "P", "P without optional")
    return Table("Relations by confidence: name, type and role", header, tuple(rows))


def _error_text(case: Case) -> str:
    one = _error_json(case)
    types = " -> ".join(filter(None, (one["annotated"], one["found"])))
    return f"  {one['paper']}  {types}  {one['name']}\n      {one['sentence']}"


def _error_json(case: Case) -> dict[str, Any]:
    surfaces = case.found.surfaces if case.found else ()
    return {
        "verdict": case.verdict,
        "paper": case.paper,
        "name": case.gold.name if case.gold else " / ".join(surfaces),
        "annotated": case.gold.type if case.gold else None,
        "found": case.found.type if case.found else None,
        "surfaces": list(surfaces),
        "confidence": case.found.confidence if case.found else None,
        "proposed_by": sorted(case.layers),
        "sentence": case.sentence,
    }


def _all_scores(scores: Mapping[str, Score]) -> dict[str, dict[str, float]]:
    return {name: _score(score) for name, score in scores.items()}


def _score(score: Score) -> dict[str, float]:
    shares = {"P": score.precision, "R": score.recall, "F1": score.f1}
    return {
        **{name: round(share, 4) for name, share in shares.items()},
        "tp": score.tp,
        "fp": score.fp,
        "fn": score.fn,
    }


def _share(value: float) -> str:
    return f"{value:.3f}"
