"""Join the annotations of 350 and of 300 unseen conference papers with their texts.

    python -m benchmarks.unseen PAPERS.jsonl.gz... -o FOLDER && kg evaluate FOLDER/unseen.jsonl

No training may use these papers: pass `--not` with each file of `benchmarks/annotations` to the
commands of training. docs/quality.md describes how they were sampled and annotated.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from citekg.extractors.training.annotated import read_rows, with_own_annotations

ANNOTATIONS = Path(__file__).parent / "annotations"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, nargs="+", help="JSON Lines, gzip, with the texts")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder to write to")
    args = parser.parse_args()
    joined = with_own_annotations([], args.papers, ANNOTATIONS, "entities")
    args.output.mkdir(parents=True, exist_ok=True)
    for file in sorted(ANNOTATIONS.glob("*.jsonl")):
        ids = {row["id"] for row in read_rows(file)}
        rows = [row for row in joined if row["id"] in ids]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (args.output / file.name).write_text(text, encoding="utf-8")
        print(f"{file.name}: {len(rows)} papers")


if __name__ == "__main__":
    main()
