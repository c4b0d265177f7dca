"""The work of a run: phase by phase, item by item, questions made and answered, each file only ever added to.

What the files already hold is gone through first; the first thing that they do not hold is the first that is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.items import Item
from readproof.prove.answers import Reading, Said, answer_line, of_other, said_of
from readproof.prove.asking import Asker
from readproof.prove.cases import ANSWERS, VARIANTS
from readproof.prove.logs import Log
from readproof.prove.making import made_groups
from readproof.prove.model import CLEAN, PROBE
from readproof.prove.plan import Phase, Plan
from readproof.prove.questions import (
    Group,
    Question,
    Single,
    Skipped,
    answer_key,
    cleaned,
    part_of,
    question_line,
    question_of,
)
from readproof.prove.timing import FILE, Clock

# what is being done, how much of all work is done, of how much
Progress = Callable[[str, int, int], None]
# what becomes of the items of a phase but the first so many
Source = Callable[[Phase, int], Iterator[Group]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Who is asked."""

    reader: Asker
    hardened: Asker | None = None

    @property
    def seconds(self) -> float:
        return self.reader.watched.seconds + (self.hardened.watched.seconds if self.hardened else 0.0)


def ends_group(line: Mapping[str, Any]) -> bool:
    """Whether a line of variants.jsonl is the last of its item and attack."""
    return "skipped" in line or line.get("number", 0) + 1 == line.get("of", 1)


def live(items: Sequence[Item], readers: Readers, seed: int) -> Source:
    """Questions made as they are wanted."""
    return lambda phase, done: made_groups(phase, items, done=done, seed=seed, reader=readers.reader.watched)


def work(folder: Path, plan: Plan, readers: Readers, source: Source, tell: Progress) -> None:
    """Every phase of the plan, from where the files of the folder end."""
    clock = Clock(folder / FILE)
    total = sum(phase.weight * len(phase.numbers) for phase in plan.phases)
    done = 0
    with Log(folder / VARIANTS, ends_group) as variants, Log(folder / ANSWERS) as answers:
        old = old_groups(variants.old(), variants.path)
        asking = Asking(readers, answers, clock)
        if not asking.behind:
            tell(CLEAN, done, total)
        for phase in plan.phases:
            with clock.phase(phase.name):
                for group in phase_groups(phase, old, source, variants):
                    asking.add(group)
                    done += phase.weight
                    clock.tick(readers.seconds)
                    if not asking.behind:  # what an earlier session did takes no time, and would spoil the estimate
                        tell(phase.name, done, total)
                asking.flush()
            asking.forget(all_but_clean=phase.name != CLEAN)
            variants.sync()
            answers.sync()
            clock.write(readers.seconds)
        asking.end()


def phase_groups(phase: Phase, old: Iterator[Group], source: Source, variants: Log) -> Iterator[Group]:
    """The groups of a phase: those that the file holds, then new ones."""
    done = 0
    for at in phase.numbers:
        group = next(old, None)
        if group is None:
            break
        if (group[0].at, group[0].attack) != (at, phase.name):
            raise other_run(variants.path)
        done += 1
        yield group
    if done < len(phase.numbers):
        for group in source(phase, done):
            variants.add([question_line(one) for one in group])
            yield group


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


class Asking:
    """Questions answered in order; a text that was read once is not read again."""

    def __init__(self, readers: Readers, log: Log, clock: Clock) -> None:
        self._readers = readers
        self._log = log
        self._clock = clock
        self._old = log.old()
        self._ahead: Mapping[str, Any] | None = next(self._old, None)
        self._known: dict[tuple[str, bytes], Said] = {}
        self._clean = 0
        self._waiting: list[tuple[Reading, Single]] = []

    @property
    def behind(self) -> bool:
        """Whether there are answers of an earlier session still to be gone through."""
        return self._ahead is not None

    def add(self, group: Group) -> None:
        """The questions of one item: answered at once, or when there are enough of them to ask together."""
        for question in group:
            if isinstance(question, Question):
                for reading, item in self._readings(question):
                    if not self._is_old(reading, item):
                        self._waiting.append((reading, item))
        if len(self._waiting) >= self._readers.reader.together:
            self.flush()

    def flush(self) -> None:
        """Answer what waits, and write the answers in one go."""
        for by, asker in (("reader", self._readers.reader), ("hardened", self._readers.hardened)):
            fresh: dict[bytes, tuple[Reading, Single]] = {}
            for reading, item in self._waiting:
                if reading.by == by and (by, answer_key(item)) not in self._known:
                    fresh.setdefault(answer_key(item), (reading, item))
            if fresh and asker is not None:
                self._ask(by, asker, fresh)
        self._log.add(
            [
                answer_line(reading, of_other(self._known[reading.by, answer_key(item)], item.id))
                for reading, item in self._waiting
            ]
        )
        self._waiting = []

    def forget(self, *, all_but_clean: bool) -> None:
        """Between phases: answers to clean texts may be wanted again, those to variants are not, and take memory."""
        if all_but_clean:
            for key in list(self._known)[self._clean :]:
                del self._known[key]
        self._clean = len(self._known)

    def end(self) -> None:
        """All is answered; a file that holds more belongs to another run."""
        if self._ahead is not None:
            raise other_run(self._log.path)

    def _ask(self, by: str, asker: Asker, fresh: Mapping[bytes, tuple[Reading, Single]]) -> None:
        strict = any(reading.question.attack == CLEAN for reading, _ in fresh.values())
        said = asker.ask([item for _, item in fresh.values()], strict=strict)
        for key, one, spent in zip(fresh, said, asker.milliseconds, strict=True):
            self._known[by, key] = one
            question = fresh[key][0].question
            if by == "reader" and question.attack == CLEAN:
                self._clock.question(part_of(question.item), spent)

    def _readings(self, question: Question) -> Iterator[tuple[Reading, Single]]:
        yield Reading(question=question), question.item
        if question.attacked and not self._readers.reader.sanitises:
            clean = cleaned(question.item)
            if clean is not None:
                yield Reading(question=question, sanitised=True), clean
        if self._readers.hardened is not None and not question.attack.startswith(PROBE):
            yield Reading(question=question, by="hardened"), question.item

    def _is_old(self, reading: Reading, item: Single) -> bool:
        if self._ahead is None:
            return False
        if not reading.is_of(self._ahead):
            raise other_run(self._log.path)
        self._known[reading.by, answer_key(item)] = said_of(self._ahead, self._log.path)
        self._ahead = next(self._old, None)
        return True
