"""Formats that are not read, each refused by its own name and with what to give instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

_UNPACK: Final = "unpack it first"
_RECORDS: Final = "give the titles and abstracts of the papers instead, such as a BibTeX, RIS or CSV export"
_EXPORT: Final = "open it in the program that made it and export its records as RIS, BibTeX or XML"
_MARC: Final = "export the records as RIS or CSV, or convert them to one of the two"
_FULL_TEXT: Final = f"full texts are not read; {_RECORDS}"
_GRAPH: Final = "graphs are not read as papers; give the file of papers that the graph was made of"

#: Binary formats: how such a file begins, its name and what to do. The first that fits counts.
_BINARY: Final[tuple[tuple[bytes, str], ...]] = (
    (rb"PK\x03\x04.{26}mimetypeapplication/epub", f"an EPUB book: {_FULL_TEXT}"),
    (rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis", f"an OpenDocument file: {_RECORDS}"),
    (
        rb"PK\x03\x04.{26}(?:\[Content_Types\]|_rels/|docProps/|word/|xl/|ppt/)",
        f"an Office document (DOCX, XLSX or PPTX): {_RECORDS}",
    ),
    (rb"PK\x03\x04.{26}[^/]{1,200}\.(?:enl|Data/)", f"a compressed EndNote library (.enlx): {_EXPORT}"),
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
    (rb"SQLite format 3\0", f"an SQLite database, such as an EndNote, Zotero or Mendeley library: {_EXPORT}"),
    (rb"ABox[^ -~]", f"an EndNote library (.enl): {_EXPORT}"),
    (rb"%PDF-", f"a PDF file: {_FULL_TEXT}"),
    (rb"%!PS", f"a PostScript file: {_FULL_TEXT}"),
    (rb"AT&TFORM", f"a DjVu file: {_FULL_TEXT}"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", f"an old Office document (DOC, XLS or PPT): {_RECORDS}"),
    (rb"\x89PNG", "a PNG picture"),
    (rb"\xff\xd8\xff", "a JPEG picture"),
    (rb"GIF8[79]a", "a GIF picture"),
)
#: Characters of the first lines in which the name of an XML format is looked for.
_HEAD: Final = 20_000
#: What may stand above the first element of an XML file, one piece at a time.
_PROLOG: Final = re.compile(r"\s+|<\?[^>]*>|<!--(?:(?!-->).)*-->|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>", re.DOTALL)
#: XML formats, by the name of the first element.
_ROOTS: Final[tuple[tuple[str, str], ...]] = (
    (r"html", f"an HTML page: {_RECORDS}"),
    (r"pmc-articleset|article", f"a JATS file: {_FULL_TEXT}"),
    (r"rdf:RDF", f"an RDF file (RDF/XML): {_GRAPH}"),
    (r"dblp", "a DBLP file: it holds no abstracts; give another source of the same papers"),
    (r"rss", f"an RSS feed of another site than arXiv: {_RECORDS}"),
    (r"graphml|gexf", f"a GraphML or GEXF file: {_GRAPH}"),
)


def _space(address: str) -> str:
    """The pattern of an XML namespace that is declared."""
    return rf"""xmlns(?::[\w.-]+)?\s*=\s*["']{re.escape(address)}"""


#: XML formats, by what else stands in the first lines.
_DECLARED: Final[tuple[tuple[str, str], ...]] = (
    (r"<!doctype html", f"an HTML page: {_RECORDS}"),
    (_space("http://www.loc.gov/MARC21/slim"), f"a MARCXML file: {_MARC}"),
    (_space("http://www.loc.gov/mods/v3"), f"a MODS file: {_MARC}"),
    (_space("http://www.tei-c.org/ns/1.0"), f"a TEI file: {_FULL_TEXT}"),
    (r"//(?:NLM|NISO)//DTD (?:JATS|Journal|Archiving)", f"a JATS file: {_FULL_TEXT}"),
)

#: What other text is not read, by how its first line that is not blank begins.
_TEXT: Final[tuple[tuple[str, str], ...]] = (
    (r"(?i:@prefix|@base|prefix)\s+[\w.-]*:?\s*<|<[a-z][a-z0-9+.-]*://[^<>\s]*>\s+<", f"an RDF file: {_GRAPH}"),
    (r"\{\\rtf", f"an RTF document: {_RECORDS}"),
    (r"\\documentclass|\\documentstyle|\\input\b", f"a LaTeX document: {_FULL_TEXT}"),
    (r"%0 [A-Z]", "a Refer (ENW) file of EndNote: export the records as RIS, BibTeX or XML"),
    (r"\d{5}[acdnp][a-z][a-z].[ a]22\d{5}", f"a MARC file: {_MARC}"),
    (r"cff-version:", "a CITATION.cff file: it describes software, not papers"),
)
#: JSON formats, by a key among the first lines.
_JSON: Final[tuple[tuple[str, str], ...]] = (
    (r'"@(?:context|graph)"\s*:', f"an RDF file (JSON-LD): {_GRAPH}"),
    (r'"nbformat"\s*:|"cell_type"\s*:', f"a Jupyter notebook: {_FULL_TEXT}"),
)


def unread_bytes(start: bytes) -> str:
    """The binary format of a file that begins so, and what to do; empty where it is none that is known."""
    return next((known for begins, known in _BINARY if re.match(begins, start, re.DOTALL)), "")


def unread_text(head: list[str]) -> str:
    """The text format that is not read and has such first lines, and what to do; else empty."""
    first = next((text.lstrip() for text in head if text.strip()), "")
    if found := next((known for begins, known in _TEXT if re.match(begins, first)), ""):
        return found
    whole = "\n".join(text[:_HEAD] for text in head)[:_HEAD]
    if first.startswith("<"):
        roots = ((rf"<(?:{names})[\s/>]", known) for names, known in _ROOTS)
        return _first(roots, _below_prolog(whole)) or _first(_DECLARED, whole, re.search)
    return _first(_JSON, whole, re.search) if first.startswith(("{", "[")) else ""


def _below_prolog(xml: str) -> str:
    """The text from the first element of an XML file on."""
    at = 0
    while piece := _PROLOG.match(xml, at):
        at = piece.end()
    return xml[at:]


def _first(signs: Iterable[tuple[str, str]], text: str, find: Callable[..., object] = re.match) -> str:
    """What the first of the patterns that is found in the text stands for; empty where none is."""
    return next((known for sign, known in signs if find(sign, text, re.IGNORECASE)), "")
