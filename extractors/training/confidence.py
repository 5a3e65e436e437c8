"""Training of the confidence of relations, from the output of models that did not see the paper.

A relation is right if its entity is annotated as required, and its type and its role are accepted.
The role of an optional entity counts as wrong: a careful reader may reject it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from citekg.extractors.candidates.tagger import TaggedTokens
from citekg.extractors.classification.decoding import HashedSoftmax
from citekg.extractors.gold import GoldEntity, align_entities
from citekg.extractors.pipeline import Draft, ExtractionPipeline
from citekg.extractors.roles.calibration import Answer, Calibration
from citekg.extractors.training.classifiers import FOLDS, Example, Fold, held_out_network
from citekg.extractors.training.roles import fit_calibration
from citekg.schemas.vocabulary import OUTPERFORMS


def with_relation_lines(
    roles: Calibration,
    examples: Sequence[Example],
    folds: Sequence[Fold],
    role_models: Sequence[HashedSoftmax],
) -> Calibration:
    """Return the calibration of roles with lines for their relations.

    The papers of the first fold have more relations than the lines need, and a decision network for
    each further fold would take long.
    """
    pipeline = ExtractionPipeline(
        entity_model=folds[0].entity_model,
        decision_network=held_out_network(folds),
        role_model=role_models[0],
        calibration=roles,
    )
    answers = [*_answers(pipeline, examples[::FOLDS])]
    return replace(roles, relation_lines=fit_calibration(answers).lines)


def _answers(pipeline: ExtractionPipeline, examples: Iterable[Example]) -> Iterator[Answer]:
    """Yield an answer for each relation that the pipeline finds in the papers."""
    for example in examples:
        stages = pipeline.replace_stage("tag", partial(_with_tags, example.tagged))
        found = stages.run(example.doc).entities
        gold_of = {n: example.gold[i] for i, n in align_entities(example.gold, found)}
        for n, entity in enumerate(found):
            accepted = _accepted_roles(gold_of.get(n), entity.type)
            for role, confidence, _ in entity.roles:
                if role != OUTPERFORMS:
                    yield Answer(role, confidence, role in accepted)


def _with_tags(tagged: TaggedTokens, _pipeline: ExtractionPipeline, draft: Draft) -> Draft:
    """Do what the stage `tag` does, with the output of a tagger that did not see the paper."""
    return replace(draft, tagged=tagged)


def _accepted_roles(gold: GoldEntity | None, found_type: str) -> set[str]:
    """Return the roles that are right for an entity of that type, of which `gold` is annotated."""
    if gold is None or gold.optional or found_type not in (gold.type, *gold.other_types):
        return set()
    return {gold.role, *gold.other_roles}
