"""Scalars of hand-written YAML files as text: names, numbers and dates keep their spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from yaml import Node

_SCALARS: Final = frozenset(
    f"tag:yaml.org,2002:{t}" for t in ("str", "int", "float", "bool", "null", "timestamp")
)


def plain_text(node: Node) -> str | None:
    """Return a scalar of a standard type as it is spelt, stripped; None for any other node."""
    import yaml

    if not isinstance(node, yaml.ScalarNode) or node.tag not in _SCALARS:
        return None
    return str(node.value).strip()
