"""Remove HTML, JATS and MathML tags and decode character references in titles and abstracts."""

from __future__ import annotations

from citekg.schemas.html_markup import REFERENCE, TAG, decode_reference, tag_replacer
from citekg.sources.decoding import replace_controls


def strip_markup(written: str) -> str:
    """Return the text without tags and with character references decoded.

    An HTML tag is only removed if its end tag is also in the text.

    >>> strip_markup("<jats:title>Abstract</jats:title><jats:p>Kites &amp; <i>Q</i>, n <b</jats:p>")
    '  Kites & Q, n <b '
    >>> strip_markup("H<sub>2</sub>O, where a <b> c")
    'H2O, where a <b> c'
    """
    if "&" not in written and "<" not in written:
        return written
    for _ in range(2):  # some sites escape text that is already escaped
        written = REFERENCE.sub(decode_reference, written)
    return replace_controls(TAG.sub(tag_replacer(written), written))
