"""What kind of place a paper appeared in, read off the name of its venue."""

from __future__ import annotations

import re
from typing import Final, Literal

Kind = Literal["meeting", "periodical", "preprint"]

#: Servers of preprints, and what is written of a paper that is nowhere else.
_PREPRINTS: Final = re.compile(
    r"\b(?:arxiv|corr\b|biorxiv|medrxiv|chemrxiv|psyarxiv|ssrn|preprints?\b|openreview|zenodo|techrxiv|hal\b)",
    re.IGNORECASE,
)
#: Words that only meetings have in their names; a few periodicals are called proceedings.
_MEETINGS: Final = re.compile(
    r"\b(?:conference|conf\.|workshops?|symposi(?:um|a)|congress|(?:annual|joint) meeting|findings of|tutorials?\b"
    r"|lecture notes"
    r"|(?:proceedings|proc\b\.?)(?! of the (?:national academy|royal society|vldb|acm on|ieee\W*(?:$|\d))))",
    re.IGNORECASE,
)
#: Words that only periodicals have.
_PERIODICALS: Final = re.compile(
    r"\b(?:journal|transactions|letters|magazine|annals|reviews?)\b|\b(?:trans|j|lett|rev)\.", re.IGNORECASE
)
#: Meetings that go by their subject alone.
_SUBJECTS: Final = re.compile(
    r"neural information processing systems|computer vision and pattern recognition|knowledge discovery and data mining"
    r"|empirical methods in natural language|chapter of the association for computational linguistics"
    r"|robotics:? science and systems|advances in cryptology",
    re.IGNORECASE,
)
#: Meetings by the letters that they are known by, without case.
_LETTERS: Final = frozenset(
    """3dv aaai aacl aamas accv acl acml aies aistats alt asplos asru automl bmvc ccs chi cikm coling colm colt
    conll corl cscw cvpr eacl eccv ecir ecml emnlp facct focs gecco hri icalp icann icaps icassp iccad iccv icde
    icdm iclr icml icpr icra icse ijcai ijcnlp ijcnn interspeech iros isca ismir issta kdd l4dc lrec
    miccai mlsys naacl ndss neurips nips nsdi oopsla osdi pkdd pldi podc popl recsys rss sdm semeval sigchi siggraph
    sigir sigkdd sigmod soda sosp spaa stoc uai uist usenix wacv wmt wsdm www""".split()
)


def kind_of(venue: str) -> Kind:
    """The kind of a venue; one that tells nothing counts as a periodical.

    >>> [kind_of(v) for v in ("NeurIPS 2022", "Nature", "Transactions of the ACL", "CoRR abs/1706.03762")]
    ['meeting', 'periodical', 'periodical', 'preprint']
    """
    if _MEETINGS.search(venue) or _SUBJECTS.search(venue):
        return "meeting"
    if not _PERIODICALS.search(venue) and _LETTERS.intersection(re.findall(r"[a-z0-9]+", venue.casefold())):
        return "meeting"
    return "preprint" if _PREPRINTS.search(venue) else "periodical"
