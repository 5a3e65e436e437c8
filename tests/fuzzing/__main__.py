"""`python -m tests.fuzzing TARGET [libFuzzer's options]`: fuzz one target with atheris.

Inputs that violate an invariant are stored once per kind in `build/fuzzing/TARGET/findings`; inputs
with new coverage are stored in `build/fuzzing/TARGET/corpus`, from which the next run starts.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

PACKAGES = ("citekg",)
LIBRARIES = ("bibtexparser", "pylatexenc", "rispy", "yaml", "json")


def main(arguments: list[str]) -> None:
    """Fuzz until libFuzzer stops, for example by `-max_total_time=600`."""
    import atheris

    with atheris.instrument_imports(include=[*PACKAGES, *LIBRARIES]):
        from tests.fuzzing.targets import TARGETS, dictionary

        if len(arguments) < 2 or arguments[1] not in TARGETS:
            sys.exit(f"{__doc__}\nTARGET is one of {', '.join(TARGETS)}")
        name = arguments.pop(1)
        target = TARGETS[name]
        with tempfile.TemporaryDirectory() as scratch:
            for (
                seed
            ) in target.seeds:  # imports what the target needs, while imports are instrumented
                _run(target.check, seed, Path(scratch) / "input", None)
    folder = Path("build/fuzzing") / name
    findings, corpus = folder / "findings", folder / "corpus"
    for made in (findings, corpus):
        made.mkdir(parents=True, exist_ok=True)
    for seed in target.seeds:
        (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    (folder / "words.txt").write_text(dictionary(target), encoding="utf-8")
    file = Path(tempfile.mkdtemp()) / "input"
    options = [
        f"-dict={folder / 'words.txt'}",
        "-timeout=60",
        "-rss_limit_mb=4096",
        "-print_final_stats=1",
    ]
    atheris.Setup(
        [arguments[0], *options, *arguments[1:], str(corpus)],
        lambda data: _run(target.check, data, file, findings),
    )
    atheris.Fuzz()


def _run(
    check: Callable[[bytes, Path], None], data: bytes, file: Path, findings: Path | None
) -> None:
    """Check one input; store the first finding of each kind with its traceback."""
    try:
        check(data, file)
    except Exception as error:  # noqa: BLE001  # every exception is a finding
        if findings is None:
            return
        kept = findings / _kind(error, error.__traceback__)
        if not kept.exists():
            kept.write_bytes(data)
            kept.with_suffix(".txt").write_text(
                "".join(traceback.format_exception(error)), encoding="utf-8"
            )
            sys.stderr.write(f"FINDING {kept.name}: {error!r}\n")


def _kind(error: Exception, trace: TracebackType | None) -> str:
    """Return a file name for the kind of finding: the error and its place in our code."""
    frames = [
        f
        for f in traceback.extract_tb(trace)
        if any(f"/{package}/" in f.filename for package in PACKAGES)
    ]
    last = frames[-1] if frames else traceback.extract_tb(trace)[-1]
    message = str(error)[:20] if isinstance(error, AssertionError) else ""
    place = f"{type(error).__name__}-{Path(last.filename).stem}-{last.name}-{last.lineno}"
    return f"{place}-{hashlib.sha256(message.encode()).hexdigest()[:6]}.bin"


if __name__ == "__main__":
    main(sys.argv)
