"""Training of the confidence of relations, from models that were not trained on the paper.

A relation is right if its entity is annotated as required, and its type and its role are accepted.
The role of an optional entity counts as wrong: a careful reader may reject it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from citekg.extractors.candidates.tagger import TaggedTokens
from citekg.extractors.classification.decoding import HashedSoftmax
from citekg.extractors.gold import GoldEntity, align_entities
from citekg.extractors.pipeline import Draft, ExtractionPipeline
from citekg.extractors.roles.borderline import borderline_probabilities
from citekg.extractors.roles.calibration import Calibration, Plane, log_odds
from citekg.extractors.roles.classifier import ROLE_LABELS
from citekg.extractors.training.classifiers import FOLDS, Example, Fold, held_out_network
from citekg.extractors.training.roles import fit_by_role, fit_logistic
from citekg.schemas.vocabulary import OUTPERFORMS


@dataclass(frozen=True)
class RelationAnswer:
    """A relation that was found, and whether it is right.

    `score` is the probability that its entity and its role are right, `borderline` that the entity
    is borderline.
    """

    role: str
    score: float
    borderline: float
    is_right: bool


def with_relation_planes(
    roles: Calibration,
    examples: Sequence[Example],
    folds: Sequence[Fold],
    role_model: HashedSoftmax,
    borderline_model: HashedSoftmax,
) -> Calibration:
    """Return the calibration of roles with planes for their relations.

    The models of roles and of borderline entities were trained without the first fold. The papers
    of this fold have more relations than the planes need, and a decision network for each further
    fold would take long.
    """
    pipeline = ExtractionPipeline(
        entity_model=folds[0].entity_model,
        decision_network=held_out_network(folds),
        role_model=role_model,
        borderline_model=borderline_model,
        calibration=roles,
    )
    planes = fit_by_role([*_answers(pipeline, examples[::FOLDS])], ROLE_LABELS, _fit_plane)
    return replace(roles, relation_planes=planes)


def _fit_plane(answers: Sequence[RelationAnswer]) -> Plane:
    """Return the slopes and the intercept of the log-odds that a relation is right."""
    slope, borderline_slope, intercept = fit_logistic(
        [[log_odds(answer.score), log_odds(answer.borderline)] for answer in answers],
        [answer.is_right for answer in answers],
    )
    return slope, borderline_slope, intercept


def _answers(pipeline: ExtractionPipeline, examples: Iterable[Example]) -> Iterator[RelationAnswer]:
    """Yield an answer for each relation that the pipeline finds in the papers."""
    for example in examples:
        draft = pipeline.replace_stage("tag", partial(_with_tags, example.tagged)).run(example.doc)
        borderline = borderline_probabilities(draft.doc, draft.accepted, pipeline.borderline_model)
        gold_of = {n: example.gold[i] for i, n in align_entities(example.gold, draft.entities)}
        for n, (entity, doubt) in enumerate(zip(draft.entities, borderline, strict=True)):
            accepted = _accepted_roles(gold_of.get(n), entity.type)
            for role, confidence, _ in entity.roles:
                if role != OUTPERFORMS:
                    yield RelationAnswer(role, confidence, doubt, role in accepted)


def _with_tags(tagged: TaggedTokens, _pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Do what the stage `tag` does, with the output of a tagger not trained on the paper."""
    return draft._replace(tagged=tagged)


def _accepted_roles(gold: GoldEntity | None, found_type: str) -> set[str]:
    """Return the roles that are right for an entity of that type, of which `gold` is annotated."""
    if gold is None or gold.optional or found_type not in (gold.type, *gold.other_types):
        return set()
    return {gold.role, *gold.other_roles}
