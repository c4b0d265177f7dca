"""English words: tokens, and as much of their part of speech as turning a question round needs."""

from __future__ import annotations

import re
from functools import lru_cache

from readproof.lang.en.little import little
from readproof.lang.en.verbs import is_base, is_participle, is_past, is_third
from readproof.lang.words import Word

TOKEN = re.compile("[^\\W_][\\w.'’&%$-]*[\\w%]|[$£€]?\\d[\\w.,%]*|\\w|[^\\w\\s]")
DO = frozenset({"do", "does", "did"})
BE = frozenset({"is", "are", "was", "were", "am"})
HAVE = frozenset({"has", "have", "had"})
MODAL = frozenset({"can", "could", "will", "would", "should", "may", "might", "must", "shall"})
AUXILIARY = DO | BE | HAVE | MODAL
DETERMINERS = little("determiners")
PREPOSITIONS = little("prepositions")
WH = frozenset({"who", "whom", "whose", "what", "which", "where", "when", "why", "how"})
_OTHER = little("other")
FUNCTION = DETERMINERS | PREPOSITIONS | AUXILIARY | WH | _OTHER


@lru_cache(maxsize=1 << 14)
def tag_of(word: str) -> str:
    """f (function word), m (number), e (name), v (verb form only), a (adjective by its ending), n (anything else)."""
    low = word.lower()
    if low in FUNCTION:
        return "f"
    if word[:1].isdigit() or (word[:1] in "$£€" and len(word) > 1):
        return "m"
    if word[:1].isupper():
        return "e"
    if not word[:1].isalpha():
        return "x"
    if is_past(low) or is_participle(low):
        return "v"
    if is_base(low) or is_third(low):
        return "nv"
    if re.search("(?:al|ous|ful|less|able|ible|ic|ive|ary|ical)$", low):
        return "a"
    return "n"


@lru_cache(maxsize=1 << 12)
def words(text: str) -> tuple[Word, ...]:
    """The words and signs of a text, in order."""
    return tuple(Word(one.start(), one.end(), one[0], tag_of(one[0])) for one in TOKEN.finditer(text))
