"""What commands share: tables for people, one JSON object for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._pipe import until_closed

if TYPE_CHECKING:
    from rich.console import Console

_STDOUT, _STDERR = 1, 2
# where the object goes, once standard output is kept for it
_kept: list[int] = []


def _kept_for_json(context: typer.Context, wanted: bool) -> bool:
    """What else is printed, by a reader of the user's own or by a library, goes to standard error, from workers too."""
    if wanted and not context.resilient_parsing and not _kept and _is_real():  # else a shell asks for completions
        sys.stdout.flush()
        _kept.append(os.dup(_STDOUT))
        os.dup2(_STDERR, _STDOUT)
        context.call_on_close(_given_back)
    return wanted


def _given_back() -> None:
    """When the command is done, standard output is what it was: who called it from Python goes on."""
    sys.stdout.flush()
    os.dup2(_kept[0], _STDOUT)
    os.close(_kept.pop())


def _is_real() -> bool:
    """Whether standard output is the process's own, not one that a test has put in its place."""
    try:
        return sys.stdout.fileno() == _STDOUT
    except (AttributeError, OSError, ValueError):
        return False


Json = Annotated[
    bool,
    typer.Option(
        "--json", help="Print one JSON object on standard output and nothing else there.", callback=_kept_for_json
    ),
]


def print_json(value: Any) -> None:
    """One JSON object on standard output."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    if not _kept:
        with until_closed():
            typer.echo(text)
        return
    left = memoryview(f"{text}\n".encode(errors="backslashreplace"))
    with suppress(BrokenPipeError):  # who reads only the beginning is told the status all the same
        while left:
            left = left[os.write(_kept[0], left) :]


def console(stderr: bool = False) -> Console:
    """Where people read: full width when not a terminal, so that nothing is cut in a file or a pipe."""
    from rich.console import Console

    plain = Console(stderr=stderr, highlight=False, soft_wrap=True)
    if not plain.is_terminal:
        return Console(stderr=stderr, highlight=False, soft_wrap=True, width=160)
    return plain


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> None:
    """A plain table; `right` are the columns of figures."""
    from rich.markup import escape
    from rich.table import Table

    figures = set(right)
    table = Table(
        title=title, title_justify="left", box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0)
    )
    for index, head in enumerate(heads):
        table.add_column(head, justify="right" if index in figures else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    terminal = console()
    # written by us, not by rich: it would end with status 1 when the reader of our output has gone
    with terminal.capture() as captured:
        terminal.print(table, soft_wrap=False)
    with until_closed():
        typer.echo(captured.get(), nl=False)


def say(message: str) -> None:
    """A message for a person, on standard error."""
    typer.echo(message, err=True)
