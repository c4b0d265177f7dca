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
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from readproof.errors import InputError
from readproof.files import check_folder, digest, writing
from readproof.items import SpanItem
from readproof.lang.api import get_language
from readproof.lang.forms import FORM_VERSION
from readproof.readers.factory import READERS
from readproof.tasks import find
from readproof.training.adversarial.aligned import Attacked
from readproof.training.adversarial.attack_refresh import (
    AttackPool,
    AttackRefresh,
    AttackWorker,
    data_hash,
    usual_workers,
)
from readproof.training.adversarial.loop import HardeningLoop, Mixed, hardening_loss, telling, train
from readproof.training.adversarial.reading import TorchWindows, preparing
from readproof.training.adversarial.recipe import Recipe, check_recipe, names_of
from readproof.training.adversarial.table import CLEAN, budgets, figures, plain
from readproof.training.begin import Start
from readproof.training.bench import scores
from readproof.training.device import Clock, device_name, pick_device
from readproof.training.fit import backward
from readproof.training.learner import OnEncoder, SpanLearner
from readproof.training.low_rank import narrowed
from readproof.training.measure import EvalSet, log_probabilities, measure
from readproof.training.model import plain_state
from readproof.training.optimise import Averaged
from readproof.training.plan import TrainingOutcome, versions
from readproof.training.prepare import prepare_sets
from readproof.training.readerstart import reader_start, start_digest
from readproof.training.sets import answerable, is_held, placed, span_items
from readproof.training.site import Say
from readproof.training.span import beside
from readproof.training.windows import Windows
from readproof.training.work import WorkFolder

# On a GPU: kernels that give the same result every time, wherever every kernel that hardening uses has one.

_FEW = 4


def repeatable(reader: SpanLearner, recipe: Recipe, clean: Windows) -> bool:
    """Asks for such kernels, and tries each once; where one has no such form, a warning is all that can be had.

    The attention's gradients are the same again only when they are demanded: asked for with a warning, they are not.
    """
    if not next(reader.parameters()).is_cuda:
        return True
    torch.use_deterministic_algorithms(True, warn_only=False)
    try:
        tried(reader, recipe, clean)
    except RuntimeError as error:
        if "deterministic" not in str(error):
            raise
        torch.use_deterministic_algorithms(True, warn_only=True)
        return False
    finally:
        reader.zero_grad(set_to_none=True)
    return True


def tried(reader: SpanLearner, recipe: Recipe, clean: Windows) -> None:
    """All that training and the attacks ask of the device, once, with a few windows that are held to themselves."""
    few = first_windows(clean, min(_FEW, len(clean)))
    attacked = Attacked(few, np.arange(len(few), dtype=np.int32), _own_places(few))
    said = np.zeros((len(few.ids), 2), np.float16)
    examples = Mixed(few, attacked, said)
    device = next(reader.parameters()).device
    for batch in examples.batches(2 * _FEW, 0):
        backward(hardening_loss(reader, recipe), examples.collate(batch).to(device), device)
    model = TorchWindows(reader)
    model.spans(few, 2)
    model.slopes(few, np.asarray([[0, int(few.heads[0])]], dtype=np.int32), np.asarray([1], dtype=np.int32))


def first_windows(windows: Windows, count: int) -> Windows:
    """The first windows of many."""
    return Windows(
        frame=windows.frame,
        ids=windows.ids[: int(windows.offsets[count])],
        offsets=windows.offsets[: count + 1],
        questions=windows.questions[:count],
        heads=windows.heads[:count],
        firsts=windows.firsts[:count],
        golds=windows.golds[:count],
        labelled=windows.labelled[:count],
    )


def _own_places(windows: Windows) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.concatenate([np.arange(length, dtype=np.int32) for length in windows.lengths.tolist()])


# Which epoch is kept: the hardest to mislead among those that read clean questions as well as before, or nearly so.

# scores of a reader as it is: the clean held-out set, and the questions that are looked at under every attack
Look = Callable[[SpanLearner, int], dict[str, Any]]


class EpochSelector:
    """Looks after every epoch, keeps the best weights, and says when it is enough."""

    def __init__(
        self,
        recipe: Recipe,
        work: WorkFolder,
        job: str,
        reader: SpanLearner,
        before: Mapping[str, Any],
        look: Look,
        say: Say,
    ) -> None:
        self.recipe, self.work, self.job, self.reader = recipe, work, job, reader
        self.before, self.look, self.say = before, look, say
        self.points: dict[str, Any] = work.notes(job)

    @property
    def stopped(self) -> bool:
        """Whether the clean loss has not been better for as many epochs as the recipe waits."""
        losses = [float(one["clean"]["loss"]) for one in self.points.values()]
        best = min(range(len(losses)), key=losses.__getitem__) if losses else 0
        return len(losses) - 1 - best >= self.recipe.patience

    def after_epoch(self, epoch: int, average: Averaged | None, renewal: dict[str, Any]) -> bool:
        """Look, keep, and say whether to go on."""
        if average is None:
            self._offer(epoch, renewal)
        else:
            with average.applied():
                self._offer(epoch, renewal)
        if self.stopped and epoch + 1 < self.recipe.fit.epochs:
            self.say(f"the clean loss rose for {self.recipe.patience} epochs: it is enough")
        return not self.stopped

    def _offer(self, epoch: int, renewal: dict[str, Any]) -> None:
        point = f"epoch {epoch + 1}"
        found = self.look(self.reader, epoch)
        lost = float(self.before["clean"]["f1"]) - float(found["clean"]["f1"])
        attacked = [float(one["f1"]) for name, one in found["attacked"].items() if name != CLEAN]
        hard = sum(attacked) / len(attacked)
        fine = lost <= self.recipe.lost
        # an epoch that lost too much is only kept while there is no other, and then the one that lost least
        select = hard if fine else -1000.0 - lost
        under = ", ".join(f"{name} {one['f1']:.2f}" for name, one in found["attacked"].items() if name != CLEAN)
        told = f"clean {found['clean']['f1']:.2f} ({-lost:+.2f}), loss {found['clean']['loss']:.3f}; attacked: {under}"
        self.say(f"{point}: {told}")
        kept = self.work.facts(self.job)
        if not kept or kept.get("point") == point or select > float(kept["select"]):
            self.work.store(self.job, plain_state(self.reader), {"point": point, "select": repr(select)})
        self.points[point] = {**found, "lost": round(lost, 4), "select": round(select, 4), "renewal": renewal}
        self.work.note(self.job, self.points)


# The questions of a hardening: those learnt from, and those held out, whole passages in either.


@dataclass(frozen=True, slots=True)
class Questions:
    """`items` are the learnt ones, then the held-out ones; `look` and `table` are numbers of held-out ones."""

    items: list[SpanItem]
    learnt: tuple[int, ...]
    held: tuple[int, ...]
    look: tuple[int, ...]
    table: tuple[int, ...]
    sources: dict[str, str]

    def held_items(self) -> list[SpanItem]:
        return [self.items[number] for number in self.held]


def read_questions(
    data: Sequence[str],
    held_data: Sequence[str],
    held_out: float,
    *,
    look: int,
    table: int,
    impossible: bool = False,
    say: Say,
) -> Questions:
    """The questions of some files; the held-out ones out of files of their own, or a part of the passages."""
    every = [item for one in data for item in span_items(one)]
    known = [_clean(item) for item in answerable(every)]
    if held_data:
        held = [_clean(item) for one in held_data for item in answerable(span_items(one))]
    else:
        held = [item for item in known if is_held(item.passage, held_out)]
    passages = {item.passage for item in held}
    learnt = [item for item in known if item.passage not in passages]
    nothing = [item for item in every if impossible and item.impossible and item.passage not in passages]
    if not learnt or not held:
        found = f"{len(learnt)} questions to learn from and {len(held)} held out, of {len(every)}"
        expected, do = "some of both, with answers that stand in their passages", "Give more data, or --held-out."
        raise InputError(file=", ".join(data), found=found, expected=expected, do=do)
    say(
        f"{len(learnt)} questions to learn from, {len(held)} held out, {len(every) - len(known)} without an answer"
        f"{f', {len(nothing)} of them learnt too' if nothing else ''}"
    )
    learnt += nothing
    items = _told_apart([*learnt, *held])
    numbers = list(range(len(learnt), len(items)))
    Random("hardening").shuffle(numbers)
    # the epoch is chosen by other questions than the table tells of, where there are enough
    shown = numbers[look : look + table] if len(numbers) >= look + table else numbers[-table:]
    return Questions(
        items=items,
        learnt=tuple(range(len(learnt))),
        held=tuple(range(len(learnt), len(items))),
        look=tuple(sorted(numbers[:look])),
        table=tuple(sorted(shown)),
        sources={f"{at}": digest(find(one)[1]) for at, one in enumerate([*data, *held_data])},
    )


def _clean(item: SpanItem) -> SpanItem:
    """Only golds that stand in the passage can be learnt from, and follow an attack."""
    return replace(item, golds=tuple(gold for gold in item.golds if placed(gold)), impossible=False)


def _told_apart(items: Sequence[SpanItem]) -> list[SpanItem]:
    """Items of several files may have the same id; attacks and files know them by it."""
    seen: Counter[str] = Counter()
    out = []
    for item in items:
        seen[item.id] += 1
        out.append(replace(item, id=f"{item.id}#{seen[item.id]}") if seen[item.id] > 1 else item)
    return out


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


def harden(plan: HardenPlan, *, say: Say = lambda _: None) -> TrainingOutcome:
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
    work = WorkFolder(plan.work or beside(plan.out))
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
    shop = AttackWorker(questions.items, recipe.doses, prepare)
    # before the device is touched: a process that is forked later could not use it, nor leave it alone
    crew = AttackPool(shop, usual_workers() if plan.workers is None else plan.workers)
    try:
        run = _Run(plan, start, questions, work, shop, crew, say)
        record = {**facts, **run.result()}
    finally:
        crew.close()
    folder = start.write(plan.out, work.load(JOB), _notes(record), max_tokens=recipe.max_tokens)
    with writing(folder / RECORD) as file:
        file.write(json.dumps(record, ensure_ascii=False, indent=1, default=str) + "\n")
    say(f"written: {folder}")
    return TrainingOutcome(folder, record)


class _Run:
    """The three parts of one hardening."""

    def __init__(
        self,
        plan: HardenPlan,
        start: Start,
        questions: Questions,
        work: WorkFolder,
        shop: AttackWorker,
        crew: AttackPool,
        say: Say,
    ) -> None:
        self.plan, self.recipe, self.start, self.questions = plan, plan.recipe, start, questions
        self.work, self.shop, self.crew, self.say = work, shop, crew, say
        self.device = pick_device()
        self.renewal = AttackRefresh(self.recipe, shop, crew, questions.learnt, work.folder / "attacks")
        self.clean: Windows = self.renewal.clean_windows()
        self.held: EvalSet = shop.prepare(questions.held_items())
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

        chooser = EpochSelector(recipe, self.work, JOB, reader, before, look, self.say)
        course = HardeningLoop(
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
        metrics = {get_language(item.language).span_metric for item in self.questions.held_items()}
        return scores(measure([reader], self.held, metric=metrics.pop() if len(metrics) == 1 else "squad2"))

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
