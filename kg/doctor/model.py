"""Whether the trained weights are those that were shipped, and whether they read as they should."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib.metadata import files as installed
from importlib.resources import files as files_of
from time import perf_counter
from typing import Final

from citekg.doctor.findings import BROKEN, Finding
from citekg.schemas.records import Paper

_AGAIN: Final = "install citekg again: pip install --force-reinstall --no-deps citekg"
#: What is read to see that reading works, and what must be found in it.
_PAPER: Final = Paper(
    id="doctor",
    title="Kite Policy Search",
    abstract="We propose Kite Policy Search (KPS), which extends PPO. We evaluate it on D4RL with Qwen2.5-7B.",
)
_EXPECTED: Final = {
    ("Kite Policy Search", "introduces"),
    ("Proximal Policy Optimization", "extends"),
    ("D4RL", "evaluatesOn"),
}


def files() -> Iterator[Finding]:
    """Each file of weights: its size, its hash, and whether that is the one it was installed with."""
    recorded = {str(file): file.hash.value for file in installed("citekg") or () if file.hash}
    found = sorted((files_of("citekg.extractors") / "weights").iterdir(), key=lambda file: file.name)
    for file in found:
        data = file.read_bytes()
        digest = hashlib.sha256(data)
        expected = recorded.get(f"extractors/weights/{file.name}")
        changed = expected not in {None, base64.urlsafe_b64encode(digest.digest()).decode().rstrip("=")}
        told = f"{len(data):,} bytes, SHA-256 {digest.hexdigest()[:16]}…"
        yield Finding(file.name, told, BROKEN if changed else "ok", f"it was changed: {_AGAIN}" if changed else "")


def reading() -> Iterator[Finding]:
    """A reading of one small paper."""
    from citekg.extractors.pipeline import ExtractionPipeline

    started = perf_counter()
    reader = ExtractionPipeline()
    loaded = perf_counter()
    found = {(e.name, role) for e in reader.read(_PAPER).entities for role, _, _ in e.roles}
    missing = sorted(f"{name} ({role})" for name, role in _EXPECTED - found)
    told = f"{len(found)} facts in {perf_counter() - loaded:.2f} s, after {loaded - started:.2f} s of loading"
    if missing:
        yield Finding("self-test", f"{told}; not found: {', '.join(missing)}", BROKEN, _AGAIN)
    else:
        yield Finding("self-test", told)
