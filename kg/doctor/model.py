"""Checks of the trained models: weights, compiled kernels, and an extraction self-test."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib.metadata import files as installed
from importlib.resources import files as files_of
from pathlib import Path
from time import perf_counter
from typing import Final

from citekg.doctor.findings import ABSENT, BROKEN, Finding
from citekg.schemas.records import Paper

_REINSTALL: Final = "install citekg again: pip install --force-reinstall --no-deps citekg"
#: The paper of the self-test, and the entities and roles that must be found in it.
_PAPER: Final = Paper(
    id="doctor",
    title="Kite Policy Search",
    abstract=(
        "We propose Kite Policy Search (KPS), which extends PPO."
        " We evaluate it on D4RL with Qwen2.5-7B."
    ),
)
_EXPECTED: Final = {
    ("Kite Policy Search", "introduces"),
    ("Proximal Policy Optimization", "extends"),
    ("D4RL", "evaluatesOn"),
}


def files() -> Iterator[Finding]:
    """Yield size and SHA-256 of each weights file, and whether it matches the installation."""
    recorded = {str(file): file.hash.value for file in installed("citekg") or () if file.hash}
    folder = Path(str(files_of("citekg.extractors"))) / "weights"
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        name = file.relative_to(folder).as_posix()
        data = file.read_bytes()
        digest = hashlib.sha256(data)
        expected = recorded.get(f"extractors/weights/{name}")
        changed = expected not in {
            None,
            base64.urlsafe_b64encode(digest.digest()).decode().rstrip("="),
        }
        value = f"{len(data):,} bytes, SHA-256 {digest.hexdigest()[:16]}…"
        yield Finding(
            name,
            value,
            BROKEN if changed else "ok",
            f"it was changed: {_REINSTALL}" if changed else "",
        )


def kernels() -> Iterator[Finding]:
    """Yield the compiled kernels of the tagger that this processor can run, the fastest first."""
    from citekg.extractors.candidates.kernels import available

    names = available()
    if names:
        yield Finding("kernels", ", ".join(names))
    else:
        advice = "extraction needs more time; on x86-64, install citekg where there is a C compiler"
        yield Finding("kernels", "none", ABSENT, advice)


def extraction() -> Iterator[Finding]:
    """Run the extraction on a small paper and yield whether it finds what is expected."""
    from citekg.extractors.pipeline import ExtractionPipeline

    started = perf_counter()
    pipeline = ExtractionPipeline()
    loaded = perf_counter()
    found = {(e.name, role) for e in pipeline.extract(_PAPER).entities for role, _, _ in e.roles}
    missing = sorted(f"{name} ({role})" for name, role in _EXPECTED - found)
    value = (
        f"{len(found)} facts in {perf_counter() - loaded:.2f} s,"
        f" after {loaded - started:.2f} s of loading"
    )
    if missing:
        yield Finding("self-test", f"{value}; not found: {', '.join(missing)}", BROKEN, _REINSTALL)
    else:
        yield Finding("self-test", value)
