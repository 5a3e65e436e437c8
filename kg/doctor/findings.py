"""One line of the report of `kg doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

State = Literal["ok", "absent", "broken"]
OK: Final = "ok"
#: Missing, but needed only by some commands.
ABSENT: Final = "absent"
#: Needed, and missing or not working.
BROKEN: Final = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of a check: subject, value, state, and advice if the state is not `ok`."""

    name: str
    value: str
    state: State = OK
    advice: str = ""
