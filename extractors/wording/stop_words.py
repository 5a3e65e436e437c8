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
#: Words that no technique phrase holds.
PHRASE_STOP_WORDS: Final = frozenset(
    """a an the this that these those of for in on with by from to as at and or but while when
    where which is are was were be been being we our us it its they their than then so such via
    using use uses used into over under between through not no can could may might will would
    should must has have had do does did how what why who whose both either each all any some
    most many more less other another same new novel proposed existing recent current previous
    prior standard state-of-the-art popular different various several multiple first second two
    three improved improve propose present introduce develop based leveraging applying combining
    including without within across during e.g i.e et al if because since however general
    generic performant deeper wider larger smaller shallower simple effective classic classical
    traditional conventional vanilla powerful strong weak alongside beyond towards toward better
    faster final plain specific appropriate suitable useful successful advanced sophisticated
    modern typical common certain particular important main key good best underlying resulting
    whole entire overall additional further expensive cheap costly own typical prevalent
    dominant modified called named dubbed termed""".split()
)
#: Small words that may stand inside a name ("Mixture of Experts"), but not at its ends.
CONNECTORS: Final = frozenset("of for in to and the with from on via by a an as through".split())
#: First parts of ordinary compounds, before one of the suffixes below: "self-supervised".
PREFIXES: Final = frozenset(
    "self semi un non pre weakly fully multi cross co end data human well".split()
)
#: Participles and nouns behind the hyphen of a name, outside the name: "PPO-based", "BERT-style".
HYPHENATED_SUFFIXES: Final = frozenset(
    """based style styled like trained pretrained tuned finetuned generated guided driven
    aligned initialized initialised enabled enhanced augmented inspired powered specific level
    type distilled conditioned compatible equipped agnostic assisted constrained regularized
    derived induced optimized supervised annotated rated labeled labelled""".split()
)
#: Words that open no long form of an abbreviation, unless its letters need them.
LONG_FORM_STOP_WORDS: Final = frozenset(
    "a an the our this that these those we and or of for in on with via by from to as is are using called named "
    "propose introduce present new novel framework algorithm method model approach dataset benchmark".split()
)
#: Words of a long form that give its short form no letter.
SMALL_WORDS: Final = CONNECTORS | {"at"}
#: Words that begin, end or interrupt the name that a cue of a schema file finds.
CUE_STOP_WORDS: Final = frozenset(
    """about across after against all along also although among an and any are around as at be
    because been before being beneath between both but by can could despite did do does due
    during each either every few for from had has have having he her his how if in into is it
    its least less many may might more most much must near neither no nor not of off on onto or
    our out over per rather same she should since so some such than that the their them then
    there these they this those though through thus to toward towards under until up upon us
    using versus via was we were what when where whether which while who whom whose why will
    with within without would yet achieve achieves affect affects appear appears associate
    become becomes cause causes compare compares contain contains contribute contributes
    decrease decreases define defines demonstrate demonstrates describe describes detect detects
    develop develops drive drives enable enables evaluate evaluates examine examines exhibit
    exhibits find finds found gave give gives identify identifies improve improves include
    includes increase increases indicate indicates induce induces inhibit inhibits introduce
    introduces investigate investigates involve involves lack lacks lead leads led made make
    makes measure measures mediate mediates need needs observe observes occur occurs play plays
    predict predicts present presents prevent prevents produce produces promote promotes propose
    proposes provide provides reduce reduces regulate regulates remain remains report reports
    represent represents require requires respond responds reveal reveals saw see sees seen show
    shows study studies suffer suffers suggest suggests support supports take takes target
    targets test tests treat treats trigger triggers undergo undergoes underwent use uses used
    accelerate accelerates address addresses advance advances aid aids allow allows assist
    assists boost boosts build builds built create creates design designs employ employs enhance
    enhances ensure ensures explore explores extend extends facilitate facilitates foster
    fosters generate generates get guide guides handle handles help helps highlight highlights
    integrate integrates keep keeps learn learns leverage leverages let limit limits maintain
    maintains offer offers optimize optimizes outperform outperforms perform performs prove
    proves reach reaches replace replaces select selects serve serves share shares solve solves
    tackle tackles teach teaches train trains unlock unlocks utilize utilizes want wants work
    works yield yields accurate automatic better best complex downstream effective efficient
    entire final full future general good high-quality important large larger latest multiple
    next open original overall own possible potential practical real robust scalable simple
    single small special strong successful traditional typical unseen useful whole e.g i.e etc
    areas cases tasks""".split()
)
#: Words that end the noun phrase behind an article.
PHRASE_ENDS: Final = frozenset(
    ", . ; : ( ) which that for of to with where whose in on by from and is are consisting comprising".split()
)
ARTICLES: Final = frozenset({"a", "an", "the", "our", "one"})
#: Prepositions and conjunctions after which another phrase begins, so that no name ends with them.
PREPOSITIONS: Final = frozenset("as at by for from of on than using via with".split())
#: Words of a sentence about the authors' own work.
OWN_WORK: Final = frozenset({"we", "our", "ours", "us", "this", "proposed"})
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
