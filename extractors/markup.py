r"""Markup in titles and abstracts: Markdown, TeX, HTML, formulas, artefacts of PDF files.

All layers read the cleaned text. It maps each of its characters to the offset in the original
text, so that the pipeline returns spans of the original text.

>>> clean(r"We use **Kite**, \textsc{Heron}~2 and $k$-nest.").text
'We use Kite, Heron 2 and k-nest.'
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from citekg.extractors.prefiltered_pattern import PrefilteredPattern
from citekg.schemas.accents import ACCENT, decode_accent
from citekg.schemas.html_markup import REFERENCE, TAG, decode_reference, tag_replacer
from citekg.schemas.names.words import TEX_WORDS

#: What every text with markup contains; other texts are returned unchanged.
_SIGNS: Final = "\\$*`{}_~\u00ad\u200b\u2060\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06"
_MARKUP: Final = PrefilteredPattern(
    rf"[{re.escape(_SIGNS)}]|\(cid:|</?[A-Za-z]|{REFERENCE.pattern}", (*_SIGNS, "<", "&", "(cid:")
)
_SPACES: Final = dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f"), " ")
_LIGATURES: Final = dict(
    zip("\ufb00\ufb01\ufb02\ufb03\ufb04", "ff fi fl ffi ffl".split(), strict=True)
)
_STYLE: Final = (
    r"\\(?:emph|underline|mbox|hbox|bm|boldsymbol|ensuremath|operatorname\*?|textcolor\{\w+\}"
    r"|(?:text|math)(?:bf|it|tt|sc|sf|rm|sl|up|normal)|text|bf|it|em|rm|sc|tt|sf|sl)"
)
#: "\textbf" and "\emph" of which a program took "\t" or "\e" for a control character.
_TORN_STYLE: Final = r"(?<![A-Za-z\\])(?:ext(?:bf|it|tt|sc|sf|rm)|mph)"
_STYLE_OPENS: Final = re.compile(
    rf"(?:{_STYLE}|{_TORN_STYLE})\s*\{{|\{{\\(?:em|bf|it|rm|sc|tt|sf|sl)\b\s*|\\href\{{[^{{}}\n]*\}}\{{"
)
_FORMULA: Final = re.compile(r"\$\$[^$\n]+\$\$|\$[^$\n]+\$")
#: A formula that is part of a word: at the start of "$k$-means", at the end of "Kite$^2$".
_GLUED: Final = re.compile(
    r"(?:(?<=[A-Za-z0-9])|(?<=[A-Za-z]-))\$[^$\n]{1,40}\$|(?<=[A-Za-z]\()\$[^$\n]{1,40}\$(?=\))"
    r"|\$[^$\n]{1,40}\$(?=-[A-Za-z]|[A-Z])"
)
#: A formula that consists of words in a style of letters.
_NAMED: Final = re.compile(
    rf"\$\s*{_STYLE}\s*\{{[A-Za-z][^{{}}$\\]{{2,40}}\}}(?:\^\{{?\w+\}}?)?\s*\$"
)
_SYMBOL: Final = re.compile(
    rf"{_STYLE}(?![A-Za-z])|\\math(?:cal|bb|scr|frak)(?![A-Za-z])|[$^_{{}}]|\\(?P<name>[A-Za-z]+)(?:\s(?=[A-Za-z]))?"
    r"|(?P<kept>[\w *+#.-])"
)
#: An index or exponent with an operation in it, which only formulas have.
_INDEXED: Final = re.compile(r"[\w)|*\\]{0,40}[\^_]\{[^{}\n]{0,80}[\s+=<>\\/,-][^{}\n]{0,80}\}")
_OPERATION: Final = re.compile(
    r"[=<>|()/,]|\s[+*-]\s|\\(?:frac|sqrt|[lg]eq?|in|to|sum|log|cdot|times|(?:wide)?(?:tilde|hat)"
    r"|math(?:bb|cal))(?![A-Za-z])"
)
#: Names with a common prefix, such as "Kite-{8B,70B}".
_BRACED_LIST: Final = re.compile(r"(?<=\w-)\{[\w.]+(?:, ?[\w.]+)+\}")
#: Patterns of edits outside formulas, each with what a text needs to match it and its replacement;
#: None keeps the group `both`.
_EDITS: Final = tuple(
    (needed, re.compile(pattern), kept)
    for needed, pattern, kept in (
        (
            "\\",
            r"\\(?:[Cc]ite\w*|(?:(?:auto|eq|c)?ref|label|url)(?![A-Za-z]))\*?(?:\[[^\]\n]{0,80}\]){0,2}(?:\s?\{[^{}\n]*\})?",
            "",
        ),
        # A style command without its braces, which some sites remove: "\emphKite".
        ("\\", r"\\(?:emph|text(?:bf|it|sc|tt|rm|sf))(?=[A-Za-z])", ""),
        ("", r"\(cid:173\) ?|[\u00ad\u200b\u2060]", ""),
        ("**", r"(?<![\w*\\^])\*\*(?=\S)(?P<both>[^*\n]{1,200}(?<=\S))\*\*", None),
        ("*", r"(?<![\w*\\^)\]}])\*(?=[^\s*,.)])(?P<both>[^*\n]{0,80}[^\s*(])\*(?![\w*])", None),
        ("`", r"(?<![\w`'])`(?P<both>[^\s`'’]{1,40})`(?![\w`'])", None),
        ("_", r"(?<![\w\\$^}])_(?=[^\W_])(?P<both>[^_\n$\\{]{1,60}(?<=[^\W_]))_(?![\w{])", None),
        ("{", r"(?<![\w\\^_}$])\{(?P<both>[A-Z][\w-]*)\}", None),
        ("~", r"(?<=[\w.,)}\"'”’])~(?=[\w\\(\[$])", " "),
        ("\\", r"\\(?=[&%#_])", ""),
        ("\\", r"\\[,;! ](?=\S)", " "),
    )
)

#: A dash between words, and how a subtitle begins: "Kite - A Planner".
_DASH: Final = re.compile(r"\s(?:[-–—]|-{2,3})\s+")
_SUBTITLE: Final = re.compile(r"[A-Z]|(?:an?|the|towards?|on|how)\s")
_BRACE: Final = re.compile(r"[{}\n]")
#: Maximum number of characters between the braces of a style.
_MAX_STYLED: Final = 200

#: An edit: start, end and the text in its place.
Edit = tuple[int, int, str]


@dataclass(frozen=True)
class CleanText:
    """A text without markup, with the offsets of its characters in the original text.

    `starts` and `origins` are parallel: the start of each piece of the text, and its start in the
    original text (with None as the end), or the start and end of the original text that it
    replaces. `formulas` are spans of the text without markup.
    """

    text: str
    starts: tuple[int, ...] = (0,)
    origins: tuple[tuple[int, int | None], ...] = ((0, None),)
    formulas: tuple[tuple[int, int], ...] = ()

    def original_span(self, at: int) -> tuple[int, int]:
        """Return the span in the original text, end exclusive, of one character."""
        piece = bisect_right(self.starts, at) - 1
        start, end = self.origins[piece]
        if end is not None:
            return start, end
        return start + at - self.starts[piece], start + at - self.starts[piece] + 1


def clean(text: str) -> CleanText:
    """Return the text without markup; a line break is never removed."""
    plain = text if text.isascii() else text.translate(_SPACES)
    return _apply(plain, *_edits(plain)) if _MARKUP.search(plain) else CleanText(plain)


def clean_title(title: str) -> CleanText:
    """Return a title without markup, and with a colon for the only dash before a subtitle.

    Rules and models then need to handle only one of the two separators.

    >>> clean_title("Kite - A Planner").text
    'Kite: A Planner'
    """
    dashes = [*_DASH.finditer(title)]
    if len(dashes) != 1 or ":" in title or not _SUBTITLE.match(title, dashes[0].end()):
        return clean(title)
    plain = title.translate(_SPACES)
    edits, formulas = _edits(plain)
    return _apply(plain, _disjoint([*edits, (*dashes[0].span(), ": ")]), formulas)


def _edits(text: str) -> tuple[list[Edit], list[tuple[int, int]]]:
    """Return the edits of a text, sorted and disjoint, and the spans of the remaining formulas."""
    edits: list[Edit] = []
    formulas: list[tuple[int, int]] = []
    blocked: list[tuple[int, int]] = []
    has_formulas = "$" in text
    named = (_GLUED, _NAMED) if has_formulas else ()
    names = {m.span() for pattern in named for m in pattern.finditer(text)}
    for formula in _FORMULA.finditer(text) if has_formulas else ():
        blocked.append(formula.span())
        own = _symbol_edits(text, *formula.span()) if formula.span() in names else None
        edits += own or []
        if own is None and _OPERATION.search(formula[0]):
            formulas.append(formula.span())
    opens = [start for start, _ in blocked]
    edits += (
        (start, end, kept)
        for start, end, kept in _free_edits(text)
        if not (n := bisect_left(opens, end)) or blocked[n - 1][1] <= start
    )
    if "^{" in text or "_{" in text:
        formulas += [m.span() for m in _INDEXED.finditer(text)]
    return _disjoint(edits), sorted(formulas)


def _free_edits(text: str) -> Iterator[Edit]:
    """Yield the edits of all markup outside formulas; they may overlap."""
    has_braces = "{" in text
    for opening in _STYLE_OPENS.finditer(text) if has_braces else ():
        closing = _closing_brace(text, opening.end())
        if closing:
            yield *opening.span(), ""
            yield closing, closing + 1, ""
    yield from _letter_edits(text)
    yield from _html_edits(text)
    for listed in _BRACED_LIST.finditer(text) if has_braces else ():
        for sign in re.compile(r"[{}]|, ?").finditer(text, *listed.span()):
            yield *sign.span(), "/" if sign[0][0] == "," else ""
    for needed, pattern, kept in _EDITS:
        for found in pattern.finditer(text) if needed in text else ():
            if kept is None:
                yield found.start(), found.start("both"), ""
                yield found.end("both"), found.end(), ""
            else:
                yield *found.span(), kept


def _letter_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that turn TeX accents and ligatures into letters."""
    for accent in ACCENT.finditer(text) if "\\" in text else ():
        if (letter := decode_accent(accent)) != accent[0]:
            start, end = accent.span()
            is_braced = text[start - 1 : start] == "{" and text[end : end + 1] == "}"
            yield start - is_braced, end + is_braced, letter
    for ligature, letters in _LIGATURES.items() if not text.isascii() else ():
        yield from ((m.start(), m.end(), letters) for m in re.finditer(ligature, text))


def _html_edits(text: str) -> Iterator[Edit]:
    """Yield the edits that decode character references and remove tags."""
    for reference in REFERENCE.finditer(text) if "&" in text else ():
        letters = decode_reference(reference)
        if letters != reference[0]:
            yield *reference.span(), letters if letters.isprintable() else " "
    if "<" in text:
        replacement = tag_replacer(text)
        for tag in TAG.finditer(text):
            if (kept := replacement(tag)) != tag[0]:
                yield *tag.span(), kept


def _closing_brace(text: str, start: int) -> int:
    """Return the offset of the brace that closes the one before `start` on its line, or 0."""
    depth = 1
    for brace in _BRACE.finditer(text, start, start + _MAX_STYLED):
        if brace[0] == "\n":
            return 0
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.start()
    return 0


def _symbol_edits(text: str, start: int, end: int) -> list[Edit] | None:
    """Return the edits that turn a formula into letters, or None if it has other symbols."""
    edits: list[Edit] = []
    at = start
    while at < end:
        symbol = _SYMBOL.match(text, at, end)
        if symbol is None or (symbol["name"] and symbol["name"].lower() not in TEX_WORDS):
            return None
        if symbol["name"]:
            letter = TEX_WORDS[symbol["name"].lower()]
            edits.append(
                (*symbol.span(), letter.upper() if symbol["name"][0].isupper() else letter)
            )
        elif not symbol["kept"]:
            edits.append((*symbol.span(), ""))
        at = symbol.end()
    return edits


def _disjoint(edits: list[Edit]) -> list[Edit]:
    """Return the edits in order, without those that overlap with an earlier one."""
    out: list[Edit] = []
    for edit in sorted(edits):
        if not out or out[-1][1] <= edit[0]:
            out.append(edit)
    return out


def _apply(text: str, edits: list[Edit], formulas: list[tuple[int, int]]) -> CleanText:
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[tuple[int, int | None]] = []
    length = at = 0
    for start, end, kept in [*edits, (len(text), len(text), "")]:
        for piece, place in ((text[at:start], (at, None)), (kept, (start, end))):
            if piece:
                starts.append(length)
                origins.append(place)
                pieces.append(piece)
                length += len(piece)
        at = end
    ends = [end for _, end, _ in edits]
    shifts = [0, *accumulate(end - start - len(kept) for start, end, kept in edits)]
    moved = (
        (a - shifts[bisect_right(ends, a)], b - shifts[bisect_right(ends, b)]) for a, b in formulas
    )
    return CleanText(
        "".join(pieces), tuple(starts) or (0,), tuple(origins) or ((0, None),), tuple(moved)
    )
