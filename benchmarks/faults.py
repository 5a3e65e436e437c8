"""Fault injection for builds: kills, full disks, lost workers, concurrent builds, jumping clocks.

    python -m benchmarks.faults papers.jsonl --kills 50

A build without faults gives the expected bytes. After each fault, every graph file that exists must
have these bytes, no process may survive, and repeating the command must write all files. The disk
is a small tmpfs, which needs the right to mount; without it, that part is skipped with a message.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
FORMATS = ("ttl", "json", "csv")
#: A clock that jumps by years, back and forth, on every call.
JUMPING_CLOCK = """
import random, time
_time, _time_ns, _by = time.time, time.time_ns, random.Random()
def _jump(): return _by.choice((-30, -1, 0, 1, 30)) * 31_536_000
time.time = lambda: max(0.0, _time() + _jump())
time.time_ns = lambda: max(0, _time_ns() + _jump() * 10**9)
"""


class Builds:
    """Builds of the same papers into any folder, and the expected digests."""

    def __init__(self, papers: Path, folder: Path) -> None:
        """Build once without faults."""
        self.papers = papers
        started = time.monotonic()
        completed = self.run(folder)
        assert completed.returncode == 0, completed.stderr
        self.seconds = time.monotonic() - started
        self.expected = _digests(folder)
        assert len(self.expected) == len(FORMATS)

    def start(self, out: Path, workers: int = 1, **environment: str) -> subprocess.Popen[str]:
        """Start a build in a separate process and session."""
        formats = [part for name in FORMATS for part in ("-f", name)]
        command = [
            sys.executable,
            "-m",
            "citekg",
            "build",
            self.papers,
            "-o",
            out,
            "--workers",
            workers,
            *formats,
        ]
        paths = os.pathsep.join(filter(None, (environment.pop("PYTHONPATH", ""), str(ROOT))))
        return subprocess.Popen(
            [*map(str, command)],
            env={**os.environ, **environment, "PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, out: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a build to its end."""
        running = self.start(out, **environment)
        output, errors = running.communicate()
        return subprocess.CompletedProcess("", running.returncode, output, errors)

    def check(self, out: Path) -> None:
        """Assert that every graph file that exists is complete."""
        for name, digest in _digests(out).items():
            assert self.expected[name] == digest, f"{out / name} differs from the expected file"

    def finish(self, out: Path) -> None:
        """Assert that the same command writes the expected files and leaves no partial file."""
        completed = self.run(out)
        assert completed.returncode == 0, completed.stderr
        assert _digests(out) == self.expected
        assert not [*out.rglob("*.part")]


def kills(builds: Builds, folder: Path, count: int, rng: random.Random) -> str:
    """Kill builds at random moments, ten per folder, with one and two workers in turn."""
    counts: Counter[str] = Counter()
    longest, number = builds.seconds, 0
    while number < count:
        out = folder / f"killed-{number // 10}"
        running = builds.start(out, workers=1 + number % 2)
        started = time.monotonic()
        with suppress(subprocess.TimeoutExpired):
            running.wait(rng.uniform(0, longest))
        if running.poll() is not None:
            running.communicate()
            longest = min(longest, time.monotonic() - started)
            shutil.rmtree(out)  # the build ended before the kill
            continue
        running.kill()
        running.communicate()
        _wait_for_end(running.pid)
        builds.check(out)
        number += 1
        counts["graph files there"] += bool(_digests(out))
        counts["readings there"] += any((out / "readings").rglob("*.jsonl.gz"))
        if number % 10 == 0 or number == count:
            builds.finish(out)
    states = ", ".join(f"{name} {times}" for name, times in sorted(counts.items()))
    return f"{count} kills ({states}), {-(-count // 10)} folders finished with the expected bytes"


def lost_workers(builds: Builds, folder: Path, count: int, rng: random.Random) -> str:
    """Kill one of two workers."""
    outcomes: Counter[str] = Counter()
    for number in range(count):
        out = folder / f"lost-{number}"
        running = builds.start(out, workers=2)
        time.sleep(rng.uniform(0.3, 0.9) * builds.seconds)
        workers = _descendants(running.pid)
        for worker in workers[-1:]:
            os.kill(worker, signal.SIGKILL)
        errors = running.communicate()[1]
        assert running.returncode in {0, 1}
        assert running.returncode == 0 or errors.count("\n") == 1
        outcome = "done all the same" if workers else "no worker yet, or done"
        outcomes[errors.strip() or outcome] += 1
        builds.check(out)
        builds.finish(out)
    return "; ".join(f"{times} × {what}" for what, times in outcomes.items())


def full_disk(builds: Builds, folder: Path) -> str:
    """Build on disks of growing size until the build fits."""
    outcomes = []
    for kilobytes in (64, 256, 512, 1024, 2048, 4096, 65536):
        with _disk(folder / "disk", f"size={kilobytes}k") as disk:
            completed = builds.run(disk / "out", TMPDIR=str(folder))
            builds.check(disk / "out")
            assert completed.returncode == 0 or (
                completed.returncode == 1 and completed.stderr.count("\n") == 1
            ), completed.stderr
            message = (
                completed.stderr.strip().rpartition("/")[2] if completed.returncode else "done"
            )
            outcomes.append(f"{kilobytes} kB: {message}")
            if completed.returncode:
                _mount("remount", disk, "size=64m")
                builds.finish(disk / "out")
    return "; ".join(outcomes)


def read_only(builds: Builds, folder: Path) -> str:
    """Build on a read-only disk, before and after a build."""
    with _disk(folder / "disk", "size=64m") as disk:
        _mount("remount", disk, "ro")
        first = builds.run(disk / "out", TMPDIR=str(folder))
        _mount("remount", disk, "rw")
        builds.finish(disk / "out")
        _mount("remount", disk, "ro")
        second = builds.run(disk / "out", TMPDIR=str(folder))
        builds.check(disk / "out")
        for completed in (first, second):
            assert completed.returncode == 1
            assert completed.stderr.count("\n") == 1
        return first.stderr.strip().rpartition("/")[2]


def two_at_once(builds: Builds, folder: Path, count: int) -> str:
    """Start two builds into one folder at the same time."""
    outcomes: Counter[str] = Counter()
    for number in range(count):
        out = folder / f"two-{number}"
        ends = [running.communicate()[1] for running in [builds.start(out), builds.start(out)]]
        messages = sorted(end.strip().rpartition("/")[2] or "done" for end in ends)
        outcomes[" and ".join(messages)] += 1
        assert _digests(out) == builds.expected
    return "; ".join(f"{times} × {what}" for what, times in outcomes.items())


def clock(builds: Builds, folder: Path, rng: random.Random) -> str:
    """Kill and finish builds under a jumping clock, with file times in the future and past."""
    (folder / "clock").mkdir()
    (folder / "clock" / "sitecustomize.py").write_text(JUMPING_CLOCK)
    for number in range(3):
        out = folder / f"clock-{number}"
        running = builds.start(out, PYTHONPATH=str(folder / "clock"))
        time.sleep(rng.uniform(0.3, 1) * builds.seconds)
        running.kill()
        running.communicate()
        for file in out.rglob("*"):
            os.utime(file, (4e9, 4e9) if rng.random() < 0.5 else (0, 0))
        completed = builds.run(out, PYTHONPATH=str(folder / "clock"))
        assert completed.returncode == 0, completed.stderr
        assert _digests(out) == builds.expected
    return "3 builds killed and finished under a clock that jumps by years, with the expected bytes"


def _digests(out: Path) -> dict[str, str]:
    """Return the SHA-256 digests of the graph files."""
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(out.glob("graph.*"))}


def _descendants(pid: int) -> list[int]:
    """Return the ids of the child processes of a process."""
    try:
        tasks = [*Path(f"/proc/{pid}/task").iterdir()]
        return sorted(
            int(child) for task in tasks for child in (task / "children").read_text().split()
        )
    except OSError:
        return []


def _wait_for_end(session: int) -> None:
    """Wait until no process of a session is left, at most a minute."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    raise AssertionError("a worker outlived the build that started it")


@contextmanager
def _disk(place: Path, options: str) -> Iterator[Path]:
    place.mkdir(exist_ok=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=True, capture_output=True
    )
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def _mount(how: str, place: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"{how},{option}", place], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("papers", type=Path)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with TemporaryDirectory(prefix="kg-faults-") as name:
        folder = Path(name)
        builds = Builds(arguments.papers.resolve(), folder / "due")
        print(f"a build takes {builds.seconds:.1f} s", flush=True)
        print("clock:", clock(builds, folder, rng), flush=True)
        print("two at once:", two_at_once(builds, folder, 3), flush=True)
        print("lost worker:", lost_workers(builds, folder, 5, rng), flush=True)
        mountable = os.geteuid() == 0 and shutil.which("mount")
        for what in (full_disk, read_only):
            print(
                f"{what.__name__}:",
                what(builds, folder) if mountable else "skipped: needs to mount",
                flush=True,
            )
        print("killed:", kills(builds, folder, arguments.kills, rng), flush=True)


if __name__ == "__main__":
    main()
