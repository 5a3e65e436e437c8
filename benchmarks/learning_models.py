"""The models of the learning curve: trained on daily papers alone, and on all annotated papers.

    python -m benchmarks.learning_models GOLD CORPUS.jsonl.gz --folder FOLDER

GOLD is a folder with `train.jsonl`, `dev.jsonl` and `dev-fields.jsonl`; the ids of daily papers
begin with "s". The curve cannot start from the shipped weights, because they were trained on papers
of other fields. Three training runs produce its weights:

- `first`: the tagger and the classifiers, on the daily papers alone;
- `daily`: the same, after the tagger was trained on labels that `first` gave to unlabelled papers;
- `all`: the tagger of these silver labels, then all papers of `train.jsonl`.

The weights of each run are in FOLDER/NAME; existing ones are not trained again. The runs take 12
minutes on one core, and need PyTorch and scikit-learn (the dependency group `train`).
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UNLABELLED = 5000
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

#: The epochs of the decision network and of the tagger for hundreds of papers, not thousands:
#: those that the shipped weights had with 757 papers (the tagger's are two thirds of them).
TRAIN = """
from citekg.extractors.training import decision_training, train
decision_training.EPOCHS = train.DECISION_EPOCHS = 5
decision_training._RATE = 2e-3
train._GOLD_EPOCHS = 8
train.main()
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path, help="a folder with the annotated papers")
    parser.add_argument(
        "unlabelled", type=Path, help="papers without annotations, JSON Lines, gzip"
    )
    parser.add_argument("--folder", type=Path, required=True, help="where the weights are kept")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    daily, texts = args.folder / "daily.jsonl", args.folder / "unlabelled.jsonl.gz"
    _write_daily(args.gold / "train.jsonl", daily)
    _write_first(args.unlabelled, texts)
    held_out = [args.gold / f"{name}.jsonl" for name in ("train", "dev", "dev-fields")]
    shipped = ROOT / "extractors" / "weights"
    silver = args.folder / "silver.pt"
    train(args.folder / "first", shipped, daily, [], args.folder / "random.pt", held_out)
    train(args.folder / "daily", args.folder / "first", daily, [texts], silver, held_out)
    train(args.folder / "all", shipped, args.gold / "train.jsonl", [], silver, held_out)


def train(
    target: Path, teacher: Path, gold: Path, texts: list[Path], silver: Path, held_out: list[Path]
) -> None:
    """Train weights into the folder `target`, unless they exist.

    `teacher` are the weights that label the texts; `silver` is the file of the network trained on
    these labels, which is written if it is missing. Without texts, that network is random.
    """
    if (target / "training.json").exists():
        return
    package = make_package(target.with_suffix(".package"), teacher)
    skipped = [text for path in held_out for text in ("--not", str(path))]
    command = [str(gold), *map(str, texts), "--silver", str(silver), *skipped]
    if run(package, ["-c", TRAIN, *command]).returncode:
        sys.exit(f"the training of {target.name} failed")
    shutil.copytree(package / "citekg" / "extractors" / "weights", target, dirs_exist_ok=True)
    shutil.rmtree(package)


def make_package(folder: Path, weights: Path) -> Path:
    """Make a folder from which Python imports this checkout with other weights.

    The project's own annotations are left out.
    """
    shutil.rmtree(folder, ignore_errors=True)
    package = folder / "citekg"
    left_out = shutil.ignore_patterns("weights", "annotations", "__pycache__")
    shutil.copytree(ROOT / "kg", package, ignore=left_out)
    for name in ("extractors", "schemas", "exports"):
        shutil.copytree(ROOT / name, package / name, ignore=left_out)
    shutil.copytree(weights, package / "extractors" / "weights")
    (package / "extractors" / "training" / "annotations").mkdir()
    return folder


def run(package: Path, arguments: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Run Python with the package of a folder, with one thread."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": str(package)},
        cwd=package,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )


def _write_daily(gold: Path, target: Path) -> None:
    with gold.open(encoding="utf-8") as lines:
        target.write_text("".join(filter(is_daily, lines)), encoding="utf-8")


def is_daily(line: str) -> bool:
    """Return whether a line of annotations is about a daily paper."""
    return str(json.loads(line)["id"]).startswith("s")


def _write_first(corpus: Path, target: Path) -> None:
    with gzip.open(corpus, "rt", encoding="utf-8") as lines, gzip.open(target, "wt") as out:
        out.writelines(itertools.islice(lines, UNLABELLED))


if __name__ == "__main__":
    main()
