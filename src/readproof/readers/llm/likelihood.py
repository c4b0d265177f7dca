"""The letter that a model finds likeliest as the beginning of its answer, where the server tells."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping

from readproof.items import LETTERS

_AROUND = " \t\n▁Ġ()[]（）【】.。:：、*"


def letter_scores(tokens: Mapping[str, float], count: int) -> tuple[float, ...] | None:
    """The share of each option among the letters found; None where the server named none of them.

    The server names only the likeliest tokens: a letter that is not among them has the share 0, and cannot be the best.
    """
    found = [0.0] * count
    top = max(tokens.values(), default=0.0)
    for token, value in tokens.items():
        name = unicodedata.normalize("NFKC", token).strip(_AROUND)
        # capitals only: a small a begins many a word
        if len(name) == 1 and name in LETTERS[:count] and value > -math.inf:
            found[LETTERS.index(name)] += math.exp(value - top)
    total = sum(found)
    return tuple(value / total for value in found) if total else None
