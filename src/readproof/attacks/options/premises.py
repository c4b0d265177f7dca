"""Premises dropped, and parts taken for the whole: what an argument rests on, and how far it carries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readproof.attacks.options.change import Change, in_place, one
from readproof.attacks.options.phrases import is_noun_phrase
from readproof.attacks.options.tables import by_table
from readproof.attacks.options.view import LETTER, OptionView

# what some, many or most become when a part is taken for the whole
WHOLE = ("所有", "全部", "总是", "无一例外地")

_TOUCHED = ("影响", "启发", "感召", "带动", "刺激")
_UNDER = re.compile(
    f"在(?P<what>{LETTER}{{2,24}}?)的?(?P<how>影响|作用|帮助|指导|推动|启发|支持|引导|感召|带动|领导|刺激|促进|协助)下"
)
_ON = re.compile(f"在(?P<what>{LETTER}{{2,24}}?)的?基础上")
_BY_MEANS = ("通过", "借助", "凭借", "依靠")
_GRADE = "(?:最?(?:重要|主要|关键|基本|重大|根本|核心|必要))"
_ONE_OF = re.compile(f"(?P<is>是|成为|作为)(?P<what>{LETTER}{{2,24}}?)的(?P<noun>{LETTER}{{2,8}})之一(?=[，。；]|$)")


def premises(view: OptionView) -> Iterator[Change]:
    """在…的影响下 becomes 在不受…影响的情况下; 在…的基础上 becomes 在脱离…的情况下."""
    for match in _UNDER.finditer(view.text):
        if not view.opens(match.start()) or match.end() not in view.edges or "在" in match["what"]:
            continue
        what, how = match["what"], match["how"]
        without = "不受" if how in _TOUCHED else "没有"
        yield in_place(match, f"在{without}{what}{how}的情况下", "contrary", "premise")
        if match.start() and how in _TOUCHED[:2] and view.text[match.start() - 1] not in "，。；的":
            comma = "" if view.text[match.end() : match.end() + 1] == "，" else "，"
            yield in_place(match, f"受{what}的{how}{comma}", "same", "premise")
    for match in _ON.finditer(view.text):
        if view.opens(match.start()) and "在" not in match["what"]:
            yield in_place(match, f"在脱离{match['what']}的情况下", "contrary", "premise")
            if is_noun_phrase(view, *match.span("what")):
                yield in_place(match, f"以{match['what']}为基础", "same", "premise")
    yield from _means(view)


def _means(view: OptionView) -> Iterator[Change]:
    """通过A，B becomes 无须通过A，B."""
    for word in view.words:
        clause = view.clause_at(word.start)
        if word.text not in _BY_MEANS or word.start != clause.start or not view.free(word.start, word.end):
            continue
        if not re.match("，(?!从而|以|来|并|使|进而|而)", view.text[clause.end :]):
            continue
        yield one(word.start, word.text, "无须" + word.text, "contrary", "premise")
        if word.text in ("通过", "凭借"):
            yield one(word.start, word.text, "借助", "same", "premise")


def inductions(view: OptionView) -> Iterator[Change]:
    """One of several becomes the only one, some become all, what helps becomes what suffices."""
    for match in _ONE_OF.finditer(view.text):
        if view.opens(match.start()) and not re.search("[不非]$", view.text[: match.start()]):
            what = re.sub(f"的?{_GRADE}$", "", match["what"])
            noun = re.sub(f"^{_GRADE}的?", "", match["noun"])
            if what and len(noun) > 1:
                yield in_place(match, f"{match['is']}{what}的唯一{noun}", "contrary", "induction")
    for change in by_table(view, "quantifiers", "induction"):
        if change.meaning == "contrary" and change.edits[0].new in WHOLE:
            yield change
    for index, word in enumerate(view.words[:-1]):
        verb = view.words[index + 1]
        if word.text not in ("有利于", "有助于") or not verb.tag.startswith("v") or not view.free(word.start, word.end):
            continue
        if view.conditional(word.start) or re.search("[不更都也才很最来并]$", view.text[: word.start]):
            continue
        if not re.search("的[^的]{1,8}$", view.after(word.end)[-9:]):
            yield one(word.start, word.text, "必然能够", "contrary", "deduction")
