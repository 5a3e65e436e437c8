"""The CPU time of this process and the processes that it has started."""

from __future__ import annotations

import os


def cpu_time() -> float:
    """Return the CPU time of this process and its ended children, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
