"""Reported results in papers without annotations: their number, the CPU time, and a random sample.

    python -m benchmarks.results PAPERS.jsonl.gz [-n 2000] [--draw 50] [--seed 18]

prints how many results are found in the first papers and the CPU milliseconds of the stage per
paper. Then it prints the sampled results with their sentence and the text, for manual review.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import textwrap
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.extraction import distinct, read_lines
from benchmarks.stages import WARM_UP_PAPERS
from citekg.extractors.pipeline import Draft, ExtractionPipeline, Stage
from citekg.schemas.records import Paper, Result, ResultName
from citekg.threads import ONE_THREAD

STAGE = "extract_results"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON Lines with title and abstract, gzip or not")
    parser.add_argument("-n", type=int, default=2000, help="how many papers")
    parser.add_argument("--draw", type=int, default=50, help="how many results to print")
    parser.add_argument("--seed", type=int, default=18, help="of the draw")
    args = parser.parse_args()
    os.environ.update(ONE_THREAD)  # as in the workers of a build; numpy is not loaded yet
    rows = map(json.loads, itertools.islice(distinct(read_lines(args.papers)), args.n))
    papers = [Paper(str(n), row["title"], row["abstract"]) for n, row in enumerate(rows)]
    spent: Counter[str] = Counter()
    pipeline = ExtractionPipeline()
    stage = dict(pipeline.stages)[STAGE]
    pipeline = pipeline.replace_stage(STAGE, timed(stage, spent))
    for paper in papers[:WARM_UP_PAPERS]:
        pipeline.extract(paper)
    spent.clear()
    found = [(paper, r) for paper in papers for r in pipeline.extract(paper).results]
    with_results = len({paper.id for paper, _ in found})
    print(f"{len(found)} results in {with_results} of {len(papers)} papers")
    print(f"{1000 * spent[STAGE] / max(1, len(papers)):.2f} ms of CPU a paper")
    drawn = random.Random(args.seed).sample(found, min(args.draw, len(found)))
    for number, (paper, result) in enumerate(drawn, 1):
        print("\n".join(["", f"{number}. {_slots(result)}", *_texts(paper, result)]))


def timed(stage: Stage, spent: Counter[str]) -> Stage:
    """Return the stage, which adds its CPU seconds to `spent`."""

    def run(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
        start = time.process_time()
        done = stage(pipeline, draft)
        spent[STAGE] += time.process_time() - start  # type: ignore[assignment]
        return done

    return run


def _slots(result: Result) -> str:
    """Return the filled slots of a result."""
    slots = {
        "direction": result.direction,
        "metric": result.metric,
        "on": _joined(result.on),
        "system": _joined(result.systems),
        "versus": _joined(result.versus),
        "from": result.previous,
    }
    filled = ", ".join(f"{slot}: {text}" for slot, text in slots.items() if text)
    return f"{result.value} ({result.kind}, {result.confidence}) {filled}"


def _joined(names: Iterable[ResultName]) -> str:
    return " + ".join(name.text for name in names)


def _texts(paper: Paper, result: Result) -> Iterator[str]:
    """Yield the sentence of a result, and title and abstract."""
    for label, text in (
        ("sentence", paper.text[slice(*result.sentence)]),
        ("title", paper.title),
        ("abstract", paper.abstract),
    ):
        yield textwrap.fill(f"{label}: {text}", 100, initial_indent="   ", subsequent_indent="   ")


if __name__ == "__main__":
    main()
