"""Coreference of entities of learnt types, which is learnt from annotations."""

from __future__ import annotations

from citekg.extractors.adaptation.same_entity import SameEntity
from citekg.extractors.candidates.generate import Candidate
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.gold import GoldEntity, normalise
from citekg.extractors.learning.examples import AnnotatedDocument, annotated_document
from citekg.extractors.learning.same_entity import fit_same, pair_rows
from citekg.schemas.names import key
from citekg.schemas.records import Paper

WOODS = "oak pine elm ash larch teak cedar spruce".split()


def gold(*surfaces: str) -> GoldEntity:
    forms = frozenset(map(normalise, surfaces))
    return GoldEntity(surfaces[0], forms, "Boat", (), "", (), optional=False, surfaces=surfaces)


def boats(wood: str) -> AnnotatedDocument:
    """Return a paper in which "old" does not change the entity of a name, but "racing" does."""
    text = f"An old {wood} knarr was built. The {wood} knarr is slow. A racing {wood} knarr is not."
    entities = [gold(f"old {wood} knarr", f"{wood} knarr"), gold(f"racing {wood} knarr")]
    return annotated_document(Paper(wood, "Boats", text), entities)


def one_entity_per_mention(document: AnnotatedDocument) -> list[AcceptedEntity]:
    """Return each mention of the paper as a separate entity, in text order."""
    doc = document.doc
    spans = sorted(span for own in document.spans for span in own)
    return [
        AcceptedEntity([Candidate(key(doc.span_text(*span)), [span])], [span], "Boat", 0.9)
        for span in spans
    ]


def joined(wood: str, types: tuple[str, ...] = ("Boat",)) -> list[int]:
    """Return the numbers of mentions of the joined entities, learnt from papers on other woods."""
    papers = [boats(each) for each in WOODS if each != wood]
    layer = fit_same(
        [pair_rows(paper, one_entity_per_mention(paper), ("Boat",)) for paper in papers]
    )
    assert layer is not None
    paper = boats(wood)
    return [
        len(each.spans)
        for each in SameEntity(layer).join(paper.doc, one_entity_per_mention(paper), types)
    ]


def test_a_qualifier_that_does_not_change_the_entity_is_learnt() -> None:
    assert joined("teak") == [2, 1]


def test_entities_of_types_that_are_not_learnt_are_not_joined() -> None:
    assert joined("teak", ()) == [1, 1, 1]


def test_without_coreferent_pairs_no_layer_is_learnt() -> None:
    apart = annotated_document(
        Paper("1", "Boats", "A knarr and a faering."), [gold("knarr"), gold("faering")]
    )
    assert fit_same([pair_rows(apart, one_entity_per_mention(apart), ("Boat",))] * 9) is None


def test_a_name_with_wrong_boundaries_is_assigned_to_the_entity_that_it_overlaps() -> None:
    paper = annotated_document(
        Paper("1", "Boats", "A pine knarr sank. The knarr was old."), [gold("pine knarr", "knarr")]
    )
    wrong = [
        AcceptedEntity([Candidate(key(paper.doc.span_text(*span)), [span])], [span], "Boat", 0.9)
        for span in ((2, 5), (6, 8))
    ]
    assert paper.doc.span_text(2, 5) == "pine knarr sank"
    assert pair_rows(paper, wrong, ("Boat",)).targets.tolist() == [[0, 1]]
