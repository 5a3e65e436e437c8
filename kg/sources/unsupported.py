"""Recognise unsupported formats, each with advice on what to use instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

_UNPACK: Final = "unpack it first"
_RECORDS: Final = (
    "give the titles and abstracts of the papers instead, such as a BibTeX, RIS or CSV export"
)
_EXPORT: Final = "open it in the program that made it and export its records as RIS, BibTeX or XML"
_MARC: Final = "export the records as RIS or CSV, or convert them to one of the two"
_FULL_TEXT: Final = f"full texts are not read; {_RECORDS}"
_GRAPH: Final = "graphs are not read as papers; give the file of papers that the graph was made of"

#: Binary formats: a pattern of the first bytes, the name and advice. The first match counts.
_BINARY: Final[tuple[tuple[bytes, str], ...]] = (
    (rb"PK\x03\x04.{26}mimetypeapplication/epub", f"an EPUB book: {_FULL_TEXT}"),
    (rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis", f"an OpenDocument file: {_RECORDS}"),
    (
        rb"PK\x03\x04.{26}(?:\[Content_Types\]|_rels/|docProps/|word/|xl/|ppt/)",
        f"an Office document (DOCX, XLSX or PPTX): {_RECORDS}",
    ),
    (
        rb"PK\x03\x04.{26}[^/]{1,200}\.(?:enl|Data/)",
        f"a compressed EndNote library (.enlx): {_EXPORT}",
    ),
    (rb"PK\x03\x04", f"a ZIP archive: {_UNPACK}"),
    (rb"7z\xbc\xaf\x27\x1c", f"a 7z archive: {_UNPACK}"),
    (rb"Rar!\x1a\x07", f"a RAR archive: {_UNPACK}"),
    (rb".{257}ustar", f"a tar archive: {_UNPACK}"),
    (rb".{4}1AY&SY", f"a bzip2 file: {_UNPACK}"),
    (rb"\xfd7zXZ\0", f"an xz file: {_UNPACK}"),
    (rb"\x28\xb5\x2f\xfd", f"a zstandard file: {_UNPACK}"),
    (rb"\x1f\x8b", f"a gzip file inside gzip: {_UNPACK}"),
    (rb"PAR1", "a Parquet file: give the file itself, unpacked"),
    (rb"ARROW1\0", "an Arrow file: save it as Parquet or CSV"),
    (rb"Obj\x01", "an Avro file: save it as JSON Lines or Parquet"),
    (
        rb"SQLite format 3\0",
        f"an SQLite database, such as an EndNote, Zotero or Mendeley library: {_EXPORT}",
    ),
    (rb"ABox[^ -~]", f"an EndNote library (.enl): {_EXPORT}"),
    (rb"%PDF-", f"a PDF file: {_FULL_TEXT}"),
    (rb"%!PS", f"a PostScript file: {_FULL_TEXT}"),
    (rb"AT&TFORM", f"a DjVu file: {_FULL_TEXT}"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", f"an old Office document (DOC, XLS or PPT): {_RECORDS}"),
    (rb"\x89PNG", "a PNG picture"),
    (rb"\xff\xd8\xff", "a JPEG picture"),
    (rb"GIF8[79]a", "a GIF picture"),
)
#: The number of characters searched for the name of an XML or JSON format.
_HEAD: Final = 20_000
#: One part of the prolog of an XML file.
_PROLOG: Final = re.compile(
    r"\s+|<\?[^>]*>|<!--(?:(?!-->).)*-->|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>", re.DOTALL
)
#: XML formats, by a pattern of the root element.
_ROOTS: Final[tuple[tuple[str, str], ...]] = (
    (r"html", f"an HTML page: {_RECORDS}"),
    (r"pmc-articleset|article", f"a JATS file: {_FULL_TEXT}"),
    (r"rdf:RDF", f"an RDF file (RDF/XML): {_GRAPH}"),
    (r"dblp", "a DBLP file: it holds no abstracts; give another source of the same papers"),
    (r"rss", f"an RSS feed of another site than arXiv: {_RECORDS}"),
    (r"graphml|gexf", f"a GraphML or GEXF file: {_GRAPH}"),
)


def _namespace(address: str) -> str:
    """Return a pattern for the declaration of an XML namespace."""
    return rf"""xmlns(?::[\w.-]+)?\s*=\s*["']{re.escape(address)}"""


#: XML formats, by a pattern in the first lines.
_DECLARED: Final[tuple[tuple[str, str], ...]] = (
    (r"<!doctype html", f"an HTML page: {_RECORDS}"),
    (_namespace("http://www.loc.gov/MARC21/slim"), f"a MARCXML file: {_MARC}"),
    (_namespace("http://www.loc.gov/mods/v3"), f"a MODS file: {_MARC}"),
    (_namespace("http://www.tei-c.org/ns/1.0"), f"a TEI file: {_FULL_TEXT}"),
    (r"//(?:NLM|NISO)//DTD (?:JATS|Journal|Archiving)", f"a JATS file: {_FULL_TEXT}"),
)

#: Other text formats, by a pattern at the start of the first line that is not blank.
_TEXT: Final[tuple[tuple[str, str], ...]] = (
    (
        r"(?i:@prefix|@base|prefix)\s+[\w.-]*:?\s*<|<[a-z][a-z0-9+.-]*://[^<>\s]*>\s+<",
        f"an RDF file: {_GRAPH}",
    ),
    (r"\{\\rtf", f"an RTF document: {_RECORDS}"),
    (r"\\documentclass|\\documentstyle|\\input\b", f"a LaTeX document: {_FULL_TEXT}"),
    (r"%0 [A-Z]", "a Refer (ENW) file of EndNote: export the records as RIS, BibTeX or XML"),
    (r"\d{5}[acdnp][a-z][a-z].[ a]22\d{5}", f"a MARC file: {_MARC}"),
    (r"cff-version:", "a CITATION.cff file: it describes software, not papers"),
)
#: JSON formats, by a key in the first lines.
_JSON: Final[tuple[tuple[str, str], ...]] = (
    (r'"@(?:context|graph)"\s*:', f"an RDF file (JSON-LD): {_GRAPH}"),
    (r'"nbformat"\s*:|"cell_type"\s*:', f"a Jupyter notebook: {_FULL_TEXT}"),
)


def unsupported_binary(start: bytes) -> str:
    """Return the binary format of a file with these first bytes, and advice; empty if unknown."""
    return next((known for begins, known in _BINARY if re.match(begins, start, re.DOTALL)), "")


def unsupported_text(head: list[str]) -> str:
    """Return the unsupported text format of these first lines, and advice; empty if unknown."""
    first = next((text.lstrip() for text in head if text.strip()), "")
    if found := next((known for begins, known in _TEXT if re.match(begins, first)), ""):
        return found
    whole = "\n".join(head)[:_HEAD]
    if first.startswith("<"):
        roots = ((rf"<(?:{names})[\s/>]", known) for names, known in _ROOTS)
        return _first_match(roots, _skip_prolog(whole)) or _first_match(_DECLARED, whole, re.search)
    return _first_match(_JSON, whole, re.search) if first.startswith(("{", "[")) else ""


def _skip_prolog(xml: str) -> str:
    """Return an XML text without its prolog."""
    at = 0
    while piece := _PROLOG.match(xml, at):
        at = piece.end()
    return xml[at:]


def _first_match(
    signs: Iterable[tuple[str, str]], text: str, find: Callable[..., object] = re.match
) -> str:
    """Return the value of the first pattern that matches the text; empty if none does."""
    return next((known for sign, known in signs if find(sign, text, re.IGNORECASE)), "")
