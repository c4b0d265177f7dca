"""Where the verb of an English question stands after do, did or a modal."""

from __future__ import annotations

import re
from functools import lru_cache

from readproof.lang.en.verbs import is_base, is_participle, is_past
from readproof.lang.en.words import DETERMINERS, MODAL, PREPOSITIONS
from readproof.lang.lists import column
from readproof.lang.words import Word

# endings of nouns: "the IMF translation", "the Musical Instruments gallery"
_NOUN = re.compile("(?:tion|sion|ment|ness|ty|ism|ist|ance|ence|[a-z]ship|dom|logy|phy|cy|ry|al|ic|ous|ing|hood|ess)$")
_PRONOUNS = frozenset({"he", "she", "they", "it", "we", "you"})
_ORDINAL = re.compile("first|second|third|last|only|same|own|most|[a-z]{3,}th")
_PLURAL = re.compile("[a-z](?<![suia])s$")


def main_verb(tokens: list[Word], start: int) -> int:
    """Where the plain verb after do or a modal stands; 0 where none is known."""
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
        # "the first direct elections", "a 2013 report"
        number = tokens[at - 1].tag == "m" or _ORDINAL.fullmatch(before) is not None
        counted = number and tokens[at - 2].text.lower() in DETERMINERS
        if (
            counted
            or tokens[at - 1].tag == "a"
            or before in DETERMINERS | PREPOSITIONS | MODAL
            or before in ("and", "or", "other")
            or tokens[at - 1].text in ("who", "which")
        ):
            continue
        # "the fossils found in the shale lack": a participle, for the verb ends the question
        if is_participle(low) and at < len(tokens) - 2 and is_base(tokens[-1].text) and tokens[-2].tag in ("n", "e"):
            return len(tokens) - 1
        return _later(tokens, at) or at
    return _unknown_verb(tokens, first)


def _later(tokens: list[Word], at: int) -> int:
    """The plain verb that a noun gives way to: "the amount of work does", "a gender pay gap tend"; 0 where none."""
    # "what does the institute help run" has two verbs
    if tokens[at].tag != "nv" or tokens[at].text == "help":
        return 0
    later = at + 1
    # after a singular noun the word is likelier another noun than the verb
    after_noun = tokens[at - 1].tag in ("n", "nv") and not _PLURAL.search(tokens[at - 1].text)
    while after_noun and later < len(tokens) and tokens[later].tag == "n":
        later += 1
    if later >= len(tokens) or not is_base(tokens[later].text) or tokens[later].text in DETERMINERS:
        return 0
    following = tokens[later + 1].text.lower() if later + 1 < len(tokens) else ""
    return later if not following or following in PREPOSITIONS | DETERMINERS else 0


def _unknown_verb(tokens: list[Word], first: int) -> int:
    """A verb that no list has: a plain word that closes a clause after a name or a plural, and looks like no noun."""
    # "did … received"
    if tokens[0].text.lower() == "did" and past_verb(tokens):
        return 0
    for at in range(first, len(tokens)):
        following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
        closes = not following or following in PREPOSITIONS - {"of"} or following in DETERMINERS or following == ","
        named_so = following in ("up", "off") and tokens[at].tag == "n"  # "team up"
        if closes and (named_so or _may_act(tokens[at])) and _may_be_subject(tokens, at - 1):
            return at
    return 0


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    # the everyday words that are verbs are all listed as such, so the others are not
    return frozenset(column("en", "common"))


def _may_act(word: Word) -> bool:
    low = word.text.lower()
    return word.tag == "n" and not low.endswith("s") and not _NOUN.search(low) and low not in _everyday()


def _may_be_subject(tokens: list[Word], at: int) -> bool:
    """Whether a name or a plural ends here that no preposition stands before: "on the CPI scale" has no verb."""
    if tokens[at].text.lower() in _PRONOUNS:
        return True
    if tokens[at].tag != "e" and not (tokens[at].tag in ("n", "nv") and _PLURAL.search(tokens[at].text)):
        return False
    if re.search("['’]s$", tokens[at].text):
        return False
    while at and tokens[at].tag in ("e", "n", "nv", "a"):
        at -= 1
    while at and tokens[at].text.lower() in DETERMINERS:
        at -= 1
    return tokens[at].text.lower() not in PREPOSITIONS - {"of"}


def past_verb(tokens: list[Word]) -> int:
    """«did … received», a common slip: the past form is the verb."""
    did = tokens[0].text.lower() == "did"
    return next(
        (at for at in range(2, len(tokens)) if did and tokens[at].text.islower() and is_past(tokens[at].text)), 0
    )
