"""The sanitiser with all that is known of languages: what readers and scores take a text to be.

`text.sanitised` knows no language. Here it is given what does: the order of a screen, and the letters of words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from readproof.items import Gold, SpanItem
from readproof.lang.ngrams import model_of
from readproof.text import ZWNJ, Gap, Text, sanitised

# Whether an invisible character stands in place of a space, inside a word, or is a Persian non-joiner as it should be.
#
# The letters around it are read both ways by the n-gram model of their language. The gaps of a text are also judged
# together: who puts marks in place of spaces does it everywhere, and who scatters marks puts them where no space can
# be.
# Where the letters of most gaps say the same, all follow; else each goes by its own letters.


_AROUND = 12
_AFTER = 4
# Logarithms of odds. What the letters of one gap may add to what all gaps say; from where on all say the same.
_MOST, _AGREED = 4.0, 1.2
# beside a sign a mark is layout more often than a space
_BESIDE_SIGN = 2.0
# a non-joiner is spelling: only in a text with scattered joiners can letters speak against it, and must say so much
_JOINT = 3.5
# who scatters joiners too puts so many, to one other mark, where they join nothing; careless writers put fewer
_STRAY = 0.15
_USUAL = 1.0
# what places may add for a space
_PLACED = 3.0
# of the spaces of an unspaced script's text, how many stand between its own letters
_UNSPACED_SHARE = 0.1
_ARABIC = re.compile("[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufefe]")
_LATIN = re.compile("[!-~\u00a1-\u024f\u2010-\u2027\uff01-\uff5e]")
# scattered marks of these kinds are neither spelling nor layout
_NOISE = re.compile("[\u200b\u200e\u200f\u2060-\u2064\ufeff]")
_JOINERS = re.compile("[\u200c\u200d]")
_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff"
_UNSPACED_PAIR = re.compile(f"[{_UNSPACED}](?=[\u200b-\u200f]?[{_UNSPACED}])")
_SPACED_PAIR = re.compile(f"[^\\W{_UNSPACED}](?=[\u200b-\u200f]?[^\\W{_UNSPACED}])")


@dataclass(slots=True)
class _Open:
    """A gap to be judged: is `new` right (a space, a non-joiner), or nothing?"""

    number: int
    new: str
    language: str
    beside_sign: bool = False
    least: float = -_MOST
    odds: float = 0.0


def judge_scattered(_raw: str, gaps: Sequence[Gap]) -> list[str]:
    """The same where it is known that marks were scattered: none of them is a space."""
    return ["" if gap.usual == " " else gap.usual for gap in gaps]


def judge(raw: str, gaps: Sequence[Gap]) -> list[str]:
    """What stands in the place of each gap."""
    chosen = [gap.usual for gap in gaps]
    spaces = [one for number in range(len(gaps)) if (one := _maybe_space(raw, gaps, number))]
    scattered = count_scattered(raw, gaps)
    if spaces:
        _judge_spaces(raw, gaps, spaces, chosen, scattered)
    if not scattered:
        _put_joints(raw, gaps, chosen)
    elif _stray_joiners(raw, gaps) > _STRAY * scattered:
        _judge_joints(raw, gaps, chosen)
    return chosen


def _maybe_space(raw: str, gaps: Sequence[Gap], number: int) -> _Open | None:
    gap = gaps[number]
    left, right = raw[gap.start - 1 : gap.start], raw[gap.end : gap.end + 1]
    if gap.usual == ZWNJ or not gap.space_like or not left or not right or left.isspace() or right.isspace():
        return None
    language = "fa" if _ARABIC.match(left) or _ARABIC.match(right) else ""
    if not language and _LATIN.match(left) and _LATIN.match(right):
        language = "en"
    if gap.usual:
        return _Open(number, " ", language, least=-_MOST / 2 if _is_border(left, right) else -_MOST)
    return _Open(number, " ", language, beside_sign=True) if language else None


def _is_border(left: str, right: str) -> bool:
    """Where a word could well begin inside a row of letters: a capital, a number."""
    return left.isdigit() != right.isdigit() or (right.isupper() and not left.isupper())


def _judge_spaces(raw: str, gaps: Sequence[Gap], some: list[_Open], chosen: list[str], scattered: int) -> None:
    count = sum(not one.beside_sign for one in some)
    places = _by_places(raw, count, scattered)
    # at first no letters but those up to the next gap are known, then those behind it too
    for known in (False, True):
        _read(raw, gaps, some, chosen if known else None)
        inside = sum(one.odds for one in some if not one.beside_sign)
        whole = (inside + places) / max(1, count + scattered)
        agreed = abs(whole) >= _AGREED and count + scattered > 1
        for one in some:
            if agreed and whole < 0:  # who scatters marks puts some beside signs, too
                lean = whole
            elif one.beside_sign:
                lean = one.odds + (_BESIDE_SIGN if agreed else -_BESIDE_SIGN)
            else:
                lean = whole if agreed else one.odds + places / max(1, count + scattered)
            chosen[one.number] = " " if lean >= 0 else ""
    if agreed and whole > 0:
        _fill_all(gaps, some, chosen, no_space_left=" " not in raw)


def _by_places(raw: str, count: int, scattered: int) -> float:
    """What the places of the gaps say: scattered marks would stand between all letters, spaced or not."""
    unspaced = len(_UNSPACED_PAIR.findall(raw))
    spaced = len(_SPACED_PAIR.findall(raw)) + 1
    if unspaced <= spaced:
        return -_MOST * scattered
    every = spaced + unspaced
    for_spaces = count * min(_PLACED, np.log((1 - _UNSPACED_SHARE) * every / spaced))
    return float(for_spaces + scattered * np.log(_UNSPACED_SHARE * every / unspaced))


def _fill_all(gaps: Sequence[Gap], some: Sequence[_Open], chosen: list[str], *, no_space_left: bool) -> None:
    """In a text whose spaces were taken: one beside a non-joiner outweighs it; beside signs none was left out."""
    for number, gap in enumerate(gaps):
        if gap.usual == ZWNJ and gap.space_like:
            chosen[number] = " "
    for one in some:
        if one.beside_sign and no_space_left:
            chosen[one.number] = " "


def _judge_joints(raw: str, gaps: Sequence[Gap], chosen: list[str]) -> None:
    kept = [number for number, gap in enumerate(gaps) if gap.usual == chosen[number] == ZWNJ]
    some = [_Open(number, ZWNJ, "fa", least=-_JOINT - 1) for number in kept]
    for known in (False, True):
        _read(raw, gaps, some, chosen if known else None)
        for one in some:
            chosen[one.number] = ZWNJ if one.odds + _JOINT >= 0 else ""


def _put_joints(raw: str, gaps: Sequence[Gap], chosen: list[str]) -> None:
    """Many write a direction mark for the non-joiner: inside a Persian word, where one is usual, it is one."""
    closed = [number for number, gap in enumerate(gaps) if gap.usual == " " and not chosen[number]]
    some = [_Open(number, ZWNJ, "fa") for number in closed if _is_inside_arabic(raw, gaps[number])]
    _read(raw, gaps, some, chosen)
    for one in some:
        if one.odds >= _USUAL:
            chosen[one.number] = ZWNJ


def _is_inside_arabic(raw: str, gap: Gap) -> bool:
    return all(_ARABIC.match(sign) and sign.isalpha() for sign in (raw[gap.start - 1], raw[gap.end]))


def count_scattered(raw: str, gaps: Sequence[Gap]) -> int:
    """How many marks stand between letters where neither a space nor a non-joiner could."""
    return sum(
        not gap.usual
        and raw[gap.start - 1 : gap.start].isalnum()
        and raw[gap.end : gap.end + 1].isalnum()
        and _NOISE.search(raw, gap.start, gap.end) is not None
        for gap in gaps
    )


def _stray_joiners(raw: str, gaps: Sequence[Gap]) -> int:
    """How many joiners and non-joiners stand where there is nothing to join."""
    return sum(gap.usual != ZWNJ and _JOINERS.search(raw, gap.start, gap.end) is not None for gap in gaps)


def _read(raw: str, gaps: Sequence[Gap], some: Sequence[_Open], chosen: Sequence[str] | None) -> None:
    """The odds of each gap by the letters around it; `chosen` fills the gaps near it, else the letters end there."""
    for language in ("en", "fa"):
        of = [one for one in some if one.language == language]
        if not of:
            continue
        pieces: list[str] = []
        starts: list[tuple[int, int, int]] = []
        at = 0
        for one in of:
            left, right = _around(raw, gaps, one.number, chosen)
            filled, closed = f"\n{left}{one.new}{right}\n", f"\n{left}{right}\n"
            pieces += (filled, closed)
            gap = len(left) + 1
            starts.append((at + gap, at + len(filled) + gap, min(_AFTER, len(right))))
            at += len(filled) + len(closed)
        # plain floats: one by one, numpy's take several times as long
        sums: list[float] = np.concatenate(([0.0], np.cumsum(model_of(language).scores("".join(pieces))))).tolist()
        for one, (first, second, after) in zip(of, starts, strict=True):
            odds = (sums[first + 1 + after] - sums[first]) - (sums[second + after] - sums[second])
            one.odds = min(max(odds, one.least), _MOST)


def _around(raw: str, gaps: Sequence[Gap], number: int, chosen: Sequence[str] | None) -> tuple[str, str]:
    """Up to twelve characters on either side."""
    gap = gaps[number]
    low = gaps[number - 1].end if number else 0
    high = gaps[number + 1].start if number + 1 < len(gaps) else len(raw)
    left = raw[max(low, gap.start - _AROUND) : gap.start]
    right = raw[gap.end : min(high, gap.end + _AROUND)]
    if chosen is None:
        return left, right
    before, after = number - 1, number + 1
    while len(left) < _AROUND and before >= 0:
        edge = gaps[before - 1].end if before else 0
        left = raw[max(edge, gaps[before].start - _AROUND) : gaps[before].start] + chosen[before] + left
        before -= 1
    while len(right) < _AROUND and after < len(gaps):
        edge = gaps[after + 1].start if after + 1 < len(gaps) else len(raw)
        right += chosen[after] + raw[gaps[after].end : min(edge, gaps[after].end + _AROUND)]
        after += 1
    return left[-_AROUND:], right[:_AROUND]


@lru_cache(maxsize=64)  # the questions on a passage come one after another
def cleaned(raw: str, *, scattered: bool = False) -> Text:
    """A text without anything invisible, in the order in which it is read, spaces where words want them.

    `scattered`: no mark stands for a space, as is known from a longer text that this one belongs to.
    """
    from readproof.bidi import in_reading_order

    step = _without_marks if scattered else _sanitised
    ordered = in_reading_order(raw)
    return ordered.then(step) if ordered.edits else step(raw)


@lru_cache(maxsize=64)
def is_scattered(raw: str) -> bool:
    """Whether invisible marks stand in a text where neither a space nor a non-joiner could, and none for a space."""

    found: list[bool] = []

    def look(text: str, gaps: Sequence[Gap]) -> list[str]:
        judged = judge(text, gaps)
        found.append(count_scattered(text, gaps) > 1 and " " not in judged)
        return judged

    sanitised(raw, look)
    return any(found)


def clean_golds(item: SpanItem) -> tuple[Gold, ...]:
    """The golds of an item as an answer's text gives them: cut from the clean passage where their place is known."""
    return tuple(_cut(gold, item.passage) for gold in item.golds)


def _cut(gold: Gold, passage: str) -> Gold:
    if gold.start is None or gold.start < 0 or not passage.startswith(gold.text, gold.start):
        return Gold(cleaned(gold.text).clean)
    text = cleaned(passage)
    start, end = text.to_clean(gold.start, gold.start + len(gold.text))
    return Gold(text.clean[start:end], start)


def _sanitised(raw: str) -> Text:

    return sanitised(raw, judge)


def _without_marks(raw: str) -> Text:

    return sanitised(raw, judge_scattered)
