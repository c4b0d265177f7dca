"""An item as a person reads it: passage, question, options, labels; the right answer made visible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readproof.cli._show_lines import Page, Span, columns, lines_of, styled
from readproof.items import ChoiceItem, Item, LabelItem, Mark, SpanItem, TagItem, Triple, letter
from readproof.tasks.offsets import fault
from readproof.text import Text, encodable, sanitised

RIGHT = "✓"

_LABELS = 10
_LEAST = 20
_TAG_STYLES = 6


def page_of(item: Item, page: Page) -> Iterator[str]:
    """The lines of an item. Invisible characters are left out, so that no data file can steer the terminal."""
    head = f"── {_visible(item.id).clean} "
    yield styled(head + "─" * max(page.width - columns(head), 0), "head", page)
    if isinstance(item, SpanItem):
        yield from _span(item, page)
    elif isinstance(item, ChoiceItem):
        yield from _passage(item, page)
        yield from _question(item, page)
    elif isinstance(item, Triple):
        yield from _triple(item, page)
    elif isinstance(item, LabelItem):
        yield from _field("text", item.text, page, item.language)
        if item.pair:
            yield from _field("pair", item.pair, page, item.language)
        yield from _field("label", "(not known)" if item.label is None else item.label, page, style="right")
    else:
        yield from _tags(item, page)
    yield ""


def _span(item: SpanItem, page: Page) -> Iterator[str]:
    found = [
        Mark(gold.start, gold.start + len(gold.text))
        for gold in item.golds
        if gold.text and gold.start is not None and fault(item, gold) is None
    ]
    yield from _passage(item, page, _united(found))
    yield from _field("question", item.question, page, item.language)
    if item.impossible:
        yield from _field("answer", "(none in the passage)", page, style="right")
    elif not item.golds:
        yield from _field("answer", "(not known)", page)
    for text in dict.fromkeys(gold.text for gold in item.golds if gold.text and not item.impossible):
        yield from _field("answer", text, page, item.language, style="right")
        if text not in item.passage:
            yield from _field("", "(this answer is not in the passage)", page)


def _triple(item: Triple, page: Page) -> Iterator[str]:
    names = ("original", "positive: the truth is kept", "negative: the truth is flipped")
    same = len({question.passage for question in item.questions}) == 1
    if same:
        yield from _passage(item.original, page)
    for name, question in zip(names, item.questions, strict=True):
        yield ""
        yield styled(f"{name} ({_visible(question.id).clean})", "head", page)
        if not same:
            yield from _passage(question, page)
        yield from _question(question, page)


def _tags(item: TagItem, page: Page) -> Iterator[str]:
    """Each type in a colour of its own, in order of first sight; words without a type in two colours by turns."""
    marks = item.marks or ()
    types = list(dict.fromkeys(mark.type for mark in marks))
    text = _visible(item.text)
    spans = [
        Span(
            *text.to_clean(mark.start, mark.end),
            f"tag{types.index(mark.type) % _TAG_STYLES if mark.type else number % 2}",
            _visible(mark.type).clean,
        )
        for number, mark in enumerate(marks)
        if 0 <= mark.start < mark.end <= len(item.text)
    ]
    yield from _block("text", text, spans, page, item.language)
    if item.marks is None:
        yield from _field("tags", "(not known)", page)


def _passage(item: SpanItem | ChoiceItem, page: Page, golds: Sequence[Mark] = ()) -> Iterator[str]:
    if item.title:
        yield from _field("title", item.title, page, item.language, style="head")
    if not item.passage:
        return
    text = _visible(item.passage)
    spans = [Span(*text.to_clean(gold.start, gold.end), "gold") for gold in golds]
    yield from _block("passage", text, spans, page, item.language)


def _question(item: ChoiceItem, page: Page) -> Iterator[str]:
    yield from _field("question", item.question, page, item.language)
    for index, option in enumerate(item.options):
        right = index == item.answer
        label = f"{RIGHT if right else ' '} {letter(index)}"
        if index < len(item.truths):
            label += " true" if item.truths[index] else " false"
        yield from _field(label, option, page, item.language, style="right" if right else "")
    if item.answer is None:
        yield from _field("answer", "(not known)", page)


def _field(label: str, raw: str, page: Page, language: str = "", style: str = "") -> Iterator[str]:
    text = _visible(raw)
    # a style without brackets: only a page with colours shows it
    spans = [Span(0, len(text.clean), style)] if style and page.colour else []
    yield from _block(label, text, spans, page, language)


def _block(label: str, text: Text, spans: Sequence[Span], page: Page, language: str) -> Iterator[str]:
    """Lines with the label in a column of its own, so that it never mixes with right-to-left text."""
    lead = styled(label.ljust(_LABELS), "right" if label.startswith(RIGHT) else "label", page)
    for line in lines_of(text.clean, spans, page, max(page.width - _LABELS, _LEAST), language):
        yield f"{lead}{line}".rstrip()
        lead = " " * _LABELS
    hidden = sum(len(edit.old) for edit in text.edits if not edit.why.startswith(("unusual space", "line end")))
    if hidden:
        what = "1 invisible character is" if hidden == 1 else f"{hidden} invisible characters are"
        yield " " * _LABELS + styled(f"({what} not shown)", "label", page)


def _visible(raw: str) -> Text:
    """What a terminal can show; offsets stay."""
    return sanitised(encodable(raw))


def _united(marks: Sequence[Mark]) -> list[Mark]:
    """Overlapping answers of several annotators as one piece: marks inside marks are hard to read."""
    united: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        if united and mark.start < united[-1].end:
            united[-1] = Mark(united[-1].start, max(united[-1].end, mark.end))
        else:
            united.append(mark)
    return united
