"""Where the work of a run is done: variants are made and questions answered, a few items at a time.

A text that was read once is not read again: not in a phase by the same worker, and never the clean text of the item,
whose answers travel with it.
"""

from __future__ import annotations

import os
import sysconfig
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from readproof.attacks.base import Attack, AttackOutput, SearchAttack, SearchOutput
from readproof.attacks.search import LIKELIEST, GivesDistribution, judge, likely_of
from readproof.engine import shards
from readproof.errors import ReadproofError, visible
from readproof.items import Answer, ChoiceItem, Edit, Item, SpanItem, Triple, Variant, without_gold
from readproof.proof.measure import Measure, belief, measure_for
from readproof.proof.plan import Phase
from readproof.proof.probes import BESIDE_BASELINES, ItemPool, probe
from readproof.proof.records import (
    ANSWERS,
    HARDENED,
    READER,
    Group,
    Prediction,
    Question,
    Request,
    Single,
    Skipped,
    answer_key,
    answer_line,
    cleaned,
    grouped,
    part_of,
    prediction_of,
    question_line,
    single,
    text_key,
)
from readproof.proof.results import CLEAN, PROBE, Fault
from readproof.readers.api import DISTRIBUTION, OPTIONS, SPANS, TRIPLES, Reader, StreamingReader
from readproof.readers.baselines import open_baseline
from readproof.readers.callable import FunctionReader
from readproof.readers.options import JudgesOptions
from readproof.readers.reader_ref import ReaderRef
from readproof.readers.reading import ReadsSpans
from readproof.readers.usage import MeteredReader, Usage

Line = Mapping[str, Any]
Result = TypeVar("Result")
Shown = TypeVar("Shown", bound=Single)
# an original question, and those that were made of it
Triplet = tuple[Single, ...]

_REMEMBERED = 4096
_TOGETHER = 32  # questions that a reader which streams is given at a time
_SEARCHED = 16  # items that a search has in hand at a time, where the reader gains by it
_NO_ANSWER = "no single answer left"
_OWN = str(Path(__file__).parents[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkUnit:
    """An item of a phase: its questions (`group`), or where they are still to be made the item itself.

    `new` questions are not in variants.jsonl yet. Of its requests the first `answered` are answered; `known` are the
    lines that answer the item as it was.
    """

    at: int
    item: Item | None = None
    group: Group | None = None
    new: bool = True
    answered: int = 0
    known: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitBatch:
    """Some units of the phase with that number."""

    phase: int
    units: list[WorkUnit]


@dataclass(frozen=True, slots=True)
class UnitResult:
    """The lines that a unit adds to variants.jsonl (where its questions were made here) and to answers.jsonl."""

    variants: Sequence[Line]
    answers: Sequence[Line]


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The results of a batch, the seconds inside the readers, and the milliseconds of clean questions by part.

    `usage` is what the readers that are behind an endpoint were asked, by whose turn it was.
    """

    units: list[UnitResult]
    seconds: float = 0.0
    samples: tuple[tuple[str, float], ...] = ()
    usage: Mapping[str, Usage] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofWork:
    """The work of a run, as it travels to where it is done. Without `asks`, questions are made and not answered."""

    phases: tuple[Phase, ...]
    task: str = "items"
    metric: str = ""
    seed: int = 0
    reader: ReaderRef | None = None
    hardened: ReaderRef | None = None
    baselines: tuple[str, ...] = ()
    asks: bool = True

    def open(self) -> Worker:
        """The readers, ready to work."""
        return Worker(self)

    def names(self, shard: UnitBatch) -> list[str]:
        """The ids of the items."""
        return [
            single(one.item).id if one.item is not None else one.group[0].origin if one.group else ""
            for one in shard.units
        ]


def work_of(phases: Sequence[Phase], **given: Any) -> ProofWork:
    """The work of these phases; whose turn it is comes with each unit, so that their item numbers stay at home."""
    return ProofWork(phases=tuple(replace(phase, numbers=()) for phase in phases), **given)


def requests_of(
    group: Group, *, sanitises: bool, hardened: bool, baselines: Sequence[str] = ()
) -> Iterator[tuple[Request, Single]]:
    """Who answers each question, and how: as it stands, sanitised where the reader does not do that itself."""
    for question in group:
        if isinstance(question, Skipped):
            continue
        yield Request(question=question), question.item
        if question.attacked and not sanitises:
            clean = cleaned(question.item)
            if clean is not None:
                yield Request(question=question, sanitised=True), clean
        if hardened and not question.probe:
            yield Request(question=question, by=HARDENED), question.item
        if question.attack == CLEAN or question.probe in BESIDE_BASELINES:
            wanted = OPTIONS if isinstance(question.item, ChoiceItem) else SPANS
            for name in baselines:
                if wanted in open_baseline(name).capabilities:
                    yield Request(question=question, by=name), question.item


def sanitises(reader: Reader) -> bool:
    """Whether a reader takes out what is invisible before it reads: then it need not be done for it."""
    return bool(getattr(reader, "sanitises", isinstance(reader, ReadsSpans)))


def batch_of(reader: Reader) -> int:
    """How many questions it is worth to have ready for one call."""
    return _TOGETHER if isinstance(reader, StreamingReader) else 1


# the readers


def as_shown(item: Shown) -> Shown:
    """An item as a reader is shown it: without its answer, and without an id that names the probe it was made for."""
    return replace(without_gold(item), id=text_key(item).hex()[:16], passage_id="")


class TimedReader:
    """A reader with a clock and a short memory; to a search it is a reader like any other."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.name, self.capabilities, self.fingerprint = reader.name, reader.capabilities, reader.fingerprint
        self.seconds = 0.0
        self._likely: OrderedDict[bytes, list[Answer]] = OrderedDict()

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer per item, in order."""
        shown = [as_shown(item) for item in items if isinstance(item, SpanItem | ChoiceItem)]
        answers = self.timed(lambda: self.reader.answer(shown))
        if len(answers) != len(items):
            raise ValueError(f"{len(answers)} answers to {len(items)} questions")
        return [replace(answer, id=item.id) for answer, item in zip(answers, items, strict=True)]

    def distribution(self, item: SpanItem, count: int = LIKELIEST) -> list[tuple[int, int, float]]:
        """The likeliest spans: raw start, raw end, probability."""
        return [(one.start or 0, one.end or 0, one.confidence or 0.0) for one in self.likely(item, count)]

    def likely(self, item: SpanItem, count: int = LIKELIEST) -> list[Answer]:
        """The likeliest spans as answers; read once where they are asked for twice."""
        if not isinstance(self.reader, GivesDistribution):
            raise TypeError(f"{self.name} gives no distribution")
        reader, key = self.reader, text_key(item) + count.to_bytes(4, "big")
        if key not in self._likely:
            self._likely[key] = self.timed(lambda: likely_of(reader, as_shown(item), count))
            if len(self._likely) > _REMEMBERED:
                self._likely.popitem(last=False)
        self._likely.move_to_end(key)
        # what reads the same may be asked under another id
        return [replace(one, id=item.id) for one in self._likely[key]]

    def timed(self, work: Callable[[], Result]) -> Result:
        """Work of the reader, on the clock."""
        begun = time.perf_counter()
        try:
            return work()
        finally:
            self.seconds += time.perf_counter() - begun


@dataclass(slots=True)
class Asker:
    """Puts questions to one reader; `milliseconds` are of the last call, one per question."""

    reader: Reader
    measure: Measure
    timed: TimedReader = field(init=False)
    milliseconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.timed = TimedReader(self.reader)

    def ask(self, items: Sequence[Single]) -> list[Prediction]:
        """One prediction per item, in order, not measured yet; an error of the reader is a fault, kept with it."""
        if isinstance(self.reader, StreamingReader):
            begun = time.perf_counter()
            found = self._streamed(self.reader, items)
            # where answers may come from a cache the reader itself knows how long its server took
            metered = isinstance(self.reader, MeteredReader)
            spent = 0.0 if metered else 1000 * (time.perf_counter() - begun) / max(1, len(items))
            self.milliseconds = [spent] * len(items)
        else:
            found, self.milliseconds = [], []
            for item in items:
                before = self.timed.seconds
                found.append(self._one(item))
                self.milliseconds.append(1000 * (self.timed.seconds - before))
        return found

    def ask_together(self, asked: Sequence[tuple[Question, Single]], whole: Sequence[Triplet]) -> list[Prediction]:
        """Predictions of a reader whose prompt is a joint one: each question in the conversation it belongs to.

        `whole` has for each the questions of its triple; a sanitised question is asked in a conversation of its own.
        """
        reader = self.reader
        if not isinstance(reader, StreamingReader):
            raise TypeError(f"{reader.name} asks no triples")
        keys = [(question.at, item != question.item) for question, item in asked]
        conversations: dict[tuple[int, bool], list[Single]] = {}
        for key, (question, item), questions in zip(keys, asked, whole, strict=True):
            conversations.setdefault(key, list(questions))[question.number + 1] = item
        groups = [[as_shown(one) for one in group] for group in conversations.values()]

        def work() -> dict[int, list[Answer]]:
            with closing(reader.stream(groups)) as stream:
                return dict(stream)

        answers = dict(zip(conversations, (found for _, found in sorted(self.timed.timed(work).items())), strict=True))
        self.milliseconds = [0.0] * len(asked)
        return [
            self._plain(item, replace(answers[key][question.number + 1], id=item.id))
            for key, (question, item) in zip(keys, asked, strict=True)
        ]

    def _streamed(self, reader: StreamingReader, items: Sequence[Single]) -> list[Prediction]:
        def work() -> dict[int, list[Answer]]:
            with closing(reader.stream([(as_shown(item),) for item in items])) as stream:
                return dict(stream)

        answers = self.timed.timed(work)
        return [self._plain(item, replace(answers[at][0], id=item.id)) for at, item in enumerate(items)]

    def _one(self, item: Single) -> Prediction:
        try:
            return self._read(item)
        except (OSError, MemoryError):
            raise
        except Exception as error:
            if is_own(error, self.reader):
                raise
            return Prediction(answer=Answer(id=item.id), fault=fault_of(error))

    def _read(self, item: Single) -> Prediction:
        reader = self.reader
        if isinstance(item, ChoiceItem):
            if isinstance(reader, JudgesOptions):
                judged = self.timed.timed(lambda: reader.judge(as_shown(item)))
                prediction = self._plain(item, replace(judged.answer, id=item.id))
                return replace(prediction, options=judged.options, asked=judged.asked)
            return self._plain(item, self.timed.answer([item])[0])
        if DISTRIBUTION in reader.capabilities and isinstance(reader, GivesDistribution) and not _may_abstain(reader):
            judged_span = judge(self.timed, [item])[0]
            return Prediction(answer=judged_span.answer, belief=judged_span.expected)
        return self._plain(item, self.timed.answer([item])[0])

    def _plain(self, item: Single, answer: Answer) -> Prediction:
        if isinstance(item, ChoiceItem):
            return Prediction(answer=answer, belief=belief(item, answer))
        if answer.confidence is None:
            return Prediction(answer=answer)
        return Prediction(answer=answer, belief=answer.confidence * self.measure(item, answer)["f1"])


def is_own(error: Exception, reader: Reader) -> bool:
    """Whether an error is of our own machinery, which must not fail; a function of the user's may."""
    return isinstance(error, ReadproofError) and not isinstance(reader, FunctionReader)


def fault_of(error: Exception) -> Fault:
    """What a reader raised: its type, its message, and the line of the user's code that it came from."""
    cause = error.__cause__ if isinstance(error, ReadproofError) and isinstance(error.__cause__, Exception) else error
    frames = traceback.extract_tb(cause.__traceback__)
    library = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
    own = [one for one in frames if not one.filename.startswith((_OWN, "<", *library))]
    last = next(reversed(own or frames), None)
    where = f"{Path(last.filename).name}:{last.lineno} in {last.name}" if last else ""
    return Fault(error=type(cause).__name__, message=visible(cause), where=where)


def _may_abstain(reader: Reader) -> bool:
    """Whether "there is no answer" is an answer of this reader: then the likeliest span need not be its answer."""
    return bool(getattr(getattr(reader, "options", None), "no_answer", False))


# the worker


@dataclass(slots=True)
class Worker:
    """The readers, and what they answered in the phase so far."""

    work: ProofWork
    askers: dict[str, Asker] = field(default_factory=dict)
    phase: int = -1
    remembered: dict[tuple[str, bytes], Prediction] = field(default_factory=dict)
    used: dict[str, Usage] = field(default_factory=dict)
    triplets: dict[int, Triplet] = field(default_factory=dict)
    measure: Measure = field(init=False)

    def __post_init__(self) -> None:
        work = self.work
        self.measure = measure_for(work.task, work.metric)
        readers: dict[str, Reader] = {}
        if work.reader is not None:
            readers[READER] = work.reader.open()
        if work.hardened is not None:
            readers[HARDENED] = work.hardened.open()
        readers |= {name: open_baseline(name) for name in work.baselines}
        self.askers = {by: Asker(reader, self.measure) for by, reader in readers.items()}

    def __call__(self, batch: UnitBatch) -> BatchResult:
        """The questions of a batch, made and answered."""
        if batch.phase != self.phase:
            self.phase, self.remembered = batch.phase, {}
        before = self._seconds()
        groups = list(self._groups(batch))
        self.triplets = {
            unit.at: (single(unit.item), *(one.item for one in group if isinstance(one, Question)))
            for unit, group in zip(batch.units, groups, strict=True)
            if unit.item is not None
        }
        made = [
            [question_line(one) for one in group] if unit.group is None else []
            for unit, group in zip(batch.units, groups, strict=True)
        ]
        if not self.work.asks:
            return BatchResult([UnitResult(lines, []) for lines in made])
        wanted = [self._wanted(unit, group) for unit, group in zip(batch.units, groups, strict=True)]
        samples = self._asked([one for some in wanted for one in some])
        results = [
            UnitResult(lines, self._answers(unit, some))
            for unit, lines, some in zip(batch.units, made, wanted, strict=True)
        ]
        return BatchResult(results, self._seconds() - before, tuple(samples), self._used())

    def _groups(self, batch: UnitBatch) -> Iterator[Group]:
        asker = self.askers.get(READER)
        new = [(one.at, one.item) for one in batch.units if one.group is None and one.item is not None]
        made = attacked_groups(
            self.work.phases[batch.phase], new, seed=self.work.seed, reader=asker.timed if asker else None
        )
        for unit in batch.units:
            yield next(made) if unit.group is None else unit.group

    def _wanted(self, unit: WorkUnit, group: Group) -> list[tuple[Request, Single]]:
        if unit.item is not None and unit.known:
            key = answer_key(single(unit.item))
            for line in unit.known:
                self.remembered[line["by"], key] = prediction_of(line, Path(ANSWERS))
        wanted = requests_of(
            group,
            sanitises=sanitises(self.askers[READER].reader),
            hardened=HARDENED in self.askers,
            baselines=self.work.baselines,
        )
        return list(wanted)[unit.answered :]

    def _asked(self, wanted: Sequence[tuple[Request, Single]]) -> list[tuple[str, float]]:
        """Asks what is not remembered; gives the milliseconds of clean questions."""
        found: list[tuple[str, float]] = []
        for by, asker in self.askers.items():
            fresh: dict[bytes, tuple[Question, Single]] = {}
            for request, item in wanted:
                if request.by == by and (by, answer_key(item)) not in self.remembered:
                    fresh.setdefault(answer_key(item), (request.question, item))
            if TRIPLES in asker.reader.capabilities and self.work.phases[self.phase].name == "triples":
                whole = [self.triplets[question.at] for question, _ in fresh.values()]
                predictions = asker.ask_together(list(fresh.values()), whole)
            else:
                predictions = asker.ask([item for _, item in fresh.values()])
            for (key, (question, _)), one, spent in zip(fresh.items(), predictions, asker.milliseconds, strict=True):
                self.remembered[by, key] = one
                if by == READER and question.attack == CLEAN:
                    found.append((part_of(question.item), spent))
        return found

    def _answers(self, unit: WorkUnit, wanted: Sequence[tuple[Request, Single]]) -> list[Line]:
        """The lines of a unit's answers, each measured here and nowhere else."""
        known = {line["by"]: line for line in unit.known}
        lines: list[Line] = []
        for request, item in wanted:
            found = self.remembered[request.by, answer_key(item)]
            answer = replace(found.answer, id=request.question.item.id)
            question = replace(request.question, item=replace(item, id=answer.id))
            clean = single(unit.item) if unit.item is not None else question.item
            before = prediction_of(known[READER], Path(ANSWERS)).answer if READER in known else answer
            measured = self.measure.predicted(question, answer, clean, before)
            lines.append(answer_line(request, replace(found, answer=answer, measured=measured)))
        return lines

    def _used(self) -> dict[str, Usage]:
        """What the readers behind an endpoint were asked since the last batch; before the first, for the estimate."""
        metered = {by: one.reader for by, one in self.askers.items() if isinstance(one.reader, MeteredReader)}
        now = {by: reader.usage() for by, reader in metered.items()}
        new = {by: one.since(self.used.get(by, Usage())) for by, one in now.items()}
        self.used = now
        return new

    def _seconds(self) -> float:
        return sum(asker.timed.seconds for by, asker in self.askers.items() if by in (READER, HARDENED))


# the questions


def plain_groups(phase: Phase, items: Sequence[Item], *, done: int, seed: int) -> Iterator[Group] | None:
    """The clean questions or a probe of each item but the first `done`; None for an attack, which has to be made."""
    numbers = phase.numbers[done:]
    if phase.name == CLEAN:
        asked = ((at, single(items[at])) for at in numbers)
        return (grouped([Question(at=at, attack=CLEAN, item=item, origin=item.id)]) for at, item in asked)
    if phase.name.startswith(PROBE):
        return _probed(phase.name.removeprefix(PROBE), items, numbers, seed)
    return None


def _probed(name: str, items: Sequence[Item], numbers: Sequence[int], seed: int) -> Iterator[Group]:
    singles = [single(item) for item in items]
    pool = ItemPool(singles, seed)
    for at in numbers:
        found = probe(name, at, singles[at], pool)
        yield (found,) if isinstance(found, Skipped) else grouped(found)


def attacked_groups(
    phase: Phase, items: Sequence[tuple[int, Item]], *, seed: int, reader: TimedReader | None
) -> Iterator[Group]:
    """What an attack makes of each of some items, which come with their numbers."""
    if phase.facts is not None and phase.facts.searched and reader is not None:
        yield from _searched(phase, items, seed, reader)
    else:
        for at, item in items:
            yield _attacked(phase, at, item, seed)


def _attacked(phase: Phase, at: int, item: Item, seed: int) -> Group:
    """What an attack makes of one item. One bad item must not end a run over thousands."""
    if isinstance(item, Triple) and phase.name == "triples":
        return grouped(_forms(item, at))
    attack, asked = phase.attack, single(item)
    if not isinstance(attack, Attack) or phase.facts is None:
        raise TypeError(f"{phase.name} needs a reader")
    try:
        made = attack.make(asked, seed=seed, count=phase.facts.count)
    except ReadproofError:
        raise
    except Exception as error:
        return _failed(phase.name, at, asked, error)
    return _group(phase.name, at, asked, made, {})


def _searched(phase: Phase, items: Sequence[tuple[int, Item]], seed: int, reader: TimedReader) -> Iterator[Group]:
    attack, facts = phase.attack, phase.facts
    if not isinstance(attack, SearchAttack) or facts is None:
        raise TypeError(f"{phase.name} does not search")
    size = _SEARCHED if isinstance(reader.reader, StreamingReader) else 1
    for part in shards(items, size):
        spans = [item for _, item in part if isinstance(item, SpanItem)]
        try:
            found = list(attack.search(spans, reader, seed=seed, budget=facts.budget))
        except Exception as error:
            if isinstance(error, OSError | MemoryError) or is_own(error, reader.reader):
                raise
            for at, given in part:
                yield _failed(phase.name, at, single(given), error)
            continue
        for (at, _), item, one in zip(part, spans, found, strict=True):
            yield _group(phase.name, at, item, one.made, _search(one))


def _search(found: SearchOutput) -> dict[str, Any]:
    return {"queries": found.queries, "clean": round(found.clean, 6), "attacked": round(found.attacked, 6)}


def _failed(attack: str, at: int, item: Single, error: Exception) -> Group:
    """A fault of ours, or of the user's function, counted and shown by its kind."""
    if os.environ.get("READPROOF_DEBUG"):
        raise error
    fault = fault_of(error)
    return (Skipped(at=at, attack=attack, origin=item.id, reason=f"fault: {fault.error}"),)


def _group(attack: str, at: int, item: Single, made: AttackOutput, search: dict[str, Any]) -> Group:
    questions: list[Question] = []
    for variant in made.variants:
        for one in _questions(variant):
            if isinstance(one.item, SpanItem) or (isinstance(one.item, ChoiceItem) and one.item.answer is not None):
                questions.append(
                    Question(
                        at=at,
                        attack=attack,
                        item=one.item,
                        origin=item.id,
                        strategy=one.strategy,
                        truth=one.truth,
                        edits=one.edits,
                        search=search,
                    )
                )
    if questions:
        return grouped(questions, made.rejected)
    reason = made.skipped or (_NO_ANSWER if made.variants else "no variant passed the checks")
    return (Skipped(at=at, attack=attack, origin=item.id, reason=reason, rejected=made.rejected),)


def _questions(variant: Variant) -> list[Variant]:
    """A variant as single questions: a triple is its positive and its negative one."""
    if not isinstance(variant.item, Triple):
        return [variant]
    positive, negative = variant.item.positive, variant.item.negative
    return [
        replace(variant, item=positive, truth="kept", strategy="positive", edits=_edits(variant, "positive ")),
        replace(variant, item=negative, truth="flipped", strategy="negative", edits=_edits(variant, "negative ")),
    ]


def _edits(variant: Variant, form: str) -> tuple[Edit, ...]:
    return tuple(
        replace(edit, where=edit.where.removeprefix(form)) for edit in variant.edits if edit.where.startswith(form)
    )


def _forms(item: Triple, at: int) -> list[Question]:
    """The positive and the negative question that the data themselves bring."""
    forms = (("positive", "kept", item.positive), ("negative", "flipped", item.negative))
    return [
        Question(at=at, attack="triples", item=form, origin=item.original.id, strategy=name, truth=truth)
        for name, truth, form in forms
    ]
