"""The work of a run: phase by phase, item by item, questions made and answered, each file only ever added to.

What the files already hold is gone through first; the first thing that they do not hold is the first that is done.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from readproof.engine import Engine, Mapped, shards
from readproof.engine.base import size as shard_size
from readproof.errors import InputError
from readproof.items import Item
from readproof.prove.asking import sanitises, together
from readproof.prove.cases import ANSWERS, VARIANTS
from readproof.prove.logs import Log
from readproof.prove.making import plain_groups
from readproof.prove.model import CLEAN
from readproof.prove.plan import Phase, Plan
from readproof.prove.questions import Group, Question, Skipped, question_line, question_of
from readproof.prove.sharing import Batch, Line, Portion, Share, Shares, Sharing, readings_of
from readproof.prove.timing import FILE, Clock

# what is being done, how much of all work is done, of how much
Progress = Callable[[str, int, int], None]
# the items of a phase but the first so many
Source = Callable[[Phase, int], Iterator[Portion]]

_MANY = 16  # items in a batch that travels


def ends_group(line: Mapping[str, Any]) -> bool:
    """Whether a line of variants.jsonl is the last of its item and attack."""
    return "skipped" in line or line.get("number", 0) + 1 == line.get("of", 1)


def live(items: Sequence[Item], seed: int) -> Source:
    """Clean questions and probes as they are wanted; variants are left to be made."""

    def portions(phase: Phase, done: int) -> Iterator[Portion]:
        groups = plain_groups(phase, items, done=done, seed=seed)
        if groups is not None:
            return (Portion(at=group[0].at, group=group) for group in groups)
        return (Portion(at=at, item=items[at]) for at in phase.numbers[done:])

    return portions


def work(
    folder: Path, plan: Plan, items: Sequence[Item], sharing: Sharing, engine: Engine, source: Source, tell: Progress
) -> None:
    """Every phase of the plan, from where the files of the folder end."""
    clock = Clock(folder / FILE)
    total = sum(phase.weight * len(phase.numbers) for phase in plan.phases)
    before, seconds = 0, 0.0
    with (
        Log(folder / VARIANTS, ends_group) as variants,
        Log(folder / ANSWERS) as answers,
        engine.start(sharing) as mapped,
    ):
        old = old_groups(variants.old(), variants.path)
        past = Past(sharing, answers, items)
        if not past.behind:
            tell(CLEAN, before, total)
        for number, phase in enumerate(plan.phases):
            with clock.phase(phase.name):
                portions = past.open(phase, phase_portions(phase, old, source, variants.path))
                for batch, found in shared_out(mapped, number, portions, batch_size(engine, sharing, phase)):
                    variants.add(new_lines(batch, found))
                    answers.add(past.new(phase, batch, found.shares))
                    seconds += found.seconds
                    for part, milliseconds in found.samples:
                        clock.question(part, milliseconds)
                    clock.tick(seconds)
                    if not past.behind:  # what an earlier session did takes no time, and would spoil the estimate
                        tell(phase.name, before + phase.weight * past.done, total)
            before += phase.weight * len(phase.numbers)
            if not past.behind:
                tell(phase.name, before, total)
            variants.sync()
            answers.sync()
            clock.write(seconds)
        past.end()


def batch_size(engine: Engine, sharing: Sharing, phase: Phase) -> int:
    """How many items go together: in this process only for a reader that gains by it."""
    if engine.name != "local":
        return shard_size(engine, len(phase.numbers), _MANY)
    return 1 if sharing.reader is None else together(sharing.reader.open())


def shared_out(
    mapped: Mapped[Batch, Shares], phase: int, portions: Iterable[Portion], size: int
) -> Iterator[tuple[Batch, Shares]]:
    """Batches of portions with what came of them, in order."""
    sent: deque[Batch] = deque()

    def batches() -> Iterator[Batch]:
        for some in shards(portions, size):
            sent.append(Batch(phase, some))
            yield sent[-1]

    for found in mapped(batches()):
        yield sent.popleft(), found


def new_lines(batch: Batch, found: Shares) -> list[Line]:
    """The lines of variants.jsonl that a batch brings: made where the work was done, or before it."""
    lines: list[Line] = []
    for portion, share in zip(batch.portions, found.shares, strict=True):
        if portion.new:
            lines += share.variants or [question_line(one) for one in portion.group or ()]
    return lines


def phase_portions(phase: Phase, old: Iterator[Group], source: Source, path: Path) -> Iterator[Portion]:
    """The items of a phase: those whose questions the file holds, then new ones."""
    done = 0
    for at in phase.numbers:
        group = next(old, None)
        if group is None:
            break
        if (group[0].at, group[0].attack) != (at, phase.name):
            raise other_run(path)
        done += 1
        yield Portion(at=at, group=group, new=False)
    if done < len(phase.numbers):
        yield from source(phase, done)


def old_groups(lines: Iterable[Mapping[str, Any]], path: Path) -> Iterator[Group]:
    """What a file already holds, item by item."""
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
    """The files do not belong to what is asked."""
    return InputError(
        file=path,
        found="the results of another run",
        expected="results of the same run",
        do="Add --fresh to throw them away and begin again, or choose another --out.",
    )


class Past:
    """What has been answered: by earlier sessions, and the clean items, whose answers go with their variants."""

    def __init__(self, sharing: Sharing, log: Log, items: Sequence[Item]) -> None:
        reader = sharing.reader
        self._sanitises = reader is not None and sanitises(reader.open())
        self._hardened = sharing.hardened is not None
        self._items = items
        self._path = log.path
        self._old = log.old()
        self._ahead: Line | None = next(self._old, None)
        self._clean: dict[int, tuple[Line, ...]] = {}
        self.done = 0

    @property
    def behind(self) -> bool:
        """Whether there are answers of an earlier session still to be gone through."""
        return self._ahead is not None

    def open(self, phase: Phase, portions: Iterator[Portion]) -> Iterator[Portion]:
        """The portions of a phase that something is left to do of, with what is known of their items."""
        self.done = 0
        for portion in portions:
            answered = 0
            if portion.group is not None and not portion.new:
                every = list(readings_of(portion.group, sanitises=self._sanitises, hardened=self._hardened))
                for reading, _ in every:
                    if self._ahead is None:
                        break
                    self._keep(phase, portion.at, self._gone_through(reading.is_of(self._ahead)))
                    answered += 1
                if answered == len(every):
                    self.done += 1
                    continue
            if phase.attack is None and phase.facts is None:  # clean, or a probe: no other text of the item helps
                yield replace(portion, answered=answered)
            else:
                known = self._clean.get(portion.at, ())
                yield replace(portion, item=self._items[portion.at], answered=answered, known=known)

    def new(self, phase: Phase, batch: Batch, shares: Sequence[Share]) -> list[Line]:
        """The answers to a batch that the file does not hold: it may hold some whose questions were lost."""
        lines: list[Line] = []
        for portion, share in zip(batch.portions, shares, strict=True):
            self.done += 1
            for line in share.answers:
                if self._ahead is not None:
                    self._gone_through(all(line.get(key) == self._ahead.get(key) for key in _NAMED))
                else:
                    lines.append(line)
                self._keep(phase, portion.at, line)
        return lines

    def end(self) -> None:
        """All is answered; a file that holds more belongs to another run."""
        if self._ahead is not None:
            raise other_run(self._path)

    def _gone_through(self, fits: bool) -> Line:
        line = self._ahead
        if line is None or not fits:
            raise other_run(self._path)
        self._ahead = next(self._old, None)
        return line

    def _keep(self, phase: Phase, at: int, line: Line) -> None:
        if phase.name == CLEAN:
            self._clean[at] = (*self._clean.get(at, ()), line)


_NAMED = ("at", "attack", "id", "by", "sanitised")
