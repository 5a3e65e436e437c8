"""The records of citekg, as frozen dataclasses.

A `Paper` is read from a source. A `Mention` is a span of its text that names an `Entity`. A
`Relation` states the role of an entity in a paper, with mentions as evidence. A `Link` joins two
papers through an entity that the second one introduced. An `Introduction` comes from a list of
known introductions, not from a text. A `Result` is a measured value that a paper reports, and an
`Outperformance` follows from it. A `Topic` groups the entities that the same papers name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """The origin of a paper: a file name without its folder, and a 1-based line (0 for none)."""

    name: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.name}:{self.line}" if self.line else self.name


@dataclass(frozen=True, slots=True)
class Paper:
    """A title and an abstract, with bibliographic metadata.

    `date` is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; unknown texts are empty strings. `url` is the
    paper's page, `links` are further web addresses (code, project, PDF), and `references` are the
    identifiers of the papers it cites, if the source lists them (see `citekg.schemas.identifiers`);
    both are sorted. A stub is a paper outside the corpus that is known to have introduced an
    entity. It has no abstract and no source, and belongs to the stubs of a graph, never to its
    papers.
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
        """Title and abstract, joined by a newline; all offsets count code points of this text."""
        return f"{self.title}\n{self.abstract}"


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of a paper's text that names an entity.

    `start` and `end` are offsets into `Paper.text` in code points, end exclusive, and `text ==
    paper.text[start:end]` always holds. `sentence` is the span of the sentence around it, `type`
    the entity type predicted here, `layer` the layer of the extractor that proposed the span, and
    `confidence` lies between 0 and 1.
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
        """The stable id; spans of a paper never overlap, so paper and start identify a mention."""
        return f"{self.paper}_m{self.start}"


@dataclass(frozen=True, slots=True)
class Entity:
    """A method, benchmark, model or dataset: the node to which its mentions are linked.

    `aliases` are its other surface forms in papers; `types` are pairs of a type and the number of
    papers that support it (the first is the preferred type, equal to `type`); `family` is the id of
    the broader entity of which it is a variant, or an empty string. `hidden_names` are names of the
    lexicon that no paper uses: searches find the entity by them, but they are not displayed.
    """

    id: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    types: tuple[tuple[str, int], ...] = ()
    family: str = ""
    hidden_names: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which the entity is found, the preferred one first."""
        return (self.name, *self.aliases, *self.hidden_names)


@dataclass(frozen=True, slots=True)
class Relation:
    """The role of an entity in a paper; `evidence` holds the ids of the supporting mentions."""

    paper: str
    role: str
    entity: str
    confidence: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A citation-style link between papers, through an entity that `cited` introduced.

    `evidence` holds the ids of the supporting mentions of the entity in the citing paper.
    """

    citing: str
    kind: str
    cited: str
    entity: str
    confidence: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """A citation from a paper's list of references to another paper of the graph.

    It comes from `Paper.references` alone, whereas a `Link` is inferred from the texts.
    """

    citing: str
    cited: str


@dataclass(frozen=True, slots=True, order=True)
class Introduction:
    """The introduction of an entity by a paper, known from a curated list and not from a text.

    `paper` is the id of a stub or of a paper of the corpus.
    """

    paper: str
    entity: str


@dataclass(frozen=True, slots=True, order=True)
class ResultName:
    """A name in a slot of a result, as the text spells it; `entity` is its entity's id or ""."""

    text: str
    entity: str = ""


#: The kinds of a result, and the directions of a change.
SCORE, CHANGE = "score", "change"
UP, DOWN = "up", "down"


@dataclass(frozen=True, slots=True)
class Result:
    """A measured result that a title or abstract reports, with the sentence that states it.

    `value` is the number with its unit as the text spells it, at `start:end` of `Paper.text` (code
    points, end exclusive); `sentence` is the span of its sentence. `kind` is `score` (a level) or
    `change` (a difference, a percentage or a factor). `direction` is `up` if the metric of a change
    increases and `down` if it decreases; it is empty for a score. `metric` holds the words that
    name the metric. `on` names benchmarks, datasets and environments, `systems` the methods and
    models that have the value, and `versus` those that it is compared with. `previous` is the
    earlier level of "from 82% to 97%". Unknown texts are empty; `confidence` is between 0 and 1.
    """

    paper: str
    start: int
    end: int
    value: str
    kind: str
    direction: str
    metric: str
    on: tuple[ResultName, ...]
    systems: tuple[ResultName, ...]
    versus: tuple[ResultName, ...]
    previous: str
    sentence: tuple[int, int]
    confidence: float

    @property
    def id(self) -> str:
        """The stable id; one span of a paper states one result."""
        return f"{self.paper}_r{self.start}"

    def with_entities(self, entity_of: Callable[[ResultName], str]) -> Result:
        """Return the result with other entities for its names."""
        on, systems, versus = (
            tuple(ResultName(name.text, entity_of(name)) for name in names)
            for names in (self.on, self.systems, self.versus)
        )
        return replace(self, on=on, systems=systems, versus=versus)

    @property
    def names(self) -> tuple[ResultName, ...]:
        """The names in all slots."""
        return (*self.on, *self.systems, *self.versus)

    def slots(self) -> dict[str, Any]:
        """Return the stated values under the keys of `kg extract`, with names as in the text."""
        return {
            "value": self.value,
            "kind": self.kind,
            "direction": self.direction,
            "metric": self.metric,
            "on": [name.text for name in self.on],
            "system": [name.text for name in self.systems],
            "versus": [name.text for name in self.versus],
            "from": self.previous,
        }


@dataclass(frozen=True, slots=True, order=True)
class Outperformance:
    """The claim that one entity outperforms another, derived from a result of a paper.

    `margin` is the difference as the text spells it, or computed from two scores in one sentence;
    `metric` and `on` are texts of the result, whose id is `result`.
    """

    winner: str
    loser: str
    paper: str
    metric: str
    on: tuple[str, ...]
    margin: str
    result: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Topic:
    """Entities that the same papers name, and these papers; derived from the relations.

    `label` consists of the names of the first three entities, which are the most typical of the
    topic; `entities` are all its entities, in this order. `papers` are the ids of its papers,
    sorted. An entity or a paper belongs to one topic at most. The id joins the ids of the first
    three entities.
    """

    id: str
    label: str
    entities: tuple[str, ...]
    papers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A mention with the text of its sentence, as shown to a reader."""

    mention: Mention
    sentence: str


@dataclass(frozen=True, slots=True)
class Run:
    """The provenance of a graph, without a timestamp, so that equal inputs give equal bytes.

    `configuration`, `inputs` and `weights` are SHA-256 hex digests; the last one is that of adapted
    weights, or empty.
    """

    software: str
    version: str
    configuration: str
    inputs: str
    weights: str = ""


@dataclass(frozen=True, slots=True)
class PaperEntity:
    """An entity of one paper, before entity linking across papers.

    `name` is the fullest form in the text or the lexicon's canonical name; `key` is the normalised
    name (see `citekg.schemas.names.key`); `spans` are `(start, end)` pairs in text order; `roles`
    holds each role with the confidence that entity and role are right, and the indices of the
    supporting spans; `confidence` is that of the entity. Name and surfaces contain no markup,
    unlike the text of a span.
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
    """The output of extraction for one paper, as `kg extract` prints it.

    `sentences` are the `(start, end)` spans of the paper's sentences in text order. `results` are
    the reported results in text order; their names have no entity ids before entity linking.
    """

    paper: Paper
    sentences: tuple[tuple[int, int], ...]
    entities: tuple[PaperEntity, ...]
    results: tuple[Result, ...] = ()
