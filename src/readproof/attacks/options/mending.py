"""A false option that differs from the passage by one word is made true: the passage's word is put back.

An exam writer makes a wrong option by turning a word of the passage: 多数 into 所有, 之前 into 之后. Where the option
follows a sentence closely, has such a word that the sentence has not, and the sentence has its counterpart at the same
place, the counterpart is what the passage says.
"""

from __future__ import annotations

from collections.abc import Iterator

from readproof.attacks.options.change import Change, one
from readproof.attacks.options.evidence import Evidence, evidence
from readproof.attacks.options.tables import opposites, stated, table
from readproof.attacks.options.view import Span, View

_CLOSE = 0.45
_TABLES = ("quantifiers", "degrees", "modals", "orders")


def mended(view: View, passage: str) -> Iterator[Change]:
    """The words that the passage says otherwise, as the passage says them."""
    if not passage:
        return
    found = evidence(view.text, passage)
    yield from _tempered(view, found)
    if found.share < _CLOSE:
        return
    known = _counterparts()
    for span in view.found(known):
        word = view.text[span.start : span.end]
        if word in found.around:
            continue
        for new in known[word]:
            if new not in view.text and word != "就是" and beside(view, span, new, found):
                yield one(span.start, word, new, "mended", "mended")


def beside(view: View, span: Span, new: str, found: Evidence) -> bool:
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


def _tempered(view: View, found: Evidence) -> Iterator[Change]:
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
        yield one(span.start, word, new, "mended", "modality")


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
