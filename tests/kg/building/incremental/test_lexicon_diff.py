"""After a change of the lexicon only texts with changed names are extracted again."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from citekg.building.incremental.fingerprints import LexiconSnapshot
from citekg.building.pipeline import extract_all
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.schemas.records import Extraction, Paper
from citekg.schemas.vocabulary import BENCHMARK, METHOD
from citekg.sources import read
from citekg.storage.folders import LocalFolder
from tests.problems import no_problem

EXAMPLES = Path(__file__).parents[4] / "examples" / "papers.jsonl"
Edit = Callable[[list[Entry]], list[Entry]]


@pytest.fixture(scope="module")
def papers() -> tuple[Paper, ...]:
    return read([str(EXAMPLES)], no_problem)[:16]


@pytest.fixture(scope="module")
def rows(papers: tuple[Paper, ...]) -> list[Entry]:
    """The rows of the shipped lexicon that the texts may name, and every tenth of the others."""
    text = "\n".join(paper.text for paper in papers).casefold()
    return [
        row
        for n, row in enumerate(shipped_lexicon().rows)
        if n % 10 == 0 or any(name.casefold() in text for name in (row.name, *row.aliases))
    ]


@pytest.fixture(scope="module")
def extracted(
    tmp_path_factory: pytest.TempPathFactory, papers: tuple[Paper, ...], rows: list[Entry]
) -> Path:
    """A folder with the extractions of these rows."""
    place = tmp_path_factory.mktemp("kept")
    pipeline = ExtractionPipeline(Lexicon.of(rows))
    list(extract_all(pipeline, papers, lambda *_: None, folder=LocalFolder(place)))
    return place


@pytest.fixture
def folder(extracted: Path, tmp_path: Path) -> LocalFolder:
    """A copy of that folder, without extractions of other tests."""
    return LocalFolder(Path(shutil.copytree(extracted, tmp_path / "kept")))


def _edited(which: str, **more: Any) -> Edit:
    return lambda rows: [row._replace(**more) if row.name == which else row for row in rows]


def _without(name: str) -> Edit:
    return lambda rows: [row for row in rows if row.name != name]


def _with(*added: Entry) -> Edit:
    return lambda rows: [*rows, *added]


def _extract_with(
    lexicon: Lexicon, papers: tuple[Paper, ...], folder: LocalFolder | None
) -> tuple[list[Extraction], int]:
    """Return the extractions, and the number of papers that were extracted again."""
    extracted = []
    extract_papers = ExtractionPipeline.extract_all

    def recorded(pipeline: ExtractionPipeline, papers: Iterable[Paper]) -> Iterator[Extraction]:
        for extraction in extract_papers(pipeline, papers):
            extracted.append(extraction.paper.id)
            yield extraction

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ExtractionPipeline, "extract_all", recorded)
        found = list(
            extract_all(ExtractionPipeline(lexicon), papers, lambda *_: None, folder=folder)
        )
    return found, len(extracted)


@pytest.mark.parametrize(
    ("edit", "few"),
    [
        (_edited("Proximal Policy Optimization", family="Policy gradient"), 0),
        (_without("A name that no text holds"), 0),
        (_with(Entry("Zyxwv-9", METHOD)), 0),
        (_without("GSM8K"), 8),
        (_edited("GSM8K", type=METHOD), 8),
        (_edited("GSM8K", name="Grade School Math 8K", aliases=("GSM8K",)), 8),
        (_edited("Proximal Policy Optimization", umbrella=True), 8),
        (_edited("Transformer", context=("kite",)), 12),
        (_with(Entry("reward model", BENCHMARK, ("outperform",))), 14),
        (_with(Entry("Language", METHOD), Entry("model", METHOD)), 16),
    ],
)
def test_few_papers_are_extracted_again_and_the_result_equals_a_full_extraction(
    edit: Edit, few: int, papers: tuple[Paper, ...], folder: LocalFolder, rows: list[Entry]
) -> None:
    lexicon = Lexicon.of(edit(rows))
    found, count = _extract_with(lexicon, papers, folder)
    assert count <= few
    assert found == _extract_with(lexicon, papers, None)[0]


@pytest.mark.parametrize("seed", range(3))
def test_after_random_changes_the_result_equals_a_full_extraction(
    seed: int, papers: tuple[Paper, ...], rows: list[Entry], tmp_path: Path
) -> None:
    rng = random.Random(seed)
    kept = LocalFolder(tmp_path)
    for share in (1.0, 0.999, 0.5, 0.9):
        lexicon = Lexicon.of([row for row in rows if rng.random() < share])
        found, _ = _extract_with(lexicon, papers[4 * seed : 4 * seed + 4], kept)
        assert found == _extract_with(lexicon, papers[4 * seed : 4 * seed + 4], None)[0]


def test_a_lexicon_snapshot_is_preserved_in_json() -> None:
    known = LexiconSnapshot.of(shipped_lexicon())
    assert LexiconSnapshot.from_json(known.to_json()) == known
