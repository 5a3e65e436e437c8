"""PubMed XML: sets of articles from its site, its API and its yearly files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.plugins import Line, Problem, SourceFormat
from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.dates import parse_month_name
from citekg.sources.fields import first
from citekg.sources.text_records import parse_blocks
from citekg.sources.xml_records import (
    element_text,
    is_xml,
    parse_unqualified,
    texts_at,
    xml_records,
)

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TAGS: Final = ("PubmedArticle", "PubmedBookArticle")
_NAMES: Final = re.compile(r"<Pubmed(?:Book)?Article(?:Set)?[\s>]")
_VENUES: Final = ("Journal/Title", "Journal/ISOAbbreviation", "Book/BookTitle")
_DATES: Final = ("ArticleDate", "Journal/JournalIssue/PubDate", "ContributionDate", "Book/PubDate")
#: The label of an unlabelled part of an abstract.
_UNLABELLED: Final = "UNLABELLED"
#: The words of labels; in capitals they would look like acronyms.
_LABELS: Final = frozenset(
    """aim aims analysis and approach availability background by case cases clinical collection
    conclusion conclusions context contribution contributions data design discussion evaluation
    evidence experiment experiments extraction finding findings for from funding future goal
    goals hypothesis impact implementation implications importance in information
    interpretation intervention interventions introduction key learning level levels limitation
    limitations main material materials measure measurement measurements measures message
    messages method methodology methods motivation novelty number objective objectives
    observations of on or outcome outcomes participants patient patients perspective points
    population practice primary principal problem procedure procedures purpose questions
    rationale recommendations registration relevance report research result results review
    secondary selection setting settings significance source sources statement strengths
    studies study subjects summary supplementary synthesis the to trial type with work""".split()
)
_LABEL: Final = re.compile(r"(?:^|(?<=[.!?] ))[A-Z][A-Z ,&/-]{2,80}(?=: )")


def page_url(pmid: str) -> str:
    """Return the page of a PubMed id, empty for an empty id."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else ""


def pubmed_id(pmid: str) -> str:
    """Return the id of a paper that has neither an arXiv id nor a DOI."""
    return f"pmid:{pmid}" if pmid else ""


def strip_full_stop(written: str) -> str:
    """Return a title without the full stop that PubMed appends."""
    return written.rstrip().removesuffix(".")


def sentence_case(label: str) -> str:
    """Return a label in sentence case; unchanged if a word of it may be a name.

    >>> sentence_case("MATERIALS AND METHODS"), sentence_case("GAN RESULTS")
    ('Materials and methods', 'GAN RESULTS')
    """
    known = {word.lower() for word in re.findall(r"\w+", label)} <= _LABELS
    return label[:1] + label[1:].lower() if known and label.isupper() else label


def sentence_case_labels(abstract: str) -> str:
    """Return an abstract with its labels in sentence case.

    >>> sentence_case_labels("AIMS: We fly. RESULTS: It flies.")
    'Aims: We fly. Results: It flies.'
    """
    return _LABEL.sub(lambda found: sentence_case(found[0]), abstract)


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and any(map(_NAMES.search, head))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from parse_blocks(name, xml_records(name, lines, _TAGS), _paper)


def _paper(written: str, source: Source) -> Paper:
    record = parse_unqualified(written)
    citation = record[0] if len(record) else record
    article = citation.find("Article")
    article = citation if article is None else article
    pmid = element_text(citation.find("PMID"))
    return fields.make_paper(
        source,
        strip_full_stop(
            first(*texts_at(article, "ArticleTitle", "Book/BookTitle", "VernacularTitle"))
        ),
        " ".join(map(_part, article.iterfind("Abstract/AbstractText"))),
        own_id=pubmed_id(pmid),
        links=(page_url(pmid), *_identifiers(record, article)),
        more=[
            f"https://pmc.ncbi.nlm.nih.gov/articles/{pmc}/"
            for pmc in texts_at(record, _id_path("pmc"))
        ],
        references=[
            doi
            for one in record.iter("Reference")
            for doi in texts_at(one, ".//ArticleId[@IdType='doi']")
        ],
        date=first(*(_date(date) for path in _DATES for date in article.iterfind(path))),
        authors=tuple(filter(None, map(_author, article.iterfind("AuthorList/Author")))),
        venue=first(*texts_at(article, *_VENUES)),
    )


def _id_path(kind: str) -> str:
    """Return the path to a record's own ids of a kind, without those of its references."""
    return f"*/ArticleIdList/ArticleId[@IdType='{kind}']"


def _identifiers(record: Element, article: Element) -> Iterator[str]:
    """Yield the DOI, and the arXiv id, which has the type of publishers' ids."""
    yield from texts_at(article, "ELocationID[@EIdType='doi']")
    yield from texts_at(record, _id_path("doi"))
    yield from (
        own
        for own in texts_at(article, "ELocationID[@EIdType='pii']")
        if own.lower().startswith("arxiv:")
    )


def _part(element: Element) -> str:
    """Return a part of the abstract, with its label."""
    label = element.get("Label", "").strip()
    return (
        f"{sentence_case(label.rstrip(':'))}: {element_text(element)}"
        if label and label != _UNLABELLED
        else element_text(element)
    )


def _author(author: Element) -> str:
    """Return the name of a person or a group."""
    given = first(*texts_at(author, "ForeName", "Initials"))
    whole = " ".join((given, *texts_at(author, "LastName"), *texts_at(author, "Suffix")))
    return first(" ".join(whole.split()), *texts_at(author, "CollectiveName"))


def _date(date: Element) -> str:
    """Return a date in parts, with the month in words or digits, or a date in words."""
    year, month, day = (element_text(date.find(name)) for name in ("Year", "Month", "Day"))
    if month.isdigit():
        return fields.date_prefix(
            "-".join(part.zfill(2) for part in (year, month, day) if part), year
        )
    whole = element_text(date.find("MedlineDate"))
    return parse_month_name(year, f"{month} {day}") or parse_month_name(whole[:4], whole[4:])


FORMAT: Final = SourceFormat("PubMed: XML of articles", _recognises, _read)
