"""The terms in the rows of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import BlankNode, Literal, NamedNode

if TYPE_CHECKING:
    from citekg.queries.answers import Term


def text_of(term: Term | None) -> str:
    """Return the text of a term; every term except a quoted triple has one."""
    assert isinstance(term, NamedNode | BlankNode | Literal)
    return term.value
