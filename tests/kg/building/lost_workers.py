"""Losing the worker of a cluster in the middle of a task."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def die_once(marker: Path) -> None:
    """Kill this process, unless the marker shows that one was killed already."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
