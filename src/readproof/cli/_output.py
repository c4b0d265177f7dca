"""What commands share: tables for people, one JSON object for programs."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from rich.console import Console


# A reader of our output that has seen enough (head, less) is no fault.


_CLOSED = 128 + 13  # by SIGPIPE, as a shell says it
_HELP = frozenset({"-h", "--help"})


@contextmanager
def until_closed() -> Iterator[None]:
    """Write results to standard output inside; if its reader goes away the rest is dropped, and the status stands."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        if not _is_unread(sys.stdout):
            raise
        _to_nowhere(sys.stdout)


class UnreadCommands(TyperGroup):
    """All commands, also those that did not think of their reader: without a traceback, as other programs end there."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        with _unless_read():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        with _unless_read():
            return super().invoke(ctx)


@contextmanager
def _unless_read() -> Iterator[None]:
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        unread = [stream for stream in (sys.stdout, sys.stderr) if _is_unread(stream)]
        if not unread:  # the pipe of a worker, say: that is a failure
            raise
        for stream in unread:
            _to_nowhere(stream)
        # of a help text enough was seen; else what was to come is not known: a job may have been half-way
        raise typer.Exit(0 if _HELP.intersection(sys.argv) else _CLOSED) from None


def _is_unread(stream: TextIO) -> bool:
    """Whether this is a pipe that nobody reads any more."""
    if not hasattr(select, "poll"):  # a system without it: most likely so
        return True
    try:
        asked = select.poll()
        asked.register(stream.fileno(), 0)
        return any(event & (select.POLLERR | select.POLLHUP) for _, event in asked.poll(0))
    except (OSError, ValueError):  # no stream of the process
        return False


def _to_nowhere(stream: TextIO) -> None:
    # what is still in the buffer must go somewhere at exit
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


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


# Progress of a long job for a person: a bar with an estimate on a terminal, else a line every ten seconds.


_EVERY = 10.0
# an estimate before this share is done, or this time has passed, would be of how long the reader takes to open
_KNOWN, _SETTLED = 0.05, 30.0
_WHOLE = 24 * 3600.0

# how many are done, of how many
Progress = Callable[[int, int], None]


@contextmanager
def progress(doing: str, things: str, note: Callable[[], str] | None = None) -> Iterator[Progress]:
    """On standard error: "answering" and a bar, or "30 of 100 questions, about 2 min left"; `note` is put behind."""
    if not sys.stderr.isatty():
        yield _lines(things, note)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        *(TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()),
        *([TextColumn("{task.fields[note]}")] if note else []),
    )
    terminal = console(stderr=True)
    # an estimate over all so far: some questions take ten times as long as others, and come in a row
    with Progress(*columns, console=terminal, transient=True, speed_estimate_period=_WHOLE) as bar:
        shown = bar.add_task("", total=None, note="")
        yield lambda done, total: bar.update(shown, completed=done, total=total, note=note() if note else "")


def _lines(things: str, note: Callable[[], str] | None) -> Progress:
    begun = said = time.monotonic()
    first: int | None = None

    def tell(done: int, total: int) -> None:
        nonlocal said, first
        now = time.monotonic()
        if first is None:
            first = done
            if done:
                say(f"going on after {done} of {total} {things}")
        if now - said >= _EVERY and done > first:
            said = now
            left = (now - begun) / (done - first) * (total - done)
            known = done - first >= _KNOWN * total or now - begun >= _SETTLED
            more = note() if note else ""
            told = [f"{done} of {total} {things}" + (f", about {in_words(left)} left" if known else ""), more]
            say("; ".join(filter(None, told)))

    return tell


def in_words(seconds: float) -> str:
    """A time to wait, for a person."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
