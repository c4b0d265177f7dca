"""Made-up answers to Persian questions: of the type that the question asks for and in the shape of the gold answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from readproof.lang.fa.answerkinds import callings, gold_kind, pools
from readproof.lang.fa.counted import clean, counted
from readproof.lang.fa.cues import cued, is_nature
from readproof.lang.fa.entities import AREAS, classes, entities, heads
from readproof.lang.fa.fakepeople import asks_person, people_of
from readproof.lang.fa.joints import asks_what_like, breaks, goes_on, is_of_time, qualified
from readproof.lang.fa.little import little
from readproof.lang.fa.numbers import NUMBER, is_counted, mutated
from readproof.lang.fa.orders import FRAMES, head_of
from readproof.lang.fa.people import origin_of, person
from readproof.lang.fa.questions import Phrase
from readproof.lang.fa.words import key, tag_of, words
from readproof.lang.lists import lines

_TRIES = 12
_FEW = 5
# kinds of names a place can be of
PLACES = (*AREAS, "sea", "river", "mountain", "island")
_COUNTED = ("number", "year", "years", "date", "century", "decade", "time", "day", "month", "ordinal", "ordinalmost")


@lru_cache(maxsize=1)
def asked() -> dict[str, str]:
    """The kind of answer that goes with a noun."""
    return {entry[0]: entry[1].lstrip("=") for entry in lines("fa", "asked")}


def fakes(phrase: Phrase, gold: str, question: str, random: Random) -> Iterator[str]:
    """Answers of the gold answer's type, the likest first."""
    if phrase.type == "yesno":
        yield "بله"
        return
    for _ in range(_TRIES * 2):
        new = _fake(phrase, gold, question, random)
        if new:
            yield new


def _fake(phrase: Phrase, gold: str, question: str, random: Random) -> str:
    if phrase.type == "time" and not is_counted(gold):
        return "" if len(gold.split()) > _FEW or is_nature(question) else random.choice(pools()["moment"])
    if phrase.type in _COUNTED:
        return counted(phrase, gold, random)
    if phrase.type == "person" or (phrase.type == "what" and asks_person(question)):
        return people_of(phrase, gold, question, random)
    if phrase.type == "place":
        kind = _place_kind(gold, question) if not _is_member(question, phrase) else _institution(gold)
        return random.choice(classes()[kind]) if kind else ""
    if phrase.type == "quality":
        kind = cued(question, phrase)
        return random.choice(pools()[kind]) if kind in ("climate", "relation") else ""
    if phrase.type == "manner" and re.search("خطاب|می‌نام|نامیده|می‌خواند", question):
        return random.choice(pools()["name"])
    if phrase.type == "manner" and _JUDGES.match(question[phrase.end :]):
        return ""
    if phrase.type == "reason":
        return "" if is_nature(question) else random.choice(pools()["reason"])
    if phrase.type == "direction":
        return random.choice(classes()["direction"])
    if phrase.type in pools():
        if phrase.type == "name":
            return _named(gold, question, random)
        if phrase.type != "thing":
            return random.choice(pools()[phrase.type])
    return _thing(phrase, gold, question, random)


# «چگونه دانسته است» wants what it was held to be
_JUDGES = re.compile("\\s*(?:دانست|می\u200c?دان|توصیف|معن|ارزیابی|معرفی|تعریف|فرض|به نظر)")


def _place_kind(gold: str, question: str) -> str:
    kinds = [one.kind for one in entities(gold) if one.kind in PLACES]
    ranked = _RANKED_PLACE.match(question)
    if ranked and heads()[ranked[1]] not in kinds:
        return heads()[ranked[1]]
    if kinds:
        return kinds[0]
    around = [one.kind for one in entities(question)]
    if not any(kind in ("person", "given", "king", *PLACES) for kind in around) and not _ABOUT_PLACE.search(
        f"{gold} {question}"
    ):
        return ""
    return "irancity" if origin_of(gold, question) == "fa" else "city"


# «دومین ایالت بزرگ … کجاست»
_RANKED_PLACE = re.compile("\\s*\\S+ین (ایالت|استان|جزیره)(?!\\w)")


def _is_member(question: str, phrase: Phrase) -> bool:
    """«عضو کجا» asks for no town."""
    last = next(iter(words(question[: phrase.start])[-1:]), None)
    return last is not None and key(last.text) in little("institutions")


def _institution(gold: str) -> str:
    kind = gold_kind(gold)
    return kind if kind in ("organisation", "university", "company", "team", "party") else ""


_ABOUT_PLACE = re.compile(
    "شهر|کشور|استان|روستا|آباد|متولد|زندگی|درگذشت|سفر|تبعید|فرار|بازگشت|تحصیل|دفن|برگزار|بندر|جزیره|اهل |واقع|مهاجرت"
)


def _named(gold: str, question: str, random: Random) -> str:
    kind = gold_kind(gold)
    first = [re.sub("\u200c?[یا]+$", "", key(one.text)) for one in words(question)[:4]]
    if kind == "person" or any(
        heads().get(one) == "person" or one in callings() or one in ("کسی", "کس", "سرهنگ", "ژنرال", "سردار", "بردار")
        for one in first
    ):
        return person(origin_of(gold, question), True, random)
    listed = kind in classes() and kind not in ("nationality", "people", "color", "animal", "plant", "language")
    if kind == "language" and "زبان" in question:
        listed = True
    return random.choice(classes()[kind] if listed else pools()["name"])


def _thing(phrase: Phrase, gold: str, question: str, random: Random) -> str:
    noun, plural = _singular(re.sub("\u200c?های$", "", key(phrase.head)))
    many = phrase.many or plural
    kind = asked().get(noun) or heads().get(noun) or ""
    if not noun:
        kind = cued(question, phrase)
        if kind == "name" and re.match("\\s*(?:نام|اسم)", question):
            return _listed([_named(gold, question, random) for _ in range(2 if many else 1)])
        if phrase.frame in FRAMES:
            kind = kind or _ordered_kind(question[: phrase.start])
        elif phrase.type == "what":
            kind = kind or _subject_kind(question)
        if not kind and phrase.type == "what" and _DEFINES.match(question):
            kind = "definition"
    kind = kind or gold_kind(gold)
    if kind == "person":
        return people_of(replace(phrase, many=many), gold, question, random)
    if kind in ("shah", "king") and (many or goes_on(question, phrase)):
        return ""
    if many and kind in ("rank", "place", "people") and noun != "اقوام":
        return ""
    if noun and (question[phrase.end :].startswith(" و ") or (kind == "side" and qualified(question, phrase))):
        return ""
    if kind == "place" and not re.search("(?:در|به|از|تا|برای)\\s*$", question[: phrase.start]):
        return ""
    if noun and kind and kind not in _FOLLOWED and goes_on(question, phrase):
        return ""
    kind = _refined(kind, phrase, gold, question)
    if noun and (
        (kind and breaks(kind, question, phrase)) or is_of_time(noun) or asks_what_like(kind, question, phrase)
    ):
        return ""
    many = many and kind != "vague"
    pool = classes().get(kind) or pools().get(kind) or ()
    if noun and not pool and not NUMBER.search(gold) and phrase.frame.endswith(" {}"):
        own = noun.endswith("ی") or (noun.endswith("ش") and tag_of(noun[:-1]) in ("n", "np"))
        pool = pools()["vague"] if not own and not goes_on(question, phrase) else ()
        many = False
    if many and kind in classes():
        # «جنگ ایران و عراق» is one name; after «و» it would be two
        pool = tuple(one for one in pool if " و " not in one)
    if pool and not (kind in classes() and noun and qualified(question, phrase)):
        names = [
            one if kind == "event" else _without(one, noun)
            for one in (random.sample(pool, 2) if many else [random.choice(pool)])
        ]
        return _listed(names)
    if len(gold.split()) <= _FEW and len(NUMBER.findall(gold)) == 1:
        return clean(mutated(gold, random))
    if phrase.type == "what" and phrase.frame.startswith("{}"):
        return random.choice(pools()["else"])
    rest = phrase.frame.removeprefix("{}").strip()
    if (
        not noun
        and phrase.type == "thing"
        and (not rest or (phrase.frame.startswith("{}") and tag_of(rest) == "v" and not re.search("شو|شد", rest)))
    ):
        return random.choice(pools()["somethings" if phrase.many else "something"])
    return ""


# kinds after whose answers the rest of the phrase may follow: adjectives, places and works
_FOLLOWED = frozenset(
    [
        "field",
        "part",
        "partof",
        "side",
        "kindword",
        "factor",
        "naturalfactor",
        "rank",
        "body",
        "effect",
        "price",
        "film",
        "album",
        "book",
        "play",
        "team",
        "company",
        "university",
        "newspaper",
    ]
) | frozenset(PLACES)
_DIRECTED = re.compile("شمال|جنوب|شرق|غرب|مرکز")


def _refined(kind: str, phrase: Phrase, gold: str, question: str) -> str:
    """The kind once more, by what the gold answer or the rest of the question is about."""
    if kind == "city" and origin_of(gold, question) == "fa":
        return "irancity"
    if kind == "region" and origin_of(gold, question) == "fa":
        return "side"
    if kind == "post" and any(one.kind in ("ordinal", "ordinalmost", "number") for one in entities(gold)):
        return "rank"
    if kind == "post" and _DIRECTED.search(gold):
        return "direction"
    if kind == "factor" and is_nature(question):
        return "naturalfactor"
    if kind == "feature" and re.match("\\s*(?:دار|داشت)", question[phrase.end :]):
        return "vague"
    if kind == "season" and NUMBER.search(gold):
        return ""
    if kind == "part" and any(one.kind in ("ordinal", "ordinalmost", "number") for one in entities(gold)):
        return "rank"
    if kind == "part" and not any(one.kind in PLACES for one in entities(question)) and not _DIRECTED.search(gold):
        return "" if is_nature(question) else "partof"
    if kind == "dynasty" and is_nature(question) and key(phrase.head) in ("دوره", "دوران", "عصر"):
        return "period"
    if kind == "event" and re.search("(?:از|پی|به|دنبال|با|در|اثر)\\s*$", question[: phrase.start]):
        return "eventname"
    if kind in ("denomination", "church_kind"):
        return "church_kind" if gold_kind(gold) == "church_kind" else kind
    return kind


def _listed(names: Sequence[str]) -> str:
    """Several answers as one; an answer that is a list itself is enough."""
    if len(set(names)) < len(names):
        return ""
    return names[0] if " و " in names[0] else " و ".join(names)


def _singular(noun: str) -> tuple[str, bool]:
    """A noun for people without its plural ending, where the list has it so."""
    for plural, ending in (("گان", "ه"), ("یان", ""), ("ان", "")):
        stem = noun.removesuffix(plural) + ending
        if noun.endswith(plural) and noun not in heads() and heads().get(stem):
            return stem, True
    return noun, False


def _without(name: str, noun: str) -> str:
    """«حزب» is said already in «کدام حزب»."""
    return name.removeprefix(f"{noun} ") if noun else name


def _ordered_kind(subject: str) -> str:
    """The kind of what is to be named, by its noun: «سازهای رایج … را نام ببرید»."""
    noun = head_of(subject)
    kind = heads().get(_singular(re.sub("\u200c?(?:های|هایی|ها)$", "", noun))[0], "")
    return "" if kind in _NOT_ASKED and kind not in PLACES else kind


def _subject_kind(question: str) -> str:
    """What kind of answer a question wants by its first noun."""
    for word in words(question)[:3]:
        if key(word.text) in ("که", "در", "از", "با", "به"):
            break
        noun = _singular(re.sub("\u200c?(?:های|ها)$", "", key(word.text)))[0]
        kind = heads().get(noun, "")
        if kind:
            return "" if kind in _NOT_ASKED else kind
    return ""


# kinds that are seldom the answer, or whose answers want their noun before them
_NOT_ASKED = little("not_asked")
_DEFINES = re.compile("^\\s*(?:منظور از )?\\S+(?: \\S+)? (?:چیست|چه بود|چه است)")
