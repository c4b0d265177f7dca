"""The SQuAD measures of one answer (versions 1.1 and 2.0): words between spaces, English articles and signs dropped."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence

from readproof.tasks.metrics.tally import f1

_ARTICLES_1 = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = dict.fromkeys(map(ord, string.punctuation))


def normal(text: str) -> str:
    """Lower case, without ASCII signs and English articles, single spaces."""
    return " ".join(_ARTICLES_1.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def version_1(prediction: str, answers: Sequence[str]) -> tuple[float, float]:
    """Exact match and F1 as the SQuAD 1.1 scorer gives them: an empty answer never has an F1."""
    return _best(prediction, answers, empty_matches=False)


def version_2(prediction: str, answers: Sequence[str]) -> tuple[float, float]:
    """Exact match and F1 as the SQuAD 2.0 scorer gives them: answers that normalise to nothing are left out."""
    answerable = [answer for answer in answers if normal(answer)]
    return _best(prediction, answerable or [""], empty_matches=True)


def _best(prediction: str, answers: Sequence[str], empty_matches: bool) -> tuple[float, float]:
    predicted = normal(prediction)
    exact = best = 0.0
    for answer in dict.fromkeys(answers):
        gold = normal(answer)
        if predicted == gold:
            exact = 1.0
        best = max(best, _f1(predicted, gold, empty_matches))
    return exact, best


def _f1(predicted: str, gold: str, empty_matches: bool) -> float:
    if empty_matches and not (predicted and gold):
        return float(predicted == gold)
    if predicted == gold:
        return 1.0 if gold else 0.0
    predicted_words, gold_words = predicted.split(), gold.split()
    common = (Counter(predicted_words) & Counter(gold_words)).total()
    return f1(common, len(predicted_words), len(gold_words))
