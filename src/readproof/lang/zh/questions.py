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

from readproof.lang.api import Word, lines
from readproof.lang.zh.clauses import clause_kind
from readproof.lang.zh.numbers import measures
from readproof.lang.zh.words import words

# The noun that a question phrase asks for: the one right after it (哪家公司), or the one it is said of (作者是谁).


_NOUNS = ("n", "an", "j", "eng", "s", "g")
_MODIFIERS = ("a", "b", "z", "vn")
# words tagged as nouns that do not head a noun phrase here
_STOP = frozenset("上下中里内外时后前间等才会能可") | {"时候", "之间", "以前", "以后", "期间", "之后", "之前", "人们"}
_NOT_HEAD = re.compile("[的了是在于由被有，,、和与对到能可会将曾最而所]")
_NO_HEAD = re.compile("有关|相关|著名|闻名|著称|出名|为|来(?![由源历])|而|所|之间")
_SHORT = 4
_SAID = re.compile(
    "(?:主要|分别|都|又|还|也|大约|约|一般|通常|共|总共|曾经?|将)*(?:是|为|有|包括|包含|在于?|叫做?|称为?|指的是|指)?$"
)
_LONGEST = 10


@lru_cache(maxsize=4)
def headwords(role: str) -> frozenset[str]:
    """Words that taggers and questions see differently.

    A predicate begins the predicate when a noun stands before it (哪所大学读书); a noun is tagged as a verb, and mostly
    asked for as a noun; an attribute is what one has and is said of one (有什么绰号 → 的绰号是…); an
    act parts two names (李某加盟公牛队).
    """
    return frozenset(word for word, of in lines("zh", "headwords") if of == role)


@lru_cache(maxsize=1 << 12)
def head_after(text: str, at: int) -> str:
    """The noun phrase that begins at a place; "" if something else does."""
    rest = text[at:]
    if _NO_HEAD.match(rest):
        return ""
    end = 0
    for word in words(rest):
        follows = rest[word.end : word.end + 1]
        if follows in ("着", "了", "过") or (end and word.text in headwords("predicate")):
            break
        if word.end > _LONGEST or word.text in _STOP:
            break
        if is_noun(word) or (word.tag == "vn" and (word.start == 0 or follows in ("", "的", "，", ","))):
            end = word.end
        elif (word.tag == "vn" and word.start) or not word.tag.startswith(_MODIFIERS) or word.text[0] in "最为一":
            break
    if end and not re.match("[的，,]", rest[end:]) and len(rest) - end <= 1:
        # 哪一科, 什么奖: a last character that was cut off belongs to the noun
        end = len(rest) if not _NOT_HEAD.search(rest[end:]) else end
    if not end and rest:
        stretch = re.match("[^的，,]*", rest)
        short = stretch[0] if stretch else ""
        end = len(short) if 0 < len(short) <= _SHORT and not _NOT_HEAD.search(short) else 0
    return rest[:end]


def is_noun(word: Word) -> bool:
    """Whether a word may head a noun phrase."""
    return (word.tag.startswith(_NOUNS) and word.text not in _STOP) or word.text in headwords("noun")


def is_verb_at(text: str, at: int) -> bool:
    """Whether a verb begins at a place."""
    found = words(text[at:])
    return bool(found) and found[0].tag.startswith(("v", "p", "d")) and found[0].text not in headwords("noun")


@lru_cache(maxsize=1 << 12)
def noun_before(text: str, at: int) -> str:
    """The noun that a phrase at a place is said of: in 作者是谁 and 作者分别是谁 it is 作者; "" where there is none."""
    before = _SAID.sub("", text[:at])
    found = words(before)
    # a few nouns are asked about so often that their ending is enough: 个人表现
    if clause_kind(before[-2:]):
        return before[-2:]
    for word in reversed(found[-2:]):
        if is_noun(word) or word.tag == "vn":
            return word.text
        if not word.tag.startswith(("d", "f", "m", "q")):
            break
    last = before.rpartition("的")[2]
    return last if "的" in before and 0 < len(last) <= _SHORT and not _NOT_HEAD.search(last) else ""


# The words that ask in Chinese, as patterns; `questions` tells what each of them asks for.


# other spellings, each of one character, so that offsets stay
SPELLINGS = str.maketrans({"甚": "什", "麽": "么"})
TIME = re.compile(
    "什么时[候间后]|什时候|什么时(?=[^代期])|何年何月何日|何年何月|何时(?:何分)?|何年|何日|何月|哪一?时(?!期)|哪一?个?年份|哪一年份?|哪年哪月|哪几年|哪两年|哪年|"
    "哪一?天|哪一?日|哪一?个?月份?|"
    "几月几[日号]|几年几月|几月份?(?!亮)|几号(?!线|楼|馆|机|车|出)|星期几|周几|礼拜几|[哪那]一?个?(?:世纪|年代|朝代|时期|时代|季节|时间段?|日期|阶段)|"
    "什么(?:朝代|时期|时代|年代|年份|日期|季节)|何(?:朝代|时期|代)|哪朝哪代|哪朝|(?<![有分哪])几点(?:钟)?(?=[^要建]|$)|几几年|(?<=[西公]元)几年|多少年(?=[^以间前后来的代历以]|$)(?<=[在于是]多少年)"
)
REASON = re.compile(
    "(?<!被视)(?:(?<=部分)|(?<![称名作分定认以誉译改成之更变因用转划列评封当取化选奉谥立任拜聘推归尊册]))(?<!归类)(?<!分类)是?为什[么麽](?!样|而|[科目属职](?![^？?]))|因为什么(?:原因|缘故)?(?!而)|由于什么(?:原因|缘故)?|因何(?!而)|何故|为啥|缘何|为什(?![么麽])|怎么会|什么原因使得?"
)
# 为 behind these names what something is called or becomes
NAMED = re.compile(
    "(?:追尊|追封|追谥|追赠|册封|尊称|改称|改名|更名|命名|归类|分类|归入|任命|翻译|定义|视|译|封|立|称)[^，,是的]{0,10}$"
)
WHY_END = re.compile("为何$")
WHY = re.compile("(?:是)?(?<!因)为何(?![人物时地处年])|(?<!如)何以")
YES = re.compile(
    "是否|是不是|有没有|有无|能否|能不能|可否|可不可以|会不会|要不要|会否|需不需要|用不用|好不好|对不对|行不行|与否$|可以吗$|对吗$|是吗$|(?:了)?吗$|了?嘛$|了?没有$|了?么$"
)
CHOICE = re.compile("(?:是)?([^，,、是于在有由的]{1,10}?)还是([^，,、的]{1,10})")
PERSON = re.compile(
    "谁|何许?人|什么人(?![士种物口]?[员民类])|[哪那](?:一|几|两|三|些)?位|[哪那](?:一个|几个|两个|三个|个|些)人(?![士种物口类])"
)
PLACE = re.compile(
    "[哪那](?:里|儿)(?!面)|哪边|(?<![如作])何处|何地|(?:什么|哪一?个|哪些|何等?)(?:地方|地点|位置|地区|地域)|啥地方|(?<=[在于到去往自])哪(?=$|[，,的出发举进生被就居学工开上建])"
)
WHICH = re.compile("哪(一|两|二|三|四|五|六|七|八|几|些)?")
TYPO = re.compile("(?:(?<![在从自了把对及])那(一|两|三|几)?|那些)(?=[个种家位部本条座所支首项国年脉段]|(?<=些)[^是])")
DEFINITION = re.compile("(?:^|(?<=[，,]))(?:什么叫做|什么(?:才)?[是叫]|何[谓为]|啥是|什么叫做?)")
WHAT = re.compile(
    "什么样(?:子)?的?|什么|啥样的?|啥|何种|何者|(?<=[有以从作任于是因在至按受及到由属据持凭犯用做负就])何(?![况以必不止尝须等其如由妨氏家某时地处年人谓为故])"
    "|怎样的(?=.)|怎么样的(?=.)|怎样一[种个]|如何的(?=.)"
)
# what 什么 stands behind when a verb, not a noun, follows it: 靠什么生活
GOVERNED = re.compile("[靠以用由被凭借因据从按受将把对向过为随]$")
DO = re.compile("(?<![叫称当看用视唤译记])(?:做|干|作)(?:了|些|过)?(?:什么(?:事情?|用|的)?|啥)$|干嘛$")
MEANING = re.compile("(?:是|有)?(?:什么|啥|何)(?:意思|含义|涵义|意义)$|什么意思$")
STATE = re.compile("(?:是)?(?:怎么样|怎样|如何|咋样|何如)(?:的|了)?$|是怎样的$")
MANNER = re.compile("(?:是)?(?:如何|怎么样|怎样|怎么|咋样?|怎(?=[么麽])么|以何|何以|这么(?=[^多少大小]{1,6}的$))")
HAPPENED = re.compile("(?:是)?(?:怎么回事|怎么了|什么(?:情况|原因|缘故))儿?$")
ASKED = re.compile("怎么办|咋办|如何是好|怎么处理$|怎么解决$")
COMES = re.compile("(?<=[名称号字呼])(?:是)?(?:如何|怎么|怎样)(?:得?来|由来|产生|而来)的?$")
HOW = re.compile("有?多(大|长|高|远|久|重|宽|深|厚|快|粗|少)(?![数少年学官])")
COUNT = re.compile(
    "第几|第多少|几分之几|百分之几|百分之多少|多少|(?<![十百千万好哪那这])几(?![乎何内维百千万亿十率]|个月来)"
)
SHORTEST = 4
LIST = re.compile(
    "^(?:请|试|并)?(?:简要|简单|简略)?(?:列举|列出|举出|说出|写出|简述|说明|介绍|描述|概括)(?:一下|几[个种])?"
)
OPEN_END = re.compile("(?:是|为|叫做?|名为|有|包括|包含|在于?|于|指|称为?|用来|属于|位于|即|分别是|表示|认为|成为)$")


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
    text = bare(question).translate(SPELLINGS)
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
    found = MEANING.search(text)
    return _at(text, found.start(), found.end(), "description", "definition", head="意思") if found else None


def _happened(text: str) -> Phrase | None:
    found = HAPPENED.search(text)
    if found is None or (found[0].endswith("情况") and "是" not in found[0]):
        return None
    return _at(text, found.start(), found.end(), "reason", "place", head="是因为")


def _asked(text: str) -> Phrase | None:
    found = ASKED.search(text)
    return _at(text, found.start(), found.end(), "manner", "doing", head="怎么办") if found else None


def _reason(text: str) -> Phrase | None:
    found = WHY_END.search(text)
    if found:
        return _at(text, found.start(), found.end(), "description", "definition", head=noun_before(text, found.start()))
    found = REASON.search(text) or WHY.search(text)
    if found is None:
        return None
    # 国号为什么 asks for a name
    if found.end() == len(text) and re.search("[号西者物意位源份质料素度级型式贬降升称荐]$", text[: found.start()]):
        return None
    if found[0].endswith("为什么") and found.end() == len(text) and NAMED.search(text[: found.start()]):
        return None
    # 因为什么事件 asks for a thing
    if found[0].startswith(("因为什么", "由于什么")) and head_after(text, found.end()):
        return None
    ends = found.end() == len(text)
    return _at(
        text, found.start(), found.end(), "reason", "place" if ends else "because", head="是因为" if ends else ""
    )


def _time(text: str) -> Phrase | None:
    found = TIME.search(text)
    return _at(text, found.start(), found.end(), "time", head=found[0]) if found else None


def _yesno(text: str) -> Phrase | None:
    if re.search("谁|什么|哪[^怕]|怎么|如何|多少|几[个种]", text):
        return None
    found = CHOICE.search(text)
    if found and not YES.search(text):
        return _at(text, found.start(), found.end(), "choice", "choice")
    found = YES.search(text)
    return _at(text, found.start(), found.end(), "yesno", "polarity", head=found[0]) if found else None


def _number(text: str) -> Phrase | None:
    found = COUNT.search(text)
    how = HOW.search(text)
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
    found = PERSON.search(text)
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
    found = PLACE.search(text)
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
    found = WHICH.search(text) or TYPO.search(text)
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
    found = DEFINITION.search(text)
    if found is None or found.end() == len(text):
        return None
    rest = text[found.end() :]
    if "的" in rest and re.search("的[^的]{1,4}$", rest) and re.search("原因|主要|目的", rest):
        return _at(text, found.start(), found.start() + 2, "thing", head=rest.rsplit("的", 1)[-1])
    return _at(text, found.start(), found.end(), "description", "definition")


def _doing(text: str) -> Phrase | None:
    found = DO.search(text)
    return _at(text, found.start(), found.end(), "manner", "doing") if found else None


def _what(text: str) -> Phrase | None:
    found = WHAT.search(text)
    if found is None:
        return None
    start, end = found.span()
    free = GOVERNED.search(text[:start]) and found[0] in ("什么", "何") and is_verb_at(text, end)
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
    found = STATE.search(text)
    return (
        _at(text, found.start(), found.end(), "description", "state", head=noun_before(text, found.start()))
        if found
        else None
    )


def _origin(text: str) -> Phrase | None:
    """名字是怎么来的: where a name comes from."""
    found = COMES.search(text)
    return _at(text, found.start(), found.end(), "description", head="由来") if found else None


def _manner(text: str) -> Phrase | None:
    found = MANNER.search(text)
    return _at(text, found.start(), found.end(), "manner", "way") if found else None


def _open_end(text: str) -> Phrase | None:
    found = LIST.search(text)
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
    elif kind == "thing" and not OPEN_END.search(text):
        kind = "description"
    if re.search("不同(?:的地方|之处|点)?(?:是|在于)?$", text):
        kind, head = "description", "区别"
    if found:
        return _at(text, 0, found.end(), kind, "end", head=head)
    if OPEN_END.search(text) or (head and text.endswith(head)):
        return _at(text, size, size, kind, "end", head=head)
    return None


def _told(text: str) -> Phrase | None:
    """A statement that asks only by its sign, or names a trouble and so asks for its cause."""
    size = len(text)
    if size < SHORTEST:
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


# What is asked, with all that an answer may hang on.


@dataclass(frozen=True, slots=True)
class PhraseInContext:
    """A question phrase in its question, with the gold answer ("" where it is not known) and the passage."""

    phrase: Phrase
    question: str
    gold: str
    passage: str = ""

    @property
    def head(self) -> str:
        """The noun asked for, or the one that the phrase is said of."""
        return self.phrase.head

    @property
    def in_phrase(self) -> bool:
        """Whether the noun asked for is part of the phrase, so that an answer takes its place too."""
        return bool(self.head) and self.phrase.text.endswith(self.head)

    @property
    def before(self) -> str:
        return self.question[: self.phrase.start]

    @property
    def after(self) -> str:
        return re.sub("[\\s？?。！!]+$", "", self.question[self.phrase.end :])

    @property
    def at_end(self) -> bool:
        return not self.after
