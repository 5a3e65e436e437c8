"""Word senses: whether a text uses a lexicon name for an entity of another kind.

"The KITE dataset" is not the method KITE of the lexicon, and KITE among metrics is a metric.
"""

from __future__ import annotations

import re
from typing import Final

from citekg.extractors.nlp import Document
from citekg.extractors.wording.context import context_around
from citekg.extractors.wording.non_entities import METRIC_LIST

_DATA: Final = re.compile(
    r"(?: ?\([^()]*\))? (?:data ?set|corpus|treebank|database|(?:grand )?challenge|competition)"
    r"(?=$|[\s,.;:()])(?! (?:distillation|condensation|generat\w+|construction|creat\w+|curation"
    r"|synthesis|augmentation|selection|pruning)\b)"
)
_ARTICLE: Final = re.compile(r"(?<![\w-])(?:the|an?|our) $")
_METHOD: Final = re.compile(
    r"\)? (?:method|algorithm|module|mechanism|loss|network|strategy|technique)\b"
)
_METRICS: Final = re.compile(rf"(?<![\w-]){METRIC_LIST}$")


def is_called_method(doc: Document, spans: list[tuple[int, int]]) -> bool:
    """Return whether the text calls what it defines a method: "our KITE Search (KS) method"."""
    return any(_METHOD.match(context_around(doc, span)[1]) for span in spans)


def is_used_in_another_sense(doc: Document, spans: list[tuple[int, int]]) -> bool:
    """Return whether the text calls a single word with capitals a data set or a metric.

    Words in lower case are exempt: "the regression dataset" is data for regression.
    """
    surface = doc.span_text(*spans[0])
    if surface.islower() or any(map(str.isspace, surface)):
        return False
    contexts = (context_around(doc, span) for span in spans)
    return any(
        (_ARTICLE.search(before) and _DATA.match(after)) or _METRICS.search(before)
        for before, after in contexts
    )
