"""An option as the strategies see it: its words, its clauses, and what in it may be touched.

Quoted terms and titles stay as they are: they are names that the passage uses, and a person would see the change there
as a misprint and not as another statement.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache

from readproof.lang.api import Word
from readproof.lang.zh.words import words

_QUOTED = re.compile('“[^“”]*”|‘[^‘’]*’|《[^《》]*》|「[^「」]*」|"[^"]*"|（[^（）]*）|\\([^()]*\\)|[“”‘’"]')
_CLAUSE = re.compile("[^，。；：！？．,;:!?\n]+")
_SENTENCE = re.compile("[^。；！？．;!?\n]+")
# a clause that begins so sets a condition: its denial says little about the statement
_CONDITION = re.compile(
    "(?:如果|假如|倘若|若|假若|要是|一旦|只有|只要|唯有|无论|不论|不管|即使|即便|哪怕|除非|除了|虽然|尽管|为了|要想|要|想要|当|随着)"
)
_LONGEST = 4

# in patterns: any character of one clause
LETTER = "[^，。；：！？．,;:]"


@dataclass(frozen=True, slots=True)
class OptionSpan:
    """text[start:end] of an option."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class OptionView:
    """An option taken apart. `edges` are the places between words; `sentences` hold clauses."""

    text: str
    words: tuple[Word, ...]
    edges: frozenset[int]
    closed: tuple[OptionSpan, ...]
    clauses: tuple[OptionSpan, ...]
    sentences: tuple[OptionSpan, ...]

    def free(self, start: int, end: int) -> bool:
        """Whether nothing of the place is quoted or in brackets."""
        return not any(span.start < end and start < span.end for span in self.closed)

    def whole(self, start: int, end: int) -> bool:
        """Whether the place begins and ends between words."""
        return start in self.edges and end in self.edges

    def opens(self, at: int) -> bool:
        """Whether a word can begin at a place, and it is not quoted."""
        return at in self.edges and self.free(at, at + 1)

    def index_of(self, at: int) -> int:
        """Which word begins at a place."""
        return bisect_left(self.words, at, key=lambda word: word.start)

    def clause_at(self, at: int) -> OptionSpan:
        """The clause that a place is in."""
        for clause in self.clauses:
            if clause.start <= at < clause.end:
                return clause
        return OptionSpan(0, len(self.text))

    def conditional(self, at: int) -> bool:
        """Whether the clause at a place sets a condition."""
        clause = self.clause_at(at)
        return bool(_CONDITION.match(self.text, clause.start, clause.end))

    def before(self, at: int) -> str:
        """What stands before a place in its clause."""
        return self.text[self.clause_at(at).start : at] if at < len(self.text) else self.text

    def after(self, at: int) -> str:
        """What stands after a place in its clause."""
        return self.text[at : self.clause_at(max(at - 1, 0)).end]

    def found(self, known: Container[str]) -> Iterator[OptionSpan]:
        """The places where a known word stands, made of one to four whole words, the longest first at each place."""
        parts = self.words
        for first, word in enumerate(parts):
            for last in range(min(len(parts), first + _LONGEST) - 1, first - 1, -1):
                end = parts[last].end
                if self.text[word.start : end] in known and self.free(word.start, end):
                    yield OptionSpan(word.start, end)


@lru_cache(maxsize=1 << 12)
def view_of(option: str) -> OptionView:
    """The option taken apart."""
    parts = words(option)
    edges = frozenset([0, *(word.end for word in parts)])
    closed = tuple(OptionSpan(found.start(), found.end()) for found in _QUOTED.finditer(option))
    clauses = tuple(OptionSpan(found.start(), found.end()) for found in _CLAUSE.finditer(option))
    sentences = tuple(OptionSpan(found.start(), found.end()) for found in _SENTENCE.finditer(option))
    return OptionView(option, parts, edges, closed, clauses, sentences)
