"""`readproof prove`: the main job. Is the reader right, does it read at all, does it stand under attack?"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._models import DryRun, MaxCost, MaxRequests, ModelWatch, NoCache, limited
from readproof.cli._options import (
    Attacks,
    Budget,
    Columns,
    Count,
    EngineName,
    Limit,
    RayAddress,
    Seed,
    Settings,
    Threads,
    Workers,
    named,
    one_of,
)
from readproof.cli._output import Json, console, print_json, progress, say, until_closed
from readproof.errors import InputError
from readproof.files import check_place

if TYPE_CHECKING:
    from readproof.api import Run


FAILED = 3

Junit = Annotated[
    Path | None,
    typer.Option("--junit", help="Write the checks as JUnit XML, which a CI shows as tests.", show_default=False),
]
Track = Annotated[
    list[str] | None,
    typer.Option("--track", help="Tell the run to mlflow or wandb, as it is configured; may be repeated."),
]
NoPage = Annotated[bool, typer.Option("--no-page", help="Write no report.html into the run folder.")]


def command(
    reader: Annotated[
        str,
        typer.Argument(
            help="A name (zh), a folder, a hub name, module:function, llm:URL#MODEL, baseline:NAME; zh if not given."
        ),
    ] = "",
    data: Annotated[
        str,
        typer.Argument(help="A data file, its format recognised, or TASK:FILE; a sample of zh-fresh if not given."),
    ] = "",
    attacks: Attacks = "",
    columns: Columns = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The run folder; runs/READER-DATA-… if not given.", show_default=False),
    ] = None,
    suite: Annotated[
        str,
        typer.Option(help="A frozen suite: a name of `readproof suite list`, or a file.", show_default=False),
    ] = "",
    hardened: Annotated[
        str, typer.Option(help="A second reader, to see what it wins back under the same attacks.", show_default=False)
    ] = "",
    fail_under: Annotated[
        str,
        typer.Option(
            help='Thresholds, such as "f1=80,addsent.f1=60,no-passage.f1<=20,reads"; exit status 3 if one is missed.',
            show_default=False,
        ),
    ] = "",
    settings: Settings = None,
    budget: Budget = 0,
    count: Count = 1,
    seed: Seed = 0,
    limit: Limit = None,
    threads: Threads = 0,
    engine: EngineName = "",
    workers: Workers = 0,
    ray_address: RayAddress = "",
    no_answer: Annotated[bool, typer.Option("--no-answer", help='Let the reader say "there is no answer".')] = False,
    full: Annotated[bool, typer.Option("--full", help="Without DATA: the whole suite, no sample of it.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what an earlier run left in the folder.")] = False,
    no_page: NoPage = False,
    dry_run: DryRun = False,
    max_cost: MaxCost = None,
    max_requests: MaxRequests = None,
    no_cache: NoCache = False,
    junit: Junit = None,
    track: Track = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print the rules of the verdict and stop.")] = False,
    as_json: Json = False,
) -> None:
    """Prove that a reader reads: clean score, baselines, probes, attacks, a verdict.

    Everything goes to a run folder, and at the end a page with plots and failures (report.html). A run that was
    interrupted resumes where it was when it is started again. A language model (llm:…) is estimated first: requests,
    tokens, cost and time; --dry-run stops there.

    Examples:

      readproof prove

      readproof prove zh dev.json --attacks all --out runs/mine

      readproof prove --suite zh-fresh my_package:reader

      readproof prove "llm:http://localhost:8080/v1#model" dev.json --dry-run

      readproof prove my_package:reader dev.json --limit 200 --fail-under "f1=80,addsent.kept=0.7,reads"

      readproof prove --explain
    """
    if explain:
        from readproof.proof.verdict import RULES, explained

        if as_json:
            from readproof.codec import to_plain

            print_json({"rules": to_plain(RULES)})
        else:
            typer.echo(explained())
        return
    _check_reader(reader, data)
    if junit is not None:
        check_place(junit)
    for one in track or ():
        one_of("--track", one, ("mlflow", "wandb"))
    from readproof.api import prove
    from readproof.engine import choose
    from readproof.proof.plan import parse_settings, shipped
    from readproof.tasks.sources import with_columns

    if columns and not data:
        raise InputError(place="--columns", found="no DATA", expected="the table that the columns are of")
    runs: list[Run] = []
    names = [reader] if reader else shipped()[:1]
    place = choose(engine, workers=workers, threads=threads, address=ray_address)
    try:
        for name in names:
            watch = ModelWatch(dry=dry_run, as_json=as_json)
            with progress("proving", "questions", watch.note) as tell:
                runs.append(
                    prove(
                        limited(name, max_cost, max_requests, no_cache),
                        with_columns(data, columns) or None,
                        attacks=named(attacks) if attacks else None,
                        out=out,
                        suite=suite or None,
                        hardened=hardened or None,
                        fail_under=fail_under,
                        settings=parse_settings(settings or []),
                        budget=budget,
                        count=count,
                        seed=seed,
                        limit=limit,
                        engine=place,
                        no_answer=no_answer,
                        full=full,
                        fresh=fresh,
                        page=False,  # `show` writes it, and says why if it cannot
                        before=watch.before_run,
                        progress=lambda _what, done, total, tell=tell: tell(done, total),  # type: ignore[misc]
                    )
                )
    except KeyboardInterrupt:
        say("Stopped; what was answered is kept. Run the same command to resume.")
        raise
    show(runs, page=not no_page, junit=junit, trackers=track or (), as_json=as_json)


def _check_reader(reader: str, data: str) -> None:
    """`prove dev.json`: the file is meant as DATA."""
    path = Path(reader)
    if data or not path.is_file():
        return
    from readproof.tasks import recognised

    if recognised(path) is not None:
        raise InputError(
            file=path,
            found="a data file where READER stands",
            expected="READER, then DATA",
            do=f"readproof prove zh {shlex.quote(reader)}",
        )


def show(
    runs: list[Run], *, page: bool, as_json: bool, junit: Path | None = None, trackers: Sequence[str] = ()
) -> None:
    """Finished runs for a person or a program, and as pages; a missed threshold ends with status 3."""
    # first, so that a pipe that is closed early (`| head`) costs no page
    pages = [written(run) if page else None for run in runs]
    if junit is not None:
        from readproof.reports.junit import write_junit

        write_junit(runs, junit)
    for tracker in trackers:
        from readproof.reports.tracking import track

        for run in runs:
            say(f"{tracker}: {track(run, tracker)}")
    if as_json:
        records = [record(run, path) for run, path in zip(runs, pages, strict=True)]
        print_json({"passed": all(run.passed for run in runs), "runs": records})
    else:
        # whoever closes the pipe has seen enough of the table, and still wants to know how it ended
        with suppress(typer.Exit), until_closed():
            for run, path in zip(runs, pages, strict=True):
                typer.echo(run.table(min(140, console().width)))
                typer.echo(f"Run folder: {run.folder}")
                if path:
                    typer.echo(f"Page:       {path}")
                    if (run.folder.parent / "index.html").is_file():
                        typer.echo(f"All runs:   {run.folder.parent / 'index.html'}")
    if not all(run.passed for run in runs):
        raise typer.Exit(FAILED)


def written(run: Run) -> Path | None:
    """The page of a run, made of its files alone; where there is no room for it, that is said and the run stands."""
    from readproof.reports.writing import PAGE, write_report

    try:
        path = write_report(run)
    except (OSError, InputError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        say(f"No page: {run.folder / PAGE}: {why}. `readproof report {shlex.quote(str(run.folder))}` makes it later.")
        return None
    with suppress(OSError, InputError):  # the page of this run is what counts
        _index(run.folder.parent)
    return path


def _index(folder: Path) -> None:
    """The page of all runs, in the folder where they lie by default, and wherever one was asked for before."""
    from readproof.proof.run import RUNS
    from readproof.reports.index import INDEX, write_index

    path = folder / INDEX
    # of another tool's index.html nothing is written over
    ours = path.is_file() and b"<title>readproof: " in path.read_bytes()[:100_000]
    if ours or (folder.name == RUNS.name and not path.exists()):
        write_index(folder)


def record(run: Run, page: Path | None) -> dict[str, Any]:
    """A run as JSON values."""
    from readproof.codec import to_plain
    from readproof.readers.usage import figures_of

    timings = to_plain(run.timings)
    del timings["samples"]
    timings["usage"] = {by: to_plain(figures_of(one)) for by, one in run.timings.usage.items()}
    plain = {"folder": str(run.folder), "scores": to_plain(run.scores), "timings": timings}
    return plain | ({"page": str(page)} if page else {})


# `readproof rescore`: the scores of a run again, from its files alone.


def rescore(
    folder: Annotated[Path, typer.Argument(help="The run folder.")],
    fail_under: Annotated[
        str | None,
        typer.Option(
            help='Other thresholds, such as "f1=80,addsent.f1=60"; the old ones if not given.', show_default=False
        ),
    ] = None,
    no_page: NoPage = False,
    junit: Junit = None,
    track: Track = None,
    as_json: Json = False,
) -> None:
    """Compute the scores, the verdict and the page of a run again; no reader is asked.

    Example:

      readproof rescore runs/mine --fail-under "addsent.kept=0.6"
    """
    from readproof.api import rescore

    show(
        [rescore(folder, fail_under=fail_under, page=False)],
        page=not no_page,
        junit=junit,
        trackers=track or (),
        as_json=as_json,
    )
