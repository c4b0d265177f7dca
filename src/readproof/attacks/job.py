"""A whole data file attacked: the same data in its own format, with a record of every variant beside it.

Results are in the order of the items and are kept in OUT.part.jsonl as they come, so a run that was stopped goes on
where it was. Nothing is held in memory but the items in flight.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from readproof.attacks.base import Attack, SearchAttack
from readproof.attacks.characters import undone
from readproof.attacks.options.apart import strategies_of
from readproof.attacks.quality import TextQuality, measured
from readproof.attacks.records import found_record, from_line, made_record
from readproof.attacks.search import plain_f1
from readproof.engine import Engine, choose, shards
from readproof.engine.base import size as shard_size
from readproof.errors import InputError, ReadproofError
from readproof.files import check_apart, check_place, digest, writing
from readproof.items import ChoiceItem, Item, SpanItem
from readproof.journal import Journal, part_of
from readproof.readers.api import GRADIENTS, Reader
from readproof.readers.reader_ref import ReaderRef, check_engine
from readproof.readers.usage import MeteredReader, figures_of
from readproof.tasks import find, load, recognised
from readproof.tasks.base import Task
from readproof.tasks.convert import WRITERS, Write
from readproof.tasks.ownformat import own_writer
from readproof.tasks.sources import TABLE, plain_file

# Items attacked, wherever that is done: the work of an engine. The results are the same and in order.

_READ = 200  # variants of which it is measured how they read
_TOGETHER = 16  # items that a search has in hand at a time


@dataclass(frozen=True, slots=True)
class AttackWork:
    """What is to be done to each item. The reader is loaded where the work is done, once a process."""

    attack: Attack | SearchAttack
    seed: int = 0
    count: int = 1
    reader: ReaderRef | None = None
    budget: int = 0

    def open(self) -> Callable[[list[Item]], list[dict[str, Any]]]:
        """What attacks some items, the reader there."""
        if self.reader is not None:
            self.reader.open()
        return self.do

    def names(self, shard: list[Item]) -> list[str]:
        """The ids of the items."""
        return [item.id for item in shard]

    def check(self) -> None:
        """What the attack needs must be there before any time is spent."""
        about = self.attack.about
        if self.reader is not None and self.count != 1:
            raise InputError(found="--count with --reader", expected="one of them: a search keeps the worst variant")
        if self.reader is None:
            if not isinstance(self.attack, Attack):
                found = f"{about.name} without a reader"
                do = "a trained folder (torch weights)" if GRADIENTS in about.needs else "e.g. zh"
                raise InputError(found=found, expected="a reader to search against", do=f"Add --reader, {do}.")
            return
        if not isinstance(self.attack, SearchAttack):
            found = f"--reader with {about.name}"
            raise InputError(found=found, expected="an attack that searches", do="Leave --reader out.")
        able = self.reader.open().capabilities
        missing = [need for need in about.needs if need != "reader" and need not in able]
        if missing:
            expected = f"one that gives {', '.join(missing)}"
            do = "Name a trained folder (torch weights): ONNX readers have none." if GRADIENTS in missing else ""
            raise InputError(found=f"the reader {self.reader.spec!r} for {about.name}", expected=expected, do=do)

    def do(self, items: list[Item]) -> list[dict[str, Any]]:
        """One result an item, in order."""
        if self.reader is None:
            return [self._make(item) for item in items]
        if not isinstance(self.attack, SearchAttack):
            raise TypeError(f"{self.attack.about.name} does not search")
        spans = [item for item in items if isinstance(item, SpanItem)]
        found = self.attack.search(spans, self.reader.open(), seed=self.seed, budget=self.budget)
        return [
            found_record(next(found)) if isinstance(item, SpanItem) else {"variants": [], "skipped": "no span question"}
            for item in items
        ]

    def _make(self, item: Item) -> dict[str, Any]:
        """One bad item must not end a run over thousands."""
        if not isinstance(self.attack, Attack):
            raise TypeError(f"{self.attack.about.name} needs a reader")
        try:
            return made_record(self.attack.make(item, seed=self.seed, count=self.count))
        except ReadproofError:  # the user's to mend, and the same for every item
            raise
        except Exception as error:  # a fault of ours, counted and shown by its kind
            if os.environ.get("READPROOF_DEBUG"):
                raise
            return {"variants": [], "skipped": f"fault: {type(error).__name__}"}


def attacked(items: Iterable[Item], work: AttackWork, engine: Engine, total: int) -> Iterator[dict[str, Any]]:
    """One result an item, in order, as soon as it and those before it are there."""
    if work.reader is not None:
        size = _TOGETHER if engine.name == "local" else shard_size(engine, total, _TOGETHER)
    else:
        size = 1 if work.attack.about.needs else shard_size(engine, total)
    with engine.start(work) as mapped:
        for made in mapped(shards(items, size)):
            yield from made


@runtime_checkable
class _Asks(Protocol):
    """An attack that asks a language model, and can tell what that cost."""

    def figures(self) -> dict[str, Any]: ...


# how many items are done, of how many
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Effect:
    """What a search did to the reader, over the items with a variant. F1 in 0 … 1.

    Success is told two ways: `wrong`, of the answers that had some F1 those that have none any more; `shaken`, those
    whose expected F1 fell by more than a tenth.
    """

    items: int = 0
    clean: float = 0.0
    attacked: float = 0.0
    expected_clean: float = 0.0
    expected_attacked: float = 0.0
    right: int = 0
    wrong: int = 0
    shaken: int = 0
    queries: int = 0

    def add(self, item: SpanItem, new: SpanItem, search: Mapping[str, Any]) -> None:
        before = plain_f1(item, search["before"]["text"])
        after = plain_f1(new, search["after"]["text"])
        self.items += 1
        self.clean += before
        self.attacked += after
        self.expected_clean += search["clean"]
        self.expected_attacked += search["attacked"]
        self.right += before > 0
        self.wrong += before > 0 and after == 0
        self.shaken += search["attacked"] < search["clean"] - 0.1
        self.queries += search["queries"]


@dataclass(slots=True)
class Summary:
    """What became of the items: how many got variants, why others did not, what checks refused.

    `undone` counts variants whose texts the sanitiser gives back as they were: a reader that sanitises is safe there.
    """

    task: str = ""
    layout: str = ""  # the task that OUT is a file of: triples made of other questions are GCRC's
    out: Path = Path()
    record: Path = Path()
    items: int = 0
    attacked: int = 0
    variants: int = 0
    undone: int = 0
    resumed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    # how many options (or variants of other kinds) each strategy made, and what became of their truth
    strategies: Counter[tuple[str, str]] = field(default_factory=Counter)
    effect: Effect | None = None
    read: list[TextQuality] = field(default_factory=list)  # how the first variants read beside their originals
    written: dict[str, Any] = field(default_factory=dict)  # what a language model that wrote was asked, in this run


def record_of(out: Path) -> Path:
    """Where the record of the variants goes."""
    return out.with_name(out.name + ".variants.jsonl")


def attack_file(
    data: str,
    attack: Attack | SearchAttack,
    out: Path,
    *,
    seed: int = 0,
    count: int = 1,
    reader: str = "",
    budget: int = 0,
    threads: int = 0,
    engine: str | Engine = "",
    workers: int = 0,
    limit: int | None = None,
    originals: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
    before: Callable[[Sequence[Item], int, Reader], None] | None = None,
) -> Summary:
    """Attack every item of a data file, with a reader's help where one is named.

    OUT has the variants in DATA's own format (`originals`: each behind its original); OUT.variants.jsonl says of each
    where it comes from and what was edited, and of each item without one why. BEFORE is called with the items, the
    budget and the reader of a search before anything is asked.
    """
    tell = progress or (lambda _done, _total: None)
    task, path = find(data)
    file = plain_file(path)
    for named in (Path, record_of, part_of):  # in turn: a folder has no name to put others beside
        written = named(out)
        check_place(written)
        check_apart(written, file)
    _check_kind(attack, task, path)
    place = choose(engine, workers=workers, threads=threads)
    who = ReaderRef(reader, threads=place.threads) if reader else None
    work = AttackWork(attack=attack, seed=seed, count=count, reader=who, budget=budget)
    work.check()
    check_engine(place, who)
    total = sum(1 for _ in _items(task, path, limit))
    if before is not None and who is not None:
        spans = [item for item in _items(task, path, limit) if isinstance(item, SpanItem)]
        before(spans, most_queries(attack, budget), who.open())
    header = {"task": task.name, "data": digest(file), **_asked(work), "limit": limit}
    with Journal(part_of(out), header=header, fresh=fresh) as journal:
        done = journal.count
        tell(done, total)
        rest = islice(_items(task, path, limit), done, None)
        for number, record in enumerate(attacked(rest, work, place, total - done), start=done + 1):
            journal.add([record])
            tell(number, total)
        _check_faults(journal)
        layout = _layout(attack, task)
        write = WRITERS[layout] if layout else own_writer(task, path)
        summary = _written(task, path, journal, out, limit, originals, write)
        own = recognised(out) if task.name == TABLE else task  # a table's variants are written in SQuAD's layout
        summary.resumed, summary.layout = done, layout or (own or task).name
        summary.written = attack.figures() if isinstance(attack, _Asks) else {}
        opened = who.open() if who is not None else None
        if isinstance(opened, MeteredReader):
            summary.written |= {"reader": figures_of(opened.usage())}
    journal.path.unlink()
    return summary


def most_queries(attack: Attack | SearchAttack, budget: int) -> int:
    """The most queries an item; 0 where the attack has no limit of its own and none was given."""
    own = getattr(attack, "worst_of", 0)
    return budget or (own + 1 if isinstance(own, int) and own else 0)


def _check_kind(attack: Attack | SearchAttack, task: Task, path: Path) -> None:
    """Data without a single fitting item is refused, not turned into an empty file."""
    kinds = attack.about.kinds
    if task.name in ("items", TABLE) or task.kind in kinds:
        return
    if task.kind == "triple" and "choice" in kinds and isinstance(next(task.load(path), None), ChoiceItem):
        return  # the training layout: questions, and no triples yet
    what = {
        "span": "span questions",
        "choice": "questions with options",
        "triple": "triples, which are attacked already",
    }
    found = f"{task.name}: {what.get(task.kind, task.kind)}"
    raise InputError(found=found, expected=" or ".join(what[kind] for kind in kinds), do="`readproof list attacks`.")


def _check_faults(journal: Journal) -> None:
    """A fault in every item is a fault of ours or of a slot, and no result."""
    reason = ""
    for made in journal.records():
        reason = made.get("skipped", "")
        if not reason.startswith("fault: "):
            return
    if reason:
        journal.path.unlink()
        raise ReadproofError(f"every item failed ({reason}); set READPROOF_DEBUG=1 to see where")


def _layout(attack: Attack | SearchAttack, task: Task) -> str:
    """What the variants are written as; nothing where it is the data's own format."""
    if not attack.about.layout and task.name == "logiqa" and attack.about.truth != "kept":
        return "items"  # a turned option may leave no single answer, which LogiQA's format cannot say
    return attack.about.layout


def _written(
    task: Task, path: Path, journal: Journal, out: Path, limit: int | None, originals: bool, write: Write
) -> Summary:
    """The data set and the record, out of what is in the journal."""
    summary = Summary(task=task.name, out=out, record=record_of(out))
    # the record is in its place before OUT is: where OUT is, all is done
    with writing(out) as file, writing(summary.record) as lines:
        write(_variants(task, path, journal, limit, originals, summary, lines.write), file)
    return summary


def _variants(
    task: Task,
    path: Path,
    journal: Journal,
    limit: int | None,
    originals: bool,
    summary: Summary,
    note: Callable[[str], object],
) -> Iterator[Item]:
    for item, made in zip(_items(task, path, limit), journal.records(), strict=True):
        summary.items += 1
        summary.rejected.update(made.get("rejected", {}))
        if originals:
            yield item
        if not made["variants"]:
            reason = made.get("skipped") or "no variant passed the checks"
            summary.skipped[reason] += 1
            note(json.dumps({"origin": item.id, "skipped": reason}, ensure_ascii=False) + "\n")
            continue
        summary.attacked += 1
        for line in made["variants"]:
            summary.variants += 1
            variant = from_line(line, journal.path, f"variant of {item.id}")
            summary.strategies.update(strategies_of(variant))
            text = measured(item, variant.item, variant.edits) if len(summary.read) < _READ else None
            summary.read += [text] if text is not None else []
            search = made.get("search")
            note(json.dumps(line | ({"search": search} if search else {}), ensure_ascii=False) + "\n")
            if isinstance(item, SpanItem) and isinstance(variant.item, SpanItem):
                summary.undone += undone(variant.item, item)
                if search:
                    summary.effect = summary.effect or Effect()
                    summary.effect.add(item, variant.item, search)
            yield _apart(variant.item)


def _apart(item: Item) -> Item:
    """A variant's passage is its own, so that no writer puts it under the original's name."""
    return replace(item, passage_id="") if isinstance(item, SpanItem) else item


def _items(task: Task, path: Path, limit: int | None) -> Iterator[Item]:
    return islice(load(f"{task.name}:{path}"), None if limit is None else min(limit, sys.maxsize))


def _asked(work: AttackWork) -> dict[str, Any]:
    """All that changes what comes out."""
    attack = work.attack
    options: dict[str, Any] = (
        {one.name: getattr(attack, one.name) for one in fields(attack)} if is_dataclass(attack) else {}
    )
    plain = {name: value for name, value in options.items() if isinstance(value, str | int | float | bool)}
    asked: dict[str, Any] = {"attack": attack.about.name, "options": plain, "seed": work.seed}
    if work.reader is not None:
        return asked | {"reader": work.reader.open().fingerprint, "budget": work.budget}
    return asked | {"count": work.count}
