"""Key words turned: quantifiers, degree, modality, negation, scope, numbers, and words by their contrary or synonym."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from readproof.attacks.base import random_of
from readproof.attacks.options.change import Change, one
from readproof.attacks.options.passage import evidence
from readproof.attacks.options.phrases import has_verb
from readproof.attacks.options.premises import WHOLE
from readproof.attacks.options.restoring import restored
from readproof.attacks.options.tables import by_opposites, by_synonyms, by_table, stated
from readproof.attacks.options.view import OptionSpan, OptionView
from readproof.items import Edit
from readproof.lang.api import Word, lines
from readproof.lang.zh.numbers import another, numbers, parse
from readproof.lang.zh.times import times

# A clause says yes where it said no, or no where it said yes: verbs with 了, the copula, having and lacking.

# adverbs and conjunctions after which a verb is not denied by a plain 没有
_BARRED_BEFORE = re.compile(
    "(?:多处|多次|从而|进而|并且|并|而|且|终于|就|便|才|又|还|更|再|不仅|不但|不只|既|却|一旦|只|仅|曾|曾经|已|已经|早已|逐渐|渐渐|开始|最终|大大|全面|彻底|完全|充分|逐步|"
    "极大地|深深|日益|地|得|所|被|，|^|首先|首次|第一次|率先|先后|分别|正|刚|能|会|可以|必然|必须|使|让|令|将|后|时|以|来|去|因而|因此|于是|是|为)$"
)
_VERB = re.compile("[\u4e00-\u9fff]{2,}")
_RESULT = re.compile("(?:为|成|作|除|完|出|起|到|过|上|下|住|好|掉|透|满|遍)$")
_COPULA_BEFORE = re.compile(
    "(?:甚至|一[种个类]|将|不|只|仅|还|若|如|但|或|而|正|便|即|倒|却|可|总|凡|于|既|更|又|尤其|特别|无论|不论|不管|的|就|这就|也就|并|，|^|才|要|其实|都|都|像|"
    "与其说|不如说|或者|乃|恰恰|往往|大多|如果|已经|已|已经不|主要|一般|曾|曾经|当|因为|由于|认为|指出|本|先|再|为|所以|因此|虽然|尽管|地|来说|说|看|表明|说明|均|皆|实|称得上|算得上|可谓|可说|可以说|看作|当作|看成|视作|视为|当成)$"
)
_COPULA_AFTER = re.compile("(?:否|因为|由于|为了|不|没|非|说|否|以|对|在|从|由|怎|如何|什么|为|经|出于|故)")


def denials(view: OptionView) -> Iterator[Change]:
    """The verbs with 了 and the copulas of an option, denied."""
    for index, word in enumerate(view.words):
        if not view.free(word.start, word.end) or view.conditional(word.start):
            continue
        if word.text == "了":
            yield from _without(view, index)
        elif word.text == "是":
            yield from _copula(view, word)
        elif word.text in ("有", "没有"):
            yield from _having(view, index)


def _without(view: OptionView, index: int) -> Iterator[Change]:
    """…促进了… becomes …没有促进…"""
    if not 0 < index < len(view.words) - 1:
        return
    verb, mark = view.words[index - 1], view.words[index]
    if not verb.tag.startswith("v") or not _VERB.fullmatch(verb.text) or _RESULT.search(verb.text):
        return
    rest = view.after(mark.end)
    if re.search("[将把被使让令用以对为由在才向]", view.before(verb.start)) or not stated(
        view, OptionSpan(verb.start, verb.end)
    ):
        return
    if len(rest) < 2 or _BARRED_BEFORE.search(view.text[: verb.start]) or _inside(view, mark, rest):
        return
    yield Change((Edit(verb.start, "", "并没有"), Edit(mark.start, "了", "")), "contrary", "negation")


def _inside(view: OptionView, mark: Word, rest: str) -> bool:
    """Whether the verb belongs to a noun that follows: 保留了原貌的建筑受到…"""
    last = rest.rfind("的")
    if last < 0:
        return False
    tail = [word for word in view.words if mark.end + last < word.start < mark.end + len(rest)]
    return any(word.tag[0] in "vpdr" for word in tail[:-1])


def _copula(view: OptionView, word: Word) -> Iterator[Change]:
    """…是… becomes …并不是…"""
    before, after = view.text[: word.start], view.text[word.end :]
    clause = view.text[view.clause_at(word.start).start : view.clause_at(word.start).end]
    if _COPULA_BEFORE.search(before) or _COPULA_AFTER.match(after) or clause.count("是") > 1 or "而" in after[:30]:
        return
    rest = view.after(word.end)
    if not stated(view, OptionSpan(word.start, word.end)) or re.search("并非|不是|没有", rest):
        return
    if rest.endswith("的") and any(part.tag[0] in "vda" for part in view.words[view.index_of(word.end) :][:1]):
        return
    if len(view.after(word.end)) < 2 or len(view.before(word.start)) < 2:
        return
    yield one(word.start, "是", "不是" if before.endswith("也") else "并不是", "contrary", "negation")


def _having(view: OptionView, index: int) -> Iterator[Change]:
    """…有… becomes …没有…, and back, before a noun."""
    word = view.words[index]
    following = view.words[index + 1] if index + 1 < len(view.words) else None
    before = view.text[: word.start]
    if (
        following is None
        or following.tag[0] not in "nabjmz"
        or re.search(
            "(?:不|未|还|又|既|也|只|仅|都|却|才|，|^|就|更|并|从|而|所|没|是|如果|具|能|会|要|应|含|曾|已|再|且|反而|毫|的|地"
            "|仍|仍然|依然|葆|拥|享|富|占|持|共|存|稀|特)$",
            before,
        )
    ):
        return
    if following.text.startswith(
        (
            "着",
            "了",
            "过",
            "一定",
            "关",
            "些",
            "限",
            "效",
            "时",
            "人",
            "利",
            "两",
            "三",
            "许多",
            "很多",
            "无数",
            "多种",
            "收藏",
            "一道",
            "一起",
            "一同",
        )
    ):
        return
    if not stated(view, OptionSpan(word.start, word.end)):
        return
    if word.text == "有" and "没有" not in view.text:
        yield one(word.start, "有", "没有", "contrary", "negation")
    elif word.text == "没有" and "不" not in view.after(word.end):
        yield one(word.start, "没有", "有", "contrary", "negation")


_NOT_DENIED = re.compile(
    "(?:不|没|未|无|非|能|会|可以|要|将|应|该|必须|必然|才|就|便|却|也|都|又|还|更|最|曾|已|已经|早已|所|被|使|让|令|把|如何|怎样|怎么|是|的|地|得"
    "|为|为了|来|去|以|而|并|并且|从而|进而|只|仅|开始|逐渐|逐步|不断|继续|努力|积极|往往|常常|大多|主要|全面|彻底|完全|充分|率先|首次|最终|先后"
    "|共同|互相|相互|分别|一直|始终|终于|日益|越来越|，|^)$"
)


@lru_cache(maxsize=1)
def _denied() -> dict[str, str]:
    """Verbs with the words that deny them: 并不 for what is so, 并未 for what came to be so."""
    return {entry[0]: entry[1] for entry in lines("zh", "denied")}


def plain_denials(view: OptionView) -> Iterator[Change]:
    """…需要… becomes …并不需要…, …受到了… becomes …并未受到…, after a subject."""
    for index, word in enumerate(view.words[:-1]):
        denial = _denied().get(word.text)
        if denial is None or index == 0 or view.words[index - 1].tag[0] not in "nrstfjzlim":
            continue
        following = view.words[index + 1]
        if _NOT_DENIED.search(view.text[: word.start]) or following.text[0] in "的地者性化力度，。；、和与及":
            continue
        if not view.free(word.start, word.end) or not stated(view, OptionSpan(word.start, word.end)):
            continue
        if len(view.before(word.start)) < 2 or _inside(view, word, view.after(word.end)):
            continue
        if following.text in ("了", "着", "过"):
            if (following.text == "着") is (denial == "并不"):
                edits = (Edit(word.start, "", denial), Edit(following.start, following.text, ""))
                yield Change(edits, "contrary", "negation")
        elif following.tag[0] != "v" or denial == "并不":
            yield one(word.start, word.text, denial + word.text, "contrary", "negation")


_COPULAS = re.compile(
    "(?P<before>[^，。；不没也]{2,}?)(?P<is>都是|正是|就是|便是|才是|乃是)(?!因为|由于|为了|否|不|说|以|对|在|从)"
)
_DUTIES = re.compile("(?P<duty>应该|应当|必须|需要|应|要|须)(?P<deed>[\u4e00-\u9fff]{2})")
_ALSO_SO = re.compile(
    "(?P<also>也|还|都)(?P<state>适用于|体现|反映|符合|包含|包括|属于|具有|需要|强调|重视|注重|依赖|来自|源于|适合|表明|说明|存在|关注|追求|体现了|反映了)"
)


def copulas(view: OptionView) -> Iterator[Change]:
    """…就是… becomes …并不是…, …应… becomes …不必…, …也具有… becomes …并不具有…"""
    for match in _COPULAS.finditer(view.text):
        at, word = match.start("is"), match["is"]
        rest = view.after(match.end())
        if (
            not view.opens(at)
            or match.end() not in view.edges
            or not stated(view, OptionSpan(at, at))
            or len(rest) < 3
            or rest.endswith("的")
        ):
            continue
        if not re.search("如果|只要|只有|若|一旦", view.text[:at]):
            yield one(at, word, "都不是" if word[0] == "都" else "并不是", "contrary", "negation")
    for match in _DUTIES.finditer(view.text):
        at = match.start("duty")
        index = view.index_of(at)
        verb = view.words[index + 1] if index + 1 < len(view.words) else None
        if not view.opens(at) or view.words[index].text != match["duty"] or not stated(view, OptionSpan(at, at)):
            continue
        if (
            index
            and view.words[index - 1].tag[0] in "nrzj"
            and verb is not None
            and verb.tag[0] in "vp"
            and verb.text not in ("求", "有", "是")
        ):
            yield one(at, match["duty"], "不必", "contrary", "modality")
    for match in _ALSO_SO.finditer(view.text):
        at = match.start("also")
        if (
            view.opens(at)
            and match.start("state") in view.edges
            and stated(view, OptionSpan(at, at))
            and len(view.after(match.end())) > 1
        ):
            denial = "都不" if match["also"] == "都" else "并不"
            yield one(at, match[0], denial + match["state"].rstrip("了"), "contrary", "negation")


_SIZES = {
    one: other
    for pair in ("强弱", "大小", "高低", "多少", "长短", "快慢", "轻重", "早晚", "远近", "深浅", "厚薄", "宽窄")
    for one, other in ((pair[0], pair[1]), (pair[1], pair[0]))
}
_COMPARED_SIZE = re.compile(
    f"(?:比|较|更|要|还)[^，。；]{{0,16}}?(?P<size>[{''.join(_SIZES)}])(?:得多|一些|一点|很多)?(?=[，。；]|$)"
)


def sizes(view: OptionView) -> Iterator[Change]:
    """What is larger is smaller."""
    for match in _COMPARED_SIZE.finditer(view.text):
        at = match.start("size")
        if view.opens(at) and at + 1 in view.edges and not re.search("不|没|越|[的得]$", view.before(at)):
            yield one(at, match["size"], _SIZES[match["size"]], "contrary", "contrary")


_TITLE = re.compile("《[^《》]{1,20}》")


def titles(view: OptionView, passage: str) -> Iterator[Change]:
    """Another work that the passage speaks of elsewhere."""
    found = _TITLE.findall(view.text)
    if len(found) != 1 or found[0] not in passage:
        return
    around = evidence(view.text, passage).around
    if found[0] not in around or view.text[view.text.index(found[0]) + len(found[0]) :].startswith("系"):
        return
    for other in dict.fromkeys(_TITLE.findall(passage)):
        if (
            other not in view.text
            and other not in around
            and other[1:-1] not in found[0]
            and found[0][1:-1] not in other
        ):
            yield one(view.text.index(found[0]), found[0], other, "contrary", "title")
            return


# The whole option denied: what was false is then true, and what was true is false.
# This is the one way to make a false option true without the passage's help. It is plain, so it says how it was made
# and can be left out.

_RULE = re.compile("(?:只要|只有|凡是|凡|所有|任何|一切|每个|每一个|如果|因为|由于|无论|正是|是因为|只|仅)")
_NOT_FIRST = re.compile(
    "(?:因此|所以|但|而|这|它|他|她|其|此|可见|同时|然而|从|不|并非|就|对|据|根据|按|认为|文章|作者|本文|文中|选文|第|在|与|和|为|是|指|主要|最初|起初|曾|已)"
)
_OPINION = re.compile("认为|看法|启示|有人|评论者|观点|以为|应该|可见|可知|应|必须|不正确|不对")
_LAST = re.compile("[。．.！!；;]*$")
_MOST = 75
_FEWEST = 10


def denied(view: OptionView) -> Iterator[Change]:
    """The option as an opinion that does not hold; a rule of one sentence also as 并非 …"""
    text = view.text.strip()
    if text != view.text or not _FEWEST <= len(text) <= _MOST or len(view.sentences) != 1 or _NOT_FIRST.match(text):
        return
    if not has_verb(view, 0, len(text)) or (view.words[0].tag[0] in "vdcpu" and not _RULE.match(text)):
        return
    if _OPINION.search(text) or re.search("[？?：:]", text) or text.count("“") != text.count("”"):
        return
    last = _LAST.search(text)
    end = last.start() if last else len(text)
    if _RULE.match(text) and len(view.clauses) <= 2 and not text.startswith(("如果", "假如", "若", "倘若")):
        yield Change((Edit(0, "", "并非"),), "denied", "denial")
    # what the passage does not say is no less against it than what it denies, so the frame speaks of the passage
    yield Change((Edit(0, "", "认为"), Edit(end, "", "，这种看法不符合文意")), "denied", "denial")


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

# one end of a range says nothing without the other
RANGE = re.compile("[几数至到~～—–-]")

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
_JOINED_BEFORE = re.compile("(?:[并和与及、或而且]|以及|为[^，。；为]{1,4})$")
_MUST = re.compile("必须|应|要|需|得以")


def changes(view: OptionView, passage: str) -> Iterator[Change]:
    """What the strategy can do to an option."""
    for change in _proposed(view, passage):
        if change.meaning != "contrary" or not leant_on(view, change):
            yield change


def leant_on(view: OptionView, change: Change) -> bool:
    """Whether what stands beside a turned word needs it as it was: a conclusion, a contrast, an addition."""
    first, last = change.edits[0], change.edits[-1]
    clause = view.clause_at(first.start)
    rest = view.text[last.end :]
    if _DRAWS_ON.search(rest) or _ALSO.search(rest) or _TURNS.search(view.after(last.end)) or _JOINED.match(rest):
        return True
    if _JOINED_BEFORE.search(view.before(first.start)):
        return True
    if any(edit.new.startswith(("没有", "并没有", "不", "并不", "并未", "无法", "未")) for edit in change.edits) and (
        _MUST.search(view.before(first.start)) or _goes_on(view, clause.end) or _said_again(view, clause)
    ):
        return True
    return bool(_LEANS_ON.match(view.text, clause.start, first.start)) or view.text[first.start - 1 : first.start] in (
        "就",
        "也",
    )


def _said_again(view: OptionView, clause: OptionSpan) -> bool:
    """Whether what a clause ends with is spoken of again: it cannot be denied before it is used."""
    return view.text[max(clause.start, clause.end - 2) : clause.end] in view.text[clause.end :]


def _goes_on(view: OptionView, at: int) -> bool:
    """Whether the next clause begins with a verb: nobody can say if what was denied before it is denied there too."""
    following = next((clause for clause in view.clauses if clause.start >= at), None)
    if following is None or view.text[at : at + 1] in "。；":
        return False
    word = view.words[view.index_of(following.start)]
    return word.tag.startswith("v")


def _proposed(view: OptionView, passage: str) -> Iterator[Change]:
    for change in by_table(view, "quantifiers", "quantifier"):
        if not (change.meaning == "contrary" and change.edits[0].new in WHOLE):
            yield change
    yield from by_table(view, "degrees", "degree")
    yield from by_table(view, "modals", "modality")
    yield from by_opposites(view, "contrary")
    yield from by_synonyms(view, "synonym", "keyword")
    yield from denials(view)
    yield from plain_denials(view)
    yield from copulas(view)
    yield from sizes(view)
    yield from titles(view, passage)
    yield from figures(view, passage)
    yield from restored(view, passage)
    yield from denied(view)


def figures(view: OptionView, passage: str) -> Iterator[Change]:
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
        if RANGE.search(view.text[max(0, number.start - 1) : number.start]) or RANGE.match(view.text[number.end :]):
            continue
        if number.text + number.measure not in evidence(view.text, passage).around:
            continue
        new = another(number, random)
        if abs((parse(new) or 0) - number.value) >= number.value / 4:
            yield one(number.start, number.text, new, "contrary", "number")
