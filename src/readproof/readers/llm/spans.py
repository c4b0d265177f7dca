"""Where a model's answer stands in the passage: as it was said, else as it looks without invisible characters."""

from __future__ import annotations

import re

from readproof.items import Answer, SpanItem
from readproof.text import normalised, sanitised

_LABEL = re.compile(
    r"\s*(?:\*\*)?(?:答案|回答|答|answer|the answer is|پاسخ)(?:是|为)?(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*", re.I
)
_PAIRS = {"“": "”", '"': '"', "「": "」", "『": "』", "‘": "’", "'": "'", "`": "`", "«": "»", "**": "**"}
_ENDS = " \t\r\n。.,，；;"
_STOPS = "。，；"
_NONE = {"无答案", "無答案", "没有答案", "no answer", "unanswerable", "无", "بدون پاسخ"}


def span_answer(item: SpanItem, reply: str, *, no_answer: bool = False) -> Answer:
    """The answer that a reply gives; without a place where the passage does not hold it."""
    said = _LABEL.sub("", reply, count=1) if _LABEL.match(reply) else reply
    said = said.strip()
    if no_answer and said.strip(_ENDS).casefold() in _NONE:
        return Answer(id=item.id)
    wanted = list(dict.fromkeys(form for text in (said, said.split("\n", 1)[0].strip()) for form in _forms(text)))
    for text in wanted:
        place = _place(item.passage, text)
        if place is not None:
            start, end = place
            raw = item.passage[start:end]
            return Answer(id=item.id, text=sanitised(raw).clean, raw=raw, start=start, end=end)
    return Answer(id=item.id, text=sanitised(wanted[-1]).clean if wanted else "")


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
