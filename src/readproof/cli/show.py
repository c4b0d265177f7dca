"""`readproof show`: look at the items of a data file as a person reads them."""

from __future__ import annotations

import difflib
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readproof.cli._options import Columns
from readproof.cli._output import Json, print_json, until_closed
from readproof.cli._show_lines import MarkedSpan, PageStyle, columns, lines_of, styled
from readproof.errors import InputError
from readproof.items import ChoiceItem, Item, LabelItem, Mark, SpanItem, TagItem, Triple, letter
from readproof.tasks.offsets import fault
from readproof.text import Text, encodable, sanitised

if TYPE_CHECKING:
    from readproof.cli._show_lines import PageStyle


# An item as a person reads it: passage, question, options, labels; the right answer made visible.


RIGHT = "✓"

_LABELS = 10
_LEAST = 20
_TAG_STYLES = 6


def page_of(item: Item, page: PageStyle) -> Iterator[str]:
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


def _span(item: SpanItem, page: PageStyle) -> Iterator[str]:
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


def _triple(item: Triple, page: PageStyle) -> Iterator[str]:
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


def _tags(item: TagItem, page: PageStyle) -> Iterator[str]:
    """Each type in a colour of its own, in order of first sight; words without a type in two colours by turns."""
    marks = item.marks or ()
    types = list(dict.fromkeys(mark.type for mark in marks))
    text = _visible(item.text)
    spans = [
        MarkedSpan(
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


def _passage(item: SpanItem | ChoiceItem, page: PageStyle, golds: Sequence[Mark] = ()) -> Iterator[str]:
    if item.title:
        yield from _field("title", item.title, page, item.language, style="head")
    if not item.passage:
        return
    text = _visible(item.passage)
    spans = [MarkedSpan(*text.to_clean(gold.start, gold.end), "gold") for gold in golds]
    yield from _block("passage", text, spans, page, item.language)


def _question(item: ChoiceItem, page: PageStyle) -> Iterator[str]:
    yield from _field("question", item.question, page, item.language)
    for index, option in enumerate(item.options):
        right = index == item.answer
        label = f"{RIGHT if right else ' '} {letter(index)}"
        if index < len(item.truths):
            label += " true" if item.truths[index] else " false"
        yield from _field(label, option, page, item.language, style="right" if right else "")
    if item.answer is None:
        yield from _field("answer", "(not known)", page)


def _field(label: str, raw: str, page: PageStyle, language: str = "", style: str = "") -> Iterator[str]:
    text = _visible(raw)
    # a style without brackets: only a page with colours shows it
    spans = [MarkedSpan(0, len(text.clean), style)] if style and page.colour else []
    yield from _block(label, text, spans, page, language)


def _block(label: str, text: Text, spans: Sequence[MarkedSpan], page: PageStyle, language: str) -> Iterator[str]:
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


_FIRST = 3


def command(
    data: Annotated[str, typer.Argument(help="A data file, its format recognised, or TASK:FILE.")],
    ids: Annotated[list[str] | None, typer.Option("--id", help="Show the item of this id; may be repeated.")] = None,
    first: Annotated[
        int | None, typer.Option(min=1, help=f"Show the first N items; {_FIRST} if nothing else is asked for.")
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Show N items chosen by chance.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed chooses the same items.")] = 0,
    visual: Annotated[
        bool | None,
        typer.Option(
            "--visual/--logical",
            help="Put right-to-left text in order for a terminal that does not do so itself, or leave that to the "
            "terminal. Without either: --logical in a file or a pipe and in GNOME, Konsole, Apple, mlterm and mintty "
            "terminals, --visual in any other.",
            show_default=False,
        ),
    ] = None,
    columns: Columns = "",
    as_json: Json = False,
) -> None:
    """Print items as a person reads them: passage, question, answers, options, labels, tagged words.

    In colour the answer is highlighted in the passage; without colour (no terminal, or NO_COLOR set) it stands
    between ⟦ and ⟧. A tagged word is followed by its type: ⟦word/type⟧. ✓ marks the right option. Invisible
    characters are left out and counted; `readproof sanitise` shows them.

    Examples:

      readproof show dev.json

      readproof show gcrc:dev.json --sample 5 --seed 1

      readproof show dev.json --id DEV_0_QUERY_0

      readproof show mine.csv --columns question=q,passage=ctx
    """
    from readproof.tasks.sources import with_columns

    chosen = show(with_columns(data, columns), ids=ids or (), first=first, sample=sample, seed=seed)
    with until_closed():
        if as_json:
            from readproof.tasks.itemlines import to_record

            print_json({"items": [to_record(item) for item in chosen]})
            return
        from readproof.cli._show_lines import page_here

        page = page_here(visual)
        for line in pages(chosen, page):
            typer.echo(line, color=page.colour)


def show(
    data: str | Path, *, ids: Sequence[str] = (), first: int | None = None, sample: int | None = None, seed: int = 0
) -> list[Item]:
    """The chosen items of a data file, in the file's order: by id, the first ones, or a sample."""
    from readproof.tasks import load

    if sum((bool(ids), first is not None, sample is not None)) > 1:
        raise InputError(
            found="more than one of --id, --first and --sample", expected="one of them", do="Leave the others out."
        )
    if ids:
        return _of_ids(load(data), ids, str(data))
    if sample is not None:
        return _sampled(load(data), sample, seed)
    return list(islice(load(data), _FIRST if first is None else min(first, sys.maxsize)))


def pages(items: Iterable[Item], page: PageStyle) -> Iterator[str]:
    """The lines of all items."""

    for item in items:
        yield from page_of(item, page)


def _of_ids(items: Iterable[Item], ids: Sequence[str], data: str) -> list[Item]:
    wanted = set(ids)
    seen: set[str] = set()
    found: list[Item] = []
    for item in items:
        names = {item.id, *(question.id for question in item.questions)} if isinstance(item, Triple) else {item.id}
        seen |= names
        if names & wanted:
            found.append(item)
    missing = [name for name in ids if name not in seen]
    if missing:
        near = difflib.get_close_matches(missing[0], seen, n=3, cutoff=0.5)
        do = f"Did you mean {' or '.join(map(repr, near))}?" if near else "readproof show FILE prints ids."
        raise InputError(file=data, found=f"no item {missing[0]!r}", expected="the id of an item in it", do=do)
    return found


def _sampled(items: Iterable[Item], size: int, seed: int) -> list[Item]:
    """A reservoir sample: one pass, and only the sample is held in memory."""
    chance = random.Random(f"{seed}|show")
    kept: list[tuple[int, Item]] = []
    for number, item in enumerate(items):
        if number < size:
            kept.append((number, item))
        elif (place := chance.randrange(number + 1)) < size:
            kept[place] = (number, item)
    return [item for _, item in sorted(kept, key=lambda pair: pair[0])]
