"""Where the verb of an English question stands after do, did or a modal."""

from __future__ import annotations

from readproof.lang.en.verbs import is_base, is_past
from readproof.lang.en.words import DETERMINERS, PREPOSITIONS
from readproof.lang.words import Word


def main_verb(tokens: list[Word], start: int) -> int:
    """Where the plain verb after do or a modal stands; 0 where none is known."""
    first = start + 1
    if start < len(tokens) and tokens[start].text.lower() in ("it", "they", "he", "she", "we", "there", "you"):
        first = start + 1
    for at in range(first, len(tokens)):
        low = tokens[at].text.lower()
        if tokens[at].text[0].isupper() or not is_base(low):
            continue
        before = tokens[at - 1].text.lower()
        if low == "last" and at + 1 < len(tokens) and is_base(tokens[at + 1].text):
            continue
        if low == "take":
            return at
        if (
            tokens[at - 1].tag == "a"
            or before in DETERMINERS
            or before in PREPOSITIONS
            or before in ("and", "or", "other")
        ):
            continue
        # "the amount of work does": a noun before another plain verb gives way to it
        later = next((one for one in range(at + 1, len(tokens)) if is_base(tokens[one].text.lower())), 0)
        if later == at + 1 and tokens[later].text.lower() not in DETERMINERS and tokens[at].tag == "nv":
            after = tokens[later + 1].text.lower() if later + 1 < len(tokens) else ""
            if not after or after in PREPOSITIONS or after in DETERMINERS:
                return later
        return at
    return _unknown_verb(tokens, first)


def _unknown_verb(tokens: list[Word], first: int) -> int:
    """A verb that no list has: the plain word before a preposition, an article or the end, after a noun or a name."""
    # "did … received"
    if tokens[0].text.lower() == "did" and any(is_past(one.text) for one in tokens[first:]):
        return 0
    for at in range(first, len(tokens)):
        following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
        closes = not following or following in PREPOSITIONS - {"of"} or following in DETERMINERS or following == ","
        plain = tokens[at].tag == "n" and not tokens[at].text.endswith("s")
        if plain and closes and tokens[at - 1].text.lower() not in DETERMINERS | PREPOSITIONS:
            return at
    return 0


def past_verb(tokens: list[Word]) -> int:
    """«did … received», a common slip: the past form is the verb."""
    did = tokens[0].text.lower() == "did"
    return next((at for at in range(2, len(tokens)) if did and is_past(tokens[at].text)), 0)
