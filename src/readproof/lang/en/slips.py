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
    "^Who (?:was|is) [A-Z][a-z]+ of\\b|\\bword for\\b|\\bto \\w+ in \\d{4}$",
    "\\bnamed that\\b|\\b(?:do|does|did) what\\b",
    "\\bhow many of [^,]*\\b(?:was|were|is|are) [A-Z]",
    "^To where\\b|\\b[Ww]hat direction\\b|\\b[Ww](?:hat|hich) part of\\b|\\breferred to\\W*$",
    "\\b(?:what|which|What|Which) \\w+'s\\b|\\bkind of what\\b",
    "\\b(?:did|does|do) (?:the )?[A-Z]\\w+'s [a-z]+\\b(?! \\w*(?:ed|e)\\b)(?= (?:at|in|on|to))",
    "\\bdoes (?:the |these |those )?(?:[a-z]+ )*(?!series|species)[a-z]{2,}[^\\Wsuic]s "
    "(?:now |also |usually |often )?[a-z]+[^\\Ws]\\b",
)
_SLIP = re.compile("|".join(_SLIPS))
# what cannot stand side by side in a statement, whichever word was changed
_MISFIT = re.compile(
    "\\b(?:reviewed|translated) about\\b|\\b(?:in|at|by) (?:inland|upstream|downstream|seaward)\\b"
    "|\\bSouth (?:South|North) |\\bthe private(?=$|[,.]| (?:in|of|and|about)\\b)"
    "|(?<=[a-z] )(?:is|are|was|were) there\\b"
)


def has_slip(question: str) -> bool:
    """Whether a question is one of these."""
    return bool(_SLIP.search(question))


def is_misfit(statement: str) -> bool:
    """Whether a statement has words beside each other that do not go together."""
    return bool(_MISFIT.search(statement))
