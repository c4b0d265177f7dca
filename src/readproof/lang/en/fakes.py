"""Made-up answers to English questions, of the type of the gold answer and of what is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from readproof.lang.api import lines, wordset
from readproof.lang.en.entities import classes, count, entities, is_counted, mutated, year
from readproof.lang.en.questions import AskingPhrase
from readproof.lang.en.words import DETERMINERS, PREPOSITIONS, is_third

# Made-up answers to what and which: by the noun that is asked for, by the verb, or by the gold answer's shape.


_LONG = 8
# where the names of men end among the given names, and those of women
_MEN, _WOMEN = 41, 53
_WITH_ARTICLE = ("team", "peoples", "river", "superpower")
_ASKED = re.compile(
    "^(?:is|was|are|were) (?:one|an?|the|some)?(?: of the)? ?(?:name of (?:the|an?|one) |title of the )?"
    "((?:[\\w'-]+ ){0,3}?)([A-Za-z-]+)"
    "(?= (?:of|for|in|that|which|who|to|from|on|at|with|between|by|used|given|called|written|made|built"
    "|within|among|about|as|when"
    "|during|against|under|after|before|over|where|\\w+ly|\\w+ed)\\b|$)"
)
# what a verb or a phrase of the question says of the answer; the first that fits counts
_SAYS = (
    ("\\b(?:mean|meant|translates?|stands? for)\\b", "meaning"),
    ("\\bcolou?rs?\\b", "color"),
    ("\\b(?:called|known as|referred to|nicknamed|dubbed|termed|named|call|refer to)\\b", "term"),
    ("\\bname\\b.*\\bcomes? from\\b", "meaning"),
    ("\\b(?:made|composed|built|constructed)\\b.{0,24}\\b(?:of|from)\\b", "material"),
    ("\\b(?:used for|useful for|responsible for)\\b", "gerund"),
    (
        "\\b(?:cause|causes|caused|lead to|led to|result in|resulted in|results in|occur|happen|happens|happened)\\b",
        "effect",
    ),
)
_DEFINED = re.compile("(?:is|was|are|were) (?!the )(?:an? )?[\\w'-]+(?: (?!\\w+(?:ed|ing)$)[\\w'-]+)?")
_CAUSING = re.compile(
    "(?:(?!do|did|does)\\w+ ){0,2}(?:cause[sd]?|leads? to|led to|results? in|resulted in|increases?)\\b"
)
_TOO_WIDE = frozenset({"type", "types", "kind", "sort", "part", "form", "way", "thing", "things", "else", "matters"})
_ANOTHER = frozenset({"one", "ones", "other", "others"})
_KINSMAN = re.compile(
    "(?:'s?|\\bWho)(?: \\w+){0,2} (?:grand)?(son|daughter|wife|husband|father|mother|brother|sister)\\W*$"
)
_VERBAL = re.compile("^to [a-z]+ ")
_PLURAL = re.compile("[a-z]{3,}(?<![suio])s$")


@lru_cache(maxsize=1)
def heads() -> dict[str, str]:
    """The kind of what a noun asks for."""
    return {entry[0]: entry[1] for entry in lines("en", "heads")}


@lru_cache(maxsize=1)
def pools() -> dict[str, tuple[str, ...]]:
    """Answers of the kinds that have no names."""
    return {entry[0]: entry[1:] for entry in lines("en", "answers")}


@lru_cache(maxsize=1)
def classes_in_lower() -> frozenset[str]:
    """Names of places as a question's head may have them, in small letters."""
    return frozenset(one.lower() for kind in ("country", "city", "state", "continent") for one in classes()[kind])


def person(random: Random, told: str = "") -> str:
    """The name of a person; of a man or a woman where a text tells."""
    given = classes()["given"][:60]
    if re.search("\\b(?:his|he|him|himself|king|King|man|husband|father)\\b", told):
        given = given[:_MEN]
    elif re.search("\\b(?:her|she|queen|Queen|woman|wife|mother)\\b", told):
        given = given[_MEN:_WOMEN]
    return f"{random.choice(given)} {random.choice(classes()['surname'][:52])}"


def member(kind: str, random: Random) -> str:
    """One of a kind, with the article that it needs."""
    if kind == "person":
        return person(random)
    new = random.choice(pools().get(kind) or classes()[kind])
    return f"the {new}" if kind in _WITH_ARTICLE else new


def field_of(*texts: str) -> str:
    """What the texts are about: nature, number (mathematics and computing), or "" for people and their works."""
    said = [one.lower() for text in texts for one in re.findall("\\b[a-z]+\\b|\\bATP\\b|\\bEarth\\b", text)]
    nature = sum(one in wordset("en", "nature") for one in said)
    counting = sum(one in wordset("en", "counting") for one in said)
    if max(nature, counting) == 0:
        return ""
    return "nature" if nature >= counting else "number"


def by_field(kind: str, field: str, random: Random) -> str:
    """One of a kind that has answers for each field."""
    return random.choice(pools().get(f"{field} {kind}") or pools()[kind])


def thing(question: AskingPhrase, gold: str, random: Random) -> str:
    """An answer to what or which."""
    if not question.head and re.match("(?:do|does|did|can|may|must|should|could|would) .*\\bdo\\b", question.after):
        return random.choice(pools()["verbal"])
    short = len(gold.split()) <= _LONG
    head = question.head.lower() or asked_head(question)
    field = field_of(question.text, gold)
    found = [one for one in entities(f"x {gold}") if one.kind != "numberword"]
    if short and found and found[0].kind == "number" and is_counted(gold):
        if " of the " in gold:
            return ""
        new = mutated(gold, random)
        ends = [float(one.replace(",", "")) for one in re.findall("\\d[\\d,]*(?:\\.\\d+)?", new)]
        rising = ends == sorted(set(ends))
        return "" if re.search("\\d (?:to|and) \\d|\\d[–-]\\d", new) and not rising else new
    if not head and re.fullmatch("(?:is|was) [A-Z][a-z]+ [A-Z][a-z]+", question.after) and gold.islower():
        return random.choice(pools()["role"])
    if head in _TOO_WIDE | _ANOTHER or (not question.head and _DEFINED.fullmatch(question.after)):
        return ""
    many = _is_plural(head)
    capital = sum(1 for word in gold.split() if word[:1].isupper()) * 5 > 2 * len(gold.split())
    if question.head in classes()["nationality"]:
        return person(random)
    if re.search(" [XVIL]+$", gold):
        return re.sub("[XVIL]+$", random.choice(classes()["roman"]), gold)
    if head == "name" and re.search("\\b(?:last|family) name of\\b", question.text):
        return random.choice(classes()["surname"][:52])
    if head == "name" and (kinsman := _KINSMAN.search(question.text)):
        return person(random, "he" if kinsman[1] in ("son", "husband", "father", "brother") else "she")
    if head == "name" and " name for " in question.text:
        return by_field("term", field, random)
    if head == "group" and re.search("headlin|music|song|perform|album", question.text):
        return member("band", random)
    kind = heads().get(head) or (heads().get(head.removesuffix("s"), "") if many else "")
    if not kind and capital and re.search("(?:ist|ian)s?$", head):
        kind = "person"
    if kind == "person":
        return person(random, question.text)
    if kind in ("purpose", "claim", "use") and question.head:
        return _plain(head, many, field, random)
    if kind == "law" and field:
        return ""
    if kind == "event" and re.match("caused?|led", question.after):
        return member("war", random)
    if kind:
        if kind in _proper() and re.search("\\b(?:kind|type|sort|form)s? of\\b", _asking(question)):
            return _plain(head, many, field, random) if question.head else ""
        if head == "position" and re.search("\\bplay", question.text):
            return member("position", random)
        if kind == "city" and gold == gold.lower():
            return member("industry", random) if head in ("area", "areas") else by_field("place", field, random)
        return _of_head(kind, many, field, random)
    if re.match("(?:which|what) of\\b", _asking(question), re.IGNORECASE):
        return ""
    if found and found[0].kind == "person" and capital and question.head.endswith(("er", "or")):
        return person(random)
    named = re.search("\\bname of\\b", question.text)
    if re.search("\\b(?:kind|type|sort|form)s? of\\b", _asking(question)):
        return _plain(head, many, field, random) if question.head else ""
    if head and capital and not many and (question.head or named) and head.islower():
        # as the question writes it: "the Zenith CEO"
        return f"the {random.choice(classes()['name'][20:])} {question.head or head}"
    if (
        head
        and (question.head.lower() == head or f" {head} " in f" {gold.lower()} ")
        and head.isalpha()
        and len(head) > 2
    ):
        return _plain(head, many, field, random)
    if found and capital:
        kind = found[0].kind
        if kind in ("person", "surname"):
            return person(random)
        if (
            kind in classes()
            and kind not in ("name", "given", "acronym", "roman")
            and (kind != "nationality" or " " not in gold)
        ):
            return member(kind, random)
    if _CAUSING.match(question.after):
        return by_field("reason", field, random)
    for pattern, kind in _SAYS:
        if re.search(f"(?<!that )(?<!which ){pattern}", question.text):
            if named and kind != "term":
                return ""  # what the thing does, where its name is asked for
            if kind == "term" and re.match("(?:are|were)\\b", question.after) and not field:
                return random.choice(pools()["coined"])
            several = re.match("(?:are|were)\\b", question.after)
            if kind == "term" and (named or not (field or capital) or (several and field)):
                return ""
            if kind == "term" and capital and not field:
                return random.choice(pools()["title"])
            return by_field(kind, field, random)
    if capital and gold and re.match("(?:has|had)\\b|\\w+ed\\b", question.after):
        return random.choice(classes()["organisation"])
    return ""  # a wide answer ("a set of new rules") seldom fits its place, so none is given


def _asking(question: AskingPhrase) -> str:
    return question.text[question.start : question.end]


@lru_cache(maxsize=1)
def _proper() -> frozenset[str]:
    """The kinds whose answers are names."""
    return frozenset(
        (*classes(), "person", *(kind for kind, found in pools().items() if re.match("(?:the |an? )?[A-Z]", found[1])))
    )


def asked_head(question: AskingPhrase) -> str:
    """«What is the N of …»: N."""
    found = _ASKED.match(question.after)
    return found[2].lower() if found and found[2] not in DETERMINERS | PREPOSITIONS else ""


def _is_plural(word: str) -> bool:
    return (bool(_PLURAL.search(word)) and word != "series") or word in (
        "people",
        "species",
        "bacteria",
        "men",
        "women",
        "children",
    )


def _of_head(kind: str, many: bool, field: str, random: Random) -> str:
    if f"nature {kind}" in pools():
        return by_field(kind, field, random)
    new = member(kind, random)
    if not many or kind in ("groups", "range", "animal", "event") or new.startswith(("a ", "an ")):
        return new
    other = member(kind, random)
    return f"{new} and {other}" if other != new else ""


def _plain(head: str, many: bool, field: str, random: Random) -> str:
    """Some plain one of what is asked for; a name has no such."""
    word = by_field("plain", field, random)
    if head in classes_in_lower():
        return ""
    if many or head in wordset("en", "mass"):
        return f"{word} {head}"
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word} {head}"


_TRIES = 24
_PEOPLE = frozenset(("person", "surname"))
_WRITTEN_YEAR = re.compile("\\b(?:1\\d{3}|20[0-3]\\d)\\b")


def fakes(question: AskingPhrase, gold: str, random: Random, near: str = "") -> Iterator[str]:
    """Answers of the gold answer's type; `near` is text whose years may stand for the gold's."""
    gold = re.sub("[.,;:]+$", "", gold.strip())
    for _ in range(_TRIES):
        new = _fake(question, gold, near, random)
        if new:
            yield new


def _fake(question: AskingPhrase, gold: str, near: str, random: Random) -> str:
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


def _number(question: AskingPhrase, gold: str, random: Random) -> str:
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


def _time(question: AskingPhrase, gold: str, near: str, random: Random) -> str:
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


def _someone(question: AskingPhrase, gold: str, random: Random) -> str:
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
