"""An annotated paper."""

from __future__ import annotations

from typing import Any

HERON = {
    "surfaces": ["Heron Search", "HS"],
    "type": "Method",
    "name": "Heron Search",
    "relation": "introduces",
}
LINE: dict[str, Any] = {
    "id": "h1",
    "title": "Heron Search",
    "abstract": "We present Heron Search (HS) and test it on PondBench.",
    "entities": [HERON, {"surfaces": ["PondBench"], "type": "Benchmark"}],
}
