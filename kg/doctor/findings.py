"""One line of the report of `kg doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

State = Literal["ok", "absent", "broken"]
OK: Final = "ok"
#: Not there, and needed by some commands only.
ABSENT: Final = "absent"
#: Needed, and missing or not working.
BROKEN: Final = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, what was seen, and whether that is well; `advice` says what to do where it is not."""

    name: str
    value: str
    state: State = OK
    advice: str = ""
