"""English words as NLTK's word tokenizer cuts them: the CMRC 2018 scorer cuts every Latin run this way.

A port of the rules of `nltk.tokenize.NLTKWordTokenizer` (Apache-2.0, © NLTK Project; see NOTICE): NLTK itself needs a
third of a second to import and a download to split sentences. The tests compare the two on random texts.
"""

from __future__ import annotations

import re
from functools import lru_cache

_RULES_BEFORE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        # opening quotes
        ("([«“‘„]|[`]+)", r" \1 "),
        (r"^\"", r"``"),
        (r"(``)", r" \1 "),
        (r"([ \(\[{<])(\"|\'{2})", r"\1 `` "),
        (r"(?i)(?<!\w)(\')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", r"\1 "),
        # signs
        (r'([^\.])(\.)([\]\)}>"\'»”’ ]*+)\s*$', r"\1 \2 \3 "),
        (r"([:,])([^\d])", r" \1 \2"),
        (r"([:,])$", r" \1 "),
        (r"\.{2,}", r" \g<0> "),
        (r"[;@#$%&]", r" \g<0> "),
        ("[\u2012-\u2015]", r" \g<0> "),
        (r'([^\.])(\.)([\]\)}>"\']*)\s*$', r"\1 \2\3 "),
        (r"[?!]", r" \g<0> "),
        (r"([^'])' ", r"\1 ' "),
        (r"[*]", r" \g<0> "),
        (r"[\]\[\(\)\{\}\<\>]", r" \g<0> "),
        (r"--", r" -- "),
    )
)
_RULES_AFTER: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        # closing quotes
        ("([»”’])", r" \1 "),
        (r"''", " '' "),
        (r'"', " '' "),
        (r"\s+", " "),
        (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
        (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
        # contractions
        (r"(?i)\b(can)(not)\b", r" \1 \2 "),
        (r"(?i)\b(d)('ye)\b", r" \1 \2 "),
        (r"(?i)\b(gim)(me)\b", r" \1 \2 "),
        (r"(?i)\b(gon)(na)\b", r" \1 \2 "),
        (r"(?i)\b(got)(ta)\b", r" \1 \2 "),
        (r"(?i)\b(lem)(me)\b", r" \1 \2 "),
        (r"(?i)\b(more)('n)\b", r" \1 \2 "),
        (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
        (r"(?i) ('t)(is)\b", r" \1 \2 "),
        (r"(?i) ('t)(was)\b", r" \1 \2 "),
    )
)
# words that no rule touches: digits and letters, but for the contractions above
_PLAIN = re.compile(r"[^\W_]+(?:\s+[^\W_]+)*+\s*+")
_CONTRACTED = re.compile(r"(?i)cannot|gimme|gonna|gotta|lemme|wanna")


@lru_cache(maxsize=1 << 15)
def words(text: str) -> tuple[str, ...]:
    """The words and signs of a text without Chinese characters."""
    if _PLAIN.fullmatch(text) and not _CONTRACTED.search(text):
        return tuple(text.split())
    for pattern, new in _RULES_BEFORE:
        text = pattern.sub(new, text)
    text = f" {text} "
    for pattern, new in _RULES_AFTER:
        text = pattern.sub(new, text)
    return tuple(text.split())
