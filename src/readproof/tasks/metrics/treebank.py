"""English words as NLTK's word tokenizer cuts them: the CMRC 2018 scorer cuts every Latin run this way.

A port of the rules of `nltk.tokenize.NLTKWordTokenizer` (Apache-2.0, © NLTK Project; see NOTICE): NLTK itself needs a
third of a second to import and a download to split sentences. The tests compare the two on random texts.
"""

from __future__ import annotations

import re
from functools import lru_cache

# (characters without which the rule does nothing, what it looks for, what it puts); a double quote may become ``
_BEFORE = tuple(
    (frozenset(needs), re.compile(pattern), new)
    for needs, pattern, new in (
        # opening quotes
        ("«“‘„`", "([«“‘„]|[`]+)", r" \1 "),
        ('"', r"^\"", r"``"),
        ('`"', r"(``)", r" \1 "),
        ("\"'", r"([ \(\[{<])(\"|\'{2})", r"\1 `` "),
        ("'", r"(?i)(?<!\w)(\')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", r"\1 "),
        # signs
        (".", r'([^\.])(\.)([\]\)}>"\'»”’ ]*+)\s*$', r"\1 \2 \3 "),
        (":,", r"([:,])([^\d])", r" \1 \2"),
        (":,", r"([:,])$", r" \1 "),
        (".", r"\.{2,}", r" \g<0> "),
        (";@#$%&", r"[;@#$%&]", r" \g<0> "),
        ("\u2012\u2013\u2014\u2015", "[\u2012-\u2015]", r" \g<0> "),
        (".", r'([^\.])(\.)([\]\)}>"\']*)\s*$', r"\1 \2\3 "),
        ("?!", r"[?!]", r" \g<0> "),
        ("'", r"([^'])' ", r"\1 ' "),
        ("*", r"[*]", r" \g<0> "),
        ("][(){}<>", r"[\]\[\(\)\{\}\<\>]", r" \g<0> "),
        ("-", r"--", r" -- "),
    )
)
_AFTER = tuple(
    (frozenset(needs), re.compile(pattern), new)
    for needs, pattern, new in (
        # closing quotes
        ("»”’", "([»”’])", r" \1 "),
        ("'", r"''", " '' "),
        ('"', r'"', " '' "),
        ("'", r"\s+", " "),
        ("'", r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
        ("'", r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
        ("'", r"(?i)\b(d)('ye)\b", r" \1 \2 "),
        ("'", r"(?i)\b(more)('n)\b", r" \1 \2 "),
        ("'", r"(?i) ('t)(is)\b", r" \1 \2 "),
        ("'", r"(?i) ('t)(was)\b", r" \1 \2 "),
    )
)
_CONTRACTED = re.compile(r"(?i)\b(?:(can)(not)|(gim)(me)|(gon)(na)|(got)(ta)|(lem)(me))\b|\b(wan)(na)(?=\s)")


@lru_cache(maxsize=1 << 15)
def words(text: str) -> tuple[str, ...]:
    """The words and signs of a text without Chinese characters."""
    characters = set(text)
    for needs, pattern, new in _BEFORE:
        if not needs.isdisjoint(characters):
            text = pattern.sub(new, text)
    text = f" {text} "
    for needs, pattern, new in _AFTER:
        if not needs.isdisjoint(characters):
            text = pattern.sub(new, text)
    if not _LETTERS_OF_CONTRACTIONS.isdisjoint(characters):
        text = _CONTRACTED.sub(_parted, text)
    return tuple(text.split())


_LETTERS_OF_CONTRACTIONS = frozenset("nmtNMT")


def _parted(found: re.Match[str]) -> str:
    first, second = (part for part in found.groups() if part)
    return f" {first} {second} "
