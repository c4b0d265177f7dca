"""The invisible-character artefact, measured without any reader: what the raw metric makes of an answer that is right.

The oracle always answers with the gold answer, cut from the attacked passage. Whatever it loses, the metric lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from examples.persian_study.rows import ROWS
from examples.persian_study.scoring import clean_measure, raw_measure
from readproof.attacks.base import Attack
from readproof.attacks.characters import MARK
from readproof.items import Gold, SpanItem
from readproof.lang.cleaning import clean_golds
from readproof.text import ZWNJ

MODES = ("invisible-before", "invisible-replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """A reader that is always right, under one mode; exact match and F1 in percent.

    `followed` compares raw with raw: gold answers that moved along with the attack. `moved` is the share of
    `answer_start` values that point elsewhere if they are left as they were, `other` that of places where another text
    than the file's answer stands then; `followed_wrong` the same with offsets that follow. `example` is what would be
    learnt in place of an answer.
    """

    raw: tuple[float, float]
    raw_zwnj: tuple[float, float]
    followed: tuple[float, float]
    clean: tuple[float, float]
    one_word: float
    marks: float
    moved: float
    shift: float
    other: float
    followed_wrong: float
    example: tuple[str, str]

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def oracle(row: str, items: Sequence[SpanItem], seed: int = 0) -> Oracle:
    """The oracle on the questions of a file under one of the two modes."""
    pairs = [(item, _attacked(row, item, seed)) for item in items]
    answers = [(item, new, new.golds[0]) for item, new in pairs]
    golds = [(item.golds[0], new.golds[0], new.passage) for item, new in pairs]
    shifts = [_start(moved) - _start(old) for old, moved, _ in golds]
    return Oracle(
        raw=_mean([raw_measure(gold.text, item.golds) for item, _, gold in answers]),
        raw_zwnj=_mean([raw_measure(_spaced(gold.text), _spaced_golds(item)) for item, _, gold in answers]),
        followed=_mean([raw_measure(gold.text, new.golds) for _, new, gold in answers]),
        clean=_mean([clean_measure(clean_golds(new)[0].text, item) for item, new, _ in answers]),
        one_word=_share([" " not in item.golds[0].text for item, _, _ in answers]),
        marks=sum(gold.text.count(MARK) for _, _, gold in answers) / len(answers),
        moved=_share([shift != 0 for shift in shifts]),
        shift=sum(shifts) / len(shifts),
        other=_share([not passage.startswith(old.text, _start(old)) for old, _, passage in golds]),
        followed_wrong=_share([not passage.startswith(moved.text, _start(moved)) for _, moved, passage in golds]),
        example=_example(golds),
    )


def _attacked(row: str, item: SpanItem, seed: int) -> SpanItem:
    attack = ROWS[row].made()
    if not isinstance(attack, Attack):
        raise TypeError(row)
    made = attack.make(item, seed=seed, count=1).variants
    new = made[0].item if made else item
    return new if isinstance(new, SpanItem) else item


def _example(golds: Sequence[tuple[Gold, Gold, str]]) -> tuple[str, str]:
    """An answer of a few words, and what stands at its old place afterwards."""
    for old, _, passage in golds:
        there = passage[_start(old) : _start(old) + len(old.text)]
        if there != old.text and 1 <= old.text.count(" ") <= 3:
            return old.text, there
    return ("", "")


def _start(gold: Gold) -> int:
    return gold.start if gold.start is not None else -1


def _spaced(text: str) -> str:
    return text.replace(ZWNJ, " ")


def _spaced_golds(item: SpanItem) -> list[Gold]:
    return [Gold(_spaced(gold.text)) for gold in item.golds]


def _mean(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    exact, f1 = (100 * sum(pair[at] for pair in pairs) / len(pairs) for at in (0, 1))
    return exact, f1


def _share(values: Sequence[bool]) -> float:
    return 100 * sum(values) / len(values)
