"""Sentences in which a name is marked with brackets."""

from __future__ import annotations

import re

from citekg.extractors.candidates.generate import LAYERS, Candidate, generate_candidates
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.extractors.classification.decoding import AcceptedEntity
from citekg.extractors.nlp import Document, make_document
from citekg.schemas.names import key
from citekg.schemas.records import Paper

TITLE = "Steadier learning from sparse rewards"
#: The types of the entities that are not methods.
TYPES = {
    "Benchmark": """HeronBench; PondBench; D4RL; Atari; MuJoCo; Meta-World; GSM8K; MATH-500;
        HumanEval; GLUE; CARLA; Minecraft; VirtualHome; WebShop; ALFWorld; D4RL Gym;
        AIME 2024; MMLU; DeepMind Control Suite""",
    "Model": """Kestrel-7B; GPT-4; GPT-4o; Llama 2; BERT; CLIP; DeepSeek-R1; Qwen2.5-7B; o1;
        Claude 3.5 Sonnet; T5; Stable Diffusion; GPT-3""",
    "Dataset": "PondSet; C4; LAION-5B; UltraFeedback; OpenWebMath; ImageNet; Open X-Embodiment",
}
TYPE_OF = {name.strip(): type_ for type_, names in TYPES.items() for name in names.split(";")}
MARK = re.compile(r"\[\[(.+?)\]\]")


def marked_entity(line: str) -> tuple[Document, AcceptedEntity]:
    """Return the document without its marks, and the marked name as an accepted entity."""
    title, _, sentence = line.rpartition(" || ")
    name = MARK.findall(sentence)[0]
    doc = make_document(Paper("p", title or TITLE, MARK.sub(r"\1", sentence)))
    found = generate_candidates(doc, shipped_lexicon(), frozenset(LAYERS)).get(key(name))
    places = [(i, j) for i in range(len(doc.words)) for j in range(i + 1, len(doc.words) + 1)]
    spans = sorted((i, j) for i, j in places if doc.span_text(i, j) == name)
    assert spans, name
    candidate = found or Candidate(key(name), spans)
    return doc, AcceptedEntity([candidate], spans, TYPE_OF.get(name, "Method"), 1.0)
