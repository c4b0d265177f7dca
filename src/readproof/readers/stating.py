"""An option as what is to be verified: by itself where the stem asks what is true, else behind the question.

Readers of options and what trains them take their texts from here, so that both see the same.
"""

from __future__ import annotations

from dataclasses import replace

from readproof.items import ChoiceItem
from readproof.lang.forms import Shown, shown
from readproof.lang.zh.stems import asks_truth, flip_stem, polarity
from readproof.readers.judged import Asked
from readproof.readers.optionmanner import Head


def option_form(passage: str) -> Shown:
    """A passage made ready for questions with options: signs are read in the width they have."""
    return shown(passage, signs=False)


def as_read(item: ChoiceItem) -> tuple[Shown, ChoiceItem]:
    """The passage with its map, and the item with question and options, in the form that readers read."""
    passage = option_form(item.passage)
    options = tuple(map(passage.like, item.options))
    return passage, replace(item, question=passage.like(item.question), options=options)


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
