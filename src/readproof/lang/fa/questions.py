"""Persian questions: the phrase that asks stays where the answer would stand, so a statement is a replacement.

Each phrase knows the type of answer it asks for and the frame that takes the answer in its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from readproof.lang.api import column, lines, wordset
from readproof.lang.fa.entities import AREAS, classes, entities
from readproof.lang.fa.words import in_lexicon, is_known, is_ranked, key, linked, normal, tag_of, words

# What answers there are to choose from, and of which kind a gold answer is.


@lru_cache(maxsize=1)
def pools() -> dict[str, tuple[str, ...]]:
    """Answers of every kind that has no names."""
    return {entry[0]: entry[1:] for entry in lines("fa", "answers")}


@lru_cache(maxsize=1)
def callings() -> frozenset[str]:
    """What people are called by their work."""
    return frozenset(one for kind in ("job", "kin_rank", "kin_role", "kin_office") for one in classes()[kind])


def gold_kind(gold: str) -> str:
    """The kind of a gold answer that is a listed name."""
    found = [
        one
        for one in entities(gold)
        if not one.kind.startswith(("kin_", "number", "ordinal", "magnitude", "latin", "given"))
    ]
    if found and sum(one.end - one.start for one in found) >= 0.6 * len(gold.strip()):
        return found[0].kind
    return ""


# Orders to name something, «… را نام ببرید»: is one thing asked for or several, and what kind of thing.


_S = "[ \u200c]+"
# one thing «is» it, several are listed; «نام» is one even where it is that of several
ONE, SEVERAL, NAMES = " {} است", " عبارت‌اند از {}", " عبارت است از {}"
FRAMES = (ONE, SEVERAL, NAMES)
_WRITE = ("بنویسید", "بگویید", "بیان کنید", "ذکر کنید", "مشخص کنید", "معرفی کنید", "بیان نمایید")
_NAME = ("نام ببرید", "نام بردارید", "نام بنویسید")
ORDER = re.compile(f"{_S}را{_S}(?:{'|'.join((*_NAME, *_WRITE)).replace(' ', _S)})(?=[\\s؟?.!:]*$)")
_PLURAL = re.compile("\u200c?(?:ها|های|هایی)$")
# «یکی از شهرهای …», «نمونه‌ای از …»
_ONE_OF = re.compile("(?:یکی|یک|نمونه‌ای|نمونه ای|مثالی|بخشی)$")


def frame_of(subject: str) -> tuple[str, bool]:
    """The frame that the answer is set in, and whether it is to name several."""
    if not asks_several(subject):
        return ONE, False
    return NAMES if re.match("\\s*(?:نام|اسم)\\s", subject) else SEVERAL, True


def head_of(subject: str) -> str:
    """The noun that says what is to be named, without what stands before it."""
    for word in words(subject):
        plain = key(word.text)
        if not (is_ranked(plain) or plain in wordset("fa", "few") or plain in ("و", "از", "نام", "اسم", "زیر")):
            return plain
    return ""


def asks_several(subject: str) -> bool:
    """Whether several things are asked for: a count, a plural, or two nouns with «و» between them."""
    plain = [key(word.text) for word in words(subject)]
    while plain and is_ranked(plain[0]):
        plain = plain[1:]
        if plain[:1] == ["و"]:
            plain = plain[1:]
    if not plain or _ONE_OF.match(plain[0]):
        return False
    # «نام شهرهایی که …»: it is the noun that counts, but not in «نام یکی از شهرها» or «نام پدر …»
    if plain[0] in ("نام", "اسم") and len(plain) > 1:
        return bool(_PLURAL.search(plain[1])) or plain[1] in wordset("fa", "few")
    if plain[0] in wordset("fa", "few") or plain[1:2] == ["و"]:
        return True
    loose = plain[1:2] and plain[1] in ("ها", "های", "هایی")
    # «زیر شاخه‌های»: the first half of a noun
    half = plain[0] in ("زیر", "پیش") and len(plain) > 1 and bool(_PLURAL.search(plain[1]))
    return bool(loose or half or _PLURAL.search(plain[0]) or is_plural(plain[0]))


def is_plural(noun: str) -> bool:
    """Whether a noun is plural by its form or by the list; the ezafe of «اعضای» is no part of it."""
    # the list has «فرق» as the plural of sect; before «… را بنویسید» it is a difference
    if noun == "فرق":
        return False
    stem = noun.removesuffix("ی")
    persons = noun.endswith(("ندگان", "اران", "عران", "شاهان", "کنان", "گران", "دانان"))
    return tag_of(noun) == "np" or tag_of(stem) == "np" or persons or stem in wordset("fa", "plurals")


_B, _E = "(?<![\\w\u200c\u064b-\u0655])", "(?![\\w\u200c])"
_W = "[\\w\u200c\u064b-\u0655\u0670]+"
_END = "(?=[\\s؟?.!:]*$)"
# before a noun of time or place these make it a complement; without one "در" is wanted
_PREPOSITION = re.compile(f"(?:{'|'.join(sorted(wordset('fa', 'before_time')))})\\s*$")
# second halves of nouns that are often written apart
_TAIL = "نگار|نویس|شناس|شناسی|دان|ساز|گذار|جمهور|وزیر|عامل|افزار|کننده|دهنده|هایی|های|ها"
_COPULA = (
    "(?:است|بود|بودند|هستند|می\u200cباشد|می\u200cباشند|باشد|بوده\u200cاست"
    "|بوده است|شد|اند|خواهد بود|می باشد)(?![\\w\u200c])"
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """question[start:end] asks for an answer of a type; `frame` with the answer in it takes its place."""

    start: int
    end: int
    type: str
    frame: str
    head: str = ""
    many: bool = False


Found = tuple[str, str, str, bool]


def _fixed(type: str, frame: str, head: str = "", many: bool = False) -> Callable[[re.Match[str], str], Found]:
    return lambda _found, _before: (type, frame, head, many)


def _placed(type: str, frame: str) -> Callable[[re.Match[str], str], Found]:
    """A complement that brings its own preposition where the question has none."""
    return lambda found, before: (
        type,
        frame if _PREPOSITION.search(before) or _is_subject(found, before) else f"در {frame}",
        "",
        False,
    )


def _is_subject(found: re.Match[str], before: str) -> bool:
    """«کدام قرن دورهٔ … بود»: the time itself is what the sentence is about."""
    return (
        not before.strip()
        and found[0].startswith("کدام")
        and bool(re.search(f"(?:ترین|دوره|سال|زمان|عصر).* {_COPULA}\\W*$", found.string))
    )


_IS_PLACE = re.compile(
    "^\\s*(?:(?:یکی از )?\\S+ین (?:کشور|شهر|استان|جزیره|ایالت|منطقه|منطقهٔ|مناطق|سرزمین|مرکز|بندر|قاره"
    "|روستا|لوکیشن)|کانون|پایتخت|مرکز|محل|زادگاه|مقصد|منشأ|منشا|مقر|خاستگاه|موطن|مبدا|مبدأ)(?!\\w)"
)


# a noun that a preposition stands before takes the place as its own: «از تعلقات کجا», «در نشست کجا»
_AFTER_ONE = re.compile(f"{_B}(?:از|به|تحت|در|جزو|جزء){_S}(?P<noun>{_W})\\s*$")
_NAMED = (*AREAS, "fa_given", "fa_surname", "lone_fa")


def is_of_a_place(before: str) -> bool:
    """Whether the noun before «کجا» is that of a place, «اهالی کجا»: the answer then wants no «در»."""
    last = re.search(f"({_W})\\s*$", before)
    if last and {key(last[1]), re.sub("\u200c?ی$", "", key(last[1]))} & wordset("fa", "of_places"):
        return True
    found = _AFTER_ONE.search(before)
    if not found or tag_of(found["noun"]) not in ("n", "np"):
        return False
    # «در ایران کجاست» is complete, and so are «از ابراهیم کجا» and «در کودکی کجا»
    return key(found["noun"]) not in wordset("fa", "when") and not any(
        key(found["noun"]) in classes()[one] for one in _NAMED
    )


def _where(found: re.Match[str], before: str) -> Found:
    if _IS_PLACE.match(found.string) and re.match("\\s*(?:است|بود|بوده)", found.string[found.end() :]):
        return ("place", "{}", "", False)
    acted_on = found.string[found.end() :].lstrip().startswith("را")
    own = acted_on or _PREPOSITION.search(before) or is_of_a_place(before)
    return ("place", "{}" if own else "در {}", "", False)


def _where_is(found: re.Match[str], before: str) -> Found:
    own = _IS_PLACE.match(found.string) or _PREPOSITION.search(before) or is_of_a_place(before)
    return ("place", "{} است" if own else "در {} است", "", False)


def bare_noun(word: str, indefinite: bool = True) -> tuple[str, bool]:
    """A noun without the indefinite ending that چه asks for, and whether it is plural."""
    plain = key(word)
    if re.search("\u200c?هایی$", plain):
        return plain[:-1], True
    if plain.endswith(("ه\u200cای", "ه ای")):
        return plain[:-3], False
    if plain.endswith(("ایی", "ویی")):
        return plain[:-2], False
    if re.search("\u200c?(?:ها|های)$", plain):
        return plain if plain.endswith("ی") else plain + "ی", True
    stem = plain[:-1]
    if (
        indefinite
        and plain.endswith("ی")
        and len(plain) > 3
        and (in_lexicon(stem) or stem in _heads() or not is_known(plain))
    ):
        return stem, tag_of(stem) == "np"
    return plain, tag_of(plain) == "np"


def _which(found: re.Match[str], _before: str) -> Found:
    if found["tail"] in ("هایی", "های", "ها"):
        return ("thing", f"{found['noun']} های {{}}", key(found["noun"]), True)
    joined = re.fullmatch("(.+ها)ست", key(found["noun"]))
    if joined:
        # «کدام رشته‌هاست»: the verb is written together with the noun
        return ("thing", f"{joined[1]}ی {{}} است", f"{joined[1]}ی", True)
    which, loose = found[0].startswith("کدام"), found[0].endswith(" ای")
    noun, many = bare_noun(found["noun"] + ("\u200cای" if loose else ""), indefinite=not which)
    asks_what = not which and not loose and not key(found["noun"]).endswith("ی")
    if tag_of(found["noun"]) in ("v", "f") or (asks_what and not many):
        return ("thing", "{} " + found["noun"], "", False)
    if noun in _replaced():
        return ("thing", "{}", noun, many)
    named = "" if found["count"] or found["tail"] else _named(noun)
    if named and tag_of((re.search(_W, found.string[found.end() :]) or [" "])[0]) in ("f", "v"):
        return (
            "thing",
            f"{named} به نام{'‌های' if noun.endswith('ان') and noun not in _persons() else ''} {{}}",
            noun,
            many,
        )
    tail = f" {found['tail']}" if found["tail"] else ""
    frame = noun + tail if tail or noun.endswith("های") else linked(noun)
    frame = f"{found['count']} {frame}" if found["count"] else frame
    return ("thing", frame + " {}", found["tail"] or noun, many or bool(found["count"]))


@lru_cache(maxsize=1)
def _heads() -> frozenset[str]:
    return frozenset((*column("fa", "heads"), *column("fa", "asked")))


@lru_cache(maxsize=1)
def _persons() -> frozenset[str]:
    return frozenset(entry[0] for entry in lines("fa", "heads") if entry[1] == "person")


def _named(noun: str) -> str:
    """A noun for a person as it stands before «به نام», "" for other nouns."""
    stems = (noun, noun.removesuffix("ان"), noun.removesuffix("گان") + "ه")
    if not any(one in _persons() for one in stems) or noun.endswith(("ی", "های")):
        return ""
    if noun.endswith("ه"):
        return f"{noun}\u200cای"
    return f"{noun}یی" if noun.endswith(("ا", "و")) else f"{noun}ی"


@lru_cache(maxsize=1)
def _replaced() -> frozenset[str]:
    """Nouns that the answer takes the place of: «چه عاملی» is answered by the cause alone."""
    return frozenset(entry[0] for entry in lines("fa", "asked") if not entry[1].startswith("="))


def _kind(found: re.Match[str], _before: str) -> Found:
    noun, many = bare_noun(found["noun"])
    return ("thing", linked(noun) + " {}", noun, many)


def _amount(found: re.Match[str], _before: str) -> Found:
    head = "duration" if "مدت" in found[0] else "count" if "تعداد" in found[0] else "amount"
    return ("number", "{}", head, False)


_RULES: tuple[tuple[str, Callable[[re.Match[str], str], Found]], ...] = (
    (f"چه{_S}(?:کس|شخص|فرد)ی?{_E}|کدام{_S}(?:شخص|فرد|کس){_E}|کی{_E}(?=\\s+(?:بود|است|بوده))", _fixed("person", "{}")),
    (f"(?:چه|کدام){_S}(?:کسان|افراد|اشخاص)ی?{_E}", _fixed("person", "{}", many=True)),
    (f"(?:چه|کدام){_S}سال(?:\u200cهایی|هایی| هایی|\u200cها|ها){_E}", _placed("years", "سال‌های {}")),
    (f"(?:چه|کدام){_S}سالی?{_E}", _placed("year", "سال {}")),
    (f"(?:چه|کدام){_S}(?:تاریخ|تاریخی){_E}", _placed("date", "تاریخ {}")),
    (f"(?:چه|کدام){_S}(?:قرن|قرنی){_E}", _placed("century", "قرن {}")),
    (f"(?:چه|کدام){_S}سده(?:[\u200c ]?ای)?\u0654?{_E}", _placed("century", "سدهٔ {}")),
    (f"(?:چه|کدام){_S}دهه(?:[\u200c ]?ای)?\u0654?{_E}", _placed("decade", "دههٔ {}")),
    (f"(?:چه|کدام){_S}روزی?{_E}", _placed("day", "{}")),
    (f"(?:چه|کدام){_S}ماهی?{_E}", _placed("month", "ماه {}")),
    (f"چه{_S}(?:زمان|وقت|موقع|هنگام)ی?{_E}|کدام{_S}زمان{_E}|چه\u200cوقت|{_B}کی{_E}(?!\\.)", _placed("time", "{}")),
    (f"چندمین{_E}", _fixed("ordinalmost", "{}")),
    (f"چندم{_E}", _fixed("ordinal", "{}")),
    (f"چند{_S}سالگی{_E}", _fixed("number", "{} سالگی", "سالگی")),
    (f"چه{_S}سنی{_E}", _fixed("number", "{} سالگی", "سالگی")),
    # as people speak: چندتا ابجی, «چند تا»
    (
        f"چند[ \u200c]*تا(?:{_S}(?P<noun>{_W}))?{_E}",
        lambda found, _before: (
            "number",
            f"{{}} تا {found['noun']}" if found["noun"] else "{} تا",
            key(found["noun"] or ""),
            False,
        ),
    ),
    (f"چند{_S}(?P<noun>{_W})", lambda found, _before: ("number", "{} " + found["noun"], key(found["noun"]), False)),
    (f"چند{_E}", _fixed("number", "{}")),
    (f"چه{_S}(?P<of>تعداد|مقدار|میزان)ی?(?:{_S}از{_E})?(?={_S}{_W})", _amount),
    (f"(?:چه{_S}(?:تعداد|مقدار|میزان|مدت|مبلغ|اندازه|قدر|درصد)ی?|چقدر?|چه\u200cقدر?){_E}(?:{_S}زمان{_E})?", _amount),
    (f"کجاست{_E}|کجاس{_E}", _where_is),
    (f"کجان{_E}", _placed("place", "{} هستند")),
    (f"کجای{_S}دیگر{_E}", _where),
    (f"کجای{_E}", _fixed("direction", "{}")),
    (f"کجا{_E}", _where),
    (
        f"(?:به|بنا{_S}به){_S}چه{_S}(?:دلیل|علت|دلایل|خاطر|سبب)ی?{_E}|چرا{_E}|(?:واسه|برا){_S}?چی{_E}|برای{_S}چی{_E}|برای{_S}چه{_E}(?!{_S}{_W}(?:ی|ای){_E})(?!{_S}(?:کس|نوع|چیز))",
        _fixed("reason", "به دلیل {}"),
    ),
    (
        f"(?:به{_S}چه{_S}(?:صورت|شکل|ترتیب|نحو|شیوه)(?:ی|\u200cای)?|چگونه|چطور|چه\u200cطور|چه{_S}طور){_E}(?={_S}{_COPULA})",
        _fixed("quality", "{}"),
    ),
    (f"چ(?:ه{_S}|ه)?جوری{_E}|چطوری{_E}|چه{_S}طوری{_E}", _fixed("manner", "{}")),
    (f"به{_S}چه{_S}گونه[\u200c ]?ای{_E}", _fixed("manner", "{}")),
    (f"به{_S}چه{_S}(?:صورت|شکل){_S}?ی?{_E}", _fixed("shape", "به صورت {}")),
    (
        f"(?:از{_S}چه{_S}(?:طریق|راه)ی?|چگونه|چطور|چه\u200cطور|چه{_S}طور|با{_S}چه{_S}(?:روش|شیوه)(?:ی|\u200cای)?){_E}",
        _fixed("manner", "{}"),
    ),
    (
        f"به{_S}چه{_S}معن(?:است|است|ی{_S}است|ا{_S}است|ای{_S}است|یست){_E}"
        f"|چه{_S}معن(?:ی|ایی|ا|ای){_S}(?:دارد|می\u200cدهد|می دهد){_E}",
        _fixed("meaning", "به معنای {} است"),
    ),
    (f"به{_S}چه{_S}معن(?:ا|ی|ایی|ای){_E}", _fixed("meaning", "به معنای {}")),
    (f"چه{_S}نام(?={_S}(?:دارد|داشت|دارند|داشتند|گرفت))", _fixed("name", "{} نام")),
    (f"چه(?={_S}نام(?:یده|ند|گذاری|\u200cگذاری))", _fixed("name", "{}")),
    (f"(?:چیست|چیستند|چیه){_E}", _fixed("what", "{} است")),
    (f"کیست{_E}|کیستند{_E}|کیه{_E}", _fixed("person", "{} است")),
    (f"چیا{_E}", _fixed("thing", "{}", many=True)),
    (f"چی{_E}", _fixed("thing", "{}")),
    (f"که(?={_S}{_COPULA}{_END})", _fixed("person", "{}")),
    (f"چه{_S}چیز(?:\u200c|{_S})?هایی{_E}|چه{_S}مواردی{_E}", _fixed("thing", "{}", many=True)),
    (f"چه{_S}چیزی?{_E}|چه\u200cچیزی?{_E}|(?:چه|کدام){_S}(?:امر|مورد|موضوع)ی?{_E}", _fixed("thing", "{}")),
    (f"کدام(?:\u200c|{_S})?(?:ند|اند){_E}", _fixed("thing", "{} هستند", many=True)),
    (f"کدام(?:{_S})?یک(?:{_S}از{_S}{_W})?{_E}", _fixed("thing", "{}")),
    (f"کدام(?={_S}{_COPULA}|{_END})", _fixed("what", "{}")),
    (f"(?:چه|کدام){_S}(?:نوع|گونه|دسته)(?:[\u200c ]?ای)?(?:{_S}از)?{_S}(?!های)(?P<noun>{_W})(?:{_S}ای{_E})?", _kind),
    (f"چه(?={_S}{_COPULA})", _fixed("what", "{}")),
    (
        f"(?:چه|کدام){_S}(?:(?P<count>دو|سه|چهار|پنج){_S})?(?P<noun>{_W})(?:{_S}(?P<tail>{_TAIL}){_E}|{_S}ای{_E})?",
        _which,
    ),
    (f"چه{_E}", _fixed("thing", "{}")),
    (f"^\\s*آیا{_E}\\s*", _fixed("yesno", "")),
)
_PATTERNS = tuple(
    (re.compile(f"{_B}(?:{pattern})" if not pattern.startswith("^") else pattern), make) for pattern, make in _RULES
)


# «چه گفت», «چه کرد», «چه شد» want a clause for which there is no frame
_SAYS = re.compile(
    f"چه{_S}(?:گفت|گفتند|اعلام|ادعا|کرد|کردند|می\u200cکرد|می\u200cکند|می\u200cگوید|گفته\u200cاست|شد){_E}"
)


@lru_cache(maxsize=1 << 12)
def phrases(question: str) -> tuple[Phrase, ...]:
    """The phrases that ask, in order; none overlaps another."""
    # کدوم, as people say it, is as long as کدام
    text = normal(question).replace("کدوم", "کدام")
    taken: list[Phrase] = []
    for pattern, make in _PATTERNS:
        for found in pattern.finditer(text):
            start, end = found.span()
            if any(start < one.end and end > one.start for one in taken):
                continue
            if _is_relative(text, start, end):
                continue
            type, frame, head, many = make(found, text[:start])
            taken.append(Phrase(start, end, type, frame, head, many))
    if any(one.type == "yesno" for one in taken) and re.search(f"{_B}یا{_E}", text):
        return ()
    order = ORDER.search(text)
    if order and not taken:
        frame, many = frame_of(text[: order.start()])
        taken.append(Phrase(order.start(), order.end(), "thing", frame, "", many))
    return tuple(sorted(taken, key=lambda one: one.start))


def _is_relative(text: str, start: int, end: int) -> bool:
    """«هر چه», «چند سال بعد» in the middle of a clause with its own question word, «آنچه»."""
    before = text[:start].rstrip()
    if before.endswith("هر") and text.startswith("چند ", start):
        return False
    if _SAYS.match(text, start):
        return True
    return before.endswith(("هر", "آن", "اگر", "گر")) or text[start:end] in ("چندین", "چندان")
