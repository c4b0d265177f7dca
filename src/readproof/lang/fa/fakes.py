"""Made-up answers to Persian questions: of the type that the question asks for and in the shape of the gold answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from readproof.lang.api import lines, wordset
from readproof.lang.fa.entities import AREAS, classes, entities, heads, origin_of, person
from readproof.lang.fa.joints import asks_what_like, breaks, goes_on, is_of_time, qualified
from readproof.lang.fa.numbers import NUMBER, count, is_counted, mutated, series, written, year
from readproof.lang.fa.questions import FRAMES, Phrase, callings, gold_kind, head_of, pools
from readproof.lang.fa.words import is_ranked, key, normal, plain_digits, tag_of, words

# Made-up numbers and times as answers to Persian questions, in the shape of the gold answer.


_LONG = 9
_FEW = 5
_AMOUNTS = ("amount", "count", "duration")
_LEADING = re.compile(
    "^(?:نزدیک به|بیش از|بیشتر از|کمتر از|در حدود|در|به|از|با|توسط|برای|تا|بر"
    "|حدود|تقریباً|نزدیک|سال|قرن|سده|سدهٔ|دهه|دههٔ|تاریخ)\\s+"
)


def counted(phrase: Phrase, gold: str, random: Random) -> str:
    short = len(gold.split()) <= _LONG
    gold = re.sub("\\s*\\(.*", "", gold, flags=re.DOTALL) or gold
    bare = _LEADING.sub("", gold) if short else ""
    if phrase.type in ("ordinal", "ordinalmost") and NUMBER.search(gold):
        return ""
    if phrase.type == "ordinal":
        return random.choice(series()["ordinal"][:12])
    if phrase.type == "ordinalmost":
        return random.choice(classes()["ordinalmost"][2:])
    if phrase.type == "year":
        return year(gold, random)
    if phrase.type == "years":
        first = year(gold, random)
        return f"{first} و {_later(first, random)}"
    if phrase.type == "century":
        return random.choice(series()["ordinal"][3:20])
    if phrase.type == "decade":
        return year("۱۹۵۰" if not re.search("[0-9]", gold) else "1950", random)[:3] + (
            "0" if re.search("[0-9]", gold) else "۰"
        )
    if phrase.type == "day":
        return f"روز {random.choice(series()['weekday'])}" if not NUMBER.search(bare) else mutated(bare, random)
    if phrase.type == "month":
        return random.choice(_months(gold))
    if phrase.type in ("date", "time"):
        if len(re.findall("[0-9۰-۹]{4}", gold)) > 1 or " تا " in gold:
            gold, short = _FIRST_YEAR.sub("\\1", gold), False
        if phrase.type == "time" and re.search("قرن|سده", gold):
            return f"قرن {random.choice(series()['ordinal'][4:19])}"
        if short and is_counted(bare) and _is_date(bare):
            new = clean(mutated(bare, random))
            return f"سال {new}" if re.fullmatch("[0-9۰-۹]{4}", new) and phrase.type == "time" else new
        if phrase.type == "time" and not NUMBER.search(gold):
            return f"سال {year(gold, random)}"
        day = count("۱۲", random)
        if (
            phrase.type == "date"
            and _months(gold) != series()["months_gregorian"]
            and not re.search("[0-9۰-۹]{4}", gold)
        ):
            return f"{day} {random.choice(_months(gold))} {year('۱۲۸۰', random)}"
        return (
            f"{day} {random.choice(_months(gold))} {year(gold, random)}"
            if phrase.type == "date"
            else f"سال {year(gold, random)}"
        )
    if (
        phrase.type == "number"
        and phrase.head not in _AMOUNTS
        and (large := _LARGE.search(gold))
        and large[1] != phrase.head
    ):
        return f"{count(gold, random)} {large[1]}"
    if phrase.head in _AMOUNTS:
        plain = (
            len(bare.split()) <= _FEW + 2
            and is_counted(bare)
            and not any(one.tag == "v" and not one.text.startswith("میلی") for one in words(bare))
        )
        if plain and not _DATED.search(gold):
            return clean(mutated(bare, random))
        if phrase.head == "amount":
            return ""
        number = random.choice(series()["numberword"][:12])
        return f"{number} سال" if phrase.head == "duration" else number
    if phrase.head == "سال" and re.search("سده|قرن|هزاره", gold):
        return ""
    if phrase.head in ("هزار", "میلیون", "میلیارد"):
        return written(random.randint(3, 90), gold)
    if not NUMBER.search(gold) and re.search("(?<!\\w)(?:یک|دو|سه|چهار|پنج)(?!\\w)", gold):
        small = series()["numberword"][:7]
        return random.choice([one for one in small if not re.search(f"(?<!\\w){one}(?!\\w)", gold)])
    if phrase.head in ("سالگی", "درصد"):
        return written(random.randint(9, 52), gold)
    return count(gold, random) if len(gold.split()) <= _FEW else written(random.randint(3, 40), gold)


_FIRST_YEAR = re.compile("^.*?([0-9۰-۹]{4}).*$", re.DOTALL)
_DATED = re.compile("دهه|قرن|سده|(?:سال|تا) [0-9۰-۹]{4}")
_LARGE = re.compile("[0-9۰-۹]\\s*(هزار|میلیون|میلیارد)(?!\\w)")


def _is_date(text: str) -> bool:
    """Whether nothing but a date is in the text."""
    listed = {word for name, words in series().items() for word in words}
    allowed = listed | wordset("fa", "dated")
    return all(key(one.text) in allowed or one.tag == "m" for one in words(text))


def clean(text: str) -> str:
    return re.sub("[\\s،,.؛:]+$", "", text.strip())


def _later(first: str, random: Random) -> str:
    return written(int(plain_digits(first)) + random.randint(2, 6), first)


def _months(gold: str) -> tuple[str, ...]:
    for name in ("months_jalali", "months_gregorian", "months_lunar"):
        if any(re.search(f"(?<!\\w){month}(?!\\w)", gold) for month in series()[name]):
            return series()[name]
    return series()["months_gregorian"]


# Made-up answers to Persian questions about people: a name, several, or what somebody was.


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
        titled = short or first.text in wordset("fa", "titles") or known in ("person", "given", "king", "king_en")
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


# What kind of answer a Persian question wants that names no kind itself: the words around the question word tell.

# with these in it a question is about nature, where people's reasons are none
_NATURE = re.compile(
    "(?<!\\w)(?:دما|دمای|گیاه|گیاهان|پرنده|پرندگان|سیاره|سیارات|سلول|خاک|جانور|جانوران|حیوان|حیوانات|ستاره|ستارگان|درخت"
    "|درختان|بدن|مولکول|اتم|خورشید|گاز|فلز|انرژی|پوست|اکسیژن|هیدروژن|عنصر|بیماری|ماهی|مهره‌داران|دایناسورها|پستانداران|خزندگان|فسیل|نور|نوری|مغناطیسی|سیاره‌ها|موجودات|پروتئین|ژن|چای|قهوه|دندان|غذا|غذایی|دارو|ویتامین|میوه|آسم|سرطان|دیابت|پارکینسون|سیب‌زمینی|صدا|اینترنت|رایانه|فیل|فیل‌ها|فیل‌های|کوه‌های|کهکشان|موتورهای|مرورگرها|منظومهٔ)(?!\\w)"
)


@lru_cache(maxsize=1)
def _cues() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(entry[0]), entry[1]) for entry in lines("fa", "cues"))


@lru_cache(maxsize=1 << 12)
def cued(question: str, phrase: Phrase) -> str:
    """The kind of answer, "" where nothing tells it."""
    text = normal(question)
    text = re.sub("\\s+", " ", f"{text[: phrase.start]}_{text[phrase.end :]}").strip()
    frame = phrase.frame.replace("{}", "").strip()
    text = text.replace("_", f"_ {frame}", 1) if phrase.type == "thing" and frame else text
    text = unicodedata.normalize("NFC", text)
    at = text.find("_")
    named = phrase.type == "thing" and not phrase.frame.startswith(" ")
    for pattern, kind in _cues():
        if named and pattern.pattern.startswith("^"):
            continue
        found = pattern.search(text)
        # a subject that tells the kind comes before the question word
        if found and (found.start() > 0 or found.end() <= at or "_" in found[0]):
            return "nature" if kind == "reason" and is_nature(question) else kind
    return ""


def is_nature(question: str) -> bool:
    """Whether a question is about nature and not about people."""
    return bool(_NATURE.search(normal(question)))


_TRIES = 12
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
    return last is not None and key(last.text) in wordset("fa", "institutions")


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
_NOT_ASKED = wordset("fa", "not_asked")
_DEFINES = re.compile("^\\s*(?:منظور از )?\\S+(?: \\S+)? (?:چیست|چه بود|چه است)")
