"""An answer as a person reads it: how sure the reader is, and where in the passage it stands.

Of options: how each was judged, and by which sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from readproof.cli._show_lines import Page, Span, columns, lines_of, styled
from readproof.items import Answer, ChoiceItem, SpanItem, letter
from readproof.text import encodable, sanitised

if TYPE_CHECKING:
    from readproof.cli._ask_options import AskedOptions
    from readproof.readers.judged import Evidence

AROUND = 200
_SHORT = 600
_NOTHING = "(no answer)"
_WORTH = 0.01

CHOSEN = "▸"
_INDENT = 5
_BAR = 20
_LEAST = 20
_LONGEST = 160
_WORDS = {
    "true": ("the option that is true of the passage", " true"),
    "false": ("the option that is not true of the passage", " true"),
    "best": ("the option that answers best", " right"),
}


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


def unread_lines(
    item: SpanItem | ChoiceItem, reader: str, spans: Sequence[tuple[int, int]], page: Page
) -> Iterator[str]:
    """What of the passage the reader passed over."""
    if not spans:
        return
    yield styled(f"not read by {reader}:", "label", page)
    yield from _pieces(item.passage, [(start, end, "") for start, end in spans], page, item.language, indent=2)
    yield ""


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


def option_lines(asked: AskedOptions, page: Page, evidence: int) -> Iterator[str]:
    """The letter and what was asked for, then each option with its score and what it was judged by."""
    choice, sure = asked.answer.choice, asked.answer.confidence
    wanted, what = _WORDS[asked.judged.asked] if asked.judged else ("", "")
    taken = _NOTHING if choice is None else letter(choice)
    figure = "" if sure is None or choice is None else f"  {_percent(sure)}"
    yield f"{styled(taken, 'right', page)}{styled(figure, 'label', page)}"
    if wanted:
        yield styled(f"asked for: {wanted}", "label", page)
    language, scores = asked.item.language, asked.scores
    for at, text in enumerate(asked.item.options):
        yield ""
        style = "right" if at == choice else ""
        lead = styled(f"{CHOSEN if at == choice else ' '} {letter(at)}".ljust(_INDENT), style, page)
        if scores:
            yield f"{lead}{styled(_bar(scores, at, what), style, page)}"
            lead = " " * _INDENT
        for line in _shown(_joined(text), [], page, language, indent=_INDENT):
            yield f"{lead}{line}".rstrip()
            lead = " " * _INDENT
        if asked.judged:
            yield from _judged_by(asked, asked.judged.options[at].evidence[:evidence], page)
    yield ""


def _bar(scores: Sequence[float], at: int, what: str) -> str:
    """A probability as a bar and in percent; any other score as it is."""
    if not all(0.0 <= score <= 1.0 for score in scores):
        return f"score {scores[at]:.2f}"
    full = round(_BAR * scores[at])
    return f"{'█' * full}{'░' * (_BAR - full)}  {_percent(scores[at])}{what}"


def _judged_by(asked: AskedOptions, evidence: Sequence[Evidence], page: Page) -> Iterator[str]:
    """Each piece of evidence: where it stands in the passage, how much it weighs, what it says."""
    pieces = [(one.start, one.end, f"{one.weight:.2f}  ") for one in evidence]
    yield from _pieces(asked.item.passage, pieces, page, asked.item.language, indent=_INDENT)


def _pieces(
    passage: str, pieces: Sequence[tuple[int, int, str]], page: Page, language: str, *, indent: int
) -> Iterator[str]:
    """Pieces of a passage, one below the other: where each stands, what is said of it, its words."""
    places = [f"{start}–{end}" for start, end, _ in pieces]
    widest = max(map(columns, places), default=0)
    for place, (start, end, said) in zip(places, pieces, strict=True):
        lead = f"{' ' * indent}{place:>{widest}}  {said}"
        text = passage[start:end]
        text = f"{text[:_LONGEST]} …" if len(text) > _LONGEST else text
        width = columns(lead)
        lead = styled(lead, "label", page)
        for line in _shown(_joined(text), [], page, language, indent=width):
            yield f"{lead}{line}".rstrip()
            lead = " " * width


def _joined(text: str) -> str:
    return " ".join(text.split())


def _shown(
    raw: str, spans: Sequence[Span], page: Page, language: str, *, clean: bool = False, indent: int = 0
) -> list[str]:
    """Nothing in a passage can steer the terminal: what is invisible is left out."""
    text = raw if clean else sanitised(encodable(raw)).clean
    return lines_of(text, spans, page, max(page.width - indent, min(_LEAST, page.width)), language)


def _percent(share: float) -> str:
    return f"{share:.0%}" if 0.005 <= share < 0.995 else "under 1%" if share < 0.005 else "over 99%"
