"""Reasoning in pairs of words: conditions, contrasts, what is added to what, and what is more than what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readproof.attacks.options.change import Change, in_place, one
from readproof.attacks.options.evidence import evidence
from readproof.attacks.options.phrases import has_verb, is_thing
from readproof.attacks.options.view import LETTER, View
from readproof.items import Edit

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


def conditions(view: View, passage: str) -> Iterator[Change]:
    """Necessary for sufficient, and back; where the passage has the other one, the option was false by it."""
    found = evidence(view.text, passage)
    sentence = found.sentence if found.share >= _CLOSE else ""
    for match in _ONLY.finditer(view.text):
        start, end = match.start("first"), match.start("first") + len(match["first"].split("，")[0])
        if _stands(view, match) and has_verb(view, start, end) and not is_thing(view, start, end):
            edits = _two(match, "只要", "就" + match["then"][1:])
            yield Change(edits, "contrary", "deduction")
            if "只要" in sentence and "只有" not in found.around:
                yield Change(edits, "mended", "deduction")
            yield Change(_two(match, "唯有" if match["if"] == "只有" else "只有", match["then"]), "same", "deduction")
            if match["then"].startswith("才能"):
                yield Change(_two(match, "必须", match["then"]), "same", "deduction")
    for match in _WHENEVER.finditer(view.text):
        if _stands(view, match):
            edits = _two(match, "只有", _then_only(match["then"]))
            yield Change(edits, "contrary", "deduction")
            if "只有" in sentence and "只要" not in found.around:
                yield Change(edits, "mended", "deduction")
            yield Change(_two(match, "但凡", match["then"]), "same", "deduction")
            if match.start() == 0 and len(match["then"]) > 1 and "，" not in view.text[match.end() :]:
                then = "也未必" + match["then"][1:].replace("一定", "").replace("必然", "")
                yield Change(_two(match, "即使", then), "denied", "deduction")
    yield from _hypotheses(view)


def _hypotheses(view: View) -> Iterator[Change]:
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


def _stands(view: View, match: re.Match[str]) -> bool:
    return view.opens(match.start()) and view.opens(match.start("then"))


def _two(match: re.Match[str], first: str, then: str) -> tuple[Edit, ...]:
    edits = [Edit(match.start("if"), match["if"], first), Edit(match.start("then"), match["then"], then)]
    return tuple(edit for edit in edits if edit.old != edit.new)


def contrasts(view: View) -> Iterator[Change]:
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


def progressions(view: View) -> Iterator[Change]:
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


def comparisons(view: View) -> Iterator[Change]:
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


def _two_things(view: View, match: re.Match[str]) -> bool:
    return is_thing(view, *match.span("first")) and is_thing(view, *match.span("second"))
