"""Records of papers about kites, as lines of JSON."""

from __future__ import annotations

import json


def record(number: int, **values: object) -> str:
    """Return the record of a paper with a number; `values` replace or complete its fields."""
    known = {"id": f"k{number}", "title": f"Kite {number}: flying", "abstract": f"We fly {number}."}
    return json.dumps(known | values)
