"""Parse a YAML or TOML schema file into values with their positions.

Every scalar is kept as text, so that a name such as `NO` or `1.0` is not converted; the YAML loader
constructs no objects and expands no aliases.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.schemas.errors import SchemaError, first_line
from citekg.schemas.files import read_text_or_raise
from citekg.yaml_scalars import plain_text

if TYPE_CHECKING:
    from yaml import Node

_MAX_DEPTH: Final = 50


@dataclass(frozen=True, slots=True)
class SchemaValue:
    """A value of a schema file: text, list or table, with file, line (0 in TOML) and key path."""

    value: str | tuple[SchemaValue, ...] | dict[str, SchemaValue]
    file: Path
    line: int = 0
    keys: tuple[str, ...] = ()

    def error(self, message: str) -> SchemaError:
        """Return an error about this value, with its position."""
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return SchemaError(place, f"{'.'.join(self.keys)}: {message}" if self.keys else message)

    def table(self) -> dict[str, SchemaValue]:
        """Return the values by key; raises `SchemaError` if this is not a table."""
        if not isinstance(self.value, dict):
            raise self.error("expected a table of keys and values")
        return self.value

    def with_known_keys(self, known: Iterable[str]) -> dict[str, SchemaValue]:
        """Return the values by key; raises `SchemaError` for an unknown key."""
        known = tuple(known)
        for key, value in self.table().items():
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"it is none of {', '.join(known)}"
                raise value.error(f"unknown key; {hint}")
        return self.table()

    def text(self) -> str:
        """Return the text; raises `SchemaError` for an empty one, a list or a table."""
        if not isinstance(self.value, str) or not self.value:
            raise self.error("the value is empty" if self.value == "" else "expected a single text")
        return self.value

    def items(self) -> tuple[SchemaValue, ...]:
        """Return the items of a list; a text is a list of one. Raises `SchemaError` for a table."""
        if isinstance(self.value, dict):
            raise self.error("expected a text or a list")
        return (self,) if isinstance(self.value, str) else self.value

    def one_of(self, known: Iterable[str]) -> str:
        """Return the text; raises `SchemaError` if it is not one of `known`."""
        known = tuple(known)
        if self.text() not in known:
            raise self.error(f"{self.text()!r} is none of {', '.join(known)}")
        return self.text()

    def fraction(self, minimum: float) -> float:
        """Return a number from `minimum` to 1; raises `SchemaError`."""
        try:
            found = float(self.text())
        except ValueError:
            found = -1.0
        if not minimum <= found <= 1:
            raise self.error(f"{self.text()!r} is not a number from {minimum} to 1")
        return found


def read_values(path: Path) -> SchemaValue:
    """Return the content of a schema file; raises `SchemaError` if it is neither YAML nor TOML."""
    text = read_text_or_raise(path, SchemaError).removeprefix("\ufeff")
    if path.suffix.lower() == ".toml":
        return _parse_toml(path, text)
    if path.suffix.lower() in (".yaml", ".yml"):
        return _parse_yaml(path, text)
    raise SchemaError(str(path), "a schema is a file that ends in .yaml, .yml or .toml")


def _parse_toml(path: Path, text: str) -> SchemaValue:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return _from_toml(tomllib.loads(text), SchemaValue("", path))
    except (ValueError, RecursionError) as error:
        raise SchemaError(str(path), f"not TOML: {error}") from error


def _from_toml(value: Any, at: SchemaValue) -> SchemaValue:
    """Return a TOML value with its scalars as text."""
    inner: str | tuple[SchemaValue, ...] | dict[str, SchemaValue]
    if isinstance(value, Mapping):
        inner = {
            str(k): _from_toml(v, SchemaValue("", at.file, 0, (*at.keys, str(k))))
            for k, v in value.items()
        }
    elif isinstance(value, list):
        inner = tuple(_from_toml(item, at) for item in value)
    else:
        inner = str(value).strip()
    return SchemaValue(inner, at.file, 0, at.keys)


def _parse_yaml(path: Path, text: str) -> SchemaValue:
    import yaml

    try:
        _check_events(path, yaml.parse(text, Loader=yaml.SafeLoader))
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise SchemaError(f"{path}{line}", f"not YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        raise SchemaError(str(path), f"not YAML: {first_line(error)}") from error
    return _from_node(node, SchemaValue("", path)) if node else SchemaValue({}, path)


def _check_events(path: Path, events: Iterable[object]) -> None:
    """Reject aliases and deep nesting: a schema needs neither, and both may exhaust memory."""
    import yaml

    depth = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            raise SchemaError(str(path), "has an alias (*name): write its value out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
            event, yaml.CollectionEndEvent
        )
        if depth > _MAX_DEPTH:
            raise SchemaError(
                str(path), f"has more than {_MAX_DEPTH} lists or tables inside one another"
            )


def _from_node(node: Node, at: SchemaValue) -> SchemaValue:
    import yaml

    here = SchemaValue("", at.file, int(node.start_mark.line) + 1, at.keys)
    if isinstance(node, yaml.MappingNode):
        return SchemaValue(_from_mapping(node.value, here), here.file, here.line, here.keys)
    if isinstance(node, yaml.SequenceNode):
        return SchemaValue(
            tuple(_from_node(item, here) for item in node.value), here.file, here.line, here.keys
        )
    return SchemaValue(_scalar(node, here), here.file, here.line, here.keys)


def _from_mapping(pairs: Iterable[tuple[Node, Node]], here: SchemaValue) -> dict[str, SchemaValue]:
    found: dict[str, SchemaValue] = {}
    for key_node, node in pairs:
        line = int(key_node.start_mark.line) + 1
        key = _scalar(key_node, SchemaValue("", here.file, line, here.keys))
        value = _from_node(node, SchemaValue("", here.file, line, (*here.keys, key)))
        if key in found:
            raise value.error(f"is given twice, first in line {found[key].line}")
        found[key] = SchemaValue(value.value, value.file, line, value.keys)
    return found


def _scalar(node: Node, at: SchemaValue) -> str:
    text = plain_text(node)
    if text is None:
        raise at.error("expected plain text")
    return text
