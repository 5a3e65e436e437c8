"""Verbs and other governing words that indicate the role of the name next to them."""

from __future__ import annotations

from typing import Final

#: Verbs and prepositions before a name, each with the kind of use that it suggests.
CUE_KINDS: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        "new": """propose proposes proposed introduce introduces introduced introducing present presents presented
        develop
        develops developed release releases released call called named dubbed termed coined design devise describe
        proposing presenting novel new namely""",
        "eval": """evaluate evaluates evaluated evaluation evaluations experiments experiment tested benchmarks
        benchmark
        results achieves achieve achieving performance datasets tasks on across demonstrate validate validated""",
        "data": "trained train training pretrained corpus dataset collected annotated samples",
        "use": "use uses used using via with leverage leverages apply applying employ adopt based through by combining",
        "versus": """outperforms outperform outperforming surpasses surpassing exceeds compared versus vs than against
        baselines baseline beats comparable unlike""",
        "tune": "fine finetune finetuned tune tuned tuning initialized distilled on",
        "like": "like as including e.g eg such",
    }.items()
    for word in words.split()
}
#: Tokens between the noun that states a type and the name: "the benchmark called Kite".
NAMING_WORDS: Final = frozenset(
    ', : ( - – — called named dubbed termed coined namely as denoted the " “ ‘'.split()
)
#: Stems of participles of what the authors have changed, and their pattern: "a modified Kite".
CHANGED_STEMS: Final = tuple(
    """revis refin rework redesign modifi improv enhanc adapt tailor simplifi reformulat generali accelerat customi
    augment stabili""".split()
)
CHANGED: Final = rf"(?:(?:{'|'.join(CHANGED_STEMS)})[sz]?ed)"
#: Participles that introduce a name.
NAMING_VERBS: Final = frozenset("called named dubbed termed".split())
#: Words near a name that suggest its role; the features include the side on which they occur.
ROLE_CUES: Final = frozenset(
    """propose proposes proposed introduce introduces introduced introducing present presents presented develop
    develops developed release releases released call called named dubbed termed coin coined design devise our we this
    novel new use uses used using utilize utilizes via leverage leverages leveraging apply applies applied applying
    employ employs adopt adopts based build builds built upon extend extends extended extending generalize generalizes
    generalizing modify modified improve improves improving augment adapt adapts adapting combine combines combining
    integrate integrates integrating variant inspired evaluate evaluates evaluated evaluating evaluation experiments
    experiment test tested results on across benchmark benchmarks datasets dataset tasks achieves achieve performance
    train trains trained training pretrained finetune fine tune tuned tuning data corpus collected
    outperform outperforms outperforming surpass surpasses surpassing exceed exceeds compare compares compared
    comparison comparable versus vs than unlike contrast baselines baseline against beats competitive state art over
    such as like including e.g recent previous existing prior recently popular traditional conventional
    however while although methods models approaches typically often suffer suffers limited challenge despite
    successful success not without instead requires require rely relies existing widely analyze analyse study
    investigate theoretical prove show shows bound convergence survey review discuss demonstrate demonstrates named
    initialize initialized initializing distill distilled backbone reward optimize optimized optimizing""".split()
)
#: Governing words by what the sentence does: the nearest one governs a name, also after a long
#: list.
GOVERNING_WORDS: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        "introduce": """propose proposes proposed proposing introduce introduces introduced introducing present presents
        presented presenting develop develops developed developing release releases released releasing construct
        constructs constructed create creates created creating design designs designed devise devised derive derived
        call called named dubbed termed coined contribute establish establishes build curate curated""",
        "versus": """outperform outperforms outperformed outperforming surpass surpasses surpassed surpassing exceed
        exceeds exceeding beat beats beating compare compares compared comparing comparison comparable versus vs than
        unlike contrast baseline baselines competitive superior inferior against matches matching rivals""",
        "evaluate": """evaluate evaluates evaluated evaluating evaluation evaluations experiment experiments test tested
        testing benchmarks benchmark results validate validated demonstrate demonstrated achieves achieve achieving""",
        "use": """use uses used using utilize utilizes utilizing via leverage leverages leveraging apply applies applied
        applying employ employs employing adopt adopts adopted adopting combine combines combining integrate integrates
        integrating incorporate incorporates incorporating initialize initialized""",
        "extend": """extend extends extended extending generalize generalizes generalizing modify modified modifies
        augment augments augmenting adapt adapts adapted adapting upon subsumes variant improves improve improving
        improved enhance enhances enhancing accelerate accelerating""",
        "train": "train trains trained training finetune finetuned tune tuned tuning pretrained distill distilled",
        "study": "study studies studying analyze analyzes analyzing analyse investigate investigates examine revisit",
        "like": "like including e.g such",
        "background": "recent recently existing previous prior traditional conventional widely popular typically often",
        "but": "however although despite while suffers suffer limited fail fails struggle",
    }.items()
    for word in words.split()
}
#: Pattern of the verbs of superiority, in any form.
OUTPERFORM: Final = r"outperform\w*|surpass\w*|exceed\w*"
#: Pattern of the verbs by which authors introduce an entity of their own.
PROPOSE: Final = (
    r"(?:propos(?:e|es|ing)|introduc(?:e|es|ing)|present(?:s|ing)?|releas(?:e|es|ing)|develop(?:s|ing)?|design"
    r"|open-?sourc(?:e|es|ing)|devise|describes?|contributes?|construct(?:s|ing)?|curate|establish)(?: and \w+)?"
)
#: Pattern of further verbs by which authors introduce their own data sets and benchmarks.
MAKE: Final = (
    r"(?:build(?:s|ing)?|creat(?:e|es|ing)|collect(?:s|ing)?|provid(?:e|es|ing)|compil(?:e|es|ing)|offer(?:s|ing)?"
    r"|gather(?:s|ing)?|annotat(?:e|es|ing)|assembl(?:e|es|ing))(?: and \w+)?"
)
