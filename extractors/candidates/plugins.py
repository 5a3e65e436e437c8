"""Layers of other packages: spans that a plug-in proposes, for the decision step to judge like any other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from citekg.schemas.errors import PluginError
from citekg.schemas.plugins import Extractor, Plugin, Proposal, find_plugin
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import Vocabulary


def installed(name: str) -> Plugin:
    """The extractor of that name; raises `PluginError` where there is none, or more than one."""
    plugin = find_plugin("extractor", name)
    if plugin is None:
        raise PluginError(f"the extractor {name!r} is not installed; kg plugins lists what is")
    return plugin


@cache
def extractor(name: str) -> Extractor:
    """The extractor of that name, imported; raises `PluginError` where that does not work."""
    plugin = installed(name)
    found = plugin.load()
    if not callable(found):
        raise PluginError(f"{plugin} is no function from a paper to proposals")
    return plugin.guarded(found)


def proposals(name: str, paper: Paper, vocabulary: Vocabulary) -> Iterator[Proposal]:
    """What the extractor of that name proposes; raises `PluginError` for what is no span, or of no known type."""
    for proposal in extractor(name)(paper):
        if not isinstance(proposal, Proposal) or not 0 <= proposal.start < proposal.end <= len(paper.text):
            raise PluginError(f"{installed(name)} proposes no span of paper {paper.id!r}: {proposal!r}")
        if proposal.type and proposal.type not in vocabulary.types:
            known = ", ".join(vocabulary.types)
            raise PluginError(f"{installed(name)} proposes the type {proposal.type!r}, which is none of {known}")
        yield proposal
