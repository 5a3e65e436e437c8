"""The cache folder of the user, for data that can be downloaded or computed again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_cache() -> Path:
    """Return the folder of citekg in the cache of the user, which may not exist.

    Its place is that of the platform, on Linux by the XDG Base Directory Specification. Raises
    `RuntimeError` if the user has no home folder.
    """
    return _platform_cache() / "citekg"


def _platform_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
