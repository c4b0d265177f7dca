"""The work of a run, phase by phase and item by item; the files of its folder are only ever added to.

What the files already hold is gone through first; the first thing that they do not hold is the first that is done.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from readproof.codec import write_json
from readproof.engine import Engine, Mapped, shards
from readproof.engine.base import size as shard_size
from readproof.errors import InputError
from readproof.items import Item
from readproof.journal import Journal
from readproof.proof.plan import Phase, ProofPlan
from readproof.proof.records import (
    ANSWERS,
    HARDENED,
    READER,
    VARIANTS,
    Group,
    Question,
    Skipped,
    ends_group,
    question_line,
    question_of,
)
from readproof.proof.results import CLEAN, TIMINGS, Speed, Timings, read_timings
from readproof.proof.worker import (
    BatchResult,
    Line,
    ProofWork,
    UnitBatch,
    UnitResult,
    WorkUnit,
    batch_of,
    plain_groups,
    requests_of,
    sanitises,
)
from readproof.readers.usage import Usage

# what is being done, how much of all work is done, of how much
Progress = Callable[[str, int, int], None]
# the items of a phase but the first so many
Source = Callable[[Phase, int], Iterator[WorkUnit]]

_MOST = 16  # items in a batch that travels
# a reader that fails on each of its first clean questions is broken, and the run is not worth going on
_FAULTY = 5
# questions whose time is kept, and the seconds of times that a kill costs
_SAMPLES = 5000
_EVERY = 5.0
_NAMED = ("at", "attack", "id", "by", "sanitised")


def live(items: Sequence[Item], seed: int) -> Source:
    """Clean questions and probes as they are wanted; variants are left to be made."""

    def units(phase: Phase, done: int) -> Iterator[WorkUnit]:
        groups = plain_groups(phase, items, done=done, seed=seed)
        if groups is not None:
            return (WorkUnit(at=group[0].at, group=group) for group in groups)
        return (WorkUnit(at=at, item=items[at]) for at in phase.numbers[done:])

    return units


def run_phases(
    folder: Path,
    plan: ProofPlan,
    items: Sequence[Item],
    work: ProofWork,
    engine: Engine,
    source: Source,
    report: Progress,
) -> None:
    """Every phase of the plan, from where the files of the folder end."""
    clock = Stopwatch(folder / TIMINGS)
    total = sum(phase.weight * len(phase.numbers) for phase in plan.phases)
    before, seconds = 0, 0.0
    with (
        Journal(folder / VARIANTS, ends_group) as variants,
        Journal(folder / ANSWERS) as answers,
        engine.start(work) as mapped,
    ):
        old = old_groups(variants.old(), variants.path)
        state = ResumeState(work, answers, items)
        if not state.resuming:
            report(CLEAN, before, total)
        for number, phase in enumerate(plan.phases):
            with clock.phase(phase.name):
                units = state.open(phase, phase_units(phase, old, source, variants.path))
                for batch, result in batched(mapped, number, units, batch_size(engine, work, phase)):
                    variants.add(new_lines(batch, result))
                    answers.add(state.new(phase, batch, result.units))
                    seconds += result.seconds
                    clock.use(result.usage)
                    for part, milliseconds in result.samples:
                        clock.question(part, milliseconds)
                    clock.tick(seconds)
                    if not state.resuming:  # what an earlier session did takes no time, and would spoil the estimate
                        report(phase.name, before + phase.weight * state.done, total)
            before += phase.weight * len(phase.numbers)
            if not state.resuming:
                report(phase.name, before, total)
            variants.sync()
            answers.sync()
            clock.write(seconds)
        state.end()


def batch_size(engine: Engine, work: ProofWork, phase: Phase) -> int:
    """How many items go together: in this process only for a reader that gains by it."""
    if engine.name != "local":
        return shard_size(engine, len(phase.numbers), _MOST)
    return 1 if work.reader is None else batch_of(work.reader.open())


def batched(
    mapped: Mapped[UnitBatch, BatchResult], phase: int, units: Iterable[WorkUnit], size: int
) -> Iterator[tuple[UnitBatch, BatchResult]]:
    """Batches of units with their results, in order."""
    sent: deque[UnitBatch] = deque()

    def batches() -> Iterator[UnitBatch]:
        for some in shards(units, size):
            sent.append(UnitBatch(phase, some))
            yield sent[-1]

    for result in mapped(batches()):
        yield sent.popleft(), result


def new_lines(batch: UnitBatch, result: BatchResult) -> list[Line]:
    """The lines of variants.jsonl that a batch adds: made where the work was done, or before it."""
    lines: list[Line] = []
    for unit, done in zip(batch.units, result.units, strict=True):
        if unit.new:
            lines += done.variants or [question_line(one) for one in unit.group or ()]
    return lines


def phase_units(phase: Phase, old: Iterator[Group], source: Source, path: Path) -> Iterator[WorkUnit]:
    """The items of a phase: those whose questions the file holds, then new ones."""
    done = 0
    for at in phase.numbers:
        group = next(old, None)
        if group is None:
            break
        if (group[0].at, group[0].attack) != (at, phase.name):
            raise other_run(path)
        done += 1
        yield WorkUnit(at=at, group=group, new=False)
    if done < len(phase.numbers):
        yield from source(phase, done)


def old_groups(lines: Iterable[Mapping[str, Any]], path: Path) -> Iterator[Group]:
    """The questions that a file already holds, item by item."""
    waiting: list[Question] = []
    for number, line in enumerate(lines, start=1):
        question = question_of(line, path, f"line {number}")
        if isinstance(question, Skipped):
            yield (question,)
            continue
        waiting.append(question)
        if question.number + 1 == question.of:
            yield tuple(waiting)
            waiting = []


def other_run(path: Path) -> InputError:
    """The files do not belong to this run."""
    return InputError(
        file=path,
        found="the results of another run",
        expected="results of the same run",
        do="Add --fresh to throw them away and start again, or choose another --out.",
    )


class ResumeState:
    """What has been answered: by earlier sessions, and the clean items, whose answers go with their variants."""

    def __init__(self, work: ProofWork, journal: Journal, items: Sequence[Item]) -> None:
        reader = work.reader
        self._sanitises = reader is not None and sanitises(reader.open())
        self._hardened = work.hardened is not None
        self._baselines = work.baselines
        self._name = work.reader.open().name if work.reader is not None else ""
        self._items = items
        self._path = journal.path
        self._old = journal.old()
        self._ahead: Line | None = next(self._old, None)
        self._clean: dict[int, tuple[Line, ...]] = {}
        self._first: list[bool] = []
        self.done = 0

    @property
    def resuming(self) -> bool:
        """Whether there are answers of an earlier session still to be gone through."""
        return self._ahead is not None

    def open(self, phase: Phase, units: Iterator[WorkUnit]) -> Iterator[WorkUnit]:
        """The units of a phase that something is left to do of, with what is known of their items."""
        self.done = 0
        for unit in units:
            answered = 0
            if unit.group is not None and not unit.new:
                every = list(
                    requests_of(
                        unit.group, sanitises=self._sanitises, hardened=self._hardened, baselines=self._baselines
                    )
                )
                for request, _ in every:
                    if self._ahead is None:
                        break
                    self._keep(phase, unit.at, self._consume(request.is_answered_by(self._ahead)))
                    answered += 1
                if answered == len(every):
                    self.done += 1
                    continue
            if phase.name == CLEAN:  # no other text of the item helps
                yield replace(unit, answered=answered)
            else:
                known = self._clean.get(unit.at, ())
                yield replace(unit, item=self._items[unit.at], answered=answered, known=known)

    def new(self, phase: Phase, batch: UnitBatch, results: Sequence[UnitResult]) -> list[Line]:
        """The answers to a batch that the file does not hold: it may hold some whose questions were lost."""
        lines: list[Line] = []
        for unit, result in zip(batch.units, results, strict=True):
            self.done += 1
            for line in result.answers:
                if self._ahead is not None:
                    self._consume(all(line.get(key) == self._ahead.get(key) for key in _NAMED))
                else:
                    lines.append(line)
                self._keep(phase, unit.at, line)
        return lines

    def end(self) -> None:
        """All is answered; a file that holds more belongs to another run."""
        if self._ahead is not None:
            raise other_run(self._path)

    def _consume(self, fits: bool) -> Line:
        line = self._ahead
        if line is None or not fits:
            raise other_run(self._path)
        self._ahead = next(self._old, None)
        return line

    def _keep(self, phase: Phase, at: int, line: Line) -> None:
        if phase.name != CLEAN or line["by"] not in (READER, HARDENED):
            return
        self._clean[at] = (*self._clean.get(at, ()), line)
        few = min(_FAULTY, len(phase.numbers))
        if line["by"] == READER and len(self._first) < few:
            self._first.append("fault" in line)
            if len(self._first) == few and all(self._first):
                raise self._broken(line, few)

    def _broken(self, line: Line, few: int) -> InputError:
        fault = line["fault"]
        where = f", {fault['where']}" if fault.get("where") else ""
        return InputError(
            place=f"{self._name}, item {line['id']!r}{where}",
            found=f"{fault['error']}: {fault.get('message', '')}",
            expected=f"an answer; the reader failed on each of its first {few} questions",
        )


# times


class Stopwatch:
    """Seconds by phase and inside the readers, milliseconds a clean question; goes on from an earlier session."""

    def __init__(self, path: Path) -> None:
        self.path = path
        before = _old_timings(path)
        self._begun = time.perf_counter()
        self._seconds = before.seconds
        self._reader = before.reader_seconds
        self._phases = dict(before.phases)
        self._samples = {part: list(values) for part, values in before.samples.items()}
        self._sessions = before.sessions + 1
        self._usage = dict(before.usage)
        self._made = before.made
        self._written = self._since = self._begun
        self._phase = ""

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """The time of one phase."""
        self._since = time.perf_counter()
        self._phase = name
        try:
            yield
        finally:
            self._spend()
            self._phase = ""

    def question(self, part: str, milliseconds: float) -> None:
        """The time of one clean question; one that was remembered took none."""
        kept = self._samples.setdefault(part, [])
        if milliseconds > 0 and len(kept) < _SAMPLES:
            kept.append(round(milliseconds, 3))

    def use(self, usage: Mapping[str, Usage]) -> None:
        """What readers behind an endpoint were asked for a batch."""
        for by, one in usage.items():
            self._usage[by] = self._usage[by].plus(one) if by in self._usage else one

    def tick(self, reader_seconds: float) -> None:
        """Called often: writes what is known so far every few seconds."""
        if time.perf_counter() - self._written >= _EVERY:
            self.write(reader_seconds)

    def _spend(self) -> None:
        now = time.perf_counter()
        if self._phase:
            self._phases[self._phase] = self._phases.get(self._phase, 0.0) + now - self._since
        self._since = now

    def write(self, reader_seconds: float) -> Timings:
        """What is known so far, as a file."""
        self._spend()
        self._written = time.perf_counter()
        found = Timings(
            seconds=self._seconds + time.perf_counter() - self._begun,
            reader_seconds=self._reader + reader_seconds,
            phases=self._phases,
            speed={part: _speed(values) for part, values in self._samples.items() if values},
            peak_memory=peak_memory(),
            sessions=self._sessions,
            machine=_machine(),
            # a finished run that is only looked at again keeps its date
            made=_made() if reader_seconds or not self._made else self._made,
            samples={part: tuple(values) for part, values in self._samples.items()},
            usage=dict(self._usage),
        )
        with suppress(OSError, InputError):  # times are not worth a run; where the disk is full the answers say so
            write_json(self.path, found)
        return found


def peak_memory() -> int | None:
    """The most memory this process had, in bytes; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def _speed(values: list[float]) -> Speed:
    p90 = quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
    return Speed(count=len(values), median=median(values), p90=p90)


def _machine() -> dict[str, str]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {"system": platform.system(), "machine": platform.machine(), "cores": str(cores)} | {
        "python": platform.python_version()
    }


def _made() -> dict[str, str]:
    """When a run was made, and of what commit."""
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    commit = _commit()
    return {"date": date} | ({"commit": commit} if commit else {})


@lru_cache(maxsize=1)
def _commit() -> str:
    """The commit of the repository that a run is started in: a CI's variable, else what git says; "" without one."""
    named = os.environ.get("GITHUB_SHA") or os.environ.get("CI_COMMIT_SHA")
    if named:
        return named[:12]
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"],
            capture_output=True, text=True, timeout=5, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""


def _old_timings(path: Path) -> Timings:
    """The times of the sessions before; a file that cannot be read costs nothing but them."""
    try:
        return read_timings(path) if path.exists() else Timings()
    except InputError:
        return Timings()
