"""The layout of a large graph in another process, beside the other work on the page.

The process is this interpreter, started anew on this file: a fork would copy locks that other
threads hold, and `multiprocessing` would import the user's main script again.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Final

from citekg.exports.page.layout import layout

if TYPE_CHECKING:
    from citekg.exports.page.layout import Floats, Integers

#: The number of nodes from which on the layout takes longer than the start of a process.
_MIN_NODES: Final = 10_000


@contextmanager
def started_layout(
    nodes: int, edges: Integers, weights: Floats, radii: Floats
) -> Iterator[Callable[[], Floats]]:
    """Yield a function that returns the positions of `layout`; with many nodes, a process starts.

    If the process cannot be started or is killed, the function computes the positions itself.
    """
    process = _start(edges, weights, radii) if nodes >= _MIN_NODES else None

    def positions() -> Floats:
        import numpy as np

        content = process.communicate()[0] if process else b""
        if process and process.returncode == 0:
            return np.asarray(np.load(io.BytesIO(content)))
        return layout(nodes, edges, weights, radii)

    try:
        yield positions
    finally:
        if process:
            with process:
                process.kill()


def _start(edges: Integers, weights: Floats, radii: Floats) -> subprocess.Popen[bytes] | None:
    """Start a process that lays out the graph and writes the positions to its standard output.

    It reads the arrays from a file. To write them to a pipe, this process would have to wait.
    Returns None if no process can be started.
    """
    import numpy as np

    if not sys.executable:  # Python is embedded in another program
        return None
    try:
        with TemporaryFile() as file:
            np.savez(file, edges=edges, weights=weights, radii=radii)
            file.seek(0)
            return subprocess.Popen(  # noqa: S603  # this interpreter and this file
                [sys.executable, __file__],
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            )
    except OSError:
        return None


def _main() -> None:
    """Read the arrays of a graph from the standard input; write the positions to the output."""
    import numpy as np

    with np.load(sys.stdin.buffer) as arrays:
        edges, weights, radii = (arrays[name] for name in ("edges", "weights", "radii"))
    content = io.BytesIO()  # numpy cannot write to a buffered pipe, which has no positions
    np.save(content, layout(len(radii), edges, weights, radii))
    sys.stdout.buffer.write(content.getvalue())


if __name__ == "__main__":
    _main()
