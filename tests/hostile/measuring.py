"""Read one input of the catalogue under a memory limit; print the outcome, time and memory."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

from citekg.sources import Problem, read
from tests.hostile.making import Bad
from tests.hostile.sources import CATALOGUE

#: Bytes of memory that a heavy input may take, the interpreter included.
MEMORY = 2 * 2**30


def outcome(bad: Bad, folder: Path) -> dict[str, Any]:
    """Return the titles, messages and seconds of reading an input in the current folder."""
    inputs = list(bad.make(folder))
    problems: list[Problem] = []
    begun = time.process_time()
    papers = read(inputs, problems.append, bad.form)
    seconds = time.process_time() - begun
    return {
        "kept": sorted({p.title for p in papers}),
        "reported": list(map(str, problems)),
        "seconds": seconds,
    }


def peak_megabytes() -> int:
    """Return the peak memory of this program.

    The peak of `getrusage` includes that of the parent process, because exec keeps it.
    """
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) // 1024


def main() -> None:
    """Print the outcome of the input named by the first argument, with the peak memory in MB."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    bad = next(bad for bad in CATALOGUE if bad.what == sys.argv[1])
    found = outcome(bad, Path.cwd())
    found["megabytes"] = peak_megabytes()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
