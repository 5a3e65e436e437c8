"""Word lists for parsing and normalising names."""

from __future__ import annotations

from typing import Final

VARIANT, SUBSET, SIZE, STAGE = "variant", "subset", "size", "stage"
VERSION, YEAR, DATE, DECORATION = "version", "year", "date", "decoration"

#: The kind of name part that a plain word forms after a family.
PART_KINDS: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        VARIANT: """vl vision omni audio video image coder code math embedding reranker
        guard turbo flash pro plus max ultra opus sonnet haiku next moe prover scout
        maverick python ocr realtime""",
        SUBSET: """lite hard easy verified challenge diamond dev val test full extended
        multimodal i ii iii iv""",
        SIZE: "tiny mini small medium large huge giant xl xxl xxxl nano micro xlarge xxlarge",
        STAGE: """base instruct chat it sft dpo rlhf preview thinking zero pretrained
        uncased cased exp latest beta realtime-preview""",
    }.items()
    for word in words.split()
}

#: Families of models: after one of these, a single part makes a variant.
MODEL_LINES: Final = frozenset(
    """baichuan bert bloom chatglm claude codellama command-r deberta deepseek
    deepseekmath ernie falcon flux gemini gemma glm gpt gpt-neo gpt-neox gpt-oss granite
    grok internlm internvl kimi llama llava mbert minicpm minimax mistral mixtral nemotron
    olmo opt palm phi pythia qvq qwen qwq roberta seed smollm starcoder tulu vicuna vit
    whisper wizardlm yi zephyr electra albert bart flan-t5 t5 byt5 mt5 o1 o3 o4 openai-o1
    openai-o3 openai-o4""".split()
)

#: Series with yearly editions, where two digits are a year; the value is the first possible year.
YEARLY_SERIES: Final[dict[str, int]] = {
    **dict.fromkeys(["aime", "amc", "hmmt", "brumo", "cmimc", "smt", "usamo"], 2020),
    **dict.fromkeys(
        ["ace", "asvspoof", "brats", "conll", "davis", "duc", "ilsvrc", "inat", "inaturalist"], 2000
    ),
    **dict.fromkeys(
        ["isic", "icdar", "imo", "iwslt", "kitti", "mot", "semeval", "voc", "pascal-voc", "vot"],
        2000,
    ),
    **dict.fromkeys(
        ["wmt", "newstest", "wnut", "nlpcc", "sighan", "thumos", "posetrack", "shrec"], 2000
    ),
    **dict.fromkeys(["amos", "endovis", "flare", "kits", "lits"], 2000),
}

#: Organisations whose name may precede that of a model: "Meta Llama 3", "meta-llama/Llama-3".
ORGANISATIONS: Final = frozenset(
    """alibaba allenai anthropic deepseek-ai google google-deepmind huggingfacetb
    ibm-granite meta meta-llama microsoft mistralai nvidia openai openai-community qwen
    thudm tiiuae xai""".split()
)

#: Organisations and hosts whose name may precede that of an entity: "OpenAI HumanEval", "Google
#: BERT". "Meta" is missing, because "Meta SGD" is about meta-learning.
MAKERS: Final = frozenset(
    """alibaba allenai amazon anthropic apple baidu bytedance deepmind facebook google googleai
    huawei huggingface ibm microsoft mistralai nvidia openai salesforce tencent xai""".split()
)

#: Names that look compositional, but must not be split.
UNDIVIDED_NAMES: Final = frozenset(
    """arena-hard self-instruct evol-instruct super-natural-instruct natural-instruct
    best-of-n next-it open-r1 all-in-one zero-shot few-shot sim-to-real point-e shap-e
    visual-chat auto-code dot-e c-eval""".split()
)

#: Variants that occur before or after the version: "Claude Sonnet 4", "Claude 4 Sonnet".
MOVABLE_VARIANTS: Final = frozenset("sonnet opus haiku flash pro ultra vl".split())

#: Stems whose British spelling ends in "is" and whose American spelling ends in "iz".
IZE_STEMS: Final = """discret factor general initial linear local marginal maxim minim
    normal optim organ parametr penal personal quant random real regular stabil summar
    token vector""".split()

#: Other British spellings, with the American ones.
AMERICAN_SPELLINGS: Final[dict[str, str]] = {
    "isation": "ization",
    "behaviour": "behavior",
    "modelling": "modeling",
    "labelling": "labeling",
    "neighbour": "neighbor",
    "colour": "color",
    "dialogue": "dialog",
    "centre": "center",
    "defence": "defense",
}

#: Head nouns of names of several words that may be in the plural.
PLURAL_NOUNS: Final = frozenset(
    """agent algorithm approximation architecture attack autoencoder adapter bandit benchmark bound
    classifier corpus dataset decoder detector embedding encoder ensemble estimator expert field
    filter flow forest framework function game gradient graph kernel layer machine method model
    net network operator optimizer perceptron policy process program regularizer sampler scheme
    solver strategy system technique transformer tree""".split()
)

#: Function words, which may differ between the long forms of one entity.
FUNCTION_WORDS: Final = frozenset(
    "a an and as at by for from in of on or the through to using via with".split()
)

#: The Unicode characters of TeX commands.
TEX_WORDS: Final[dict[str, str]] = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ",
    "omega": "ω", "ell": "l", "star": "*", "ast": "*", "sharp": "#", "times": "x", "infty": "∞",
}  # fmt: skip
