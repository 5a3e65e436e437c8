"""The tables of docs/quality.md: results, ablation and errors on annotated papers.

Run `python benchmarks/quality.py GOLD.jsonl [--write docs/quality.md]` from the project's root;
`--write` puts the tables between the markers of the document, in place of the old ones.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from citekg.building.pipeline import make_pipeline
from citekg.evaluation.annotations import Annotated, annotated_papers
from citekg.evaluation.matching import Case
from citekg.evaluation.metrics import Evaluation, evaluate
from citekg.evaluation.report import tables
from citekg.extractors.candidates.generate import LAYERS
from citekg.schemas.vocabulary import TYPES
from citekg.text_table import Table

Span = tuple[int, int]

#: The markers around the tables of a section in the document.
BEGIN, END = "<!-- figures: {} -->", "<!-- end of figures -->"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", help="annotated papers, JSON Lines")
    parser.add_argument("--write", type=Path, help="the document to write the tables into")
    args = parser.parse_args()
    sections = dict(figures(annotated_papers(args.gold)))
    if args.write is None:
        print(*sections.values(), sep="\n\n")
        return
    document = args.write.read_text(encoding="utf-8")
    for name, text in sections.items():
        document = replaced(document, name, text)
    args.write.write_text(document, encoding="utf-8")


def figures(annotated: tuple[Annotated, ...]) -> Iterator[tuple[str, str]]:
    """Yield each section of the document with its tables."""
    evaluation = evaluate(annotated, make_pipeline())
    yield "results", "\n\n".join(f"**{t.title}**\n\n{t.markdown()}" for t in tables(evaluation))
    yield "ablation", ablation(annotated).markdown()
    yield "faults", fault_classes(annotated, evaluation).markdown()


def replaced(document: str, name: str, text: str) -> str:
    """Return the document with the tables of a section replaced."""
    begin = BEGIN.format(name)
    section = f"{begin}\n\n{text}\n\n{END}"
    updated, count = re.subn(f"{begin}.*?{END}", lambda _: section, document, flags=re.DOTALL)
    if count != 1:
        sys.exit(f"the document holds {count} sections from {begin!r} to {END!r}, want one")
    return updated


def ablation(annotated: tuple[Annotated, ...]) -> Table:
    choices = {f"{layer} alone": [layer] for layer in LAYERS}
    choices |= {
        f"all but {layer}": [other for other in LAYERS if other != layer] for layer in LAYERS
    }
    choices["all"] = list(LAYERS)
    rows = tuple(
        row(name, evaluate(annotated, make_pipeline(layers))) for name, layers in choices.items()
    )
    return Table(
        "Ablation", ("layers", "P", "R", "F1", "F1 any type", *(f"{t} F1" for t in TYPES)), rows
    )


def row(name: str, evaluation: Evaluation) -> tuple[str, ...]:
    typed = evaluation.typed
    shares = (typed.precision, typed.recall, typed.f1, evaluation.entity.f1)
    by_type = (evaluation.by_type[t].f1 for t in TYPES)
    return name, *(f"{share:.3f}" for share in (*shares, *by_type))


def fault_classes(annotated: Iterable[Annotated], evaluation: Evaluation) -> Table:
    """Count the errors by class; the classes are determined automatically."""
    text_of = {a.paper.id: a.paper.text for a in annotated}
    found, gold = defaultdict(list), defaultdict(list)
    for case in evaluation.cases:
        found[case.paper] += find_spans(
            text_of[case.paper], case.found.surfaces if case.found else ()
        )
        gold[case.paper] += find_spans(text_of[case.paper], case.gold.surfaces if case.gold else ())
    counted: Counter[str] = Counter()
    for case in evaluation.with_verdict("miss", "type", "extra"):
        own = find_spans(
            text_of[case.paper], case.gold.surfaces if case.gold else case.found.surfaces
        )
        others = gold[case.paper] if case.gold is None else found[case.paper]
        counted[fault_class(case, own, others)] += 1
    return Table(
        "Faults by class",
        ("class", "count"),
        tuple((name, str(n)) for name, n in sorted(counted.items())),
    )


def fault_class(case: Case, own: list[Span], others: list[Span]) -> str:
    if case.verdict == "type":
        return "wrong type"
    kind = "missed" if case.verdict == "miss" else "extra"
    if any(a < d and c < b for a, b in own for c, d in others):
        return f"{kind}: different boundaries (an annotated and a found name overlap)"
    if kind == "missed" and not case.layers:
        return "missed: proposed by no layer"
    name = case.gold.name if case.gold else case.found.surfaces[0]
    return f"{kind}: {'plain words' if name.islower() else 'written as a name'}"


def find_spans(text: str, surfaces: Iterable[str]) -> list[Span]:
    return [m.span() for s in surfaces for m in re.finditer(rf"(?<!\w){re.escape(s)}(?!\w)", text)]


if __name__ == "__main__":
    main()
