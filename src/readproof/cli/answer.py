"""`readproof answer`: every question of a data file answered, in the task's official prediction format."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readproof.cli._output import Json, console, print_json, say

if TYPE_CHECKING:
    from readproof.readers.job import Progress

_EVERY = 10.0


def command(
    data: Annotated[str, typer.Argument(help="A data file, its format recognised, or TASK:FILE.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the predictions.")],
    reader: Annotated[str, typer.Option(help="A name, a folder, a hub name, or module:function.")] = "zh",
    threads: Annotated[int, typer.Option(min=0, max=1024, help="Threads to use; 0 for every core.")] = 0,
    no_answer: Annotated[bool, typer.Option("--no-answer", help="Let the reader say that there is no answer.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Answer only the first N items.", show_default=False)] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what an earlier run left.")] = False,
    as_json: Json = False,
) -> None:
    """Answer every question of a data file; `readproof score` scores what it writes.

    Answers are kept in OUT.part.jsonl as they come: a run that was stopped goes on where it was when it is started
    again, and ends with the same predictions.

    Examples:

      readproof answer dev.json -o predictions.json

      readproof answer squad2:dev.json --reader my/folder --no-answer -o predictions.json
    """
    from readproof.readers import load_reader
    from readproof.readers.job import answer_file
    from readproof.readers.part import part_of

    chosen = load_reader(reader, threads=threads, no_answer=no_answer)
    start = time.monotonic()
    try:
        with _progress() as progress:
            done = answer_file(data, chosen, out, limit=limit, fresh=fresh, progress=progress)
    except KeyboardInterrupt:
        say(f"Stopped; what was answered is in {part_of(out)}. Run the same command to go on.")
        raise
    seconds = time.monotonic() - start
    if as_json:
        print_json(
            {
                "predictions": str(done.predictions),
                "task": done.task,
                "reader": chosen.name,
                "items": done.items,
                "questions": done.questions,
                "resumed": done.resumed,
                "seconds": seconds,
            }
        )
        return
    again = f", {done.resumed} of them before" if done.resumed else ""
    typer.echo(f"{done.questions} questions answered in {seconds:.1f} s{again}; predictions in {done.predictions}")
    if done.task != "items":
        say(f"Score them with: readproof score {done.task} {done.predictions} {data.removeprefix(done.task + ':')}")


@contextmanager
def _progress() -> Iterator[Progress]:
    """On a terminal a bar with an estimate, elsewhere a line every ten seconds; both on standard error."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("answering"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        shown = bar.add_task("", total=None)
        yield lambda done, total: bar.update(shown, completed=done, total=total)


def _lines() -> Progress:
    begun = said = time.monotonic()
    first: int | None = None

    def progress(done: int, total: int) -> None:
        nonlocal said, first
        now = time.monotonic()
        if first is None:
            first = done
            if done:
                say(f"going on after {done} of {total} questions")
        if now - said >= _EVERY and done > first:
            said = now
            left = (now - begun) / (done - first) * (total - done)
            say(f"{done} of {total} questions, about {_time(left)} left")

    return progress


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
