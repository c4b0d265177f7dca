"""Key words turned: quantifiers, degree, modality, negation, scope, numbers, and words by their contrary or synonym."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from readproof.attacks.base import About, Made
from readproof.attacks.options.change import FALL, Change, Rewrite, judged, one
from readproof.attacks.options.denial import denied
from readproof.attacks.options.evidence import evidence
from readproof.attacks.options.making import Truths, made
from readproof.attacks.options.mending import mended
from readproof.attacks.options.negation import denials
from readproof.attacks.options.premises import WHOLE
from readproof.attacks.options.tables import by_opposites, by_synonyms, by_table
from readproof.attacks.options.view import View, view_of
from readproof.items import Item
from readproof.lang.zh.numbers import another, numbers, parse
from readproof.lang.zh.times import times

NAME = "options/keyword"
TIME_MEASURES = (
    "年",
    "天",
    "月",
    "个月",
    "日",
    "小时",
    "分钟",
    "秒",
    "世纪",
    "岁",
    "次",
    "周",
    "星期",
    "代",
    "年代",
    "点",
)
_PART_OF_TEXT = ("段", "句", "节", "章", "自然段", "则", "条", "个问题", "方面", "部分", "号")

# these mean many rather than a number: 万里, 百家
ROUND = ("百", "千", "万", "亿")


def changes(view: View, passage: str) -> Iterator[Change]:
    """What the strategy can do to an option."""
    for change in by_table(view, "quantifiers", "quantifier"):
        if not (change.meaning == "contrary" and change.edits[0].new in WHOLE):
            yield change
    yield from by_table(view, "degrees", "degree")
    yield from by_table(view, "modals", "modality")
    yield from by_opposites(view, "contrary")
    yield from by_synonyms(view, "synonym", "keyword")
    yield from denials(view)
    yield from figures(view, passage)
    yield from mended(view, passage)
    yield from denied(view)


def figures(view: View, passage: str) -> Iterator[Change]:
    """Numbers that the passage gives, changed."""
    random = Random(view.text)
    taken = [(time.start, time.end) for time in times(view.text)]
    for number in numbers(view.text):
        if any(start < number.end and number.start < end for start, end in taken) or number.article:
            continue
        if number.measure in TIME_MEASURES or number.measure in _PART_OF_TEXT or not number.measure:
            continue
        if number.kind == "ordinal" or not view.free(number.start, number.end) or number.text in ROUND:
            continue
        if number.text + number.measure not in evidence(view.text, passage).around:
            continue
        new = another(number, random)
        if abs((parse(new) or 0) - number.value) >= number.value / 4:
            yield one(number.start, number.text, new, "contrary", "number")


def rewrites(option: str, passage: str, truth: bool | None, *, denial: bool = True) -> list[Rewrite]:
    """Every option of known truth that the strategy makes of this one."""
    view = view_of(option)
    found = (change for change in changes(view, passage) if denial or change.detail != "denial")
    return list(judged(option, found, truth, "keyword"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyword:
    """Quantifiers, degree, modality, negation, scope, contraries and synonyms in one option of a question."""

    truth: Truths = field(
        default="both",
        metadata={"help": "what becomes of the option's truth", "values": ("kept", "flipped", "both")},
    )
    fall: float = field(default=FALL, metadata={"help": "by how much the n-gram score of a changed place may fall"})
    denial: bool = field(default=True, metadata={"help": "whether a whole option may be denied (yes or no)"})

    about: ClassVar[About] = About(
        name=NAME,
        does="turns a key word of an option: how many, how much, may or must, yes or no, a contrary, a synonym",
        languages=("zh",),
        kinds=("choice",),
        truth="both",
    )

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> Made:
        """At most `count` variants, one option changed in each."""

        def ways(option: str, passage: str, truth: bool | None) -> list[Rewrite]:
            return rewrites(option, passage, truth, denial=self.denial)

        return made(item, NAME, ways, truth=self.truth, limit=self.fall, seed=seed, count=count)
