"""Progress of a long job for a person: a bar with an estimate on a terminal, else a line every ten seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from readproof.cli._output import console, say

_EVERY = 10.0
_WHOLE = 24 * 3600.0

# how many are done, of how many
Progress = Callable[[int, int], None]


@contextmanager
def progress(doing: str, things: str) -> Iterator[Progress]:
    """On standard error: "answering" and a bar, or "30 of 100 questions, about 2 min left"."""
    if not sys.stderr.isatty():
        yield _lines(things)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    terminal = console(stderr=True)
    # an estimate over all so far: some questions take ten times as long as others, and come in a row
    with Progress(*columns, console=terminal, transient=True, speed_estimate_period=_WHOLE) as bar:
        shown = bar.add_task("", total=None)
        yield lambda done, total: bar.update(shown, completed=done, total=total)


def _lines(things: str) -> Progress:
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
            say(f"{done} of {total} {things}, about {in_words(left)} left")

    return tell


def in_words(seconds: float) -> str:
    """A time to wait, for a person."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
