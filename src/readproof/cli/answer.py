"""`readproof answer`: every question of a data file answered, in the task's official prediction format."""

from __future__ import annotations

import shlex
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readproof.cli._models import DryRun, MaxCost, MaxRequests, ModelWatch, NoCache, limited
from readproof.cli._options import EngineName, RayAddress, Workers
from readproof.cli._output import Json, print_json, progress, say

if TYPE_CHECKING:
    from readproof.items import Item


def command(
    data: Annotated[str, typer.Argument(help="A data file, its format recognised, or TASK:FILE.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the predictions.")],
    reader: Annotated[
        str,
        typer.Option(
            help="A name, a folder, a hub name, llm:…, or module:function [the shipped one for the language].",
            show_default=False,
        ),
    ] = "",
    threads: Annotated[
        int, typer.Option(min=0, max=1024, help="Threads of each reader; 0 for every core, shared out.")
    ] = 0,
    engine: EngineName = "",
    workers: Workers = 0,
    ray_address: RayAddress = "",
    no_answer: Annotated[bool, typer.Option("--no-answer", help="Let the reader say that there is no answer.")] = False,
    exit_: Annotated[
        str,
        typer.Option(
            "--exit",
            help="When a multi-exit reader stops: layer:6, entropy:0.2, entropy:0.2@8 (at layer 8 at the latest), "
            "patience:3, tokens:0.2 [its last layer].",
            show_default=False,
        ),
    ] = "",
    limit: Annotated[int | None, typer.Option(min=1, help="Answer only the first N items.", show_default=False)] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what an earlier run left.")] = False,
    dry_run: DryRun = False,
    max_cost: MaxCost = None,
    max_requests: MaxRequests = None,
    no_cache: NoCache = False,
    as_json: Json = False,
) -> None:
    """Answer every question of a data file; `readproof score` scores what it writes.

    Answers are kept in OUT.part.jsonl as they come: a run that was stopped goes on where it was when it is started
    again, and ends with the same predictions. A language model's replies are kept in a cache, and the prompts go to
    OUT.prompts.jsonl; docs/llm.md names its options. OUT.reader.json says who answered: the reader, its number of
    parameters, whether the closed track of GCRC_advRobust takes it, and whether each question was asked by itself.
    A multi-exit reader's lines say which modules each answer passed, and model_to_eval.py beside OUT builds them.

    Examples:

      readproof answer dev.json -o predictions.json

      readproof answer dev.json --engine pool --workers 4 -o predictions.json

      readproof answer squad2:dev.json --reader my/folder --no-answer -o predictions.json

      readproof answer celue/ccpm:valid.jsonl --reader my/exits --exit entropy:0.2 -o ccpm/sure.jsonl

      readproof answer gcrc:dev.json --reader "llm:http://localhost:8080/v1#model?prompt=reason" -o predictions.json
    """
    from readproof.engine import choose
    from readproof.journal import part_of
    from readproof.readers.api import StreamingReader
    from readproof.readers.job import answer_file
    from readproof.readers.reader_ref import ReaderRef
    from readproof.readers.track import in_words, track_of, write_track
    from readproof.tasks import TASKS

    place = choose(engine, workers=workers, threads=threads, address=ray_address)
    spec = limited(reader or _for_data(data), max_cost, max_requests, no_cache)
    who = ReaderRef(spec, threads=place.threads, no_answer=no_answer, exit=exit_)
    chosen = who.open()
    start = time.monotonic()
    try:
        watch = ModelWatch(dry=dry_run, as_json=as_json)
        with progress("answering", "questions", watch.note) as tell:
            done = answer_file(
                data, who, out, limit=limit, engine=place, fresh=fresh, progress=tell, before=watch.before_answers
            )
    except KeyboardInterrupt:
        kept = chosen.kept_in if isinstance(chosen, StreamingReader) else part_of(out)
        say(f"Stopped; what was answered is in {kept}. Run the same command to go on.")
        raise
    seconds = time.monotonic() - start
    figures = dict(chosen.figures()) if isinstance(chosen, StreamingReader) else {}
    track = track_of(chosen)
    kept_track = write_track(track, done.predictions)
    if as_json:
        print_json(
            {
                "predictions": str(done.predictions),
                "task": done.task,
                **asdict(track),
                "reader_file": str(kept_track),
                "items": done.items,
                "questions": done.questions,
                "resumed": done.resumed,
                "repeated": done.repeated,
                **({"exits": dict(done.exits)} if done.exits else {}),
                "seconds": seconds,
                **({"prompts": str(done.prompts), "language_model": figures} if done.prompts else {}),
            }
        )
        return
    again = f", {done.resumed} of them before" if done.resumed else ""
    typer.echo(f"{done.questions} questions answered in {seconds:.1f} s{again}; predictions in {done.predictions}")
    if done.exits:
        answers = sum(count for _, count in done.exits)
        mean = sum(layer * count for layer, count in done.exits) / answers
        stops = ", ".join(f"{layer}: {count}" for layer, count in done.exits)
        typer.echo(f"answers that stopped after each layer: {stops}; {mean:.1f} layers on average")
    if done.repeated:
        say(
            f"{done.repeated} questions have the id of a question before them: the predictions hold one answer an id, "
            "the last, and score it for all of them. Give every question an id of its own."
        )
    kind = TASKS.get(done.task).kind
    for line in in_words(track, closed=kind == "triple", options=kind in ("choice", "triple")):
        typer.echo(line)
    if done.prompts:
        from readproof.readers.usage import in_words as figures_in_words

        for line in figures_in_words(figures):
            typer.echo(line)
        say(f"The prompts are in {done.prompts}")
    if done.task != "items" and _has_gold(data):
        names = map(shlex.quote, (done.task, str(done.predictions), data.removeprefix(done.task + ":")))
        say(f"Score them with: readproof score {' '.join(names)}")
        if limit is not None:
            say(f"note: no more than {limit} items were asked; the file's others are scored as missing.")


def _has_gold(data: str) -> bool:
    """Whether there is something to score by: a test file has no answers, a pipe is gone."""
    from readproof.items import has_gold
    from readproof.tasks import find

    item = None if find(data)[1].is_fifo() else _first(data)
    return item is not None and has_gold(item)


def _first(data: str) -> Item | None:
    from readproof.tasks import load

    return next(iter(load(data)), None)


def _for_data(data: str) -> str:
    """The shipped reader for the language of the first item; options are read in Chinese alone."""
    from readproof.items import SpanItem
    from readproof.readers.factory import reader_for

    first = _first(data)
    return reader_for(first.passage) if isinstance(first, SpanItem) else "zh"
