"""Numbers and dates in English text: others in the same shape."""

from __future__ import annotations

import re
from random import Random

from readproof.lang.en.entities import classes

_NUMBER = re.compile("\\d[\\d,]*(?:\\.\\d+)?")
_LISTED = ("month", "weekday", "numberword", "ordinal")


def other_number(text: str, random: Random) -> str:
    """Another number, written like this one."""
    found = _NUMBER.search(text)
    if not found:
        return text
    whole, _, part = found[0].partition(".")
    new = _near(whole.replace(",", ""), random)
    if "," in whole:
        new = f"{int(new):,}"
    if part:
        new = f"{new}.{''.join(random.choice('123456789') for _ in part)}"
    return text[: found.start()] + new + text[found.end() :]


def _near(digits: str, random: Random) -> str:
    value = int(digits or "0")
    if len(digits) == 4 and 1000 <= value <= 2030:
        return str(random.choice([value + step for step in (*range(-38, -2), *range(3, 39)) if value + step <= 2019]))
    if value <= 31:
        return str(
            random.choice([one for one in range(max(2, value // 2), min(29, 2 * value + 5) + 1) if one != value])
        )
    zeros = len(digits) - len(digits.rstrip("0"))
    head = int(digits[: len(digits) - zeros])
    low, high = max(1, head // 2), 2 * head + 3
    if value < 100 and not zeros:
        low, high = head * 3 // 4, head * 5 // 4
    return (
        str(
            random.choice(
                [one for one in (low, high, *(random.randint(low, high) for _ in range(6))) if one != head] or [high]
            )
        )
        + "0" * zeros
    )


def is_counted(text: str) -> bool:
    """Whether a text has a number, a month or a weekday in it."""
    return bool(_NUMBER.search(text)) or any(_word(one).search(text) for name in _LISTED for one in classes()[name])


def _word(word: str) -> re.Pattern[str]:
    return re.compile(f"\\b{word}\\b")


def mutated(text: str, random: Random) -> str:
    """The text with every number, month, weekday and ordinal in it changed."""

    def other(found: re.Match[str]) -> str:
        if ":" in found[0]:
            return f"{random.randint(1, 12)}:{random.choice(('00', '15', '30', '45'))}"
        if found[0][0].isdigit():
            if text[found.end() : found.end() + 1] == "s":
                return other_number(found[0], random)[:-1] + "0"
            return other_number(found[0], random)
        if re.search("\\bper $", text[: found.start()]):
            return found[0]
        name = next(name for name in _LISTED if found[0] in classes()[name])
        return random.choice([one for one in classes()[name] if one != found[0]])

    listed = "|".join(one for name in _LISTED for one in classes()[name])
    return re.sub(f"\\d{{1,2}}:\\d\\d|\\d[\\d,]*(?:\\.\\d+)?|\\b(?:{listed})\\b", other, text)


def year(like: str, random: Random) -> str:
    """A year near the one in a text."""
    found = re.search("\\b(1\\d{3}|20[0-3]\\d)\\b", like)
    return other_number(found[0], random) if found else str(random.randint(1820, 1995))


def count(like: str, random: Random) -> str:
    """A number of about the size of the one in a text, with the words of size that follow it."""
    found = re.search("[$£€]?\\d[\\d,]*(?:\\.\\d+)?%?(?: (?:million|billion|thousand|percent))?", like)
    if found:
        return other_number(found[0], random)
    word = next((one for one in classes()["numberword"] if _word(one).search(like.lower())), "")
    return random.choice([one for one in classes()["numberword"] if one != word])
