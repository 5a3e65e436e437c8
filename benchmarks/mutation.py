"""Mutation testing with cosmic-ray: the share of a sample of mutants that the tests detect.

    pip install cosmic-ray
    python -m benchmarks.mutation --count 150

The working tree is copied first and stays unchanged. Unions in annotations are not mutated, because
they are never evaluated. Surviving mutants are printed as diffs: each is equivalent, or a test is missing.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
#: The mutated modules and the tests that should detect the mutants, by name of the part.
PARTS = {
    "schemas": (("schemas",), ("tests/schemas", "schemas")),
    "roles": (
        ("extractors/roles/classifier.py", "extractors/roles/patterns.py"),
        ("tests/extractors/roles/test_patterns.py", "tests/extractors/roles/test_classifier.py"),
    ),
}
_CONFIGURATION = """
[cosmic-ray]
module-path = {modules}
timeout = 60.0
excluded-modules = []
test-command = "{python} -m pytest -q -x -p no:cacheprovider {options} {tests}"
[cosmic-ray.distributor]
name = "local"
"""


def survivors(
    part: str, count: int, seed: int, options: str, folder: Path
) -> tuple[int, list[str]]:
    """Return the number of mutants of a part, and the diffs of those that no test detected."""
    modules, tests = PARTS[part]
    fields = {
        "modules": [*modules],
        "python": sys.executable,
        "options": options,
        "tests": " ".join(tests),
    }
    (folder / "mutation.toml").write_text(_CONFIGURATION.format(**fields))
    cosmic_ray(folder, "init", "mutation.toml", "mutants.sqlite", "--force")
    keep_sample(folder / "mutants.sqlite", count, seed)
    cosmic_ray(folder, "exec", "mutation.toml", "mutants.sqlite")
    with sqlite3.connect(folder / "mutants.sqlite") as database:
        rows = database.execute("SELECT test_outcome, diff FROM work_results").fetchall()
    return len(rows), sorted(diff for outcome, diff in rows if outcome.lower().endswith("survived"))


def keep_sample(mutants: Path, count: int, seed: int) -> None:
    """Keep a random sample of the mutants."""
    with sqlite3.connect(mutants) as database:
        columns = "module_path, start_pos_row, start_pos_col, operator_name, occurrence, job_id"
        places = sorted(database.execute(f"SELECT {columns} FROM mutation_specs"), key=str)
        jobs = [job for *_, operator, _, job in places if "BinaryOperator_BitOr" not in operator]
        drawn = set(random.Random(seed).sample(jobs, min(count, len(jobs))))
        for table in ("mutation_specs", "work_items"):
            for (job,) in database.execute(f"SELECT job_id FROM {table}").fetchall():
                if job not in drawn:
                    database.execute(f"DELETE FROM {table} WHERE job_id = ?", (job,))


def cosmic_ray(folder: Path, *arguments: str) -> None:
    """Run cosmic-ray in the copy, so that the tests import its code."""
    program = shutil.which("cosmic-ray", path=str(Path(sys.executable).parent)) or "cosmic-ray"
    subprocess.run(
        [program, *arguments], cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}, check=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--options", default="", help="more options for pytest")
    options = parser.parse_args()
    for part in options.part or PARTS:
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            shutil.copytree(
                ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__")
            )
            tried, survivor_diffs = survivors(
                part, options.count, options.seed, options.options, copy
            )
        for diff in survivor_diffs:
            print(re.sub(r"^[-+]{3} .*/", "", diff, flags=re.MULTILINE))
        print(
            f"{part}: {tried} mutants, {tried - len(survivor_diffs)} detected"
            f" ({100 * (tried - len(survivor_diffs)) / tried:.0f} %)\n"
        )


if __name__ == "__main__":
    main()
