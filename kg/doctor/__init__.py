"""The diagnostics of `kg doctor`: installation, models, triple store and environment.

Each check is a function that yields findings; an exception in a check becomes a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from citekg.doctor import environment, model, packages, storing
from citekg.doctor.findings import BROKEN, Finding
from citekg.messages import error_message

Check = Callable[[], Iterator[Finding]]
#: The sections of the report, with their checks.
PARTS: Final[dict[str, tuple[Check, ...]]] = {
    "Packages": (packages.interpreter, packages.needed, packages.optional),
    "Model": (model.files, model.kernels, model.extraction),
    "Store": (storing.in_memory, storing.on_disk),
    "Environment": (
        environment.machine,
        environment.texts,
        environment.folders,
        environment.browser,
    ),
}


def diagnose() -> dict[str, list[Finding]]:
    """Return all findings by section of the report."""
    return {
        part: [found for check in checks for found in _run(check)] for part, checks in PARTS.items()
    }


def _run(check: Check) -> list[Finding]:
    try:
        return [*check()]
    except Exception as error:  # noqa: BLE001  # every failure is reported, and the other checks run
        return [Finding(check.__name__.replace("_", " "), error_message(error), BROKEN)]
