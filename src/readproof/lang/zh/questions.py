"""Chinese questions: which phrase asks, what kind of answer it asks for, and what a statement puts in its place.

Chinese leaves the question phrase where the answer would stand, so that a statement is the question with the phrase
replaced. Questions that ask without any question word ("…的作者是？", "…的原因") are answered at their end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from readproof.lang.zh import questionwords as ask
from readproof.lang.zh.clauses import clause_kind
from readproof.lang.zh.heads import head_after, is_verb_at, noun_before
from readproof.lang.zh.numbers import measures

AnswerType = Literal[
    "person", "place", "organisation", "time", "number", "thing", "reason", "manner", "yesno", "choice", "description"
]
# where the answer goes: for the phrase; at the end behind a noun ("X是…"); as a clause of reason; as a way; as yes or
# no; and for questions that end before their answer
Form = Literal["place", "definition", "because", "way", "state", "polarity", "choice", "end", "doing"]

_FINAL = re.compile(r"(?:呢|呀|啊|哩|(?<=什么)吗|(?<=谁)吗)?[\s？?。．.！!，,：:；;]*$")


@dataclass(frozen=True, slots=True)
class Phrase:
    """question[start:end] asks for a `type`; `head` is the noun asked for (哪家公司 → 公司) or the one before it.

    `count` is how many answers are wanted: 1, a number, or 0 for "some". `measure` is the measure word of a number.
    """

    start: int
    end: int
    text: str
    type: AnswerType
    form: Form = "place"
    head: str = ""
    measure: str = ""
    count: int = 1


def bare(question: str) -> str:
    """The question without its final signs and particles."""
    return _FINAL.sub("", question)


@lru_cache(maxsize=1 << 12)
def phrases(question: str) -> tuple[Phrase, ...]:
    """The phrases that ask, the main one first; none where the text asks nothing that can be told."""
    text = bare(question).translate(ask.SPELLINGS)
    if not text:
        return ()
    first = next((found for find in _FINDERS if (found := find(text)) is not None), None)
    if first is None:
        return ()
    if first.form != "place":
        return (first,)
    masked = text[: first.start] + "＿" * (first.end - first.start) + text[first.end :]
    further = (find(masked) for find in (_time, _place, _person, _which, _what, _number))
    return (first, *_apart(tuple(found for found in further if found is not None)))


def _apart(found: tuple[Phrase, ...]) -> Iterator[Phrase]:
    """Of phrases that overlap, the first."""
    taken: list[Phrase] = []
    for phrase in found:
        if all(phrase.end <= other.start or phrase.start >= other.end for other in taken):
            taken.append(phrase)
            yield phrase


def _at(text: str, start: int, end: int, type: AnswerType, form: Form = "place", **more: str | int) -> Phrase:
    head, measure, count = str(more.get("head", "")), str(more.get("measure", "")), int(more.get("count", 1))
    return Phrase(start, end, text[start:end], type, form, head, measure, count)


def _meaning(text: str) -> Phrase | None:
    found = ask.MEANING.search(text)
    return _at(text, found.start(), found.end(), "description", "definition", head="意思") if found else None


def _happened(text: str) -> Phrase | None:
    found = ask.HAPPENED.search(text)
    if found is None or (found[0].endswith("情况") and "是" not in found[0]):
        return None
    return _at(text, found.start(), found.end(), "reason", "place", head="是因为")


def _asked(text: str) -> Phrase | None:
    found = ask.ASKED.search(text)
    return _at(text, found.start(), found.end(), "manner", "doing", head="怎么办") if found else None


def _reason(text: str) -> Phrase | None:
    found = ask.WHY_END.search(text)
    if found:
        return _at(text, found.start(), found.end(), "description", "definition", head=noun_before(text, found.start()))
    found = ask.REASON.search(text) or ask.WHY.search(text)
    if found is None:
        return None
    # 国号为什么 asks for a name
    if found.end() == len(text) and re.search("[号西者物意位源份质料素度级型式贬降升称荐]$", text[: found.start()]):
        return None
    if found[0].endswith("为什么") and found.end() == len(text) and ask.NAMED.search(text[: found.start()]):
        return None
    # 因为什么事件 asks for a thing
    if found[0].startswith(("因为什么", "由于什么")) and head_after(text, found.end()):
        return None
    ends = found.end() == len(text)
    return _at(
        text, found.start(), found.end(), "reason", "place" if ends else "because", head="是因为" if ends else ""
    )


def _time(text: str) -> Phrase | None:
    found = ask.TIME.search(text)
    return _at(text, found.start(), found.end(), "time", head=found[0]) if found else None


def _yesno(text: str) -> Phrase | None:
    if re.search("谁|什么|哪[^怕]|怎么|如何|多少|几[个种]", text):
        return None
    found = ask.CHOICE.search(text)
    if found and not ask.YES.search(text):
        return _at(text, found.start(), found.end(), "choice", "choice")
    found = ask.YES.search(text)
    return _at(text, found.start(), found.end(), "yesno", "polarity", head=found[0]) if found else None


def _number(text: str) -> Phrase | None:
    found = ask.COUNT.search(text)
    how = ask.HOW.search(text)
    if how and (found is None or how.start() <= found.start()) and how[1] != "少":
        return _how_much(text, how)
    if found is None:
        return None
    rest = text[found.end() :]
    # 多少万册: the gold answer brings its own 万
    large = re.match("[万亿]", rest)
    skip = large.end() if large else 0
    rest = rest[skip:]
    measure = next((one for one in measures() if rest.startswith(one)), "")
    if rest.startswith("人口") or (measure == "国" and rest.startswith("国家")):
        measure = ""
    if found[0] == "几" and not measure:
        return None
    end = found.end() + skip + len(measure)
    if not measure and rest.startswith("钱"):
        end, measure = end + 1, "元"
    if not measure and (share := re.match("的?(?:比例|百分比|份额)", rest)):
        end += share.end()
    return _at(text, found.start(), end, "number", head=found[0], measure=measure)


def _how_much(text: str, how: re.Match[str]) -> Phrase:
    start = (
        how.start() + how[0].startswith("有") if text[max(0, how.start() - 1) : how.start()] in "约达" else how.start()
    )
    end = how.end()
    if text.startswith(("时间", "面积", "距离", "年纪", "年龄", "规模"), end):
        end += 2
    return _at(text, start, end, "number", head=f"多{how[1]}")


def _person(text: str) -> Phrase | None:
    found = ask.PERSON.search(text)
    if found is None:
        return None
    end = found.end()
    head = ""
    if found[0] == "什么人" and text[: found.start()].endswith("是") and end == len(text):
        return _at(text, found.start(), end, "thing", head="人")
    if found[0].endswith("位"):
        head = head_after(text, end)
        end += len(head)
    count = _count(found[0])
    return _at(text, found.start(), end, "person", head=head, count=count)


def _place(text: str) -> Phrase | None:
    found = ask.PLACE.search(text)
    if found is None or (found[0] == "哪" and text.startswith(measures(), found.end())):
        return None
    if (kind := noun_before(text, found.start())) and clause_kind(kind) and found.end() == len(text):
        return _at(text, found.start(), found.end(), "description", head=kind)
    played = re.search("[打踢]|司职|担任|出任$", text[: found.start()][-3:]) or re.search("前锋|后卫|中场|球员", text)
    if found[0].endswith("位置") and played:
        return _at(text, found.start(), found.end(), "thing", head="场上位置")
    # 在海峡的哪个位置 asks for a part of it
    part = "位置" if found[0].endswith("位置") and text[: found.start()].endswith("的") else ""
    part = (
        "位置" if text[: found.start()].endswith("的") and found.end() == len(text) and "些" not in found[0] else part
    )
    part = "地区" if found[0].endswith(("地区", "地域")) else part
    return _at(text, found.start(), found.end(), "place", head=part, count=0 if "哪些" in found[0] else 1)


def _which(text: str) -> Phrase | None:
    found = ask.WHICH.search(text) or ask.TYPO.search(text)
    if found is None:
        return None
    count = _count(found[0])
    at = found.end()
    measure = ""
    for one in measures() if "些" not in found[0] else ():
        if text.startswith(one, at):
            measure = one
            break
    if text.startswith(("县市", "省市"), at):
        return _at(text, found.start(), at + 2, "place", head="市", count=count)
    whole = not text.startswith(("家", "府", "王"), at + len(measure))
    if whole and measure in ("国", "省", "市", "县", "区", "州", "村", "镇"):
        end = at + len(measure)
        return _at(text, found.start(), end, "place", head=measure, count=count)
    measure = "" if re.match("部分|方面|类型|种类(?!型)", text[at:]) else measure
    at += len(measure) if whole or measure != "国" else 0
    if not measure and text.startswith("方面", at):
        measure, at = "方面", at
    at += text[at : at + 1] == "的"
    kinded = re.match("(?:种类|类型|性质|类别|形式|程度)的", text[at:])
    at += kinded.end() if kinded else 0
    # 哪四个主要的民族: what describes the noun goes with it
    described = re.match("(?:比较|较为)?(?:主要|著名|重要|不同|知名|大型|具体|新)的?", text[at:])
    at += described.end() if described and described.end() < len(text[at:]) else 0
    ranked = re.fullmatch("([目科属纲])的", text[at:])
    if ranked:
        return _at(text, found.start(), at + 1, "thing", head=ranked[1], count=count)
    head = head_after(text, at)
    wide = re.match("(?:国家|城市|省份|出版社)(?=[\u4e00-\u9fff])(?!队|[级台])", head)
    head = wide[0] if wide else head
    if not head and measure and (single := re.match("[片书剧歌曲戏队人城河山湖族语州郡舰船车花树鱼鸟]", text[at:])):
        head = single[0]
    if measure in ("家", "支", "队", "所", "门", "站", "族", "届", "代") and not head:
        head = measure
    said = head or noun_before(text, found.start())
    kind: AnswerType = "time" if head in ("期间", "时间", "时段") else type_of_head(said, measure)
    end = at + len(head) if head != measure else at
    return _at(text, found.start(), end, kind, head=said, count=count)


def _count(text: str) -> int:
    for sign, count in zip("两二三四五六七八", (2, 2, 3, 4, 5, 6, 7, 8), strict=True):
        if sign in text:
            return count
    return 0 if "些" in text or "几" in text else 1


_HEAD_TYPES: tuple[tuple[str, AnswerType], ...] = (
    (r"国家|地区|城市|省份?|都市|州|县|镇|乡|村|大洲|半岛|海域|洲|岛屿?|首都|国|市|区域|地方|地点|街道?", "place"),
    (
        r"成员|学生|学员|主演|队员|嘉宾|弟子|子女|人物|作家|诗人|皇帝|导演|演员|歌手|教练|将领|科学家|学者|人士|国王|总统|选手|球员|作者|画家|大臣|首相|明星|主演|人",
        "person",
    ),
    (
        r"公司|大学|学校|学院|球队|组织|机构|企业|中学|队伍?|俱乐部|政党|党派?|部门|银行|出版社|乐队|乐团|团体|单位|集团|电视台|医院|军队|球会|研究所",
        "organisation",
    ),
)


def type_of_head(head: str, measure: str = "") -> AnswerType:
    """The kind of answer that a noun asks for."""
    for pattern, kind in _HEAD_TYPES:
        if re.search(f"(?:{pattern})$", head):
            return kind
    if measure in ("位", "名"):
        return "person"
    return "thing"


def _definition(text: str) -> Phrase | None:
    found = ask.DEFINITION.search(text)
    if found is None or found.end() == len(text):
        return None
    rest = text[found.end() :]
    if "的" in rest and re.search("的[^的]{1,4}$", rest) and re.search("原因|主要|目的", rest):
        return _at(text, found.start(), found.start() + 2, "thing", head=rest.rsplit("的", 1)[-1])
    return _at(text, found.start(), found.end(), "description", "definition")


def _doing(text: str) -> Phrase | None:
    found = ask.DO.search(text)
    return _at(text, found.start(), found.end(), "manner", "doing") if found else None


def _what(text: str) -> Phrase | None:
    found = ask.WHAT.search(text)
    if found is None:
        return None
    start, end = found.span()
    free = ask.GOVERNED.search(text[:start]) and found[0] in ("什么", "何") and is_verb_at(text, end)
    head = "" if free or text.startswith("为", end) else head_after(text, end)
    if not head and found[0] == "什么" and (single := re.match("[教科族语奖病药酒茶站色]", text[end:])):
        head = single[0]
    if found[0].endswith(("样", "样子")) and text[end : end + 1] == "的":
        end += 1
        head = head_after(text, end)
    if head in ("情况", "情况下") and text.startswith("下", end + 2):
        return _at(text, start, end + 3, "reason", head="的情况下")
    kinded = re.match("(?:种类|类型|性质|类别|种|类|形式|程度)的", text[end:])
    if kinded and (inner := head_after(text, end + kinded.end())):
        return _at(text, start, end + kinded.end() + len(inner), type_of_head(inner), head=inner)
    if re.search("(?:样的|样|怎样一[种个]|如何的)$", found[0]) and head:
        return _at(text, start, end + len(head), "thing", head=head)
    if head:
        kind = type_of_head(head)
        return _at(text, start, end + len(head), "reason" if head in ("原因", "缘故") else kind, head=head)
    if text[end:] == "的" and re.search("[指做用]$", text[:start]):
        end += 1
    said = re.search("(?:是|为|有|叫做?|称为?|指|包括|包含|在于?|以)$", text[:start])
    before = noun_before(text, start) if said else ""
    kind = type_of_head(before) if re.search("(?<![称名])[是为叫]$", text[:start]) else "thing"
    if re.search("原因(?:[是为]|在于)$|原因主要是$", text[:start]):
        kind = "reason"
    elif said and re.search("时间$|日期$", before):
        kind = "time"
    elif said and re.search("地点$|位置$|产地$|地址$", before):
        kind = "place"
    return _at(text, start, end, kind, head=before)


def _state(text: str) -> Phrase | None:
    found = ask.STATE.search(text)
    return (
        _at(text, found.start(), found.end(), "description", "state", head=noun_before(text, found.start()))
        if found
        else None
    )


def _origin(text: str) -> Phrase | None:
    """名字是怎么来的: where a name comes from."""
    found = ask.COMES.search(text)
    return _at(text, found.start(), found.end(), "description", head="由来") if found else None


def _manner(text: str) -> Phrase | None:
    found = ask.MANNER.search(text)
    return _at(text, found.start(), found.end(), "manner", "way") if found else None


def _open_end(text: str) -> Phrase | None:
    found = ask.LIST.search(text)
    size = len(text)
    head = noun_before(text, size)
    kind = type_of_head(head)
    if re.search("时间|日期|年份|年代", head):
        kind = "time"
    elif re.search("原因|理由|缘由", head):
        kind = "reason"
    elif re.search("地点|位置|地址|产地|籍贯|出生地|首都|首府", head):
        kind = "place"
    elif re.search("面积|人口|数量|长度|高度|金额|价格|年龄|人数|距离|重量|比例|容量|海拔", head):
        kind = "number"
    elif kind == "thing" and not ask.OPEN_END.search(text):
        kind = "description"
    if re.search("不同(?:的地方|之处|点)?(?:是|在于)?$", text):
        kind, head = "description", "区别"
    if found:
        return _at(text, 0, found.end(), kind, "end", head=head)
    if ask.OPEN_END.search(text) or (head and text.endswith(head)):
        return _at(text, size, size, kind, "end", head=head)
    return None


def _told(text: str) -> Phrase | None:
    """A statement that asks only by its sign, or names a trouble and so asks for its cause."""
    size = len(text)
    if size < ask.SHORTEST:
        return None
    if re.search("[了的]$|是|导致|成为", text):
        return _at(text, size, size, "yesno", "polarity")
    return _at(text, size, size, "reason", "end", head="")


_FINDERS: tuple[Callable[[str], Phrase | None], ...] = (
    _meaning,
    _happened,
    _asked,
    _origin,
    _reason,
    _time,
    _yesno,
    _number,
    _person,
    _place,
    _definition,
    _doing,
    _which,
    _state,
    _what,
    _manner,
    _open_end,
    _told,
)
