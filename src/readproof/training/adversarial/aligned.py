"""Which tokens of an attacked passage are tokens of the original one, so that both readings can be held together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readproof.attacks.edits import PASSAGE
from readproof.items import Edit, Variant
from readproof.readers.tokens import Ints, Passage
from readproof.training.measure import EvalSet
from readproof.training.windows import Windows

# a window that shares less of its original's tokens than this is not held to it
_SHARED = 0.5


@dataclass(frozen=True, slots=True)
class Attacked:
    """Windows of variants. `partners` names the window of the clean set that each is held to, -1 for none; `origins`
    says of each token, laid end to end like the windows' ids, which place of that window it is, -1 for none.
    """

    windows: Windows
    partners: Ints
    origins: Ints


def old_characters(length: int, edits: Iterable[Edit]) -> Ints:
    """For each character of the new passage the one of the old that it was; -1 for one that was not there."""
    pieces: list[Ints] = []
    at = 0
    for edit in sorted((one for one in edits if one.where == PASSAGE), key=lambda one: (one.start, one.end)):
        pieces.append(np.arange(at, edit.start, dtype=np.int32))
        same = len(edit.old) == len(edit.new)
        old = np.arange(edit.start, edit.end, dtype=np.int32) if same else np.full(len(edit.new), -1, dtype=np.int32)
        pieces.append(old)
        at = edit.end
    pieces.append(np.arange(at, length, dtype=np.int32))
    return np.concatenate(pieces)


def old_tokens(old: Passage, new: Passage, characters: Ints) -> Ints:
    """For each token of the new passage the token of the old one with the same characters; -1 for none.

    The two may be read otherwise, as the usual width of a sign hangs on its neighbours.
    """
    starts, ends = _raw(old)
    at = np.full(len(old.text.raw) + 1, -1, dtype=np.int32)
    whole = _apart(starts, ends)
    at[starts[whole]] = np.flatnonzero(whole)
    new_starts, new_ends = _raw(new)
    out = np.full(len(new.ids), -1, dtype=np.int32)
    for token in np.flatnonzero(_apart(new_starts, new_ends)).tolist():
        start, end = int(new_starts[token]), int(new_ends[token])
        first, last = int(characters[start]), int(characters[end - 1])
        if first < 0 or last - first != end - 1 - start:
            continue
        found = int(at[first])
        if found >= 0 and ends[found] == last + 1:
            out[token] = found
    return out


def _apart(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which tokens have characters that no other token has: one character may be read as several."""
    before = np.concatenate(([0], np.maximum.accumulate(ends)))[:-1]
    after = np.concatenate((np.minimum.accumulate(starts[::-1])[::-1], [np.iinfo(np.int64).max]))[1:]
    apart: NDArray[np.bool_] = (starts < ends) & (starts >= before) & (ends <= after)
    return apart


def _raw(passage: Passage) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The raw spans of all tokens."""
    if passage.text.starts is None and not passage.text.leaning:
        return passage.starts.astype(np.int64), passage.ends.astype(np.int64)
    spans = [passage.raw_span(token, token) for token in range(len(passage.ids))]
    table = np.asarray(spans, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def aligned(clean: EvalSet, attacked: EvalSet, variants: list[Variant]) -> Attacked:
    """Variants beside their originals: question n of either is about the same item. Partners count from the
    original's own first window; whoever joins several adds where that stands.
    """
    partners = np.full(len(attacked.windows), -1, dtype=np.int32)
    origins = np.full(len(attacked.windows.ids), -1, dtype=np.int32)
    by_question: dict[int, list[int]] = {}
    for window, number in enumerate(clean.windows.questions.tolist()):
        by_question.setdefault(number, []).append(window)
    maps: dict[int, Ints] = {}
    for window, number in enumerate(attacked.windows.questions.tolist()):
        if number not in maps:
            old, new = clean.questions[number], attacked.questions[number]
            characters = old_characters(len(old.item.passage), variants[number].edits)
            maps[number] = old_tokens(old.passage, new.passage, characters)
        mapped = _part(attacked.windows, window, maps[number])
        found = _partner(clean.windows, by_question[number], mapped, attacked.windows, window)
        if found is None:
            continue
        partner, places = found
        partners[window] = partner - by_question[number][0]
        begin, head = int(attacked.windows.offsets[window]), int(attacked.windows.heads[window])
        origins[begin] = 0  # both have a place for "no answer"
        origins[begin + head : begin + head + len(places)] = places
    return Attacked(attacked.windows, partners, origins)


def _part(windows: Windows, window: int, mapped: Ints) -> Ints:
    """Of a map over a passage's tokens, the part that a window holds."""
    begin = int(windows.firsts[window])
    return mapped[begin : begin + _held(windows, window)]


def _held(windows: Windows, window: int) -> int:
    return int(windows.lengths[window]) - int(windows.heads[window]) - len(windows.frame.after)


def _partner(
    clean: Windows, candidates: list[int], mapped: Ints, attacked: Windows, window: int
) -> tuple[int, Ints] | None:
    """The clean window that shares most, with the place there of each token; None where none is like enough."""
    best, most = -1, 0
    for candidate in candidates:
        begin, size = int(clean.firsts[candidate]), _held(clean, candidate)
        shared = int(((mapped >= begin) & (mapped < begin + size)).sum())
        if shared > most:
            best, most = candidate, shared
    if best < 0 or most < _SHARED * _held(clean, best):
        return None
    begin, size, head = int(clean.firsts[best]), _held(clean, best), int(clean.heads[best])
    places = np.where((mapped >= begin) & (mapped < begin + size), mapped - begin + head, -1).astype(np.int32)
    ours, theirs = attacked.golds[window][0], clean.golds[best][0]
    answered = bool(ours[0] > 0)
    if answered != bool(theirs[0] > 0):
        return None
    if answered:
        # an answer whose own tokens were changed has no place that both readings share
        shift = int(attacked.heads[window])
        if any(places[int(place) - shift] < 0 for place in ours):
            return None
    return best, places


def joined_attacked(parts: list[Attacked], firsts: list[Ints], windows: Windows) -> Attacked:
    """Several parts as one; `firsts` are, for each window of a part, the first clean window of its question."""
    partners = [
        np.where(part.partners >= 0, part.partners + first, -1) for part, first in zip(parts, firsts, strict=True)
    ]
    return Attacked(
        windows,
        np.concatenate(partners).astype(np.int32) if partners else np.zeros(0, np.int32),
        np.concatenate([part.origins for part in parts]) if parts else np.zeros(0, np.int32),
    )
