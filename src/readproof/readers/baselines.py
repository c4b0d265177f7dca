"""Readers that do not read: what a score must beat before it says anything. Each answers by one cheap habit.

For span questions: the first or the last sentence, the sentence that shares most with the question, the first name or
number of the type that is asked for, a random span. For options: always one letter, the longest option, the option
that shares most with the passage. They are readers like any other: `readproof answer dev.json --reader baseline:first`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from random import Random

from readproof.errors import InputError
from readproof.items import LETTERS, Answer, ChoiceItem, Item, SpanItem
from readproof.lang.api import get_language
from readproof.readers.api import OPTIONS, SPANS, ReaderOptions, need
from readproof.text import encodable, sanitised

PREFIX = "baseline:"
_VERSION = 1
_LONGEST = 12  # words, or characters of Chinese, in a random span
_MOST_OPTIONS = 8

Span = tuple[int, int]


def _first(item: SpanItem) -> Span | None:
    return next(iter(get_language(item.language).sentences(item.passage)), None)


def _last(item: SpanItem) -> Span | None:
    return next(reversed(get_language(item.language).sentences(item.passage)), None)


def _most_shared(item: SpanItem) -> Span | None:
    """The sentence that holds most of the question's words; of equal ones the first."""
    spoken = get_language(item.language)
    wanted = spoken.overlap_units(item.question)
    known = spoken.sentences(item.passage)
    return max(known, key=lambda one: len(wanted & spoken.overlap_units(item.passage[slice(*one)])), default=None)


def _typed(item: SpanItem) -> Span | None:
    """The first span of the type that the question asks for; of an unknown type the first name of any."""
    asked = get_language(item.language).asked_type(item.question)
    known = [one for one in get_language(item.language).typed_spans(item.passage) if one.end > one.start]
    new = [one for one in known if item.passage[one.start : one.end] not in item.question]
    fitting = [one for one in new if one.type == asked] or [one for one in new if one.type not in ("time", "number")]
    found = next(iter(fitting or new), None)
    return (found.start, found.end) if found else _first(item)


def _random(item: SpanItem) -> Span | None:
    """A few words from anywhere; the same for the same passage and question."""
    pieces = get_language(item.language).word_spans(item.passage)
    if not pieces:
        return None
    chance = _chance_of(item.passage, item.question)
    first = chance.randrange(len(pieces))
    last = min(len(pieces), first + chance.randint(1, _LONGEST)) - 1
    return pieces[first][0], pieces[last][1]


def _longest(item: ChoiceItem) -> int:
    return max(range(len(item.options)), key=lambda at: len(item.options[at]))


def _supported(item: ChoiceItem) -> int:
    """The option whose words the passage holds most of; where the stem asks for what is wrong, least."""
    spoken = get_language(item.language)
    held = spoken.overlap_units(item.passage)
    shares = []
    for option in item.options:
        wanted = spoken.overlap_units(option)
        shares.append(len(wanted & held) / max(1, len(wanted)))
    wrong = spoken.stem_polarity(item.question) is False
    order = sorted(range(len(shares)), key=lambda at: shares[at])
    return order[0] if wrong else order[-1]


_SPANS: dict[str, Callable[[SpanItem], Span | None]] = {
    "first": _first,
    "last": _last,
    "overlap": _most_shared,
    "typed": _typed,
    "random": _random,
}
_OPTIONS: dict[str, Callable[[ChoiceItem], int]] = {"longest": _longest, "overlap": _supported}
DOES = {
    "first": "the first sentence of the passage",
    "last": "the last sentence of the passage",
    "overlap": "the sentence that shares most with the question; the option that shares most with the passage",
    "typed": "the first name, number or time of the type that is asked for",
    "random": "a random span",
    "longest": "the longest option",
}
# these look for what is asked, so that beating them is no condition for reading
SEARCHING = frozenset({"overlap"})


def names() -> list[str]:
    """All baselines by the words after `baseline:`; a letter is always that letter."""
    return [*dict.fromkeys([*_SPANS, *_OPTIONS]), *LETTERS[:4]]


def for_spans() -> list[str]:
    """The baselines for span questions."""
    return list(_SPANS)


def for_options(most: int) -> list[str]:
    """The baselines for questions with at most so many options."""
    return [*LETTERS[: min(most, _MOST_OPTIONS)], *_OPTIONS]


class BaselineReader:
    """A reader by its habit."""

    def __init__(self, habit: str) -> None:
        known = habit in _SPANS or habit in _OPTIONS or (len(habit) == 1 and habit in LETTERS)
        if not known:
            raise InputError(
                found=f"no baseline named {habit!r}", expected=f"one of {', '.join(PREFIX + one for one in names())}"
            )
        self.habit = habit
        self.name = f"{PREFIX}{habit}"
        able = [SPANS] if habit in _SPANS else []
        able += [OPTIONS] if habit in _OPTIONS or habit in LETTERS else []
        self.capabilities = frozenset(able)

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(f"{self.name} {_VERSION}".encode()).hexdigest()

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer per item, in order."""
        for item in items:
            need(self, item)
        return [self._one(item) for item in items]

    def _one(self, item: Item) -> Answer:
        if isinstance(item, ChoiceItem):
            if not item.options:
                return Answer(id=item.id)
            choice = LETTERS.index(self.habit) if self.habit in LETTERS else _OPTIONS[self.habit](item)
            choice = min(choice, len(item.options) - 1)
            return Answer(id=item.id, choice=choice, text=item.options[choice])
        if not isinstance(item, SpanItem):
            raise TypeError(type(item).__name__)
        span = _SPANS[self.habit](item)
        if span is None:
            return Answer(id=item.id)
        raw = item.passage[slice(*span)]
        return Answer(id=item.id, text=sanitised(raw).clean, raw=raw, start=span[0], end=span[1])


def open_baseline(name: str, options: ReaderOptions | None = None) -> BaselineReader:  # noqa: ARG001 - none matter
    """The reader that `baseline:NAME` names."""
    return BaselineReader(name.removeprefix(PREFIX))


def _chance_of(*texts: str) -> Random:
    return Random(encodable("\0".join(texts)))
