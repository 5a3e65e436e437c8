"""PubMed's XML: sets of articles, as its site, its API and its yearly files hold them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from citekg.schemas.records import Paper, Source
from citekg.sources import fields
from citekg.sources.fields import first
from citekg.sources.format import Line, Problem, SourceFormat
from citekg.sources.text_records import papers
from citekg.sources.written_dates import in_words
from citekg.sources.xml_records import content, contents, is_xml, unqualified, xml_records

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TAGS: Final = ("PubmedArticle", "PubmedBookArticle")
_NAMES: Final = re.compile(r"<Pubmed(?:Book)?Article(?:Set)?[\s>]")
_VENUES: Final = ("Journal/Title", "Journal/ISOAbbreviation", "Book/BookTitle")
_DATES: Final = ("ArticleDate", "Journal/JournalIssue/PubDate", "ContributionDate", "Book/PubDate")
#: The label of a part of an abstract that has none.
_UNLABELLED: Final = "UNLABELLED"
#: The words of labels, which stand in capitals and would be taken for names.
_LABELS: Final = frozenset(
    """aim aims analysis and approach availability background by case cases clinical collection conclusion conclusions
    context contribution contributions data design discussion evaluation evidence experiment experiments extraction
    finding findings for from funding future goal goals hypothesis impact implementation implications importance in
    information interpretation intervention interventions introduction key learning level levels limitation limitations
    main material materials measure measurement measurements measures message messages method methodology methods
    motivation novelty number objective objectives observations of on or outcome outcomes participants patient patients
    perspective points population practice primary principal problem procedure procedures purpose questions rationale
    recommendations registration relevance report research result results review secondary selection setting settings
    significance source sources statement strengths studies study subjects summary supplementary synthesis the to trial
    type with work""".split()
)
_LABEL: Final = re.compile(r"(?:^|(?<=[.!?] ))[A-Z][A-Z ,&/-]{2,80}(?=: )")


def page(pmid: str) -> str:
    """The page of a PubMed id, empty where there is none."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid else ""


def own_id(pmid: str) -> str:
    """What a paper goes by that has a PubMed id and neither an arXiv id nor a DOI."""
    return f"pmid:{pmid}" if pmid else ""


def title(written: str) -> str:
    """A title without the full stop that PubMed sets behind each."""
    return written.rstrip().removesuffix(".")


def sentence_case(label: str) -> str:
    """The label of a part of an abstract with one capital; as it is where a word of it may be a name.

    >>> sentence_case("MATERIALS AND METHODS"), sentence_case("GAN RESULTS")
    ('Materials and methods', 'GAN RESULTS')
    """
    known = {word.lower() for word in re.findall(r"\w+", label)} <= _LABELS
    return label[:1] + label[1:].lower() if known and label.isupper() else label


def labelled(abstract: str) -> str:
    """An abstract in one text, its labels in sentence case.

    >>> labelled("AIMS: We fly. RESULTS: It flies.")
    'Aims: We fly. Results: It flies.'
    """
    return _LABEL.sub(lambda found: sentence_case(found[0]), abstract)


def _recognises(head: list[str]) -> bool:
    return is_xml(head) and any(map(_NAMES.search, head))


def _read(name: str, lines: Iterable[Line]) -> Iterator[Paper | Problem]:
    yield from papers(name, xml_records(name, lines, _TAGS), _paper)


def _paper(written: str, source: Source) -> Paper:
    record = unqualified(written)
    citation = record[0] if len(record) else record
    article = citation.find("Article")
    article = citation if article is None else article
    pmid = content(citation.find("PMID"))
    return fields.paper(
        source,
        title(first(*contents(article, "ArticleTitle", "Book/BookTitle", "VernacularTitle"))),
        " ".join(map(_part, article.iterfind("Abstract/AbstractText"))),
        own_id=own_id(pmid),
        links=(page(pmid), *_identifiers(record, article)),
        more=[f"https://pmc.ncbi.nlm.nih.gov/articles/{pmc}/" for pmc in contents(record, _numbers("pmc"))],
        references=[doi for one in record.iter("Reference") for doi in contents(one, ".//ArticleId[@IdType='doi']")],
        date=first(*(_date(date) for path in _DATES for date in article.iterfind(path))),
        authors=tuple(filter(None, map(_author, article.iterfind("AuthorList/Author")))),
        venue=first(*contents(article, *_VENUES)),
    )


def _numbers(kind: str) -> str:
    """The path to a record's own identifiers of a kind, and not to those of its references."""
    return f"*/ArticleIdList/ArticleId[@IdType='{kind}']"


def _identifiers(record: Element, article: Element) -> Iterator[str]:
    """The DOI, and the arXiv id, which stands among the publishers' own."""
    yield from contents(article, "ELocationID[@EIdType='doi']")
    yield from contents(record, _numbers("doi"))
    yield from (own for own in contents(article, "ELocationID[@EIdType='pii']") if own.lower().startswith("arxiv:"))


def _part(element: Element) -> str:
    """A part of the abstract, behind its label where it has one."""
    label = element.get("Label", "").strip()
    return (
        f"{sentence_case(label.rstrip(':'))}: {content(element)}"
        if label and label != _UNLABELLED
        else content(element)
    )


def _author(author: Element) -> str:
    """The name of a person, or of a group."""
    given = first(*contents(author, "ForeName", "Initials"))
    whole = " ".join((given, *contents(author, "LastName"), *contents(author, "Suffix")))
    return first(" ".join(whole.split()), *contents(author, "CollectiveName"))


def _date(date: Element) -> str:
    """A date in parts, the month in words or as a number, or in words as a whole."""
    year, month, day = (content(date.find(name)) for name in ("Year", "Month", "Day"))
    if month.isdigit():
        return fields.date("-".join(part.zfill(2) for part in (year, month, day) if part), year)
    whole = content(date.find("MedlineDate"))
    return in_words(year, f"{month} {day}") or in_words(whole[:4], whole[4:])


READER: Final = SourceFormat("PubMed: XML of articles", _recognises, _read)
