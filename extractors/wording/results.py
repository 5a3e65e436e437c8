"""Words around reported results: units, measures, changes and comparisons."""

from __future__ import annotations

from typing import Final

from citekg.extractors.wording.stop_words import OWN_WORK

#: Words before a value that do not change it: "by up to about 5 %". They are not features.
APPROXIMATIONS: Final = frozenset(
    """about approximately around roughly nearly almost up over under above below within only just merely mere
    additional further exactly even respectively approx ca circa some at least most as low high little many much
    than more less beyond close average averaged mean""".split()
)
#: Words that are left out of the context of a value at any position.
SKIPPED: Final = frozenset(
    """a an the its their our his her this that these those also very even just only both impressive remarkable
    significant significantly substantially notably respectively approximately nearly about around almost roughly
    overall remarkably average " “ ” ‘ ’ ' ` `` '' $ ~ \\ * ^ { } & < > = ≈ ∼ > < ≥ ≤""".split()
)
#: The articles and possessives among them: a noun phrase begins after them.
DETERMINERS: Final = frozenset("a an the its their our his her this that these those".split())

#: Words that state an increase or a decrease; the others state that something gets better or worse,
#: whose direction depends on the metric.
CHANGE_WORDS: Final[dict[str, str]] = {
    word: kind
    for kind, words in {
        "up": """increase increases increased increasing raise raises raised raising grow grows growth higher greater
        larger longer more bigger faster gain gains gained boost boosts boosted boosting double doubles doubled doubling
        triples tripling speedup speedups speed ups accelerate accelerates accelerated accelerating acceleration lift
        lifts rise rises rising increment surpass surpasses surpassing surpassed outperform outperforms outperforming
        outperformed exceed exceeds exceeding exceeded beat beats beating quicker higher-than stronger bring brings""",
        "down": """reduce reduces reduced reducing reduction reductions decrease decreases decreased decreasing drop drops
        dropped dropping lower lowers lowered lowering less fewer smaller shorter cut cuts cutting save saves saved saving
        savings decline declines declined degrade degrades degraded degradation degradations loss lose loses losing fall
        falls falling shrink shrinks shrinking halve halves halving halved cheaper lighter compress compresses compressed
        minimize minimizes minimized deteriorate deterioration slower slowdown slimmer closing closes lag lags behind
        underperform underperforms shrunk""",
        "better": """improve improves improved improving improvement improvements better enhance enhances enhanced enhancing
        enhancement enhancements superior advance advances advancing advantage margin margins
        ahead""",
        "worse": "worse worsen worsens worsened inferior gap gaps deficit",
        "change": "difference differences change changes changed relative absolute delta vary varies varied",
    }.items()
    for word in words.split()
}
#: Verbs and nouns by which a level is reported.
REPORT_WORDS: Final = frozenset(
    """achieve achieves achieved achieving attain attains attained attaining reach reaches reached reaching obtain obtains
    obtained obtaining score scores scored scoring yield yields yielded yielding record records recorded recording get
    gets got report reports reported show shows showed shown demonstrate demonstrates demonstrated give gives gave
    giving provide provides provided deliver delivers delivered delivering run runs running perform performs performed
    result results resulted resulting maintain maintains maintained maintaining retain retains retaining find found
    exhibit exhibits exhibited solve solves solved solving secure secures produce produces produced measured observed
    estimated is was are were has had have lead leads leading led enable enables enabling""".split()
)
#: Words between a result and the name of what it is compared with.
VERSUS_WORDS: Final = frozenset(
    """than over versus vs against compared comparison relative outperform outperforms outperformed outperforming
    surpass surpasses surpassed surpassing exceed exceeds exceeding exceeded beat beats beating beaten unlike
    compare compares comparable contrast relative""".split()
)
#: Last words of unnamed rivals, and words that make a rival an unnamed one.
UNNAMED_RIVALS: Final = frozenset(
    """baseline baselines method methods approach approaches work works art sota state-of-the-art model models algorithm
    algorithms technique techniques results result competitors competitor alternatives alternative one ones solution
    solutions system systems counterpart counterparts best previous prior existing others them all literature
    performance""".split()
)
#: Nouns of measures: the last word of most phrases that name a metric.
MEASURES: Final = frozenset(
    """accuracy accuracies precision recall f1 f-score f1-score f-measure f-measurement score scores rate rates error errors
    performance map ap iou miou miou auc auroc bleu rouge meteor psnr ssim fid lpips wer cer perplexity loss reward
    rewards return returns latency throughput speed speeds time times runtime memory cost costs usage consumption energy
    power efficiency flops parameters computation computations overhead bandwidth size frequency success fps quality
    robustness correlation deviation rmse mae mse ndcg mrr dice jaccard sensitivity specificity r2 ratio ratios distance
    iterations steps samples training inference speedup speed-up speedups acceleration compression pass@1 pass@k top-1
    top-5 win winrate coverage utilization complexity regret preference agreement hit epe ade fde pck mota idf1 hota eer
    mcd mos pesq asr iqm generalization faster slower cheaper accurate reliability stability fidelity footprint
    storage tokens calls queries interventions collisions annotations labels data rank-1 hota tops fidelity gap
    hallucination hallucinations diversity alignment tolerance repeatability resolution range duration probability
    likelihood odds confidence toxicity""".split()
)
#: Nouns of counts that are not results: sizes, settings and the like.
SIZES: Final = frozenset(
    """images image videos video samples sample papers tasks datasets benchmarks languages participants subjects users
    people classes categories categories examples instances questions sentences words documents objects environments
    models parameters layers epochs domains scenes hours nodes agents robots patients studies pairs articles tweets
    annotations frames clips utterances speakers points dimensions seeds runs trials demonstrations gpus""".split()
)
#: Words that end a noun phrase of a measure, or do not belong to one.
PHRASE_BREAKS: Final = frozenset(
    """of in on at by for with to from into onto via per and or but while when where which that who whose as than over
    under between among across during after before through without within against toward towards using based given
    is are was were be been being has have had do does did can could may might will would should must we it they he
    she i you our us them not no nor so if because since although though however moreover furthermore also then thus
    therefore hence there here what how why e.g i.e etc such like including up out about more most less fewer least
    much many several few some any each every all both other another same respectively compared comparison relative
    absolute additional significant significantly substantially substantial , . ; : ! ? ( ) [ ] / - – — -- | + %
    our's 's ’s art state-of-the-art sota state previous prior existing current best terms term margin margins
    points point percent percentage times fold x × factor factors order orders magnitude respectively only even
    still yet further furthermore average improvement improvements improving improve improves improved increase
    increases increased increasing reduction reductions reduce reduces reduced reducing decrease decreases decreased
    decreasing gain gains gained boost boosts boosted boosting drop drops dropped saving savings save saves saved
    degradation lower higher better worse greater larger smaller superior enhancement enhance enhances enhanced
    achieve achieves achieved achieving attain attains attained attaining reach reaches reached reaching obtain obtains
    obtained obtaining scores scored scoring yield yields yielded yielding record records recorded recording get gets
    got report reports reported show shows showed shown demonstrate demonstrates demonstrated give gives gave giving
    provide provides provided providing deliver delivers delivered delivering run runs running perform performs
    performed resulting maintain maintains maintained maintaining retain retains retaining find found exhibit
    exhibits exhibited solve solves solved produce produces produced measured observed estimated lead leads leading
    led enable enables enabling enabled outperform outperforms outperformed outperforming surpass surpasses surpassed
    surpassing exceed exceeds exceeding exceeded beat beats beating require requires required requiring use uses used
    need needs needed take takes took taking set setting sets keep keeps keeping cut cuts cutting raise raises raising
    respect comparable competitive considerable notable remarkable impressive average averaged relative up-to
    dropping boosting lowering lowers lowered shows offering offers offer accelerate accelerates accelerated
    accelerating double doubles doubling triples by exceeding improves""".split()
)
#: Words at the edge of a phrase that are not part of a measure.
EDGE_WORDS: Final = frozenset(
    """high good strong new overall final total-only only impressive state-of-the-art remarkable significant relative
    absolute strong excellent promising similar comparable competitive our proposed full whole entire real""".split()
)
#: Words by which the authors refer to their own work.
OWN_SUBJECTS: Final = OWN_WORK | {"it", "its"}
#: Words that separate the clauses of a sentence.
CLAUSE_BREAKS: Final = frozenset(", ; : ( ) while whereas and but with when where which".split())
