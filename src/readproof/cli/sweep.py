"""`readproof sweep`: one language model asked in many ways, in one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._models import DryRun, MaxCost, MaxRequests, NoCache, limited
from readproof.cli._options import Limit, named
from readproof.cli._output import Json, print_json, print_table, progress, say

if TYPE_CHECKING:
    from readproof.items import Item
    from readproof.readers.llm.reader import LanguageModelReader
    from readproof.readers.llm.sweep import Sweep, SweepRow


def command(
    reader: Annotated[str, typer.Argument(help="llm:ADDRESS#MODEL, with options that hold for every row.")],
    data: Annotated[str, typer.Argument(help="A data file with gold answers, or TASK:FILE.")],
    prompts: Annotated[
        str, typer.Option(help="Prompts with commas: names, or paths of .toml files.")
    ] = "independent,winner,table5",
    joined: Annotated[
        str,
        typer.Option(
            help="How prompts for triples are joined, with commas: alone, turns, text [as each prompt has it].",
            show_default=False,
        ),
    ] = "",
    letters: Annotated[str, typer.Option(help="How the letter is found, with commas: generate, likelihood.")] = (
        "generate"
    ),
    shuffle: Annotated[str, typer.Option(help="Orders of the options to ask under, with commas: 1,3.")] = "1",
    constrain: Annotated[str, typer.Option(help="Constraints, with commas: off, json, grammar.")] = "off",
    limit: Limit = None,
    dry_run: DryRun = False,
    max_cost: MaxCost = None,
    max_requests: MaxRequests = None,
    no_cache: NoCache = False,
    as_json: Json = False,
) -> None:
    """Ask a language model in many ways and score each: prompts, joining, letters, orders of the options.

    Every combination answers the same items, and the best comes first. What does not go together is left out and named.
    Choose on a slice of the development data and report another one: the best of many is best by chance too.

    Examples:

      readproof sweep "llm:http://localhost:8080/v1#model" gcrc:dev.json --limit 40

      readproof sweep "llm:http://localhost:8080/v1#model" gcrc:dev.json --prompts table5 --joined alone,turns,text

      readproof sweep "llm:http://localhost:8080/v1#model" gcrc:dev.json --letters generate,likelihood --shuffle 1,3
    """
    from readproof.readers.llm.sweep import sweep

    grid = {
        "prompt": named(prompts),
        "joined": named(joined) or [""],
        "constrain": named(constrain) or [""],
        "letters": named(letters) or [""],
        "shuffle": named(shuffle) or [""],
    }
    readers: list[LanguageModelReader] = []

    def before(asked: Sequence[tuple[LanguageModelReader, list[tuple[Item, ...]]]]) -> None:
        readers.extend(one for one, _ in asked)
        _estimated(asked, dry=dry_run, as_json=as_json)

    def note() -> str:
        from readproof.readers.usage import Usage, brief

        total = Usage()
        for one in readers:
            total = total.plus(one.usage())
        return brief(total)

    with progress("sweeping", "questions", note) as tell:
        spec = limited(reader, max_cost, max_requests, no_cache)
        found = sweep(spec, data, grid, limit=limit, progress=tell, before=before)
    if as_json:
        print_json(
            {
                "task": found.task,
                "items": found.items,
                "rows": [_plain(row) for row in found.rows],
                "left_out": [{"options": name, "why": why} for name, why in found.left],
            }
        )
        return
    _show(found)


def _estimated(
    asked: Sequence[tuple[LanguageModelReader, list[tuple[Item, ...]]]], *, dry: bool, as_json: bool
) -> None:
    """What all combinations will take together."""
    from readproof.readers.llm.estimate import answering
    from readproof.readers.usage import money, short
    from readproof.readers.usage import seconds as in_time

    estimates = [answering(reader, groups, dry=dry) for reader, groups in asked]
    total: dict[str, Any] = {
        name: sum(getattr(one, name) for one in estimates) for name in ("requests", "cached", "tokens_in", "tokens_out")
    }
    for name in ("cost", "seconds"):
        known = [getattr(one, name) for one in estimates if getattr(one, name) is not None]
        total[name] = sum(known) if known else None
    if dry and as_json:
        print_json({"estimate": {**total, "combinations": len(asked)}})
        raise typer.Exit
    cost = "" if total["cost"] is None else f", cost {money(total['cost'])}"
    time = "" if total["seconds"] is None else f", {in_time(total['seconds'])}"
    say(
        f"Estimate: {len(asked)} combinations, about {total['requests']:,} requests to ask "
        f"({total['cached']:,} more are in the cache), "
        f"{short(total['tokens_in'])} tokens in, {short(total['tokens_out'])} out{cost}{time}"
    )
    if dry:
        raise typer.Exit


def _plain(row: SweepRow) -> dict[str, Any]:
    score = row.score
    return {
        "options": dict(row.options),
        "official": dict(score.official),
        "exact": dict(score.exact),
        "intervals": {name: list(pair) for name, pair in score.intervals.items()},
        "language_model": dict(row.figures),
    }


def _show(found: Sweep) -> None:
    from readproof.readers.usage import money, seconds

    first = found.rows[0]
    names = list(first.score.exact)
    options = [name for name in first.options if name in ("prompt", *_varied(found))]
    heads = [*options, *names, "unparsed", "tokens in", "out", "s a request", "independent"]
    costs = "cost" in first.figures
    rows = []
    for row in found.rows:
        figures = row.figures
        asked = figures["requests"] + figures["cache_hits"]
        spent = sum(figures.get("latencies", ())) or figures["seconds"] + figures["cached_seconds"]
        rows.append(
            [
                *(row.options.get(name, "") for name in options),
                *(_figure(row, name) for name in names),
                f"{figures['unparsed_rate']:.0%}" if "unparsed_rate" in figures else "",
                f"{figures['tokens_in'] + figures['cached_tokens_in']:,}",
                f"{figures['tokens_out'] + figures['cached_tokens_out']:,}",
                seconds(spent / asked) if asked else "",
                "yes" if figures["independent"] else "no",
                *([money(figures["cost_without_cache"])] if costs else []),
            ]
        )
    print_table(
        f"{found.task}: {found.items} items",
        [*heads, *(["cost"] if costs else [])],
        rows,
        right=range(len(options), 40),
    )
    typer.echo("Tokens, times and costs are of all requests, those that came from the cache as they were when asked.")
    for name, why in found.left:
        typer.echo(f"left out: {name} ({why})")


def _varied(found: Sweep) -> list[str]:
    """The options of which there is more than one value."""
    names = {name for row in found.rows for name in row.options}
    return sorted(name for name in names if len({row.options.get(name, "") for row in found.rows}) > 1)


def _figure(row: SweepRow, name: str) -> str:
    score = row.score
    scale = 100 if max(score.exact.values(), default=0.0) <= 1 and score.task == "gcrc" else 1
    sure = score.intervals.get(name)
    more = f" ({scale * sure[0]:.0f}–{scale * sure[1]:.0f})" if sure else ""
    return f"{scale * score.exact[name]:.1f}{more}"
