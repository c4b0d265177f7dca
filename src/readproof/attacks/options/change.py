"""What a strategy does to an option, and what becomes of the option's truth.

A strategy proposes changes of *meaning*; truth follows. A change that says the same keeps the truth of every option. A
change that says the contrary makes a true option false, but a false one need not become true by it. A denial of the
whole option turns both. A mending puts back what the passage says in the place of what the option says of it, and so
makes a false option true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from readproof.attacks.checks import mean_score
from readproof.items import Edit, Truth
from readproof.text import applied

Meaning = Literal["same", "contrary", "denied", "mended"]

# by how much the n-gram score of the changed place may fall, summed over its characters
FALL = 5.5

# a synonym that fits badly shows in its neighbours; clauses that change places bring new neighbours anyhow, and the
# words of a denial are always the same
_SLACK = {"keyword/synonym": 0.75, "keyword/denial": 4.0} | dict.fromkeys(
    ("logic/contrast", "logic/progression", "logic/comparison", "cause/order", "cause/reversed", "cause/unlinked"), 1.6
)
_AROUND = 8


@dataclass(frozen=True, slots=True)
class Change:
    """Edits to an option in order, what they do to its meaning, and by which way of the strategy."""

    edits: tuple[Edit, ...]
    meaning: Meaning
    detail: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Edits that make another option of known truth; `strategy` is as in "keyword/quantifier"."""

    edits: tuple[Edit, ...]
    truth: Truth
    strategy: str
    why: str

    def of(self, option: str) -> str:
        """The new option."""
        return applied(option, self.edits).clean


def one(start: int, old: str, new: str, meaning: Meaning, detail: str) -> Change:
    """A change at one place."""
    return Change((Edit(start, old, new),), meaning, detail)


def in_place(match: re.Match[str], new: str, meaning: Meaning, detail: str) -> Change:
    """A change of all that a pattern found."""
    return one(match.start(), match[0], new, meaning, detail)


def truth_after(meaning: Meaning, truth: bool | None) -> Truth | None:
    """What a change of meaning does to an option's truth; None where nobody can say."""
    if meaning == "same":
        return "kept"
    if truth is None:
        return None
    if meaning == "denied" or meaning == ("contrary" if truth else "mended"):
        return "flipped"
    return None


def judged(option: str, changes: Iterable[Change], truth: bool | None, strategy: str) -> Iterator[Rewrite]:
    """The changes whose truth is known, each new option once."""
    seen = {option}
    for change in changes:
        after = truth_after(change.meaning, truth)
        if after is None:
            continue
        new = applied(option, change.edits).clean
        if new in seen or not new:
            continue
        seen.add(new)
        why = f"{change.meaning}: {change.detail}"
        edits = tuple(replace(edit, why=why) for edit in change.edits)
        yield Rewrite(edits, after, f"{strategy}/{change.detail}", why)


def fluent(option: str, rewrite: Rewrite, limit: float = FALL) -> bool:
    """Whether each changed place reads about as well as before."""
    new = applied(option, rewrite.edits)
    limit *= _SLACK.get(rewrite.strategy, 1.0)
    shift = 0
    for edit in rewrite.edits:
        start = edit.start + shift
        shift += len(edit.new) - len(edit.old)
        left, right = max(0, edit.start - _AROUND), edit.end + _AROUND
        old_text = option[left:right]
        new_text = new.clean[max(0, start - _AROUND) : start + len(edit.new) + _AROUND]
        if _fall(old_text, new_text) > limit:
            return False
    return True


def _fall(old: str, new: str) -> float:
    """How much less usual the new place reads: a longer place may score as much more as it is longer."""
    before, after = _score(old), _score(new)
    return (before - after) * max(len(new), 1)


@lru_cache(maxsize=1 << 14)
def _score(text: str) -> float:
    return mean_score(text, "zh")
