"""CPU milliseconds per paper of each stage of the extraction pipeline.

    python -m benchmarks.stages PAPERS.jsonl.gz [-n 1000]

prints a Markdown table. The stages are those of the extraction pipeline.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.extraction import distinct, read_lines
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.records import Paper
from citekg.threads import ONE_THREAD

WARM = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON Lines with title and abstract, gzip or not")
    parser.add_argument("-n", type=int, default=1000, help="how many papers")
    args = parser.parse_args()
    os.environ.update(ONE_THREAD)  # as in the workers of a build; numpy is not loaded yet
    rows = [
        json.loads(line)
        for line in itertools.islice(distinct(read_lines(args.papers)), args.n + WARM)
    ]
    papers = [Paper(str(n), row["title"], row["abstract"]) for n, row in enumerate(rows)]
    spent: Counter[str] = Counter()
    pipeline = ExtractionPipeline()
    for name, stage in pipeline.stages:
        pipeline = pipeline.replace_stage(name, timed(stage, name, spent))
    for paper in papers[:WARM]:
        pipeline.extract(paper)
    spent.clear()
    start = time.process_time()
    for paper in papers[WARM:]:
        pipeline.extract(paper)
    show(spent, time.process_time() - start, len(papers) - WARM)


def timed(function: Callable[..., Any], stage: str, spent: Counter[str]) -> Callable[..., Any]:
    """Return the function wrapped so that the CPU seconds of its calls are added up."""

    def call(*args: Any, **more: Any) -> Any:
        start = time.process_time()
        try:
            return function(*args, **more)
        finally:
            spent[stage] += time.process_time() - start  # type: ignore[assignment]

    return call


def show(spent: Counter[str], total: float, papers: int) -> None:
    print("| stage | CPU ms a paper | share |")
    print("| --- | ---: | ---: |")
    for stage in spent:
        print(
            f"| {stage} | {1000 * spent[stage] / papers:.2f} | {100 * spent[stage] / total:.0f} % |"
        )
    rest = total - sum(spent.values())
    print(f"| the rest | {1000 * rest / papers:.2f} | {100 * rest / total:.0f} % |")
    print(f"| all | {1000 * total / papers:.2f} | 100 % |")


if __name__ == "__main__":
    main()
