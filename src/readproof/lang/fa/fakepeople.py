"""Made-up answers to Persian questions about people: a name, several, or what somebody was."""

from __future__ import annotations

import re
from random import Random

from readproof.lang.fa.answerkinds import callings, gold_kind, pools
from readproof.lang.fa.entities import classes, entities, heads
from readproof.lang.fa.joints import goes_on
from readproof.lang.fa.little import little
from readproof.lang.fa.orders import is_ranked
from readproof.lang.fa.people import origin_of, person
from readproof.lang.fa.questions import Phrase
from readproof.lang.fa.words import key, words

_FEW = 5
_ASKS_PERSON = re.compile("^\\s*(?:نام\\s+)?(\\S+)")


def asks_person(question: str) -> bool:
    """Whether a question begins with what people are called."""
    found = _ASKS_PERSON.match(question)
    return bool(found) and heads().get(key(found[1])) == "person" if found else False


def people_of(phrase: Phrase, gold: str, question: str, random: Random) -> str:
    """One or several people of the gold answer's kind; "" where nobody fits."""
    last = next(iter(words(question[: phrase.start])[-1:]), None)
    related = last is not None and (
        last.tag == "f"
        or last.text.endswith("گان")
        or last.text.endswith("دان")
        or heads().get(key(last.text)) == "person"
    )
    if (
        _WHO_WAS.match(question)
        and _is_name(question[: phrase.start])
        and not related
        and phrase.type == "person"
        and "person" not in [one.kind for one in entities(gold)]
    ):
        first = words(question)[0]
        known = next((one.kind for one in entities(question) if one.start == first.start), "")
        called = any(key(one.text) in callings() or heads().get(key(one.text)) == "person" for one in words(question))
        short = len(words(question)) <= _FEW - 2 and not called
        titled = short or first.text in little("titles") or known in ("person", "given", "king", "king_en")
        if (titled or (first.tag not in ("n", "np", "a") and not called)) and heads().get(key(first.text)) != "person":
            return "" if phrase.many else random.choice(pools()["personrole"])
    if phrase.type == "thing" and "به نام" not in phrase.frame and goes_on(question, phrase):
        return ""
    if "به نام" in phrase.frame and question[phrase.end :].startswith(" و "):
        return ""
    kinds = [one.kind for one in entities(gold) if not one.kind.startswith("kin_")]
    listed = next(
        (kind for kind in kinds if kind in ("people", "company", "organisation", "team", "king", "dynasty", "country")),
        "",
    )
    kinds = ["person" if kind == "given" else kind for kind in kinds]
    if listed and "person" not in kinds and gold_kind(gold) == listed:
        pool = classes()[listed]
        return " و ".join(random.sample(pool, 2)) if phrase.many and listed != "people" else random.choice(pool)
    if phrase.many and (
        gold_kind(gold) in ("nationality", "language", "continent")
        or "اروپای" in gold
        or re.match("\\s*\\S+ها (?:از )?چه", question)
    ):
        return random.choice(pools()["tribes"])
    if phrase.many and re.search("طوایف|قبایل|اقوام|مردمان|قوم", gold):
        return random.choice(pools()["tribes"])
    kin = next((kind for kind in (one.kind for one in entities(gold)) if kind in _GROUPS and phrase.many), "")
    if "person" not in kinds and phrase.many and (kin or _is_common(gold)):
        pool = classes()[kin or "kin_citizens"]
        return random.choice(pool)
    origin = origin_of(gold, question)
    if not phrase.many and _WOMEN.search(re.sub("\\S+\\s*$", "", question[: phrase.start]) + question[phrase.end :]):
        return f"{random.choice(pools()[f'{origin}_women'])} {random.choice(classes()[f'{origin}_surname'][:66])}"
    if phrase.many:
        return f"{person(origin, True, random)} و {person(origin, True, random)}"
    return person(origin, True, random)


# «یکی از دوستان …», «نوه‌ی پسری …»
_ASKS_NAME = re.compile("(?<!\\w)یکی(?!\\w)|(?:ه\u200cی|های|\u200cها)(?!\\w)")


def _is_name(subject: str) -> bool:
    """Whether «… کیست» asks what a named person was; where a person is described it asks for the name."""
    return not _ASKS_NAME.search(subject) and not any(is_ranked(one.text) for one in words(subject))


_WHO_WAS = re.compile("^\\s*\\S+(?: \\S+){0,5} (?:که بود|کیست|چه کسی بود|چه کسی است|که است|چه کسی بوده)")


_WOMEN = re.compile("(?<!\\w)(?:مادر|خواهر|همسر|دختر|ملکه|ملکهٔ|بانو|بانوی|مادربزرگ|زنی|زنان|زن)(?!\\w)")


_GROUPS = ("kin_gender", "kin_citizens", "kin_job2", "kin_army", "kin_beast", "job")


def _is_common(gold: str) -> bool:
    """Whether an answer names people by what they are: no word of it can be a name."""
    found = [one for one in words(gold) if one.tag != "f"]
    return (
        0 < len(found) <= 3
        and all(one.tag in ("n", "np", "a") for one in found)
        and bool(re.search("(?:ان|ها|ین)$", key(found[0].text)))
    )
