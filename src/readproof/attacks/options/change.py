"""What a strategy does to an option, and what becomes of the option's truth.

A strategy proposes changes of *meaning*; truth follows. A change that says the same keeps the truth of every option. A
change that says the contrary makes a true option false, but a false one need not become true by it. A denial of the
whole option turns both. What is *restored* is what the passage says in the place of what the option says of it: that
makes a false option true. *Another* falsehood in the place of one, or next to one, leaves a false option false. What
says *weaker* things leaves a true option true, and a false one false if its falsehood is known to be elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from readproof.attacks.checks import mean_score
from readproof.items import Edit
from readproof.text import applied

Meaning = Literal["same", "contrary", "denied", "restored", "another", "weaker"]

# by how much the n-gram score of the changed place may fall, summed over its characters
FALL = 5.5

# a synonym that fits badly shows in its neighbours; clauses that change places bring new neighbours anyhow, and the
# words of a denial are always the same
_SLACK = {"synonym": 0.75, "denial": 4.0, "conclusion": 3.0} | dict.fromkeys(
    (
        "contrast",
        "progression",
        "comparison",
        "halves",
        "clauses",
        "equation",
        "condition",
        "frame",
        "bond",
        "adverbial",
        "reversed",
        "unlinked",
    ),
    1.6,
)
_AROUND = 8


@dataclass(frozen=True, slots=True)
class Change:
    """Edits to an option in order, what they do to its meaning, and by which way of the strategy."""

    edits: tuple[Edit, ...]
    meaning: Meaning
    detail: str


def one(start: int, old: str, new: str, meaning: Meaning, detail: str) -> Change:
    """A change at one place."""
    return Change((Edit(start, old, new),), meaning, detail)


def in_place(match: re.Match[str], new: str, meaning: Meaning, detail: str) -> Change:
    """A change of all that a pattern found."""
    return one(match.start(), match[0], new, meaning, detail)


def fluent(text: str, change: Change, limit: float = FALL) -> bool:
    """Whether each changed place reads about as well as before."""
    new = applied(text, change.edits)
    limit *= _SLACK.get(change.detail, 1.0)
    shift = 0
    for edit in change.edits:
        start = edit.start + shift
        shift += len(edit.new) - len(edit.old)
        left, right = max(0, edit.start - _AROUND), edit.end + _AROUND
        new_text = new.clean[max(0, start - _AROUND) : start + len(edit.new) + _AROUND]
        if _fall(text[left:right], new_text) > limit:
            return False
    return True


def _fall(old: str, new: str) -> float:
    """How much less usual the new place reads: a longer place may score as much more as it is longer."""
    before, after = _score(old), _score(new)
    return (before - after) * max(len(new), 1)


@lru_cache(maxsize=1 << 14)
def _score(text: str) -> float:
    return mean_score(text, "zh")
