"""The same question under several orders of its options: a reader that reads gives the same option under all."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from random import Random

from readproof.items import ChoiceItem
from readproof.text import encodable


def orders(item: ChoiceItem, count: int, seed: int) -> list[tuple[int, ...]]:
    """Different orders, the item's own first; fewer where so few options have fewer."""
    own = tuple(range(len(item.options)))
    found = [own]
    chance = Random(encodable(f"{seed}|shuffle|{item.id}"))
    while len(found) < min(count, math.factorial(len(own))):
        order = list(own)
        chance.shuffle(order)
        if tuple(order) not in found:
            found.append(tuple(order))
    return found


def majority(votes: Sequence[int | None]) -> int | None:
    """The option with most votes; of two, the one named first. No vote at all is no choice."""
    counted = Counter(vote for vote in votes if vote is not None)
    # a Counter keeps the order of first sight, and most_common is stable
    return counted.most_common(1)[0][0] if counted else None


def changes(votes: Sequence[int | None]) -> tuple[int, int]:
    """How many letters under another order than the first name another option, of how many that can be compared."""
    if not votes or votes[0] is None:
        return 0, 0
    others = [vote for vote in votes[1:] if vote is not None]
    return sum(vote != votes[0] for vote in others), len(others)
