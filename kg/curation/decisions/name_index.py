"""Which entity of a graph a person means by a name."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from citekg.curation.decisions.facts import DraftGraph
from citekg.curation.decisions.groups import same_names
from citekg.curation.decisions.kinds import NO_DECISIONS, Decisions, Split
from citekg.schemas.names import key, slug


class NameIndex:
    """The entities by name and by alias; each look-up gives their ids, sorted, and none where nothing is so called.

    What a split makes of a name does not answer to that name, though the papers call it so.
    """

    def __init__(self, facts: DraftGraph, decisions: Decisions = NO_DECISIONS) -> None:
        self.facts = facts
        self.name_of = {e.id: e.name for e in facts.entities}
        self._by_name: dict[str, set[str]] = defaultdict(set)
        self._by_alias: dict[str, set[str]] = defaultdict(set)
        for entity in facts.entities:
            self._by_name[key(entity.name)].add(entity.id)
            for alias in entity.aliases:
                self._by_alias[key(alias)].add(entity.id)
        alike = same_names(decisions)
        for split in decisions.of(Split):
            made = {*self.called(split.into)}
            for name in alike.get(key(split.name), [split.name]):
                self._by_alias[key(name)] -= made

    def named(self, name: str) -> list[str]:
        """The entities that go by this name."""
        own = slug(key(name))
        return [own] if own in self.name_of else sorted(self._by_name.get(key(name), ()))

    def aliased(self, name: str) -> list[str]:
        """The entities that have this name among their others."""
        return sorted(self._by_alias.get(key(name), ()))

    def called(self, name: str) -> list[str]:
        """The entities that go by this name or, where none does, have it among their others."""
        return self.named(name) or self.aliased(name)

    def in_paper(self, paper: str, name: str) -> list[str]:
        """The entities that the paper names so, the name itself before aliases and spellings in the text."""
        present = self._in_papers.get(paper, {})
        named = [e for e in self.named(name) if e in present]
        return named or sorted(e for e, texts in present.items() if key(name) in texts or e in self.aliased(name))

    def identity(self, name: str) -> str:
        """The id of the one entity that goes by this name, or the id that it would have."""
        found = self.named(name)
        return found[0] if len(found) == 1 else slug(key(name))

    @cached_property
    def _in_papers(self) -> dict[str, dict[str, set[str]]]:
        """Paper id to entity id to the keys of the spellings in its text."""
        found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for mention in self.facts.mentions:
            found[mention.paper][mention.entity].add(key(mention.text))
        return found
