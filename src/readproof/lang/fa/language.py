"""Persian as the rest of the package asks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from unicodedata import normalize

from readproof.items import Edit
from readproof.lang.api import Language, TypedSpan, column
from readproof.lang.cloze import Blank, Wording
from readproof.lang.fa.entities import AREAS, entities
from readproof.lang.fa.numbers import series
from readproof.lang.fa.questions import phrases
from readproof.lang.fa.words import plain_digits, tag_of, words

# Answer types in Persian: see `readproof.lang.api.TypedSpan`.


_PEOPLE = ("person", "given", "king", "king_en")
_PLACES = (*AREAS, "sea", "river", "mountain", "island")
_ORGANISATIONS = ("company", "bank", "organisation", "university", "team", "party", "newspaper")
_WORKS = ("film", "book", "album")
_TIMES = ("months_jalali", "months_gregorian", "months_lunar", "weekday", "season")
_ASKED = {"year": "time", "years": "time", "date": "time", "century": "time", "decade": "time", "day": "time"}
_ASKED |= {"month": "time", "ordinal": "number", "ordinalmost": "number"}
_YEAR = re.compile("1[0-9]{3}|20[0-3][0-9]")


def asked_type(question: str) -> str:
    """The type of the first phrase that asks."""
    found = next((phrase.type for phrase in phrases(question)), "")
    return _ASKED.get(found, found)


def typed_spans(text: str) -> tuple[TypedSpan, ...]:
    """Names and numbers as `entities` finds them; a number of four digits that can be a year is a time."""
    found = []
    for one in entities(text):
        type = _type(one.kind, one.text)
        if type:
            found.append(TypedSpan(one.start, one.end, type))
    return tuple(found)


def _type(kind: str, text: str) -> str:
    if kind == "number":
        return "time" if _YEAR.fullmatch(plain_digits(text)) else "number"
    for type, kinds in (
        ("person", _PEOPLE),
        ("place", _PLACES),
        ("organisation", _ORGANISATIONS),
        ("work", _WORKS),
        ("time", _TIMES),
    ):
        if kind in kinds:
            return type
    return "name" if kind in ("latin", "strange", "language", "nationality", "dynasty", "award", "war") else ""


# Fresh questions in Persian, where a question word stands in the place of its answer.


_ERA = " (?:م|میلادی|شمسی|خورشیدی|قمری|هجری(?: (?:شمسی|خورشیدی|قمری))?)"
_MONTHS = ("months_jalali", "months_gregorian", "months_lunar")
# what a time may stand behind for the question to be a sentence
_DATED = re.compile("(?:^|(?<![\\w\u200c]))(?:در|از|تا|به)(?: روز)? $")
_RANGE = re.compile(" (?:تا|و|الی|یا|پیش از|قبل از) ?\\d|[-–−/]| (?:پیش|قبل) از میلاد| ق\\.")
# a number behind one of these is no count, nor before one of those
_NUMBERED = re.compile("(?:سال|ماه|شماره|روز|تا|بین|قرن|سده|ساعت|صفحه|بند|کتاب|و|یا|-|،)\\s+$")
_NO_COUNT = re.compile(f" (?:تا|و|یا|الی|به|از|در|بر|ضرب)(?![\\w\u200c])|{_ERA}(?![\\w\u200c])")
_COUNT = re.compile("(?<![\\w.,٫٬/:–−\\-])\\d+(?:[٬,.٫]\\d+)*(?![\\w.,٫٬/:–−\\-]*\\d)")
_SHARE = re.compile("(?<![\\w.,٫٬/:–−\\-])(\\d+(?:[٬,.٫]\\d+)*)(?:٪|%| درصد(?![\\w\u200c]))")
_UNITS = ("متر", "دلار", "کیلومتر", "میلیون", "میلیارد")  # not in the lexicon
_IN = re.compile("(?:^|\\s)(?:در|به|از)\\s+$")


def blanks(sentence: str) -> Iterator[Blank]:
    """The questions that can be made of one sentence."""
    yield from _times(sentence)
    yield from _numbers(sentence)
    for span in typed_spans(sentence):
        before, after = sentence[: span.start], sentence[span.end :]
        if after[:1].isalnum() or after[:1] == "\u200c":
            continue
        if span.type == "person":
            answer = sentence[span.start : span.end]
            if _is_whole_name(answer) and not after.startswith((" و ", "، ")):
                yield from _WORDING.asked(sentence, span.start, span.end, "چه کسی", "person")
        elif span.type == "place" and _IN.search(before) and after[:1] in (" ", ".", "") and not _goes_on(after):
            yield from _WORDING.asked(sentence, span.start, span.end, "کجا", "place")


def _times(sentence: str) -> Iterator[Blank]:
    """Dates, months and years; where a whole date stands, only that is asked for."""
    taken: list[tuple[int, int]] = []
    for pattern, word in ((_date(), "چه تاریخی"), (_month(), "چه زمانی"), (_year(), "چه سالی")):
        for found in pattern.finditer(sentence):
            if any(found.start() < last and first < found.end() for first, last in taken):
                continue
            taken.append(found.span())
            if _DATED.search(sentence[: found.start()]) and not _RANGE.match(sentence[found.end() :]):
                more = [found["bare"]]
                if word == "چه سالی":
                    year = found["bare"].rsplit(" ", 1)[-1]
                    more += [year, f"سال {year}"]
                yield from _WORDING.asked(sentence, *found.span(), word, "time", tuple(more))


@lru_cache(maxsize=1)
def _date() -> re.Pattern[str]:
    return re.compile(
        f"(?<![\\w-])(?P<bare>\\d{{1,2}} (?:{_names()})(?: ماه)?(?: سال)?(?: \\d{{4}})?)(?:{_ERA})?(?!\\w)"
    )


@lru_cache(maxsize=1)
def _month() -> re.Pattern[str]:
    return re.compile(f"(?<!\\w)(?P<bare>(?:{_names()})(?: ماه)?(?: سال)? \\d{{4}})(?:{_ERA})?(?!\\w)")


@lru_cache(maxsize=1)
def _year() -> re.Pattern[str]:
    return re.compile(f"(?<!\\w)(?P<bare>(?:سال \\d{{3,4}}|(?:[1۱]\\d|[2۲][0۰])\\d{{2}}))(?:{_ERA})?(?![\\w٫٬])")


@lru_cache(maxsize=1)
def _names() -> str:
    """The names of the months, the longest first."""
    return "|".join(sorted(map(re.escape, _all_months()), key=len, reverse=True))


@lru_cache(maxsize=1)
def _all_months() -> frozenset[str]:
    """In both ways of writing آ: as one character and as two."""
    months = [month for name in _MONTHS for month in series()[name]]
    return frozenset(normalize(form, month) for month in months for form in ("NFC", "NFD"))


def _numbers(sentence: str) -> Iterator[Blank]:
    """Counts with what they count, and shares."""
    for found in _SHARE.finditer(sentence):
        if not _NUMBERED.search(sentence[: found.start()]):
            more = (found[1], f"{found[1]} درصد", f"{found[1]}٪")
            yield from _WORDING.asked(sentence, *found.span(), "چند درصد", "number", more)
    for found in _COUNT.finditer(sentence):
        after = sentence[found.end() :]
        following = next(iter(words(after)), None)
        if following is None or not after.startswith(" ") or following.start != 1:
            continue
        counts = tag_of(following.text) in ("n", "np") or following.text in _UNITS
        calendar = following.text in _all_months() or following.text == "درصد"
        calendar = calendar or _YEAR.fullmatch(plain_digits(found[0])) is not None
        if counts and not calendar and not _NUMBERED.search(sentence[: found.start()]) and not _NO_COUNT.match(after):
            counted = f"{found[0]} {following.text}"
            yield from _WORDING.asked(sentence, *found.span(), "چند", "number", (counted,))


def _is_whole_name(name: str) -> bool:
    """Two words or more, the last no adjective: «نظامی استراتژیک» is no person."""
    parts = name.split()
    return len(parts) > 1 and tag_of(parts[-1]) not in ("a", "v", "f") and "کننده" not in parts[-1]


def _goes_on(after: str) -> bool:
    """Whether the name is followed by a word that may belong to it."""
    following = next(iter(words(after)), None)
    return following is not None and tag_of(following.text) in ("x", "a")


def _size(text: str) -> int:
    return len(words(text))


_WORDING = Wording(
    clause=re.compile("[^،؛]+[،؛]?"),
    asks=re.compile("(?<![\\w\u200c])(?:چه|کدام|چرا|چگونه|کجا|چند|چقدر|چطور|آیا|کی)(?![\\w\u200c])"),
    pairs=("«»", "()", "[]", "“”"),
    size=_size,
    whole=32,
    fewest=5,
    wanted=16,
    most=36,
    ends="؟?.!:؛،, ",
    mark="؟",
)


_ARABIC = {"ی": "ي", "ک": "ك"}


class Persian(Language):
    """Words are apart, with non-joiners inside some."""

    code = "fa"
    name = "Persian"
    script = "Arabic"
    least_common = 0.09
    full_stop = " ."
    sentence_end = re.compile(r"[.!?؟؛]+[”’»)\]\"]*(?=\s|$)|\n")
    neutral_questions = ("پاسخ دهید.", "؟", "لطفاً جواب دهید.")
    truth_stems = ("کدام گزینه مطابق متن درست است؟", "کدام گزینه مطابق متن نادرست است؟")
    has_ngrams = True
    right_to_left = True
    synonyms = "synonyms"
    askings = "askings"

    def common_words(self) -> tuple[str, ...]:
        return column("fa", "common")

    def asked_type(self, question: str) -> str:

        return asked_type(question)

    def typed_spans(self, text: str) -> tuple[TypedSpan, ...]:
        return _typed_spans(text)

    def blanks(self, sentence: str) -> Iterator[Blank]:

        return blanks(sentence)

    def script_edits(self, text: str) -> Sequence[Edit]:
        """With the Arabic letters for ی and ک."""
        return [Edit(at, sign, _ARABIC[sign], "Arabic letter") for at, sign in enumerate(text) if sign in _ARABIC]


@lru_cache(maxsize=512)
def _typed_spans(text: str) -> tuple[TypedSpan, ...]:

    return typed_spans(text)


PERSIAN = Persian()
