"""A graph whose papers have several roles for one entity, and tentative claims."""

from __future__ import annotations

from dataclasses import replace

from citekg.building.assembling import assemble
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.known_introductions import KnownPaper
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Paper, PaperEntity
from tests.kg.extractions import RUN, make_extraction, named

HERON = Paper("h", "Heron planning", "We propose Heron.", "2022")
EGGS = Paper("s", "EggSet", "EggSet is a new corpus.", "2022")
KITE = Paper(
    "k",
    "Kite",
    "Kite is new.\nIt extends Heron.\nKite beats Heron on EggSet.\nWe train on EggSet.",
    "2023",
)
GULL = Paper("g", "Gull", "Gull is new.\nHeron and Plover are near.\nSwift is ours.", "2024")
LISTED = {"swift": KnownPaper("Gull", "2024", ""), "plover": KnownPaper("Plover flies", "2001", "")}


def with_roles(entity: PaperEntity, **roles: tuple[float, int]) -> PaperEntity:
    """Give an entity roles, each with its confidence and the one span that supports it."""
    return replace(
        entity, roles=tuple((role, sure, (span,)) for role, (sure, span) in roles.items())
    )


def several_roles() -> KnowledgeGraph:
    """Return the graph of the four papers, with a list of introductions."""

    def make_entity(paper: Paper, name: str, type_: str = "Method") -> PaperEntity:
        return named(paper.text, name, type_=type_, confidence=1.0)

    heron = with_roles(
        make_entity(KITE, "Heron"), extends=(0.8, 0), comparesTo=(0.9, 1), outperforms=(0.7, 1)
    )
    eggs = with_roles(
        make_entity(KITE, "EggSet", "Dataset"), trainsOn=(0.9, 1), evaluatesOn=(0.6, 0)
    )
    extractions = (
        make_extraction(HERON, with_roles(make_entity(HERON, "Heron"), introduces=(0.9, 1))),
        make_extraction(
            EGGS, with_roles(make_entity(EGGS, "EggSet", "Dataset"), introduces=(0.9, 1))
        ),
        make_extraction(
            KITE, with_roles(make_entity(KITE, "Kite"), introduces=(0.9, 1)), heron, eggs
        ),
        make_extraction(
            GULL,
            with_roles(make_entity(GULL, "Gull"), introduces=(0.9, 1)),
            with_roles(make_entity(GULL, "Heron"), uses=(0.3, 0), mentions=(0.4, 0)),
            with_roles(make_entity(GULL, "Plover"), uses=(0.3, 0)),
            with_roles(make_entity(GULL, "Swift"), introduces=(0.2, 0)),
        ),
    )
    return assemble(extractions, Lexicon.of([]), RUN, introduced_in=LISTED)
