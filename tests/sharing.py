"""Files and folders that are created once, for all workers of pytest-xdist."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

if TYPE_CHECKING:
    import pytest


def made_once(
    name: str, make: Callable[[Path], object], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the path that `make` writes to; the first worker that needs it creates it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with FileLock(folder / f"{name}.lock"):
        if not (folder / name).exists():
            make(folder / name)
    return folder / name
