"""Numbers in Chinese text: find them, read their value, and write another number in the same form.

Arabic (1,391 / 3.5 / 12万) and Chinese figures (三百五十 / 二〇〇八 / 两百), with their measure word, as percent,
fraction or ordinal. What makes a number inexact (约, 近, 多, 余) is not part of it, so it stays when the number
changes. A 一 inside another word (一起, 统一) is no number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal

from readproof.lang.api import column

Kind = Literal["cardinal", "ordinal", "percent", "fraction"]
Style = Literal["arabic", "chinese", "digits"]

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_HAN = "零〇○一二两兩三四五六七八九十百千万萬亿億"
_FULL = str.maketrans("０１２３４５６７８９．，％", "0123456789.,%")
_NUMBER = re.compile(
    rf"(?P<parts>百分之|[{_HAN}]{{1,4}}分之|千分之)?(?P<number>[0-9０-９]{{1,3}}(?:[,，][0-9０-９]{{3}})+(?:[.．][0-9０-９]+)?"
    rf"|[0-9０-９]+(?:[.．][0-9０-９]+)?|[{_HAN}]+(?:点[零〇一二三四五六七八九]+)?)"
    r"(?P<large>[十百千]?[万萬亿億])?(?P<percent>[%％‰])?"
)
# a figure inside one of these words counts nothing
_INSIDE = re.compile(
    "一(?:些|样|樣|起|直|般|定|切|旦|方面|面|边|律|向|时|度(?!假)|同|致|生|带|下|点|共|举|贯|经|味|再|如|并|家人|来|体|线城|"
    "流|等奖|心|半|级|代|系列|连串|部分|方|路|手|番|则|者|到|就|概|统|齐|大)"
    "|[统唯之专同单惟万划]一|第一(?:时间|线|手)|二(?:者|手|胡|次元)|三(?:国|角|亚|明|峡|星|井|菱|藏|维|思)|四(?:川|周|处|季|平|肢)"
    "|五(?:官|金|行|台|环|四|笔)|六(?:朝|安|合)|七(?:夕)|八(?:卦|旗|路军|一)|九(?:江|龙|寨|一八)|十(?:分(?!钟|之)|堰|足|字)"
    "|百(?:姓|货|科|度|事|合|老汇)|千(?:古|秋|禧|万别)|万(?:物|里长城|岁|圣|达|宁|历|科|一)|[千百]年|[成数几好上]{1}[百千万亿]"
    "|两(?:岸|极|栖|侧|江|广|湖|汉|晋|宋)"
)
_ABOUT_BEFORE = re.compile("(?:大约|约|約|近|将近|接近|超过|逾|至少|最多|几乎|不到|不足|上)$")
_ABOUT_AFTER = re.compile("^(?:多|余|餘|来|几|左右|以上|以下|上下)")


@dataclass(frozen=True, slots=True)
class Number:
    """text[start:end] writes `value`; `measure` follows it in the text, up to `measured`.

    For a percent or a fraction the span holds the whole form (百分之五, 30%); for an ordinal it leaves 第 outside.
    `about` says that a word beside it makes it inexact; `article` that it is the 一 of 一个, which counts little.
    """

    start: int
    end: int
    text: str
    value: float
    kind: Kind
    style: Style
    measure: str = ""
    measured: int = 0
    about: bool = False
    article: bool = False


@lru_cache(maxsize=1 << 12)
def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a text, in order."""
    barred = [(found.start(), found.end()) for found in _INSIDE.finditer(text)]
    found = (_number(text, match, barred) for match in _NUMBER.finditer(text))
    return tuple(number for number in found if number is not None)


def parse(text: str) -> float | None:
    """The value that a number writes; None if it writes none."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    return _value(match)


def written(value: float, style: Style = "arabic", *, grouped: bool = False) -> str:
    """A number in figures: 1391 or 1,391, 一千三百九十一, or digit by digit 一三九一."""
    whole = value == int(value)
    if style == "arabic" or not whole:
        text = f"{int(value):,}" if whole else f"{value:,.6f}".rstrip("0")
        return text if grouped else text.replace(",", "")
    if style == "digits":
        return "".join("〇一二三四五六七八九"[int(digit)] for digit in str(int(value)))
    return _chinese(int(value))


def another(number: Number, random: Random) -> str:
    """Another number of the same form and size, for the place of `number.text`."""
    match = _NUMBER.fullmatch(number.text)
    if match is None:
        return number.text
    figures = match["number"]
    large = match["large"] or ""
    parts = match["parts"] or ""
    base = _plain(figures)
    top = int(_plain(parts[:-2])) - 1 if parts else 99 if match["percent"] else 0
    if top == 1:
        return number.text
    for _ in range(20):
        value = _near(base, number, random, top)
        if value != base:
            break
    else:
        return number.text
    if figures[0] in _HAN:
        new = written(value, number.style)
        pairs = number.measure and number.kind == "cardinal" and number.measure not in ("月", "日", "年级")
        if new == "二" and ("两" in figures or pairs):
            new = "两"
    else:
        decimals = len(re.split("[.．]", figures)[1]) if re.search("[.．]", figures) else 0
        new = f"{value:.{decimals}f}" if decimals else written(value, "arabic", grouped="," in figures)
    return f"{parts}{new}{large}{match['percent'] or ''}"


def _near(base: float, number: Number, random: Random, top: int) -> float:
    """A value near another, as round as it is; not above `top`, where there is one."""
    if base != int(base):
        moved = base * random.choice((0.6, 0.7, 0.8, 1.2, 1.3, 1.4, 1.6))
        return min(moved, float(top)) if top else moved
    whole = int(base)
    if whole <= 12:
        low, high = (2, 12) if number.kind == "cardinal" and number.measure else (1, 12)
        high = min(high, top) if top else high
        near = [one for one in range(low, high + 1) if one != whole and abs(one - whole) <= 6]
        return random.choice(near or [whole])
    step = 1
    while whole % (step * 10) == 0:
        step *= 10
    units = max(whole // step, 1)
    new = units
    while new in (units, 0) or new % 10 == 0:
        spread = max(2, round(units * 0.45))
        new = units + random.choice((-1, 1)) * random.randint(1, spread)
        if new < 1:
            new = units + random.randint(1, spread)
        if top and new * step > top:
            return random.randint(1, top)
    return new * step


def _number(text: str, match: re.Match[str], barred: list[tuple[int, int]]) -> Number | None:
    start, end = match.span()
    if any(first < end and start < last and not (start < first) for first, last in barred):
        return None
    figures = match["number"]
    value = _value(match)
    if value is None:
        return None
    before, after = text[max(0, start - 3) : start], text[end:]
    if before[-1:] in ("几", "幾", "数", "數") or after[:1] in ("几", "幾"):
        return None
    measure = _measure(after)
    ordinal = before.endswith("第")
    han = figures[0] in _HAN
    kind: Kind = "cardinal"
    if match["parts"]:
        kind = "percent" if match["parts"][0] in "百千" else "fraction"
    elif match["percent"]:
        kind = "percent"
    elif ordinal:
        kind = "ordinal"
    counted = match["large"] or match["percent"]
    if not han and ((not counted and _is_latin(text, start, end)) or re.match("0[^.]", figures)):
        return None
    if han and len(figures) == 1 and kind == "cardinal" and not measure:
        return None
    style: Style = "arabic"
    if han:
        spelt = len(figures) > 1 and not any(c in figures for c in "十百千万萬亿億")
        style = "digits" if spelt else "chinese"
    about = bool(_ABOUT_BEFORE.search(before)) or bool(_ABOUT_AFTER.match(after))
    article = figures == "一" and kind == "cardinal"
    measured = end + len(measure)
    return Number(start, end, match[0], value, kind, style, measure, measured, about, article)


def _is_latin(text: str, start: int, end: int) -> bool:
    """A figure that is part of a Latin name (B2B, F-16, MP3) or of a longer sign is no number."""
    before, after = text[max(0, start - 2) : start], text[end : end + 1]
    return bool(re.search(r"[A-Za-z][-–—.]?$", before)) or (after.isascii() and after.isalpha() and after not in "年月")


@lru_cache(maxsize=1)
def measures() -> tuple[str, ...]:
    """The measure words and units, longer ones first."""
    return tuple(sorted(column("zh", "measures"), key=lambda word: (-len(word), word)))


def _measure(after: str) -> str:
    """The measure word at the start of a text."""
    return next((word for word in measures() if after.startswith(word)), "")


def _value(match: re.Match[str]) -> float | None:
    try:
        value = _plain(match["number"])
    except ValueError:
        return None
    for sign in match["large"] or "":
        value *= _UNITS.get(sign) or _LARGE[sign]
    if match["parts"]:
        value /= _plain(match["parts"][:-2])
    if match["percent"]:
        value /= 100 if match["percent"] in "%％" else 1000
    return value


def _plain(figures: str) -> float:
    if figures[0] not in _HAN:
        clean = figures.translate(_FULL).replace(",", "")
        return float(clean) if "." in clean else int(clean)
    whole, _, decimals = figures.partition("点")
    value: float = _han(whole)
    if decimals:
        value += sum(_DIGITS[digit] / 10 ** (at + 1) for at, digit in enumerate(decimals))
    return value


def _han(figures: str) -> int:
    if len(figures) > 1 and all(c in _DIGITS for c in figures):
        return int("".join(str(_DIGITS[c]) for c in figures))
    total = section = digit = 0
    last_unit = 0
    for sign in figures:
        if sign in _DIGITS:
            if digit:
                raise ValueError(figures)
            digit = _DIGITS[sign]
        elif sign in _UNITS:
            section += (digit or 1) * _UNITS[sign]
            last_unit, digit = _UNITS[sign], 0
        else:
            unit = _LARGE[sign]
            # 亿 multiplies all before it (一万亿), 万 only what came since
            total = total + (section + digit or 1) * unit if unit < 10**8 else (total + section + digit or 1) * unit
            last_unit, section, digit = unit, 0, 0
    # 两百五 is 250, 一万二 is 12,000
    if digit and last_unit > 10 and "零" not in figures and "〇" not in figures and figures[-2:-1] not in _DIGITS:
        digit *= last_unit // 10
    return total + section + digit


def _chinese(value: int) -> str:
    if value < 0:
        return "负" + _chinese(-value)
    if value >= 10**8:
        return _joined(value, 10**8, "亿")
    if value >= 10**4:
        return _joined(value, 10**4, "万")
    text = ""
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // unit % 10
        if digit:
            text += "零一二三四五六七八九"[digit] + sign
        elif text and value % unit and not text.endswith("零"):
            text += "零"
    if 10 <= value < 20:
        text = text.removeprefix("一")
    return text or "零"


def _joined(value: int, unit: int, sign: str) -> str:
    high, low = divmod(value, unit)
    text = _chinese(high) + sign
    if not low:
        return text
    lower = _chinese(low)
    if 10 <= low < 20:
        lower = "一" + lower
    return text + ("零" if low < unit // 10 else "") + lower
