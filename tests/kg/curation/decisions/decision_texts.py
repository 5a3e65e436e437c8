"""Texts of decisions files: one with every kind of entry, invalid ones and contradictory ones."""

from __future__ import annotations

SIGNED = "author: Ada, date: 2026-01-31, reason: read"
EVERY_KIND = f"""\
# what we found in January
- kind: merge
  names: [GKO, Group Kite Optimization]
  keep: GKO
  author: Ada
  date: 2026-01-31
  reason: "read: the same"
- {{kind: distinct, names: [NO, 1e3], {SIGNED}}}
- {{kind: split, name: ACL, into: Automatic Curriculum Learning, papers: [2401.10, 007], {SIGNED}}}
- {{kind: split, name: ACL, into: Curricula, definition: automatic curricula, {SIGNED}}}
- {{kind: type, name: MATH, type: Benchmark, {SIGNED}}}
- {{kind: role, paper: 2401.10, name: MATH, role: trainsOn, {SIGNED}}}
- {{kind: ban, name: "et al.", {SIGNED}}}
- {{kind: ban, name: on, papers: 2401.10, {SIGNED}}}
- {{kind: alias, name: MATH, alias: 数学, {SIGNED}}}
- {{kind: split, name: ACL, into: ACL-25, spellings: [ACL 25, ACL’25], {SIGNED}}}
- {{kind: no-role, paper: 2401.10, name: MATH, role: introduces, {SIGNED}}}
- {{kind: rename, name: Gko, to: GKO, author: Ada, date: 2026-01-31}}
"""
FAULTS = [
    ("kind: ban", 1, "list of entries"),
    ("- ban", 1, "expected an entry with a kind"),
    ("- {name: X}", 1, "the kind is missing"),
    (f"# a\n- {{kind: bann, name: X, {SIGNED}}}", 2, "'bann' is none of merge, distinct, split, type,"),
    ("\n\n- kind: ban\n  name: X", 3, "missing author, date"),
    (f"- {{kind: ban, {SIGNED}}}", 1, "missing name"),
    (f"- {{kind: ban, name: , {SIGNED}}}", 1, "no value after name"),
    (f"- {{kind: ban, name: X, papers: [], {SIGNED}}}", 1, "no value after papers"),
    (f"- {{kind: ban, name: X, papers: [a, ''], {SIGNED}}}", 1, "an item is empty"),
    (f"- {{kind: ban, name: [X], {SIGNED}}}", 1, "name: expected one text"),
    (f"- {{kind: ban, name: {{a: b}}, {SIGNED}}}", 1, "name: expected plain text"),
    (f"- {{kind: ban, name: X, name: Y, {SIGNED}}}", 1, "name is given twice"),
    (f"- {{kind: ban, nmae: X, {SIGNED}}}", 1, "unknown field nmae; it has name, papers, author, date, reason"),
    (f"- {{kind: ban, line: '3', name: X, {SIGNED}}}", 1, "unknown field line"),
    (f"- {{kind: type, name: X, type: Thing, {SIGNED}}}", 1, "'Thing' is none of Method, Benchmark, Model, Dataset"),
    (f"- {{kind: role, paper: p, name: X, role: likes, {SIGNED}}}", 1, "'likes' is none of introduces"),
    (f"- {{kind: merge, names: [X], keep: X, {SIGNED}}}", 1, "two names or more"),
    (f"- {{kind: merge, names: [X y, x-Y], keep: X y, {SIGNED}}}", 1, "two names or more that differ"),
    (f"- {{kind: merge, names: [X, Y], keep: Z, {SIGNED}}}", 1, "'Z' is not one of the names"),
    (f"- {{kind: split, name: X, into: Y, {SIGNED}}}", 1, "either papers or a definition"),
    (f"- {{kind: split, name: X, into: Y, papers: p, definition: d, {SIGNED}}}", 1, "either papers or a definition"),
    (f"- {{kind: split, name: X, into: Y, papers: p, spellings: [y], {SIGNED}}}", 1, "or spellings"),
    (f"- {{kind: no-role, paper: p, name: X, role: mentions, {SIGNED}}}", 1, "a ban in this paper"),
    (f"- {{kind: rename, name: X, to: X, {SIGNED}}}", 1, "'X' is the name itself"),
    (f"- {{kind: split, name: X, into: x, papers: p, {SIGNED}}}", 1, "'x' is the name itself"),
    (f"- {{kind: alias, name: X, alias: x, {SIGNED}}}", 1, "'x' is the name itself"),
    ("- {kind: ban, name: X, author: A, date: 31.1.2026, reason: r}", 1, "not a date written YYYY-MM-DD"),
    ("- {kind: ban, name: X, author: A, date: 2026-02-31, reason: r}", 1, "not a date written YYYY-MM-DD"),
    ("- {kind: ban\n- x: [", 2, "not YAML"),
    (f"- {{kind: !!python/object/apply:os.getcwd [], {SIGNED}}}", 1, "kind"),
    (f"- {{kind: ban, name: !!python/name:os.getcwd '', {SIGNED}}}", 1, "name: expected plain text"),
    (f"- {{kind: ban, name: *nowhere, {SIGNED}}}", 1, "not YAML"),
    (f"- {{kind: ban, <<: {{name: X}}, {SIGNED}}}", 1, "a field's name: expected plain text"),
]  # fmt: skip


def merge(*names: str) -> str:
    return f"- {{kind: merge, names: [{', '.join(names)}], keep: {names[0]}, {SIGNED}}}"


def entry(kind: str, fields: str) -> str:
    return f"- {{kind: {kind}, {fields}, {SIGNED}}}"


A_TYPE, B_TYPE = entry("type", "name: A, type: Model"), entry("type", "name: B, type: Method")


AB, AC = (
    entry("split", "name: A, into: B, papers: p"),
    entry("split", "name: A, into: C, papers: [q, p]"),
)


AD, AE = (
    entry("split", "name: A, into: D, definition: d"),
    entry("split", "name: A, into: E, definition: D"),
)
CONFLICTS = [
    ([merge("A", "B"), merge("C", "B")], "line 1 (merge) and line 2 (merge) keep different names of one entity: A, C"),
    ([merge("A", "B"), merge("B", "A")], "merge away the name that another one keeps"),
    ([merge("A", "B"), entry("distinct", "names: [a, B]")], "line 2 (distinct) keeps"),
    ([merge("A", "B"), merge("A", "C"), entry("distinct", "names: [B, C]")], "merges them"),
    ([merge("A", "B"), entry("split", "name: A, into: B, papers: p")], "line 2 (split) keeps A and B apart"),
    ([entry("alias", "name: A, alias: B"), entry("distinct", "names: [A, B]")], "merges them"),
    ([entry("alias", "name: A, alias: X"), entry("alias", "name: B, alias: X")], "keep different names"),
    ([entry("type", "name: A, type: Model"), entry("type", "name: a, type: Method")], "different types: Method, Model"),
    ([merge("A", "B"), A_TYPE, B_TYPE], "different types"),
    ([AB, AC], "in p different"),
    ([AD, AE], "different"),
    ([entry("ban", "name: A"), entry("type", "name: A, type: Model")], "bans A, line 2 (type)"),
    ([entry("ban", "name: A"), merge("A", "B")], "line 2 (merge) still refers to it"),
    ([entry("ban", "name: A"), entry("alias", "name: A, alias: B")], "line 2 (alias) still refers to it"),
    ([entry("ban", "name: A"), entry("split", "name: B, into: A, papers: p")], "line 2 (split) still refers to it"),
    ([entry("ban", "name: A, papers: p"), entry("role", "paper: p, name: A, role: uses")], "line 2 (role) still"),
    ([entry("role", "paper: p, name: A, role: uses"), entry("role", "paper: p, name: A, role: mentions")], "only"),
    ([entry("rename", "name: A, to: B"), entry("rename", "name: A, to: C")], "keep different names"),
    ([entry("rename", "name: Abc, to: ABC"), entry("rename", "name: ABC, to: aBc")], "spell one name differently"),
    ([entry("ban", "name: A"), entry("rename", "name: A, to: B")], "line 2 (rename) still refers to it"),
    ([entry("ban", "name: A"), entry("no-role", "paper: p, name: A, role: uses")], "line 2 (no-role) still"),
    ([entry("no-role", "paper: p, name: A, role: uses"), entry("role", "paper: p, name: a, role: uses")], "both denied"),
    (
        [entry("split", "name: A, into: B, spellings: [d]"), entry("split", "name: A, into: C, spellings: [D, e]")],
        "in “d” different",
    ),
    ([entry("role", "paper: p, name: A, role: trainsOn"), entry("type", "name: A, type: Method")], "does not apply to a Method"),
]  # fmt: skip
