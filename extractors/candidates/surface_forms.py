"""Spans that look like names: by their letters, or by the technique they end in.

Two finders that propose generously; deciding is done elsewhere. A *written name* is a run of
tokens with capitals, digits or signs ("Qwen2.5-7B-Instruct", "Meta-World"); a *technique phrase*
is a run of plain words that ends in a head such as "learning" or "search" ("expert iteration").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from citekg.extractors.nlp import Document

Span = tuple[int, int]

#: Two capitals, a capital after a lower-case letter, or letters beside digits.
STRONG: Final = re.compile(
    r"(?=.*[^\W\d_])(?:.*[A-ZΑ-Ω].*[A-ZΑ-Ω]|.*[a-zα-ω].*[A-Z]|.*[^\W\d_].*\d|.*\d.*[^\W\d_]"
    r"|[Α-Ωα-ω].*|.*[*+²³].*|.*\\math.*)"
)
CAPITALISED: Final = re.compile(r"[A-Z][\w'’.+*]*")
_NUMBER: Final = re.compile(r"v?\d+(?:\.\d+)*[A-Za-z%+]?")
_CONNECTORS: Final = frozenset("of for in to and the with from on via by a an as through".split())
_DASHES: Final = "-‐‑‒–—―−"
#: What may stand right before or behind a name without belonging to it.
_OUTSIDE: Final = _DASHES + ",;:\"'“”‘’«»`"
_NAME_SCRIPT: Final = re.compile(r"[A-Za-z0-9À-ɏΑ-Ωα-ω]")
_MAX_TOKENS: Final = 9
#: How many words make a title more than a name.
_SENTENCE_WORDS: Final = 4
_LONGEST_WORD: Final = 60

#: Words that open sentences or name parts of papers: capitalised, yet no names.
CAPITALISED_STOP_WORDS: Final = frozenset(
    """a an the this that these those we our it its in on for with by from to of as at and or but while when where which
    however moreover furthermore additionally specifically notably finally first second third recently here there both
    each such although despite given since if unlike compared using based through via extensive experiments experimental
    results empirically theoretically code codes project website page data github https http arxiv et al i ii iii iv
    figure table section appendix theorem lemma they their many most some recent existing prior previous one two three
    to many thus therefore hence then also not no all any can how what why adding removing introducing
    combining applying leveraging incorporating replacing""".split()
)

#: What is written like a name and is none of a method, benchmark, model or dataset: metrics, generic classes, sensors
#: and file formats, venues, organisations, hardware, robots and programming languages. A definition in the text or a
#: lexicon row overrules this.
NON_ENTITY_NAMES: Final = frozenset(
    """BLEU ROUGE ROUGE-L METEOR CIDEr SPICE NDCG nDCG MRR mAP FID KID LPIPS PSNR SSIM WER CER AUC AUROC AUPRC ROC
    ROC-AUC ECE MSE RMSE MAPE IoU mIoU F1 F1-score PESQ STOI MOS EER chrF NLL MCC SOTA LLM LLMs VLM VLMs MLLM
    MLLMs LMM LMMs AI AGI NLP POMDP POMDPs GPU GPUs TPU TPUs CPU CPUs FPGA FPGAs NVIDIA A100 H100 V100 RTX
    FLOPS FLOPs GFLOPs MACs RGB RGB-D RGBD LiDAR Lidar IMU GPS MRI fMRI EEG ECG HTML XML JSON LaTeX PDF API APIs STEM
    NeurIPS ICML ICLR CVPR ICCV ECCV AAAI IJCAI ACL EMNLP NAACL EACL COLING INTERSPEECH ICASSP KDD SIGIR ICRA
    IROS AISTATS OpenAI DeepMind Google Meta Microsoft Anthropic HuggingFace GitHub arXiv Amazon ByteDance
    Alibaba Tencent Baidu Stanford MIT CMU ANYmal Franka UR5 UR5e Spot Unitree PR2 Baxter Sawyer Python Java C++
    CUDA Rust JavaScript HRI HCI UAV UAVs AUV AUVs USV GNSS RTK DOF DoF DOFs DoFs CAD VR XR IoT EHR EHRs ASR OCR NER NLU
    NLG TTS OOD IID PDE PDEs ODE ODEs USA UK EU MAE MPJPE PA-MPJPE MS-SSIM mAP50 AP50 AP75 GUI GUIs HMI BCI BCIs HMD
    CoM CoG EMG sEMG MEG WiFi Wi-Fi ZigBee Bluetooth MEMS TSP VRP CVRP HyQ HRP-2 HRP-4 HRP5P ASIMO iCub NAO Pepper
    Cassie dVRK YouTube Twitter Facebook Instagram WeChat Weibo Reddit HoloLens Kinect Vicon OptiTrack RealSense
    Velodyne GelSight Jetson Arduino Oculus""".split()
)
#: A measure with its rank: "Hits@3", "NDCG@10".
_AT_RANK: Final = re.compile(
    r"(?:hits?|r(?:ec(?:all)?)?|p(?:rec(?:ision)?)?|acc(?:uracy)?|m?ap|m?rr|ndcg|hr|sr|pass|f1)@[\d.]*k?|(?:top|rank)-[\dk]+",
    re.IGNORECASE,
)
#: What the last word of plain words, or of what an abbreviation stands for, says of them: that they name a measure, a
#: thing to be touched.
_NON_ENTITY_HEADS: Final = frozenset(
    """error errors rate rates score scores index indices ratio ratios accuracy metric metrics measure measures
    robot robots vehicle vehicles sensor sensors actuator actuators manipulator manipulators gripper grippers device
    devices display displays resistor resistors muscle muscles interface interfaces camera cameras problem problems
    language languages surgery disease mass arrival tweezers imaging freedom""".split()
)
#: More measures, robots, tools, agencies and countries, which the decision step learns from.
_PLACES_AND_TOOLS: Final = frozenset(
    """mIOU MOTA MOTP IDF1 HOTA NPMI TurtleBot TurtleBot2 PackBot BarrettHand Raspberry Pi RPi Linux Ubuntu Windows
    Android iOS Cortex-M4 Cortex-M7 ARMv7 ARMv8 OpenMP OpenCL NASA ESA JAXA DARPA NOAA USGS FDA Yahoo Wikipedia
    China India Japan Korea Germany France Italy Spain Brazil Canada Australia Nigeria Kenya Uganda Ethiopia
    Bangladesh Pakistan Indonesia Singapore Taiwan Switzerland Russia Ukraine Europe Africa Asia
    America Earth""".split()
)
#: What ends the names of organisations and places.
_ORGANISATION_HEADS: Final = frozenset(
    """agency university institute institution institutes laboratory laboratories ministry hospital corporation inc ltd
    association department bureau administration republic province ocean""".split()
)
#: Machines, whose names stand beside these words.
_ROBOT_NOUNS: Final = frozenset(
    """robot robots humanoid humanoids quadruped quadrupeds hexapod hexapods gripper grippers manipulator manipulators
    exoskeleton exoskeletons rover rovers quadrotor quadrotors""".split()
)
_NAMING_VERBS: Final = frozenset("called named dubbed termed".split())
#: What kind of thing plain words describe, without naming it.
_METHOD_NOUNS: Final = frozenset("algorithm algorithms method methods approach approaches technique techniques".split())
#: What kind of thing a name is, said behind it.
KIND_NOUNS: Final = frozenset(
    """algorithm algorithms method methods approach approaches technique techniques framework frameworks model models
    architecture architectures dataset datasets benchmark benchmarks""".split()
)
#: What a hyphen ties to a name without belonging to it: "PPO-based", "BERT-style".
HYPHENATED_SUFFIXES: Final = frozenset(
    """based style styled like trained pretrained tuned finetuned generated guided driven aligned initialized
    initialised enabled enhanced augmented inspired powered specific level type distilled conditioned compatible
    equipped agnostic assisted constrained regularized derived induced optimized supervised annotated rated
    labeled labelled""".split()
)

#: What is no name before such a tail: "self-supervised".
_PREFIXES: Final = frozenset("self semi un non pre weakly fully multi cross co end data human well".split())

#: What a technique phrase can end in.
TECHNIQUE_HEADS: Final = frozenset(
    """learning tuning finetuning gradient gradients transformer transformers network networks models model sampling
    attention optimization optimisation cloning distillation critic inference search descent training feedback loss
    algorithm algorithms labeling labelling method modeling modelling minimization maximization iteration thought
    consistency exploration shaping tree trees shooting flow flows pruning decomposition convolution convolutions
    splatting policy policies adapter adapters averaging hashing mixture sensing autoencoder autoencoders mechanism
    pursuit prediction adaptation coding process processes voting matching expansion strategies estimation estimator
    soup nets control guidance selection prompting decoding test tests augmentation debate elimination momentum
    reflection verification perceptron perceptrons entropy functions function motivation regression classifier
    classifiers regularization regularisation normalization normalisation factorization factorisation embedding
    embeddings clustering boosting bagging planning filter filters filtering smoothing programming processing retrieval
    generation quantization propagation machine machines forest forests ensemble ensembles backpropagation dropout
    batchnorm relabeling replay bootstrapping bootstrap rollout rollouts pretraining masking chunking merging editing
    steering unlearning parsing tokenization kernels kernel divergence bandits relaxation approximation calibration
    interpolation transport annealing metropolis equation equations rule solver theory bound bounds reparameterization
    simulation imitation demonstrations conditioning contrast cropping mixup cutout warping registration tracking
    odometry localization fusion rendering fields field diffusion denoising rl hmm crf lstm gru cnn rnn gan vae
    mlp""".split()
)
_PHRASE_STOP_WORDS: Final = frozenset(
    """a an the this that these those of for in on with by from to as at and or but while when where which is are was
    were be been being we our us it its they their than then so such via using use uses used into over under between
    through not no can could may might will would should must has have had do does did how what why who whose both
    either each all any some most many more less other another same new novel proposed existing recent current previous
    prior standard state-of-the-art popular different various several multiple first second two three improved improve
    propose present introduce develop based leveraging applying combining including without within across during
    e.g i.e et al if because since however general generic performant deeper wider larger smaller shallower simple
    effective classic classical traditional conventional vanilla powerful strong weak alongside beyond towards toward
    better faster final plain specific appropriate suitable useful successful advanced sophisticated modern typical
    common certain particular important main key good best underlying resulting whole entire overall additional further
    expensive cheap costly own typical prevalent dominant modified called named dubbed termed""".split()
)


def written_names(doc: Document) -> Iterator[Span]:
    """Token spans that are written like names, with the shorter spans inside them."""
    for first, last in _runs(doc):
        in_title = first < doc.title_tokens
        for a in range(first, last):
            if not _may_bound(doc, a, first):
                continue
            for b in range(a + 1, min(last, a + _MAX_TOKENS) + 1):
                if (
                    _may_bound(doc, b - 1, first, at_end=True)
                    and _balanced(doc, a, b)
                    and _is_plausible(doc, a, b, in_title=in_title)
                ):
                    yield a, b


def _runs(doc: Document) -> Iterator[Span]:
    """Maximal runs of name-like tokens, joined over hyphens and small words between capitals."""
    first: int | None = None
    last = 0
    for i in range(len(doc.words)):
        if first is not None and doc.sentence_of[i] != doc.sentence_of[first]:
            yield first, last
            first = None
        if _name_like(doc, i) or (first is not None and _is_hyphenated_word(doc, i)):
            first, last = (i if first is None else first), i + 1
        elif first is not None and not _may_join(doc, i):
            yield first, last
            first = None
    if first is not None:
        yield first, last


def _name_like(doc: Document, i: int) -> bool:
    return _is_name_like(doc.words[i])


@lru_cache(maxsize=100_000)
def _is_name_like(word: str) -> bool:
    return len(word) <= _LONGEST_WORD and bool(
        STRONG.fullmatch(word) or CAPITALISED.fullmatch(word) or _NUMBER.fullmatch(word)
    )


@lru_cache(maxsize=100_000)
def _is_strong(word: str) -> bool:
    return len(word) <= _LONGEST_WORD and STRONG.fullmatch(word) is not None


def _is_dash(word: str) -> bool:
    return not word.strip(_DASHES)


def _is_hyphenated_word(doc: Document, i: int) -> bool:
    """Whether a plain word is tied by a hyphen to the name before it: "SWE-bench"."""
    before = doc.words[i - 1]
    glued = doc.starts[i] == doc.ends[i - 1] and doc.starts[i - 1] == doc.ends[i - 2]
    return glued and _is_dash(before) and doc.words[i].isalpha()


def _may_join(doc: Document, i: int) -> bool:
    """Whether a token may stand inside a name between two name-like tokens."""
    if i + 1 >= len(doc.words):
        return False
    glued = doc.starts[i] == doc.ends[i - 1]
    if _is_dash(doc.words[i]) or doc.words[i] in {"/", "(", ")", ":", "'s", "’s", "~", "_"}:
        return glued or doc.words[i] in {"'s", "’s"}
    if doc.lower[i] in _CONNECTORS:
        return _name_like(doc, i + 1) or doc.lower[i + 1] in _CONNECTORS
    return _is_dash(doc.words[i + 1]) and doc.starts[i + 1] == doc.ends[i]


def _may_bound(doc: Document, i: int, run: int, *, at_end: bool = False) -> bool:
    """Whether a name may start (or end) with token `i`."""
    word = doc.words[i]
    if _is_dash(word) or word in {"/", ":", "'s", "’s", "~", "_", "("} or (word == ")" and not at_end):
        return False
    if doc.lower[i] in _CONNECTORS or (at_end and _is_hyphenated_suffix(doc, i)):
        return False
    opens_sentence = i == doc.sentences[doc.sentence_of[i]][0]
    return not (word[0].isupper() and doc.lower[i] in CAPITALISED_STOP_WORDS and (opens_sentence or i != run))


def _balanced(doc: Document, a: int, b: int) -> bool:
    return doc.words[a:b].count("(") == doc.words[a:b].count(")")


def _is_hyphenated_suffix(doc: Document, i: int) -> bool:
    tied = (
        doc.words[i] in HYPHENATED_SUFFIXES
        and i > 1
        and _is_dash(doc.words[i - 1])
        and doc.starts[i] == doc.ends[i - 1]
    )
    return tied and doc.lower[i - 2] not in _PREFIXES


def trim(doc: Document, span: Span) -> Span | None:
    """The span without signs at its ends and without what a hyphen ties to it: "BERT" of "BERT-style"."""
    first, last = span
    if last - first > 2 and _is_hyphenated_suffix(doc, last - 1):
        last -= 2
    while first < last and not doc.words[first].strip(_OUTSIDE + "*"):
        first += 1
    while first < last and not doc.words[last - 1].strip(_OUTSIDE):
        last -= 1
    return (first, last) if first < last else None


def is_known_non_entity(doc: Document, span: Span) -> bool:
    """Whether the span is known to be something else, or is written in a script that no name is."""
    text = doc.span_text(*span)
    words = text.split()
    known = words[0] in NON_ENTITY_NAMES and all(w in NON_ENTITY_NAMES or _NUMBER.fullmatch(w) for w in words)
    return known or not _NAME_SCRIPT.search(text)


def is_place_or_tool(doc: Document, span: Span) -> bool:
    """Whether the span is a place, an agency, a tool, or a measure with its rank: "Kenya", "Hits@3"."""
    text = doc.span_text(*span)
    words = text.split()
    known = words[0] in _PLACES_AND_TOOLS and all(w in _PLACES_AND_TOOLS or _NUMBER.fullmatch(w) for w in words)
    ends = len(words) > 1 and words[-1].lower().strip(".") in _ORGANISATION_HEADS
    return known or ends or _AT_RANK.fullmatch(text) is not None


def is_all_caps_title(doc: Document, spans: list[Span]) -> bool:
    """Whether a name stands only in a title all in capitals, and not before its colon: there, capitals show nothing."""
    title, (first, last) = doc.paper.title, spans[0]
    if not title.isupper() or spans[-1][1] > doc.title_tokens or len(title.split()) < _SENTENCE_WORDS:
        return False
    return not (first == 0 and doc.words[last : last + 1] == (":",))


def has_non_entity_head(doc: Document, span: Span) -> bool:
    """Whether the span ends in a word that makes no name: "win rate", "soft robotic gripper"."""
    return span[1] - span[0] > 1 and doc.lower[span[1] - 1] in _NON_ENTITY_HEADS


def is_robot(doc: Document, spans: list[Span]) -> bool:
    """Whether a name is told to be a robot's: "the humanoid robot X", "a robot called X", "the X gripper"."""
    return any(_precedes_robot_noun(doc, last) or _follows_robot_noun(doc, first) for first, last in spans)


def _precedes_robot_noun(doc: Document, at: int) -> bool:
    following = doc.lower[at : at + 2]
    ends = len(following) < 2 or not following[1][0].isalnum() or following[1] in _PHRASE_STOP_WORDS
    return bool(following) and following[0] in _ROBOT_NOUNS and ends


def _follows_robot_noun(doc: Document, at: int) -> bool:
    while at > 1 and (
        doc.lower[at - 1] in _NAMING_VERBS or (doc.lower[at] in _NAMING_VERBS and doc.words[at - 1] == ",")
    ):
        at -= 1
    return at > 0 and doc.lower[at - 1] in _ROBOT_NOUNS


def is_generic_method(doc: Document, span: Span) -> bool:
    """Whether plain words only tell what kind of method is meant: "graph proposal method"."""
    return span[1] - span[0] > 1 and doc.lower[span[1] - 1] in _METHOD_NOUNS


def _is_plausible(doc: Document, a: int, b: int, *, in_title: bool) -> bool:
    words = doc.words[a:b]
    if any(map(_is_strong, words)):
        return b - a == 1 or _name_like(doc, a) or _is_strong(words[-1])
    if not any(CAPITALISED.fullmatch(w) for w in words):
        return False
    if in_title and b - a > 1:
        return a == 0 or _repeated(doc, a, b)
    if b - a == 1 and a == doc.sentences[doc.sentence_of[a]][0] and doc.lower[a] in CAPITALISED_STOP_WORDS:
        return False
    return len(words[0]) > 1 or b - a > 1


def _repeated(doc: Document, a: int, b: int) -> bool:
    phrase = doc.span_text(a, b).lower()
    return phrase in doc.text[doc.ends[doc.title_tokens - 1] :].lower()


def technique_phrases(doc: Document) -> Iterator[Span]:
    """Token spans of plain words that end in a technique's head."""
    for i, word in enumerate(doc.lower):
        if word not in TECHNIQUE_HEADS:
            continue
        words = 0
        for a in range(i, doc.sentences[doc.sentence_of[i]][0] - 1, -1):
            if _is_dash(doc.words[a]):
                continue
            if (
                doc.lower[a] in _PHRASE_STOP_WORDS
                or not (doc.words[a][0].isalnum() or doc.words[a][0] == "_")
                or words == 4
            ):
                break
            words += 1
            if a < i:
                yield a, i + 1
