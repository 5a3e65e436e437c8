"""The decisions file: a YAML list that people write and keep under version control.

Every scalar is read as the text in the file, so that a paper `2401.10` or a name `NO` keeps its
spelling. The YAML node tree is read directly; no YAML tag creates an object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.curation.decisions.conflicts import conflicts
from citekg.curation.decisions.kinds import KINDS, Decision, Decisions, violations
from citekg.schemas.atomic_files import write_atomically
from citekg.schemas.errors import DecisionsError, first_line
from citekg.schemas.files import read_text_or_raise
from citekg.schemas.vocabulary import DEFAULT, Vocabulary
from citekg.yaml_scalars import plain_text

if TYPE_CHECKING:
    from yaml import MappingNode, Node, SequenceNode

_WIDTH: Final = 100


def read_decisions(path: Path, vocabulary: Vocabulary = DEFAULT) -> Decisions:
    """Return the decisions of a file about a graph of this vocabulary.

    Raises `DecisionsError` with the line if an entry is invalid or entries contradict each other.
    """
    decisions = Decisions(
        _entries(path, read_text_or_raise(path, DecisionsError), vocabulary), str(path), vocabulary
    )
    check(decisions)
    return decisions


def check(decisions: Decisions) -> None:
    """Raise `DecisionsError` with every contradiction between the decisions, if there are any."""
    found = conflicts(decisions)
    if found:
        raise DecisionsError(
            decisions.place, f"decisions that contradict each other: {'; '.join(found)}"
        )


def append(path: Path, new: Iterable[Decision], vocabulary: Vocabulary = DEFAULT) -> None:
    """Append decisions to the file, which need not exist; existing bytes stay unchanged.

    Replaces the file atomically. Raises `DecisionsError` if the new file would be invalid.
    """
    added = tuple(new)
    old = read_text_or_raise(path, DecisionsError) if path.exists() else ""
    known = _entries(path, old, vocabulary)
    indent = " " * _indent(old)
    text = "".join(f"{indent}{line}\n" for entry in added for line in _to_yaml(entry).splitlines())
    whole = f"{old}{'' if not old or old.endswith(chr(10)) else chr(10)}{text}"
    if _entries(path, whole, vocabulary) != (*known, *added):
        raise DecisionsError(
            str(path), "nothing can be added: write its entries as a list with a dash before each"
        )
    check(Decisions((*known, *added), str(path), vocabulary))
    write_atomically(path.resolve(), [whole.encode()])


def remove(path: Path, entry: Decision, vocabulary: Vocabulary = DEFAULT) -> None:
    """Remove an entry from the file; all other lines stay unchanged.

    Replaces the file atomically. Raises `DecisionsError` if the file has no such entry, or if the
    entry shares a line with another one.
    """
    import yaml

    old = read_text_or_raise(path, DecisionsError)
    entries = _entries(path, old, vocabulary)
    if entry not in entries:
        raise DecisionsError(str(path), f"there is no such entry any more: {entry.kind}")
    at = entries.index(entry)
    node = yaml.compose(old, Loader=yaml.SafeLoader)
    assert isinstance(node, yaml.SequenceNode)  # noqa: S101  # `_entries` has read it
    lines = old.splitlines(keepends=True)
    start, end = node.value[at].start_mark.line, node.value[at].end_mark.line
    end = max(end, start + 1)
    while end > start + 1 and _is_between_entries(lines[end - 1]):
        end -= 1
    rest = "".join((*lines[:start], *lines[end:]))
    try:
        left = _entries(path, rest, vocabulary)
    except DecisionsError:
        left = ()
    if left != (*entries[:at], *entries[at + 1 :]):
        raise DecisionsError(
            f"{path}:{start + 1}", "this entry can only be removed by hand: it shares its lines"
        )
    write_atomically(path.resolve(), [rest.encode()])


def _is_between_entries(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def decision_from(
    values: Mapping[str, object], author: str, date: str, vocabulary: Vocabulary = DEFAULT
) -> Decision:
    """Return the decision of a record (such as a JSON object) without author and date.

    Raises a `DecisionsError` that names the invalid field.
    """
    try:
        given = {name: _as_value(name, value) for name, value in values.items()}
        if common := {"author", "date"} & given.keys():
            raise ValueError(f"unknown field {', '.join(sorted(common))}")
        return _make_decision(given | {"author": author, "date": date}, 0, vocabulary)
    except ValueError as error:
        raise DecisionsError("decision", str(error)) from error


def _as_value(name: str, value: object) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(v, str) and v for v in value):
        return tuple(value)
    raise ValueError(f"{name}: expected a text, or a list of texts")


def to_record(entry: Decision) -> dict[str, str | list[str]]:
    """Return the fields of an entry as in the file: its kind first, without empty fields."""
    values = {f.name: getattr(entry, f.name) for f in _fields(type(entry))}
    listed = {name: list(v) if isinstance(v, tuple) else v for name, v in values.items() if v}
    return {"kind": entry.kind, **listed}


def _to_yaml(entry: Decision) -> str:
    import yaml

    return yaml.safe_dump([to_record(entry)], sort_keys=False, allow_unicode=True, width=_WIDTH)


def _indent(text: str) -> int:
    import yaml

    node = yaml.compose(text, Loader=yaml.SafeLoader)
    return node.start_mark.column if isinstance(node, yaml.SequenceNode) else 0


def _entries(path: Path, text: str, vocabulary: Vocabulary) -> tuple[Decision, ...]:
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DecisionsError(
            f"{path}{line}", f"not YAML: {error.problem or error.context}"
        ) from error
    except RecursionError as error:
        raise DecisionsError(
            str(path), "not YAML that can be read: it is nested too deeply"
        ) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise DecisionsError(str(path), f"not YAML: {first_line(error)}") from error
    if node is None:
        return ()
    if not isinstance(node, yaml.SequenceNode):
        raise DecisionsError(
            f"{path}:{_line(node)}", "expected a list of entries, each with a dash before it"
        )
    return tuple(_decision(path, entry, vocabulary) for entry in node.value)


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1


def _decision(path: Path, node: Node, vocabulary: Vocabulary) -> Decision:
    import yaml

    line = _line(node)
    try:
        if not isinstance(node, yaml.MappingNode):
            raise ValueError(f"expected an entry with a kind, one of {', '.join(KINDS)}")
        return _make_decision(_values(node), line, vocabulary)
    except ValueError as error:
        raise DecisionsError(f"{path}:{line}", str(error)) from error


def _make_decision(
    values: dict[str, str | tuple[str, ...]], line: int, vocabulary: Vocabulary
) -> Decision:
    """Return the decision of an entry's fields; raise `ValueError` naming the invalid field."""
    kind = values.pop("kind", None)
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(
            f"kind: {kind!r} is none of {', '.join(KINDS)}" if kind else "the kind is missing"
        )
    expected = {f.name: f for f in _fields(KINDS[kind])}
    if unknown := [name for name in values if name not in expected]:
        raise ValueError(
            f"{kind}: unknown field {', '.join(unknown)}; it has {', '.join(expected)}"
        )
    if missing := [
        name for name, f in expected.items() if f.default is MISSING and name not in values
    ]:
        raise ValueError(f"{kind}: missing {', '.join(missing)}")
    if empty := [name for name, value in values.items() if not value]:
        raise ValueError(f"{kind}: no value after {', '.join(empty)}")
    given: dict[str, Any] = {
        name: _as_field_value(expected[name], value) for name, value in values.items()
    }
    decision = KINDS[kind](**given, line=line)
    if found := list(violations(decision, vocabulary)):
        raise ValueError(f"{kind}: {'; '.join(found)}")
    return decision


def _fields(kind: type[Decision]) -> list[Field[Any]]:
    """Return the fields of a kind of entry in file order: author, date and reason come last."""
    common = [f for f in fields(Decision) if f.name != "line"]
    names = {f.name for f in fields(Decision)}
    return [*(f for f in fields(kind) if f.name not in names), *common]


def _as_field_value(expected: Field[Any], value: str | tuple[str, ...]) -> str | tuple[str, ...]:
    if "tuple" in str(expected.type):
        return (value,) if isinstance(value, str) else value
    if not isinstance(value, str):
        raise ValueError(f"{expected.name}: expected one text, not a list")
    return value


def _values(node: MappingNode) -> dict[str, str | tuple[str, ...]]:
    values: dict[str, str | tuple[str, ...]] = {}
    for name_node, value_node in node.value:
        name = _scalar(name_node, "a field's name")
        if name in values:
            raise ValueError(f"{name} is given twice")
        values[name] = (
            tuple(_items(value_node, name)) if _is_list(value_node) else _scalar(value_node, name)
        )
    return values


def _is_list(node: Node) -> bool:
    import yaml

    return isinstance(node, yaml.SequenceNode)


def _items(node: SequenceNode, name: str) -> Iterator[str]:
    for item in node.value:
        text = _scalar(item, name)
        if not text:
            raise ValueError(f"{name}: an item is empty")
        yield text


def _scalar(node: Node, name: str) -> str:
    text = plain_text(node)
    if text is None:
        raise ValueError(f"{name}: expected plain text")
    return text
