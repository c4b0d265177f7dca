"""The CMRC 2018 measures of one answer: the official scorer (version 6) to the last digit, and the simple one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from readproof.tasks.metrics.tally import f1

# English words as NLTK's word tokenizer cuts them: the CMRC 2018 scorer cuts every Latin run this way.
# A port of the rules of `nltk.tokenize.NLTKWordTokenizer` (Apache-2.0, © NLTK Project; see NOTICE): NLTK itself needs
# a third of a second to import and a download to split sentences. The tests compare the two on random texts.

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


# The official list; its two-character ellipsis never matches a single character, so it is not here.
PUNCTUATION = "-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』"
_DELETED = dict.fromkeys(map(ord, PUNCTUATION))
_HAN = re.compile("[\u4e00-\u9fa5]*")
_PIECES = re.compile("[\u4e00-\u9fa5]+|[^\u4e00-\u9fa5]+")
_NOT_SIMPLE = re.compile("[^\u4e00-\u9fa5a-zA-Z0-9]")
_FIRST_STAND_IN = 0xF0000


def official(prediction: str, answers: Sequence[str]) -> tuple[float, float]:
    """Exact match and F1 of a prediction, the best over the answers."""
    stripped = _stripped(prediction)
    if prediction in answers and stripped and not stripped.isspace():
        return 1.0, 1.0
    stand_ins: dict[str, str] = {}
    segments = _segments(stripped, stand_ins)
    exact = best = 0.0
    for answer in set(answers):
        other = _stripped(answer)
        if other == stripped:
            exact = 1.0
        best = max(best, _f1(_segments(other, stand_ins), segments))
    return exact, best


def characters(prediction: str, answers: Sequence[str]) -> tuple[float, float]:
    """The official measure, but an exact match always has an F1 of 1, also where no character is left to count."""
    exact, score = official(prediction, answers)
    return exact, max(exact, score)


def simple(prediction: str, answers: Sequence[str]) -> tuple[float, float]:
    """The task text's own measure: only Chinese characters, Latin letters and digits count, as a bag."""
    predicted = _NOT_SIMPLE.sub("", prediction).lower()
    if predicted and prediction in answers:
        return 1.0, 1.0
    exact = best = 0.0
    for answer in set(answers):
        gold = _NOT_SIMPLE.sub("", answer).lower()
        if predicted == gold:
            exact = 1.0
        best = max(best, _bag_f1(predicted, gold))
    return exact, best


def _stripped(text: str) -> str:
    # deleting the signs first is the same as skipping them while scanning: neither ends a Latin run
    return text.lower().strip().translate(_DELETED)


def _segments(text: str, stand_ins: dict[str, str]) -> str:
    """A text's segments as one string, a character a segment; a Latin word is stood in for by a private character."""
    if _HAN.fullmatch(text):
        return text
    pieces: list[str] = []
    for piece in _PIECES.findall(text):
        if "\u4e00" <= piece[0] <= "\u9fa5":
            pieces.append(piece)
            continue
        for word in words(piece):
            stand_in = stand_ins.get(word)
            if stand_in is None:
                stand_in = stand_ins[word] = chr(_FIRST_STAND_IN + len(stand_ins))
            pieces.append(stand_in)
    return "".join(pieces)


def _f1(gold: str, predicted: str) -> float:
    if gold == predicted:
        return 1.0 if gold else 0.0
    return f1(longest_common(gold, predicted), len(predicted), len(gold))


def longest_common(one: str, other: str) -> int:
    """The length of the longest run that two strings share."""
    if len(one) > len(other):
        one, other = other, one
    if one in other:
        return len(one)
    best = 0
    for start in range(len(one)):
        if len(one) - start <= best:
            break
        while start + best < len(one) and one[start : start + best + 1] in other:
            best += 1
    return best


def _bag_f1(predicted: str, gold: str) -> float:
    if predicted == gold:
        return 1.0 if gold else 0.0
    return f1(_common_characters(predicted, gold), len(predicted), len(gold))


def _common_characters(one: str, other: str) -> int:
    """How many characters two strings share as bags; counting in short strings beats building two Counters."""
    if one in other:
        return len(one)
    if other in one:
        return len(other)
    shared = set(one).intersection(other)
    return sum([min(one.count(character), other.count(character)) for character in shared])
