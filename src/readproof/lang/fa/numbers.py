"""Numbers and dates in Persian text: other numbers in the same shape, in the same digits."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from readproof.lang.api import lines
from readproof.lang.fa.words import plain_digits

_PERSIAN = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
NUMBER = re.compile("[0-9۰-۹٠-٩]+(?:[.,٫٬/،][0-9۰-۹٠-٩]+)*")
_LISTED = (
    "months_jalali",
    "months_gregorian",
    "months_lunar",
    "weekday",
    "season",
    "ordinal",
    "numberword",
    "magnitude",
)
_EDGE = "(?<![\\w\u200c]){}(?![\\w\u200c])"


@lru_cache(maxsize=1)
def series() -> dict[str, tuple[str, ...]]:
    """The lists of words that count or date."""
    return {entry[0]: entry[1:] for entry in lines("fa", "classes") if entry[0] in _LISTED}


@lru_cache(maxsize=1)
def _word() -> tuple[re.Pattern[str], dict[str, str]]:
    owner = {word: name for name, words in series().items() for word in words}
    longest = sorted(owner, key=lambda word: (-len(word), word))
    return re.compile(_EDGE.format("(?:" + "|".join(map(re.escape, longest)) + ")")), owner


def is_counted(text: str) -> bool:
    """Whether a text has a number, a month, a weekday or a season in it."""
    return bool(NUMBER.search(text) or _word()[0].search(text))


def other_number(text: str, random: Random) -> str:
    """Another number, written like this one."""
    persian = not text[:1].isascii()
    digits = plain_digits(text)
    if not digits.isdecimal():
        parts = re.split("([.,٫٬/،])", digits)
        parts[0] = _near(parts[0], random)
        parts[2:] = [_same_size(part, random) if part.isdecimal() else part for part in parts[2:]]
        new = "".join(parts)
    else:
        new = _near(digits, random)
    return new.translate(_PERSIAN) if persian else new


def _near(digits: str, random: Random) -> str:
    value = int(digits)
    if len(digits) == 4 and 1000 <= value <= 2030:
        steps = [
            step
            for step in (*range(-38, -2), *range(3, 39))
            if value + step <= (1402 if 1250 < value < 1403 else 2022) or value > 2022
        ]
        return str(value + random.choice(steps))
    if len(digits) <= 2 and value <= 31:
        low, high = max(2, value // 2), min(29, 2 * value + 5)
        return str(random.choice([one for one in range(low, high + 1) if one != value]))
    if value and digits.endswith("0"):
        zeros = len(digits) - len(digits.rstrip("0"))
        head = int(digits[:-zeros])
        return _between(max(1, head // 2), head * 2 + 3, head, random) + "0" * zeros
    return _between(max(2, value // 2), value * 2 + 3, value, random)


def _between(low: int, high: int, value: int, random: Random) -> str:
    new = random.randint(low, high)
    return str(new if new != value else high)


def _same_size(digits: str, random: Random) -> str:
    return "".join(random.choice("123456789") for _ in digits)


def mutated(text: str, random: Random) -> str:
    """The text with every number, month, weekday and ordinal in it changed; "" where there is none."""
    pattern, owner = _word()
    spots = [(one.start(), one.end(), "") for one in NUMBER.finditer(text)]
    spots += [(one.start(), one.end(), owner[one[0]]) for one in pattern.finditer(text)]
    if not spots:
        return ""
    pieces, at = [], 0
    for start, end, name in sorted(spots):
        if start < at:
            continue
        old = text[start:end]
        pieces.append(text[at:start])
        if name == "magnitude":
            pieces.append(old)
        elif name:
            pieces.append(random.choice([one for one in series()[name] if one != old]))
        else:
            pieces.append(other_number(old, random))
        at = end
    return "".join(pieces) + text[at:]


def written(value: int, like: str) -> str:
    """A number in the digits of a text; in Persian ones if it has none."""
    return str(value) if re.search("[0-9]", like) else str(value).translate(_PERSIAN)


def year(like: str, random: Random) -> str:
    """A year in the calendar and the digits of a text; Persian digits and the Gregorian calendar if it has none."""
    found = [one for one in re.findall("[0-9۰-۹]{4}", like) if 1000 <= int(plain_digits(one)) <= 2030]
    early = re.fullmatch("\\D*([0-9۰-۹]{1,3})\\D*", like)
    if found:
        return other_number(found[0], random)
    if early:
        value = int(plain_digits(early[1]))
        steps = [step for step in (*range(-38, -3), *range(4, 39)) if value + step > 0]
        return written(value + random.choice(steps), like)
    new = str(random.randint(1820, 1995))
    return new if re.search("[0-9]", like) else new.translate(_PERSIAN)


def count(like: str, random: Random) -> str:
    """A number of about the size of the first one in a text."""
    found = NUMBER.search(like)
    if found:
        return other_number(found[0], random)
    words = series()["numberword"]
    for word in words:
        if re.search(_EDGE.format(word), like):
            return random.choice([one for one in words[:19] if one != word])
    return str(random.randint(3, 60)).translate(_PERSIAN)
