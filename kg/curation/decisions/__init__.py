"""Decisions of a curator about a graph: a file of them, applied on every build.

`kinds` holds the records, `files` reads and writes them, `conflicts` finds contradictions and
`apply` applies them.
"""

from citekg.curation.decisions.apply import apply_decisions
from citekg.curation.decisions.files import (
    append,
    check,
    decision_from,
    read_decisions,
    remove,
    to_record,
)
from citekg.curation.decisions.kinds import (
    KINDS,
    NO_DECISIONS,
    Alias,
    Ban,
    Decision,
    Decisions,
    DenyRole,
    Distinct,
    Merge,
    Rename,
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
    "DenyRole",
    "Distinct",
    "Merge",
    "Rename",
    "SetRole",
    "SetType",
    "Split",
    "append",
    "apply_decisions",
    "check",
    "decision_from",
    "read_decisions",
    "remove",
    "to_record",
]
