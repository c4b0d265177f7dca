"""Where what is asked for has left its place inside an English question: after a preposition that has lost its noun."""

from __future__ import annotations

from readproof.lang.en.adverbs import is_adverb
from readproof.lang.en.little import little
from readproof.lang.en.verbs import is_past, is_third
from readproof.lang.en.words import AUXILIARY, BE, PREPOSITIONS
from readproof.lang.words import Word

_LEFT = little("losing")
# "as of", "from within", "for over ten years", "in between": two that go together
_TOGETHER = little("together")
_CLAUSE = frozenset({"when", "while", "because", "if"})


def gap(tokens: list[Word], start: int) -> int:
    """Which preposition from `start` on has lost its noun before the question's end; 0 where none has."""
    for at in range(start, len(tokens) - 1):
        low, following = tokens[at].text.lower(), tokens[at + 1].text.lower()
        if low not in _LEFT or tokens[at + 1].text[0].isupper():
            continue
        together = following in _TOGETHER and not (following == "at" and low in ("to", "with"))
        together = together or (low == "for" and following == "as")  # "for as long as"
        # "refer to as", "known as in English", "members of to serve", "a shortage of is caused"
        if following in (PREPOSITIONS | BE | _CLAUSE) and not together:
            return at
        # "to actually vote" has lost nothing
        if (
            low != "to"
            and is_adverb(following)
            and at + 2 < len(tokens)
            and tokens[at + 2].text.lower() in PREPOSITIONS
        ):
            return at
        if following == "that" and at + 2 < len(tokens) and _is_finite(tokens[at + 2].text.lower()):
            return at
    return 0


def _is_finite(low: str) -> bool:
    return low in AUXILIARY or is_past(low) or is_third(low)
