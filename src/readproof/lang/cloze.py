"""Fresh questions about a text: one of its own sentences, with a question word in the place of a name or a number.

Nobody has seen them before and the text says the answer outright, so whoever reads can answer them. Only what stands
in the text once is asked for, so that there is one right answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from readproof.lang.api import Language


@dataclass(frozen=True, slots=True)
class Blank:
    """A question made of a sentence: what was taken out stood at sentence[start:end]; any of `answers` is right."""

    question: str
    start: int
    end: int
    type: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cloze:
    """The same for a whole text: the answer stands at text[start:end]."""

    question: str
    start: int
    end: int
    type: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """How a language turns a sentence into a question, and how much of a long one is kept.

    A sentence of up to `whole` units stays whole; of a longer one the clause that holds the answer is kept, with those
    before it and then those behind it until there are `wanted`. No question is made of fewer than `fewest` or more than
    `most`, of a text that asks something itself, or of one that opens a quotation or a bracket and does not close it.
    """

    clause: re.Pattern[str]
    asks: re.Pattern[str]
    pairs: tuple[str, ...]
    size: Callable[[str], int]
    whole: int
    fewest: int
    wanted: int
    most: int
    ends: str
    mark: str

    def asked(
        self, sentence: str, start: int, end: int, word: str, type: str, more: tuple[str, ...] = ()
    ) -> Iterator[Blank]:
        """The question with `word` in the place of sentence[start:end], if one can be made; `more` is right too."""
        first, last = (0, len(sentence)) if self.size(sentence) <= self.whole else self._kept(sentence, start, end)
        before, after = sentence[first:start], sentence[end:last]
        rest = before + after
        if not self.fewest <= self.size(rest) <= self.most or self.asks.search(rest):
            return
        if any(rest.count(pair[0]) != rest.count(pair[1]) for pair in self.pairs):
            return
        question = (before + word + after).strip(self.ends) + self.mark
        yield Blank(question, start, end, type, tuple(dict.fromkeys((sentence[start:end], *more))))

    def _kept(self, sentence: str, start: int, end: int) -> tuple[int, int]:
        """The clause that the answer stands in, with those beside it until there is enough to tell what is asked."""
        spans = [found.span() for found in self.clause.finditer(sentence)]
        inside = [at for at, (first, last) in enumerate(spans) if first < end and start < last]
        if not inside:
            return start, end
        low, high = inside[0], inside[-1]
        while self.size(sentence[spans[low][0] : spans[high][1]]) < self.wanted and (low > 0 or high < len(spans) - 1):
            low, high = (low - 1, high) if low > 0 else (low, high + 1)
        return spans[low][0], spans[high][1]


@lru_cache(maxsize=256)
def clozes(text: str, language: Language) -> tuple[Cloze, ...]:
    """The questions that can be made of a text, in the order of their answers; none in a language without rules."""
    return tuple(_clozes(text, language))


def _clozes(text: str, language: Language) -> Iterator[Cloze]:
    for start, end in language.sentences(text):
        for blank in language.blanks(text[start:end]):
            first, last = start + blank.start, start + blank.end
            if text.count(text[first:last]) == 1:
                yield Cloze(blank.question, first, last, blank.type, blank.answers)
