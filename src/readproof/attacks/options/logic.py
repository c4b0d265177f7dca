"""The reasoning of an option turned: conditions, induction, comparison, premises, who does what to whom.

Deduction: 只有…才 and 只要…就, a condition and what follows from it, a premise dropped. Induction: a part becomes the
whole, one of several the only one. Agents: who says or does it; two sides of a relation change places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from readproof.attacks.options.change import Change, in_place, one
from readproof.attacks.options.passage import evidence, sentences
from readproof.attacks.options.phrases import has_verb, is_noun_phrase, is_thing
from readproof.attacks.options.premises import inductions, premises
from readproof.attacks.options.restating import bonds, stands_alone
from readproof.attacks.options.tables import by_synonyms
from readproof.attacks.options.view import LETTER, OptionSpan, OptionView, view_of
from readproof.items import Edit
from readproof.lang.api import Word
from readproof.lang.zh.entities import entities
from readproof.lang.zh.words import words

# The same said from the other side: 为人们所接受 as 被人们接受, 对X进行分析 as 分析X, 在他看来 as 他认为.

_BY = re.compile(
    "为(?P<who>[^，。；为所]{1,8})所"
    "(?P<verb>接受|认可|推崇|重视|忽视|熟知|熟悉|喜爱|关注|利用|取代|称道|诟病|理解|知晓|承认|采用|吸收|尊崇)"
)
_RECEIVES = re.compile(
    "(?:受到|得到)了?(?P<who>[^，。；的受得]{1,10})的"
    "(?P<verb>认可|关注|重视|推崇|追捧|质疑|批评|接受|承认|喜爱|欢迎|赏识)(?=[，。；和、]|$)"
)
_CARRIES_OUT = re.compile(
    "对(?P<what>[^，。；对]{2,14})进行了?"
    "(?P<verb>分析|研究|阐释|改造|改编|解读|评价|比较|整理|批判|保护|开发|监督|管理|反思|阐述|描写)(?=[，。；]|$)"
)
_SEES = re.compile("(?:(?<=[，。；])|^)在(?P<who>[^，。；在]{2,10})看来，")
_THINKS = re.compile("^(?P<who>[^，。；：“”]{2,8})认为，?(?=[^，。；：“”的])")
_TAKES_AS = re.compile("看作|看成|当作|视为|作为|置于|放在|变成|转化为|融入|称为|分为|运用到|结合|当成|变为|归结为")


def voices(view: OptionView) -> Iterator[Change]:
    """Active for passive, a verb for its noun, an opinion for its holder."""
    for pattern in (_BY, _RECEIVES):
        for match in pattern.finditer(view.text):
            if view.opens(match.start()) and match.end() in view.edges:
                yield in_place(match, f"被{match['who']}{match['verb']}", "same", "voice")
    for match in _CARRIES_OUT.finditer(view.text):
        if view.opens(match.start()) and is_noun_phrase(view, *match.span("what")):
            yield in_place(match, f"{match['verb']}{match['what']}", "same", "voice")
    for match in _SEES.finditer(view.text):
        if view.opens(match.start()):
            yield in_place(match, f"{match['who']}认为，", "same", "voice")
    for match in _THINKS.finditer(view.text):
        if is_noun_phrase(view, *match.span("who")):
            yield in_place(match, f"在{match['who']}看来，", "same", "voice")
    for word, following in pairwise(view.words):
        if word.text not in ("把", "将") or word.tag != "p" or following.tag[0] == "v":
            continue
        if view.free(word.start, word.end) and _TAKES_AS.search(view.after(word.end)):
            yield one(word.start, word.text, "将" if word.text == "把" else "把", "same", "voice")


# Who does what to whom: two sides of a relation change places, or someone else says it.

_RELATION = re.compile(
    "(?:都|均|也|往往|常常|直接|主要|从根本上|归根结底|归根到底|最终)?"
    "(?:取决于|依赖于|服务于|从属于|来源于|源于|高于|优于|大于|重于|先于|早于|晚于|包括|包含|属于|影响着?|决定着?"
    "|制约着?|支配着?|推动了?|促进了?|代替了?|取代了?|借鉴了?|吸收了?|继承了?|胜过|不如|离不开|孕育了?|催生了?)"
)
_PREMISE = re.compile(
    f"^(?P<first>{LETTER}{{2,18}}?)是(?P<second>{LETTER}{{2,20}}?)(?P<of>的(?:重要|根本|必要|首要|主要|必备|关键|直接|基本)?"
    "(?:前提|基础|条件|保证|根源|原因|源泉|来源|关键|目的|产物|结果|前提条件|必要条件|先决条件|出发点|一种|一部分|组成部分|"
    "表现形式|象征|载体|手段|工具|反映|延续|核心|灵魂|集中体现))$"
)
_EFFECT = re.compile(
    f"(?P<first>{LETTER}{{2,16}}?)(?P<on>对)(?P<second>{LETTER}{{2,16}}?)(?P<rest>(?:有着?|具有|产生了?|造成了?|起到?了?|发挥了?|的)"
    "[^，。；对]{0,12}(?:影响|作用|冲击|制约|意义|启发))"
)
_ACTS = "认为|指出|提出|主张|强调|说[：，“过]|写|曾|在《|的《|创作|批评"
_SAYS = re.compile("认为|指出|提出|主张|强调|说|写|创作|发现|发明|提倡|批评|反对|创立|撰|著|编|论述|阐述|评价|赞")


def relations(view: OptionView) -> Iterator[Change]:
    """A取决于B becomes B取决于A; A是B的前提 becomes B是A的前提; A对B有影响 becomes B对A有影响."""
    for clause in view.clauses:
        text = view.text[clause.start : clause.end]
        match = _PREMISE.match(text)
        if match and all(
            is_thing(view, clause.start + start, clause.start + end)
            for start, end in (match.span("first"), match.span("second"))
        ):
            yield one(clause.start, text, f"{match['second']}是{match['first']}{match['of']}", "contrary", "deduction")
        for found in _RELATION.finditer(text):
            start, end = clause.start + found.start(), clause.start + found.end()
            if view.whole(start, end) and is_thing(view, clause.start, start) and is_thing(view, end, clause.end):
                new = f"{view.text[end : clause.end]}{found[0]}{view.text[clause.start : start]}"
                yield one(clause.start, text, new, "contrary", "agent")
    for match in _EFFECT.finditer(view.text):
        first, second = match.span("first"), match.span("second")
        if view.clause_at(first[0]).start != first[0] or not view.opens(match.start("on")):
            continue
        if is_thing(view, *first) and is_thing(view, *second):
            new = f"{match['second']}对{match['first']}{match['rest']}"
            yield in_place(match, new, "contrary", "agent")
    yield from _sides(view)


def _sides(view: OptionView) -> Iterator[Change]:
    """前者 and 后者 change places."""
    text = view.text
    if text.count("前者") == 1 and text.count("后者") == 1:
        edits = [Edit(text.index("前者"), "前者", "后者"), Edit(text.index("后者"), "后者", "前者")]
        if all(view.free(edit.start, edit.end) for edit in edits):
            yield Change(tuple(sorted(edits, key=lambda edit: edit.start)), "contrary", "agent")


def agents(view: OptionView, passage: str) -> Iterator[Change]:
    """Someone else of the passage says or does it."""
    people = [entity for entity in entities(view.text) if entity.kind == "person" and _is_name(entity.text)]
    if not people or not passage:
        return
    around, known = evidence(view.text, passage).around, _names(passage)
    for person in people:
        if person.text not in known or view.text.count(person.text) != 1 or not view.whole(person.start, person.end):
            continue
        if not view.free(person.start, person.end) or re.search("[、和与及]$", view.text[: person.start]):
            continue
        if (
            not (_SAYS.search(view.after(person.end)) or person.start == 0)
            or view.text[person.end : person.end + 1] in "、和与及等的"
        ):
            continue
        for name in known:
            if name not in view.text and name not in around and name[0] != person.text[0]:
                yield one(person.start, person.text, name, "contrary", "agent")
                break


def subjects(view: OptionView, passage: str) -> Iterator[Change]:
    """Something else of its kind, of which the passage speaks too: 江南文化 for 北方文化."""
    own = _leading(view)
    if own is None or not passage.count(view.text[own.start : own.end]):
        return
    text, last = view.text[own.start : own.end], view.words[view.index_of(own.end) - 1]
    around = evidence(view.text, passage).around
    if text not in around:
        return
    for other, head in leading_things(passage):
        alike = head.text == last.text or (head.tag == last.tag and head.tag in ("nr", "nrt", "nrfg", "ns", "nt", "nz"))
        if alike and other not in view.text and other not in around and other not in text and text not in other:
            yield one(own.start, text, other, "contrary", "subject")
            return


def _leading(view: OptionView) -> OptionSpan | None:
    """The noun phrase that an option begins with, where a verb, an adverb or 是 follows it."""
    for at, word in enumerate(view.words):
        if word.tag[0] in "vdp" or word.text in ("是", "有", "的确", "在"):
            return (
                OptionSpan(0, word.start) if at and is_thing(view, 0, word.start) and view.free(0, word.start) else None
            )
        if word.text in "，。；、" or word.start > 14:
            return None
    return None


@lru_cache(maxsize=256)
def leading_things(passage: str) -> tuple[tuple[str, Word], ...]:
    """The noun phrases that sentences of a passage begin with, said at least twice; each with its last word."""
    found: dict[str, Word] = {}
    for sentence, _ in sentences(passage):
        view = view_of(sentence[:40])
        span = _leading(view)
        if span is not None and span.end > 1:
            text = view.text[: span.end]
            if passage.count(text) > 1:
                found.setdefault(text, view.words[view.index_of(span.end) - 1])
    return tuple(found.items())


@lru_cache(maxsize=256)
def _names(passage: str) -> tuple[str, ...]:
    """The people of a passage who say or do something there."""
    found = sorted({entity.text for entity in entities(passage) if entity.kind == "person"})
    return tuple(name for name in found if _is_name(name) and re.search(f"{re.escape(name)}(?:{_ACTS})", passage))


@lru_cache(maxsize=1 << 12)
def _is_name(name: str) -> bool:
    """Whether the dictionary knows it for a person's name, or it is spelt as a foreign one."""
    if "·" in name:
        return True
    parts = words(name)
    return len(parts) == 1 and parts[0].tag.startswith("nr") and 2 <= len(name) <= 4


# Reasoning in pairs of words: conditions, contrasts, what is added to what, and what is more than what.

_END = "(?=[，。；]|$)"
_FIRST = f"(?P<first>{LETTER}{{2,40}}?，?(?:{LETTER}{{0,12}}?))"
_ONLY = re.compile(f"(?P<if>只有|唯有|惟有){_FIRST}(?P<then>才能够?|才会|才可能|才可以|才)")
_WHENEVER = re.compile(f"(?P<if>只要){_FIRST}(?P<then>就能够?|就会|就可以|就一定|就必然|便能|便会|就|便)")
_IF = re.compile(
    f"(?P<if>如果|假如|倘若|若|要是)(?P<first>{LETTER}{{3,40}}，)(?P<so>那么，?)?(?P<who>{LETTER}{{0,12}}?)"
    "(?P<then>就能够?|就会|就可以|就可能|便能|便会|就|便|则会|则)"
)
_NOT_BUT = re.compile(
    f"(?P<not>并不是|并非|不是)(?P<first>{LETTER}{{2,30}}?)(?P<comma>，?)而是(?P<second>{LETTER}{{2,40}}){_END}"
)
_BUT_NOT = re.compile(
    f"是(?P<second>{LETTER}{{2,30}}?)(?P<comma>，?)(?P<not>而不是|而非)(?P<first>{LETTER}{{2,40}}){_END}"
)
_RATHER = re.compile(
    f"与其说(?P<is>是)?(?P<first>{LETTER}{{2,30}}?)，?不如说(?P<is2>是)?(?P<second>{LETTER}{{2,40}}){_END}"
)
_PREDICATE = "是|有|能够?|会|要|可以|强调|体现|反映|包括|包含|关注|注重|重视|表现|追求|需要|具有|在于|涉及"
_NOT_ONLY = re.compile(
    f"(?:不仅|不但|不只|不单)(?P<verb>{_PREDICATE})(?P<first>{LETTER}{{2,30}})，"
    f"(?:而且还?|并且还?|还|也|更)(?P=verb)(?P<second>{LETTER}{{2,40}}){_END}"
)
_BOTH = re.compile(
    f"既(?P<verb>{_PREDICATE})(?P<first>{LETTER}{{2,30}}?)，?(?:又|也|还)(?P=verb)(?P<second>{LETTER}{{2,40}}){_END}"
)
_DENIED = {"是": "不是", "有": "没有", "能": "不能", "能够": "不能", "会": "不会", "要": "不必", "可以": "不能"}
_MORE = f"(?P<more>更加?|更为|更能|更容易|还要?|要)(?P<rest>{LETTER}{{1,30}})"
_THAN = re.compile(f"(?P<first>{LETTER}{{2,16}})比(?P<second>{LETTER}{{2,16}}?){_MORE}")
_COMPARED = re.compile(
    f"(?P<with>[与和同跟])(?P<second>{LETTER}{{2,16}}?)(?P<than>相比较?|比较起来|比起来)，(?P<first>{LETTER}{{2,16}}?){_MORE}"
)
# an option must share so much with a sentence of the passage that its condition can be set right by it
_CLOSE = 0.4


def conditions(view: OptionView, passage: str) -> Iterator[Change]:
    """Necessary for sufficient, and back; where the passage has the other one, the option was false by it."""
    found = evidence(view.text, passage)
    sentence = found.sentence if found.share >= _CLOSE else ""
    for match in _ONLY.finditer(view.text):
        start, end = match.start("first"), match.start("first") + len(match["first"].split("，")[0])
        if _stands(view, match) and has_verb(view, start, end) and not is_thing(view, start, end):
            edits = _two(match, "只要", "就" + match["then"][1:])
            yield Change(edits, "contrary", "deduction")
            if "只要" in sentence and "只有" not in found.around:
                yield Change(edits, "restored", "deduction")
            yield Change(_two(match, "唯有" if match["if"] == "只有" else "只有", match["then"]), "same", "deduction")
            if match["then"].startswith("才能"):
                yield Change(_two(match, "必须", match["then"]), "same", "deduction")
    for match in _WHENEVER.finditer(view.text):
        if _stands(view, match):
            edits = _two(match, "只有", _then_only(match["then"]))
            yield Change(edits, "contrary", "deduction")
            if "只有" in sentence and "只要" not in found.around:
                yield Change(edits, "restored", "deduction")
            yield Change(_two(match, "但凡", match["then"]), "same", "deduction")
            if match.start() == 0 and len(match["then"]) > 1 and "，" not in view.text[match.end() :]:
                then = "也未必" + match["then"][1:].replace("一定", "").replace("必然", "")
                yield Change(_two(match, "即使", then), "denied", "deduction")
    yield from _hypotheses(view)


def _hypotheses(view: OptionView) -> Iterator[Change]:
    """如果A，就B becomes 只有A，才B."""
    for match in _IF.finditer(view.text):
        if not _stands(view, match):
            continue
        if re.search("不|没|无|缺|失去|离开|脱离", match["first"]) or re.match("不|没|无|难", view.text[match.end() :]):
            continue
        edits = [Edit(match.start("if"), match["if"], "只有")]
        if match["so"]:
            edits.append(Edit(match.start("so"), match["so"], ""))
        edits.append(Edit(match.start("then"), match["then"], _then_only(match["then"])))
        yield Change(tuple(edits), "contrary", "deduction")


def _then_only(then: str) -> str:
    return "才" + then[1:].replace("一定", "").replace("必然", "")


def _stands(view: OptionView, match: re.Match[str]) -> bool:
    return view.opens(match.start()) and view.opens(match.start("then"))


def _two(match: re.Match[str], first: str, then: str) -> tuple[Edit, ...]:
    edits = [Edit(match.start("if"), match["if"], first), Edit(match.start("then"), match["then"], then)]
    return tuple(edit for edit in edits if edit.old != edit.new)


def contrasts(view: OptionView) -> Iterator[Change]:
    """不是A，而是B becomes 不是B，而是A, or is said as 是B，而不是A."""
    for match in _NOT_BUT.finditer(view.text):
        first, second, comma = match["first"], match["second"], match["comma"]
        if not view.opens(match.start()) or re.search("[要都也]$", view.text[: match.start()]):
            continue
        if re.match("就是|只|仅|单|因", first) or re.match("就是|也", second):
            continue
        yield in_place(match, f"{match['not']}{second}{comma}而是{first}", "contrary", "contrast")
        yield in_place(match, f"是{second}{comma}而不是{first}", "same", "contrast")
    for match in _BUT_NOT.finditer(view.text):
        first, second, comma = match["first"], match["second"], match["comma"]
        if not view.opens(match.start()) or not view.opens(match.start("not")):
            continue
        if re.search("[不但也都就正只还更又要如像或若既]$", view.text[: match.start()]):
            continue
        yield in_place(match, f"是{first}{comma}{match['not']}{second}", "contrary", "contrast")
        yield in_place(match, f"不是{first}，而是{second}", "same", "contrast")
    for match in _RATHER.finditer(view.text):
        if view.opens(match.start()):
            new = f"与其说{match['is'] or ''}{match['second']}，不如说{match['is2'] or ''}{match['first']}"
            yield in_place(match, new, "contrary", "contrast")


def progressions(view: OptionView) -> Iterator[Change]:
    """不仅A，而且B and 既A，又B: one of the two denied, or both said with the other pair of words."""
    for match in _NOT_ONLY.finditer(view.text):
        if view.opens(match.start()):
            verb, first, second = match["verb"], match["first"], match["second"]
            yield in_place(match, f"{_denied(verb)}{first}，只{verb}{second}", "contrary", "progression")
            if match.start() and view.text[match.start() - 1] not in "，。；":
                yield in_place(match, f"既{verb}{first}，也{verb}{second}", "same", "progression")
    for match in _BOTH.finditer(view.text):
        if view.opens(match.start()):
            verb, first, second = match["verb"], match["first"], match["second"]
            yield in_place(match, f"{verb}{first}，但{_denied(verb)}{second}", "contrary", "progression")
            yield in_place(match, f"不仅{verb}{first}，而且{verb}{second}", "same", "progression")


def _denied(verb: str) -> str:
    return _DENIED.get(verb, f"不{verb}")


def comparisons(view: OptionView) -> Iterator[Change]:
    """A比B更… becomes B比A更…, or is said as 与B相比，A更…"""
    for match in _THAN.finditer(view.text):
        start, end = match.span("first")
        if view.clause_at(start).start != start or not _two_things(view, match):
            continue
        first, second, tail = view.text[start:end], match["second"], match["more"] + match["rest"]
        whole = view.text[start : match.end()]
        yield one(start, whole, f"{second}比{first}{tail}", "contrary", "comparison")
        yield one(start, whole, f"与{second}相比，{first}{tail}", "same", "comparison")
    for match in _COMPARED.finditer(view.text):
        if view.opens(match.start()) and _two_things(view, match):
            tail = match["more"] + match["rest"]
            new = f"{match['with']}{match['first']}{match['than']}，{match['second']}{tail}"
            yield in_place(match, new, "contrary", "comparison")


def _two_things(view: OptionView, match: re.Match[str]) -> bool:
    return is_thing(view, *match.span("first")) and is_thing(view, *match.span("second"))


# what is concluded from the clause before, in the last clause of an option
_CONCLUDES = re.compile(
    "，(?P<it>这(?:也|就|正|都|恰恰)?|由此(?:也)?|也|充分|正|都|从而)?"
    "(?P<verb>说明|表明|证明|体现|反映|标志着|意味着|显示|印证|象征着|带来|促进|推动|增强|提高|改变|丰富)(?P<done>了)?"
    f"(?P<what>{LETTER}{{4,40}})[。．；]?$"
)
_IT_IS = re.compile(f"，这(?:也|就|正)?是(?P<what>{LETTER}{{4,40}})[。．；]?$")
_NOT_CONCLUDED = re.compile(
    "如果|只要|只有|无论|不论|若|一旦|即使|尽管|虽然|因为|由于|之所以|为了|[但却]|应|必须|认为|看来|来说|来讲|角度"
)
# what an event does, and not what a fact shows: only 促进了 is told of it
_DOES = ("带来", "促进", "推动", "增强", "提高", "改变", "丰富")
_STATES = ("说明", "表明", "证明", "意味着", "显示", "印证")


def conclusions(view: OptionView) -> Iterator[Change]:
    """A，这说明B becomes A，但这并不能说明B: the passage gives the reason, and it is denied."""
    match = _CONCLUDES.search(view.text) or _IT_IS.search(view.text)
    if match is None or len(view.sentences) != 1 or _NOT_CONCLUDED.search(view.text, 0, match.start()):
        return
    if re.match("因为|由于|为了|不|没|什么|怎", match["what"]) or not view.opens(match.start() + 1):
        return
    what, premise = match["what"].rstrip("。．；"), view.text[: match.start()]
    if not stands_alone(premise):
        return
    if match.re is _IT_IS:
        new = f"，但这并不是{what}"
    else:
        verb = match["verb"]
        if not view.whole(*match.span("verb")) or (verb in _DOES and not match["done"]):
            return
        this = "这" if (match["it"] or "").startswith("这") else ""
        new = f"，但{this}并不能{verb}{what}" if verb in _STATES else f"，但{this}并没有{verb.removesuffix('着')}{what}"
    yield one(match.start(), match[0].rstrip("。．；"), new, "contrary", "conclusion")


def changes(view: OptionView, passage: str) -> Iterator[Change]:
    """What the strategy can do to an option."""
    yield from conclusions(view)
    yield from conditions(view, passage)
    yield from contrasts(view)
    yield from progressions(view)
    yield from comparisons(view)
    yield from premises(view)
    yield from bonds(view, passage)
    yield from inductions(view)
    yield from relations(view)
    yield from agents(view, passage)
    yield from subjects(view, passage)
    yield from voices(view)
    yield from by_synonyms(view, "connective", "logic")
