"""Classification of venues by name: meeting, periodical or preprint server."""

from __future__ import annotations

import re
from typing import Final, Literal

VenueKind = Literal["meeting", "periodical", "preprint"]

#: Preprint servers, and words for preprints.
_PREPRINTS: Final = re.compile(
    r"\b(?:arxiv|corr\b|biorxiv|medrxiv|chemrxiv|psyarxiv|ssrn|preprints?\b|openreview|zenodo|techrxiv|hal\b)",
    re.IGNORECASE,
)
#: Words in the names of meetings; the exceptions are periodicals that are called proceedings.
_MEETINGS: Final = re.compile(
    r"\b(?:conference|conf\.|workshops?|symposi(?:um|a)|congress|(?:annual|joint) meeting"
    r"|findings of|tutorials?\b"
    r"|lecture notes"
    r"|(?:proceedings|proc\b\.?)"
    r"(?! of the (?:national academy|royal society|vldb|acm on|ieee\W*(?:$|\d))))",
    re.IGNORECASE,
)
#: Words in the names of periodicals.
_PERIODICALS: Final = re.compile(
    r"\b(?:journal|transactions|letters|magazine|annals|reviews?)\b|\b(?:trans|j|lett|rev)\.",
    re.IGNORECASE,
)
#: Meetings that are named by their subject alone.
_SUBJECTS: Final = re.compile(
    r"neural information processing systems|computer vision and pattern recognition"
    r"|knowledge discovery and data mining|empirical methods in natural language"
    r"|chapter of the association for computational linguistics"
    r"|robotics:? science and systems|advances in cryptology",
    re.IGNORECASE,
)
#: The acronyms of meetings, in lower case.
_ACRONYMS: Final = frozenset(
    """3dv aaai aacl aamas accv acl acml aies aistats alt asplos asru automl bmvc ccs chi
    cikm coling colm colt conll corl cscw cvpr eacl eccv ecir ecml emnlp facct focs gecco
    hri icalp icann icaps icassp iccad iccv icde icdm iclr icml icpr icra icse ijcai
    ijcnlp ijcnn interspeech iros isca ismir issta kdd l4dc lrec miccai mlsys naacl ndss
    neurips nips nsdi oopsla osdi pkdd pldi podc popl recsys rss sdm semeval sigchi
    siggraph sigir sigkdd sigmod soda sosp spaa stoc uai uist usenix wacv wmt wsdm www""".split()
)


def venue_kind(venue: str) -> VenueKind:
    """Return the kind of a venue; an unknown venue counts as a periodical.

    >>> venues = ("NeurIPS 2022", "Nature", "Transactions of the ACL", "CoRR abs/1706.03762")
    >>> [venue_kind(venue) for venue in venues]
    ['meeting', 'periodical', 'periodical', 'preprint']
    """
    if _MEETINGS.search(venue) or _SUBJECTS.search(venue):
        return "meeting"
    if not _PERIODICALS.search(venue) and _ACRONYMS.intersection(
        re.findall(r"[a-z0-9]+", venue.casefold())
    ):
        return "meeting"
    return "preprint" if _PREPRINTS.search(venue) else "periodical"
