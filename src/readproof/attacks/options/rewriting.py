"""An option rewritten: which text is begun with, what is changed in it, and whether the result is true or false.

Four texts to begin with: the option, a statement of the passage like it (true), the option with a statement of the
passage behind it (as true as the option), a part of a true option (true). Each may be said otherwise in several places;
a true one may be made false in one. What results is *kept* where it is as true as the option was, else *flipped*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from random import Random
from typing import Literal, get_args

from readproof.attacks.options import cause, keyword, logic, spacetime
from readproof.attacks.options.change import FALL, Change, fluent
from readproof.attacks.options.passage import beside, evidence, nearest, standing
from readproof.attacks.options.plausible import cut_short, doubtful, headless, nonsense, reads_badly
from readproof.attacks.options.restating import restatings, stands_alone
from readproof.attacks.options.view import OptionView, view_of
from readproof.items import Edit, Truth
from readproof.lang.zh.times import times
from readproof.lang.zh.words import words
from readproof.text import applied

Strategy = Literal["keyword", "logic", "cause", "spacetime"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
Form = Literal["plain", "restored", "restated", "added", "shortened"]

_PROPOSALS = {
    "keyword": keyword.changes,
    "logic": logic.changes,
    "cause": cause.changes,
    "spacetime": spacetime.changes,
}
_STOPS = "。．.；;，, "
_LONGEST = 84
_ADDED = 50  # the longest option that a statement is put behind
_MOST_CHANGES = 3
_SHORTEST_FRONT = 12
_MOST_DOUBTFUL = 12
# how much further the n-gram score may fall where nothing reads better
_CLUMSY = 1.6
# what is changed in the option itself is the plainest change of it; added text is more often to be had where the result
# is false, shorter text where it is true: so that a length says nothing of truth, each comes later there
_LATER: dict[Form, tuple[float, float]] = {
    "plain": (0.75, 0.75),
    "restored": (0.6, 0.4),
    "restated": (0.9, 0.9),
    "added": (3.0, 1.0),
    "shortened": (0.9, 1.8),
}
_DENIED_FIRST = 0.2
# a wrong value in the place of another wrong one, or beside it, leaves a false option false
_VALUES = frozenset({"time", "place", "number", "length", "title", "agent", "subject"})
_DENIES = re.compile("[不没未无非]")
_CAUSAL = re.compile(
    "因为|由于|所以|因此|因而|从而|之所以|使得|导致|造成|引起|为了|目的[是在]|原因|促使|以致|取决于|缘于|源于|得益于"
)
# what one sentence says outright needs no reasoning: so that exam questions split as the task's paper counts them
_OUTRIGHT = 0.43


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Edits that make another option of known truth; `strategy` is as in "keyword/quantifier".

    `doubtful` ones may read badly: they come last.
    """

    edits: tuple[Edit, ...]
    truth: Truth
    strategy: str
    doubtful: bool = False

    def of(self, option: str) -> str:
        """The new option."""
        return applied(option, self.edits).clean


@dataclass(frozen=True, slots=True)
class _Start:
    """A text to begin with, and its truth."""

    text: str
    truth: bool
    form: Form


def strategy_of(option: str, passage: str) -> Strategy:
    """The strategy that fits an option by the reasoning it needs: cause, time and place, a detail, or inference."""
    if _CAUSAL.search(option):
        return "cause"
    found = evidence(option, passage)
    if any(time.start <= 1 for time in times(option)):
        return "spacetime"
    return "keyword" if found.share >= _OUTRIGHT else "logic"


def rewrites(
    option: str,
    passage: str,
    truth: bool | None,
    wanted: Truth,
    random: Random,
    *,
    strategies: Sequence[str] = STRATEGIES,
    limit: float = FALL,
    denial: bool = False,
) -> Iterator[Rewrite]:
    """New options of the wanted truth in an order of chance, each once, the doubtful ones last; made one by one."""
    seen = {option}
    later: list[Rewrite] = []
    tasks = _tasks(option, passage, truth, wanted, random)
    # a denial is the easiest way to make a text false, and a reader could go by it: mostly it comes last
    rounds = [True, False] if random.random() < _DENIED_FIRST else [False, True]
    for denies in rounds:
        for start, contrary in tasks:
            if not contrary and denies is not rounds[0]:
                continue  # nothing is made false: once is enough
            found = _texts(start, contrary, option, passage, strategies, random, limit, denies=denies, denial=denial)
            for text, strategy, doubts in found:
                if text not in seen and len(text) <= max(_LONGEST, len(option) + 4):
                    seen.add(text)
                    doubts = doubts or reads_badly(text)
                    made = Rewrite(edits_between(option, text, strategy), wanted, strategy, doubts)
                    if not doubts:
                        yield made
                    elif len(later) < _MOST_DOUBTFUL:
                        later.append(made)
    yield from later


def _tasks(option: str, passage: str, truth: bool | None, wanted: Truth, random: Random) -> list[tuple[_Start, bool]]:
    """What to begin with, and whether it is to be made false; in an order of chance."""
    if truth is None:
        return [(_Start(option, True, "plain"), False)] if wanted == "kept" else []
    result = truth if wanted == "kept" else not truth
    starts = list(_starts(option, passage, truth))
    tasks = [(start, False) for start in starts if start.truth is result]
    tasks += [(start, True) for start in starts if start.truth and not result]
    if not truth and result:
        tasks.append((_Start(option, False, "plain"), True))  # all of it is denied
    keyed = [(random.random() * _LATER[start.form][result], at) for at, (start, _) in enumerate(tasks)]
    return [tasks[at] for _, at in sorted(keyed)]


def _starts(option: str, passage: str, truth: bool) -> Iterator[_Start]:
    bare = option.strip(_STOPS)
    stop = option[len(option.rstrip(_STOPS)) :][:1]
    yield _Start(option, truth, "plain")
    for one in nearest(option, passage)[:3]:
        if not cut_short(one.text):
            yield _Start(one.text + stop, True, "restated")
    if len(option) <= _ADDED:
        for one in beside(option, passage)[:1]:
            yield _Start(f"{bare}；{one.text}{stop}", truth, "added")
    parts = () if truth else _false_parts(option, passage)
    for text in () if truth else _restored(option, passage):
        yield _Start(text, True, "restored")
        yield from (_Start(run + stop, True, "shortened") for run in _parts(text) if len(run) >= 0.6 * len(bare))
    for run in _parts(option):
        if max(12, 0.45 * len(bare)) <= len(run) <= len(bare) - 6 and (truth or any(part in run for part in parts)):
            yield _Start(run + stop, truth, "shortened")


def _parts(text: str) -> list[str]:
    return [run for run in standing(text) if not cut_short(run)]


@lru_cache(maxsize=1 << 12)
def _restorations(option: str, passage: str) -> tuple[Change, ...]:
    """The changes that set a false option right by what the passage says."""
    view = view_of(option)
    found = (one for changes in _PROPOSALS.values() for one in changes(view, passage) if one.meaning == "restored")
    return tuple(dict.fromkeys(one for one in found if fluent(option, one)))


def _restored(option: str, passage: str) -> list[str]:
    """A false option set right, in each of the ways that the passage allows."""
    return [_composed(option, [one]) for one in _restorations(option, passage)]


def _false_parts(option: str, passage: str) -> list[str]:
    """What makes an option false, where the passage says it otherwise: from its first place to its clause's end."""
    view = view_of(option)
    found = []
    for one in _restorations(option, passage):
        places = [edit for edit in one.edits if edit.new]
        if places:
            first = min(time.start for time in times(option)) if one.detail == "time" else places[0].start
            found.append(option[first : view.clause_at(places[-1].start).end])
    return found


def _texts(
    start: _Start,
    contrary: bool,
    option: str,
    passage: str,
    strategies: Sequence[str],
    random: Random,
    limit: float,
    *,
    denies: bool,
    denial: bool,
) -> Iterator[tuple[str, str, bool]]:
    """New texts with their strategies, and whether they may read badly."""
    view = view_of(start.text)
    stop = start.text[len(start.text.rstrip(_STOPS)) :][:1]
    own = strategy_of(option, passage)
    # a statement put beside the option is beside the point, and turned it contradicts the option as often as not
    unsure = start.form == "added" or (start.form in ("restated", "shortened") and headless(start.text))
    if not contrary and own not in strategies:
        return
    loose = start.truth or bool(_false_parts(option, passage))
    same = [one for one in _kept_by(start.truth, loose, view, passage) if fluent(start.text, one, limit)]
    if contrary:
        for name in random.sample(list(strategies), len(strategies)):
            found = [
                one
                for one in _PROPOSALS[name](view, passage)
                if _makes_another(one, start.truth, denial=denial)
                and _denies(one) is denies
                and not nonsense(view, one, passage)
                and fluent(start.text, one, limit * (1.0 if name == "spacetime" else _CLUMSY))
            ]
            for one in _varied(found, random):
                others = _together([one, *_varied(same, random)], 1 + random.randint(0, _MOST_CHANGES - 1))
                clumsy = unsure or not fluent(start.text, one, limit)
                doubts = clumsy or _doubts(view, others, passage)
                front = _front(view, one) if doubts else ""
                if front and not _doubts(view_of(front), [one], passage):
                    within = [other for other in others if all(edit.end <= len(front) for edit in other.edits)]
                    yield _composed(front, within) + stop, f"{name}/{one.detail}", clumsy
                yield _composed(start.text, others), f"{name}/{one.detail}", doubts
    elif start.form == "plain":
        for one in _varied(same, random):
            others = _together([one, *_varied(same, random)], random.randint(1, _MOST_CHANGES))
            yield _composed(start.text, others), f"{own}/{others[0].detail}", _doubts(view, others, passage)
    else:
        for _ in range(2):
            others = _together(_varied(same, random), random.randint(0, _MOST_CHANGES - 1))
            yield (
                _composed(start.text, others),
                f"{own}/{start.form}",
                unsure or _doubts(view, others, passage),
            )


def _front(view: OptionView, change: Change) -> str:
    """A text up to the clause that is turned, where what follows would contradict it; "" where that is too little.

    并不是一个整体，它们相互依存 is no sentence that anybody would write; 并不是一个整体 is.
    """
    end = view.clause_at(change.edits[-1].start).end
    front = view.text[:end]
    rest = view.text[end:].strip(_STOPS)
    return front if rest and len(front) >= _SHORTEST_FRONT and stands_alone(front) and not cut_short(front) else ""


def _doubts(view: OptionView, changes: Sequence[Change], passage: str) -> bool:
    return any(doubtful(view, one, passage) for one in changes)


def _denies(change: Change) -> bool:
    return any(_DENIES.search(edit.new) and not _DENIES.search(edit.old) for edit in change.edits)


def _makes_another(change: Change, truth: bool, *, denial: bool) -> bool:
    if change.meaning == "denied":
        return denial or change.detail != "denial"
    return truth and change.meaning == "contrary"


def _kept_by(truth: bool, loose: bool, view: OptionView, passage: str) -> Iterator[Change]:
    """Everything that can be said otherwise in a text of known truth; `loose`: weaker things may be said, too."""
    yield from restatings(view)
    for changes in _PROPOSALS.values():
        for one in changes(view, passage):
            other = not truth and (one.meaning == "another" or (one.meaning == "contrary" and one.detail in _VALUES))
            if one.meaning == "same" or (one.meaning == "weaker" and loose) or other:
                yield one


def _varied(found: Sequence[Change], random: Random) -> list[Change]:
    """In an order of chance that gives each way its turn, so that synonyms do not take all."""
    sizes: dict[str, int] = {}
    for one in found:
        sizes[one.detail] = sizes.get(one.detail, 0) + 1
    keyed = [(random.random() ** sizes[one.detail], at) for at, one in enumerate(found)]
    return [found[at] for _, at in sorted(keyed, reverse=True)]


def _together(found: Sequence[Change], most: int) -> list[Change]:
    """At most so many changes, none of which touches another."""
    chosen: list[Change] = []
    for one in found:
        if len(chosen) == most:
            break
        if not any(_touch(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def _touch(one: Change, other: Change) -> bool:
    return any(
        first.start == second.start or (first.start < second.end and second.start < first.end)
        for first in one.edits
        for second in other.edits
    )


def _composed(text: str, changes: Sequence[Change]) -> str:
    edits = sorted((edit for one in changes for edit in one.edits), key=lambda edit: edit.start)
    return applied(text, edits).clean


def edits_between(old: str, new: str, why: str) -> tuple[Edit, ...]:
    """The edits that make the new text of the old one, word by word; one edit of all where little is left."""
    first, second = words(old), words(new)
    matcher = SequenceMatcher(None, [one.text for one in first], [one.text for one in second], autojunk=False)
    if matcher.ratio() < 0.4:
        return (Edit(0, old, new, why),)
    edits = []
    for tag, low, high, left, right in matcher.get_opcodes():
        if tag != "equal":
            start = first[low].start if low < len(first) else len(old)
            put = "".join(one.text for one in second[left:right])
            edits.append(Edit(start, "".join(one.text for one in first[low:high]), put, why))
    return tuple(edits)
