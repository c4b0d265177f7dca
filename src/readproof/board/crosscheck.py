"""Who runs whose results again: drawn by lot among ranked teams; nobody chooses, and anybody can draw again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from readproof.board.ranking import Row

FIRST = 6


@dataclass(frozen=True, slots=True)
class Pair:
    """A team, and the team whose submission it runs again."""

    checker: str
    checked: str
    submission: str


def drawn(slug: str, track: str, rows: Sequence[Row], first: int = FIRST) -> tuple[str, list[Pair]]:
    """The seed, and one round in which every team checks one other and is checked once.

    The seed follows from the best submissions themselves: it is not known before they are, and the same for everybody.
    """
    entries = [row.entry for row in rows if row.entry and row.rank is not None and row.rank <= first]
    whole = "|".join([slug, track, *sorted(one.submission for one in entries)])
    seed = hashlib.sha256(whole.encode()).hexdigest()[:16]
    order = sorted(entries, key=lambda one: one.team)
    if len(order) < 2:
        return seed, []
    Random(seed).shuffle(order)
    # a ring: nobody gets himself
    pairs = zip(order, [*order[1:], order[0]], strict=True)
    return seed, [Pair(one.name, other.name, other.submission) for one, other in pairs]
