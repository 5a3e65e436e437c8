"""The corpora that benchmarks generate are complete."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.generated import Copies, Heaps, write_copy
from citekg.building.incremental.extraction_cache import ExtractionCache
from citekg.building.pipeline import make_pipeline
from citekg.schemas.records import Paper
from citekg.sources.keyed_papers import text_key
from citekg.storage.folders import open_folder
from tests.pipelines import shipped_pipeline

if TYPE_CHECKING:
    import pytest


def test_a_copy_has_all_papers_with_their_extractions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papers = [Paper(str(n), f"Kite {n}", f"We propose Kite{n}Net.", "2024") for n in range(5)]
    originals = [*shipped_pipeline().extract_all(papers)]
    pipeline = make_pipeline()
    copies = Copies(originals, Heaps(4.0, 0.8), pipeline.lexicon)
    monkeypatch.setattr("benchmarks.generated._copies", copies, raising=False)
    monkeypatch.setattr("benchmarks.generated._PART_SIZE", 2)
    (tmp_path / "papers").mkdir()
    with open_folder(tmp_path / "readings") as folder:
        write_copy(1, tmp_path, limit=5)
        with gzip.open(tmp_path / "papers" / "001.jsonl.gz", "rt") as file:
            written = [json.loads(line) for line in file]
        cache = ExtractionCache(folder, pipeline)
        texts = (text_key(Paper(one["id"], one["title"], one["abstract"])) for one in written)
        assert [one["id"] for one in written] == [f"001~{n}" for n in range(5)]
        assert cache.has_all(b"".join(texts))
