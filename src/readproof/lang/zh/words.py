"""Chinese words with parts of speech, by jieba's dictionary and tags (n noun, nr person, ns place, nt organisation,
nz other name, t time, m number, q measure, v verb, a adjective, d adverb, r pronoun, p preposition, c conjunction, u
particle, x sign; a longer tag narrows its first letter)."""

from __future__ import annotations

from functools import lru_cache

from readproof.lang.words import Word
from readproof.text import encodable


@lru_cache(maxsize=1 << 12)
def words(text: str) -> tuple[Word, ...]:
    """The words of a text, in order, without gaps."""
    import rjieba

    found = []
    at = 0
    for word, tag in rjieba.tag(encodable(text)):
        end = at + len(word)
        found.append(Word(at, end, text[at:end], tag))
        at = end
    return tuple(found)
