"""The training half: the reader goes on learning from each attack in turn, and the study's second table.

    base      an encoder without a head (mBERT, ParsBERT) is fine-tuned first; a trained reader is taken as it is
    ATTACK    `readproof harden` from the base, against this attack alone
    table     base and hardened readers on the original questions and under the attack, renewed against each

Every part is kept. Killed at any moment and started again, it goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from examples.persian_study.evaluate import (
    Asked,
    ask_rows,
    begin_rows,
    make_folder,
    readings_left,
    seconds_each,
)
from examples.persian_study.questions import Parts, answerable, apart, refuse_test_set, sample, split
from examples.persian_study.reporting import reported
from examples.persian_study.rows import ORIGINAL, ROWS, Row, rows_for
from examples.persian_study.tables import Trained
from examples.persian_study.telling import Pace, Say, in_words
from examples.persian_study.trainingplan import DOSES, TrainingPlan, recipe_for
from readproof.errors import InputError, MissingExtraError
from readproof.files import digest
from readproof.readers.card import has_weights
from readproof.readers.factory import load_reader

_ELSEWHERE = "Choose another --out."
_BACKWARD = 3.0  # a training step weighs as much as three readings


def base_reader(plan: TrainingPlan, say: Say) -> str:
    """The reader that is to be evaluated: as it was named, or fine-tuned first where that is an encoder."""
    _need_training()
    base = _Base(plan)
    if not base.is_encoder:
        return plan.reader
    make_folder(plan.out)
    return base.made(_written(plan, _parts(plan)), say)


def train(plan: TrainingPlan, say: Say) -> dict[str, Any]:
    """Do what is not done yet, write the table, and give what is in training.json (nothing for a mere plan)."""
    _need_training()
    for name in plan.attacks:
        if name not in DOSES:
            raise InputError(place="--attacks", found=repr(name), expected=f"some of {', '.join(DOSES)}")
    parts = _parts(plan)
    make_folder(plan.out)
    learnt = _written(plan, parts)
    base = _Base(plan)
    _told_plan(plan, parts, base, say)
    if plan.only_plan:
        return {}
    folder = base.made(learnt, say)
    hardened = {name: _hardened(plan, name, folder, learnt, say) for name in plan.attacks}
    rows = {row.name: row for row in rows_for(plan.attacks, addany=plan.addany)}
    before = _measured(plan, "base", folder, list(rows.values()), parts, say)
    found = []
    for name in plan.attacks:
        pair = [rows[ORIGINAL], rows[name]]
        after = _measured(plan, name, str(hardened[name][0]), pair, parts, say)
        figures = [one for side in (before, after) for one in (side.figures[name], side.originals[name])]
        found.append(Trained(rows[name], *figures))
    return reported(plan, parts, found, {name: notes for name, (_, notes) in hardened.items()}, say)


class _Base:
    """The reader that every hardening begins with."""

    def __init__(self, plan: TrainingPlan) -> None:
        from readproof.readers.factory import READERS
        from readproof.training.begin import read_start
        from readproof.training.readerstart import reader_start

        self.plan = plan
        folder = Path(plan.reader)
        named = plan.reader in READERS
        if not named and not folder.is_dir():
            expected = f"the folder of a span reader or an encoder, or one of {', '.join(READERS.names())}"
            raise InputError(place="--reader", found=f"no folder {plan.reader!r}", expected=expected)
        encoder = not named and not has_weights(folder) and not read_start(folder).is_reader
        self.is_encoder = encoder
        self.tokens = min(plan.max_tokens, (read_start(folder) if encoder else reader_start(plan.reader)).positions)

    def made(self, learnt: Path, say: Say) -> str:
        """The reader as READER; an encoder is fine-tuned as the study did."""
        if not self.is_encoder:
            return self.plan.reader
        from readproof.training.plan import run_plan
        from readproof.training.recipe import Fit, Stage, Teachers, TrainingPlan
        from readproof.training.span import HELD, TRAIN, beside, split_files

        plan, out = self.plan, self.plan.out / "readers" / "base"
        make_folder(out.parent)
        fit = Fit(epochs=plan.epochs, lr=plan.lr, batch=plan.batch, seed=plan.seed)
        how = TrainingPlan(
            name="persian-study",
            teachers=Teachers(stages=(Stage(sets=(TRAIN,), fit=fit),), seeds=(plan.seed,)),
            held={HELD: 1.0},
            language="fa",
            metric="squad2",
            max_tokens=self.tokens,
            overlap=self.tokens // 4,
        )
        work = beside(out)
        say(f"base: {plan.reader} is an encoder, so it is fine-tuned for {plan.epochs} epochs")
        sets, sources = split_files([_named(learnt)], work / "sets", 0.1, unlabelled=False, say=say)
        starts = [Path(plan.reader)]
        with _told_in_our_words():
            return str(run_plan(how, sets=sets, starts=starts, work=work, out=out, sources=sources, say=say).folder)


def _hardened(plan: TrainingPlan, name: str, base: str, learnt: Path, say: Say) -> tuple[Path, Mapping[str, Any]]:
    from readproof.training.adversarial.harden import RECORD, HardenPlan, harden
    from readproof.training.readerstart import reader_start, start_digest

    out = plan.out / "readers" / name
    make_folder(out.parent)
    start = reader_start(base)
    recipe = recipe_for(plan, name, min(plan.max_tokens, start.positions))
    # written again it would be another reader to whoever goes by its files, and its answers would not be its own
    if (out / RECORD).is_file():
        notes: dict[str, Any] = json.loads((out / RECORD).read_text(encoding="utf-8"))
        asked = {"recipe": asdict(recipe), "sources": {"0": digest(learnt)}, "start": start_digest(start)}
        wanted = json.loads(json.dumps(asked, default=str))
        other = [key for key in wanted if notes.get(key) != wanted[key]]
        if other:
            found, expected = f"a reader trained otherwise (its {other[0]} differs)", "the same training"
            raise InputError(file=out, found=found, expected=expected, do=_ELSEWHERE)
        say(f"{name}: done before")
        return out, notes
    how = HardenPlan(reader=base, data=(_named(learnt),), out=out, recipe=recipe, workers=plan.workers)
    with _told_in_our_words():
        outcome = harden(how, say=lambda text: say(f"{name}: {text}"))
    return outcome.folder, outcome.notes


def _measured(plan: TrainingPlan, name: str, reader: str, rows: Sequence[Row], parts: Parts, say: Say) -> Asked:
    """One reader under its rows."""
    opened = load_reader(reader, threads=plan.threads)
    folder = plan.out / "cells" / name
    make_folder(folder)
    begin_rows(folder, rows, fresh=plan.fresh)
    left = sum(readings_left(rows, parts.measured, opened, folder, plan.seed).values())
    each = seconds_each(opened, parts.measured) if left else 0.0
    say(f"measuring {name}: {f'at the most about {in_words(left * each)}' if left else 'done before'}")
    return ask_rows(rows, parts.measured, opened, folder, seed=plan.seed, pace=Pace(left, each, say))


def _parts(plan: TrainingPlan) -> Parts:
    items = answerable(plan.learn)
    refuse_test_set(plan.learn, items)
    parts = apart(items, answerable(plan.data)) if plan.data else split(items)
    return Parts(sample(parts.learnt, plan.learnt_limit), sample(parts.measured, plan.limit), parts.dropped)


def _written(plan: TrainingPlan, parts: Parts) -> Path:
    """What is learnt from, as a file that `readproof harden` reads and a user can look into."""
    from readproof.training.prepare import write_set

    make_folder(plan.out / "data")
    path = plan.out / "data" / "learnt.json"
    write_set(path, parts.learnt)
    return path


@contextmanager
def _told_in_our_words() -> Iterator[None]:
    """A work folder of other settings is inside --out here, so that is what to change."""
    try:
        yield
    except InputError as error:
        do = _ELSEWHERE if "work folder" in error.do else error.do
        raise InputError(
            file=error.file, place=error.place, found=error.found, expected=error.expected, do=do
        ) from None


def _named(path: Path) -> str:
    """By a task of one language: a passage with many Latin letters is Persian too."""
    return f"persianquad:{path}"


def _told_plan(plan: TrainingPlan, parts: Parts, base: _Base, say: Say) -> None:
    where = Path(plan.data).name if plan.data else f"a fifth of {Path(plan.learn).name}"
    say(f"{len(parts.learnt)} questions to learn from, {len(parts.measured)} to measure on ({where})")
    if parts.dropped:
        say(f"  {parts.dropped} left out, as their passages are measured on")
    start = f"an encoder: {plan.epochs} epochs of fine-tuning first" if base.is_encoder else "a reader, taken as it is"
    say(f"  {plan.reader} is {start}")
    each = 0.0 if base.is_encoder else seconds_each(load_reader(plan.reader, threads=plan.threads), parts.measured)
    for name in plan.attacks:
        recipe = recipe_for(plan, name, base.tokens)
        asked = sum(dose.rate * dose.queries() for dose in recipe.doses) * recipe.searched_share()
        readings = len(parts.learnt) * plan.epochs * (asked + _BACKWARD * (1 + sum(dose.rate for dose in recipe.doses)))
        told = f"about {in_words(readings * each)} or more on this CPU" if each else "told when it begins"
        say(f"  {ROWS[name].label}: {plan.epochs} epochs, {told}")
    say("a GPU is used where there is one; stop it when you like, it goes on from its last checkpoint")


def _need_training() -> None:
    try:
        import torch  # noqa: F401
        from transformers.utils import logging
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "torch", "train") from None
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
