"""`readproof review`: people judge variants without seeing what the attack claims; agreement and what is confirmed."""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readproof.cli._models import MaxCost, MaxRequests, NoCache, limited
from readproof.cli._output import Json, print_json, print_table, progress, say
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.attacks.review import ReviewCard, Reviewed
    from readproof.attacks.writers.judging import ModelJudge
    from readproof.items import Variant

_KEYS = {"y": "yes", "n": "no", "u": "unsure"}


def command(
    variants: Annotated[Path, typer.Argument(help="OUT.variants.jsonl, as `readproof attack` writes it.")],
    by: Annotated[str, typer.Option(help="Your name: judge the variants.")] = "",
    judgements: Annotated[
        list[Path] | None,
        typer.Option("--judgements", "-j", help="A file of judgements; with --by it is the one to write."),
    ] = None,
    after: Annotated[Path | None, typer.Option(help="Judge only what this annotator's judgements confirm.")] = None,
    between: Annotated[
        list[Path] | None,
        typer.Option("--between", help="Judge only what these judgements disagree on; may be repeated."),
    ] = None,
    adjudicator: Annotated[str, typer.Option(help="Whose judgements decide where there are any.")] = "",
    sample: Annotated[int, typer.Option(min=0, help="Judge N variants drawn at random; 0 for all.")] = 0,
    seed: Annotated[int, typer.Option(help="The seed of the sample.")] = 0,
    judge: Annotated[
        str, typer.Option(help="Let a language model judge: llm:ADDRESS#MODEL; marked as a model's judgements.")
    ] = "",
    max_cost: MaxCost = None,
    max_requests: MaxRequests = None,
    no_cache: NoCache = False,
    page: Annotated[bool, typer.Option("--page", help="Judge on a local page instead of in the terminal.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The page's port; 0 for any free one.")] = 0,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the confirmed variants here.")] = None,
    as_json: Json = False,
) -> None:
    """Judge variants, or sum up what was judged.

    With --by you see one variant after another and say whether it is fluent and what is true. Every judgement is kept
    at once, and the same command goes on where you stopped. Without --by all judgements are summed up: shares,
    agreement (Cohen's kappa), and the variants that everybody confirmed. Of a triple every changed option is judged,
    and it is confirmed when all of them are. What two judges disagree on a third one decides. With --judge a language
    model is asked the same; its judgements are marked (model:NAME) and compared with those of people; they confirm
    nothing.

    Examples:

      readproof review attacked.json.variants.jsonl --by Li --sample 100 -j li.jsonl

      readproof review attacked.json.variants.jsonl --by Wang --after li.jsonl -j wang.jsonl --page

      readproof review attacked.json.variants.jsonl --by Chen --between li.jsonl --between wang.jsonl -j chen.jsonl

      readproof review attacked.json.variants.jsonl --judge "llm:http://localhost:8080/v1#model" -j model.jsonl

      readproof review attacked.json.variants.jsonl -j li.jsonl -j wang.jsonl -o confirmed.variants.jsonl
    """
    from readproof.attacks.review import (
        confirmed_of,
        disputed,
        drawn,
        judged_variants,
        read_judgements,
        reviewed,
    )
    from readproof.files import check_apart, check_place

    known = judged_variants(variants)
    files = judgements or []
    model = _model_judge(limited(judge, max_cost, max_requests, no_cache), by) if judge else None
    by = model.by if model is not None else by
    if not by:
        if not files:
            raise InputError(found="neither --by nor --judgements", expected="one of them")
        found = reviewed(known, [one for path in files for one in read_judgements(path)], adjudicator)
        if out is not None:
            check_apart(out, variants, *files)
            _write(confirmed_of(variants, found.confirmed), out)
        _tell(found, out, as_json)
        return
    if as_json:
        raise InputError(found="--json with --by or --judge", expected="one of them: --json sums up")
    if len(files) != 1:
        raise InputError(place="--judgements", found=f"{len(files)} files", expected="one file to write to")
    check_place(files[0])
    check_apart(files[0], variants, after, *(between or []))
    chosen = _confirmed(known, after) if after is not None else known
    if between:
        chosen = disputed([one for path in between for one in read_judgements(path)], chosen)
    wanted = drawn(chosen, sample, seed)
    done = {one.variant for one in read_judgements(files[0]) if one.by == by} if files[0].exists() else set()
    left = [variant for variant in wanted if variant.item.id not in done]
    if not left:
        again = shlex.join(("readproof", "review", str(variants), "-j", str(files[0])))
        say(f"All {len(wanted)} variants are judged; sum up with: {again}")
        return
    if model is not None:
        _judged_by(model, left, files[0])
    elif page:
        from readproof.cli._review_page import serve

        serve(left, by, files[0], port, say)
    else:
        _judge(left, by, files[0], len(wanted))


def _model_judge(spec: str, by: str) -> ModelJudge:
    from readproof.attacks.writers.judging import ModelJudge

    if by:
        found = "--judge with --by"
        raise InputError(found=found, expected="one of them", do="A model judges under its own name.")
    return ModelJudge(spec)


def _judged_by(model: ModelJudge, left: list[Variant], path: Path) -> None:
    """Judgements of a model, each kept as it comes."""
    from readproof.attacks.review import keep
    from readproof.readers.usage import brief, figures_of, in_words

    done = 0
    with progress("judging", "variants", lambda: brief(model.usage())) as tell:
        for done, said in enumerate(model.judgements(left), start=1):
            keep(path, said)
            tell(done + model.silent, len(left))
    typer.echo(f"{model.by}: {done} of {len(left)} variants judged; what a model says confirms nothing by itself")
    if model.silent:
        typer.echo(f"{model.by}: said neither yes nor no of {model.silent} variants, which stay unjudged")
    typer.echo(f"{model.by}: {in_words(figures_of(model.usage()))[0]}")
    say(f"judgements: {path}")


def _confirmed(known: list[Variant], path: Path) -> list[Variant]:
    from readproof.attacks.review import agrees, read_judgements

    said = {one.variant: one for one in read_judgements(path)}
    return [one for one in known if one.item.id in said and agrees(said[one.item.id], one)]


def _judge(left: list[Variant], by: str, path: Path, total: int) -> None:
    from readproof.attacks.review import Judgement, card_of, keep

    if not sys.stdin.isatty():
        say("Answers are read from standard input, one line a question.")
    for number, variant in enumerate(left, start=total - len(left) + 1):
        typer.echo(f"\n── {number} of {total} ──")
        typer.echo(shown(card_of(variant), colour=sys.stdout.isatty()))
        fluent = _ask("Is it fluent enough for a person? [y/n, q to stop] ", "ynq")
        if fluent == "q":
            break
        holds = _ask(f"{card_of(variant).asked} [y/n/u, q to stop] ", "ynuq")
        if holds == "q":
            break
        said = Judgement(variant=variant.item.id, by=by, fluent=fluent == "y", holds=_KEYS[holds])  # type: ignore[arg-type]
        keep(path, said)
    say(f"judgements: {path}")


def shown(card: ReviewCard, *, colour: bool) -> str:
    """A card for the terminal: edits between marks, in bold where there is colour."""
    open_mark, close_mark = ("\x1b[1;33m", "\x1b[0m") if colour else ("⟦", "⟧")
    text = card.text
    for start, end in reversed(card.changes):
        text = text[:start] + open_mark + text[start:end] + close_mark + text[end:]
    lines = [text, f"question: {card.question}"]
    if card.before:
        lines.append(f"before:   {card.before}")
    lines.append(f"{'answer:  ' if card.kind == 'span' else 'now:     '} {card.after}")
    return "\n".join(lines)


def _ask(prompt: str, keys: str) -> str:
    while True:
        typer.echo(prompt, nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            return "q"
        given = line.strip().lower()[:1]
        if given and given in keys:
            return given


def _write(variants: list[Variant], out: Path) -> None:
    import json

    from readproof.attacks.records import to_line
    from readproof.files import writing

    with writing(out) as file:
        for variant in variants:
            file.write(json.dumps(to_line(variant), ensure_ascii=False) + "\n")


def _tell(found: Reviewed, out: Path | None, as_json: bool) -> None:
    if as_json:
        judged = {judge: dict(shares) for judge, shares in found.judges.items()}
        pairs = [asdict(one) for one in found.agreement]
        print_json(
            {
                "variants": found.variants,
                "confirmed": len(found.confirmed),
                "judges": judged,
                "agreement": pairs,
                "out": str(out) if out else None,
            }
        )
        return
    rows = [
        (judge, f"{one['variants']:.0f}", *(f"{100 * one[key]:.0f} %" for key in ("fluent", "true", "both")))
        for judge, one in found.judges.items()
    ]
    heads = ("judge", "variants", "fluent", "true to label", "both")
    print_table("", heads, rows, right=range(1, 5))
    for pair in found.agreement:
        typer.echo(
            f"{pair.one} and {pair.other}, {pair.variants} variants: fluent {100 * pair.fluent:.0f} % the same "
            f"(kappa {_kappa(pair.kappa_fluent)}), truth {100 * pair.holds:.0f} % (kappa {_kappa(pair.kappa_holds)})"
        )
    typer.echo(f"confirmed by all who judged them: {len(found.confirmed)} of {found.variants}")
    if out is not None:
        typer.echo(f"confirmed variants: {out}")


def _kappa(value: float | None) -> str:
    return "none: one verdict only" if value is None else f"{value:.2f}"
