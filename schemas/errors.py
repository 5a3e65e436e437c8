"""Every error that citekg raises on purpose.

CitekgError
├── InputError       a source that cannot be read
│   └── InputMissing a source that is not there
├── FormatError      a format nobody knows, with the ones that are known
├── MissingPackage   a format or view whose library is not installed
├── FolderError      a build folder that is in use, or cannot be read or written
├── GraphError       a graph file or record that breaks a rule
├── UnknownName      a name that no entity or paper of a graph has, or that several have
├── FilterError      a filter of records that asks for what nobody knows
├── QueryError       a SPARQL query that cannot be answered
│   └── QueryRefused one that would change the graph or call another endpoint
├── FetchError       a service that did not hand out what it was asked for
├── PublishError     a server that refused a graph, or did not store it
├── PluginError      an extractor, source or exporter of another package that cannot be used
├── LexiconError     a lexicon row that breaks a rule
├── SchemaError      a schema file that breaks a rule
├── DecisionsError   a file of decisions that breaks a rule or contradicts itself
└── ExtractionError  an extractor whose span does not lie in its paper
"""

from __future__ import annotations

from collections.abc import Iterable


class CitekgError(Exception):
    """Base of all errors raised on purpose; its text is one line that says what to do."""


class InputError(CitekgError):
    """A source could not be read; `place` is the file, with the line where known."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.message = message


class InputMissing(InputError):
    """A source named by the user does not exist or matches nothing."""


class FormatError(CitekgError):
    """An input, export or output format that nobody registered."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(sorted(known))
        super().__init__(f"unknown format {name!r}: choose one of {', '.join(self.known)}")


class MissingPackage(CitekgError):
    """A format or a view needs a library that is an optional extra and is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        self.package = package
        super().__init__(f"{what} needs {package}: pip install 'citekg[{extra}]'")


class FolderError(CitekgError):
    """A folder that keeps what a build has done is in use by another, or cannot be read or written."""


class GraphError(CitekgError):
    """A graph file cannot be read as a citekg graph, or a record breaks a rule."""


class UnknownName(CitekgError):
    """No entity or paper of a graph has this name, or several have; `candidates` are the names to try."""

    def __init__(self, name: str, candidates: Iterable[str], *, many: bool = False) -> None:
        self.name = name
        self.candidates = tuple(candidates)
        self.many = many
        tried = ", ".join(self.candidates)
        hint = f"did you mean {tried}?" if tried else "kg stats and kg query list what there is"
        wrong = f"is ambiguous: give one of {tried}" if many else f"is not in this graph; {hint}"
        super().__init__(f"{name!r} {wrong}")


class FilterError(CitekgError):
    """A filter of records asks for a type, role or other word that nobody knows, or for what is no date."""


class QueryError(CitekgError):
    """A SPARQL query is malformed, of an unsupported kind, or ran out of its limits."""


class QueryRefused(QueryError):
    """A SPARQL query would change the graph, or call another endpoint."""


class FetchError(CitekgError):
    """A service on the network failed, refused, or has nothing; `address` is what was asked, without any key.

    `status` is the HTTP status of a refusal, 0 for any other failure.
    """

    def __init__(self, address: str, message: str, status: int = 0) -> None:
        super().__init__(f"{address}: {message}")
        self.address = address
        self.message = message
        self.status = status

    def after(self, papers: int) -> FetchError:
        """The same error, once so many papers have come."""
        if not papers:
            return self
        hint = f"what came is kept ({papers} papers): the same command goes on from there, --refresh begins anew"
        return FetchError(self.address, f"{self.message}; {hint}", self.status)


class PublishError(CitekgError):
    """A SPARQL server refused a graph, was not there, or did not store what it accepted."""


class PluginError(CitekgError):
    """What another package adds cannot be used."""


class LexiconError(CitekgError):
    """A lexicon file holds a row that breaks the rules of the format."""


class SchemaError(CitekgError):
    """A schema file breaks a rule; `place` is the file, with the line where known."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.message = message


class DecisionsError(CitekgError):
    """Decisions are malformed or contradict each other; `place` is the file, with the line where known."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.message = message


class ExtractionError(CitekgError):
    """An extractor proposed a span that is not a slice of its paper's text."""


def first_line(error: Exception) -> str:
    """The first line of what an error of another library says, or its kind where it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
