"""Whether a changed option is one that a person might write: the doubtful ones come last.

A change may be well formed and still say what nobody would say: 古代…的微时代, 美国传统的琵琶音乐, a half that
contradicts the other. Two blind readings of the four strategies showed where that happens. Such a change is not wrong,
so an option that allows nothing else still gets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from readproof.attacks.options.change import Change
from readproof.attacks.options.view import OptionView
from readproof.items import Edit
from readproof.lang.zh.times import times
from readproof.lang.zh.words import words

# misprints of the data: a question mark for a lost letter, marks of a web page, a doubled word, a dash for 一
_DAMAGED = re.compile(
    "[\u4e00-\u9fff0-9][?�][\u4e00-\u9fff0-9]|\\[来源|(?<!目)的的(?!确)|[—-]个|[。；，]有[。；]?$|[，。；]{2}|是是|了了"
)
# a text cut out of a sentence: it begins with what links it to something before, or ends with what announces more
_CUT_START = re.compile(
    "(?:故(?![事乡宫人都])|后(?=多|来)|说白了|同年|次年|翌年|行文|正像|正如|以之|不仅|不但|不单|不只|既(?!然)|也|又|还|而|并|却|则|使|让|令|被|把|主张|体现|反映|表现|具有|需要|强调|追求|成为|属于|主旨乃|时速|乃至|信守|成了|[0-9０-９]{1,3}(?:[,，]|到))"
)
_CUT_END = re.compile(
    "(?:认为|指出|发现|显示|表明|说明|可见|看出|知道|的|自得|[里内]|之中|[^，]{0,6}把[^，]{1,6})[。；]?$"
    "|，(?:正像|正如|就像|如同|好像|犹如)[^，]*[。；]?$"
    "|(?:从|自)[^，。；是有]{1,14}(?:起|到[^，。；是有]{1,16})[。；]?$|[^，]{2,8}反是，"
    "|是由(?![^，]*(?:的|成|组|决定|构|产生|导致|造成|引|而|所))[^，]*[。；]?$"
)
# after a time a statement goes on with its subject, not with what somebody did
_NO_SUBJECT = re.compile(
    "(?:时|以[前后来]|之[前后]|后|初|末|间)?，?(?:便|就|已|一直|始终|曾|都|被|才|又|也|逐渐|成为|任|开始|到|在|把|将)"
)
# what may be said of a deed that a text begins with: 研究历史是…
_OF_A_DEED = re.compile("是|在于|可以?|能|会|需要|有利于|有助于|意味|使|让|导致|必须|应")
_FORMER = re.compile("前者|后者")
# words of an age, and of the first and last: what belongs to one age is rarely said of another
_AGES = frozenset(
    (
        "现代",
        "古代",
        "当代",
        "当今",
        "现在",
        "过去",
        "未来",
        "最初",
        "最后",
        "目前",
        "如今",
        "当前",
        "当时",
        "近代",
        "率先",
        "首先",
        "由浅入深",
        "最早",
        "最先",
    )
)
_SIDES = frozenset({"国内", "国外", "中国"})
_IN_TIME = re.compile(
    "演变|变为|成为|形成|以[前后来]|之[前后]|后来|今|从未|一直|时代|当时|最[初早先]|起初|现在|已|将|应|逐渐|近百年|最后|先[于后]|传统|王朝|诸?列强|封建|皇|科技|网络|时期"
)
_ABROAD = re.compile(
    "魏|晋|隋|秦|龙山|上古|国内|国外|西方|东方|本土|国人|中外|海[内外]|民族|儒|传统|诗|汉|唐|宋|明|清|周|帝"
)
# whoever is named lived at one time
_OF_AN_AGE = re.compile(
    "[孔孟荀老庄墨]子|[^，。]{1,2}[祖宗帝王]|苏轼|杜甫|李白|屈原|陶渊明|司马迁|董仲舒|朱熹|王安石|[~～—-]"
)
_NEGATED = re.compile("不|没|未|无|非|莫|难以|脱离|拒绝|反对")
# a verb or a conjunction that carries what follows it: 使…没有机会, 因为…并不
_CARRIES = re.compile(
    "源于|缘于|在于|旨在|意在|(?:而[^，。；]*则)|使|让|令|导致|造成|引[起发]|因为|由于|之所以|从而|促进|促使|为了|通过|以便"
)
_DRAWS = re.compile(
    "[，；](?:如|例如|比如|像|他们|它们|她们|二者|两者|双方|这|那|此|因|所以|从而|使|让|并|而|且|以|甚至|进而|同时|也|还|都|又|但|却|于是|成为)"
)
_BADLY = re.compile(
    "(?:过分|过于|尽|甚至|尤其|个体|非常|十分|最|更|越|较|大量|相当|充分)(?:并不|并未|没有|不是|未)"
    "|能够?[^，。；]{0,8}巨大[^，。；]|(?:并不|并未|没有)[^，。；]{0,3}(?:了|着)"
    "|但是是|只有有|经由从|搭起出|指的是并不|[（(][^）)]*$|都不是一些|之一并不是|竟可没有|很难没有|进一步并?没有|深刻忽略|狭窄的[^，。；]{0,4}新|极少数地方|定(?:无法|不能)|走向[^，。；]{2,10}转变"
    "|[使让令][^，。；]{1,12}(?:并不|并未|没有|未)|向外缩小|(?:主张|认为|强调|要求|应当?|必须)并[不未]|一定程度上(?:没有|不|并)|必须过[分于]|终结[^，。；]{0,12}新|坚持[^，。；]{2,30}(?:局限|缺点|弊端)"
)
_TURNS = ("negation", "modality", "quantifier", "degree")
_AMONG = re.compile("[和与及、][^，。；]{1,8}是$|[和与及、][^，。；]{1,8}(?:分为|包括|有)$")


def damaged(text: str) -> bool:
    """Whether a text has misprints, so that no change of it reads well."""
    return bool(_DAMAGED.search(text)) or text.count("“") != text.count("”") or text.count("《") != text.count("》")


def cut_short(text: str) -> bool:
    """Whether a text looks like a piece of a sentence."""
    if _CUT_START.match(text) or _CUT_END.search(text):
        return True
    first = words(text)[0]
    if first.text in ("意思", "说", "首次", "二", "三", "多一份"):
        return True
    if first.tag[0] in "il" and text[first.end : first.end + 1] in ("，", "、"):
        return True
    opening = next((time for time in times(text) if time.start <= 1), None)
    if opening is not None and _NO_SUBJECT.match(text, opening.end):
        return True
    return bool(_FORMER.search(text)) and text.count("，") < 2


def headless(text: str) -> bool:
    """Whether a text may want a subject: it begins with a deed of which nothing is said, or with an adverb."""
    if words(text)[0].tag[0] in "dc":
        return True
    return words(text)[0].tag[0] == "v" and not _OF_A_DEED.search(re.split("[，。；]", text)[0])


def nonsense(view: OptionView, change: Change, passage: str) -> bool:
    """Whether a place or an age would stand beside what does not belong to it: 法国自舜帝时, 信息时代的古代传媒."""
    edit = change.edits[0]
    rest = view.text[: edit.start] + view.text[edit.end :]
    if change.detail == "place":
        return bool(_ABROAD.search(rest)) or (edit.old == "中国" and edit.new not in passage)
    if change.detail == "time":
        return change.meaning != "restored" and (_other_time(view, edit) or bool(_OF_AN_AGE.search(rest)))
    if change.detail != "order" or change.meaning == "same":
        return False
    if edit.old in _AGES or edit.old in _SIDES:
        return bool(_IN_TIME.search(rest) or _ABROAD.search(rest))
    if re.search("[前后早晚初末期年]$|来$", edit.old):
        return bool(_IN_TIME.search(rest)) or len(times(view.text)) > 1
    return False


def doubtful(view: OptionView, change: Change, passage: str) -> bool:
    """Whether a change is likely to read badly, or to say what nobody would say."""
    edit = change.edits[0]
    if change.meaning == "same":
        return False
    if change.detail == "premise" or ("少数" in edit.new and view.text.count("、") > 2):
        return True
    if change.detail == "place" or (change.detail == "order" and (edit.old in _AGES or edit.old in _SIDES)):
        return edit.new not in passage
    if change.detail == "order":
        return False
    if change.detail == "number":
        counted = re.search("[与和、]", view.before(edit.start)) and re.match("[两二三四]", edit.old)
        return bool(counted or _AMONG.search(view.before(edit.start)) or re.search("二者|两者|双方|双", view.text))
    # one word for its contrary leaves a sentence that argues for the other side: 丰富了营养，削弱了体质
    if change.detail == "contrary" and change.meaning == "contrary":
        return True
    # what is denied in one clause is mostly leant on by the next: 并未形成于春秋末期，后来逐渐变成…
    if change.meaning == "contrary" and change.detail in _TURNS and len(view.clauses) > 1:
        return True
    return change.meaning in ("contrary", "denied") and _contradicts(view, change.edits)


def _other_time(view: OptionView, edit: Edit) -> bool:
    """Whether something else in the text belongs to the same time: 唐玄宗 beside 唐代."""
    rest = view.text[: edit.start] + view.text[edit.end :]
    return edit.old[:1] in rest if len(edit.old) <= 3 and not edit.old[:1].isdigit() else bool(times(rest))


def _contradicts(view: OptionView, edits: Iterable[Edit]) -> bool:
    """Whether what is turned or denied is leant on by the rest of its sentence."""
    changed = tuple(edits)
    first, last = changed[0], changed[-1]
    before, rest = view.before(first.start), view.text[last.end :]
    if _CARRIES.search(before) or _DRAWS.search(rest):
        return True
    negates = any(_NEGATED.search(edit.new) for edit in changed)
    opening = view.text[: view.clause_at(first.start).start]
    # 继承拓展, 探索奋斗: one of two verbs that say one thing
    following = view.words[view.index_of(last.end)] if last.end < len(view.text) and last.end in view.edges else None
    if following is not None and following.tag == "v" and len(following.text) > 1 and len(last.old) > 1:
        return True
    # the second of two clauses with one subject: its denial wants 但
    leans = bool(opening.strip("，。；")) and opening[-1:] == "，" and before == ""
    return leans and negates


def reads_badly(text: str) -> bool:
    """Whether a finished text has a place that no person would write."""
    return bool(_BADLY.search(text))
