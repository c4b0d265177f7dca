"""What a run shares out: variants made and questions answered, a few items at a time, wherever its readers are.

A text that was read once is not read again: not in a phase by the same worker, and never the clean text of the item,
whose answers travel with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from readproof.items import Item
from readproof.prove.answers import By, Reading, Said, answer_line, of_other, said_of
from readproof.prove.asking import Asker, sanitises
from readproof.prove.cases import ANSWERS
from readproof.prove.making import attacked_groups
from readproof.prove.measuring import measure_for
from readproof.prove.model import CLEAN, PROBE
from readproof.prove.plan import Phase
from readproof.prove.questions import (
    Group,
    Question,
    Single,
    Skipped,
    answer_key,
    cleaned,
    part_of,
    question_line,
    single,
)
from readproof.readers.named import Named

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """An item of a phase: its questions (`group`), or where they are still to be made the item itself.

    `new` questions are not in variants.jsonl yet. Of its readings the first `answered` are answered; `known` are the
    lines that answer the item as it was.
    """

    at: int
    item: Item | None = None
    group: Group | None = None
    new: bool = True
    answered: int = 0
    known: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """Some portions of the phase with that number."""

    phase: int
    portions: list[Portion]


@dataclass(frozen=True, slots=True)
class Share:
    """What came of a portion, as lines of variants.jsonl (where its questions were made) and answers.jsonl."""

    variants: Sequence[Line]
    answers: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Shares:
    """What came of a batch, the seconds inside the readers, and the milliseconds of clean questions by part."""

    shares: list[Share]
    seconds: float = 0.0
    samples: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """The work of a run. Without `asks`, questions are made and not answered, as for a suite."""

    phases: tuple[Phase, ...]
    task: str = "items"
    metric: str = ""
    seed: int = 0
    reader: Named | None = None
    hardened: Named | None = None
    asks: bool = True

    def open(self) -> Desk:
        """The readers, ready to work."""
        return Desk(self)

    def names(self, shard: Batch) -> list[str]:
        """The ids of the items."""
        return [
            single(one.item).id if one.item is not None else one.group[0].origin if one.group else ""
            for one in shard.portions
        ]


def sharing_of(phases: Sequence[Phase], **given: Any) -> Sharing:
    """The work of these phases; whose turn it is comes with each portion, so that their numbers stay at home."""
    return Sharing(phases=tuple(replace(phase, numbers=()) for phase in phases), **given)


def readings_of(group: Group, *, sanitises: bool, hardened: bool) -> Iterator[tuple[Reading, Single]]:
    """How each question is read: as it stands, sanitised where the reader does not do that itself, and hardened."""
    for question in group:
        if isinstance(question, Skipped):
            continue
        yield Reading(question=question), question.item
        if question.attacked and not sanitises:
            clean = cleaned(question.item)
            if clean is not None:
                yield Reading(question=question, sanitised=True), clean
        if hardened and not question.attack.startswith(PROBE):
            yield Reading(question=question, by="hardened"), question.item


@dataclass(slots=True)
class Desk:
    """Where the work is done: the readers, and what they said in the phase so far."""

    sharing: Sharing
    askers: dict[By, Asker] = field(default_factory=dict)
    phase: int = -1
    remembered: dict[tuple[By, bytes], Said] = field(default_factory=dict)

    def __post_init__(self) -> None:
        measure = measure_for(self.sharing.task, self.sharing.metric)
        if self.sharing.reader is not None:
            self.askers["reader"] = Asker(self.sharing.reader.open(), measure)
        if self.sharing.hardened is not None:
            self.askers["hardened"] = Asker(self.sharing.hardened.open(), measure)

    def __call__(self, batch: Batch) -> Shares:
        """The questions of a batch made and answered."""
        if batch.phase != self.phase:
            self.phase, self.remembered = batch.phase, {}
        before = self._seconds()
        groups = list(self._groups(batch))
        made = [
            [question_line(one) for one in group] if portion.group is None else []
            for portion, group in zip(batch.portions, groups, strict=True)
        ]
        if not self.sharing.asks:
            return Shares([Share(lines, []) for lines in made])
        wanted = [self._wanted(portion, group) for portion, group in zip(batch.portions, groups, strict=True)]
        samples = self._asked([one for some in wanted for one in some])
        answers = [
            [
                answer_line(reading, of_other(self.remembered[reading.by, answer_key(item)], item.id))
                for reading, item in some
            ]
            for some in wanted
        ]
        shares = [Share(lines, answered) for lines, answered in zip(made, answers, strict=True)]
        return Shares(shares, self._seconds() - before, tuple(samples))

    def _groups(self, batch: Batch) -> Iterator[Group]:
        asker = self.askers.get("reader")
        new = [(one.at, one.item) for one in batch.portions if one.group is None and one.item is not None]
        made = attacked_groups(
            self.sharing.phases[batch.phase], new, seed=self.sharing.seed, reader=asker.watched if asker else None
        )
        for portion in batch.portions:
            yield next(made) if portion.group is None else portion.group

    def _wanted(self, portion: Portion, group: Group) -> list[tuple[Reading, Single]]:
        if portion.item is not None and portion.known:
            key = answer_key(single(portion.item))
            for line in portion.known:
                self.remembered[line["by"], key] = said_of(line, Path(ANSWERS))
        clean = sanitises(self.askers["reader"].reader)
        return list(readings_of(group, sanitises=clean, hardened="hardened" in self.askers))[portion.answered :]

    def _asked(self, wanted: Sequence[tuple[Reading, Single]]) -> list[tuple[str, float]]:
        """Asks what is not remembered; gives the milliseconds of clean questions."""
        found: list[tuple[str, float]] = []
        for by, asker in self.askers.items():
            fresh: dict[bytes, tuple[Question, Single]] = {}
            for reading, item in wanted:
                if reading.by == by and (by, answer_key(item)) not in self.remembered:
                    fresh.setdefault(answer_key(item), (reading.question, item))
            strict = any(question.attack == CLEAN for question, _ in fresh.values())
            said = asker.ask([item for _, item in fresh.values()], strict=strict)
            for (key, (question, _)), one, spent in zip(fresh.items(), said, asker.milliseconds, strict=True):
                self.remembered[by, key] = one
                if by == "reader" and question.attack == CLEAN:
                    found.append((part_of(question.item), spent))
        return found

    def _seconds(self) -> float:
        return sum(asker.watched.seconds for asker in self.askers.values())
