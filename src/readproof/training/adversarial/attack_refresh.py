"""The attacks of one epoch: made anew, against the reader as it is now, and kept so that a killed run has them again.

What needs no reader is made by the crew while the epoch before is still being trained. Which questions an attack takes
hangs on the seed, the epoch and the question; what a search finds, on the weights too.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from readproof.attacks.addsent import AddSent
from readproof.attacks.addsent.making import searched
from readproof.attacks.base import Attack, AttackOutput, SearchAttack, SearchOutput, random_of, skipped
from readproof.attacks.records import read_variants, to_line
from readproof.attacks.search import measure_of
from readproof.errors import InputError, ReadproofError
from readproof.files import digest, writing
from readproof.items import Item, SpanItem, Variant
from readproof.lang.cleaning import clean_golds
from readproof.readers.spans import Floats
from readproof.readers.tokens import Ints
from readproof.training.adversarial.aligned import Attacked, aligned, joined_attacked
from readproof.training.adversarial.reading import Prepare, Top, Windowed, WindowReader
from readproof.training.adversarial.recipe import AttackMix, Recipe
from readproof.training.windows import Windows, joined

# The work on single questions, as tasks that any process can do: make variants, search for them, cut windows.
#
# A workshop holds the questions and the attacks; a task names questions by their numbers. What a task gives hangs on
# the
# task and on the reader's weights alone.


# questions a task: so many are searched together, and their populations read at once
SEARCHED, MADE, CUT = 32, 64, 256


@dataclass(frozen=True, slots=True)
class MakeTask:
    """Variants without a reader, `count` of each question."""

    dose: int
    numbers: tuple[int, ...]
    seed: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class SearchTask:
    """The variant of each question that hurts the reader most; `made` are the sentences that were made before."""

    dose: int
    numbers: tuple[int, ...]
    seed: int
    budget: int
    made: tuple[AttackOutput, ...] = ()


@dataclass(frozen=True, slots=True)
class CutTask:
    """Questions as windows; with variants, these beside their originals."""

    numbers: tuple[int, ...]
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreTask:
    """Questions, or variants of them, answered and scored."""

    numbers: tuple[int, ...]
    variants: tuple[Variant | None, ...] = ()


Task = MakeTask | SearchTask | CutTask | ScoreTask


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search left of one question."""

    variant: Variant | None = None
    queries: int = 0
    clean: float = 0.0
    attacked: float = 0.0


@dataclass(slots=True)
class AttackWorker:
    """Called with a task and, where the task needs one, what answers questions about windows."""

    items: Sequence[SpanItem]
    doses: Sequence[AttackMix]
    prepare: Prepare
    _attacks: dict[int, Attack | SearchAttack] = field(default_factory=dict)

    def __call__(self, task: Task, model: Windowed | None) -> Any:
        if isinstance(task, MakeTask):
            return self.make(task)
        if isinstance(task, CutTask):
            return self.cut(task)
        if model is None:
            raise TypeError(f"{type(task).__name__} needs a reader")
        return self.search(task, model) if isinstance(task, SearchTask) else self.score(task, model)

    def attack(self, dose: int) -> Attack | SearchAttack:
        if dose not in self._attacks:
            self._attacks[dose] = self.doses[dose].made()
        return self._attacks[dose]

    def make(self, task: MakeTask) -> list[AttackOutput]:
        attack = self.attack(task.dose)
        if not isinstance(attack, Attack):
            raise TypeError(f"{attack.about.name} needs a reader")
        return [made_of(attack, self.items[number], task.seed, task.count) for number in task.numbers]

    def search(self, task: SearchTask, model: Windowed) -> list[SearchResult]:
        attack = self.attack(task.dose)
        items = [self.items[number] for number in task.numbers]
        reader = WindowReader(model, self.prepare)
        found: list[SearchOutput]
        if task.made:
            before = {item.id: made for item, made in zip(items, task.made, strict=True)}
            found = list(searched(items, reader, lambda item: before[item.id]))
        elif isinstance(attack, SearchAttack):
            found = list(attack.search(items, reader, seed=task.seed, budget=task.budget))
        else:
            raise TypeError(f"{attack.about.name} does not search")
        return [
            SearchResult(first_of(one.made), one.queries, one.clean, one.attacked)
            if one.made.variants
            else SearchResult()
            for one in found
        ]

    def cut(self, task: CutTask) -> Windows | Attacked:
        items = [self.items[number] for number in task.numbers]
        clean = self.prepare(items)
        if not task.variants:
            return clean.windows
        news = [one.item for one in task.variants if isinstance(one.item, SpanItem)]
        return aligned(clean, self.prepare(news), list(task.variants))

    def score(self, task: ScoreTask, model: Windowed) -> list[tuple[float, float]]:
        """Exact match and F1 as the language's own tasks count them; a question without a variant is read as it is."""
        variants: Mapping[int, Variant | None] = dict(zip(task.numbers, task.variants, strict=False))
        items: list[SpanItem] = []
        for number in task.numbers:
            one = variants.get(number)
            items.append(one.item if one is not None and isinstance(one.item, SpanItem) else self.items[number])
        answers = WindowReader(model, self.prepare).answers(items)
        return [scored(item, answer.text) for item, answer in zip(items, answers, strict=True)]


def scored(item: SpanItem, answer: str) -> tuple[float, float]:
    """Exact match and F1 of an answer, texts compared clean."""
    exact, f1 = measure_of(item.language)(answer, tuple(gold.text for gold in clean_golds(item)))
    return float(exact), float(f1)


def made_of(attack: Attack, item: Item, seed: int, count: int) -> AttackOutput:
    """One bad item must not end a run over thousands."""
    try:
        return attack.make(item, seed=seed, count=count)
    except ReadproofError:
        raise
    except Exception as error:
        if os.environ.get("READPROOF_DEBUG"):
            raise
        return skipped(f"fault: {type(error).__name__}")


def first_of(made: AttackOutput) -> Variant | None:
    """The first variant that is a span question."""
    return next((one for one in made.variants if isinstance(one.item, SpanItem)), None)


def makes_before(attack: Attack | SearchAttack) -> bool:
    """Whether what a search chooses from can be made before there is a reader to ask."""
    return isinstance(attack, AddSent)


def drawn(seed: int, epoch: int, dose: AttackMix, item: SpanItem) -> float:
    """Where an item stands among those that a dose may take, in 0 … 1; another place every epoch."""
    return random_of(f"{seed}|{epoch}|{dose.name}|{item.id}").random()


# Processes that make attacks while this one trains; what they want to know of the reader, this one tells them.
#
# They are forked before the device is touched, hold the data they were forked with, and are sent small tasks. A task
# may
# ask about windows (see `reading.Windowed`); each question is answered by itself, so results hang neither on how many
# processes there are nor on their order. With no processes at all, tasks are done here, with the same results.


# what a process does with a task, and what it may ask
Do = Callable[[Any, Windowed | None], Any]
OnDone = Callable[[int, int], None]

_SPANS, _SLOPES, _DONE, _FAULT = "spans", "slopes", "done", "fault"


class RemoteReader:
    """The reader as a process sees it: questions go down the line, answers come back."""

    def __init__(self, line: Connection) -> None:
        self._line = line

    def spans(self, windows: Windows, count: int) -> Top:
        self._line.send((_SPANS, (windows, count)))
        found: Top = self._line.recv()
        return found

    def slopes(self, windows: Windows, at: Ints, tokens: Ints) -> Floats:
        self._line.send((_SLOPES, (windows, at, tokens)))
        found: Floats = self._line.recv()
        return found


class AttackPool:
    """`workers` processes (0: none) that all can do the same."""

    def __init__(self, do: Do, workers: int) -> None:
        self._do = do
        self._lines: list[Connection] = []
        self._processes: list[Any] = []
        context = get_context("fork") if workers else None
        for _ in range(workers):
            if context is None:
                break
            ours, theirs = context.Pipe()
            # a process that held the lines of others open would outlive this one
            process = context.Process(target=_work, args=(do, theirs, [*self._lines, ours]), daemon=True)
            process.start()
            theirs.close()
            self._lines.append(ours)
            self._processes.append(process)
        self._thread = ThreadPoolExecutor(1)
        self._turn = Lock()  # tasks made in the background and those waited for use the same lines

    def __len__(self) -> int:
        return len(self._processes)

    def run(self, tasks: Sequence[Any], model: Windowed | None = None, on_done: OnDone | None = None) -> list[Any]:
        """The results of all tasks, in order; `on_done` hears how many are done, and of how many."""
        results: dict[int, Any] = {}

        def done(number: int, result: Any) -> None:
            results[number] = result
            if on_done:
                on_done(len(results), len(tasks))

        with self._turn:
            if self._lines:
                self._serve(tasks, model, done)
            else:
                for number, task in enumerate(tasks):
                    done(number, self._do(task, model))
        return [results[number] for number in range(len(tasks))]

    def _serve(self, tasks: Sequence[Any], model: Windowed | None, done: Callable[[int, Any], None]) -> None:
        """Hands tasks out and answers what is asked, until all are done."""
        waiting = list(enumerate(tasks))[::-1]
        busy: dict[Connection, int] = {}
        for line in self._lines:
            self._next(line, waiting, busy)
        while busy:
            for ready in wait(list(busy)):
                if not isinstance(ready, Connection):
                    continue
                kind, content = _received(ready)
                if kind == _FAULT:
                    raise ReadproofError(f"a process that makes attacks failed:\n{content}")
                if kind == _DONE:
                    done(busy.pop(ready), content)
                    self._next(ready, waiting, busy)
                elif model is None:
                    raise ReadproofError("a task asked about windows where no reader is")
                else:
                    ready.send(model.spans(*content) if kind == _SPANS else model.slopes(*content))

    def begin(self, tasks: Sequence[Any]) -> Callable[[], list[Any]]:
        """Tasks that ask nothing, done while this process does other things; gives a function that waits for them."""
        if not self._lines:
            return lambda: self.run(tasks)
        future: Future[list[Any]] = self._thread.submit(self.run, tasks)
        return future.result

    def close(self) -> None:
        """Ends the processes."""
        for process in self._processes:
            process.terminate()
        self._thread.shutdown(wait=True, cancel_futures=True)
        for process in self._processes:
            process.join()
        for line in self._lines:
            line.close()
        self._processes, self._lines = [], []

    def _next(self, line: Connection, waiting: list[tuple[int, Any]], busy: dict[Connection, int]) -> None:
        if waiting:
            number, task = waiting.pop()
            line.send(task)
            busy[line] = number


def usual_workers() -> int:
    """All cores but one; none where there are but two, which the training itself needs."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores - 1 if cores > 2 and hasattr(os, "fork") else 0


def _received(line: Connection) -> tuple[str, Any]:
    try:
        found: tuple[str, Any] = line.recv()
        return found
    except (EOFError, ConnectionResetError):
        raise ReadproofError("a process that makes attacks has died; is there enough memory?") from None


def _work(do: Do, line: Connection, others: list[Connection]) -> None:
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process is told, and ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # there is a process a core already
    model = RemoteReader(line)
    try:
        while True:
            task = line.recv()
            try:
                result = do(task, model)
            except Exception:
                line.send((_FAULT, traceback.format_exc()))
                return
            line.send((_DONE, result))
    except (EOFError, OSError):
        return


_SEEDS = 1000  # epochs that a seed has attack seeds for


@dataclass(frozen=True, slots=True)
class EpochRequest:
    """The questions that one dose takes in one epoch: those it searches for, those it takes what is made for."""

    dose: int
    searched: tuple[int, ...]
    made: tuple[int, ...]
    seed: int


@dataclass(slots=True)
class PendingAttacks:
    """An epoch's attacks on the way: what is wanted, and how to wait for what is being made."""

    epoch: int
    wanted: list[EpochRequest]
    made: Callable[[], list[list[AttackOutput]]]
    tasks: list[MakeTask]


@dataclass(slots=True)
class EpochAttacks:
    """An epoch's variants, each with the number of its question, and what their making cost."""

    numbers: list[int]
    variants: list[Variant]
    figures: dict[str, Any] = field(default_factory=dict)


class AttackRefresh:
    """Makes, keeps and gives back the attacks of every epoch."""

    def __init__(
        self, recipe: Recipe, shop: AttackWorker, crew: AttackPool, numbers: Sequence[int], folder: Path
    ) -> None:
        self.recipe, self.shop, self.crew = recipe, shop, crew
        self.numbers = tuple(numbers)
        self.folder = folder
        self._number = {shop.items[number].id: number for number in self.numbers}
        if len(self._number) < len(self.numbers):
            raise InputError(found="questions with the same id", expected="an id a question")

    def file(self, epoch: int) -> Path:
        return self.folder / f"epoch-{epoch + 1}.jsonl"

    def begin(self, epoch: int) -> PendingAttacks:
        """Has all made that needs no reader; nothing, where the epoch's attacks are kept already."""
        if self.file(epoch).exists():
            return PendingAttacks(epoch, [], list, [])
        wanted = self._wanted(epoch)
        tasks = []
        for one in wanted:
            early = (*one.searched, *one.made) if makes_before(self.shop.attack(one.dose)) else one.made
            count = max(1, self.recipe.doses[one.dose].queries() - 1) if early != one.made else 1
            tasks += [MakeTask(one.dose, part, one.seed, count) for part in parts(early, MADE)]
        return PendingAttacks(epoch, wanted, self.crew.begin(tasks), tasks)

    def renewed(self, coming: PendingAttacks, model: Windowed, on_done: OnDone | None = None) -> EpochAttacks:
        """The epoch's variants: kept ones, or new ones, which are then kept."""
        path = self.file(coming.epoch)
        if path.exists():
            return self._kept(path)
        begun = time.monotonic()
        made: dict[tuple[int, int], AttackOutput] = {}
        for task, results in zip(coming.tasks, coming.made(), strict=True):
            made.update({(task.dose, number): one for number, one in zip(task.numbers, results, strict=True)})
        tasks = [
            SearchTask(one.dose, part, one.seed, self.recipe.doses[one.dose].queries(), _found(made, one.dose, part))
            for one in coming.wanted
            for part in parts(one.searched, SEARCHED)
        ]
        found: dict[tuple[int, int], SearchResult] = {}
        for task_, results_ in zip(tasks, self.crew.run(tasks, model, on_done), strict=True):
            found.update({(task_.dose, number): one for number, one in zip(task_.numbers, results_, strict=True)})
        numbers, variants, figures = [], [], {}
        for one in coming.wanted:
            chosen = [(number, found[one.dose, number].variant) for number in one.searched]
            chosen += [(number, first_of(made[one.dose, number])) for number in one.made]
            pairs = [(number, variant) for number, variant in chosen if variant is not None and _sound(variant)]
            there = sorted(pairs, key=lambda pair: pair[0])
            numbers += [number for number, _ in there]
            variants += [variant for _, variant in there]
            figures[self.recipe.doses[one.dose].name] = _figures(
                len(chosen), len(there), [found[one.dose, number] for number in one.searched]
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        # first what is told of them: where the variants are, all is there
        told = {"attacks": figures, "seconds": round(time.monotonic() - begun, 1)}
        with writing(path.with_suffix(".json")) as file:
            file.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        with writing(path) as file:
            for variant in variants:
                file.write(json.dumps(to_line(variant), ensure_ascii=False) + "\n")
        return EpochAttacks(numbers, variants, {**told, "sha256": digest(path)})

    def windows(self, renewed: EpochAttacks, clean: Windows) -> Attacked:
        """The variants as windows beside those of their originals."""
        order = list(range(len(renewed.variants)))
        tasks = [
            CutTask(tuple(renewed.numbers[at] for at in part), tuple(renewed.variants[at] for at in part))
            for part in parts(order, CUT)
        ]
        found: list[Attacked] = self.crew.run(tasks)
        place = {number: at for at, number in enumerate(self.numbers)}
        first_window = np.searchsorted(clean.questions, np.arange(len(self.numbers)), side="left")
        firsts = []
        for task, part in zip(tasks, found, strict=True):
            begins = np.asarray([first_window[place[number]] for number in task.numbers], dtype=np.int32)
            firsts.append(begins[part.windows.questions])
        windows = joined([part.windows for part in found]) if found else _none(clean)
        return joined_attacked(found, firsts, windows)

    def clean_windows(self) -> Windows:
        """The questions themselves as windows."""
        return joined(self.crew.run([CutTask(part) for part in parts(self.numbers, CUT)]))

    def _wanted(self, epoch: int) -> list[EpochRequest]:
        recipe, out = self.recipe, []
        share = recipe.searched_share()
        items = self.shop.items
        answered = [number for number in self.numbers if items[number].golds]
        for at, dose in enumerate(recipe.doses):
            places = [(number, drawn(recipe.fit.seed, epoch, dose, items[number])) for number in answered]
            edge = dose.rate * share if dose.queries() else 0.0
            able = isinstance(self.shop.attack(at), Attack)
            searched = tuple(number for number, place in places if place < edge)
            made = tuple(number for number, place in places if edge <= place < dose.rate and able)
            out.append(EpochRequest(at, searched, made, recipe.fit.seed * _SEEDS + epoch + 1))
        return out

    def _kept(self, path: Path) -> EpochAttacks:
        variants = list(read_variants(path))
        told = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        return EpochAttacks([self._number[one.origin] for one in variants], variants, {**told, "sha256": digest(path)})


def parts(numbers: Iterable[int], size: int) -> list[tuple[int, ...]]:
    """Numbers in runs of `size`."""
    flat = tuple(numbers)
    return [flat[at : at + size] for at in range(0, len(flat), size)]


def _found(made: dict[tuple[int, int], AttackOutput], dose: int, numbers: Sequence[int]) -> tuple[AttackOutput, ...]:
    return tuple(made[dose, number] for number in numbers) if all((dose, one) in made for one in numbers) else ()


def _sound(variant: Variant) -> bool:
    """Whether there is an answer left to learn: one whose place is known."""
    item = variant.item
    return isinstance(item, SpanItem) and any(
        gold.text and gold.start is not None and item.passage.startswith(gold.text, gold.start) for gold in item.golds
    )


def _figures(asked: int, there: int, searched: Sequence[SearchResult]) -> dict[str, Any]:
    """How many questions were drawn, how many got a variant, and what the searches did to the reader."""
    figures: dict[str, Any] = {"questions": asked, "variants": there}
    hit = [one for one in searched if one.variant is not None]
    if hit:
        figures["queries"] = round(sum(one.queries for one in hit) / len(hit), 1)
        figures["expected_clean"] = round(100 * sum(one.clean for one in hit) / len(hit), 2)
        figures["expected_attacked"] = round(100 * sum(one.attacked for one in hit) / len(hit), 2)
    return figures


def _none(clean: Windows) -> Windows:
    """No windows, of the same kind."""
    empty = np.zeros(0, np.int32)
    return Windows(
        frame=clean.frame,
        ids=empty,
        offsets=np.zeros(1, np.int64),
        questions=empty,
        heads=empty,
        firsts=empty,
        golds=clean.golds[:0],
        labelled=clean.labelled[:0],
    )


def data_hash(items: Iterable[SpanItem]) -> str:
    """One SHA-256 over questions, passages and answers."""
    found = hashlib.sha256()
    for item in items:
        golds = [(gold.text, gold.start) for gold in item.golds]
        record = json.dumps([item.id, item.passage, item.question, golds], ensure_ascii=True)
        found.update(record.encode("utf-8", "surrogatepass"))
    return found.hexdigest()
