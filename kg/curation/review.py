"""Interactive review of merge candidates; each decision is written to the file at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from citekg.curation.decisions import (
    NO_DECISIONS,
    Decision,
    Decisions,
    Distinct,
    Merge,
    append,
    read_decisions,
)
from citekg.curation.merge_candidates import MergeCandidate, evidence, settled_check
from citekg.schemas.errors import DecisionsError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Evidence
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

MERGE, DISTINCT, SKIP, QUIT = "y", "n", "s", "q"
#: The answers to a proposal and what they mean.
ANSWERS: Final = {MERGE: "merge", DISTINCT: "keep apart", SKIP: "skip", QUIT: "quit"}


@dataclass(frozen=True, slots=True)
class Reviewer:
    """The author and date (`YYYY-MM-DD`) of decisions, their file and its vocabulary."""

    author: str
    date: str
    file: Path
    vocabulary: Vocabulary = DEFAULT

    def decisions(self) -> Decisions:
        """Return the decisions so far; none if there is no file yet."""
        return existing_decisions(self.file, self.vocabulary)

    def write(self, candidate: MergeCandidate, answer: str) -> Decision:
        """Append the decision to the file and return it."""
        names = (candidate.keep.name, candidate.other.name)
        decision: Decision
        if answer == MERGE:
            reason = f"kg review: {'; '.join(candidate.reasons)}"
            decision = Merge(
                names=names, keep=names[0], author=self.author, date=self.date, reason=reason
            )
        else:
            reason = "kg review: reviewed and kept apart"
            decision = Distinct(names=names, author=self.author, date=self.date, reason=reason)
        append(self.file, [decision], self.vocabulary)
        return decision


def existing_decisions(file: Path, vocabulary: Vocabulary = DEFAULT) -> Decisions:
    """Return the decisions of a file, none if it does not exist."""
    return read_decisions(file, vocabulary) if file.exists() else NO_DECISIONS


def review(
    graph: KnowledgeGraph,
    found: Iterable[MergeCandidate],
    reviewer: Reviewer,
    ask: Callable[[], str],
    show: Callable[[str], None],
) -> int:
    """Show each candidate, ask for one of `ANSWERS` and write it.

    Returns the number of decisions written. Skips candidates that earlier answers settle. Reports
    an answer that contradicts the file and does not write it.
    """
    listed = list(found)
    written = 0
    for number, candidate in enumerate(listed, start=1):
        if settled_check(reviewer.decisions())(candidate.keep, candidate.other):
            continue
        show(f"[{number} of {len(listed)}] {candidate_text(graph, candidate)}")
        answer = ask()
        if answer == QUIT:
            break
        if answer != SKIP:
            try:
                reviewer.write(candidate, answer)
                written += 1
            except DecisionsError as error:
                show(f"not written: {error}")
    return written


def candidate_text(graph: KnowledgeGraph, candidate: MergeCandidate) -> str:
    """Return a candidate as text: names, reasons, and evidence for both entities."""
    head = f"{candidate.keep.name} = {candidate.other.name}?  (score {candidate.score:.2f})"
    return "\n".join([head, *(f"  {line}" for line in _details(graph, candidate))])


def _details(graph: KnowledgeGraph, candidate: MergeCandidate) -> Iterator[str]:
    yield f"why: {'; '.join(candidate.reasons)}"
    for entity in (candidate.keep, candidate.other):
        papers = len({m.paper for m in graph.mentions_of.get(entity.id, ())})
        also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
        yield f"{entity.name}: {entity.type} in {papers} paper{'s' * (papers != 1)}{also}"
        for each in evidence(graph, entity):
            yield f"    {each.mention.paper}: {' '.join(each.sentence.split())}"


def candidate_to_json(graph: KnowledgeGraph, candidate: MergeCandidate) -> dict[str, Any]:
    """Return a candidate as plain values, an item of the output of `kg review --json`."""
    return {
        "keep": _entity_to_json(graph, candidate.keep),
        "other": _entity_to_json(graph, candidate.other),
        "score": candidate.score,
        "reasons": list(candidate.reasons),
    }


def _entity_to_json(graph: KnowledgeGraph, entity: Entity) -> dict[str, Any]:
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "evidence": [_evidence_to_json(each) for each in evidence(graph, entity)],
    }


def _evidence_to_json(each: Evidence) -> dict[str, str]:
    return {"paper": each.mention.paper, "text": each.mention.text, "sentence": each.sentence}
