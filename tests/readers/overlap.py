"""A reader that judges options by the character pairs they share with a sentence: poor, but it shows its reasons."""

from __future__ import annotations

from collections.abc import Sequence

from readproof.items import Answer, ChoiceItem, Item
from readproof.lang.api import get_language
from readproof.lang.zh.stems import polarity
from readproof.readers.api import OPTIONS
from readproof.readers.options import Asked, EvidenceSpan, JudgedOption, JudgedOptions

_ASKED: dict[bool | None, Asked] = {True: "true", False: "false", None: "best"}


class OverlapReader:
    name = "overlap"
    capabilities = frozenset({OPTIONS})
    fingerprint = "pairs"
    parameters = 0

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        return [self.judge(item).answer for item in items if isinstance(item, ChoiceItem)]

    def judge(self, item: ChoiceItem) -> JudgedOptions:
        options = tuple(_judged(option, item) for option in item.options)
        scores = [option.score for option in options]
        asked = _ASKED[polarity(item.question)]
        choice = scores.index(min(scores) if asked == "false" else max(scores))
        answer = Answer(id=item.id, choice=choice, text=item.options[choice], scores=tuple(scores), confidence=0.5)
        return JudgedOptions(answer, asked, options)


def _judged(option: str, item: ChoiceItem) -> JudgedOption:
    found = [
        EvidenceSpan(start, end, shared(option, item.passage[start:end]))
        for start, end in get_language(item.language).sentences(item.passage)
    ]
    best = sorted(found, key=lambda one: (-one.weight, one.start))[:3]
    return JudgedOption(max((one.weight for one in best), default=0.0), tuple(best))


def shared(option: str, text: str) -> float:
    """The share of an option's character pairs that a text holds."""
    pairs = [option[at : at + 2] for at in range(len(option) - 1)] or [option]
    return sum(pair in text for pair in pairs) / len(pairs)
