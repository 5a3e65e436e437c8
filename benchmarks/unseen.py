"""Join the annotations of 350 unseen conference papers with their texts, for `kg evaluate`.

    python -m benchmarks.unseen PAPERS.jsonl.gz... -o unseen.jsonl && kg evaluate unseen.jsonl

No training may use these papers: pass `--not benchmarks/annotations/unseen.jsonl` to the commands
of training. docs/quality.md tells how they were drawn and annotated.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from citekg.extractors.training.annotated import with_own_annotations

ANNOTATIONS = Path(__file__).parent / "annotations"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, nargs="+", help="JSON Lines, gzip, with the texts")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the file to write")
    args = parser.parse_args()
    rows = with_own_annotations([], args.papers, ANNOTATIONS, "entities")
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    args.output.write_text(text, encoding="utf-8")
    print(f"{len(rows)} papers")


if __name__ == "__main__":
    main()
