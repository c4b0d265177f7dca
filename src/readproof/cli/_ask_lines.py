"""An answer as a person reads it: how sure the reader is, and where in the passage it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readproof.cli._show_lines import Page, Span, lines_of, styled
from readproof.items import Answer, SpanItem
from readproof.text import encodable, sanitised

AROUND = 200
_SHORT = 600
_NOTHING = "(no answer)"
_WORTH = 0.01


def lines(item: SpanItem, answers: Sequence[Answer], page: Page) -> Iterator[str]:
    """The answers with their confidence, then the passage, or what of it stands round the best one.

    Further answers are left out where the reader is all but sure that they are wrong.
    """
    answers = [*answers[:1], *(answer for answer in answers[1:] if (answer.confidence or 0.0) >= _WORTH)]
    for number, answer in enumerate(answers):
        sure = "" if answer.confidence is None else f"  {_percent(answer.confidence)}"
        text = " ".join(_shown(answer.text, [], page, item.language)) if answer.text else _NOTHING
        lead = f"{number + 1}. " if len(answers) > 1 else ""
        yield f"{lead}{styled(text, '' if number else 'right', page)}{styled(sure, 'label', page)}"
    yield ""
    yield from _passage(item, answers[0], page)


def _passage(item: SpanItem, answer: Answer, page: Page) -> Iterator[str]:
    start, end = answer.start, answer.end
    low, high = 0, len(item.passage)
    if high > _SHORT:
        low, high = max(0, (start or 0) - AROUND), min(high, (end or 0) + AROUND)
    before, after = "… " if low else "", " …" if high < len(item.passage) else ""
    text = sanitised(encodable(item.passage[low:high]))
    spans = []
    if start is not None and end is not None:
        first, last = text.to_clean(start - low, end - low)
        spans = [Span(first + len(before), last + len(before), "gold")]
    yield from _shown(f"{before}{text.clean}{after}", spans, page, item.language, clean=True)
    yield ""


def _shown(raw: str, spans: Sequence[Span], page: Page, language: str, *, clean: bool = False) -> list[str]:
    """Nothing in a passage can steer the terminal: what is invisible is left out."""
    text = raw if clean else sanitised(encodable(raw)).clean
    return lines_of(text, spans, page, page.width, language)


def _percent(share: float) -> str:
    return f"{share:.0%}" if 0.005 <= share < 0.995 else "under 1%" if share < 0.005 else "over 99%"
