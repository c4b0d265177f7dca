"""An option said otherwise, its truth kept: clauses, or sides of an equation, exchanged; active and passive; frames."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readproof.attacks.options.change import Change, in_place, one
from readproof.attacks.options.passage import standing
from readproof.attacks.options.phrases import has_verb, is_noun_phrase, is_thing
from readproof.attacks.options.tables import by_pairs
from readproof.attacks.options.view import LETTER, OptionView

_STOPS = "。．.；; "
# what makes one half of an option depend on the other
_JOINED = re.compile(
    "因为|由于|所以|因此|因而|从而|进而|以致|可见|如果|假如|只要|只有|无论|不论|虽然|尽管|但|然而|却|不仅|不但|而且|并且|同时|首先|其次|然后|后来"
    "|最后|最终|于是|接着|随后|此后|另一方面|一方面|反之|否则|例如|比如|尤其|甚至|这|那|此|其|它|他|她|前者|后者|也|还|则|而(?!不)|又"
)
# what is said of a thing by naming its role: 标志, 前提 …; the two sides of 是 can change places
_ROLE = (
    "(?:原因|目的|关键|前提|基础|标志|特点|特征|特性|核心|根本|本质|任务|结果|途径|方法|手段|条件|意义|作用|主题|主旨|体现|表现|产物|来源|源头"
    "|根源|保证|保障|使命|职责|动力|灵魂|精髓|内容|载体|象征|代表|典范|典型|目标|宗旨|出发点|落脚点|先决条件|必要条件|重要因素|决定因素|因素|内涵|要义)"
)
_ROLE_IS = re.compile(
    f"^(?P<role>{LETTER}{{2,24}}的{LETTER}{{0,6}}{_ROLE})，?(?:就|便|正|也)?(?P<is>是|在于)(?P<what>{LETTER}{{4,40}})$"
)
_IS_ROLE = re.compile(f"^(?P<what>{LETTER}{{2,30}}?)，?是(?P<role>{LETTER}{{2,24}}的{LETTER}{{0,6}}{_ROLE})$")
_NOT_TURNED = re.compile(
    "不|没|非|都|只|仅|也|还|即|之一|其|它|他|她|这|那|此|因为|由于|为了|对于|在于|主要|往往|通常|一般|可能|应|必须|要"
)
_DEED = (
    "提出|创立|发明|创作|撰写|建立|发现|组织|编写|制定|开创|设计|提倡|创办|写成|创造|绘制|翻译|主持|编纂|"
    "修建|建造|领导|策划|完成"
)
_DONE_BY = re.compile(f"^(?P<who>{LETTER}{{2,12}}?)(?P<deed>{_DEED})了(?P<what>{LETTER}{{2,24}})$")
_AS = "看作|看成|当作|视为|称为|称作"
_TAKES = re.compile(
    f"^(?P<who>{LETTER}{{2,12}}?)(?:把|将)(?P<what>{LETTER}{{2,16}}?)(?P<how>{_AS}|作为|分为|归结为"
    f"|变成|改编成|改编为|运用到|应用于|融入|引入)(?P<rest>{LETTER}{{1,24}})$"
)
_TAKEN = re.compile(
    f"^(?P<what>{LETTER}{{2,16}}?)被(?P<who>{LETTER}{{2,10}}?)(?P<how>{_AS})(?P<rest>{LETTER}{{1,24}})$"
)
_MUST = re.compile(
    f"(?:(?<=[，。；])|^)只有(?P<first>{LETTER}{{2,30}})，(?P<who>{LETTER}{{0,10}}?)才能够?(?P<second>{LETTER}{{3,30}})$"
)
_FOR = re.compile(f"(?:(?<=[，。；])|^)对于?(?P<what>{LETTER}{{2,14}}?)来说，")
_ABOUT = re.compile(f"(?:(?<=[，。；])|^)就(?P<what>{LETTER}{{2,14}}?)而言，")
_UNDER = re.compile(
    f"^(?P<who>{LETTER}{{2,12}}?)(?P<under>在(?P<what>{LETTER}{{2,22}}?)的?(?P<how>作用下|影响下|推动下|帮助下|指导下|支持下|引导下|领导下|背景下|条件下"
    f"|情况下|基础上|过程中))(?P<rest>{LETTER}{{4,40}})$"
)
_BOUND = "结合|接触|融合|反应|混合|碰撞"
FRAMES = ("文章指出，", "从文中可以看出，", "按照原文的说法，", "文中提到，", "由原文可知，")
_SPEAKS = re.compile("文章|作者|本文|原文|文中|选文|认为|指出|可见|可知|看来|看出|表明|说明")


def restatings(view: OptionView) -> Iterator[Change]:
    """The ways to say the whole option, or one of its sentences, otherwise."""
    yield from litotes(view)
    yield from _swapped(view)
    for sentence in view.sentences:
        yield from _of_sentence(view, sentence.start, sentence.end)
    for clause in view.clauses:
        yield from _of_clause(view, clause.start, clause.end)
    yield from _framed(view)


def litotes(view: OptionView) -> Iterator[Change]:
    """The same said by denying its contrary: 必须 as 不能不, 有关 as 不无关系."""
    yield from by_pairs(view, "litotes", "litotes")


def stands_alone(text: str) -> bool:
    """Whether a text makes sense without what stands beside it."""
    bare = text.strip(_STOPS + "，,")
    return bare in standing(bare)


def _swapped(view: OptionView) -> Iterator[Change]:
    """A，B becomes B，A, where neither leans on the other."""
    end = len(view.text.rstrip(_STOPS))
    text = view.text[:end]
    for clause in view.clauses[:-1]:
        at = clause.end
        mark = text[at : at + 1]
        left, right = text[:at], text[at + 1 :]
        if mark not in ("，", "；", "。") or min(len(left), len(right)) < 8 or _JOINED.search(text):
            continue
        if re.search("以之|之为|为此|如此|同样", right):
            continue
        if stands_alone(left) and stands_alone(right) and _opens_apart(left, right):
            yield one(0, text, f"{right}{mark}{left}", "same", "clauses")
            return


def _opens_apart(left: str, right: str) -> bool:
    """Whether each half names its own subject: the second is no more about the first one's."""
    return left[:2] == right[:2] or not set(left[:6]) & set(right[:2])


def _of_sentence(view: OptionView, start: int, end: int) -> Iterator[Change]:
    text = view.text[start:end]
    match = _ROLE_IS.match(text)
    if match is not None and not _NOT_TURNED.search(match["role"]) and not _NOT_TURNED.match(match["what"]):
        what, role = match["what"], match["role"]
        if "是" not in what and is_noun_phrase(view, start, start + len(role), longest=34):
            comma = "，" if has_verb(view, start + match.start("what"), end) or len(what) > 12 else ""
            yield one(start, text, f"{what}{comma}是{role}", "same", "equation")
    match = _IS_ROLE.match(text)
    if (
        match is not None
        and match["what"][0] not in "于对在从以"
        and not _NOT_TURNED.search(match["role"])
        and not _NOT_TURNED.search(match["what"])
    ):
        yield one(start, text, f"{match['role']}是{match['what']}", "same", "equation")
    match = _MUST.search(text)
    if match is not None:
        who = match["who"]
        new = (
            f"{who}要{match['second']}，必须{match['first']}" if who else f"要{match['second']}，就必须{match['first']}"
        )
        if has_verb(view, start + match.start("first"), start + match.end("first")) and not re.match(
            "在|当|对|把|将", match["first"]
        ):
            yield one(start + match.start(), match[0], new, "same", "condition")


def _of_clause(view: OptionView, start: int, end: int) -> Iterator[Change]:
    text = view.text[start:end]
    match = _DONE_BY.match(text)
    if (
        match is not None
        and is_thing(view, start, start + match.end("who"))
        and is_noun_phrase(view, start + match.start("what"), end, longest=24)
    ):
        yield one(start, text, f"{match['what']}是由{match['who']}{match['deed']}的", "same", "voice")
    match = _TAKES.match(text)
    if (
        match is not None
        and is_thing(view, start, start + match.end("who"))
        and is_noun_phrase(view, start + match.start("what"), start + match.end("what"))
    ):
        yield one(start, text, f"{match['what']}被{match['who']}{match['how']}{match['rest']}", "same", "voice")
    match = _TAKEN.match(text)
    if match is not None and is_thing(view, start + match.start("who"), start + match.end("who")):
        yield one(start, text, f"{match['who']}把{match['what']}{match['how']}{match['rest']}", "same", "voice")
    match = _UNDER.match(text)
    if match is not None and match["rest"][0] not in "，的是都也" and match["how"] != "情况下":
        subject = is_thing(view, start, start + match.end("who"))
        if subject and "在" not in match["what"]:
            yield one(start, text, f"{match['under']}，{match['who']}{match['rest']}", "same", "adverbial")
    for pattern, form in ((_FOR, "就{}而言，"), (_ABOUT, "对{}来说，")):
        found = pattern.match(view.text, start) if start else pattern.match(view.text)
        if found is not None:
            yield in_place(found, form.format(found["what"]), "same", "frame")


def bonds(view: OptionView, passage: str) -> Iterator[Change]:
    """S在X的作用下P as 与X结合后，在它的作用下，SP, where the passage has the two meet; S便自行P denies the premise."""
    for clause in view.clauses:
        text = view.text[clause.start : clause.end]
        match = _UNDER.match(text)
        if match is None or not match["how"].startswith("作用"):
            continue
        who, what, rest = match["who"], match["what"], match["rest"]
        for size in range(len(what), 1, -1):
            met = re.search(f"[与和同跟]{re.escape(what[-size:])}(?P<meet>{_BOUND})", passage)
            if met is not None:
                meet, core = met["meet"], what[-size:]
                new = f"与{what}{meet}后，在它的作用下，{who}{rest}"
                yield one(clause.start, text, new, "same", "bond")
                yield one(clause.start, text, f"{who}与{core}{meet}后，{who}便自行{rest}", "contrary", "bond")
                break


def _framed(view: OptionView) -> Iterator[Change]:
    """文章指出，… before a statement that names no speaker."""
    if _SPEAKS.search(view.text) or not stands_alone(view.text) or re.match("[A-Z]", view.text.lstrip()):
        return
    frame = FRAMES[sum(map(ord, view.text)) % len(FRAMES)]
    opening = view.text[: len(view.text) - len(view.text.lstrip())]
    yield one(0, opening, frame, "same", "frame")
