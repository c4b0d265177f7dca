"""Key words turned: quantifiers, degree, modality, negation, scope, numbers, and words by their contrary or synonym."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from readproof.attacks.base import About, Made, random_of
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


# a clause that begins so draws on what was said before it: with the contrary there, the whole no longer hangs together
_DRAWS_ON = re.compile(
    "[，；。](?:所以|可见|因此|因而|从而|进而|故|以致|使|不同的是|而|但|却|因为|也正|正是|这|由此|于是|并非|否则|那么|其|更|甚至|足见|足以|又|且|并|同时|最终)"
)
_ALSO = re.compile("[，；][^，。；]{1,12}(?:也|亦|同样)")
_TURNS = re.compile("但|却|然而|而不|而是")
_LEANS_ON = re.compile("而|则|就|却|也|仍|还|因而|所以|因此|从而|可见|由此")
_JOINED = re.compile("[并和与及、或]")
_MUST = re.compile("必须|应|要|需|得以")


def changes(view: View, passage: str) -> Iterator[Change]:
    """What the strategy can do to an option."""
    for change in _proposed(view, passage):
        if change.meaning != "contrary" or not leant_on(view, change):
            yield change


def leant_on(view: View, change: Change) -> bool:
    """Whether what stands beside a turned word needs it as it was: a conclusion, a contrast, an addition."""
    first, last = change.edits[0], change.edits[-1]
    clause = view.clause_at(first.start)
    rest = view.text[last.end :]
    if _DRAWS_ON.search(rest) or _ALSO.search(rest) or _TURNS.search(view.after(last.end)) or _JOINED.match(rest):
        return True
    if last.new.startswith(("没有", "并没有", "不", "并不", "无法", "未")) and (
        _MUST.search(view.before(first.start)) or _goes_on(view, clause.end)
    ):
        return True
    return bool(_LEANS_ON.match(view.text, clause.start, first.start)) or view.text[first.start - 1 : first.start] in (
        "就",
        "也",
    )


def _goes_on(view: View, at: int) -> bool:
    """Whether the next clause begins with a verb: nobody can say if what was denied before it is denied there too."""
    following = next((clause for clause in view.clauses if clause.start >= at), None)
    if following is None or view.text[at : at + 1] in "。；":
        return False
    word = view.words[view.index_of(following.start)]
    return word.tag.startswith("v")


def _proposed(view: View, passage: str) -> Iterator[Change]:
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
    random = random_of(view.text)
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
