"""Extractor plug-ins: candidate spans that other packages propose.

The pipeline classifies them like all other candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from citekg.schemas.errors import PluginError
from citekg.schemas.plugins import Extractor, Plugin, Proposal, find_plugin
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import Vocabulary


def find_extractor(name: str) -> Plugin:
    """Return the installed extractor of that name; raises `PluginError` unless there is one."""
    plugin = find_plugin("extractor", name)
    if plugin is None:
        raise PluginError(f"the extractor {name!r} is not installed; kg plugins lists what is")
    return plugin


@cache
def load_extractor(name: str) -> Extractor:
    """Import and return the extractor of that name; raises `PluginError` if that fails."""
    plugin = find_extractor(name)
    function = plugin.load()
    if not callable(function):
        raise PluginError(f"{plugin} is not a function from a paper to proposals")
    return plugin.guarded(function)


def checked_proposals(name: str, paper: Paper, vocabulary: Vocabulary) -> Iterator[Proposal]:
    """Yield the proposals of an extractor for a paper.

    Raises `PluginError` for an invalid span or an unknown type.
    """
    for proposal in load_extractor(name)(paper):
        if not isinstance(proposal, Proposal) or not 0 <= proposal.start < proposal.end <= len(
            paper.text
        ):
            raise PluginError(
                f"{find_extractor(name)} proposes an invalid span of paper {paper.id!r}:"
                f" {proposal!r}"
            )
        if proposal.type and proposal.type not in vocabulary.types:
            known = ", ".join(vocabulary.types)
            raise PluginError(
                f"{find_extractor(name)} proposes the type {proposal.type!r},"
                f" which is none of {known}"
            )
        yield proposal
