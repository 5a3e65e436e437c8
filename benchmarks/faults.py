"""What becomes of a build that is killed, runs out of disk, loses a worker, meets another build or another clock.

    python -m benchmarks.faults papers.jsonl --kills 50

A build that nothing happens to tells the bytes that are due. After each fault every file of the graph that is there
must have these bytes, no process may be left, and in the end the same command must make them all. The disk is a small
tmpfs, which needs the rights to mount one; without them that part is skipped and says so.
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

HOUSE = Path(__file__).resolve().parents[1]
FORMATS = ("ttl", "json", "csv")
#: A clock that jumps by years, back and forth, each time somebody looks.
JUMPING_CLOCK = """
import random, time
_time, _time_ns, _by = time.time, time.time_ns, random.Random()
def _jump(): return _by.choice((-30, -1, 0, 1, 30)) * 31_536_000
time.time = lambda: max(0.0, _time() + _jump())
time.time_ns = lambda: max(0, _time_ns() + _jump() * 10**9)
"""


class Builds:
    """Builds of the same papers into any folder, and the bytes that are due."""

    def __init__(self, papers: Path, folder: Path) -> None:
        """Build once with nothing happening."""
        self.papers = papers
        started = time.monotonic()
        done = self.run(folder)
        assert done.returncode == 0, done.stderr
        self.seconds = time.monotonic() - started
        self.due = _told(folder)
        assert len(self.due) == len(FORMATS)

    def start(self, out: Path, workers: int = 1, **environment: str) -> subprocess.Popen[str]:
        """A build in a process and a session of its own."""
        formats = [part for name in FORMATS for part in ("-f", name)]
        command = [sys.executable, "-m", "citekg", "build", self.papers, "-o", out, "--workers", workers, *formats]
        paths = os.pathsep.join(filter(None, (environment.pop("PYTHONPATH", ""), str(HOUSE))))
        return subprocess.Popen(
            [*map(str, command)],
            env={**os.environ, **environment, "PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, out: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """A build to its end."""
        running = self.start(out, **environment)
        told, wrong = running.communicate()
        return subprocess.CompletedProcess("", running.returncode, told, wrong)

    def check(self, out: Path) -> None:
        """Every file of the graph that is there is whole."""
        for name, digest in _told(out).items():
            assert self.due[name] == digest, f"{out / name} is not what is due"

    def finish(self, out: Path) -> None:
        """The same command makes what is due, and leaves nothing half made."""
        done = self.run(out)
        assert done.returncode == 0, done.stderr
        assert _told(out) == self.due
        assert not [*out.rglob("*.part")]


def kills(builds: Builds, folder: Path, count: int, by: random.Random) -> str:
    """Killed at random moments, by tens in the same folder, with one worker and with two in turn."""
    seen: Counter[str] = Counter()
    longest, number = builds.seconds, 0
    while number < count:
        out = folder / f"killed-{number // 10}"
        running = builds.start(out, workers=1 + number % 2)
        started = time.monotonic()
        with suppress(subprocess.TimeoutExpired):
            running.wait(by.uniform(0, longest))
        if running.poll() is not None:
            running.communicate()
            longest = min(longest, time.monotonic() - started)
            shutil.rmtree(out)  # it was done before it could be killed
            continue
        running.kill()
        running.communicate()
        _wait_for_end(running.pid)
        builds.check(out)
        number += 1
        seen["graph files there"] += bool(_told(out))
        seen["readings there"] += any((out / "readings").rglob("*.jsonl.gz"))
        if number % 10 == 0 or number == count:
            builds.finish(out)
    told = ", ".join(f"{name} {times}" for name, times in sorted(seen.items()))
    return f"{count} kills ({told}), {-(-count // 10)} folders finished with the bytes due"


def lost_workers(builds: Builds, folder: Path, count: int, by: random.Random) -> str:
    """One of two workers killed."""
    told: Counter[str] = Counter()
    for number in range(count):
        out = folder / f"lost-{number}"
        running = builds.start(out, workers=2)
        time.sleep(by.uniform(0.3, 0.9) * builds.seconds)
        workers = _below(running.pid)
        for worker in workers[-1:]:
            os.kill(worker, signal.SIGKILL)
        wrong = running.communicate()[1]
        assert running.returncode in {0, 1}
        assert running.returncode == 0 or wrong.count("\n") == 1
        told[wrong.strip() or ("done all the same" if workers else "no worker yet, or done")] += 1
        builds.check(out)
        builds.finish(out)
    return "; ".join(f"{times} × {what}" for what, times in told.items())


def full_disk(builds: Builds, folder: Path) -> str:
    """A disk of growing size until the build fits."""
    told = []
    for kilobytes in (64, 256, 512, 1024, 2048, 4096, 65536):
        with _disk(folder / "disk", f"size={kilobytes}k") as disk:
            done = builds.run(disk / "out", TMPDIR=str(folder))
            builds.check(disk / "out")
            assert done.returncode == 0 or (done.returncode == 1 and done.stderr.count("\n") == 1), done.stderr
            told.append(f"{kilobytes} kB: {'done' if done.returncode == 0 else done.stderr.strip().rpartition('/')[2]}")
            if done.returncode:
                _mount("remount", disk, "size=64m")
                builds.finish(disk / "out")
    return "; ".join(told)


def read_only(builds: Builds, folder: Path) -> str:
    """A disk that nobody may write to, before and after a build."""
    with _disk(folder / "disk", "size=64m") as disk:
        _mount("remount", disk, "ro")
        first = builds.run(disk / "out", TMPDIR=str(folder))
        _mount("remount", disk, "rw")
        builds.finish(disk / "out")
        _mount("remount", disk, "ro")
        second = builds.run(disk / "out", TMPDIR=str(folder))
        builds.check(disk / "out")
        for done in (first, second):
            assert done.returncode == 1
            assert done.stderr.count("\n") == 1
        return first.stderr.strip().rpartition("/")[2]


def two_at_once(builds: Builds, folder: Path, count: int) -> str:
    """Two builds into one folder, started together."""
    told: Counter[str] = Counter()
    for number in range(count):
        out = folder / f"two-{number}"
        ends = [running.communicate()[1] for running in [builds.start(out), builds.start(out)]]
        told[" and ".join(sorted(end.strip().rpartition("/")[2] or "done" for end in ends))] += 1
        assert _told(out) == builds.due
    return "; ".join(f"{times} × {what}" for what, times in told.items())


def clock(builds: Builds, folder: Path, by: random.Random) -> str:
    """A clock that jumps by years; killed under it, finished under it, and files from the future."""
    (folder / "clock").mkdir()
    (folder / "clock" / "sitecustomize.py").write_text(JUMPING_CLOCK)
    for number in range(3):
        out = folder / f"clock-{number}"
        running = builds.start(out, PYTHONPATH=str(folder / "clock"))
        time.sleep(by.uniform(0.3, 1) * builds.seconds)
        running.kill()
        running.communicate()
        for file in out.rglob("*"):
            os.utime(file, (4e9, 4e9) if by.random() < 0.5 else (0, 0))
        done = builds.run(out, PYTHONPATH=str(folder / "clock"))
        assert done.returncode == 0, done.stderr
        assert _told(out) == builds.due
    return "3 builds killed and finished under a clock that jumps by years, with the bytes due"


def _told(out: Path) -> dict[str, str]:
    """The hashes of the graph's files."""
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(out.glob("graph.*"))}


def _below(pid: int) -> list[int]:
    """The processes that a process has started and that it works with."""
    try:
        tasks = [*Path(f"/proc/{pid}/task").iterdir()]
        return sorted(int(child) for task in tasks for child in (task / "children").read_text().split())
    except OSError:
        return []


def _wait_for_end(session: int) -> None:
    """Until no process of a session is left; a minute at most."""
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
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=True, capture_output=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def _mount(how: str, place: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"{how},{option}", place], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    by = random.Random(told.seed)
    with TemporaryDirectory(prefix="kg-faults-") as name:
        folder = Path(name)
        builds = Builds(told.papers.resolve(), folder / "due")
        print(f"a build takes {builds.seconds:.1f} s", flush=True)
        print("clock:", clock(builds, folder, by), flush=True)
        print("two at once:", two_at_once(builds, folder, 3), flush=True)
        print("lost worker:", lost_workers(builds, folder, 5, by), flush=True)
        mountable = os.geteuid() == 0 and shutil.which("mount")
        for what in (full_disk, read_only):
            print(f"{what.__name__}:", what(builds, folder) if mountable else "skipped: needs to mount", flush=True)
        print("killed:", kills(builds, folder, told.kills, by), flush=True)


if __name__ == "__main__":
    main()
