"""Corrections on a running server: a decision is written to its file and the graph is rebuilt."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.building.assembling import input_digest
from citekg.building.pipeline import build_graph, configuration_digest
from citekg.curation.decisions import append, decision_from, remove, to_record
from citekg.curation.decisions.kinds import Decision
from citekg.curation.review import existing_decisions
from citekg.exports import write
from citekg.exports.graph_files import listed_parts
from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.errors import DecisionsError, GraphError
from citekg.storage.folders import exclusive
from citekg.storage.graph_files import graph_format, load_graph

if TYPE_CHECKING:
    from citekg.extractors.pipeline import ExtractionPipeline
    from citekg.schemas.vocabulary import Vocabulary
    from citekg.sources.deduplication import MergedPapers

_log: Final = logging.getLogger(__name__)


@dataclass
class EditableGraph:
    """A graph file with the inputs of its build, and the file of decisions about it.

    `cache` is the folder with the extractions of the build; only new papers are extracted.
    """

    graph: Path
    decisions: Path
    papers: MergedPapers
    pipeline: ExtractionPipeline
    cache: str | Path | None
    author: str

    @property
    def vocabulary(self) -> Vocabulary:
        """The types and roles of the graph."""
        return self.pipeline.lexicon.vocabulary

    def check(self) -> list[str]:
        """Return warnings about changes that a rebuild would make in addition to the corrections.

        Raises `GraphError` if the file cannot be rebuilt from these papers.
        """
        if listed_parts(self.graph) or ".core." in self.graph.name:
            raise GraphError(f"{self.graph}: a graph in several files cannot be edited")
        run = load_graph(self.graph).run
        if run.inputs != input_digest(self.papers):
            raise GraphError(
                f"{self.graph}: the graph was built from other papers: give all its inputs, as in "
                "kg build, with --input"
            )
        decisions = existing_decisions(self.decisions, self.vocabulary)
        if run.configuration == configuration_digest(self.pipeline, decisions):
            return []
        return [
            f"{self.graph} was built with other decisions, options or another version of citekg: "
            "the first correction changes more than it says"
        ]

    def entries(self) -> list[dict[str, str | list[str]]]:
        """Return the decisions of the file as records."""
        found = existing_decisions(self.decisions, self.vocabulary)
        return [to_record(entry) for entry in found.entries]

    def change(self, request: Mapping[str, Any]) -> None:
        """Write the decisions of `add`, or remove that of `remove`, and rebuild the graph.

        The file of decisions and the graph change together or not at all. Raises `DecisionsError`
        for a decision that is invalid, that contradicts the file, or that has no effect.
        """
        added, removed = _requested(request, self.author, self.vocabulary)
        before = self.decisions.read_bytes() if self.decisions.exists() else None
        try:
            if removed:
                remove(self.decisions, removed, self.vocabulary)
            else:
                append(self.decisions, added, self.vocabulary)
            self._rebuild(len(added))
        except BaseException:
            self._restore(before)
            raise
        _log.info("graph edited", extra={"added": len(added), "removed": int(removed is not None)})

    def _rebuild(self, added: int) -> None:
        """Build and write the graph; raise `DecisionsError` if an added decision has no effect."""
        decisions = existing_decisions(self.decisions, self.vocabulary)
        new = decisions.entries[len(decisions.entries) - added :]
        with exclusive(self.graph.parent):
            built = build_graph(self.papers, self.pipeline, decisions=decisions, cache=self.cache)
            prefixes = tuple(f"{decisions.place}: {entry}: " for entry in new)
            without_effect = [text for text in built.stale if text.startswith(prefixes)]
            if without_effect:
                raise DecisionsError("nothing was written", "; ".join(without_effect))
            write(built.graph, self.graph, graph_format(self.graph))

    def _restore(self, before: bytes | None) -> None:
        if before is None:
            self.decisions.unlink(missing_ok=True)
        elif self.decisions.read_bytes() != before:
            write_atomically(self.decisions.resolve(), [before])


def _is_list_of_records(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(values, dict) for values in found)


def _requested(
    request: Mapping[str, Any], author: str, vocabulary: Vocabulary
) -> tuple[list[Decision], Decision | None]:
    """Return the decisions to add, and the decision to remove, of a request."""
    today = date.today().isoformat()
    added, removed = request.get("add"), request.get("remove")
    if request.keys() == {"add"} and added and _is_list_of_records(added):
        return [decision_from(values, author, today, vocabulary) for values in added], None
    if request.keys() == {"remove"} and isinstance(removed, dict):
        values = dict(removed)
        author, day = str(values.pop("author", "")), str(values.pop("date", ""))
        return [], decision_from(values, author, day, vocabulary)
    raise DecisionsError("request", "expected decisions to add, or one to remove")
