"""What people have decided about a graph, kept in a file and replayed on every build.

`kinds` are the records, `files` reads and writes them, `conflicts` finds contradictions, `replaying`
applies them.
"""

from citekg.curation.decisions.apply import apply_decisions
from citekg.curation.decisions.files import append, check, read_decisions
from citekg.curation.decisions.kinds import (
    KINDS,
    NO_DECISIONS,
    Alias,
    Ban,
    Decision,
    Decisions,
    Distinct,
    Merge,
    SetRole,
    SetType,
    Split,
)

__all__ = [
    "KINDS",
    "NO_DECISIONS",
    "Alias",
    "Ban",
    "Decision",
    "Decisions",
    "Distinct",
    "Merge",
    "SetRole",
    "SetType",
    "Split",
    "append",
    "check",
    "read_decisions",
    "apply_decisions",
]
