"""A whole data file attacked: the same data in its own format, with a record of every variant beside it.

Results are in the order of the items and are kept in OUT.part.jsonl as they come, so a run that was stopped goes on
where it was. Nothing is held in memory but the items in flight.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from readproof.attacks.base import Attack, SearchAttack
from readproof.attacks.characters import undone
from readproof.attacks.records import from_line
from readproof.attacks.search.judge import plain_f1
from readproof.attacks.workers import Work, attacked
from readproof.engine import Engine, choose
from readproof.errors import InputError, ReadproofError
from readproof.files import check_apart, check_place, digest, writing
from readproof.items import Item, SpanItem
from readproof.partfile import add, appending, part_of, results, whole_bytes
from readproof.readers.named import Named, check_engine
from readproof.tasks import find, load
from readproof.tasks.base import Task
from readproof.tasks.convert import WRITERS, Write
from readproof.tasks.ownformat import own_writer

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
    effect: Effect | None = None


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
) -> Summary:
    """Attack every item of a data file, with a reader's help where one is named.

    OUT has the variants in DATA's own format (`originals`: each behind its original); OUT.variants.jsonl says of each
    where it comes from and what was edited, and of each item without one why.
    """
    tell = progress or (lambda _done, _total: None)
    task, path = find(data)
    for named in (Path, record_of, part_of):  # in turn: a folder has no name to put others beside
        written = named(out)
        check_place(written)
        check_apart(written, path)
    _check_kind(attack, task)
    place = choose(engine, workers=workers, threads=threads)
    who = Named(reader, threads=place.threads) if reader else None
    work = Work(attack=attack, seed=seed, count=count, reader=who, budget=budget)
    work.check()
    check_engine(place, who)
    total = sum(1 for _ in _items(task, path, limit))
    part = part_of(out)
    header = {"task": task.name, "data": digest(path), **_asked(work), "limit": limit}
    if fresh:
        part.unlink(missing_ok=True)
    done, whole = whole_bytes(part, header)
    tell(done, total)
    with appending(part, header, whole) as file:
        rest = islice(_items(task, path, limit), done, None)
        for number, record in enumerate(attacked(rest, work, place, total - done), start=done + 1):
            add(file, record)
            tell(number, total)
    _check_faults(part)
    layout = _layout(attack, task)
    write = WRITERS[layout] if layout else own_writer(task, path)
    summary = _written(task, path, part, out, limit, originals, write)
    summary.resumed, summary.layout = done, layout or task.name
    part.unlink()
    return summary


def _check_kind(attack: Attack | SearchAttack, task: Task) -> None:
    """Data without a single fitting item is refused, not turned into an empty file."""
    kinds = attack.about.kinds
    if task.name == "items" or task.kind in kinds:
        return
    what = {
        "span": "span questions",
        "choice": "questions with options",
        "triple": "triples, which are attacked already",
    }
    found = f"{task.name}: {what.get(task.kind, task.kind)}"
    raise InputError(found=found, expected=" or ".join(what[kind] for kind in kinds), do="`readproof attacks`.")


def _check_faults(part: Path) -> None:
    """A fault in every item is a fault of ours or of a slot, and no result."""
    reason = ""
    for made in results(part):
        reason = made.get("skipped", "")
        if not reason.startswith("fault: "):
            return
    if reason:
        part.unlink()
        raise ReadproofError(f"every item failed ({reason}); set READPROOF_DEBUG=1 to see where")


def _layout(attack: Attack | SearchAttack, task: Task) -> str:
    """What the variants are written as; nothing where it is the data's own format."""
    if not attack.about.layout and task.name == "logiqa" and attack.about.truth != "kept":
        return "items"  # a turned option may leave no single answer, which LogiQA's format cannot say
    return attack.about.layout


def _written(
    task: Task, path: Path, part: Path, out: Path, limit: int | None, originals: bool, write: Write
) -> Summary:
    """The data set and the record, out of what is in the part file."""
    summary = Summary(task=task.name, out=out, record=record_of(out))
    # the record is in its place before OUT is: where OUT is, all is done
    with writing(out) as file, writing(summary.record) as lines:
        write(_variants(task, path, part, limit, originals, summary, lines.write), file)
    return summary


def _variants(
    task: Task,
    path: Path,
    part: Path,
    limit: int | None,
    originals: bool,
    summary: Summary,
    note: Callable[[str], object],
) -> Iterator[Item]:
    for item, made in zip(_items(task, path, limit), results(part), strict=True):
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
            variant = from_line(line, part, f"variant of {item.id}")
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


def _asked(work: Work) -> dict[str, Any]:
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
