"""The environment of processes that compute with one thread."""

from __future__ import annotations

from typing import Final

#: Limits numpy's matrix products to one thread if set before numpy is imported: for the small
#: matrices of one paper, more threads only add overhead.
ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
