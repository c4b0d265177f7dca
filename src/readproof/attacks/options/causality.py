"""Sentences of cause and purpose: their two halves found, and put together otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from readproof.attacks.options.change import Change, Meaning, one
from readproof.attacks.options.phrases import has_verb, is_noun_phrase
from readproof.attacks.options.view import LETTER, Span, View

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


def causality(view: View) -> Iterator[Change]:
    """What can be done to each sentence of the option as a whole."""
    for sentence in view.sentences:
        yield from _because(view, sentence)
        yield from _reason(view, sentence)
        yield from _therefore(view, sentence)
        yield from _concession(view, sentence)
        yield from _purpose(view, sentence)


def _found(pattern: re.Pattern[str], view: View, sentence: Span) -> re.Match[str] | None:
    """The pattern in the sentence, at its places in the option."""
    return pattern.search(view.text, sentence.start, sentence.end)


def _turned(match: re.Match[str], new: str, meaning: Meaning, detail: str) -> Change:
    return one(match.start(), match[0], new, meaning, detail)


def _because(view: View, sentence: Span) -> Iterator[Change]:
    """因为A，所以B becomes 因为B，所以A, or A，但这并不是B的原因; it is said as 之所以B，是因为A."""
    match = _found(_BECAUSE, view, sentence)
    if match is None or not view.free(match.start(), match.start("cause")):
        return
    cause, effect, word = match["cause"], match["effect"], match["word"]
    if re.match("[也还又就便才却而并使则从其因由]|.[因由]", effect) or "而导致的" in cause or "越" in effect:
        return
    if not has_verb(view, *match.span("cause")) or not has_verb(view, *match.span("effect")):
        return
    plain = re.sub("^(.{0,10}?)[就便才]", r"\1", effect)
    if match.start() == sentence.start:
        yield _turned(match, f"之所以{plain}，是{word}{cause}", "same", "order")
        if not _LEANS.match(effect) and not is_noun_phrase(view, *match.span("cause"), longest=45):
            yield _turned(match, f"{word}{plain}，所以{cause}", "contrary", "reversed")
        yield _turned(match, f"{cause}，但这并不是{plain}的原因", "contrary", "unlinked")
    elif match["so"]:
        # the subject stands before: S因为A，所以B
        yield _turned(match, f"并不是{word}{cause}，才{plain}", "contrary", "denied")


def _reason(view: View, sentence: Span) -> Iterator[Change]:
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
        yield _turned(match, f"因为{cause}，所以{subject}{effect}", "same", "order")
    if not _LEANS.match(cause):
        why = "之所以" if match["why"] else ""
        yield _turned(match, f"{subject}{why}{cause}，是因为{effect}", "contrary", "reversed")
    if sentence.start == 0 and not view.text[match.end() :].strip("。．.；; "):
        # the cause is all that the option says: without it the option is denied
        yield one(match.start("word"), match["word"], f"并不{match['word']}", "denied", "denied")


def _therefore(view: View, sentence: Span) -> Iterator[Change]:
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


def _concession(view: View, sentence: Span) -> Iterator[Change]:
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


def _purpose(view: View, sentence: Span) -> Iterator[Change]:
    """为了A，B is said as B，目的是A; B，但并不是为了A denies it."""
    match = _PURPOSE.match(view.text[sentence.start : sentence.end])
    if match is None or _LEANS.match(match["deed"]) or "而" in match["purpose"] or _DUTY.search(match["deed"]):
        return
    for new, meaning, detail in (
        (f"{match['deed']}，目的是{match['purpose']}", "same", "order"),
        (f"{match['deed']}，但并不是为了{match['purpose']}", "contrary", "purpose"),
    ):
        kind: Meaning = "same" if meaning == "same" else "contrary"
        yield one(sentence.start, match[0], new, kind, detail)
