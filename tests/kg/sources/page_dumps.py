"""Papers as JSON Lines and as page dumps."""

from __future__ import annotations

import json
from typing import Any

ABSTRACT = (
    "We describe a kite that learns to fly. It stays up for an hour, and a second kite follows it."
)
OTHER = (
    "Birds build nests. This one measures how many twigs a nest needs before an egg stays in it."
)
THIRD = "Rivers bend. A small model of sand and water tells where the next bend will be, ten years ahead."


def line(**values: Any) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode() + b"\n"


KITES, NESTS, RIVERS = (
    line(title="Kites", abstract=ABSTRACT),
    line(title="Nests", abstract=OTHER),
    line(title="Rivers", abstract=THIRD),
)
WITH_BLANK_LINES = f"""new

Get trending papers in your email inbox!

Subscribe

Daily Papers

byAK and the research community

Aug 13

Kites

{ABSTRACT}

Nests

{OTHER}
"""
WITHOUT_BLANK_LINES = f"""Get trending papers in your email inbox once a day!
Get trending papers in your email inbox!
SubscribeKites
{ABSTRACT}
Nests
{OTHER}
"""
