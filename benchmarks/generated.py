"""Generate a large corpus from a small one: copies of papers with other names, ids and titles.

    python -m benchmarks.generated PAPERS.jsonl.gz FOLDER -n 1000000

writes papers to FOLDER/papers and their extractions, as the cache keeps them, to FOLDER/readings;
`kg build FOLDER/papers --cache FOLDER/readings ...` then builds a graph without extracting anything
again. Only the original papers are extracted.

The number of distinct names grows with the number of papers n as in the N original papers, by
Heaps' law V(n) = k n^b; the command prints k and b. Copy number c has as many new names as the law
predicts for papers c·N to (c+1)·N. These are names of the originals with other letters. All other
names are from earlier copies. Names of the lexicon never change. A short form changes with its long
form. A vowel is replaced by a vowel and a consonant by a consonant, so that short forms still
abbreviate their long forms and all offsets stay valid; "s", function words and words such as
"network" are not changed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from math import exp, log
from multiprocessing import get_context
from pathlib import Path
from statistics import linear_regression
from typing import Final

from benchmarks.parts import extract_cached
from citekg.building.incremental.extraction_cache import ExtractionCache
from citekg.building.incremental.part_files import packed
from citekg.building.pipeline import make_pipeline
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.wording.head_nouns import COINED_METHOD_KINDS, DATA_KINDS, METHOD_KINDS
from citekg.linking.input_rows import make_rows
from citekg.schemas.names.words import FUNCTION_WORDS
from citekg.schemas.records import Extraction, Paper, PaperEntity, ResultName
from citekg.sources.keyed_papers import KeyedPaper
from citekg.storage.folders import folder_at, open_folder

_CONSONANTS: Final = "bcdfghjklmnpqrtvwxyz"
_VOWELS: Final = "aeiou"
_WORD: Final = re.compile(r"[A-Za-z]+")
_MAX_COPIES: Final = len(_CONSONANTS) * len(_VOWELS)
_PART_SIZE: Final = 1024
#: The smallest number of papers to which Heaps' law is fitted.
_MIN_FITTED_PAPERS: Final = 500

_copies: Copies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON Lines with title and abstract, gzip or not")
    parser.add_argument("folder", type=Path, help="where to write papers/ and readings/")
    parser.add_argument("-n", type=int, default=1_000_000, help="how many papers")
    parser.add_argument("--originals", type=Path, help="the folder of the originals' readings")
    args = parser.parse_args()
    start = time.process_time()
    originals = extract_cached(
        args.papers, str(args.originals or args.folder / "original-readings")
    )
    law = Heaps.of(originals)
    print(f"V(n) = {law.k:.3g} n^{law.b:.3f}; {law}", flush=True)
    copies = Copies(originals, law, make_pipeline().lexicon)
    (args.folder / "papers").mkdir(parents=True, exist_ok=True)
    numbers = range(-(-args.n // len(originals)))
    tasks = [(n, args.folder, args.n - n * len(originals)) for n in numbers]
    with (
        open_folder(args.folder / "readings"),
        get_context("fork").Pool(2, _initialise, (copies,)) as pool,
    ):
        pool.starmap(write_copy, tasks, chunksize=1)
    print(f"{time.process_time() - start:.0f} s of CPU in this process", flush=True)


@dataclass(frozen=True)
class Heaps:
    """Heaps' law for names: n papers have k n^b distinct names."""

    k: float
    b: float
    measured: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, extractions: Iterable[Extraction]) -> Heaps:
        """Fit the law, by least squares of the logarithms, to the papers in random order."""
        papers = [*extractions]
        random.Random(0).shuffle(papers)
        names: set[str] = set()
        points: list[tuple[int, int]] = []
        for n, paper in enumerate(papers, 1):
            names |= {entity.key for entity in paper.entities}
            if n >= _MIN_FITTED_PAPERS and (n & (n - 1) == 0 or n == len(papers)):
                points.append((n, len(names)))
        xs, ys = ([log(v) for v in column] for column in zip(*points, strict=True))
        b, intercept = linear_regression(xs, ys)
        return cls(exp(intercept), b, tuple(points))

    def __str__(self) -> str:
        return ", ".join(
            f"{n:,} papers {v:,} ({self.k * n**self.b:,.0f})" for n, v in self.measured
        )


@dataclass(frozen=True)
class Copies:
    """Copies of the original papers by number; copy 0 consists of the originals."""

    originals: list[Extraction]
    law: Heaps
    lexicon: Lexicon

    def papers(self, number: int) -> Iterator[Extraction]:
        """Yield the papers of a copy, extracted."""
        for original in self.originals:
            yield self._copy(original, number) if number else original

    def _copy(self, original: Extraction, number: int) -> Extraction:
        versions = [self.version(entity.key, number) for entity in original.entities]
        text = self._text(original, versions, number)
        split = len(original.paper.title)
        paper = replace(
            Paper(
                f"{number:03}~{original.paper.id}",
                text[:split],
                text[split + 1 :],
                original.paper.date,
            ),
            authors=original.paper.authors,
        )
        entities = tuple(
            self.renamed(e, v) for e, v in zip(original.entities, versions, strict=True)
        )
        spelled = {
            surface: self.shifted(surface, v)
            for e, v in zip(original.entities, versions, strict=True)
            for surface in (*e.surfaces, *(original.paper.text[a:b] for a, b in e.spans))
        }
        results = tuple(
            replace(
                r,
                paper=paper.id,
                on=_spelled(r.on, spelled),
                systems=_spelled(r.systems, spelled),
                versus=_spelled(r.versus, spelled),
            )
            for r in original.results
        )
        return Extraction(paper, original.sentences, entities, results)

    def _text(self, original: Extraction, versions: list[int], number: int) -> str:
        """Return title and abstract with the names of the copy, and with other words in the title."""
        letters = [*original.paper.text]
        free = [True] * len(original.paper.title)
        for entity, version in zip(original.entities, versions, strict=True):
            for start, end in entity.spans:
                letters[start:end] = self.shifted(original.paper.text[start:end], version)
                free[start:end] = [False] * len(free[start:end])
        for word in _WORD.finditer(original.paper.title):
            if all(free[word.start() : word.end()]):
                letters[word.start() : word.end()] = self.shifted(word[0], number)
        return "".join(letters)

    def renamed(self, entity: PaperEntity, version: int) -> PaperEntity:
        """Return an entity with the letters of a version of its name."""
        if not version:
            return entity
        return replace(
            entity,
            key=self.shifted(entity.key, version),
            name=self.shifted(entity.name, version),
            surfaces=tuple(self.shifted(surface, version) for surface in entity.surfaces),
        )

    def version(self, name: str, number: int) -> int:
        """Return the number of the copy that introduced a name: `number` for a new name."""
        name = self._long_form.get(name, name)
        if name in self.lexicon.entries:
            return 0
        while number:
            share = zlib.crc32(f"{number} {name}".encode()) / 2**32
            new = self._share_of_new(number)
            if share < new:
                break
            number = int(number * (share - new) / (1 - new))
        return number

    @lru_cache  # noqa: B019  # the only object lives as long as the program
    def _share_of_new(self, number: int) -> float:
        changing = sum(1 for name in self._names if name not in self.lexicon.entries)
        growth: float = (number + 1) ** self.law.b - number**self.law.b
        return min(1.0, growth * len(self._names) / changing)

    @lru_cache(1_000_000)  # noqa: B019
    def shifted(self, text: str, version: int) -> str:
        """Return a text in the letters of a version; words that denote a kind are not changed."""
        if not version:
            return text
        table = _table(version)
        return _WORD.sub(
            lambda word: word[0] if self._is_unchanged(word[0]) else word[0].translate(table), text
        )

    def _is_unchanged(self, word: str) -> bool:
        lower = word.lower()
        return lower in _KINDS or lower in FUNCTION_WORDS or lower in self.lexicon.entries

    @cached_property
    def _names(self) -> Counter[str]:
        return Counter(e.key for original in self.originals for e in original.entities)

    @cached_property
    def _long_form(self) -> dict[str, str]:
        rows = make_rows(self.originals)["short_form"]
        return {short: long for *_, long, short in sorted(rows, reverse=True) if long != short}

    def __hash__(self) -> int:
        return id(self)


_KINDS: Final = COINED_METHOD_KINDS | DATA_KINDS | METHOD_KINDS


@lru_cache
def _table(version: int) -> dict[int, str]:
    """Return the letters of a version: consonants and vowels in rotation."""
    if version >= _MAX_COPIES:
        raise ValueError(f"at most {_MAX_COPIES} copies")
    rotations = (_CONSONANTS, version % len(_CONSONANTS)), (_VOWELS, version // len(_CONSONANTS))
    pairs = {
        a: letters[(i + by) % len(letters)]
        for letters, by in rotations
        for i, a in enumerate(letters)
    }
    return {ord(c): d for a, b in pairs.items() for c, d in ((a, b), (a.upper(), b.upper()))}


def _spelled(names: Iterable[ResultName], spelled: dict[str, str]) -> tuple[ResultName, ...]:
    return tuple(ResultName(spelled.get(name.text, name.text)) for name in names)


def _initialise(copies: Copies) -> None:
    """Set the copies of a forked process."""
    global _copies
    _copies = copies


def write_copy(number: int, folder: Path, limit: int) -> None:
    """Write at most `limit` papers of a copy and their extractions."""
    readings = folder_at(folder / "readings")
    cache = _cache(folder / "readings")
    papers = islice(_copies.papers(number), limit)
    with gzip.open(folder / "papers" / f"{number:03}.jsonl.gz", "wt", compresslevel=1) as out:
        while some := list(islice(papers, _PART_SIZE)):
            by_id = {extraction.paper.id: extraction for extraction in some}
            for extraction in some:
                paper = extraction.paper
                record = {"id": paper.id, "title": paper.title, "abstract": paper.abstract,
                          "date": paper.date, "authors": paper.authors}  # fmt: skip
                out.write(json.dumps(record) + "\n")
            for part in cache.missing(
                (KeyedPaper.of(extraction.paper) for extraction in some), _PART_SIZE
            ):
                extractions = (by_id[paper.id] for paper in part.papers)
                readings.write(part.name, packed(extractions, level=1))
    print(number, end=" ", flush=True)


@lru_cache
def _cache(readings: Path) -> ExtractionCache:
    """Return the cache of this process, indexed once."""
    return ExtractionCache(folder_at(readings), make_pipeline())


if __name__ == "__main__":
    main()
