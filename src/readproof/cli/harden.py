"""`readproof harden`: a trained reader goes on learning from what attacks make of its questions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._options import Work, given, need_training
from readproof.cli._options import named as split
from readproof.cli._output import Json, print_json, print_table, say
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.training.adversarial.recipe import Recipe
    from readproof.training.plan import TrainingOutcome

_FAILED = 3


def command(
    reader: Annotated[str, typer.Argument(help="A trained span reader's folder, or the name of a shipped one (zh).")],
    data: Annotated[list[str], typer.Argument(help="Files with span questions, or the folder of public files.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder to write the hardened reader to.")],
    recipe: Annotated[
        str | None,
        typer.Option(
            help="How to harden: harden-zh (a BERT, by narrow changes), harden-free (any encoder, all weights), or a "
            ".toml file. Left out: harden-zh where it fits the reader and --embeddings, else harden-free."
        ),
    ] = None,
    attack: Annotated[
        list[str] | None,
        typer.Option(
            "--attacks",
            "--attack",
            help="NAME, NAME:RATE or NAME:RATE:BUDGET in place of the recipe's; with commas, or repeated.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="An option of an attack, as ATTACK.NAME=VALUE.")
    ] = None,
    embeddings: Annotated[
        str | None, typer.Option(help="none, fgm:SIZE or pgd:SIZE,STEP,STEPS on the word vectors.")
    ] = None,
    consistency: Annotated[float | None, typer.Option(min=0.0, help="Weight: attacked reading as clean.")] = None,
    distil: Annotated[float | None, typer.Option(min=0.0, help="Weight: clean reading as before.")] = None,
    carried: Annotated[float | None, typer.Option(min=0.0, help="Weight: attacked reading as clean before.")] = None,
    gold: Annotated[float | None, typer.Option(min=0.0, help="Weight of the gold answers.")] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="How often all questions are seen.")] = None,
    lr: Annotated[float | None, typer.Option(min=0.0, help="The highest learning rate.")] = None,
    batch: Annotated[int | None, typer.Option(min=1, help="Windows a step, clean and attacked.")] = None,
    ema: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Decay of averaged weights; 0: none.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed of attacks, order and dropout.")] = None,
    held: Annotated[
        list[str] | None, typer.Option("--held", help="Files to hold out, in place of a part of the passages.")
    ] = None,
    held_out: Annotated[float | None, typer.Option(help="Part of the passages that is held out.")] = None,
    lost: Annotated[float | None, typer.Option(min=0.0, help="Clean F1 that an epoch may lose to be chosen.")] = None,
    patience: Annotated[int | None, typer.Option(min=1, help="Epochs without a better clean loss.")] = None,
    look: Annotated[int | None, typer.Option(min=1, help="Held-out questions attacked after each epoch.")] = None,
    questions: Annotated[int | None, typer.Option(min=1, help="Held-out questions of the table.")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=16, help="Tokens a window.")] = None,
    work: Work = None,
    workers: Annotated[
        int | None, typer.Option(min=0, max=256, help="Processes that make attacks; all cores but one if left out.")
    ] = None,
    deterministic: Annotated[bool, typer.Option(help="On a GPU: kernels that give the same weights again.")] = True,
    as_json: Json = False,
) -> None:
    """Harden a reader against attacks that are renewed against it every epoch.

    OUT is a reader's folder like those of `train span`, with hardening.json: the table of clean and attacked scores
    before and after, and all that was noted. A run that was killed goes on when the same command is given again. The
    status is 3 where no epoch read clean questions nearly as well as before.

    Examples:

      readproof harden zh train.json -o zh-hard

      readproof harden my-reader train.json -o hard --attacks addsent:0.3,addany:0.2:60 --embeddings fgm:1.0
    """
    need_training()
    from readproof.training.adversarial.harden import HardenPlan, harden
    from readproof.training.adversarial.recipe import find_recipe

    fit = given({"epochs": epochs, "lr": lr, "batch": batch, "ema": ema, "seed": seed})
    weights = {"consistency": consistency, "distil": distil, "carried": carried, "gold": gold}
    more = given(weights | {"held_out": held_out, "lost": lost, "patience": patience, "look": look})
    more |= given({"table": questions, "max_tokens": max_tokens})
    if max_tokens is not None:
        more["overlap"] = max_tokens // 4
    named = find_recipe(recipe or _usual(reader, embeddings))
    say(f"recipe: {named.name or recipe}")
    chosen = _changed(named, split(attack or []), settings or [], embeddings, fit, more)
    plan = HardenPlan(
        reader=reader,
        data=tuple(data),
        out=out,
        recipe=chosen,
        held=tuple(held or ()),
        work=work,
        workers=workers,
        deterministic=deterministic,
    )
    outcome = harden(plan, say=say)
    _report(outcome, as_json)
    if not outcome.notes["kept_clean"]:
        clean = outcome.notes["clean"]
        say(f"no epoch kept the clean F1: {clean['lost']:.2f} lost, {chosen.lost:g} allowed; the best of them was kept")
        raise typer.Exit(_FAILED)


def _usual(reader: str, embeddings: str | None) -> str:
    """The recipe for a reader: narrow changes where they can be learnt, and where no word vectors are to be pushed."""
    from readproof.readers.card import has_weights
    from readproof.training.begin import is_own

    folder = Path(reader)
    own = not folder.is_dir() or has_weights(folder) or is_own(folder)
    return "harden-zh" if own and embeddings in (None, "none") else "harden-free"


def _changed(
    recipe: Recipe,
    attacks: list[str],
    settings: list[str],
    embeddings: str | None,
    fit: dict[str, Any],
    more: dict[str, Any],
) -> Recipe:
    """The recipe with what was said on the command line."""
    from readproof.proof.plan import parse_settings
    from readproof.training.adversarial.recipe import check_recipe, dose_of, push_of

    if settings and not attacks:
        raise InputError(place="--set", found="no --attacks", expected="the attack that it belongs to")
    if attacks:
        options = parse_settings(settings)
        more["doses"] = tuple(dose_of(one, options) for one in attacks)
        unknown = [name for name in options if name not in {dose.attack for dose in more["doses"]}]
        if unknown:
            raise InputError(place="--set", found=repr(unknown[0]), expected="one of the names of --attacks")
    if embeddings is not None:
        more["push"] = push_of(embeddings)
    changed = replace(recipe, fit=replace(recipe.fit, **fit), **more)
    check_recipe(changed)
    return changed


def _report(outcome: TrainingOutcome, as_json: bool) -> None:
    from readproof.training.adversarial.table import HEADS, rows

    notes = outcome.notes
    if as_json:
        kept = ("clean", "kept_clean", "table", "training", "questions", "seconds", "device")
        print_json({"reader": str(outcome.folder), **{name: notes[name] for name in kept}})
        return
    table = notes["table"]
    title = f"{table['before']['clean']['questions']} held-out questions; attacks renewed against each reader"
    print_table(title, HEADS, rows(table["before"], table["after"]), right=(1, 2, 3, 4, 5))
    clean = notes["clean"]
    typer.echo(
        f"clean F1, all held-out questions: {clean['before']['f1']:.2f} before, {clean['after']['f1']:.2f} after"
    )
    typer.echo(f"{outcome.folder} ({notes['training'].get('chosen', '')})")
