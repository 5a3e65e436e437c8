"""What `kg doctor` finds: what is installed, whether it works, and where it runs.

Each check is a function that gives findings; a check that fails is a finding too, never an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from citekg.doctor import environment, model, packages, storing
from citekg.doctor.findings import BROKEN, Finding
from citekg.messages import error_message

Check = Callable[[], Iterator[Finding]]
#: Every part of the report, with its checks.
PARTS: Final[dict[str, tuple[Check, ...]]] = {
    "Packages": (packages.interpreter, packages.needed, packages.optional),
    "Model": (model.files, model.reading),
    "Store": (storing.in_memory, storing.on_disk),
    "Environment": (environment.machine, environment.texts, environment.folders, environment.browser),
}


def diagnosis() -> dict[str, list[Finding]]:
    """All findings, by the part of the report they stand in."""
    return {part: [found for check in checks for found in _checked(check)] for part, checks in PARTS.items()}


def _checked(check: Check) -> list[Finding]:
    try:
        return [*check()]
    except Exception as error:  # noqa: BLE001  # whatever is wrong, the report says so and goes on
        return [Finding(check.__name__.replace("_", " "), error_message(error), BROKEN)]
