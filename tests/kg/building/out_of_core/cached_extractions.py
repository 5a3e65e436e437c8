"""Cached extractions for tests of out-of-core builds."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from citekg.building.incremental.cached_steps import STEPS
from citekg.building.incremental.part_files import packed
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.known_introductions import KnownPaper
from citekg.schemas.names import key
from citekg.schemas.records import Extraction, Paper
from citekg.storage.folders import LocalFolder
from tests.kg.extractions import make_extraction, named

PIPELINE: Any = SimpleNamespace(
    lexicon=Lexicon.of(
        [
            Entry("Qwen", "Model"),
            Entry("PPO", "Method", aliases=("Proximal Policy Optimization",)),
            Entry("KiteSet", "Dataset"),
        ]
    )
)
LISTED = {key("PPO"): KnownPaper("Proximal kites", "2017", "1707.00001")}


def many_papers(number: int) -> list[Extraction]:
    """Return papers that each introduce a name and use varied names of other papers."""
    rng = random.Random(21)
    extractions_of_papers = []
    for n in range(number):
        new = (
            f"{'GHK'[n % 3]}entle Kite {'OS'[n % 2]}earch {n % 40}",
            f"{'GHK'[n % 3]}K{'OS'[n % 2]}",
        )
        if n % 3 == 0:
            new = (f"Umber Kite Search {n % 50}", f"UKS{n % 50}")
        other = rng.randrange(n + 1)
        found: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
            (new, "Method", {"introduces": 0.9}),
            ((f"Kite-Net {other}",), "Method", {"uses": 0.8}),
            ((f"KiteNet{n % 50} algorithms",), "Method", {"uses": 0.8}),
            ((f"{'GHK'[other % 3]}K{'OS'[n % 2]}",), "Method", {"extends": 0.8}),
            (("PPO",), "Method", {"uses": 0.7}),
            ((f"Egret{n % 40}-{n % 9}B",), "Model", {"uses": 0.7}),
            ((f"Calm UKS{n % 50}",), "Method", {"uses": 0.7}),
            (("Heron",), rng.choice(["Method", "Dataset"]), {"uses": 0.7}),
        ]
        found = [found[0], *rng.sample(found[1:], 5)]
        text = "\n".join(" and ".join(surfaces) for surfaces, _, _ in found)
        paper = Paper(f"p{n:04}", f"Paper {n}", text, f"20{10 + n % 15}")
        unique = {key(one[0][0]): one for one in found}.values()
        entities = (named(paper.text, *s, type_=t, **roles) for s, t, roles in unique)
        extractions_of_papers.append(make_extraction(paper, *entities))
    return extractions_of_papers


def files(out: Path) -> dict[str, bytes]:
    """Return all files but the database and the digests of files, which contain times."""
    kept = (f"{STEPS}/*.duckdb", f"{STEPS}/*.json")
    found = {file for file in out.rglob("*") if file.is_file()}.difference(*map(out.glob, kept))
    return {str(file.relative_to(out)): file.read_bytes() for file in found}


class CachedExtractions:
    """A cache that stores all extractions in one file."""

    def __init__(self, folder: Path, extractions: list[Extraction]) -> None:
        self.folder = LocalFolder(folder)
        self.folder.write("part.jsonl.gz", packed(extractions))

    def files_of(self, _papers: Any) -> tuple[str, ...]:
        return ("part.jsonl.gz",)
