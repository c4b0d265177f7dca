"""PersianQA: the data set's own scorer with its quirks, SQuAD 2.0's, and a fair one.

The published script cannot run as it is; what it would do is kept: predictions are taken by position, F1 counts
characters as a bag, and a right empty answer has an exact match of 1 and an F1 of 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from readproof.errors import InputError, shown
from readproof.items import Item, SpanItem
from readproof.jsonstream import load_json, records
from readproof.tasks.base import Peek, Score
from readproof.tasks.layouts.squad import is_nested
from readproof.tasks.metrics import spans, squad
from readproof.tasks.metrics.spans import SpanPredictions
from readproof.tasks.metrics.tally import f1
from readproof.tasks.squad import first_question, span_task
from readproof.text import ZWNJ, normalised


def _recognise(peek: Peek) -> bool:
    answers = first_question(peek.first).get("answers") if is_nested(peek.first) else None
    return isinstance(answers, list) and bool(answers) and isinstance(answers[0], dict) and "answer_end" in answers[0]


def _cleaned(text: str) -> str:
    return text.replace(ZWNJ, " ").strip()


def _own_measure(prediction: str, answers: Sequence[str]) -> tuple[float, float]:
    predicted = _cleaned(prediction)
    exact = best = 0.0
    for answer in dict.fromkeys(map(_cleaned, answers)):
        exact = max(exact, float(predicted == answer))
        common = (Counter(predicted) & Counter(answer)).total()
        best = max(best, f1(common, len(predicted), len(answer)))
    return exact, best


def _squad2_measure(prediction: str, answers: Sequence[str]) -> tuple[float, float]:
    return squad.version_2(_cleaned(prediction), [_cleaned(answer) for answer in answers])


def fair(prediction: str, answers: Sequence[str]) -> tuple[float, float]:
    """SQuAD 2.0's measure after normalising both texts: letters, digits and ZWNJ written differently do not count."""
    return squad.version_2(_normal(prediction), [_normal(answer) for answer in answers])


def _normal(text: str) -> str:
    return normalised(text).clean.replace(ZWNJ, " ").translate(_PERSIAN)


_PERSIAN = str.maketrans("يكىۀة٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "یکیهه01234567890123456789") | dict.fromkeys(map(ord, "،؛؟«»ـ"))


def _official(task: str, items: Iterable[Item], predictions: SpanPredictions) -> Score:
    """By position, ids unused; the shorter side ends the count."""
    texts, asked = list(predictions.texts.items()), list(items)
    paired = [(item, *pair) for item, pair in zip(asked, texts, strict=False)]
    by_gold_id = SpanPredictions(predictions.path, {item.id: text for item, _, text in paired}, predictions.duplicates)
    score = spans.plain_scores(task, "official", _own_measure, [item for item, _, _ in paired], by_gold_id)
    moved = sum(1 for item, name, _ in paired if isinstance(item, SpanItem) and item.id != name)
    if moved:
        note = f"{moved} predictions do not stand at their question's place; this scorer goes by place, not by id"
        score = replace(score, counts={**score.counts, "misplaced": moved}, notes=(*score.notes, note))
    lost = len(asked) - len(paired)
    if lost > 0:
        left = "have no prediction and are left out, as this scorer does; --strict counts them as wrong"
        note = f"{lost} of {len(asked)} questions {left}"
        score = replace(score, counts={**score.counts, "missing": lost}, notes=(*score.notes, note))
    return score


def _read_predictions(path: Path) -> SpanPredictions:
    """An object by id, or a plain list of texts in the order of the questions."""
    if records(path).layout != "list":
        return spans.read_predictions(path)
    texts = load_json(path)
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(file=path, place=f"[{index}]", found=shown(text), expected="an answer text")
    return SpanPredictions(path, {str(index): text for index, text in enumerate(texts)})


TASK = span_task(
    name="persianqa",
    title="PersianQA: Persian span reading, some questions without an answer",
    languages=("fa",),
    recognise=_recognise,
    metrics={
        "official": partial(_official, "persianqa"),
        "strict": partial(spans.strict, "persianqa", fair),
        "squad2": partial(spans.squad_2, "persianqa", measure=_squad2_measure),
    },
    read_predictions=_read_predictions,
    # as a bag of characters nearly every answer is a little right, and the right empty one is wrong
    proof="squad2",
    licence="GPL-3.0",
    citation="Ayoubi and Davoodeh 2021. PersianQA: a dataset for Persian Question Answering. GitHub.",
)
