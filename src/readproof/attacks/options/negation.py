"""A clause says yes where it said no, or no where it said yes: verbs with 了, the copula, having and lacking."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readproof.attacks.options.change import Change, one
from readproof.attacks.options.tables import stated
from readproof.attacks.options.view import Span, View
from readproof.items import Edit
from readproof.lang.words import Word

# adverbs and conjunctions after which a verb is not denied by a plain 没有
_BARRED_BEFORE = re.compile(
    "(?:多处|多次|从而|进而|并且|并|而|且|终于|就|便|才|又|还|更|再|不仅|不但|不只|既|却|一旦|只|仅|曾|曾经|已|已经|早已|逐渐|渐渐|开始|最终|大大|"
    "极大地|深深|日益|地|得|所|被|，|^|首先|首次|第一次|率先|先后|分别|正|刚|能|会|可以|必然|必须|使|让|令|将|后|时|以|来|去|因而|因此|于是|是|为)$"
)
_VERB = re.compile("[\u4e00-\u9fff]{2,}")
_RESULT = re.compile("(?:为|成|作|除|完|出|起|到|过|上|下|住|好|掉|透|满|遍)$")
_COPULA_BEFORE = re.compile(
    "(?:不|只|仅|还|若|如|但|或|而|正|便|即|倒|却|可|总|凡|于|既|更|又|尤其|特别|无论|不论|不管|的|就|这就|也就|并|，|^|才|要|其实|都|都|像|"
    "与其说|不如说|或者|乃|恰恰|往往|大多|如果|已经|已|已经不|主要|一般|曾|曾经|当|因为|由于|认为|指出|本|先|再|为|所以|因此|虽然|尽管|地|来说|说|看|表明|说明|均|皆|实|称得上|算得上|可谓|可说|可以说|看作|当作|看成|视作|视为|当成)$"
)
_COPULA_AFTER = re.compile("(?:否|因为|由于|为了|不|没|非|说|否|以|对|在|从|由|怎|如何|什么|为|经|出于|故)")


def denials(view: View) -> Iterator[Change]:
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


def _without(view: View, index: int) -> Iterator[Change]:
    """…促进了… becomes …没有促进…"""
    if not 0 < index < len(view.words) - 1:
        return
    verb, mark = view.words[index - 1], view.words[index]
    if not verb.tag.startswith("v") or not _VERB.fullmatch(verb.text) or _RESULT.search(verb.text):
        return
    rest = view.after(mark.end)
    if re.search("[将把被使让令用以对为由在才向]", view.before(verb.start)) or not stated(
        view, Span(verb.start, verb.end)
    ):
        return
    if len(rest) < 2 or _BARRED_BEFORE.search(view.text[: verb.start]) or _inside(view, mark, rest):
        return
    yield Change((Edit(verb.start, "", "并没有"), Edit(mark.start, "了", "")), "contrary", "negation")


def _inside(view: View, mark: Word, rest: str) -> bool:
    """Whether the verb belongs to a noun that follows: 保留了原貌的建筑受到…"""
    last = rest.rfind("的")
    if last < 0:
        return False
    tail = [word for word in view.words if mark.end + last < word.start < mark.end + len(rest)]
    return any(word.tag[0] in "vpdr" for word in tail[:-1])


def _copula(view: View, word: Word) -> Iterator[Change]:
    """…是… becomes …并不是…"""
    before, after = view.text[: word.start], view.text[word.end :]
    clause = view.text[view.clause_at(word.start).start : view.clause_at(word.start).end]
    if _COPULA_BEFORE.search(before) or _COPULA_AFTER.match(after) or clause.count("是") > 1 or "而" in after[:30]:
        return
    if not stated(view, Span(word.start, word.end)):
        return
    rest = view.after(word.end)
    if rest.endswith("的") and any(part.tag[0] in "vda" for part in view.words[view.index_of(word.end) :][:1]):
        return
    if len(view.after(word.end)) < 2 or len(view.before(word.start)) < 2:
        return
    yield one(word.start, "是", "不是" if before.endswith("也") else "并不是", "contrary", "negation")


def _having(view: View, index: int) -> Iterator[Change]:
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
    if not stated(view, Span(word.start, word.end)):
        return
    if word.text == "有" and "没有" not in view.text:
        yield one(word.start, "有", "没有", "contrary", "negation")
    elif word.text == "没有" and "不" not in view.after(word.end):
        yield one(word.start, "没有", "有", "contrary", "negation")
