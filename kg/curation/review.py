"""Going through proposed merges with a person, and writing down what the person decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from citekg.curation.decisions import NO_DECISIONS, Decision, Decisions, Distinct, Merge, append, read_decisions
from citekg.curation.merge_candidates import MergeCandidate, evidence, settled
from citekg.schemas.errors import DecisionsError
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Evidence
from citekg.schemas.vocabulary import DEFAULT, Vocabulary

MERGE, APART, SKIP, QUIT = "y", "n", "s", "q"
#: The answers to a proposal and what they mean.
ANSWERS: Final = {MERGE: "merge", APART: "keep apart", SKIP: "skip", QUIT: "quit"}


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Who decides, on which day (`YYYY-MM-DD`), in which file it is written down, and in which words."""

    author: str
    date: str
    file: Path
    vocabulary: Vocabulary = DEFAULT

    def decided(self) -> Decisions:
        """The decisions so far; none where there is no file yet."""
        return existing_decisions(self.file, self.vocabulary)

    def write(self, proposal: MergeCandidate, answer: str) -> Decision:
        """Add the decision to the file at once, and give it back."""
        names = (proposal.keep.name, proposal.other.name)
        decision: Decision
        if answer == MERGE:
            reason = f"kg review: {'; '.join(proposal.reasons)}"
            decision = Merge(names=names, keep=names[0], author=self.author, date=self.date, reason=reason)
        else:
            reason = "kg review: looked at and kept apart"
            decision = Distinct(names=names, author=self.author, date=self.date, reason=reason)
        append(self.file, [decision], self.vocabulary)
        return decision


def existing_decisions(file: Path, vocabulary: Vocabulary = DEFAULT) -> Decisions:
    """The decisions of a file that may not be there yet."""
    return read_decisions(file, vocabulary) if file.exists() else NO_DECISIONS


def review(
    graph: KnowledgeGraph,
    found: Iterable[MergeCandidate],
    reviewer: Reviewer,
    ask: Callable[[], str],
    say: Callable[[str], None],
) -> int:
    """Show each proposal, ask for an answer of `ANSWERS`, write it down; gives the number of decisions written.

    What an earlier answer settles is not asked; an answer that contradicts the file is told and not written.
    """
    listed = list(found)
    written = 0
    for number, proposal in enumerate(listed, start=1):
        if settled(reviewer.decided())(proposal.keep, proposal.other):
            continue
        say(f"[{number} of {len(listed)}] {proposal_text(graph, proposal)}")
        answer = ask()
        if answer == QUIT:
            break
        if answer != SKIP:
            try:
                reviewer.write(proposal, answer)
                written += 1
            except DecisionsError as error:
                say(f"not written: {error}")
    return written


def proposal_text(graph: KnowledgeGraph, proposal: MergeCandidate) -> str:
    """A proposal with its reasons and the sentences from both sides."""
    head = f"{proposal.keep.name} = {proposal.other.name}?  (score {proposal.score:.2f})"
    return "\n".join([head, *(f"  {line}" for line in _details(graph, proposal))])


def _details(graph: KnowledgeGraph, proposal: MergeCandidate) -> Iterator[str]:
    yield f"why: {'; '.join(proposal.reasons)}"
    for entity in (proposal.keep, proposal.other):
        papers = len({m.paper for m in graph.mentions_of.get(entity.id, ())})
        also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
        yield f"{entity.name}: {entity.type} in {papers} paper{'s' * (papers != 1)}{also}"
        for proof in evidence(graph, entity):
            yield f"    {proof.mention.paper}: {' '.join(proof.sentence.split())}"


def proposal_values(graph: KnowledgeGraph, proposal: MergeCandidate) -> dict[str, Any]:
    """A proposal as plain values: what `kg review --json` prints a list of."""
    return {
        "keep": _entity(graph, proposal.keep),
        "other": _entity(graph, proposal.other),
        "score": proposal.score,
        "reasons": list(proposal.reasons),
    }


def _entity(graph: KnowledgeGraph, entity: Entity) -> dict[str, Any]:
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "evidence": [_proof(proof) for proof in evidence(graph, entity)],
    }


def _proof(proof: Evidence) -> dict[str, str]:
    return {"paper": proof.mention.paper, "text": proof.mention.text, "sentence": proof.sentence}
