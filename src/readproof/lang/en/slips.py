"""English questions that are not turned round: a word too many, a wrong form, or a gap that only a parser finds."""

from __future__ import annotations

import re

_SLIPS = (
    "\\bdid did\\b",
    "\\b[Ww]hat\\b.*\\bwhat must\\b",
    "\\b(?:of|to|with|by|for|from|as)\\s*,",
    "[Ww]hen were the [A-Z]\\w+s in\\b",
    "\\bnot particularly\\b",
    "\\b(?:was|is|were)\\b[^,]*\\boccur$",
    "\\bthat the is\\b",
    "\\bwas it when\\b",
    "\\b(?:the|a|an|its|\\w+est) what$",
    "\\bmany of$|\\bmost of in\\b",
    "\\bwas done to\\b|\\bdo (?:to|with)\\b",
    "\\bstand for$|\\bbetween who$|\\bdoing with\\b|\\bwithdrawal to$|\\bseen as to\\b",
    "^Where does .* rank\\b|^What are .* are known\\b",
    "[Hh]ow many of the (?:two|three|four|five|six|seven|eight|nine|ten)\\b",
    "\\bseparates? \\w+ to$",
)
_SLIP = re.compile("|".join(_SLIPS))


def has_slip(question: str) -> bool:
    """Whether a question is one of these."""
    return bool(_SLIP.search(question))
