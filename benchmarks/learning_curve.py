"""The learning curve of `kg learn`: daily-paper models adapted to papers of other fields.

    python -m benchmarks.learning_curve GOLD --folder FOLDER [--write docs]

FOLDER has the weights of `benchmarks.learning_models`. Weights trained on daily papers alone are
adapted with the papers of `train.jsonl` from other fields: 20, 40, 80, 160 of them (means of three
draws), and all. The scores are those on `dev-fields.jsonl` and `dev.jsonl`, which are not used for
training, compared with weights trained on all of `train.jsonl`. Figures in FOLDER are used again as
long as the code of learning does not change.

Then the example of `examples/learning` is measured: cues alone, and after learning.

`--write` puts the tables into learning.md of that folder, and the figures of the curve into
learning-curve.json, from which `docs/learning_curve.py` draws the picture.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import resource
import statistics
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.learning_models import ROOT, is_daily, make_package, run
from benchmarks.quality import replaced

SIZES = (20, 40, 80, 160)
DRAWS = 3
#: Exit codes of kg learn: better, and not better.
SUCCESS_CODES = (0, 6)
LEARNING_CODE = (
    "extractors/learning",
    "extractors/adaptation",
    "extractors/pipeline.py",
    "kg/learning",
)
Figures = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path, help="a folder with the annotated papers")
    parser.add_argument("--folder", type=Path, required=True, help="that of learning_models")
    parser.add_argument("--write", type=Path, help="the folder of the documentation")
    args = parser.parse_args()
    sections = {"digs": measure_example(args.folder)}
    if (args.gold / "train.jsonl").exists() and (args.folder / "daily").exists():
        figures = {
            "other fields learnt": measure_curve(args.gold, args.folder),
            "trained on all": score(args.gold, args.folder, "all", None),
        }
        sections["learning curve"] = table(figures)
        if args.write:
            text = json.dumps(figures, indent=1) + "\n"
            (args.write / "learning-curve.json").write_text(text, encoding="utf-8")
    else:
        print("no curve: the annotated papers or the weights of learning_models are not there")
    print(*sections.values(), sep="\n\n")
    if args.write:
        write_sections(args.write / "learning.md", sections)


def write_sections(page: Path, sections: dict[str, str]) -> None:
    document = page.read_text(encoding="utf-8")
    for name, text in sections.items():
        document = replaced(document, name, text)
    page.write_text(document, encoding="utf-8")


def measure_example(folder: Path) -> str:
    """Return the scores on the unseen papers of the example as a table."""
    place = ROOT / "examples" / "learning"
    package = make_package(folder / "example.package", ROOT / "extractors" / "weights")
    weights, schema = folder / "digs.weights", ("--schema", place / "schema.yaml")
    learn = run(package, kg("learn", place / "digs.jsonl.gz", *schema, "-o", weights, "--json"))
    if learn.returncode not in SUCCESS_CODES:
        sys.exit("kg learn failed on the example")
    out = ["| | F1 sites | F1 wares | typed F1 | F1 of the role dates |", "|---|---|---|---|---|"]
    for label, more in (("cues alone", ()), ("after learning", ("--weights", weights))):
        unseen = place / "unseen.jsonl.gz"
        found = json.loads(run(package, kg("evaluate", unseen, *schema, *more, "--json")).stdout)
        scores = (*found["by_type"].values(), found["typed"], found["by_role_in_all"]["dates"])
        out.append("| " + " | ".join([label, *(f"{s['F1']:.2f}" for s in scores)]) + " |")
    return "\n".join(out)


def measure_curve(gold: Path, folder: Path) -> list[Figures]:
    """Return a row of figures for each number of training papers; `papers` is that number."""
    lines = (gold / "train.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    fields = [line for line in lines if not is_daily(line)]
    rows = [{"papers": 0.0, **score(gold, folder, "daily", None)}]
    for size in (*SIZES, len(fields)):
        draws = range(DRAWS if size < len(fields) else 1)
        found = [
            learn_and_score(gold, folder, sample_lines(fields, size, draw), f"{size}-{draw}")
            for draw in draws
        ]
        rows.append({"papers": float(size), **mean_figures(found)})
        print(f"{size} papers: {rows[-1]}", file=sys.stderr)
    return rows


def sample_lines(lines: list[str], size: int, draw: int) -> list[str]:
    """Return the first lines of a shuffled list, so that larger numbers include smaller ones."""
    shuffled = random.Random(draw).sample(lines, len(lines))
    return shuffled[:size]


def mean_figures(found: list[Figures]) -> Figures:
    return {name: round(statistics.mean(each[name] for each in found), 4) for name in found[0]}


def learn_and_score(gold: Path, folder: Path, lines: list[str], name: str) -> Figures:
    """Return the figures of weights learnt from annotated papers, with CPU seconds."""
    run_folder = folder / "curve" / code_digest() / name
    run_folder.mkdir(parents=True, exist_ok=True)
    report = run_folder / "figures.json"
    if not report.exists():
        (run_folder / "papers.jsonl").write_text("".join(lines), encoding="utf-8")
        package = make_package(run_folder / "package", folder / "daily")
        weights = run_folder / "mine.weights"
        before = seconds()
        done = run(package, kg("learn", run_folder / "papers.jsonl", "-o", weights, "--json"))
        spent = seconds() - before
        if done.returncode not in SUCCESS_CODES:
            sys.exit(f"kg learn failed on {name}")
        figures = {**score(gold, folder, "daily", weights), "seconds": round(spent, 1)}
        report.write_text(json.dumps(figures), encoding="utf-8")
    return dict(json.loads(report.read_text(encoding="utf-8")))


def score(gold: Path, folder: Path, models: str, weights: Path | None) -> Figures:
    """Return typed F1 and role accuracy on held-out papers, for models with or without weights."""
    package = make_package(folder / "scoring.package", folder / models)
    adapted = ("--weights", weights) if weights else ()
    figures: Figures = {}
    for name, papers in held_out(gold, folder):
        done = run(package, kg("evaluate", papers, *adapted, "--json"))
        found: dict[str, Any] = json.loads(done.stdout)
        figures[f"{name} F1"] = found["typed"]["F1"]
        figures[f"{name} roles"] = found["relation_accuracy"]
    return figures


def held_out(gold: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the held-out papers: other fields, machine learning, and the daily ones among these."""
    yield "fields", gold / "dev-fields.jsonl"
    yield "dev", gold / "dev.jsonl"
    daily = folder / "dev-daily.jsonl"
    with (gold / "dev.jsonl").open(encoding="utf-8") as lines:
        daily.write_text("".join(filter(is_daily, lines)), encoding="utf-8")
    yield "daily", daily


def kg(*arguments: object) -> list[str]:
    return ["-m", "citekg", *map(str, arguments)]


def seconds() -> float:
    """Return the CPU seconds of the ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def code_digest() -> str:
    """Return a short digest of the code of learning."""
    hasher = hashlib.sha256()
    for path in python_files(ROOT / name for name in LEARNING_CODE):
        hasher.update(path.read_bytes())
    return hasher.hexdigest()[:12]


def python_files(places: Iterable[Path]) -> Iterator[Path]:
    for place in places:
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place]


def table(figures: dict[str, Any]) -> str:
    """Return the figures as a Markdown table."""
    names = [f"{group} {what}" for group in ("fields", "dev", "daily") for what in ("F1", "roles")]
    out = [
        "| papers of other fields | " + " | ".join(names) + " | CPU seconds |",
        "|---|" + "---|" * (len(names) + 1),
    ]
    rows = [(f"{row['papers']:.0f}", row) for row in figures["other fields learnt"]]
    for label, row in (*rows, ("trained on all", figures["trained on all"])):
        cells = [f"{row[name]:.3f}" for name in names]
        spent = f"{row['seconds']:.0f}" if "seconds" in row else ""
        out.append("| " + " | ".join([label, *cells, spent]) + " |")
    return "\n".join(out)


if __name__ == "__main__":
    main()
