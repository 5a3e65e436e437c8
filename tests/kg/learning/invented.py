"""Invented annotated papers about glazes, with a schema that has the type Glaze."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCHEMA = """\
prefix: pot
namespace: https://example.org/pottery#
types:
  Glaze:
    plural: Glazes
    cues: [coated with NAME]
roles:
  melts:
    fits: Glaze
"""

_GLAZES = (
    "amber birch cobalt dusk ember fjord garnet hazel iron jade kelp linen moss nickel opal".split()
)
_TEXTS = (
    "We fired {a} glaze on small bowls. The {a} glaze melted at low heat, while {b} glaze stayed dull.",
    "Bowls under {a} glaze cracked in the kiln. Cooling slowly helps, as {b} glaze shows.",
    "This note is about kilns that melted {a} glaze in winter. Clay and sand were bought nearby.",
    "Shards with {b} glaze were found near the river. Later, {a} glaze replaced it in most shops.",
)


def papers(count: int = 16, start: int = 0) -> list[dict[str, Any]]:
    """Return annotated papers: the glazes of each text, with the role melts or mentions."""
    out = []
    for n in range(start, start + count):
        one, other = (_GLAZES[(n * step + n // 15) % len(_GLAZES)] for step in (1, 4))
        other = other if other != one else "pearl"
        text = _TEXTS[n % len(_TEXTS)].format(a=one, b=other)
        entities = [
            {
                "surfaces": [f"{word} glaze"],
                "type": "Glaze",
                "relation": "melts"
                if f"melted {word}" in text or f"{word} glaze melted" in text
                else "mentions",
            }
            for word in (one, other)
            if f"{word} glaze" in text
        ]
        out.append(
            {"id": f"p{n}", "title": "Notes on bowls", "abstract": text, "entities": entities}
        )
    return out


def write(folder: Path, rows: list[dict[str, Any]], name: str = "annotated.jsonl") -> Path:
    """Write the papers and the schema file into a folder; return the path of the papers."""
    (folder / "schema.yaml").write_text(SCHEMA, encoding="utf-8")
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
