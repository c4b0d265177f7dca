"""Where a model's answer stands in the passage: as it was said, as it looks, or as it nearly says.

A model that is asked to copy quotes loosely now and then: another comma, a character left out. Such an answer is
aligned to the piece of the passage that is the fewest edits away, and counted. What may turn its meaning, a digit or a
denial, must be the same.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from readproof.items import Answer, SpanItem
from readproof.text import normalised, sanitised

_LABEL = re.compile(
    r"\s*(?:\*\*)?(?:答案|回答|答|answer|the answer is|پاسخ)(?:是|为)?(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*", re.I
)
_PAIRS = {"“": "”", '"': '"', "「": "」", "『": "』", "‘": "’", "'": "'", "`": "`", "«": "»", "**": "**"}
_ENDS = " \t\r\n。.,，；;"
_STOPS = "。，；"
_NONE = {"无答案", "無答案", "没有答案", "no answer", "unanswerable", "无", "بدون پاسخ"}


# of a loose quote: how short it may be, how long, and how many edits a character
_SHORTEST, _LONGEST, _EDITS = 5, 200, 0.2
# what must not differ between an answer and the piece of the passage it is aligned to
_TURNING = re.compile(r"\d|[不没未无非否别別勿莫]|not|never|نیست|[〇零一二三四五六七八九十百千万亿]", re.I)


class Quote(NamedTuple):
    """An answer, and whether it is only nearly what the model said."""

    answer: Answer
    aligned: bool = False


def quote_of(item: SpanItem, reply: str, *, no_answer: bool = False) -> Quote:
    """The answer that a reply gives; without a place where the passage does not hold it."""
    said = _LABEL.sub("", reply, count=1) if _LABEL.match(reply) else reply
    said = said.strip()
    if no_answer and said.strip(_ENDS).casefold() in _NONE:
        return Quote(Answer(id=item.id))
    wanted = list(dict.fromkeys(form for text in (said, said.split("\n", 1)[0].strip()) for form in _forms(text)))
    for text in wanted:
        place = _place(item.passage, text)
        if place is not None:
            return Quote(_at(item, place))
    near = _nearest(item.passage, wanted[-1]) if wanted else None
    if near is not None:
        return Quote(_at(item, near), aligned=True)
    return Quote(Answer(id=item.id, text=sanitised(wanted[-1]).clean if wanted else ""))


def _at(item: SpanItem, place: tuple[int, int]) -> Answer:
    start, end = place
    raw = item.passage[start:end]
    return Answer(id=item.id, text=sanitised(raw).clean, raw=raw, start=start, end=end)


def _nearest(passage: str, text: str) -> tuple[int, int] | None:
    """The piece of the passage that is the fewest edits away from a text; None where that is too many.

    Letters and digits alone are compared: marks and spaces are what is most often quoted loosely.
    """
    seen = normalised(passage)
    places = [at for at, character in enumerate(seen.clean) if character.isalnum()]
    known = "".join(seen.clean[at].casefold()[:1] for at in places)
    wanted = "".join(one.casefold()[:1] for one in normalised(text).clean if one.isalnum())
    if not _SHORTEST <= len(wanted) <= _LONGEST:
        return None
    start, end, edits = aligned(wanted, known)
    if end <= start or edits > _EDITS * len(wanted) or _turning(known[start:end]) != _turning(wanted):
        return None
    return seen.to_raw(places[start], places[end - 1] + 1)


def _turning(text: str) -> Counter[str]:
    return Counter(found.casefold() for found in _TURNING.findall(text))


def aligned(wanted: str, text: str) -> tuple[int, int, int]:
    """The piece of a text nearest to what is wanted by edit distance (Sellers 1980): its start, its end, the edits."""
    width = len(text) + 1
    row, starts = [0] * width, list(range(width))
    for number, character in enumerate(wanted, start=1):
        left, left_start = number, 0
        new, new_starts = [left], [left_start]
        for at in range(1, width):
            cost, start = row[at - 1] + (text[at - 1] != character), starts[at - 1]
            if row[at] + 1 < cost:
                cost, start = row[at] + 1, starts[at]
            if left + 1 < cost:
                cost, start = left + 1, left_start
            left, left_start = cost, start
            new.append(cost)
            new_starts.append(start)
        row, starts = new, new_starts
    end = min(range(width), key=row.__getitem__)
    return starts[end], end, row[end]


def _forms(text: str) -> list[str]:
    """The text, then without the marks a model puts round it, then without the stop at its end.

    A Chinese stop is the model's own more often than the passage's; a full stop may belong to "U.S."
    """
    forms = [text.rstrip(_STOPS), text] if text.endswith(tuple(_STOPS)) else [text]
    for left, right in _PAIRS.items():
        if text.startswith(left) and text.rstrip(_ENDS).endswith(right) and len(text) > len(left) + len(right):
            forms.append(text.rstrip(_ENDS).removeprefix(left).removesuffix(right).strip())
            break
    forms.append(forms[-1].rstrip(_ENDS))
    return [form for form in forms if form]


def _place(passage: str, text: str) -> tuple[int, int] | None:
    at = passage.find(text)
    if at >= 0:
        return at, at + len(text)
    for clean in (sanitised, normalised):
        seen, wanted = clean(passage), clean(text).clean.strip()
        at = seen.clean.find(wanted) if wanted else -1
        if at >= 0:
            return seen.to_raw(at, at + len(wanted))
    return None
