"""A session of one annotator: the papers in order, and the data of the page for each paper.

The offsets sent to the page count UTF-16 code units of title, newline and abstract, as JavaScript
does.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from citekg.annotating.annotation_file import AnnotationFile, Row
from citekg.extractors.nlp import Document, make_document
from citekg.schemas.errors import InputError
from citekg.schemas.records import Paper, PaperEntity

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline


@dataclass
class Session:
    """The papers of a session in order, and the rows saved so far by paper id.

    If `proposing` is false, the page does not show the entities of the pipeline.
    """

    papers: list[Paper]
    pipeline: ExtractionPipeline
    file: AnnotationFile
    saved: dict[str, Row]
    proposing: bool = True

    def check(self) -> None:
        """Raise `InputError` if the file has a different text for the id of a paper."""
        for paper in self.papers:
            row = self.saved.get(paper.id)
            if row and (row["title"], row["abstract"]) != (paper.title, paper.abstract):
                raise InputError(
                    str(self.file.path),
                    f"the paper {paper.id!r} has another title or abstract there: give another "
                    "file with -o, or the papers that were annotated",
                )

    @property
    def done(self) -> int:
        """The number of papers of the session that are saved."""
        return sum(paper.id in self.saved for paper in self.papers)

    @cached_property
    def about(self) -> dict[str, Any]:
        """The data common to all papers: types, roles, the annotator and the file."""
        vocabulary = self.file.vocabulary
        return {
            "annotator": self.file.annotator,
            "file": self.file.path.name,
            "types": [
                {"name": t.name, "label": t.label, "comment": t.comment}
                for t in vocabulary.entity_types
            ],
            "roles": [
                {"name": r.name, "label": r.label, "comment": r.comment, "fits": r.fits}
                for r in vocabulary.paper_roles
            ],
        }

    def overview(self) -> dict[str, Any]:
        """Return the data common to all papers, and which papers are saved."""
        return {**self.about, "saved": [paper.id in self.saved for paper in self.papers]}

    def paper(self, at: int) -> dict[str, Any]:
        """Return the text of a paper, its tokens, and its saved or proposed entities."""
        paper = self.papers[at]
        row = self.saved.get(paper.id)
        doc = make_document(paper)
        units = [0, *accumulate(1 + (ord(char) > 0xFFFF) for char in paper.text)]
        proposed = self._proposals(paper, doc) if self.proposing and not row else []
        saved = [_with_surfaces(entity) for entity in row["entities"]] if row else []
        return {
            "id": paper.id,
            "title": paper.title,
            "abstract": paper.abstract,
            "tokens": [[units[start], units[end]] for start, end in doc.original_token_spans],
            "saved": row is not None,
            "entities": saved or proposed,
        }

    def save(self, at: int, entities: object) -> None:
        """Save the entities of a paper; raises `InputError` if they are not valid."""
        paper = self.papers[at]
        if not isinstance(entities, list):
            raise InputError(paper.id, "expected a list of entities")
        self.saved[paper.id] = self.file.save(paper, entities)

    def _proposals(self, paper: Paper, doc: Document) -> list[dict[str, Any]]:
        found = self.pipeline.extract(paper).entities
        spans = [*doc.original_token_spans]
        return [_proposal(paper, entity, spans) for entity in found]


def _with_surfaces(entity: Row) -> Row:
    """Return a saved entity with its surfaces; the format allows only a name in their place."""
    return {**entity, "surfaces": entity.get("surfaces") or [entity["name"]]}


def _proposal(paper: Paper, entity: PaperEntity, tokens: list[tuple[int, int]]) -> dict[str, Any]:
    """Return an entity of the pipeline in the annotation format, with its confidence.

    Its surfaces are the whole tokens of its spans, with the markup of the given text.
    """
    surfaces = (paper.text[slice(*_whole(span, tokens))] for span in entity.spans)
    main, *further = [role for role, *_ in entity.roles] or [""]
    return {
        "surfaces": [*dict.fromkeys(surfaces)],
        "type": entity.type,
        "relation": main,
        "also_relation": further,
        "optional": False,
        "confidence": entity.confidence,
    }


def _whole(span: tuple[int, int], tokens: list[tuple[int, int]]) -> tuple[int, int]:
    """Return a span widened to whole tokens."""
    first = bisect_left(tokens, span[0], key=lambda token: token[1] - 1)
    last = bisect_left(tokens, span[1], key=lambda token: token[1])
    if first >= len(tokens):
        return span
    return min(span[0], tokens[first][0]), max(span[1], tokens[min(last, len(tokens) - 1)][1])
