"""A false option that differs from the passage by one word is made true: the passage's word is put back.

An exam writer makes a wrong option by turning a word of the passage: 多数 into 所有, 之前 into 之后. Where the option
follows a sentence closely, has such a word that the sentence has not, and the sentence has its counterpart at the same
place, the counterpart is what the passage says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from readproof.attacks.options.change import Change, one
from readproof.attacks.options.passage import EvidenceSentence, evidence
from readproof.attacks.options.tables import opposites, stated, table
from readproof.attacks.options.view import OptionSpan, OptionView
from readproof.items import Edit
from readproof.lang.api import Word
from readproof.lang.zh.times import times
from readproof.lang.zh.words import words

_CLOSE = 0.45
_ALIGNED = 0.55
_TABLES = ("quantifiers", "degrees", "modals", "orders")


def restored(view: OptionView, passage: str) -> Iterator[Change]:
    """The words that the passage says otherwise, as the passage says them."""
    if not passage:
        return
    found = evidence(view.text, passage)
    yield from _tempered(view, found)
    yield from _unlinked(view, passage)
    yield from _times_apart(view, passage)
    yield from _aligned(view, found)
    if found.share < _CLOSE:
        return
    known = _counterparts()
    for span in view.found(known):
        word = view.text[span.start : span.end]
        if word in found.around:
            continue
        for new in known[word]:
            if new not in view.text and word != "就是" and beside(view, span, new, found):
                yield one(span.start, word, new, "restored", "restored")


def beside(view: OptionView, span: OptionSpan, new: str, found: EvidenceSentence) -> bool:
    """Whether the new word stands in the sentence where the old one stands in the option."""
    left, right = view.text[max(0, span.start - 3) : span.start], view.text[span.end : span.end + 3]
    at = found.sentence.find(new)
    while at >= 0:
        before, after = found.sentence[max(0, at - 3) : at], found.sentence[at + len(new) : at + len(new) + 3]
        same_left = len(left) >= 2 and before[-2:] == left[-2:]
        same_right = len(right) >= 2 and after[:2] == right[:2]
        if same_left or same_right:
            return True
        at = found.sentence.find(new, at + 1)
    return False


_CERTAIN = ("必然", "必定", "必将", "势必", "一定会", "一定能", "必然会", "必定会", "势必会", "肯定会", "定会", "必会")


def _tempered(view: OptionView, found: EvidenceSentence) -> Iterator[Change]:
    """What must be, by the option alone, may be: certainty that the passage has not is what made the option false."""
    if any(word.rstrip("会能") in found.around for word in _CERTAIN):
        return
    for span in view.found(_CERTAIN):
        word = view.text[span.start : span.end]
        after = view.text[span.end : span.end + 1]
        last = view.clauses[-1]
        if (
            after in ("", "的", "性", "要", "，", "。")
            or span.start < last.start
            or not stated(view, span)
            or any(other.start <= span.start and span.end < other.end for other in view.found(_CERTAIN))
        ):
            continue
        new = "有可能" if after == "会" else "可能会" if word.endswith("会") or word == "必将" else "可能"
        yield one(span.start, word, new, "restored", "modality")


_KNOWN: dict[str, tuple[str, ...]] = {}


def _counterparts() -> dict[str, tuple[str, ...]]:
    """Every word that has contraries, with all of them, both ways."""
    if _KNOWN:
        return _KNOWN
    found: dict[str, set[str]] = {}
    for word, pairs in opposites().items():
        for new, _ in pairs:
            found.setdefault(word, set()).add(new)
            found.setdefault(new, set()).add(word)
    for name in _TABLES:
        for word, rows in table(name).items():
            for row in rows:
                if row.meaning == "contrary":
                    found.setdefault(word, set()).add(row.new)
                    found.setdefault(row.new, set()).add(word)
    _KNOWN.update({word: tuple(sorted(others)) for word, others in sorted(found.items())})
    return _KNOWN


# a cause, a condition or a conclusion that only the option has
_LINKS = (
    (
        re.compile("(?:因为|由于)(?P<first>[^，。；]{6,40})，(?:所以|因此|因而|故而)?(?P<second>[^，。；]{6,40})$"),
        "{first}，{second}",
    ),
    (
        re.compile("(?P<first>[^，。；]{6,40})，(?:所以|因此|因而|可见|故而|从而使?)，?(?P<second>[^，。；]{6,40})$"),
        "{first}，{second}",
    ),
    (
        re.compile(
            "(?P<second>[^，。；]{2,40}?)之所以(?P<rest>[^，。；]{4,40})，是(?:因为|由于)(?P<first>[^，。；]{6,40})$"
        ),
        "{first}，{second}{rest}",
    ),
    (
        re.compile("(?P<who>[^，。；]{1,14}?)之所以(?P<first>[^，。；]{4,40})，是为了(?P<second>[^，。；]{6,40})$"),
        "{who}{first}，并积极{second}",
    ),
    (
        re.compile("(?P<first>[^，。；]{6,40})，(?:是因为|是由于|缘于|源于)(?P<second>[^，。；]{6,40})$"),
        "{first}，{second}",
    ),
)
_PLAIN = re.compile("才|就|便|也|又|还|却|越|必|一定|肯定|完全|唯一|所有|只")
_SAID = 0.74


def _unlinked(view: OptionView, passage: str) -> Iterator[Change]:
    """Two things that the passage says, joined by a cause that it does not: they are said side by side."""
    text = view.text.rstrip("。．.；; ")
    if "，" not in text or len(view.sentences) != 1:
        return
    for pattern, form in _LINKS:
        match = pattern.search(text)
        if match is None or match.start():
            continue
        first, second = match["first"], match["second"] + (match.groupdict().get("rest") or "")
        one_, other = evidence(first, passage), evidence(second, passage)
        joined = one_.sentence == other.sentence and re.search(
            "因为|由于|所以|因此|因而|从而|使|导致|之所以", one_.sentence
        )
        if min(one_.share, other.share) < _SAID or joined or _PLAIN.search(first + second):
            continue
        if re.match("[这那此其它他她]", second) or re.match("[这那此其它他她]", first):
            continue
        yield one(0, text, form.format(**match.groupdict()), "restored", "unlinked")
        return


def _times_apart(view: OptionView, passage: str) -> Iterator[Change]:
    """What the option says of one time, the passage says of two: the second is put before its clause."""
    own = times(view.text)
    if len(own) != 1 or len(view.clauses) < 2:
        return
    for before, clause in pairwise(view.clauses):
        text = view.text[clause.start : clause.end]
        found = evidence(text, passage)
        opening = times(found.sentence[:16])
        if found.share < _SAID or len(text) < 8 or own[0].start >= clause.start or not opening:
            continue
        time = opening[0]
        place = found.sentence.find(text[:4])
        if time.text == own[0].text or time.granularity != own[0].granularity or not time.end <= place <= time.end + 2:
            continue
        edits = [Edit(clause.start, "", f"{time.text}，")]
        link = re.match("由于|因为", view.text[before.start : before.end])
        if link is not None:
            edits.insert(0, Edit(before.start, link[0], ""))
        yield Change(tuple(edits), "restored", "time")


_KINDS = ("t", "m", "ns", "nr", "nt", "a", "v", "d", "n")


def _aligned(view: OptionView, found: EvidenceSentence) -> Iterator[Change]:
    """The one place where an option differs from the sentence that it is made of, by a word of the same kind."""
    if found.share < _ALIGNED:
        return
    own = [word for word in view.words if word.text not in "，。；、"]
    theirs = [word for word in words(found.sentence) if word.text not in "，。；、"]
    matcher = SequenceMatcher(None, [word.text for word in own], [word.text for word in theirs], autojunk=False)
    places = []
    for tag, low, high, left, right in matcher.get_opcodes():
        inside = low > 0 and high < len(own)
        if tag == "replace" and high - low == right - left == 1 and inside:
            places.append((own[low], theirs[left]))
        elif tag in ("replace", "delete") and any(word.tag[0] not in "uxydc" for word in own[low:high]):
            return  # something else is said too
    if len(places) != 1:
        return
    old, new = places[0]
    if _alike(old, new) and new.text not in view.text and view.free(old.start, old.end):
        yield one(old.start, old.text, new.text, "restored", "restored")


def _alike(old: Word, new: Word) -> bool:
    """Whether one word can stand where another stands."""
    if old.text in new.text or new.text in old.text or set(old.text) == set(new.text):
        return False
    return any(old.tag.startswith(kind) and new.tag.startswith(kind) for kind in _KINDS)
