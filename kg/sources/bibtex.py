"""BibTeX and BibLaTeX entries, with or without an abstract.

Entries are split at an `@` at the start of a line and parsed by bibtexparser. pylatexenc converts
LaTeX to text; formulas are kept.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from citekg.schemas.months import MONTHS
from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.decoding import replace_controls
from citekg.sources.fields import InvalidRecord, first
from citekg.sources.limits import MAX_MACRO_LENGTH
from citekg.sources.text_records import Block, parse_blocks, split_blocks

_OPENS: Final = re.compile(r"\s*@\s*([A-Za-z]+)\s*[{(]")
_LINKS: Final = ("pdf", "code", "software", "video", "website")
_VENUES: Final = ("booktitle", "journal", "journaltitle")
_TEXTS: Final = ("title", "abstract", *_VENUES, "howpublished")
_NON_ENTRIES: Final = {"string", "comment", "preamble"}
_DAY: Final = re.compile(r"\d\d?")
_MACRO: Final = re.compile(r"[=#]\s*([A-Za-z][\w:.-]*)\s*(?=[,}#]|$)", re.MULTILINE)
#: An operand of a concatenation with `#`: a quoted or braced text, a number or a macro.
_OPERAND: Final = re.compile(r"""\s*(?:"([^"]*)"|\{((?:[^{}]|\{[^{}]*\})*)\}|([\w:.-]+))\s*(#|$)""")
#: The month at the start of a text, possibly behind a day.
_MONTH: Final = re.compile(rf"[\W\d]*({'|'.join(MONTHS)})", re.IGNORECASE)
_DEFINED: Final = re.compile(r"\s*@\s*string\s*[{(]\s*([^\s=]+)\s*=", re.IGNORECASE)
#: The characters of macros, and macros of formatting, which are dropped.
_SIGNS: Final = {
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textunderscore": "_",
    "textsuperscript": "",
    "textsubscript": "",
    **dict.fromkeys(
        (
            "em bf it tt sc sf rm sl bfseries itshape ttfamily scshape sffamily upshape normalfont"
        ).split(),
        "",
    ),
}
#: Characters that other programs do not escape, though LaTeX requires it.
_BARE: Final = re.compile(r"(?<!\\)[&%#]")
#: Characters that other programs escape also in web addresses and identifiers.
_ESCAPED: Final = re.compile(r"\{\\([&%#$_~])\}|\\([&%#$_~])(?:\{\})?")
#: Text with a meaning in LaTeX beyond its letters.
_TEX: Final = re.compile(r"[\\{}$~&%#]|``|''|--|<<|>>|[!?]`")
#: LaTeX that may span several words without braces.
_SPANNING: Final = re.compile(r"\\(?:begin|verb|def|newcommand|item|[\[(])|\$\$|\\[A-Za-z]+\*?\[")
_PAIR: Final = re.compile(r"\\.")
#: A command at the end of a word, which takes the next word as its argument.
_COMMAND: Final = re.compile(r"\\[A-Za-z]+\*?$|\\.$")
_PREPRINT: Final = re.compile(
    r"arxiv(?:\.org/abs/|\s*:\s*)(\S+?)(?=v\d+\b|[\s,;\]]|$)", re.IGNORECASE
)
_ANTHOLOGY: Final = re.compile(
    r"https?://(?:www\.)?(?:aclanthology\.org|aclweb\.org/anthology)/([\w.-]+?)(?:\.pdf)?/?"
)


def _recognises(head: list[str]) -> bool:
    """Return whether an entry, a macro or a comment opens in the first lines."""
    lines = [text for text in head if text.strip()]
    return any(map(_OPENS.match, lines)) and not lines[0].lstrip().startswith(("{", "[", "<"))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    logging.getLogger("bibtexparser").addHandler(logging.NullHandler())
    yield from parse_blocks(name, _entries(lines), _paper)


def _entries(lines: Iterable[Line]) -> Iterator[Block]:
    """Yield the entries, each with the definitions of the macros that it uses."""
    macros: dict[str, str] = {}
    for block in split_blocks(lines, lambda text: bool(_OPENS.match(text))):
        opened = _OPENS.match(block.text)
        kind = opened[1].lower() if opened else ""
        if kind == "string" and (defined := _DEFINED.match(block.text)):
            macros[defined[1].lower()] = block.text if len(block.text) <= MAX_MACRO_LENGTH else ""
        elif kind not in _NON_ENTRIES:
            used = {macro.lower() for macro in _MACRO.findall(block.text)}
            yield Block(
                block.line,
                "\n".join((*(macros[m] for m in sorted(used & macros.keys())), block.text)),
            )


def _paper(written: str, source: Source) -> Paper:
    raw = _fields(written)
    texts = {name: _text(raw[name]) for name in _TEXTS if name in raw}
    entry = {name: _ESCAPED.sub(r"\1\2", value) for name, value in raw.items()}
    link = entry.get("url", "")
    preprint = entry.get("eprint", "") if _is_arxiv(entry) else ""
    reference = _PREPRINT.search(
        " ".join((entry.get("journal", ""), entry.get("note", ""), entry.get("howpublished", "")))
    )
    anthology = _ANTHOLOGY.fullmatch(link)
    return fields.make_paper(
        source,
        texts.get("title", ""),
        texts.get("abstract", ""),
        own_id=anthology[1] if anthology else "",
        links=(
            first(link, _resolved(entry.get("doi", ""))),
            entry.get("doi", ""),
            preprint,
            reference[1] if reference else "",
        ),
        more=[entry.get(name, "") for name in _LINKS],
        date=_date(entry),
        authors=tuple(_authors(raw.get("author", ""))),
        venue=first(
            *(texts.get(name, "") for name in _VENUES), _venue_text(texts.get("howpublished", ""))
        ),
    )


def _fields(written: str) -> dict[str, str]:
    """Return the fields of an entry by lower-case name. Raises `InvalidRecord`."""
    from bibtexparser import middlewares
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Entry

    library = parse_string(written, parse_stack=[])
    for block in library.failed_blocks:
        # Of a duplicate field the first value counts.
        entry = block.ignore_error_block
        if not isinstance(entry, Entry):
            raise InvalidRecord(
                f"not a whole BibTeX entry: {' '.join(str(block.error).split())}".rstrip(": ")
            )
        entry.fields = [*{field.key: field for field in reversed(entry.fields)}.values()]
        library.remove(block)
        if entry.key not in library.entries_dict:
            library.add(entry)
    for field in library.entries[0].fields if library.entries else ():
        field.value = _concatenate(
            str(field.value), {macro.key.lower(): macro.value for macro in library.strings}
        )
    for step in ("ResolveStringReferencesMiddleware", "RemoveEnclosingMiddleware"):
        library = getattr(middlewares, step)().transform(library)
    if not library.entries:
        raise InvalidRecord("not a whole BibTeX entry")
    return {
        field.key.lower(): replace_controls(str(field.value)) for field in library.entries[0].fields
    }


def _concatenate(value: str, macros: Mapping[str, str]) -> str:
    """Return a concatenation with `#` as one braced text; any other value unchanged."""
    texts, at = list[str](), 0
    while part := _OPERAND.match(value, at):
        quoted, braced, name, sign = part.groups()
        texts.append(
            (quoted or braced or "")
            if name is None
            else macros.get(name.lower(), f"{{{name}}}")[1:-1]
        )
        if not sign:
            return f"{{{''.join(texts)}}}" if len(texts) > 1 else value
        at = part.end()
    return value


def _is_arxiv(entry: dict[str, str]) -> bool:
    return "arxiv" in first(entry.get("archiveprefix", ""), entry.get("eprinttype", "")).lower()


def _resolved(doi: str) -> str:
    return f"https://doi.org/{doi}" if doi.startswith("10.") else doi


def _date(entry: dict[str, str]) -> str:
    """Return the date of BibLaTeX, else of year, month and day as far as they are numbers."""
    month, day = entry.get("month", "").strip(), entry.get("day", "")
    parts = [entry.get("year", "").strip("{} ")]
    if named := _MONTH.match(month):
        month = str(1 + MONTHS.index(named[1].lower()))
    if _DAY.fullmatch(month):
        parts += [f"{int(month):02}", *([f"{int(day):02}"] if _DAY.fullmatch(day) else [])]
    return fields.date_prefix(entry.get("date", ""), "-".join(parts), parts[0])


def _venue_text(published: str) -> str:
    """Return `howpublished`, unless it is a web address."""
    return "" if "://" in published else published


def _authors(written: str) -> Iterator[str]:
    from bibtexparser.middlewares.names import (
        parse_single_name_into_parts,
        split_multiple_persons_names,
    )

    for one in split_multiple_persons_names(" ".join(written.split())):
        parts = parse_single_name_into_parts(one, strict=False)
        if one != "others":
            yield " ".join(
                _text(" ".join((*parts.first, *parts.von, *parts.last, *parts.jr))).split()
            )


@cache
def _latex() -> Callable[[str], str]:
    """Return a converter of LaTeX to text.

    It replaces unknown macros by their names and returns invalid LaTeX unchanged.
    """
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    known = get_default_latex_context_db()
    known.add_context_category(
        "signs", macros=[MacroTextSpec(*one) for one in _SIGNS.items()], prepend=True
    )
    known.set_unknown_macro_spec(MacroTextSpec("", lambda node: node.macroname))
    logging.getLogger("pylatexenc").addHandler(logging.NullHandler())
    converted = LatexNodes2Text(known, math_mode="verbatim").latex_to_text

    def convert(latex: str) -> str:
        try:
            return str(converted(latex))
        except (AttributeError, LookupError, TypeError, ValueError):  # missing arguments
            return latex

    return convert


def _text(latex: str) -> str:
    """Return LaTeX as text with single spaces; only words with LaTeX are converted, for speed."""
    escaped = _BARE.sub(r"\\\g<0>", latex)
    runs = [(escaped, True)] if _SPANNING.search(escaped) else _runs(escaped.split())
    return replace_controls(" ".join(_latex()(run) if is_tex else run for run, is_tex in runs))


def _runs(words: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield plain words, and runs of words with balanced LaTeX, each with whether it is LaTeX."""
    run: list[str] = []
    depth, open_math = 0, False
    for word in words:
        if not run and not _TEX.search(word):
            yield word, False
            continue
        run.append(word)
        bare = _PAIR.sub("", word)
        depth += bare.count("{") - bare.count("}")
        open_math ^= bare.count("$") % 2 == 1
        if depth <= 0 and not open_math and not _COMMAND.search(word):
            yield " ".join(run), True
            run, depth = [], 0
    if run:
        yield " ".join(run), True


FORMAT: Final = SourceFormat(
    "BibTeX: entries with an abstract, of the ACL Anthology or any other", _recognises, _read
)
