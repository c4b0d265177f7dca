"""An option as what is to be verified: by itself where the stem asks what is true, else behind the question."""

from __future__ import annotations

from readproof.items import ChoiceItem
from readproof.lang.zh.stems import asks_truth, flip_stem, polarity
from readproof.readers.judged import Asked
from readproof.readers.optionmanner import Head


def asked_of(item: ChoiceItem, head: Head = "verify") -> Asked:
    """Which end to take: the truest option, the least true, or the one that answers best."""
    wanted = polarity(item.question) if item.language == "zh" and head == "verify" else None
    return "best" if wanted is None else "true" if wanted else "false"


def statements(item: ChoiceItem, head: Head = "verify") -> list[str]:
    """What is verified of each option; for a choice always the question and the option.

    A stem that asks for what is true or false says nothing else, so that an option stands alone: 正确的一项是 and
    不正确的一项是 are read alike. A stem that asks for reasons, titles, meanings goes before the option, turned to the
    affirmative where it asks for what is not one.
    """
    if head == "verify" and item.language == "zh" and asks_truth(item.question):
        return list(item.options)
    stem = item.question
    if asked_of(item, head) == "false":
        stem = flip_stem(stem) or stem
    return [f"{stem} {option}" for option in item.options]
