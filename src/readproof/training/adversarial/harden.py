"""Hardening as one call: from a trained reader and questions to the hardened reader and the table of what it gained.

    before    the reader as it is: clean, and under every attack
    harden    the training (see `loop`)
    after     the hardened reader, under the same attacks renewed against it

Every part is kept in the work folder; killed at any moment and called again, a run goes on from its last checkpoint
and, on the same device, ends with the same weights.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from readproof.errors import InputError
from readproof.files import check_folder, writing
from readproof.lang.forms import FORM_VERSION
from readproof.readers.base import READERS
from readproof.training.adversarial.choosing import Chooser
from readproof.training.adversarial.crew import Crew, usual_workers
from readproof.training.adversarial.data import Questions, read_questions
from readproof.training.adversarial.loop import Course, telling, train
from readproof.training.adversarial.reading import TorchWindows, preparing
from readproof.training.adversarial.recipe import Recipe, check_recipe, names_of
from readproof.training.adversarial.renewal import Renewal, data_hash
from readproof.training.adversarial.repeatable import repeatable
from readproof.training.adversarial.table import CLEAN, budgets, figures, plain
from readproof.training.adversarial.workshop import Workshop
from readproof.training.begin import Start
from readproof.training.bench import scores
from readproof.training.clock import Clock
from readproof.training.device import device_name, pick_device
from readproof.training.learner import OnEncoder, SpanLearner
from readproof.training.measure import Prepared, log_probabilities, measure
from readproof.training.narrow import narrowed
from readproof.training.plan import Outcome, versions
from readproof.training.prepare import prepare_sets
from readproof.training.readerstart import reader_start, start_digest
from readproof.training.site import Say
from readproof.training.span import beside
from readproof.training.windows import Windows
from readproof.training.work import Work

BEFORE, JOB, AFTER, SAID = "before", "harden", "after", "clean"
RECORD = "hardening.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class HardenPlan:
    """What is hardened, by what, and where it goes. `workers` None: as many as there are cores to spare."""

    reader: str
    data: tuple[str, ...]
    out: Path
    recipe: Recipe
    held: tuple[str, ...] = ()
    work: Path | None = None
    workers: int | None = None
    deterministic: bool = True
    save_every: float = 120.0


def harden(plan: HardenPlan, *, say: Say = lambda _: None) -> Outcome:
    """Train by a plan; the reader is in `plan.out`, the table and all that was noted in its hardening.json."""
    check_recipe(plan.recipe)
    check_folder(plan.out)
    start = reader_start(plan.reader)
    _check_start(plan, start)
    recipe = plan.recipe
    data, held = _files(plan, say)
    questions = read_questions(
        data,
        held,
        recipe.held_out,
        look=recipe.look,
        table=recipe.table,
        impossible=recipe.impossible,
        say=say,
    )
    work = Work(plan.work or beside(plan.out))
    facts = {
        "recipe": asdict(recipe),
        "sources": questions.sources,
        "data": data_hash(questions.items),
        "questions": {"learnt": len(questions.learnt), "held": len(questions.held)},
        "start": start_digest(start),
        "form": FORM_VERSION,
    }
    work.claim(facts)
    prepare = preparing(start, max_tokens=recipe.max_tokens, overlap=recipe.overlap)
    shop = Workshop(questions.items, recipe.doses, prepare)
    # before the device is touched: a process that is forked later could not use it, nor leave it alone
    crew = Crew(shop, usual_workers() if plan.workers is None else plan.workers)
    try:
        run = _Run(plan, start, questions, work, shop, crew, say)
        record = {**facts, **run.result()}
    finally:
        crew.close()
    folder = start.write(plan.out, work.load(JOB), _notes(record), max_tokens=recipe.max_tokens)
    with writing(folder / RECORD) as file:
        file.write(json.dumps(record, ensure_ascii=False, indent=1, default=str) + "\n")
    say(f"written: {folder}")
    return Outcome(folder, record)


class _Run:
    """The three parts of one hardening."""

    def __init__(
        self, plan: HardenPlan, start: Start, questions: Questions, work: Work, shop: Workshop, crew: Crew, say: Say
    ) -> None:
        self.plan, self.recipe, self.start, self.questions = plan, plan.recipe, start, questions
        self.work, self.shop, self.crew, self.say = work, shop, crew, say
        self.device = pick_device()
        self.renewal = Renewal(self.recipe, shop, crew, questions.learnt, work.folder / "attacks")
        self.clean: Windows = self.renewal.clean_windows()
        self.held: Prepared = shop.prepare(questions.held_items())
        self.clock = Clock(self._units())
        self.repeatable = self._repeatable()

    def result(self) -> dict[str, Any]:
        """Do what is not done yet."""
        share = self.recipe.searched_share()
        part = f"; searches for {100 * share:.0f} % of them" if share < 1 else ""
        self.say(
            f"{device_name(self.device)}, {len(self.crew)} processes; attacks: {names_of(self.recipe.doses)}{part}"
        )
        begun = time.monotonic()
        before = self.table(BEFORE)
        self.train(before)
        after = self.table(AFTER)
        done = self.work.result(JOB) or {}
        lost = before["clean"]["f1"] - after["clean"]["f1"]
        return {
            "clean": {"before": before["clean"], "after": after["clean"], "lost": round(lost, 4)},
            "kept_clean": lost <= self.recipe.lost,
            "table": {"before": before["table"], "after": after["table"]},
            "training": done,
            "seconds": round(time.monotonic() - begun, 1),
            "device": device_name(self.device),
            "repeatable": self.repeatable,
            "versions": {**versions(), **self.start.made_with},
        }

    def _repeatable(self) -> bool:
        """Whether the same run would give the same weights again on this device."""
        if not self.plan.deterministic:
            torch.use_deterministic_algorithms(False)
            return self.device.type == "cpu"
        found = repeatable(self.reader(trained=False), self.recipe, self.clean)
        if not found:
            self.say("some kernel of this device has no repeatable form: another run may differ in the last bits")
        return found

    def reader(self, *, trained: bool) -> SpanLearner:
        state = self.work.load(JOB) if trained else self.start.state()
        return self.start.reader(state, dropout=self.recipe.dropout).to(self.device)

    def _learner(self) -> SpanLearner:
        """The reader that is trained; it begins as the reader before."""
        reader = self.reader(trained=False)
        if not self.recipe.rank:
            return reader
        torch.manual_seed(self.recipe.fit.seed)  # the narrow views are drawn from it
        if not isinstance(reader, OnEncoder):
            found, expected = "an encoder that is not our own", "no rank"
            raise InputError(file=self.plan.reader, found=found, expected=expected)
        narrowed(reader, self.start.state(), self.recipe.rank)
        return reader.to(self.device)

    def table(self, job: str) -> dict[str, Any]:
        """The clean held-out scores, and the table under every attack, of the reader before or after."""
        found = self.work.result(job)
        if found is None:
            reader = self.reader(trained=job == AFTER).eval()
            found = {
                "clean": self._clean_scores(reader),
                "table": self._figures(reader, self.questions.table, self.recipe.table_budgets, seed=0, job=job),
            }
            self.say(
                f"{job}: clean {found['clean']['f1']:.2f}; {_in_words(found['table'])} {self.clock.left()}".strip()
            )
            self.work.finish(job, found)
        self.clock.finish(job)
        return found

    def train(self, before: Mapping[str, Any]) -> None:
        if self.work.result(JOB) is not None:
            self.say(f"{JOB}: done before")
            return
        recipe, begun = self.recipe, time.monotonic()
        said = self._said()
        reader = self._learner()

        def look(one: SpanLearner, epoch: int) -> dict[str, Any]:
            job = f"look-{epoch + 1}"
            found = {
                "clean": self._clean_scores(one),
                "attacked": self._figures(one.eval(), self.questions.look, {}, seed=1, job=job),
            }
            self.clock.finish(job)
            return found

        chooser = Chooser(recipe, self.work, JOB, reader, before, look, self.say)
        course = Course(
            recipe=recipe,
            reader=reader,
            clean=self.clean,
            said=said,
            renewal=self.renewal,
            checkpoint=self.work.checkpoint(JOB),
            clock=self.clock,
            say=self.say,
            save_every=self.plan.save_every,
        )
        train(course, chooser.after_epoch, stopped=chooser.stopped and bool(chooser.points))
        for job in self._epochs():
            self.clock.finish(job)
        facts = self.work.facts(JOB)
        seconds = round(time.monotonic() - begun, 1)
        result = {"chosen": facts["point"], "points": chooser.points, "windows": len(self.clean), "seconds": seconds}
        self.work.finish(JOB, result)
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

    def _figures(
        self, reader: SpanLearner, numbers: tuple[int, ...], more: Mapping[str, int], *, seed: int, job: str
    ) -> dict[str, Any]:
        doses = budgets(self.recipe.doses, more)
        model = TorchWindows(reader)
        return plain(
            figures(
                doses,
                numbers,
                self.shop,
                self.crew,
                model,
                seed=seed,
                on_done=telling(self.clock, job, self.say),
            )
        )

    def _clean_scores(self, reader: SpanLearner) -> dict[str, Any]:
        """The held-out questions as they are, by the measure of their language."""
        chinese = all(item.language == "zh" for item in self.questions.held_items())
        return scores(measure([reader], self.held, metric="cmrc" if chinese else "squad2"))

    def _said(self) -> NDArray[np.float16] | None:
        """What the reader says of the clean windows before anything is changed in it."""
        if not self.recipe.distil and not self.recipe.carried:
            return None
        said = self.work.said(SAID)
        if said is None or len(said) != len(self.clean.ids):
            said = log_probabilities([self.reader(trained=False).eval()], self.clean)
            self.work.keep_said(SAID, said)
        return said

    def _epochs(self) -> list[str]:
        return [
            f"{part}-{epoch + 1}" for epoch in range(self.recipe.fit.epochs) for part in ("renewal", "epoch", "look")
        ]

    def _units(self) -> dict[str, float]:
        """How heavy each part is, in windows read; a backward pass weighs as much as two readings."""
        recipe, held = self.recipe, len(self.held.windows)
        asked = sum(dose.rate * dose.queries() for dose in recipe.doses) * recipe.searched_share()
        passes = 3.0 * (1 + recipe.push.passes) * (1 + sum(dose.rate for dose in recipe.doses))
        weights = {"renewal": asked * len(self.clean), "epoch": passes * len(self.clean)}
        weights["look"] = held + sum(2.0 + many for _, many in budgets(recipe.doses, {})) * len(self.questions.look)
        tables = held + sum(2.0 + many for _, many in budgets(recipe.doses, recipe.table_budgets)) * len(
            self.questions.table
        )
        units = {job: max(1.0, weights[job.split("-")[0]]) for job in self._epochs()}
        return {BEFORE: tables, **units, AFTER: tables}


def _files(plan: HardenPlan, say: Say) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The data files and the held-out ones; a folder of public files is made into the sets that the recipe names."""
    if len(plan.data) != 1 or not Path(plan.data[0]).is_dir():
        return plan.data, plan.held
    recipe, folder = plan.recipe, (plan.work or beside(plan.out)) / "sets"
    if not recipe.sets or not recipe.held:
        raise InputError(file=plan.data[0], found="a folder", expected="a data file; the recipe names no sets and held")
    languages = READERS.get(plan.reader).card().languages if plan.reader in READERS else ()
    if languages and recipe.language not in languages:
        found = f"a recipe whose sets are of the language {recipe.language}"
        do = "Name the data files, or a recipe with sets of that language."
        raise InputError(file=plan.data[0], found=found, expected=" or ".join(languages), do=do)
    counts, _ = prepare_sets(Path(plan.data[0]), folder, language=recipe.language, say=say)

    def named(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(f"squad:{folder / f'{name}.json'}" for name in names if name in counts)

    if not named(recipe.sets) or not (plan.held or named(recipe.held)):
        found, expected = f"{', '.join(counts) or 'no sets'}", f"some of {', '.join((*recipe.sets, *recipe.held))}"
        raise InputError(file=plan.data[0], found=found, expected=expected)
    return named(recipe.sets), plan.held or named(recipe.held)


def _check_start(plan: HardenPlan, start: Start) -> None:
    if plan.recipe.max_tokens > start.positions:
        found, expected = f"{plan.recipe.max_tokens}", f"at most {start.positions}, the positions of the reader"
        raise InputError(file=plan.reader, place="max_tokens", found=found, expected=expected)
    if plan.recipe.fit.layer_decay != 1 and not start.tells_layers:
        found, expected = "layers that cannot be told apart", "layer_decay 1"
        raise InputError(file=plan.reader, found=found, expected=expected)


def _notes(record: Mapping[str, Any]) -> dict[str, Any]:
    """What stands beside the weights: what they were made of; the rest is in hardening.json."""
    kept = ("recipe", "sources", "data", "questions", "start", "clean", "device", "versions")
    return {"hardened": RECORD, **{name: record[name] for name in kept}}


def _in_words(table: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {one['f1']:.2f}" for name, one in table.items() if name != CLEAN)
