"""The extraction pipeline: named stages from a paper's text to its entities, roles and results.

`print(ExtractionPipeline())` lists the stages. Each stage adds fields to a `Draft`; `replace_stage`
replaces the function of a stage.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import cached_property, partial
from importlib.metadata import version
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from citekg.extractors import models
from citekg.extractors.adaptation.learnt_tagger import LearntTokens
from citekg.extractors.adaptation.roles import AdaptedRoles, further_features
from citekg.extractors.adaptation.same_entity import SameEntity
from citekg.extractors.adaptation.schema_matches import match_texts
from citekg.extractors.adaptation.weights import AdaptedWeights, decision_features
from citekg.extractors.candidates import tagger
from citekg.extractors.candidates.elision import add_elided
from citekg.extractors.candidates.generate import (
    ABBREVIATIONS,
    LAYERS,
    LEXICON,
    RULE_FINDERS,
    RULES,
    TAGGER,
    Candidate,
    generate_candidates,
)
from citekg.extractors.candidates.lexicon import Lexicon
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.extractors.classification import decoding, stated_non_entities
from citekg.extractors.classification.compound_names import with_compounds
from citekg.extractors.classification.context_features import columns_with_context
from citekg.extractors.classification.coordinations import with_listed_types
from citekg.extractors.classification.coreference import (
    canonical_name,
    is_umbrella,
    merge_coreferent,
)
from citekg.extractors.classification.decision_network import (
    DecisionNetwork,
    span_vectors,
)
from citekg.extractors.classification.decoding import AcceptedEntity, HashedSoftmax, shipped_model
from citekg.extractors.classification.features import candidate_columns
from citekg.extractors.classification.hashing import FeatureRows
from citekg.extractors.classification.type_patterns import stated_type
from citekg.extractors.domain import Domain
from citekg.extractors.nlp import Document, make_document
from citekg.extractors.results.choice import ChoiceModel, shipped_choice_model
from citekg.extractors.results.extract import find_results
from citekg.extractors.results.records import make_records
from citekg.extractors.roles import classifier
from citekg.extractors.roles.borderline import (
    borderline_columns,
    probabilities_of_columns,
    shipped_borderline_model,
)
from citekg.extractors.roles.calibration import Calibration, shipped_calibration
from citekg.extractors.roles.joint import match_jointly
from citekg.extractors.roles.patterns import PatternMatches
from citekg.schemas.errors import ExtractionError
from citekg.schemas.garbage_collection import paused_garbage_collection
from citekg.schemas.names import key
from citekg.schemas.records import Extraction, Paper, PaperEntity, Result
from citekg.schemas.vocabulary import DEFAULT, TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: The number of papers that a stage processes before the next stage runs.
BATCH: Final = 48


class Draft(NamedTuple):
    """The results of the stages for one paper so far.

    `tagged` is the output of the tagger, or None without that layer, and `learnt` that of the
    learnt tagger of adapted weights; `probabilities` are those of not being an entity and of each
    type, `(candidates, 1 + types)`.
    """

    doc: Document
    tagged: tagger.TaggedTokens | None = None
    learnt: LearntTokens | None = None
    candidates: tuple[Candidate, ...] = ()
    probabilities: NDArray[np.float32] | None = None
    accepted: tuple[AcceptedEntity, ...] = ()
    entities: tuple[PaperEntity, ...] = ()
    results: tuple[Result, ...] = ()


#: A stage takes the pipeline, for its models and lexicon, and a draft, and returns the draft with
#: further fields set.
Stage = Callable[["ExtractionPipeline", Draft], Draft]


def tag(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Give every token a probability for each label of the tagger, if that layer is on."""
    return tag_together(pipeline, [draft])[0]


def tag_together(pipeline: ExtractionPipeline, drafts: Sequence[Draft]) -> list[Draft]:
    """Do the same for several papers, in less time than one by one."""
    if TAGGER not in pipeline.layers:
        return [*drafts]
    tagged = models.token_tagger(pipeline.model).tag_all(draft.doc for draft in drafts)
    return [
        draft._replace(tagged=each, learnt=_learnt_tokens(pipeline, draft.doc, each))
        for draft, each in zip(drafts, tagged, strict=True)
    ]


def _learnt_tokens(
    pipeline: ExtractionPipeline, doc: Document, tagged: tagger.TaggedTokens
) -> LearntTokens | None:
    """Return the output of the learnt tagger for the tokens, or None without adapted weights."""
    if not pipeline.adapted:
        return None
    return pipeline.adapted.tagger.tag(doc, tagged, schema_matches(pipeline, doc))


def schema_matches(pipeline: ExtractionPipeline, doc: Document) -> list[list[str]]:
    """Return the matches of the cues and names of the schema, as features of each token."""
    if not pipeline.domain:
        return [[] for _ in doc.words]
    return match_texts(doc, pipeline.domain.cues, pipeline.lexicon)


def propose(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Collect the candidates of all layers."""
    tagged = tagger.decode_spans(draft.tagged.probabilities) if draft.tagged else ()
    spans = [*split_at_title(draft.doc, tagged)]
    learnt = (*draft.learnt.proposals,) if draft.learnt else ()
    spans += ((first, last) for first, last, type_ in learnt if type_ in TYPES)
    own = [(first, last) for first, last, type_ in learnt if type_ not in TYPES]
    cues = pipeline.domain.cues if pipeline.domain else ()
    likely = None
    if draft.tagged and not pipeline.adapted:
        likely = tagger.LikelySpans(draft.doc, draft.tagged.sums)
    found = generate_candidates(
        draft.doc, pipeline.lexicon, pipeline.layers, spans, cues, own, likely=likely
    )
    lexicon = pipeline.lexicon if LEXICON in pipeline.layers else None
    return draft._replace(candidates=tuple(add_elided(draft.doc, found.values(), lexicon)))


def split_at_title(doc: Document, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the token spans, those that cross the end of the title in two parts."""
    for first, last in spans:
        if first < doc.title_tokens < last:
            yield from ((first, doc.title_tokens), (doc.title_tokens, last))
        else:
            yield first, last


def classify(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Give every candidate a probability of not being an entity, and one for each type."""
    return classify_together(pipeline, [draft])[0]


def classify_together(pipeline: ExtractionPipeline, drafts: Sequence[Draft]) -> list[Draft]:
    """Do the same for several papers, in less time than one by one."""
    adapted = pipeline.adapted
    if adapted:
        found = [adapted.probabilities(*adapted_rows(pipeline, adapted, d)) for d in drafts]
    else:
        found = [probabilities for probabilities, _ in _network(pipeline, drafts)[1]]
    return [_adjusted(pipeline, d, p) for d, p in zip(drafts, found, strict=True)]


def _adjusted(
    pipeline: ExtractionPipeline, draft: Draft, probabilities: NDArray[np.float32]
) -> Draft:
    """Return the draft with probabilities adjusted by the lexicon, compounds and the schema."""
    doc, candidates, adapted = draft.doc, draft.candidates, pipeline.adapted
    row_of = {candidate.key: i for i, candidate in enumerate(candidates)}
    for i, candidate in enumerate(candidates):
        if candidate.like in row_of:
            probabilities[i] = probabilities[row_of[candidate.like]]
    labels = pipeline.labels if adapted else decoding.LABELS
    probabilities = decoding.with_lexicon(doc, candidates, probabilities, labels)
    probabilities = with_compounds(doc, candidates, probabilities)
    if pipeline.domain and not adapted:
        probabilities = pipeline.domain.over_labels(probabilities)
    if pipeline.domain:
        learnt = adapted.own_types if adapted else ()
        probabilities = pipeline.domain.with_schema_types(candidates, probabilities, learnt)
    return draft._replace(probabilities=probabilities)


def reject_stated(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Leave out the candidates that the text calls a problem, a measure or the like."""
    assert draft.probabilities is not None, "the stage `classify` comes first"  # noqa: S101
    best = draft.probabilities[:, 1:].argmax(axis=1).tolist() if pipeline.adapted else []
    own = {
        candidate.key
        for candidate, label in zip(draft.candidates, best, strict=False)
        if pipeline.labels[1 + label] not in TYPES
    }
    kept = stated_non_entities.reject_stated(draft.doc, draft.candidates, draft.probabilities, own)
    return draft._replace(
        candidates=tuple(draft.candidates[i] for i in kept),
        probabilities=draft.probabilities[kept],
    )


def decode(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Accept the candidates that are likely enough, so that no two overlap."""
    assert draft.probabilities is not None, "the stage `classify` comes first"  # noqa: S101
    accepted = decoding.decode(
        draft.doc,
        draft.candidates,
        draft.probabilities,
        pipeline.acceptance_threshold,
        pipeline.labels,
    )
    return draft._replace(accepted=tuple(accepted))


def apply_stated_types(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Give each entity the type that the text states, if it does ("Kite, a new corpus")."""
    if pipeline.domain:
        stated = pipeline.domain.with_stated_types(draft.doc, draft.accepted)
        return draft._replace(accepted=(*stated,))
    listed = with_listed_types(draft.doc, draft.accepted)
    typed = (each.with_type(stated_type(draft.doc, each)) for each in listed)
    return draft._replace(accepted=tuple(typed))


def resolve_coreference(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Merge the entities that one paper spells in several ways; umbrella terms are left out."""
    reported = [each for each in draft.accepted if not is_umbrella(each)]
    entities = merge_coreferent(draft.doc, reported, pipeline.lexicon)
    if pipeline.adapted and pipeline.adapted.same_layer:
        types = pipeline.adapted.own_types
        entities = SameEntity(pipeline.adapted.same_layer).join(draft.doc, entities, types)
    return draft._replace(accepted=tuple(entities))


def assign_roles(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Name each entity and predict its roles in the paper.

    The confidence of a role is that of the relation: that the entity and the role are right. It is
    calibrated for the shipped models with the shipped vocabulary.
    """
    return assign_roles_together(pipeline, [draft])[0]


def assign_roles_together(pipeline: ExtractionPipeline, drafts: Sequence[Draft]) -> list[Draft]:
    """Do the same for several papers, in less time than one by one."""
    models = _role_models(pipeline)
    entities = [each for draft in drafts for each in _role_features(pipeline, draft, models)]
    columns = [row for each in entities for row in each.columns]
    rows = iter(models.roles.probabilities(columns).tolist() if columns else ())
    borderline = probabilities_of_columns(
        [each.borderline for each in entities], pipeline.borderline_model
    )
    found = (
        _entity_with_roles(pipeline, models, each, [*islice(rows, len(each.columns))], probability)
        for each, probability in zip(entities, borderline, strict=True)
    )
    return [draft._replace(entities=(*islice(found, len(draft.accepted)),)) for draft in drafts]


@dataclass(frozen=True)
class _RoleModels:
    """The model of roles with its labels and its calibration, and the calibration of relations."""

    roles: classifier.RoleModel
    labels: tuple[str, ...]
    calibration: Calibration
    relations: Calibration


def _role_models(pipeline: ExtractionPipeline) -> _RoleModels:
    """Return the models of roles: the shipped ones, or those of adapted weights."""
    adapted, domain, shipped = pipeline.adapted, pipeline.domain, pipeline.calibration
    is_shipped = not adapted and (not domain or domain.vocabulary == DEFAULT)
    relations = shipped if is_shipped else Calibration()
    if not adapted or not adapted.role_layer:
        return _RoleModels(pipeline.role_model, classifier.ROLE_LABELS, shipped, relations)
    model = AdaptedRoles(pipeline.role_model, adapted.role_layer, adapted.roles)
    return _RoleModels(model, adapted.roles, adapted.calibration or shipped, relations)


@dataclass(frozen=True)
class _RoleFeatures:
    """What the models of roles and of borderline entities read about an entity.

    `columns` are those of `classifier.role_columns`, `templates` the roles that the templates of a
    schema state.
    """

    doc: Document
    accepted: AcceptedEntity
    matches: PatternMatches
    templates: Mapping[str, classifier.PredictedRole]
    columns: list[set[int]]
    borderline: set[int]


def _role_features(
    pipeline: ExtractionPipeline, draft: Draft, models: _RoleModels
) -> Iterator[_RoleFeatures]:
    """Yield the features of each accepted entity of a paper."""
    doc, domain, count = draft.doc, pipeline.domain, len(draft.accepted)
    shipped = [domain.as_shipped(a) for a in draft.accepted] if domain else draft.accepted
    for accepted, alike, matches in zip(
        draft.accepted, shipped, match_jointly(doc, shipped), strict=True
    ):
        shared = own = classifier.entity_columns(doc, accepted, count)
        templates: Mapping[str, classifier.PredictedRole] = {}
        further: Iterable[str] = ()
        if domain:
            shared = classifier.entity_columns(doc, alike, count)
            templates = domain.matched_roles(doc, accepted)
            further = further_features(accepted.type, templates, models.labels)
        columns = classifier.role_columns(doc, alike, shared, matches, further)
        borderline = borderline_columns(accepted, own)
        yield _RoleFeatures(doc, accepted, matches, templates, columns, borderline)


def _entity_with_roles(
    pipeline: ExtractionPipeline,
    models: _RoleModels,
    features: _RoleFeatures,
    rows: Sequence[Sequence[float]],
    borderline: float,
) -> PaperEntity:
    """Return the entity with the roles that follow from the probabilities of its columns."""
    doc, accepted, matches = features.doc, features.accepted, features.matches
    roles: Iterable[classifier.PredictedRole]
    if pipeline.domain:
        roles = pipeline.domain.roles(
            doc, accepted, features.templates, rows, matches, models.calibration, models.labels
        )
    else:
        fitting = DEFAULT.roles_of(accepted.type)
        roles = classifier.roles_of_probabilities(
            doc, accepted, rows, fitting, matches, models.calibration, models.labels
        )
    relations = (_as_relation(models.relations, r, accepted.confidence, borderline) for r in roles)
    return _entity(doc, accepted, relations)


def _as_relation(
    calibration: Calibration, predicted: classifier.PredictedRole, entity: float, borderline: float
) -> classifier.PredictedRole:
    """Return the role with the probability that it and its entity are right.

    `entity` is the probability that it is an entity, `borderline` that it is a borderline one.
    """
    confidence = calibration.relation_probability(
        predicted.role, entity * predicted.confidence, borderline
    )
    return classifier.PredictedRole(predicted.role, confidence, predicted.spans)


def extract_results(pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Find the measured results that the text reports, with their metrics, data and systems."""
    mentions = [accepted.spans for accepted in draft.accepted]
    context = find_results(draft.doc, draft.entities, mentions, pipeline.result_model)
    return draft._replace(results=make_records(context, pipeline.result_model))


#: The stages by name, in their order.
STAGES: Final[tuple[tuple[str, Stage], ...]] = (
    ("tag", tag),
    ("propose", propose),
    ("classify", classify),
    ("reject_stated", reject_stated),
    ("decode", decode),
    ("apply_stated_types", apply_stated_types),
    ("resolve_coreference", resolve_coreference),
    ("assign_roles", assign_roles),
    ("extract_results", extract_results),
)
#: The stages that take less time for several papers at once.
_TOGETHER: Final[Mapping[Stage, Callable[[ExtractionPipeline, Sequence[Draft]], list[Draft]]]] = {
    tag: tag_together,
    classify: classify_together,
    assign_roles: assign_roles_together,
}


@dataclass(frozen=True)
class ExtractionPipeline:
    """Extract entities and results of papers with a lexicon, trained models and the active layers.

    `model` is one of `models.MODELS`; `with_model` sets it with the trained models that belong to
    it. `domain` is the vocabulary and the rules of a schema file. `threshold` is the probability
    that an entity must reach, 0 to 1; None means that of the decision network. `adapted` are
    weights learnt from annotations with the same types and roles.
    """

    lexicon: Lexicon = field(default_factory=shipped_lexicon)
    entity_model: HashedSoftmax = field(default_factory=partial(models.entity_model, models.FAST))
    decision_network: DecisionNetwork = field(
        default_factory=partial(models.decision_network, models.FAST)
    )
    role_model: HashedSoftmax = field(
        default_factory=lambda: shipped_model("roles", len(classifier.ROLE_LABELS))
    )
    borderline_model: HashedSoftmax = field(default_factory=shipped_borderline_model)
    calibration: Calibration = field(default_factory=shipped_calibration)
    result_model: ChoiceModel = field(default_factory=shipped_choice_model)
    model: str = models.FAST
    layers: frozenset[str] = frozenset(LAYERS)
    domain: Domain | None = None
    threshold: float | None = None
    adapted: AdaptedWeights | None = None
    stages: tuple[tuple[str, Stage], ...] = STAGES

    def __str__(self) -> str:
        return " -> ".join(name for name, _ in self.stages)

    def __reduce__(self) -> tuple[Callable[..., ExtractionPipeline], tuple[Any, ...]]:
        """Return what pickle stores: the version of the package and the parts from elsewhere."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if not self._is_shipped(f)}
        return _unpickle, (version("citekg"), own)

    def _is_shipped(self, part: Field[Any]) -> bool:
        """Return whether a part is the default one, which each process loads once."""
        shipped = part.default if part.default_factory is MISSING else part.default_factory()
        return getattr(self, part.name) is shipped

    @cached_property
    def weights_digest(self) -> str:
        """A SHA-256 of the weights of all trained models, in hexadecimal digits."""
        digests = (
            models.token_tagger(self.model).digest,
            self.entity_model.digest,
            self.decision_network.digest,
            self.role_model.digest,
            self.borderline_model.digest,
            self.calibration.digest,
            self.result_model.digest,
            self.adapted.digest if self.adapted else "",
        )
        return hashlib.sha256("".join(digests).encode()).hexdigest()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of decoding; the first, empty one means that a candidate is not an entity."""
        return self.domain.labels if self.domain else decoding.LABELS

    @property
    def acceptance_threshold(self) -> float:
        """The minimum probability, 0 to 1, of a candidate that is accepted as an entity."""
        model = self.adapted or self.decision_network
        return model.threshold if self.threshold is None else self.threshold

    def extract(self, paper: Paper) -> Extraction:
        """Return entities, with mentions and roles, and results of a paper, in text order."""
        return _extraction(self.run(paper))

    def extract_all(self, papers: Iterable[Paper]) -> Iterator[Extraction]:
        """Yield the extraction of each paper, in less time than one by one.

        Each stage runs for several papers in turn, so that the caches of the processor hold its
        code and tables. Meanwhile, the garbage collection is paused.
        """
        waiting = iter(papers)
        while batch := [*islice(waiting, BATCH)]:
            with paused_garbage_collection():
                found = self._extract_together(batch)
            yield from found

    def _extract_together(self, papers: Iterable[Paper]) -> list[Extraction]:
        """Return the extractions; the drafts are freed before a garbage collection."""
        drafts = [Draft(make_document(paper)) for paper in papers]
        for _, stage in self.stages:
            drafts = self.run_stage(stage, drafts)
        return [*map(_extraction, drafts)]

    def run_stage(self, stage: Stage, drafts: Sequence[Draft]) -> list[Draft]:
        """Return the drafts after a stage; some stages take several papers at once."""
        if together := _TOGETHER.get(stage):
            return together(self, drafts)
        return [stage(self, draft) for draft in drafts]

    def run(self, paper: Paper | Document, until: str | None = None) -> Draft:
        """Return the draft after all stages, or after the stage named `until`."""
        draft = Draft(make_document(paper) if isinstance(paper, Paper) else paper)
        for name, stage in self.stages:
            draft = stage(self, draft)
            if name == until:
                break
        return draft

    def with_model(self, model: str) -> ExtractionPipeline:
        """Return the pipeline with another model, one of `models.MODELS`.

        Raises `ExtractionError` if there is no such model, and `MissingPackage` if a package that
        it needs is not installed.
        """
        models.require(model)
        return replace(
            self,
            model=model,
            entity_model=models.entity_model(model),
            decision_network=models.decision_network(model),
        )

    def replace_stage(self, name: str, stage: Stage) -> ExtractionPipeline:
        """Return a pipeline that runs `stage` in the place of the stage of that name.

        Raises `ExtractionError` if there is no such stage.
        """
        if name not in dict(self.stages):
            raise ExtractionError(f"{name!r} is not a stage of the pipeline: {self}")
        return replace(
            self, stages=tuple((n, stage if n == name else own) for n, own in self.stages)
        )


def _unpickle(made_with: str, own: Mapping[str, Any]) -> ExtractionPipeline:
    """Return the pipeline with its own parts; the others come with the package of this process.

    Raises `ExtractionError` if that has another version, and so other weights.
    """
    here = version("citekg")
    if here != made_with:
        raise ExtractionError(
            f"a worker has citekg {here}, the build has {made_with}: install the same version"
        )
    return ExtractionPipeline(**own)


def _extraction(draft: Draft) -> Extraction:
    """Return the extraction of a paper from its final draft."""
    doc = draft.doc
    _check_spans(doc, draft.entities)
    sentences = tuple(doc.original_span(*doc.sentence_span(n)) for n in range(len(doc.sentences)))
    return Extraction(doc.paper, sentences, draft.entities, draft.results)


def _entity(
    doc: Document, accepted: AcceptedEntity, roles: Iterable[classifier.PredictedRole]
) -> PaperEntity:
    surfaces = [doc.span_text(*span) for span in accepted.spans]
    name, entry = canonical_name(accepted, surfaces)
    return PaperEntity(
        key=entry.key if entry else key(name),
        name=entry.name if entry else name,
        type=accepted.type,
        spans=tuple(doc.original_span(doc.starts[a], doc.ends[b - 1]) for a, b in accepted.spans),
        surfaces=tuple(sorted(set(surfaces))),
        roles=tuple((r.role, round(r.confidence, 2), r.spans) for r in roles),
        layer=_layer(accepted),
        confidence=round(accepted.confidence, 2),
    )


def adapted_rows(
    pipeline: ExtractionPipeline, adapted: AdaptedWeights, draft: Draft
) -> tuple[list[set[int]], NDArray[np.float32], NDArray[np.float32]]:
    """Return the inputs of adapted weights: columns, dense features and shipped probabilities."""
    import numpy as np

    rows, ((probabilities, units),) = _network(pipeline, [draft])
    if pipeline.domain:
        probabilities = pipeline.domain.over_labels(probabilities)
    types = adapted.tagger.types
    columns, dense = decision_features(
        draft.doc, draft.candidates, rows.sets(), draft.learnt, types
    )
    return columns, np.concatenate([units, dense], axis=1), probabilities


def _network(
    pipeline: ExtractionPipeline, drafts: Sequence[Draft]
) -> tuple[FeatureRows, list[tuple[NDArray[np.float32], NDArray[np.float32]]]]:
    """Return the columns of all candidates, and the network's output for each paper.

    The output is the probabilities of the paper's candidates, and their hidden units.
    """
    own = candidate_columns((d.doc, d.candidates, d.tagged) for d in drafts)
    alone = pipeline.entity_model.probabilities(own)
    columns = columns_with_context(((d.doc, d.candidates) for d in drafts), own, alone)
    sums = pipeline.decision_network.sums(columns)
    outputs = []
    start = 0
    for draft in drafts:
        end = start + len(draft.candidates)
        vectors = span_vectors(draft.tagged.vectors, draft.candidates) if draft.tagged else None
        outputs.append(pipeline.decision_network.of_sums(sums[start:end], vectors))
        start = end
    return columns, outputs


def _layer(accepted: AcceptedEntity) -> str:
    """Return the first layer, in order of precedence, of those that proposed an entity."""
    finders = {f for c in accepted.candidates for f in c.finders}
    others = sorted(finders.difference(LAYERS, RULE_FINDERS))
    return next(
        (layer for layer in (ABBREVIATIONS, LEXICON, *others, TAGGER) if layer in finders), RULES
    )


def _check_spans(doc: Document, found: tuple[PaperEntity, ...]) -> None:
    """Check that each span lies in the text, spells one of its surfaces and overlaps no other.

    No other code checks this for layers and plug-ins. Surfaces contain no markup, so that a span
    with markup inside spells none of them.
    """
    paper = doc.paper
    has_markup = doc.text != paper.text
    end_before = 0
    for start, end, entity in sorted(
        ((a, b, e) for e in found for a, b in e.spans), key=lambda abe: abe[:2]
    ):
        if not end_before <= start < end <= len(paper.text) or not (
            has_markup or paper.text[start:end] in entity.surfaces
        ):
            raise ExtractionError(
                f"paper {paper.id!r}: the span {start}:{end} of {entity.name!r} is not a slice of "
                "the text, or overlaps with another entity"
            )
        end_before = end
