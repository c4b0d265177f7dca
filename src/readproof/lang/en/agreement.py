"""Whether a made-up answer may be the subject of the verb that a question has for another."""

from __future__ import annotations

import re

from readproof.lang.en.verbs import is_third

_OF_ONE = frozenset({"is", "was", "has", "does"})
_ONE = re.compile("(?:an?|one|each|every) ", re.IGNORECASE)
# "the cost of repairs", "the drums"; sciences and illnesses end as plurals do
_MANY = re.compile("[a-z]{2}(?<![sui])s$")
# "the Dolphins", "the Turks"
_SEVERAL_NAMED = re.compile("the (?!Netherlands|Philippines|United)[A-Z][a-z]+(?<![sui])s")
_WITHOUT_S = frozenset({"people", "men", "women", "children", "fish", "bacteria", "police", "larvae", "fungi", "algae"})
_NO_PLURAL = re.compile("(?:ics|news|measles|diabetes|rabies|rickets)$")


def is_plural(noun: str) -> bool:
    """Whether a noun in small letters can be of several."""
    return noun.endswith("s") or noun in _WITHOUT_S


def is_many(answer: str) -> bool:
    """Whether an answer in words is of several: two joined by "and", or a noun in the plural that is no name."""
    if _ONE.match(answer) or re.match("[\\d$]", answer):
        return False
    if " and " in answer or _SEVERAL_NAMED.fullmatch(answer):
        return True
    head = re.split(" (?:of|in|from|for|on|to|near) ", answer, maxsplit=1)[0].split(" ")[-1]
    return head.islower() and bool(_MANY.search(head)) and not _NO_PLURAL.search(head)


def agrees(answer: str, verb: str) -> bool:
    """Whether a verb of one may follow; one of several, or one that shows no number, always may."""
    return not ((verb in _OF_ONE or is_third(verb)) and is_many(answer))
