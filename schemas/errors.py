"""The exceptions that citekg raises on purpose.

CitekgError
├── InputError       a source that cannot be read
│   └── InputMissing a source that does not exist
├── FormatError      an unknown format, with the known ones
├── MissingPackage   a format or view whose library is not installed
├── FolderError      a build folder that is in use, or cannot be read or written
├── GraphError       a graph file or record that violates a rule
├── UnknownName      a name that matches no entity or paper of a graph, or several
├── FilterError      a filter of records with an unknown type, role or date
├── QueryError       a SPARQL query that cannot be answered
│   └── QueryRefused a query that would change the graph or call another endpoint
├── FetchError       a request to a web service that failed
├── PublishError     a server that refused a graph, or did not store it
├── EngineError      Oxigraph's WebAssembly is missing, or is not the expected one
├── PluginError      an extractor, source or exporter of another package that fails
├── LexiconError     a lexicon row that breaks a rule
├── SchemaError      a schema file that breaks a rule
├── WeightsError     a file of weights that is damaged, or fits other models or types
├── DecisionsError   a file of decisions that breaks a rule or contradicts itself
└── ExtractionError  an extractor whose span does not lie in the text of its paper
"""

from __future__ import annotations

from collections.abc import Iterable


class CitekgError(Exception):
    """Base class of citekg's errors; the message is one line that states what to do."""


class InputError(CitekgError):
    """A source cannot be read; `place` is the file, with the line where known."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.message = message


class InputMissing(InputError):
    """A source that the user named does not exist, or its pattern matches no file."""


class FormatError(CitekgError):
    """An input or output format is not registered."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(sorted(known))
        super().__init__(f"unknown format {name!r}: choose one of {', '.join(self.known)}")


class MissingPackage(CitekgError):
    """A format or a view needs an optional library that is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        self.package = package
        super().__init__(f"{what} needs {package}: pip install 'citekg[{extra}]'")


class FolderError(CitekgError):
    """The state folder of a build is locked by another process, or cannot be read or written."""


class GraphError(CitekgError):
    """A graph file cannot be read as a citekg graph, or a record breaks a rule."""


class UnknownName(CitekgError):
    """A name matches no entity or paper of a graph, or several; `candidates` are names to try."""

    def __init__(self, name: str, candidates: Iterable[str], *, many: bool = False) -> None:
        self.name = name
        self.candidates = tuple(candidates)
        self.many = many
        tried = ", ".join(self.candidates)
        hint = f"did you mean {tried}?" if tried else "kg stats and kg query list what there is"
        wrong = f"is ambiguous: give one of {tried}" if many else f"is not in this graph; {hint}"
        super().__init__(f"{name!r} {wrong}")


class FilterError(CitekgError):
    """A filter of records holds an unknown type, role or other term, or an invalid date."""


class QueryError(CitekgError):
    """A SPARQL query is malformed, of an unsupported form, or exceeded its limits."""


class QueryRefused(QueryError):
    """A SPARQL query would change the graph, or call another endpoint."""


class FetchError(CitekgError):
    """A web service failed, refused a request, or has no result.

    `address` is the requested URL without any API key; `status` is the HTTP status of a refusal,
    0 for any other failure.
    """

    def __init__(self, address: str, message: str, status: int = 0) -> None:
        super().__init__(f"{address}: {message}")
        self.address = address
        self.message = message
        self.status = status

    def after(self, papers: int) -> FetchError:
        """Return the same error with a hint that the papers fetched so far are kept."""
        if not papers:
            return self
        hint = (
            f"the {papers} papers fetched so far are kept: run the same command to continue, "
            "or add --refresh to start over"
        )
        return FetchError(self.address, f"{self.message}; {hint}", self.status)


class PublishError(CitekgError):
    """A SPARQL server refused a graph, could not be reached, or did not store what it accepted."""


class EngineError(CitekgError):
    """The engine that answers SPARQL in a page is missing, or is not the expected one."""


class PluginError(CitekgError):
    """A plug-in of another package cannot be used."""


class LexiconError(CitekgError):
    """A lexicon file holds a row that breaks the rules of the format."""


class SchemaError(CitekgError):
    """A schema file breaks a rule; `place` is the file, with the line where known."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.message = message


class WeightsError(CitekgError):
    """A file of adapted weights is damaged, or fits other models or another schema."""


class DecisionsError(CitekgError):
    """Decisions are malformed or contradict each other; `place` is the file, with the line."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")
        self.place = place
        self.message = message


class ExtractionError(CitekgError):
    """An extractor proposed a span that is not a slice of its paper's text."""


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or the name of its class without one."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
