"""Inter-annotator agreement between two annotators of the same papers.

Entities are compared by F1: the number of names that neither annotator marked is unknown, so that
Cohen's kappa is only defined for the types and roles of names that both marked. Names that one of
them marked as optional are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from citekg.evaluation.annotations import Annotated
from citekg.extractors.gold import GoldEntity, align
from citekg.text_table import Table


@dataclass
class Agreement:
    """The agreement of two annotators, counted over the papers that both annotated.

    `pairs` are the names that both marked, `single` counts those that only one of them marked.
    """

    first: str
    second: str
    papers: int = 0
    single: int = 0
    pairs: list[tuple[GoldEntity, GoldEntity]] = field(default_factory=list)

    @property
    def f1(self) -> float | None:
        """The F1 of entities of any type; None if there are none."""
        return self._f1(len(self.pairs))

    @property
    def typed_f1(self) -> float | None:
        """The F1 of entities with their types."""
        return self._f1(sum(one.type == other.type for one, other in self.pairs))

    @property
    def type_kappa(self) -> float | None:
        """Cohen's kappa of the types of names that both marked."""
        return kappa([(one.type, other.type) for one, other in self.pairs])

    @property
    def role_f1(self) -> float | None:
        """The F1 of the roles of names that both marked with the same type."""
        roles = [
            ({one.role, *one.other_roles} - {""}, {other.role, *other.other_roles} - {""})
            for one, other in self._same_type()
        ]
        total = sum(len(one) + len(other) for one, other in roles)
        return 2 * sum(len(one & other) for one, other in roles) / total if total else None

    @property
    def role_kappa(self) -> float | None:
        """Cohen's kappa of the first roles of names that both marked with the same type."""
        return kappa([(one.role, other.role) for one, other in self._same_type()])

    def _same_type(self) -> list[tuple[GoldEntity, GoldEntity]]:
        return [(one, other) for one, other in self.pairs if one.type == other.type]

    def _f1(self, agreed: int) -> float | None:
        total = 2 * len(self.pairs) + self.single
        return 2 * agreed / total if total else None

    def values(self) -> dict[str, Any]:
        """Return the figures by name; a figure that is not defined is None."""
        figures = {
            "entity F1": self.f1,
            "typed F1": self.typed_f1,
            "type kappa": self.type_kappa,
            "role F1": self.role_f1,
            "role kappa": self.role_kappa,
        }
        return {
            "annotators": [self.first, self.second],
            "papers": self.papers,
            "names of both": len(self.pairs),
            "names of one": self.single,
            **{name: None if v is None else round(v, 4) for name, v in figures.items()},
        }


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa of pairs of labels; None if the chance agreement is 1.

    >>> kappa([("a", "a"), ("a", "a"), ("b", "b"), ("b", "a")])
    0.5
    """
    if not pairs:
        return None
    first, second = (Counter(labels) for labels in zip(*pairs, strict=True))
    count = len(pairs)
    by_chance = sum(first[label] * second[label] for label in first) / count**2
    if by_chance == 1:
        return None
    return (sum(one == other for one, other in pairs) / count - by_chance) / (1 - by_chance)


def agreements(annotated: Iterable[Annotated]) -> list[Agreement]:
    """Return the agreement of each pair of annotators who annotated a paper in common."""
    by_annotator: dict[str, dict[str, Annotated]] = defaultdict(dict)
    for one in annotated:
        by_annotator[one.annotator][one.paper.id] = one
    found = []
    for first, second in combinations(sorted(by_annotator), 2):
        agreement = Agreement(first, second)
        for paper, one in by_annotator[first].items():
            if other := by_annotator[second].get(paper):
                _count(agreement, one.gold, other.gold)
        if agreement.papers:
            found.append(agreement)
    return found


def _count(agreement: Agreement, one: Sequence[GoldEntity], other: Sequence[GoldEntity]) -> None:
    """Add the names of one paper to an agreement."""
    agreement.papers += 1
    pairs = align(one, [(entity.type, entity.forms) for entity in other])
    firm = [(one[i], other[j]) for i, j in pairs if not (one[i].optional or other[j].optional)]
    agreement.pairs += firm
    matched = ({i for i, _ in pairs}, {j for _, j in pairs})
    for entities, taken in zip((one, other), matched, strict=True):
        agreement.single += sum(not e.optional for n, e in enumerate(entities) if n not in taken)


def table(found: Sequence[Agreement]) -> Table:
    """Return the agreements as a table."""
    names = ("entity F1", "typed F1", "type kappa", "role F1", "role kappa")
    rows = []
    for agreement in found:
        values = agreement.values()
        who = f"{agreement.first or '(unnamed)'} and {agreement.second or '(unnamed)'}"
        figures = ("-" if values[name] is None else f"{values[name]:.3f}" for name in names)
        rows.append((who, str(agreement.papers), *figures))
    return Table("Agreement", ("annotators", "papers", *names), tuple(rows))
