"""Training of the choice model of results from annotated papers.

Usage: `python -m citekg.extractors.training.results TRAIN.jsonl UNLABELLED.jsonl.gz...
[--cross-validate PREDICTED.jsonl]`

Each line of TRAIN.jsonl holds id, title, abstract and results, as the guidelines of the annotation
describe. The project's own annotations (`annotations/results/`) are added if the unlabelled papers
hold their texts. With `--cross-validate`, the command writes predictions for each paper of
TRAIN.jsonl from a model that was trained on the papers of the other folds, in the form that
`kg extract` prints. Without, it writes the shipped weights, with a calibration that is fitted on
cross-validated predictions. Requires numpy alone; the seed is fixed.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from citekg.extractors.gold import normalise
from citekg.extractors.nlp import Document
from citekg.extractors.pipeline import ExtractionPipeline
from citekg.extractors.results import extract
from citekg.extractors.results.choice import FILE_NAME, Answer, ChoiceModel, Option, columns
from citekg.extractors.results.extract import find_results
from citekg.extractors.results.features import DraftResult, NameCandidate, ResultContext
from citekg.extractors.results.records import make_records
from citekg.extractors.results.values import Value, find_values
from citekg.extractors.training.annotated import read_rows, with_own_annotations
from citekg.schemas.records import Paper, PaperEntity, Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The folds of the cross-validation: paper i belongs to fold i % FOLDS.
FOLDS: Final = 5
_OWN_FILES: Final = Path(__file__).parent / "annotations" / "results"
_WEIGHTS: Final = Path(__file__).parent.parent / "weights" / FILE_NAME
#: L2 regularisation, the share of the features that each step leaves out (dropout; Srivastava et
#: al. 2014), the number of steps and the learning rate, by cross-validation.
_PENALTY: Final = 1.2
_DROPOUT: Final = 0.5
_SEED: Final = 1
_STEPS: Final = 200
_RATE: Final = 0.1

_NUMBER_WORDS: Final = {
    word: n
    for n, word in enumerate("zero one two three four five six seven eight nine ten".split())
}


@dataclass(frozen=True)
class Annotated:
    """An annotated paper with what the pipeline found in it."""

    row: dict[str, Any]
    doc: Document
    entities: tuple[PaperEntity, ...]
    mentions: Sequence[Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class Question:
    """A question with the hashed features of its options, and the options that are right."""

    task: str
    options: list[list[int]]
    right: list[int]


@dataclass
class Annotations:
    """A chooser that answers as annotated, and records each question with a known answer."""

    paper: Annotated
    questions: list[Question] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.values = find_values(self.paper.doc.text)
        self.gold, self.ignored = align(self.paper, self.values)
        self.forms = [{normalise(s) for s in (*e.surfaces, e.name)} for e in self.paper.entities]

    def choose(self, task: str, value: int, options: Sequence[Option]) -> Answer:
        """Return the annotated answer; a question that has none is not recorded."""
        if value in self.ignored:
            return Answer(0, 1.0)
        right = self._right(task, self.gold.get(value), options)
        if right and len(options) > 1:
            hashed = [[*columns(task, option.features)] for option in options]
            self.questions.append(Question(task, hashed, right))
        return Answer(right[0] if right else 0, 1.0)

    def _right(
        self, task: str, gold: dict[str, Any] | None, options: Sequence[Option]
    ) -> list[int]:
        if gold is None:
            return [0]
        if task in (extract.KIND, extract.DIRECTION):
            return [i for i, o in enumerate(options) if o.content == gold[task]]
        if task == extract.METRIC:
            return _right_metrics(gold, [o.content[0] for o in options])
        accepted = [gold, *gold.get("also", ())]
        names = {normalise(name) for each in accepted for name in each[task]}
        if task == extract.SYSTEM and gold[task] == ["ours"]:
            return [0]
        if task == extract.SYSTEM:
            return [
                i
                for i, o in enumerate(options)
                if o.content is not None and not names.isdisjoint(self._names(o.content))
            ]
        return [
            i
            for i, o in enumerate(options)
            if any(self._is_set(each[task], o.content) for each in accepted)
        ]

    def _is_set(self, wanted: Sequence[str], names: Sequence[Any]) -> bool:
        """Return whether a set of candidates holds the wanted names, each once."""
        forms = [self._names(name) for name in names]
        return len(wanted) == len(names) and all(
            any(normalise(each) in own for own in forms) for each in wanted
        )

    def agrees(self, gold: dict[str, Any], draft: DraftResult) -> bool:
        """Return whether kind, direction, metric and data of a result are as annotated."""
        return (draft.kind, draft.direction) == (gold["kind"], gold["direction"]) and any(
            _same_metric(each["metric"], draft.metric_key) and self._is_set(each["on"], draft.on)
            for each in (gold, *gold.get("also", ()))
        )

    def _names(self, candidate: NameCandidate) -> set[str]:
        if candidate.entity >= 0:
            return self.forms[candidate.entity]
        return {normalise(self.paper.doc.span_text(*candidate.span))}


def _right_metrics(gold: dict[str, Any], keys: Sequence[str]) -> list[int]:
    """Return the numbers of the options that agree best with the annotated metric."""
    if not gold["metric"]:
        return [i for i, key in enumerate(keys) if not key]
    wanted = _words(gold["metric"])
    overlap = [
        len(wanted & _words(key)) / len(wanted | _words(key)) if key else 0.0 for key in keys
    ]
    best = max(overlap)
    inside = any(
        _words(key) & wanted and (_words(key) <= wanted or wanted <= _words(key))
        for key in keys
        if key
    )
    if best < 0.5 and not inside:
        return []
    return [i for i, each in enumerate(overlap) if each == best]


def _same_metric(wanted: str, found: str) -> bool:
    first, second = _words(wanted), _words(found)
    if not first or not second:
        return first == second
    shared = len(first & second) / len(first | second)
    return first <= second or second <= first or shared >= 0.5


def _words(text: str) -> set[str]:
    words = re.findall(r"[a-z0-9@]+", text.casefold())
    return {w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in words}


def number_key(text: str) -> str:
    """Return the numbers of a value, independent of its spelling.

    >>> number_key("1,000 steps"), number_key("two orders of magnitude"), number_key("twice")
    ('1000', '2', 'twice')
    """
    folded = text.casefold().replace("\\", "").replace(",", "")
    found = [f"{float(n):g}" for n in re.findall(r"\d+(?:\.\d+)?|\.\d+", folded)]
    found += [str(_NUMBER_WORDS[w]) for w in re.findall(r"[a-z]+", folded) if w in _NUMBER_WORDS]
    return "/".join(found) or normalise(text)


def align(paper: Annotated, values: Sequence[Value]) -> tuple[dict[int, dict[str, Any]], set[int]]:
    """Return the annotation of each value, and the values that are neither right nor wrong.

    These are optional ones, and those that repeat an annotated number.
    """
    text = paper.doc.paper.text
    spans = [paper.doc.original_span(v.start, v.end) for v in values]
    keys = [number_key(v.text) for v in values]
    gold: dict[int, dict[str, Any]] = {}
    ignored: set[int] = set()
    for row in paper.row["results"]:
        start, end = _place(row, text)
        same = [i for i, key in enumerate(keys) if key == number_key(row["value"])]
        free = [i for i in same if i not in gold and i not in ignored]
        inside = [i for i in free if start < spans[i][1] and spans[i][0] < end]
        for i in (inside or free)[:1]:
            if row["optional"]:
                ignored.add(i)
            else:
                gold[i] = row
    known = {keys[i] for i in (*gold, *ignored) if values[i].kind or values[i].shape == "decimal"}
    ignored |= {i for i, key in enumerate(keys) if key in known and i not in gold}
    return gold, ignored


def _place(row: dict[str, Any], text: str) -> tuple[int, int]:
    """Return the span of the text that holds an annotated value: its quote, or the value itself."""
    if "start" in row:
        return row["start"], row["start"] + len(row["value"])
    start = text.find(row["quote"])
    return (start, start + len(row["quote"])) if start >= 0 else (0, len(text))


# --- fitting --------------------------------------------------------------------------------------


def ask(paper: Annotated) -> list[Question]:
    """Return the questions about a paper that its annotations answer."""
    chooser = Annotations(paper)
    find_results(paper.doc, paper.entities, paper.mentions, chooser)
    return chooser.questions


def fit(questions: Sequence[Question]) -> dict[int, float]:
    """Return the weights, by hash, that make the right options probable."""
    weights: dict[int, float] = {}
    for task in sorted({question.task for question in questions}):
        weights |= _fit_task([q for q in questions if q.task == task])
    return weights


def _fit_task(questions: Sequence[Question]) -> dict[int, float]:
    """Maximise the penalised log-likelihood by Adam (Kingma and Ba 2015) on all questions."""
    flat = [c for q in questions for option in q.options for c in option]
    used, indices = np.unique(np.array(flat, dtype=np.uint32), return_inverse=True)
    lengths = np.array([len(option) for q in questions for option in q.options])
    option_of = np.repeat(np.arange(len(lengths)), lengths)
    sizes = np.array([len(q.options) for q in questions])
    question_of = np.repeat(np.arange(len(questions)), sizes)
    starts = np.cumsum(sizes) - sizes
    right = np.zeros(len(lengths), dtype=bool)
    for start, question in zip(starts, questions, strict=True):
        right[[start + i for i in question.right]] = True
    weights = np.zeros(len(used))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    generator = np.random.default_rng(_SEED)
    for step in range(1, _STEPS + 1):
        kept = (generator.random(len(indices)) >= _DROPOUT) / (1 - _DROPOUT)
        scores: NDArray[np.float64] = np.bincount(
            option_of, weights[indices] * kept, minlength=len(lengths)
        ).astype(float)
        error = _softmax(scores, starts, question_of) - _softmax(
            np.where(right, scores, -np.inf), starts, question_of
        )
        summed = np.bincount(indices, error[option_of] * kept, minlength=len(used))
        gradient = summed + _PENALTY * weights
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        rate = _RATE * (1 - step / (_STEPS + 1))
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    large = np.abs(weights) > 2e-3
    rounded = weights[large].astype(np.float16).astype(float)
    return dict(zip(used[large].tolist(), rounded.tolist(), strict=True))


def _softmax(
    scores: NDArray[np.float64], starts: NDArray[np.intp], question_of: NDArray[np.intp]
) -> NDArray[np.float64]:
    highest = np.maximum.reduceat(scores, starts)
    exponentials = np.exp(scores - highest[question_of])
    return np.asarray(exponentials / np.add.reduceat(exponentials, starts)[question_of])


# --- calibration and cross-validation -------------------------------------------------------------


def cross_validate(papers: Sequence[Annotated]) -> list[ResultContext]:
    """Return the results in each paper of a model trained on the papers of the other folds."""
    asked = [ask(paper) for paper in papers]
    contexts: list[ResultContext | None] = [None] * len(papers)
    for fold in range(FOLDS):
        others = (q for i, own in enumerate(asked) if i % FOLDS != fold for q in own)
        model = ChoiceModel(fit([*others]))
        for i in range(fold, len(papers), FOLDS):
            paper = papers[i]
            contexts[i] = find_results(paper.doc, paper.entities, paper.mentions, model)
    return [context for context in contexts if context]


def fit_calibration(
    papers: Sequence[Annotated], contexts: Sequence[ResultContext]
) -> tuple[float, float]:
    """Return slope and intercept of the log-odds that a result is right."""
    pairs = [
        (draft.probability, right)
        for paper, context in zip(papers, contexts, strict=True)
        for draft, right in judged(paper, context)
    ]
    bounded = np.clip([p for p, _ in pairs], 1e-6, 1 - 1e-6)
    inputs = np.stack([np.log(bounded / (1 - bounded)), np.ones(len(pairs))], axis=1)
    right = np.array([is_right for _, is_right in pairs], dtype=float)
    line = np.array([1.0, 0.0])
    for _ in range(30):  # Newton's method
        predicted = 1 / (1 + np.exp(-inputs @ line))
        slopes = predicted * (1 - predicted)
        hessian = (inputs * slopes[:, None]).T @ inputs
        line += np.linalg.solve(hessian, inputs.T @ (right - predicted))
    return round(float(line[0]), 4), round(float(line[1]), 4)


def judged(paper: Annotated, context: ResultContext) -> Iterator[tuple[DraftResult, bool]]:
    """Yield the results that were found, without optional ones, each with whether it is right."""
    annotations = Annotations(paper)
    for draft in context.found:
        if draft.number not in annotations.ignored:
            gold = annotations.gold.get(draft.number)
            yield draft, gold is not None and annotations.agrees(gold, draft)


def read_papers(files: Iterable[Path], unlabelled: Iterable[Path]) -> list[Annotated]:
    """Return the annotated papers of the files, then the project's own ones."""
    rows = with_own_annotations(files, unlabelled, _OWN_FILES, "results")
    pipeline = ExtractionPipeline(result_model=ChoiceModel({}))
    return [_annotated(row, pipeline) for row in rows]


def _annotated(row: dict[str, Any], pipeline: ExtractionPipeline) -> Annotated:
    paper = Paper(row["id"], row["title"], row["abstract"])
    draft = pipeline.run(paper, until="assign_roles")
    return Annotated(row, draft.doc, draft.entities, [a.spans for a in draft.accepted])


def save_weights(model: ChoiceModel, path: Path) -> None:
    """Write the weights in half precision, with the calibration."""
    keys = sorted(model.weights)
    np.savez(
        path,
        columns=np.array(keys, dtype=np.uint32),
        values=np.array([model.weights[key] for key in keys], dtype=np.float16),
        calibration=np.array(model.calibration),
    )


def _as_line(paper: Annotated, results: Iterable[Result]) -> dict[str, Any]:
    """Return the line of a paper as `kg extract` prints it, as far as scoring reads it."""
    entities = [{"name": e.name, "surfaces": list(e.surfaces)} for e in paper.entities]
    return {"id": paper.row["id"], "entities": entities, "results": [r.slots() for r in results]}


def main() -> None:
    """Train the shipped weights, or write cross-validated predictions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--cross-validate", type=Path)
    options = parser.parse_args()
    files = [file for file in options.files if file.suffix != ".gz"]
    papers = read_papers(files, (file for file in options.files if file.suffix == ".gz"))
    contexts = cross_validate(papers)
    calibration = fit_calibration(papers, contexts)
    if options.cross_validate:
        model = ChoiceModel({}, calibration)
        given = sum(1 for file in files for _ in read_rows(file))
        with options.cross_validate.open("w", encoding="utf-8") as out:
            for paper, context in list(zip(papers, contexts, strict=True))[:given]:
                line = _as_line(paper, make_records(context, model))
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
    else:
        asked = [question for paper in papers for question in ask(paper)]
        save_weights(ChoiceModel(fit(asked), calibration), _WEIGHTS)


if __name__ == "__main__":
    main()
