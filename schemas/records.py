"""The frozen records that everything in citekg is made of.

A `Paper` is read from a source; a `Mention` is a span of its text that names an `Entity`;
a `Relation` says what the paper does with the entity and which mentions prove it; a `Link`
joins two papers through an entity that the second one introduced. An `Introduction` is known
beside what the texts say.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Where a paper was read: a file by its name, without its folder, and a 1-based line."""

    name: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.name}:{self.line}" if self.line else self.name


@dataclass(frozen=True, slots=True)
class Paper:
    """A title and an abstract, with whatever else the source says of them.

    `date` is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; unknown texts are empty strings. `url` is its page, `links`
    are further web addresses (code, project, PDF), `references` identifies the papers on its list of
    references, as far as the source gives one (see `citekg.schemas.identifiers`); both are sorted.
    A stub is a paper that was not read and is only known to have introduced something: it has no
    abstract and no source, and stands among the stubs of a graph, never among its papers.
    """

    id: str
    title: str
    abstract: str
    date: str = ""
    authors: tuple[str, ...] = ()
    url: str = ""
    arxiv_id: str = ""
    venue: str = ""
    sources: tuple[Source, ...] = ()
    doi: str = ""
    links: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Title and abstract as one text; every offset in the project counts code points of it."""
        return f"{self.title}\n{self.abstract}"


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of a paper's text that names an entity.

    `start` and `end` are code points into `Paper.text`, end exclusive, and
    `text == paper.text[start:end]` always holds. `sentence` is the span of the sentence
    around it. `type` is what the entity is taken for here, `layer` names the finder that
    saw the span, `confidence` lies between 0 and 1.
    """

    paper: str
    entity: str
    start: int
    end: int
    text: str
    type: str
    sentence: tuple[int, int]
    layer: str
    confidence: float

    @property
    def id(self) -> str:
        """Stable name of the mention: spans of one paper never overlap, so its start is enough."""
        return f"{self.paper}_m{self.start}"


@dataclass(frozen=True, slots=True)
class Entity:
    """One method, benchmark, model or dataset: the node all its mentions point to.

    `aliases` holds every other surface form seen or known; `types` counts the papers that take
    it for each type (the first is the preferred one, equal to `type`); `family` is the id of the
    wider entity it is a variant of, or an empty string.
    """

    id: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    types: tuple[tuple[str, int], ...] = ()
    family: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """What a paper does with an entity; `evidence` holds the ids of the mentions that prove it."""

    paper: str
    role: str
    entity: str
    confidence: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A citation-style link between papers, through an entity that `cited` introduced.

    `evidence` holds the mentions of the entity in the citing paper that prove it.
    """

    citing: str
    kind: str
    cited: str
    entity: str
    confidence: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """That the list of references of one paper holds another paper of the graph, as its source says.

    Nothing is derived here, other than in a `Link`: it follows from `Paper.references` alone.
    """

    citing: str
    cited: str


@dataclass(frozen=True, slots=True, order=True)
class Introduction:
    """That a paper introduced an entity, known from a list of well-known ones and not read in a text.

    `paper` is a stub, or a paper of the corpus that is the one on the list.
    """

    paper: str
    entity: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A mention with the sentence it stands in, as text: what a reader is shown as proof."""

    mention: Mention
    sentence: str


@dataclass(frozen=True, slots=True)
class Run:
    """What made a graph: no clock, so that the same input gives the same bytes.

    `configuration` and `inputs` are SHA-256 hex digests.
    """

    software: str
    version: str
    configuration: str
    inputs: str


@dataclass(frozen=True, slots=True)
class PaperEntity:
    """An entity as one paper's own text shows it, before it is linked across papers.

    `name` is the fullest form in the text or the lexicon's canonical name; `key` is the
    identity it claims (see `citekg.schemas.names.key`); `spans` are `(start, end)` pairs in text order;
    `roles` maps each role to its confidence and the indices of the spans that prove it.
    """

    key: str
    name: str
    type: str
    spans: tuple[tuple[int, int], ...]
    surfaces: tuple[str, ...]
    roles: tuple[tuple[str, float, tuple[int, ...]], ...]
    layer: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything that extraction found in one paper: what `kg extract` prints.

    `sentences` are the `(start, end)` spans of the paper's sentences in text order.
    """

    paper: Paper
    sentences: tuple[tuple[int, int], ...]
    entities: tuple[PaperEntity, ...]
