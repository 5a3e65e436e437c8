"""Stop words: words that never begin, end or interrupt a name, grouped by step."""

from __future__ import annotations

from typing import Final

#: Words with a capital because they open a sentence or name a part of a paper.
CAPITALISED_STOP_WORDS: Final = frozenset(
    """a an the this that these those we our it its in on for with by from to of as at and or
    but while when where which however moreover furthermore additionally specifically notably
    finally first second third recently here there both each such although despite given since
    if unlike compared using based through via extensive experiments experimental results
    empirically theoretically code codes project website page data github https http arxiv et al
    i ii iii iv figure table section appendix theorem lemma they their many most some recent
    existing prior previous one two three to many thus therefore hence then also not no all any
    can how what why adding removing introducing combining applying leveraging incorporating
    replacing""".split()
)
#: Function words and plain words of papers, which do not begin, end or interrupt a phrase or a
#: name.
PLAIN_WORDS: Final = frozenset(
    """an the this that these those of for in on with by from to as at and or but while when
    where which is are was were be been being we our us it its they their than then so such via
    using use uses used into over under between through not no can could may might will would
    should must has have had do does did how what why who whose both either each all any some
    most many more less same multiple improve propose present introduce develop without within
    across during e.g i.e if because since general larger simple effective traditional strong
    towards toward better final useful successful typical important good best whole entire
    overall own""".split()
)
#: Words that no technique phrase contains.
PHRASE_STOP_WORDS: Final = PLAIN_WORDS | frozenset(
    """a other another new novel proposed existing recent current previous prior standard
    state-of-the-art popular different various several first second two three improved based
    leveraging applying combining including et al however generic performant deeper wider
    smaller shallower classic classical conventional vanilla powerful weak alongside beyond
    faster plain specific appropriate suitable advanced sophisticated modern common certain
    particular main key underlying resulting additional further expensive cheap costly prevalent
    dominant modified called named dubbed termed unlike""".split()
)
#: Function words that may occur inside a name ("Mixture of Experts"), but not at its ends.
CONNECTORS: Final = frozenset("of for in to and the with from on via by a an as through".split())
#: First parts of ordinary compounds, before one of the suffixes below: "self-supervised".
PREFIXES: Final = frozenset(
    "self semi un non pre weakly fully multi cross co end data human well".split()
)
#: Participles and nouns after the hyphen of a name, outside the name: "PPO-based", "BERT-style".
HYPHENATED_SUFFIXES: Final = frozenset(
    """based style styled like trained pretrained tuned finetuned generated guided driven
    aligned initialized initialised enabled enhanced augmented inspired powered boosted free only specific level
    type distilled conditioned compatible equipped agnostic assisted constrained regularized
    derived induced optimized supervised annotated rated labeled labelled""".split()
)
#: Words that open no long form of an abbreviation, unless its letters need them.
LONG_FORM_STOP_WORDS: Final = frozenset(
    "a an the our this that these those we and or of for in on with via by from to as is are using called named "
    "propose introduce present new novel framework algorithm method model approach dataset benchmark".split()
)
#: Words in lower case that no long form has after its first word: they belong to a clause.
WORDS_IN_NO_LONG_FORM: Final = frozenset("our which that is are we new novel".split())
#: Words of a long form that may have no letter in its short form.
FUNCTION_WORDS: Final = CONNECTORS | {"at"}
#: Words that begin, end or interrupt the name that a cue of a schema file finds.
CUE_STOP_WORDS: Final = PLAIN_WORDS | frozenset(
    """about after against along also although among around before beneath despite due every few
    having he her his least much near neither nor off onto out per rather she them there though
    thus until up upon versus whether whom yet achieve achieves affect affects appear appears
    associate become becomes cause causes compare compares contain contains contribute
    contributes decrease decreases define defines demonstrate demonstrates describe describes
    detect detects develops drive drives enable enables evaluate evaluates examine examines
    exhibit exhibits find finds found gave give gives identify identifies improves include
    includes increase increases indicate indicates induce induces inhibit inhibits introduces
    investigate investigates involve involves lack lacks lead leads led made make makes measure
    measures mediate mediates need needs observe observes occur occurs play plays predict
    predicts presents prevent prevents produce produces promote promotes proposes provide
    provides reduce reduces regulate regulates remain remains report reports represent
    represents require requires respond responds reveal reveals saw see sees seen show shows
    study studies suffer suffers suggest suggests support supports take takes target targets
    test tests treat treats trigger triggers undergo undergoes underwent accelerate accelerates
    address addresses advance advances aid aids allow allows assist assists boost boosts build
    builds built create creates design designs employ employs enhance enhances ensure ensures
    explore explores extend extends facilitate facilitates foster fosters generate generates get
    guide guides handle handles help helps highlight highlights integrate integrates keep keeps
    learn learns leverage leverages let limit limits maintain maintains offer offers optimize
    optimizes outperform outperforms perform performs prove proves reach reaches replace
    replaces select selects serve serves share shares solve solves tackle tackles teach teaches
    train trains unlock unlocks utilize utilizes want wants work works yield yields accurate
    automatic complex downstream efficient full future high-quality large latest next open
    original possible potential practical real robust scalable single small special unseen etc
    areas cases tasks""".split()
)
#: Words that end the noun phrase after an article.
PHRASE_ENDS: Final = frozenset(
    ", . ; : ( ) which that for of to with where whose in on by from and is are consisting comprising".split()
)
ARTICLES: Final = frozenset({"a", "an", "the", "our", "one"})
#: Prepositions and conjunctions after which another phrase begins, so that no name ends with them.
PREPOSITIONS: Final = frozenset("as at by for from of on than using via with".split())
#: Words that denote the authors, and nouns that denote their paper after "this".
AUTHORS: Final = frozenset({"we", "our", "ours", "us"})
PAPER_NOUNS: Final = frozenset("paper work article study report letter research thesis".split())
#: Words of a sentence about the authors' own work.
OWN_WORK: Final = AUTHORS | {"this", "proposed"}
#: Words between a subject and its verb.
AUXILIARIES: Final = frozenset(
    "also are can could does even has have is may often performs still was were will works".split()
)
#: Tokens between a name and the article of its apposition.
BEFORE_ARTICLE: Final = frozenset({",", "(", ")", "is", "are", "was", "as", ":", "-", "–", "—"})
#: Words whose full stop ends no sentence.
ABBREVIATED_WORDS: Final = frozenset(
    "al e.g i.e eg ie cf vs etc fig eq sec no dr st approx resp w.r.t".split()
)
