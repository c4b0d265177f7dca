"""Chinese as the rest of the package asks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from readproof.items import Edit
from readproof.lang.api import Language, TypedSpan, column, lines, whole_pattern
from readproof.lang.cloze import Blank, Wording
from readproof.lang.forms import kind_of
from readproof.lang.zh.entities import entities
from readproof.lang.zh.numbers import numbers
from readproof.lang.zh.questions import phrases
from readproof.lang.zh.times import times
from readproof.script import Script, in_script

# Answer types in Chinese: see `readproof.lang.api.TypedSpan`.


_TYPES = {"person": "person", "place": "place", "organisation": "organisation", "time": "time", "work": "work"}


def asked_type(question: str) -> str:
    """The type of the first phrase that asks."""
    return next((phrase.type for phrase in phrases(question)), "")


def typed_spans(text: str) -> tuple[TypedSpan, ...]:
    """Names as `entities` finds them; a number with its measure word."""
    found = [TypedSpan(one.start, one.end, _TYPES.get(one.kind, "name")) for one in entities(text)]
    found = [one for one in found if one.end > one.start and text[one.start : one.end].strip()]
    times = [(one.start, one.end) for one in found if one.type == "time"]
    names = [one for one in found if not _is_number(text, one)]
    counted = [
        TypedSpan(one.start, one.measured, "number")
        for one in numbers(text)
        if not one.article and not any(start <= one.start < end for start, end in times)
    ]
    return tuple(sorted([*names, *counted], key=lambda one: (one.start, -one.end)))


def _is_number(text: str, span: TypedSpan) -> bool:
    return (
        span.type == "name" and text[span.start] in "0123456789０１２３４５６７８９零一二两三四五六七八九十百千万亿第"
    )


# Fresh questions in Chinese, where a question word stands in the place of its answer.


# what may stand right before or behind a name that is whole
_EDGE = frozenset("，,、；;：:。的是于在由与和及被把向从对为，")
_AFTER_DATE = re.compile("[前后後代度版起至到间間以底初末的]")
_PLACED = re.compile("(?:[在于於到至往自赴]|位于|位於)$")
_DATED = re.compile("(?:^|[，,（(于於在从從自])$")
_RANGE = "-–—~～至到、/:：."


def blanks(sentence: str) -> Iterator[Blank]:
    """The questions that can be made of one sentence."""
    known = times(sentence)
    for time in known:
        after = sentence[time.end : time.end + 1]
        if _AFTER_DATE.match(after) or after in _RANGE or sentence[time.start - 1 : time.start] in tuple("-–—~～至到"):
            continue
        if time.granularity == "year" and time.text.endswith("年"):
            yield from _asked(sentence, time.start, time.end, "哪一年", "time")
        elif time.granularity in ("month", "day", "reign") and _DATED.search(sentence[: time.start]):
            yield from _asked(sentence, time.start, time.end, "什么时候", "time")
    for number in numbers(sentence):
        inside = any(time.start <= number.start < time.end for time in known)
        near = sentence[number.start - 1 : number.start] + sentence[number.end : number.end + 1]
        if (
            number.kind == "cardinal"
            and number.style == "arabic"
            and number.measure
            and number.measure not in "年月日号時时"
            and not inside
            and not any(sign in _RANGE for sign in near)
        ):
            more = (sentence[number.start : number.measured],)
            yield from _asked(sentence, number.start, number.end, "多少", "number", more)
    for entity in entities(sentence):
        before, after = sentence[: entity.start], sentence[entity.end : entity.end + 1]
        alone = (not before or before[-1] in _EDGE) and (not after or after in _EDGE)
        if entity.kind == "work" and entity.detail == "marked" and len(entity.text) > 3:
            yield from _asked(sentence, entity.start, entity.end, "《什么》", "work", (entity.text[1:-1],))
        elif entity.kind == "person" and entity.detail == "foreign" and re.search("[·•]", entity.text):
            yield from _asked(sentence, entity.start, entity.end, "谁", "person")
        elif entity.kind == "place" and after in _EDGE and _PLACED.search(before) and alone:
            yield from _asked(sentence, entity.start, entity.end, "哪里", "place")


def _asked(sentence: str, start: int, end: int, word: str, type: str, more: tuple[str, ...] = ()) -> Iterator[Blank]:
    word = in_script(word, "traditional").clean if kind_of(sentence).traditional else word
    yield from _WORDING.asked(sentence, start, end, word, type, more)


_WORDING = Wording(
    clause=re.compile("[^，,；;]+[，,；;]?"),
    asks=re.compile("谁|誰|哪|什么|什麼|多少|几[个年月日次人]|是否|为何|如何|怎"),
    pairs=("“”", "「」", "『』", "《》", "（）", "()", "〈〉"),
    size=len,
    whole=0,
    fewest=8,
    wanted=18,
    most=60,
    ends="，,；;：:。！？!? \u3000",
    mark="？",
)


_SELDOM = 10  # of ten characters of simplified prose at least one has another traditional form
_SLIPS = (("homophones", "sound"), ("lookalikes", "shape"))


class Chinese(Language):
    """Simplified or traditional; words are not apart, so texts are compared by characters."""

    code = "zh"
    name = "Chinese"
    script = "Han"
    spaced = False
    full_stop = "。"
    sentence_end = re.compile(r"[。！？!?]+[”’」』）)】》]*|\n")
    neutral_questions = ("请回答。", "？", "请根据文章作答。")
    truth_stems = ("下列说法符合原文意思的一项是", "下列说法不符合原文意思的一项是")
    statement_units = (8, 70)
    answer_units = 16
    has_ngrams = True
    has_option_rules = True
    span_metric = "cmrc"
    synonyms = "plainsynonyms"
    askings = "askings"

    def words(self, text: str) -> list[str]:
        from readproof.lang.zh.words import words

        return [word.text for word in words(text) if any(map(str.isalnum, word.text))]

    def word_spans(self, text: str) -> list[tuple[int, int]]:
        return [found.span() for found in re.finditer(r"\w", text)]

    def units(self, text: str) -> list[str]:
        return [sign for sign in text if not sign.isspace()]

    def overlap_units(self, text: str) -> frozenset[str]:
        """Pairs of characters."""
        letters = "".join(sign for sign in text if sign.isalnum())
        return frozenset(letters[at : at + 2] for at in range(len(letters) - 1))

    def whole(self, text: str) -> re.Pattern[str]:
        return whole_pattern(text, r"\d")

    def common_words(self) -> tuple[str, ...]:
        return column("zh", "common")

    def asked_type(self, question: str) -> str:

        return asked_type(question)

    def typed_spans(self, text: str) -> tuple[TypedSpan, ...]:
        return _typed_spans(text)

    def blanks(self, sentence: str) -> Iterator[Blank]:

        return blanks(sentence)

    def stem_polarity(self, stem: str) -> bool | None:
        from readproof.lang.zh.stems import polarity

        return polarity(stem)

    def asks_truth(self, stem: str) -> bool:
        from readproof.lang.zh.stems import asks_truth

        return asks_truth(stem)

    def flip_stem(self, stem: str) -> str | None:
        from readproof.lang.zh.stems import flip_stem

        return flip_stem(stem)

    def script_edits(self, text: str) -> Sequence[Edit]:
        """To traditional characters; a text that is in them already goes back to simplified ones."""
        return _in_other_script(text)

    def slips(self, kind: str = "both") -> Mapping[str, str]:
        """Characters of the same sound, of a like shape, or both."""
        return _slips(kind)


@lru_cache(maxsize=64)  # several questions share a passage
def _in_other_script(text: str) -> tuple[Edit, ...]:
    to: Script = "traditional"
    edits = in_script(text, to).edits
    if len(edits) * _SELDOM < len(text):
        back = in_script(text, "simplified").edits
        if len(back) > len(edits):
            to, edits = "simplified", back
    return tuple(Edit(edit.start, edit.old, edit.new, f"{to} script") for edit in edits)


@lru_cache(maxsize=512)
def _typed_spans(text: str) -> tuple[TypedSpan, ...]:

    return typed_spans(text)


@lru_cache(maxsize=8)
def _slips(kind: str) -> Mapping[str, str]:
    wanted: Sequence[str] = [name for name, of in _SLIPS if kind in ("both", of)]
    found: dict[str, str] = {}
    for name in wanted:
        for character, others in lines("zh", name):
            found[character] = found.get(character, "") + others
    return found


CHINESE = Chinese()
