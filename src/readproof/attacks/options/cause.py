"""Cause and effect turned: reversed, denied, cut, purpose for result, or said in other words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from readproof.attacks.options.change import Change, Meaning, in_place, one
from readproof.attacks.options.phrases import has_verb, is_noun_phrase, is_thing
from readproof.attacks.options.tables import by_table
from readproof.attacks.options.view import LETTER, OptionSpan, OptionView
from readproof.items import Edit
from readproof.lang.api import Word

# Verbs of cause: what leads to what, denied, cut, or turned round.

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
_NOT_LED = re.compile("(?:[所由不被未是因来以而的既]|没有|避免|防止)$")
# what goes on from an effect goes on from one that was not there, too
_LED_ON = re.compile("，(?:[使让令并且而]|从而|进而|以致|也|甚至)")
_NOT_PLAIN = re.compile("常常|往往|否则|容易|易$|但|越|使|让|防止|避免|不|没")
_NOT_MADE = re.compile(
    "(?:[不能会要以而将也都才就并即假迫来去更的致促竟行天大特仅但只于应须]|没有|可以|从而|为了|努力|力求)$|防止|避免"
)
_CAUSES = re.compile("(?P<verb>导致|造成|引发|引起|催生|决定|制约)(?:了|着)?")


def links(view: OptionView) -> Iterator[Change]:
    """What can be done to each verb of cause."""
    yield from _leads(view)
    for index, word in enumerate(view.words):
        if view.free(word.start, word.end) and not view.conditional(word.start) and not _conditioned(view, word.start):
            if word.text == "从而":
                yield from _thereby(view, word, view.words[index + 1 : index + 3])
            elif word.text in ("使", "使得") and index + 1 < len(view.words):
                yield from _makes(view, word)
    yield from _reversals(view)


def _conditioned(view: OptionView, at: int) -> bool:
    """Whether the sentence is under a condition, or says its cause already."""
    start = next((sentence.start for sentence in view.sentences if sentence.start <= at < sentence.end), 0)
    return bool(_UNDER_CONDITION.search(view.text, start, at))


def _leads(view: OptionView) -> Iterator[Change]:
    """A导致B becomes A并没有导致B."""
    for match in _LEADS.finditer(view.text):
        at, before = match.start("verb"), match["before"] or ""
        rest = view.after(match.end())
        if before not in _DENIED or not view.opens(at) or view.conditional(at) or _conditioned(view, at):
            continue
        if _LED_ON.match(view.text, view.clause_at(at).end):
            continue
        if len(rest) < 2 or rest[0] == "的" or _NOT_LED.search(view.text[:at]) or _NOT_PLAIN.search(view.before(at)):
            continue
        if re.search("的[\u4e00-\u9fff]{0,8}[是会在使被有要能]", rest):
            continue
        # …，促使人…的方略: the verb is part of a noun phrase
        if before != "，" or not re.search("的[^的]{2,6}$", rest):
            yield in_place(match, _DENIED[before] + match["verb"], "contrary", "denied")


def _thereby(view: OptionView, word: Word, following: tuple[Word, ...]) -> Iterator[Change]:
    """…，从而促进了… becomes …，但并没有促进…"""
    if word.start != view.clause_at(word.start).start or len(following) < 2:
        return
    verb, mark = following
    if verb.tag.startswith("v") and mark.text == "了":
        edits = (Edit(word.start, "从而", "但并没有"), Edit(mark.start, "了", ""))
        yield Change(edits, "contrary", "unlinked")
    elif verb.text in ("使", "使得", "让", "导致"):
        yield one(word.start, "从而", "但并没有", "contrary", "unlinked")


def _makes(view: OptionView, word: Word) -> Iterator[Change]:
    """…使… becomes …并没有使…, after a comma …，却没有使…"""
    clause = view.clause_at(word.start)
    before, rest = view.text[clause.start : word.start], view.text[word.end : clause.end]
    if _NOT_MADE.search(before) or re.search("不|没|的[^的]{2,6}$", rest) or _LED_ON.match(view.text, clause.end):
        return
    new = "却没有使" if not before and word.start else "并没有使" if len(before) >= 4 else ""
    if new:
        edits = [Edit(word.start, word.text, new)]
        if "了" in rest[:-1]:
            edits.append(Edit(word.end + rest.index("了"), "了", ""))
        yield Change(tuple(edits), "contrary", "unlinked")


def _reversals(view: OptionView) -> Iterator[Change]:
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


# Sentences of cause and purpose: their two halves found, and put together otherwise.

_BECAUSE = re.compile(
    f"(?P<word>因为|由于)(?P<cause>{LETTER}{{4,45}})，(?P<so>所以|因此|因而|故而|故)?(?P<effect>{LETTER}{{4,45}})$"
)
_IS_BECAUSE = f"，?(?P<word>是因为|是由于)(?P<cause>{LETTER}{{4,45}})$"
_REASON = re.compile(f"(?P<subject>)(?P<why>之所以)?(?P<effect>{LETTER}{{4,45}}?){_IS_BECAUSE}")
_SUBJECT_REASON = re.compile(f"(?P<subject>{LETTER}{{1,16}}?)(?P<why>之所以)(?P<effect>{LETTER}{{3,45}}?){_IS_BECAUSE}")
_THEREFORE = re.compile(f"，(?:因此|因而|所以|故而)(?P<effect>{LETTER}{{5,60}})$")
_CONCESSION = re.compile(
    f"(?P<word>虽然|尽管|虽)(?P<first>{LETTER}{{4,45}})，(?:但是|但|然而|可是)(?P<second>{LETTER}{{4,60}})$"
)
_PURPOSE = re.compile(f"^为了(?P<purpose>{LETTER}{{4,30}})，(?P<deed>{LETTER}{{6,45}})$")

# a half that leans on the other one cannot go before it
_LEANS = re.compile("它|他|她|其|这|那|此|该|自己|人们|从而|也|还|又|就|便|才|却|而|并|使|则")
_DUTY = re.compile("必须|应|要|我们|需|可以|只")


def causality(view: OptionView) -> Iterator[Change]:
    """What can be done to each sentence of the option as a whole."""
    for sentence in view.sentences:
        yield from _because(view, sentence)
        yield from _reason(view, sentence)
        yield from _therefore(view, sentence)
        yield from _concession(view, sentence)
        yield from _purpose(view, sentence)
        yield from _purposes(view, sentence)
        yield from _loosened(view, sentence)


def _found(pattern: re.Pattern[str], view: OptionView, sentence: OptionSpan) -> re.Match[str] | None:
    """The pattern in the sentence, at its places in the option."""
    return pattern.search(view.text, sentence.start, sentence.end)


def _turned(match: re.Match[str], new: str, meaning: Meaning, detail: str) -> Change:
    return one(match.start(), match[0], new, meaning, detail)


def _because(view: OptionView, sentence: OptionSpan) -> Iterator[Change]:
    """因为A，所以B becomes 因为B，所以A, or A，但这并不是B的原因; it is said as 之所以B，是因为A."""
    match = _found(_BECAUSE, view, sentence)
    if match is None or not view.free(match.start(), match.start("cause")):
        return
    cause, effect, word = match["cause"], match["effect"], match["word"]
    if re.match("[也还又就便才却而并使则从其因由]|.[因由]", effect) or "而导致的" in cause or "越" in effect:
        return
    if re.search("(?:发现|认为|指出|看到|说)$", cause):
        return
    if not has_verb(view, *match.span("cause")) or not has_verb(view, *match.span("effect")):
        return
    plain = re.sub("^(.{0,10}?)[就便才]", r"\1", effect)
    if match.start() == sentence.start:
        yield _turned(match, f"之所以{plain}，是{word}{cause}", "same", "halves")
        if not _LEANS.match(effect) and not is_noun_phrase(view, *match.span("cause"), longest=45):
            yield _turned(match, f"{word}{plain}，所以{cause}", "contrary", "reversed")
        yield _turned(match, f"{cause}，但这并不是{plain}的原因", "contrary", "unlinked")
    elif match["so"]:
        # the subject stands before: S因为A，所以B
        yield _turned(match, f"并不是{word}{cause}，才{plain}", "contrary", "denied")


def _reason(view: OptionView, sentence: OptionSpan) -> Iterator[Change]:
    """之所以B，是因为A becomes 之所以A，是因为B; it is said as 因为A，所以B."""
    match = _SUBJECT_REASON.match(view.text, sentence.start, sentence.end) or _REASON.match(
        view.text, sentence.start, sentence.end
    )
    if match is None or not view.free(*match.span("word")):
        return
    subject, cause, effect = match["subject"], match["cause"], match["effect"]
    if _LEANS.match(effect) or re.search("(?:[这也都正就而恰更还不并非]|主要)$", effect):
        return
    if subject and not is_noun_phrase(view, *match.span("subject")):
        return
    if not re.match("[其它他她该此]", cause):
        yield _turned(match, f"因为{cause}，所以{subject}{effect}", "same", "halves")
    if not _LEANS.match(cause):
        why = "之所以" if match["why"] else ""
        yield _turned(match, f"{subject}{why}{cause}，是因为{effect}", "contrary", "reversed")
    if sentence.start == 0 and not view.text[match.end() :].strip("。．.；; "):
        # the cause is all that the option says: without it the option is denied
        yield one(match.start("word"), match["word"], f"并不{match['word']}", "denied", "denied")


def _therefore(view: OptionView, sentence: OptionSpan) -> Iterator[Change]:
    """A，因此B becomes A，但这并不意味着B."""
    match = _found(_THEREFORE, view, sentence)
    if match is None:
        return
    if re.search("因为|由于|之所以|如果|只要|只有|无论", view.text[sentence.start : match.start()]):
        return
    effect = re.sub("^(.{0,8}?)[就便才]", r"\1", match["effect"])
    first = view.words[view.index_of(match.start("effect"))]
    if first.tag[0] in "vdpac" or re.match("[也还又使而要应可能称被]|我们|必须|.也", effect):
        return
    if not re.search("不|没|无|非|未|难|称|应|必须|得名|叫|提出|开始", effect):
        yield _turned(match, f"，但这并不意味着{effect}", "contrary", "unlinked")


_FOR_THE_SAKE = re.compile(
    f"^(?P<who>{LETTER}{{1,14}}?)之所以(?P<verb>[\u4e00-\u9fff]{{2}})(?P<deed>{LETTER}{{2,30}})，是为了(?P<purpose>{LETTER}{{4,40}})$"
)
_LINKED = re.compile(f"^(?:由于|因为)(?P<cause>{LETTER}{{4,45}})，(?P<effect>{LETTER}{{4,45}})")


def _purposes(view: OptionView, sentence: OptionSpan) -> Iterator[Change]:
    """S之所以A，是为了B becomes 因为SA了，所以B: a link as false as the one before."""
    match = _FOR_THE_SAKE.match(view.text[sentence.start : sentence.end])
    if match is not None and not _LEANS.match(match["purpose"]):
        new = f"因为{match['who']}{match['verb']}了{match['deed']}，所以{match['purpose']}"
        yield one(sentence.start, match[0], new, "another", "halves")


def _loosened(view: OptionView, sentence: OptionSpan) -> Iterator[Change]:
    """由于A，B becomes A，B: what is true with a link is true without it."""
    match = _LINKED.match(view.text[sentence.start : sentence.end])
    if match is not None and not re.match("所以|因此|因而|故", match["effect"]):
        yield one(sentence.start, match[0][:2], "", "weaker", "unlinked")


def _concession(view: OptionView, sentence: OptionSpan) -> Iterator[Change]:
    """虽然A，但B becomes 因为A，所以B."""
    match = _found(_CONCESSION, view, sentence)
    if match is None or match.start() > sentence.start + 14 or not view.free(*match.span("word")):
        return
    second = match["second"]
    if re.search("因为|由于", view.text[sentence.start : sentence.end]) or re.match(
        "[也还又就更总这它他其]|并不", second
    ):
        return
    if not re.search("仍|还是|依然|始终|一直|毕竟|反而", second):
        new = f"因为{match['first']}，所以{second.replace('却', '', 1)}"
        yield _turned(match, new, "contrary", "false cause")


def _purpose(view: OptionView, sentence: OptionSpan) -> Iterator[Change]:
    """为了A，B is said as B，目的是A; B，但并不是为了A denies it."""
    match = _PURPOSE.match(view.text[sentence.start : sentence.end])
    if match is None or _LEANS.match(match["deed"]) or "而" in match["purpose"] or _DUTY.search(match["deed"]):
        return
    for new, meaning, detail in (
        (f"{match['deed']}，目的是{match['purpose']}", "same", "halves"),
        (f"{match['deed']}，但并不是为了{match['purpose']}", "contrary", "purpose"),
    ):
        kind: Meaning = "same" if meaning == "same" else "contrary"
        yield one(sentence.start, match[0], new, kind, detail)


def changes(view: OptionView, passage: str) -> Iterator[Change]:  # noqa: ARG001 - all strategies take it
    """What the strategy can do to an option."""
    for change in by_table(view, "connectives", "connective"):
        yield replace(change, detail="denied") if change.meaning == "contrary" else change
    yield from causality(view)
    yield from links(view)
