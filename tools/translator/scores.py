"""BLEU (with 13a words, or Chinese characters) and chrF2 over a corpus, as sacrebleu counts them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import exp, log

_SIGNS = re.compile(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])")
_BEFORE = re.compile(r"([^0-9])([\.,])")
_AFTER = re.compile(r"([\.,])([^0-9])")
_DASH = re.compile(r"([0-9])(-)")
_HAN = re.compile(r"([\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef])")


def words(text: str, language: str) -> list[str]:
    """The words that BLEU compares."""
    if language == "zh":
        text = _HAN.sub(r" \1 ", text)
    text = _SIGNS.sub(r" \1 ", f" {text} ")
    text = _AFTER.sub(r" \1 \2", _BEFORE.sub(r"\1 \2 ", text))
    return _DASH.sub(r"\1 \2 ", text).split()


def _grams(units: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(units[at : at + order]) for at in range(len(units) - order + 1))


def bleu(produced: Sequence[str], wanted: Sequence[str], language: str) -> float:
    """Corpus BLEU of four orders; an order without a match counts half of the one before (exponential smoothing)."""
    matched, total = [0] * 4, [0] * 4
    long = short = 0
    for text, reference in zip(produced, wanted, strict=True):
        left, right = words(text, language), words(reference, language)
        long, short = long + len(left), short + len(right)
        for order in range(4):
            grams = _grams(left, order + 1)
            matched[order] += sum((grams & _grams(right, order + 1)).values())
            total[order] += sum(grams.values())
    if not all(total) or not matched[0]:
        return 0.0
    smooth, logs = 1.0, 0.0
    for hits, all_ in zip(matched, total, strict=True):
        if not hits:
            smooth *= 2
        logs += log((hits or 1 / smooth) / all_)
    return 100 * exp(min(0.0, 1 - short / long) + logs / 4)


def chrf(produced: Sequence[str], wanted: Sequence[str], orders: int = 6, beta: float = 2.0) -> float:
    """Corpus chrF2: F of character runs of one to six without white space, recall counting twice."""
    counts = [[0, 0, 0] for _ in range(orders)]
    for text, reference in zip(produced, wanted, strict=True):
        left, right = "".join(text.split()), "".join(reference.split())
        for order in range(orders):
            grams, others = _grams(left, order + 1), _grams(right, order + 1)
            for place, number in enumerate((grams & others, grams, others)):
                # sacrebleu leaves an order out for a sentence whose reference is too short for it
                counts[order][place] += sum(number.values()) if others or place != 1 else 0
    whole = 0.0
    used = 0
    for hits, made, asked in counts:
        if made and asked:
            used += 1
            precision, recall = hits / made, hits / asked
            whole += (1 + beta**2) * precision * recall / (beta**2 * precision + recall) if hits else 0.0
    return 100 * whole / used if used else 0.0
