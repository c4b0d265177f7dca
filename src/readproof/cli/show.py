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

from readproof.cli._output import Json, print_json
from readproof.cli._pipe import until_closed
from readproof.errors import InputError
from readproof.items import Item, Triple

if TYPE_CHECKING:
    from readproof.cli._show_lines import Page

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
    """
    chosen = show(data, ids=ids or (), first=first, sample=sample, seed=seed)
    with until_closed():
        if as_json:
            from readproof.tasks.itemlines import to_record

            print_json({"items": [to_record(item) for item in chosen]})
            return
        from readproof.cli._show_terminal import page_here

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


def pages(items: Iterable[Item], page: Page) -> Iterator[str]:
    """The lines of all items."""
    from readproof.cli._show_page import page_of

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
