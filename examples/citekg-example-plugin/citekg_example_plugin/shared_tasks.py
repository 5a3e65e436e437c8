"""An extractor: shared tasks with their year, such as "SemEval-2023 Task 4", which are benchmarks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citekg.schemas.plugins import Proposal
from citekg.schemas.records import Paper

_SERIES = (
    "BioASQ|BioCreative|CheckThat!|CoNLL|eRisk|MEDIQA|n2c2|ProfNER|SemEval|TREC|VarDial|WASSA|WMT"
)
_SHARED_TASK = re.compile(rf"\b(?:{_SERIES})[- ]?(?:20)?\d\d(?: (?:[Tt]ask|[Tt]rack) \d+[A-Z]?)?\b")


def propose(paper: Paper) -> Iterator[Proposal]:
    """Every shared task that the title or the abstract names.

    >>> [(p.start, p.end) for p in propose(Paper("1", "We took part in WMT22 and SemEval-2023 Task 4", ""))]
    [(16, 21), (26, 45)]
    """
    for found in _SHARED_TASK.finditer(paper.text):
        yield Proposal(*found.span(), type="Benchmark")
