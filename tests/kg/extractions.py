"""Hand-written extractions, for tests that do not run the extractor."""

from __future__ import annotations

from citekg.schemas.names import key
from citekg.schemas.records import Extraction, Paper, PaperEntity, Result, ResultName, Run

RUN = Run("citekg", "0", "c" * 64, "1" * 64)


def named(
    text: str,
    *surfaces: str,
    type_: str = "Method",
    confidence: float = 0.8,
    name_key: str = "",
    **roles: float,
) -> PaperEntity:
    """Return an entity with these surfaces; all spans are evidence of each role."""
    spans = sorted((start, start + len(s)) for s in surfaces for start in _places(text, s))
    return PaperEntity(
        key=name_key or key(surfaces[0]),
        name=surfaces[0],
        type=type_,
        spans=tuple(spans),
        surfaces=tuple(sorted(surfaces)),
        roles=tuple(
            (role, sure, tuple(range(len(spans))))
            for role, sure in (roles or {"mentions": 1.0}).items()
        ),
        layer="lexicon",
        confidence=confidence,
    )


def reported(
    paper: Paper, value: str, system: str, versus: str = "", on: str = "", metric: str = "accuracy"
) -> Result:
    """Return an increase by this value, reported in its line of the text; names are unlinked."""
    start = paper.text.index(value)
    line = (paper.text.rfind("\n", 0, start) + 1, f"{paper.text}\n".index("\n", start))
    on_, systems, rivals = (
        tuple(ResultName(name) for name in (names,) if name) for names in (on, system, versus)
    )
    end = start + len(value)
    fields = (value, "change", "up", metric)
    return Result(paper.id, start, end, *fields, on_, systems, rivals, "", line, 0.9)


def _places(text: str, surface: str) -> list[int]:
    return [i for i in range(len(text)) if text.startswith(surface, i)]


def make_extraction(paper: Paper, *entities: PaperEntity) -> Extraction:
    """Return an extraction whose sentences are the title and the lines of the abstract."""
    edges = [i for i, c in enumerate(paper.text) if c == "\n"]
    starts, ends = [0, *(e + 1 for e in edges)], [*edges, len(paper.text)]
    return Extraction(
        paper, tuple((a, b) for a, b in zip(starts, ends, strict=True) if a < b), entities
    )
