"""Resolution of the names in decisions to entities of the graph."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from citekg.curation.decisions.draft_graph import DraftGraph
from citekg.curation.decisions.groups import names_by_key
from citekg.curation.decisions.kinds import NO_DECISIONS, Decisions, Split
from citekg.schemas.names import key, slug


class NameIndex:
    """An index of the entities by name and by alias; a lookup returns sorted ids.

    An entity that a split creates is not found under the old name, although papers still use it.
    """

    def __init__(self, graph: DraftGraph, decisions: Decisions = NO_DECISIONS) -> None:
        self.graph = graph
        self.name_of = {e.id: e.name for e in graph.entities}
        self._by_name: dict[str, set[str]] = defaultdict(set)
        self._by_alias: dict[str, set[str]] = defaultdict(set)
        for entity in graph.entities:
            self._by_name[key(entity.name)].add(entity.id)
            for alias in entity.names[1:]:
                self._by_alias[key(alias)].add(entity.id)
        merged_names = names_by_key(decisions)
        for split in decisions.of(Split):
            made = {*self.lookup(split.into)}
            for name in merged_names.get(key(split.name), [split.name]):
                self._by_alias[key(name)] -= made

    def by_name(self, name: str) -> list[str]:
        """Return the entities with this preferred name."""
        own = slug(key(name))
        return [own] if own in self.name_of else sorted(self._by_name.get(key(name), ()))

    def by_alias(self, name: str) -> list[str]:
        """Return the entities with this alias."""
        return sorted(self._by_alias.get(key(name), ()))

    def lookup(self, name: str) -> list[str]:
        """Return the entities with this preferred name or, if there are none, with this alias."""
        return self.by_name(name) or self.by_alias(name)

    def in_paper(self, paper: str, name: str) -> list[str]:
        """Return the entities with this name in the paper, else with this alias or surface form."""
        present = self._in_papers.get(paper, {})
        own = [e for e in self.by_name(name) if e in present]
        return own or sorted(
            e for e, texts in present.items() if key(name) in texts or e in self.by_alias(name)
        )

    def id_for(self, name: str) -> str:
        """Return the id of the only entity with this name, or the id that it would have."""
        found = self.by_name(name)
        return found[0] if len(found) == 1 else slug(key(name))

    @cached_property
    def _in_papers(self) -> dict[str, dict[str, set[str]]]:
        """The keys of the surface forms, by paper id and then by entity id."""
        found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for mention in self.graph.mentions:
            found[mention.paper][mention.entity].add(key(mention.text))
        return found
