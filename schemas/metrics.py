"""Metrics: one key for the spellings of a metric, and whether lower or higher values are better."""

from __future__ import annotations

import re
from typing import Final

#: Words of metrics whose lower values are better, in the singular.
_LOWER: Final = frozenset(
    """
    error mistake loss perplexity ppl regret latency delay lag time timestep runtime duration second
    minute hour day cost price expense memory vram ram storage footprint overhead consumption usage
    emission flop mac parameter complexity size step iteration epoch sample query label annotation
    demonstration token call intervention computation bandwidth traffic
    fid fvd kid fad lpips niqe mae mse rmse nrmse rmsd mape mpjpe ape epe ate rpe ade fde minade
    minfde eer wer cer ter der nll ece bpc bpb brier bd chamfer hausdorff wasserstein frechet
    divergence discrepancy deviation variance uncertainty residual gap drop degradation decline
    forgetting failure crash collision violation miss false fpr fnr far frr hallucination toxicity
    harmfulness bias leakage distortion noise artifact drift jitter risk slower slowdown lower fewer
    """.split()
)
#: Words of metrics whose higher values are better, in the singular.
_HIGHER: Final = frozenset(
    """
    accuracy acc accurate precision recall sensitivity specificity f fscore fmeasure auc auroc auprc
    roc ap map ar miou iou dice jaccard jaccardian overlap bleu rouge meteor cider spice chrf comet
    bertscore bleurt psnr ssim mos mrr ndcg dcg hit hr pass em match success win correlation pearson
    spearman kendall kappa agreement mota motp hota idf elo iqm reward return gain improvement
    efficiency throughput speed speedup fps faster acceleration framerate saving reduction
    compression robustness quality fidelity faithfulness harmlessness helpfulness safety diversity
    coverage utility preference preferred completion solve resolved resolution detection correction
    recovery recognition repeatability feasibility optimality consistency stability
    generalization generalisation transferability alignment reliability better higher frame
    efficient effective robust reliable stable precise
    """.split()
)
#: Words that indicate that higher is better, if no other word of the metric decides.
_WEAKLY_HIGHER: Final = frozenset({"score", "rating", "performance", "efficacy", "top", "point"})
#: Metrics that attackers want high and defenders want low, and words that are not metrics here.
_UNDECIDED: Final = re.compile(
    r"\b(?:attack success|asr|bypass(?:es)?|jailbreak\w*|effect size|batch size|real-time)\b"
)
_PER_TIME: Final = re.compile(r"(?:\bper |/ ?)(?:s|sec|second|minute|hour)s?\b")
_HEAD_ENDS: Final = re.compile(r"\b(?:of|in|on|for|to|per|over|at|with|between|under)\b|/")
#: Canonical names of well-known metrics, by their spelling after folding.
_CANONICAL: Final = {
    "acc": "accuracy",
    "f measure": "f score",
    "frame per second": "fps",
    "mean average precision": "map",
    "mean intersection over union": "miou",
    "intersection over union": "iou",
    "word error rate": "wer",
    "character error rate": "cer",
    "equal error rate": "eer",
    "mean absolute error": "mae",
    "mean squared error": "mse",
    "mean square error": "mse",
    "root mean squared error": "rmse",
    "root mean square error": "rmse",
    "mean reciprocal rank": "mrr",
    "frechet inception distance": "fid",
    "speed up": "speedup",
}
_KEEP_S: Final = frozenset({"loss", "miss", "pass", "success", "bias", "mos"})


def metric_key(metric: str) -> str:
    """Return the key that all spellings of a metric share; "" for a metric without letters.

    Case, plural, hyphens, markup and "score" after an abbreviation do not count. Qualifiers do:
    "top-1 accuracy", "average accuracy" and "accuracy" have three keys.
    """
    words = [_singular(word) for word in re.findall(r"[^\W_@]+(?:@[^\W_@]+)?", _plain(metric))]
    if len(words) == 2 and words[1] == "score" and _is_abbreviation(metric, words[0]):
        words.pop()
    key = " ".join(words)
    return _CANONICAL.get(key, key)


def lower_is_better(metric: str) -> bool | None:
    """Return whether a lower value is better; None if the words of the metric do not indicate it.

    The last known word of the noun phrase decides; the head takes precedence over the words after a
    preposition. Lower is better for "error rate" and "accuracy drop", higher is better for "error
    reduction", and "time to find an accurate solution" is a time. Two metrics must agree: "latency
    and throughput" do not.
    """
    plain = _plain(metric)
    if _UNDECIDED.search(plain):
        return None
    if _PER_TIME.search(plain):
        return bool(re.match(r"(?:errors?|failures?|collisions?)\b", plain))
    decisions = {_is_lower_better(part) for part in re.split(r"\band\b|,|&", plain)} - {None}
    return decisions.pop() if len(decisions) == 1 else None


def _is_lower_better(plain: str) -> bool | None:
    """Return whether lower is better for one metric, or None if its words do not indicate it."""
    phrases = [_words(phrase) for phrase in _HEAD_ENDS.split(plain)]
    for words in phrases:
        for word in reversed(words):
            if word in _LOWER or word in _HIGHER:
                return word in _LOWER
    if any(word in _WEAKLY_HIGHER for words in phrases for word in words):
        return False
    return None


def _plain(metric: str) -> str:
    text = re.sub(r"\\(?:text|mathrm|mathbf|textbf|emph|textit)\b|[\\${}*]", "", metric)
    return text.casefold().replace("é", "e")


def _words(phrase: str) -> list[str]:
    """Return the words in the singular, each without a number at its end (AP50, pass@1, top-5)."""
    found = [re.sub(r"(?:@\S*|\d+)$", "", word) for word in re.findall(r"[^\W_]+(?:@\S*)?", phrase)]
    return [_singular(word) for word in found if word]


def _singular(word: str) -> str:
    if word in _KEEP_S or len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith("sses") else word[:-1]


def _is_abbreviation(metric: str, word: str) -> bool:
    """Return whether the metric spells the word with capitals inside, digits or an at sign."""
    spelled = re.search(re.escape(word), metric, re.IGNORECASE)
    return bool(spelled and re.search(r"\d|.[A-Z]", spelled.group()))
