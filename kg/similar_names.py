"""Find similarly spelled names, to suggest them for an unknown name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

MAX_SUGGESTIONS: Final = 5
_MIN_SIMILARITY: Final = 0.75


def similar(name: str, names: Iterable[str]) -> list[str]:
    """Return at most five names: the similarly spelled ones, then the shortest that contain it.

    >>> similar("grpo", ["GRPO-S", "PPO", "GRPO", "Dr. GRPO"])
    ['GRPO', 'GRPO-S', 'Dr. GRPO']
    """
    return most_similar(fold_case(name), {fold_case(one): one for one in sorted(names)})


def most_similar(wanted: str, names: dict[str, str]) -> list[str]:
    """Return the names whose keys are similar to a key."""
    similar_keys = get_close_matches(wanted, names, n=MAX_SUGGESTIONS, cutoff=_MIN_SIMILARITY)
    containing = sorted((k for k in names if wanted and wanted in k), key=lambda k: (len(k), k))
    return list(dict.fromkeys(names[k] for k in (*similar_keys, *containing)))[:MAX_SUGGESTIONS]


def fold_case(text: str) -> str:
    """Return the text without differences of case and white space."""
    return " ".join(text.split()).casefold()
