"""Is a variant worth showing to a reader? Checks that every attack shares; each gives a reason to refuse, or "".

Limits are options of the attacks that use them. A refusal is counted by its reason, never silent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log

import numpy as np

from readproof.attacks.edits import golds_stand
from readproof.items import Edit, Item, SpanItem
from readproof.lang.api import get_language
from readproof.lang.ngrams import model_of

# by how much the mean score of a text's characters may fall from the old text to the new one
FALL = 1.5

# a new text is judged with this many characters of its surroundings, so that its joints count too
_AROUND = 12


def answer_stands(item: Item) -> str:
    """Every gold answer with a place must be the slice of the passage at that place."""
    return "" if not isinstance(item, SpanItem) or golds_stand(item) else "answer not in place"


def gold_untouched(added: str, golds: Sequence[str]) -> str:
    """A new text must not hold a gold answer: it would say it again, or deny it."""
    return "holds the answer" if any(gold and gold in added for gold in golds) else ""


def fluent(new: str, old: str, language: str, limit: float = FALL) -> str:
    """The new text must not be much less usual than the old one."""
    return "" if fall(new, old, language) <= limit else "not fluent"


def fall(new: str, old: str, language: str) -> float:
    """By how much the mean score of a text's characters falls from old to new; 0 where no model knows the language."""
    if not get_language(language).has_ngrams or not new or not old:
        return 0.0
    return mean_score(old, language) - mean_score(new, language)


def mean_score(text: str, language: str) -> float:
    """How usual a text reads, by the mean over its characters."""
    scores = model_of(language).scores(text)
    return float(scores.mean()) if len(scores) else 0.0


def worst_score(text: str, language: str, width: int = 6) -> float:
    """How usual the least usual run of `width` characters is: one bad joint hides in a long text's mean."""
    scores = model_of(language).scores(text)
    if len(scores) <= width:
        return float(scores.mean()) if len(scores) else 0.0
    sums = np.concatenate([[0.0], scores.cumsum()])
    return float((sums[width:] - sums[:-width]).min() / width)


def around(text: str, edit: Edit) -> tuple[str, str]:
    """An edit with the characters beside it: before, and after."""
    left, right = text[max(0, edit.start - _AROUND) : edit.start], text[edit.end : edit.end + _AROUND]
    return left + edit.old + right, left + edit.new + right


def edit_rate(edits: Sequence[Edit], length: int) -> float:
    """The share of a text's characters that were put in or taken out."""
    changed = sum(max(len(edit.old), len(edit.new)) for edit in edits)
    return changed / length if length else float(bool(changed))


def bleu(new: str, old: str, language: str, order: int = 4) -> float:
    """BLEU of the new text against the old one, over characters (Chinese) or words, smoothed by one for n > 1."""
    produced, reference = map(get_language(language).units, (new, old))
    if not produced or not reference:
        return float(produced == reference)
    total = 0.0
    highest = min(order, len(produced))
    for length in range(1, highest + 1):
        grams, wanted = _grams(produced, length), _grams(reference, length)
        matched = sum((grams & wanted).values())
        smooth = float(length > 1)
        if matched + smooth == 0:
            return 0.0
        total += log((matched + smooth) / (sum(grams.values()) + smooth))
    short = min(0.0, 1 - len(reference) / len(produced))
    return exp(short + total / highest)


def _grams(units: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(units[at : at + length]) for at in range(len(units) - length + 1))
