"""Does it read at all? The same questions with the passage, or the question, taken away or put in another's place.

A reader that is as good without the passage has not read it. Kaushik and Lipton (2018) found several that passed for
readers; options give away most, as a wrong one often looks wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from readproof.attacks.base import random_for
from readproof.items import ChoiceItem
from readproof.prove.model import PROBE
from readproof.prove.questions import Question, Single

# what is put to the reader instead of an item; None where the probe says nothing of such an item
Make = Callable[[Single, Sequence[Single], int], Single | None]

_TRIES = 20


def _no_passage(item: Single, _others: Sequence[Single], _seed: int) -> Single:
    return _without_golds(replace(item, passage=""))


def _question_only(item: Single, _others: Sequence[Single], _seed: int) -> Single:
    """Readers that must have something to read get the question itself."""
    return _without_golds(replace(item, passage=item.question))


def _another_passage(item: Single, others: Sequence[Single], seed: int) -> Single | None:
    """The passage of another item of the run that does not hold an answer by accident."""
    random = random_for(seed, f"{PROBE}another-passage", item.id)
    golds = [] if isinstance(item, ChoiceItem) else [gold.text for gold in item.golds if gold.text]
    for _ in range(_TRIES):
        other = random.choice(others)
        fits = other.passage != item.passage and type(other) is type(item)
        if fits and other.language == item.language and not any(gold in other.passage for gold in golds):
            return _without_golds(replace(item, passage=other.passage, title=other.title))
    return None


def _no_question(item: Single, _others: Sequence[Single], _seed: int) -> Single | None:
    """Of options little is learnt by it: a stem says no more than which end to take."""
    return None if isinstance(item, ChoiceItem) else replace(item, question="")


def _options_only(item: Single, _others: Sequence[Single], _seed: int) -> Single | None:
    return replace(item, passage="", question="") if isinstance(item, ChoiceItem) else None


PROBES: dict[str, Make] = {
    "no-passage": _no_passage,
    "question-only": _question_only,
    "another-passage": _another_passage,
    "no-question": _no_question,
    "options-only": _options_only,
}


def probe(name: str, at: int, item: Single, others: Sequence[Single], seed: int) -> Question | None:
    """The question of a probe; its gold answers are still those of the item."""
    if not isinstance(item, ChoiceItem) and (item.impossible or not item.golds):
        return None  # without a passage "there is no answer" is right
    made = PROBES[name](item, others, seed)
    if made is None:
        return None
    named = replace(made, id=f"{item.id}-probe-{name}", passage_id="")
    return Question(at=at, attack=f"{PROBE}{name}", item=named, origin=item.id)


def _without_golds(item: Single) -> Single:
    """The texts of the golds stay, as they are what is asked for; their places are no longer places."""
    if isinstance(item, ChoiceItem):
        return item
    return replace(item, golds=tuple(replace(gold, start=None) for gold in item.golds))
