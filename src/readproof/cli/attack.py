"""`readproof attack`: a data file attacked, in its own format, with a record of every variant."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readproof.cli._models import DryRun, MaxCost, MaxRequests, ModelWatch, NoCache, limited
from readproof.cli._options import EngineName, RayAddress, Workers
from readproof.cli._output import Json, print_json, print_table, progress, say
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.attacks.job import Effect, Summary
    from readproof.attacks.options.blind import BlindScore

# fewer triples say nothing of what their options give away
_FEWEST_TRIPLES = 20


def command(
    name: Annotated[str, typer.Argument(help="The attack; `readproof list attacks` lists them.")],
    data: Annotated[str, typer.Argument(help="A data file, its format recognised, or TASK:FILE.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the attacked data.")],
    reader: Annotated[
        str, typer.Option(help="Search with this reader's help: a name, a folder, module:function, llm:URL#model.")
    ] = "",
    budget: Annotated[int, typer.Option(min=0, help="Most queries an item; 0 for the attack's own number.")] = 0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same variants.")] = 0,
    count: Annotated[int, typer.Option(min=1, help="Variants an item, without a reader.")] = 1,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="An option of the attack, as NAME=VALUE; may be repeated.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Attack only the first N items.", show_default=False)] = None,
    originals: Annotated[
        bool, typer.Option("--with-originals", help="Write each original before its variants.")
    ] = False,
    engine: EngineName = "",
    workers: Workers = 0,
    ray_address: RayAddress = "",
    threads: Annotated[
        int, typer.Option(min=0, max=1024, help="Threads of each reader; 0 for every core, shared out.")
    ] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what an earlier run left.")] = False,
    dry_run: DryRun = False,
    max_cost: MaxCost = None,
    max_requests: MaxRequests = None,
    no_cache: NoCache = False,
    as_json: Json = False,
) -> None:
    """Attack every question of a data file.

    OUT has the variants in the data's own format; OUT.variants.jsonl says of each where it comes from and what was
    edited. A run that was stopped goes on where it was when it is started again.

    Examples:

      readproof attack addsent dev.json -o attacked.json

      readproof attack addsent dev.json --reader zh --set worst_of=5 -o worst.json

      readproof attack addany dev.json --reader zh --budget 600 --set preset=strong --limit 100 -o words.json
    """
    from readproof.attacks.job import attack_file
    from readproof.attacks.known import make_attack
    from readproof.engine import choose
    from readproof.journal import part_of

    attack = make_attack(name, _options(settings or []))
    start = time.monotonic()
    try:
        watch = ModelWatch(dry=dry_run, as_json=as_json)
        if dry_run and not reader:
            raise InputError(found="--dry-run without --reader", expected="a language model that an attack asks")
        with progress("attacking", "items", watch.note) as tell:
            summary = attack_file(
                data,
                attack,
                out,
                seed=seed,
                count=count,
                reader=limited(reader, max_cost, max_requests, no_cache),
                budget=budget,
                engine=choose(engine, workers=workers, threads=threads, address=ray_address),
                limit=limit,
                originals=originals,
                fresh=fresh,
                progress=tell,
                before=watch.before_search,
            )
    except KeyboardInterrupt:
        say(f"Stopped; what was made is in {part_of(out)}. Run the same command to go on.")
        raise
    seconds = time.monotonic() - start
    blind = _blind(summary) if attack.about.name == "triples" else []
    if as_json:
        print_json(
            _plain(summary) | {"attack": attack.about.name, "seconds": seconds, "blind": list(map(asdict, blind))}
        )
        return
    _tell(summary, seconds)
    if blind:
        _show_blind(blind)


def _blind(summary: Summary) -> list[BlindScore]:
    """What readers without the passage score on the triples that were written; none where there are too few."""
    from readproof.attacks.options.blind import blind_scores
    from readproof.items import Triple
    from readproof.tasks import load

    made = [one for one in load(f"{summary.layout}:{summary.out}") if isinstance(one, Triple)]
    return blind_scores(made) if len(made) >= _FEWEST_TRIPLES else []


def _show_blind(blind: Sequence[BlindScore]) -> None:
    typer.echo(f"made questions that readers without the passage have right (guessing: {blind[0].chance:.1f} %):")
    print_table(
        "",
        ("by", "right", "95 % interval", ""),
        [
            (
                one.reader,
                f"{one.made:.1f} %",
                f"{one.low:.1f} – {one.high:.1f}",
                "guesses" if one.guesses else "gives itself away",
            )
            for one in blind
        ],
        right=(1, 2),
    )


def _options(settings: list[str]) -> dict[str, str]:
    found = {}
    for one in settings:
        key, separator, value = one.partition("=")
        if not separator or not key:
            raise InputError(place="--set", found=repr(one), expected="NAME=VALUE", do="`readproof list attacks NAME`.")
        found[key] = value
    return found


def _plain(summary: Summary) -> dict[str, object]:
    """`asdict` would count the pairs of a Counter, so those go in by hand."""
    from readproof.attacks.quality import quality_of

    named = {name: getattr(summary, name) for name in ("task", "items", "attacked", "variants", "undone", "resumed")}
    counts: dict[str, object] = {"skipped": dict(summary.skipped), "rejected": dict(summary.rejected)}
    counts["strategies"] = {f"{name} {truth}": number for (name, truth), number in sorted(summary.strategies.items())}
    counts["written"] = summary.written
    effect = asdict(summary.effect) if summary.effect else None
    quality = quality_of(summary.read)
    counts["quality"] = asdict(quality) if quality else None
    return named | counts | {"effect": effect, "out": str(summary.out), "record": str(summary.record)}


def _tell(summary: Summary, seconds: float) -> None:
    from readproof.attacks.quality import quality_of
    from readproof.readers.usage import in_words
    from readproof.reports.tables import quality_cells

    again = f", {summary.resumed} of the items before" if summary.resumed else ""
    made = f"{summary.variants} variants of {summary.attacked} items out of {summary.items}"
    typer.echo(f"{made} in {seconds:.1f} s{again}")
    _strategies(summary.strategies)
    for who, one in summary.written.items():
        for line in in_words(one):
            typer.echo(f"{who} {one['model']}: {line}")
    _counts("skipped", summary.skipped)
    _counts("refused by a check", summary.rejected)
    if summary.undone:
        typer.echo(f"undone by the sanitiser: {summary.undone} of {summary.variants}")
    if summary.effect is not None:
        _effect(summary.effect)
    quality = quality_of(summary.read)
    if quality is not None:
        edited, bleu, perplexity, grammar = quality_cells(quality)
        more = f"; perplexity {perplexity}; grammar {grammar}" if perplexity else ""
        typer.echo(f"how variants read: {edited} edited; BLEU {bleu}{more}")
    name = f"{summary.layout}:{summary.out}"
    typer.echo(f"data: {summary.out} (name it as {shlex.quote(name)} where it is not recognised)")
    typer.echo(f"record: {summary.record}")


def _strategies(counts: Counter[tuple[str, str]]) -> None:
    """How many options each strategy made, as the task's paper counts them."""
    names = sorted({name for name, _ in counts}, key=lambda name: -counts[name, "kept"] - counts[name, "flipped"])
    if names:
        rows = [(name, str(counts[name, "kept"]), str(counts[name, "flipped"])) for name in names]
        print_table("", ("strategy", "truth kept", "truth flipped"), rows, right=(1, 2))


def _counts(what: str, counts: Counter[str]) -> None:
    if counts:
        reasons = ", ".join(f"{reason} {number}" for reason, number in counts.most_common())
        typer.echo(f"{what}: {sum(counts.values())} ({reasons})")


def _effect(effect: Effect) -> None:
    def mean(value: float) -> float:
        return 100 * value / effect.items if effect.items else 0.0

    clean, attacked = mean(effect.clean), mean(effect.attacked)
    share = f" ({100 * attacked / clean:.0f} % of clean)" if clean else ""
    typer.echo(
        f"F1 {clean:.2f} clean, {attacked:.2f} attacked{share}; {effect.queries / effect.items:.0f} queries an item"
    )
    before, after = mean(effect.expected_clean), mean(effect.expected_attacked)
    typer.echo(f"expected F1 by the reader's own probabilities: {before:.2f} clean, {after:.2f} attacked")
    typer.echo(f"answer becomes wrong: {effect.wrong} of {effect.right}; belief in the gold falls: {effect.shaken}")
