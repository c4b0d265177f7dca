"""Verbs of cause: what leads to what, denied, cut, or turned round."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readproof.attacks.options.change import Change, in_place, one
from readproof.attacks.options.phrases import is_thing
from readproof.attacks.options.view import View
from readproof.items import Edit
from readproof.lang.words import Word

_LEADS = re.compile(
    "(?P<before>已经|已|也|就|都|还|又|而|从而|并|可能会?|会|将会?|能够?|容易|必然|，)?"
    "(?P<verb>导致|造成|引起|引发|催生|促使)了?"
)
_DENIED = {
    "": "并没有",
    "已经": "并没有",
    "已": "并未",
    "也": "也没有",
    "会": "不会",
    "将会": "不会",
    "将": "不会",
    "可能会": "不可能",
    "可能": "不可能",
    "能": "不能",
    "能够": "不能",
    "必然": "未必",
    "，": "，但没有",
    "从而": "但没有",
}
_UNDER_CONDITION = re.compile("如果|只要|只有|无论|假如|若|一旦|因为|由于|通过|否则")
_NOT_LED = re.compile("(?:[所由不被未是因来以而的]|没有|避免|防止)$")
_NOT_PLAIN = re.compile("常常|往往|否则|容易|易$|但|越|使|让|防止|避免|不|没")
_NOT_MADE = re.compile(
    "(?:[不能会要以而将也都才就并即假迫来去更的致促竟行天大特仅但只于应须]|没有|可以|从而|为了|努力|力求)$|防止|避免"
)
_CAUSES = re.compile("(?P<verb>导致|造成|引发|引起|催生|决定|制约)(?:了|着)?")


def links(view: View) -> Iterator[Change]:
    """What can be done to each verb of cause."""
    yield from _leads(view)
    for index, word in enumerate(view.words):
        if view.free(word.start, word.end) and not view.conditional(word.start) and not _conditioned(view, word.start):
            if word.text == "从而":
                yield from _thereby(view, word, view.words[index + 1 : index + 3])
            elif word.text in ("使", "使得") and index + 1 < len(view.words):
                yield from _makes(view, word)
    yield from _reversals(view)


def _conditioned(view: View, at: int) -> bool:
    """Whether the sentence is under a condition, or says its cause already."""
    start = next((sentence.start for sentence in view.sentences if sentence.start <= at < sentence.end), 0)
    return bool(_UNDER_CONDITION.search(view.text, start, at))


def _leads(view: View) -> Iterator[Change]:
    """A导致B becomes A并没有导致B."""
    for match in _LEADS.finditer(view.text):
        at, before = match.start("verb"), match["before"] or ""
        rest = view.after(match.end())
        if before not in _DENIED or not view.opens(at) or view.conditional(at) or _conditioned(view, at):
            continue
        if len(rest) < 2 or rest[0] == "的" or _NOT_LED.search(view.text[:at]) or _NOT_PLAIN.search(view.before(at)):
            continue
        if re.search("的[\u4e00-\u9fff]{0,8}[是会在使被有要能]", rest):
            continue
        # …，促使人…的方略: the verb is part of a noun phrase
        if before != "，" or not re.search("的[^的]{2,6}$", rest):
            yield in_place(match, _DENIED[before] + match["verb"], "contrary", "denied")


def _thereby(view: View, word: Word, following: tuple[Word, ...]) -> Iterator[Change]:
    """…，从而促进了… becomes …，但并没有促进…"""
    if word.start != view.clause_at(word.start).start or len(following) < 2:
        return
    verb, mark = following
    if verb.tag.startswith("v") and mark.text == "了":
        edits = (Edit(word.start, "从而", "但并没有"), Edit(mark.start, "了", ""))
        yield Change(edits, "contrary", "unlinked")
    elif verb.text in ("使", "使得", "让", "导致"):
        yield one(word.start, "从而", "但并没有", "contrary", "unlinked")


def _makes(view: View, word: Word) -> Iterator[Change]:
    """…使… becomes …并没有使…, after a comma …，却没有使…"""
    clause = view.clause_at(word.start)
    before, rest = view.text[clause.start : word.start], view.text[word.end : clause.end]
    if _NOT_MADE.search(before) or re.search("不|没|的[^的]{2,6}$", rest):
        return
    new = "却没有使" if not before and word.start else "并没有使" if len(before) >= 4 else ""
    if new:
        edits = [Edit(word.start, word.text, new)]
        if "了" in rest[:-1]:
            edits.append(Edit(word.end + rest.index("了"), "了", ""))
        yield Change(tuple(edits), "contrary", "unlinked")


def _reversals(view: View) -> Iterator[Change]:
    """A导致B becomes B导致A; it is said as B是由A导致的."""
    for clause in view.clauses:
        text = view.text[clause.start : clause.end]
        for match in _CAUSES.finditer(text):
            start, end = clause.start + match.start(), clause.start + match.end()
            if (
                not view.whole(start, end)
                or not is_thing(view, clause.start, start)
                or not is_thing(view, end, clause.end)
            ):
                continue
            first, second = view.text[clause.start : start], view.text[end : clause.end]
            yield one(clause.start, text, f"{second}{match[0]}{first}", "contrary", "reversed")
            if match["verb"] not in ("决定", "制约"):
                yield one(clause.start, text, f"{second}是由{first}{match['verb']}的", "same", "passive")
