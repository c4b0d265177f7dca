"""Made-up numbers and times as answers to Persian questions, in the shape of the gold answer."""

from __future__ import annotations

import re
from random import Random

from readproof.lang.fa.entities import classes
from readproof.lang.fa.little import little
from readproof.lang.fa.numbers import NUMBER, count, is_counted, mutated, series, written, year
from readproof.lang.fa.questions import Phrase
from readproof.lang.fa.words import key, plain_digits, words

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
    allowed = listed | little("dated")
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
