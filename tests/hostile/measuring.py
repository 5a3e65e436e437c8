"""Reads one row of the catalogue, under a limit of memory, and tells what came of it and what it took."""

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
    """The titles, the messages and the seconds of reading a bad input; the folder is the current one."""
    inputs = list(bad.make(folder))
    problems: list[Problem] = []
    begun = time.process_time()
    papers = read(inputs, problems.append, bad.form)
    seconds = time.process_time() - begun
    return {"kept": sorted({p.title for p in papers}), "told": list(map(str, problems)), "seconds": seconds}


def main() -> None:
    """Print the outcome of the row that the first argument names, with the megabytes that it took at most."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    bad = next(bad for bad in CATALOGUE if bad.what == sys.argv[1])
    found = outcome(bad, Path.cwd())
    found["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
