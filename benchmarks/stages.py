"""CPU milliseconds per paper of each stage of the extraction pipeline.

    python -m benchmarks.stages PAPERS.jsonl.gz [-n 1000]

prints a Markdown table. Each stage runs for several papers in turn, as in a build.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.extraction import distinct, read_lines
from citekg.extractors.nlp import make_document
from citekg.extractors.pipeline import BATCH, Draft, ExtractionPipeline
from citekg.schemas.garbage_collection import paused_garbage_collection
from citekg.schemas.records import Paper
from citekg.threads import ONE_THREAD

WARM_UP_PAPERS = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON Lines with title and abstract, gzip or not")
    parser.add_argument("-n", type=int, default=1000, help="how many papers")
    args = parser.parse_args()
    os.environ.update(ONE_THREAD)  # as in the workers of a build; numpy is not loaded yet
    rows = [
        json.loads(line)
        for line in itertools.islice(distinct(read_lines(args.papers)), args.n + WARM_UP_PAPERS)
    ]
    papers = [Paper(str(n), row["title"], row["abstract"]) for n, row in enumerate(rows)]
    pipeline = ExtractionPipeline()
    for _ in pipeline.extract_all(papers[:WARM_UP_PAPERS]):
        pass
    start = time.process_time()
    spent = stage_times(pipeline, papers[WARM_UP_PAPERS:])
    show(spent, time.process_time() - start, len(papers) - WARM_UP_PAPERS)


def stage_times(pipeline: ExtractionPipeline, papers: Sequence[Paper]) -> Counter[str]:
    """Return the CPU seconds of each stage, run for several papers in turn as in `extract_all`."""
    spent: Counter[str] = Counter()
    for first in range(0, len(papers), BATCH):
        with paused_garbage_collection():
            drafts = [Draft(make_document(paper)) for paper in papers[first : first + BATCH]]
            for name, stage in pipeline.stages:
                start = time.process_time()
                drafts = pipeline.run_stage(stage, drafts)
                spent[name] += time.process_time() - start  # type: ignore[assignment]
    return spent


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
