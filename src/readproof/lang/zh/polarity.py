"""Yes or no in Chinese: what stands for 是否 and its kin in a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from readproof.lang.zh.questions import Phrase
from readproof.lang.zh.words import words

_PAIRS = {
    "是不是": ("是", "不是"),
    "有没有": ("有", "没有"),
    "有无": ("有", "没有"),
    "能否": ("能", "不能"),
    "能不能": ("能", "不能"),
    "可否": ("可以", "不可以"),
    "可不可以": ("可以", "不可以"),
    "会不会": ("会", "不会"),
    "会否": ("会", "不会"),
    "要不要": ("要", "不必"),
    "需不需要": ("需要", "不需要"),
    "用不用": ("需要", "不用"),
    "好不好": ("很好", "不好"),
    "对不对": ("是对的", "是不对的"),
    "行不行": ("可行", "不可行"),
}
_NOT = re.compile("[能会需可应愿同知属具符想要该必]")


def polarities(phrase: Phrase, gold: str, question: str, random: Random) -> Iterator[str]:
    """What takes the phrase's place, the side that the gold answer is not on first."""
    positive, negative = _sides(phrase, question)
    no = bool(re.match("NO|不|没|否|并非|未", gold))
    first, second = (positive, negative) if no else (negative, positive)
    if first is not None and second is not None and random.random() < 0.3:
        first, second = second, first
    for side in (first, second):
        if side is not None:
            yield side


def _sides(phrase: Phrase, question: str) -> tuple[str, str | None]:
    text = phrase.text
    if text in _PAIRS:
        return _PAIRS[text]
    if text == "是否":
        rest = question[phrase.end :]
        if rest.startswith("有"):
            return "", "没"
        if rest.startswith(("是", "为")):
            return "", "并不"
        first = words(rest)[:1]
        plain = _NOT.match(rest) or (first and first[0].tag.startswith(("a", "p", "r", "z")))
        return "", "不" if plain else "没有"
    if text.startswith("可以吗"):
        return "是可以的", "是不可以的"
    if text.endswith(("没有", "了吗", "了么", "了嘛")):
        return "了", None
    return "", None
