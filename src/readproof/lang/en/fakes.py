"""Made-up answers to English questions, of the type of the gold answer and of what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from readproof.lang.en.entities import classes, entities
from readproof.lang.en.numbers import count, is_counted, mutated, year
from readproof.lang.en.questions import Question
from readproof.lang.en.things import by_field, field_of, heads, member, person, pools, thing
from readproof.lang.en.verbs import is_third

_TRIES = 24
_LONG = 8
_PEOPLE = frozenset(("person", "surname"))
_WRITTEN_YEAR = re.compile("\\b(?:1\\d{3}|20[0-3]\\d)\\b")


def fakes(question: Question, gold: str, random: Random, near: str = "") -> Iterator[str]:
    """Answers of the gold answer's type; `near` is text whose years may stand for the gold's."""
    gold = re.sub("[.,;:]+$", "", gold.strip())
    for _ in range(_TRIES):
        new = _fake(question, gold, near, random)
        if new:
            yield new


def _fake(question: Question, gold: str, near: str, random: Random) -> str:
    if question.type == "number":
        return _number(question, gold, random)
    if question.type == "time":
        return _time(question, gold, near, random)
    field = field_of(question.text, gold)
    if question.type == "reason":
        return by_field("reason", field, random)
    if question.type == "manner":
        return ""  # how something is done hangs too much on what it is
    if question.type == "person":
        if gold[:1].islower() and re.fullmatch("(?:is|was) (?:[A-Z][\\w.'-]+ ?)+", question.after):
            return random.choice(pools()["role"])
        return _someone(question, gold, random)
    if question.type == "place":
        kind = _place(gold)
        return member(kind, random) if kind else by_field("place", field, random)
    return thing(question, gold, random)


def _number(question: Question, gold: str, random: Random) -> str:
    short = len(gold.split()) <= _LONG
    if " of the " in gold:
        return ""  # a share of what the question may name in other words
    if question.form == "how much" and question.head:
        return ""  # «$110 million money»
    if question.form == "how often":
        return random.choice(pools()["often"])
    if question.form == "how long" and not (short and is_counted(gold)):
        return random.choice(pools()["duration"])
    if short and is_counted(gold) and not question.head:
        return mutated(gold, random)
    if question.form not in ("how many", "how much"):
        return mutated(gold, random) if short and is_counted(gold) else ""
    if question.form == "how much" and not re.search("\\d", gold):
        return random.choice(pools()["share"])
    return count(gold, random)


def _time(question: Question, gold: str, near: str, random: Random) -> str:
    head = question.head.lower()
    if re.search("\\b(?:type|kind|sort) of time\\b", question.text):
        return ""
    if head in ("century", "centuries") or re.search("century$", gold):
        return f"the {random.choice(classes()['century'])} century"
    written = next((found[0] for text in (gold, question.text, near) if (found := _WRITTEN_YEAR.search(text))), "")
    if head in ("decade", "decades"):
        return f"the {year(written, random)[:3]}0s"
    if head in ("month", "day") and not re.search("\\d", gold):
        return random.choice(classes()["month" if head == "month" else "weekday"])
    if re.search("\\bwill\\b", question.text):
        return str(random.randint(2021, 2039))
    if head in ("period", "age") and not re.search("\\d", gold):
        return "" if re.match("(?:is|was|are|were)\\b", question.after) else random.choice(pools()["era"])
    if not re.search("\\d", gold) and re.match("(?:do|does|is|are|can|may)\\b", question.after) and not head:
        return by_field("occasion", field_of(question.text, gold), random)
    bare = re.sub("^(?:in|on|at|by|until|since|around|about|the year)\\s+", "", gold, flags=re.IGNORECASE)
    spans = re.search("\\d\\s?[–-]\\s?\\d|\\b(?:to|and)\\b", bare)
    plain = len(bare.split()) <= 5 and _is_date(bare) and not spans
    return mutated(bare, random) if plain else year(written, random)


def _is_date(text: str) -> bool:
    words = [one.strip(",.") for one in text.split()]
    dated = {
        *classes()["month"],
        *classes()["weekday"],
        "the",
        "century",
        "BC",
        "AD",
        "to",
        "and",
        "–",
        "of",
        "early",
        "late",
    }
    return bool(re.search("\\d", text)) and all(
        one in dated or re.fullmatch("[\\d–/-]+(?:st|nd|rd|th|s)?", one) for one in words
    )


def _someone(question: Question, gold: str, random: Random) -> str:
    kinds = [one.kind for one in entities(f"x {gold}")]
    head = question.head.lower()
    first = question.after.split()[0].lower() if question.after else ""
    if question.form == "whose" or heads().get(head) == "person":
        return person(random, question.text)
    several = re.match("(?:are|were)\\b", question.after) and not re.search("^(?:are|were) \\w+ed\\b", question.after)
    for kind in ("company", "broadcaster", "team", "country", "city", "peoples", "university"):
        if kind in kinds and not set(kinds) & _PEOPLE:
            return member(kind, random)
    if re.search("^(?:the|a) ", gold, re.IGNORECASE) and len(gold.split()) > 1:
        return member("peoples" if several or (gold.endswith("s") and not is_third(first)) else "organisation", random)
    if gold and gold == gold.lower() and not (first in ("is", "was", "has") or is_third(first)):
        return random.choice(pools()["groups"])
    if several:
        return f"{person(random, question.text)} and {person(random, question.text)}"
    return (
        member("peoples", random)
        if re.search("[a-z]{3}(?<!s)s$", gold) and " " not in gold
        else person(random, question.text)
    )


def _place(gold: str) -> str:
    for one in entities(f"x {gold}"):
        if one.kind in ("country", "city", "state", "continent", "river"):
            return one.kind
    return "city" if re.search("[A-Z]", gold[1:]) or (gold[:1].isupper() and " " not in gold) else ""
