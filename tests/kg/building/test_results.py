"""Names in reported results are linked to entities of the paper, after decisions are applied."""

from __future__ import annotations

from dataclasses import replace

from citekg.building.assembling import assemble
from citekg.building.incremental.codec import decode, encode
from citekg.curation.decisions import Decision, Decisions
from citekg.curation.decisions.kinds import Ban, Merge
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Paper, ResultName
from tests.kg.extractions import RUN, make_extraction, named, reported

PAPER = Paper("a", "Kite", "Kite Search (KS) is new.\nKS gains 4.2 points over Heron on the pond.")
EXTRACTION = replace(
    make_extraction(PAPER, named(PAPER.text, "Kite Search", "KS"), named(PAPER.text, "Heron")),
    results=(reported(PAPER, "4.2 points", "KS", "Heron", "the pond"),),
)


def built(*decisions: Decision) -> KnowledgeGraph:
    lexicon = Lexicon.of([Entry("Wader", "Method")])
    return assemble([EXTRACTION], lexicon, RUN, Decisions(decisions))


def test_names_in_results_are_linked_to_the_entities_of_the_paper() -> None:
    (result,) = built().results
    assert result.systems == (ResultName("KS", "kite-search"),)
    assert result.versus == (ResultName("Heron", "heron"),)
    assert result.on == (ResultName("the pond"),)


def test_bans_and_merges_apply_to_the_names_in_results() -> None:
    banned = Ban(author="Ada", date="2026-01-31", reason="read it", name="Heron")
    merged = Merge(
        author="Ada",
        date="2026-01-31",
        reason="read it",
        names=("Kite Search", "Lift"),
        keep="Lift",
    )
    (result,) = built(banned, merged).results
    assert result.systems == (ResultName("KS", "lift"),)
    assert result.versus == (ResultName("Heron"),)


def test_encoding_and_decoding_preserves_an_extraction_with_results() -> None:
    assert decode(PAPER, encode(EXTRACTION)) == EXTRACTION
    moved = replace(PAPER, id="b")
    assert [r.paper for r in decode(moved, encode(EXTRACTION)).results] == ["b"]


def test_a_result_with_two_linked_systems_gives_an_outperformance() -> None:
    (one,) = built().outperformances
    assert (one.winner, one.loser, one.margin, one.on) == (
        "kite-search", "heron", "4.2 points", ("the pond",),
    )  # fmt: skip
