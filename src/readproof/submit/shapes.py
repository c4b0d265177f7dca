"""How many numbers a shape stands for, where the shape may be a trap: a product of a million numbers takes hours."""

from __future__ import annotations

import math
from collections.abc import Sequence

from readproof.submit.problems import Refused

_MOST_RANK = 32
_LARGEST = 1 << 48


def elements(shape: Sequence[int]) -> int:
    """The number of elements; refused where no tensor has such a shape."""
    if len(shape) > _MOST_RANK or any(size < 0 or size > _LARGEST for size in shape):
        raise Refused("M306", reason=f"shape of {len(shape)}: {list(map(min, shape[:4], [_LARGEST] * 4))}…")
    return math.prod(shape)
