"""A schema file as texts with their places, whether it is YAML or TOML.

Every value is taken as the text that stands there, so that a name `NO` or `1.0` stays what it is; nothing in the file
is ever executed or built.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citekg.schemas.errors import SchemaError, first_line
from citekg.schemas.files import read_text_or

if TYPE_CHECKING:
    from yaml import Node

_DEEPEST: Final = 50
_SCALARS: Final = frozenset(f"tag:yaml.org,2002:{t}" for t in ("str", "int", "float", "bool", "null", "timestamp"))


@dataclass(frozen=True, slots=True)
class SchemaValue:
    """A value of a schema file: a text, a list or a table, with the file, the line (0 in TOML) and the keys to it."""

    value: str | tuple[SchemaValue, ...] | dict[str, SchemaValue]
    file: Path
    line: int = 0
    keys: tuple[str, ...] = ()

    def error(self, message: str) -> SchemaError:
        """The error that says what is wrong with this value, where it stands and what to do."""
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return SchemaError(place, f"{'.'.join(self.keys)}: {message}" if self.keys else message)

    def table(self) -> dict[str, SchemaValue]:
        """The values by key; raises `SchemaError` for anything but a table."""
        if not isinstance(self.value, dict):
            raise self.error("want keys, each with what it says")
        return self.value

    def only(self, known: Iterable[str]) -> dict[str, SchemaValue]:
        """The values by key, where the keys are among those known; raises `SchemaError`."""
        known = tuple(known)
        for key, told in self.table().items():
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"it is none of {', '.join(known)}"
                raise told.error(f"unknown key; {hint}")
        return self.table()

    def text(self) -> str:
        """The text; raises `SchemaError` for an empty one, a list or a table."""
        if not isinstance(self.value, str) or not self.value:
            raise self.error("nothing stands here" if self.value == "" else "want one text")
        return self.value

    def items(self) -> tuple[SchemaValue, ...]:
        """The items of a list; one text is a list of one. Raises `SchemaError` for a table."""
        if isinstance(self.value, dict):
            raise self.error("want a text or a list")
        return (self,) if isinstance(self.value, str) else self.value

    def one_of(self, known: Iterable[str]) -> str:
        """The text, which is among those known; raises `SchemaError`."""
        known = tuple(known)
        if self.text() not in known:
            raise self.error(f"{self.text()!r} is none of {', '.join(known)}")
        return self.text()

    def share(self, least: float) -> float:
        """A number from `least` to 1; raises `SchemaError`."""
        try:
            found = float(self.text())
        except ValueError:
            found = -1.0
        if not least <= found <= 1:
            raise self.error(f"{self.text()!r} is no number from {least} to 1")
        return found


def read_values(path: Path) -> SchemaValue:
    """What a schema file says; raises `SchemaError` where it cannot be read or is neither YAML nor TOML."""
    text = read_text_or(path, SchemaError).removeprefix("\ufeff")
    if path.suffix.lower() == ".toml":
        return _of_toml(path, text)
    if path.suffix.lower() in (".yaml", ".yml"):
        return _of_yaml(path, text)
    raise SchemaError(str(path), "a schema is a file that ends in .yaml, .yml or .toml")


def _of_toml(path: Path, text: str) -> SchemaValue:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return _plain(tomllib.loads(text), SchemaValue("", path))
    except (ValueError, RecursionError) as error:
        raise SchemaError(str(path), f"not TOML: {error}") from error


def _plain(value: Any, at: SchemaValue) -> SchemaValue:
    """A value of TOML, all of it as text."""
    inner: str | tuple[SchemaValue, ...] | dict[str, SchemaValue]
    if isinstance(value, Mapping):
        inner = {str(k): _plain(v, SchemaValue("", at.file, 0, (*at.keys, str(k)))) for k, v in value.items()}
    elif isinstance(value, list):
        inner = tuple(_plain(item, at) for item in value)
    else:
        inner = str(value).strip()
    return SchemaValue(inner, at.file, 0, at.keys)


def _of_yaml(path: Path, text: str) -> SchemaValue:
    import yaml

    try:
        _check_events(path, yaml.parse(text, Loader=yaml.SafeLoader))
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise SchemaError(f"{path}{line}", f"not YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        raise SchemaError(str(path), f"not YAML: {first_line(error)}") from error
    return _of_node(node, SchemaValue("", path)) if node else SchemaValue({}, path)


def _check_events(path: Path, events: Iterable[object]) -> None:
    """Refuse what a schema does not need and what would take the parser for ever."""
    import yaml

    depth = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            raise SchemaError(str(path), "has an alias (*name): write out what it stands for")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise SchemaError(str(path), f"has more than {_DEEPEST} lists or tables inside one another")


def _of_node(node: Node, at: SchemaValue) -> SchemaValue:
    import yaml

    here = SchemaValue("", at.file, int(node.start_mark.line) + 1, at.keys)
    if isinstance(node, yaml.MappingNode):
        return SchemaValue(_of_mapping(node.value, here), here.file, here.line, here.keys)
    if isinstance(node, yaml.SequenceNode):
        return SchemaValue(tuple(_of_node(item, here) for item in node.value), here.file, here.line, here.keys)
    return SchemaValue(_scalar(node, here), here.file, here.line, here.keys)


def _of_mapping(pairs: Iterable[tuple[Node, Node]], here: SchemaValue) -> dict[str, SchemaValue]:
    found: dict[str, SchemaValue] = {}
    for key_node, node in pairs:
        line = int(key_node.start_mark.line) + 1
        key = _scalar(key_node, SchemaValue("", here.file, line, here.keys))
        told = _of_node(node, SchemaValue("", here.file, line, (*here.keys, key)))
        if key in found:
            raise told.error(f"is given twice, first in line {found[key].line}")
        found[key] = SchemaValue(told.value, told.file, line, told.keys)
    return found


def _scalar(node: Node, at: SchemaValue) -> str:
    import yaml

    if not isinstance(node, yaml.ScalarNode) or node.tag not in _SCALARS:
        raise at.error("want plain text")
    return str(node.value).strip()
