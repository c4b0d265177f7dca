"""What a run will do before it does anything: its items, its probes and baselines, its attacks, or a frozen suite's.

What does not fit the items or the reader is left out, each with the reason.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from readproof import __version__
from readproof.attacks.base import Attack, Kind, SearchAttack
from readproof.attacks.known import ATTACKS, make_attack
from readproof.errors import InputError
from readproof.files import digest, where_else
from readproof.items import ChoiceItem, Item, SpanItem, Triple, has_gold
from readproof.proof.measure import measure_for
from readproof.proof.probes import PROBES
from readproof.proof.records import Group, part_of, single
from readproof.proof.results import CLEAN, PROBE, AttackFacts, DataFacts, Left, PartName, ReaderFacts, RunFacts
from readproof.readers import baselines
from readproof.readers.api import OPTIONS, SPANS, TRIPLES, Reader, need
from readproof.readers.factory import READERS
from readproof.tasks import find, load
from readproof.tasks.base import Task
from readproof.tasks.itemlines import to_record
from readproof.tasks.rows import is_rows
from readproof.tasks.sources import HUB, TABLE, file_of, open_dataset, short_name

# what DATA is called when none is named
SAMPLE = "sample"
_CITED = (
    "CMRC 2018 (Cui et al. 2019, CC BY-SA 4.0): Chinese span questions; VGaokao (Zhang et al. 2021, Apache-2.0): "
    "questions with options, their positive and negative forms made by readproof."
)
_LICENCE = "CC BY-SA 4.0 and Apache-2.0"

Data = str | Path | Iterable[Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The items with their facts; `notes` say which were left out, and why."""

    items: tuple[Item, ...]
    facts: DataFacts
    notes: tuple[str, ...] = ()

    @property
    def triples(self) -> int:
        return sum(isinstance(item, Triple) for item in self.items)


def sample_path(reader: str) -> Path | None:
    """The sample inside the package for a shipped reader; None where there is none."""
    path = Path(str(files("readproof"))) / "samples" / f"{reader}.jsonl.xz"
    return path if path.is_file() else None


def shipped() -> list[str]:
    """The readers in the package that have a sample; the first one even without."""
    names = READERS.names()
    return [name for name in names if sample_path(name)] or names[:1]


def load_data(data: Data | None, reader: Reader | None, *, limit: int | None = None) -> Loaded:
    """The first `limit` items of DATA that have a gold answer and that the reader, where there is one, can answer."""
    if data is None:
        path = sample_path(reader.name if reader else "zh") or sample_path("zh")
        if path is None:
            raise InputError(found="no DATA, and no sample in the package", expected="a data file")
        facts, items = _of_file(f"items:{path}")
        facts = replace(facts, name=SAMPLE, given="", licence=_LICENCE, citation=_CITED)
    elif isinstance(data, str | Path):
        facts, items = _of_file(str(data))
    else:
        facts, items = _of_list(data)
    kept: list[Item] = []
    notes: dict[str, int] = {}
    refused: Item | None = None
    for item in islice(items, None if limit is None else min(limit, sys.maxsize)):
        why = _unfit(item, reader)
        if why:
            notes[why] = notes.get(why, 0) + 1
            refused = item
        else:
            kept.append(item)
    if refused is not None and reader is not None and not kept:
        whole = isinstance(refused, Triple) and TRIPLES not in reader.capabilities
        for question in refused.questions if isinstance(refused, Triple) and whole else (refused,):
            need(reader, question)
    if not kept:
        expected = "questions on spans or options, with gold answers"
        raise InputError(file=facts.given, found="no items that can be scored", expected=expected)
    left = tuple(f"{number} {'item' if number == 1 else 'items'} left out: {why}" for why, number in notes.items())
    return Loaded(items=tuple(kept), facts=replace(facts, items=len(kept)), notes=left)


def _unfit(item: Item, reader: Reader | None) -> str:
    """Why an item takes no part, or ""."""
    able = (SPANS, OPTIONS) if reader is None else reader.capabilities
    if isinstance(item, SpanItem):
        if SPANS not in able:
            return "the reader answers no span questions"
        return "" if has_gold(item) else "no gold answer"
    if isinstance(item, Triple) and TRIPLES in able:
        return "" if has_gold(item) else "no gold answer"
    if isinstance(item, ChoiceItem | Triple):
        if OPTIONS not in able and TRIPLES in able:
            return "the reader's prompt is for whole triples"
        if OPTIONS not in able:
            return "the reader answers no questions with options"
        return "" if has_gold(item) else "no gold answer"
    return "neither a span question nor one with options"


def _of_file(data: str) -> tuple[DataFacts, Iterable[Item]]:
    task, path = find(data)
    if task.name == HUB:
        facts = DataFacts(name=short_name(path), given=data, task=task.name, digest=open_dataset(path)[1], items=0)
        return facts, load(f"{task.name}:{path}")
    path = file_of(path)
    if not path.is_file() and not path.is_fifo():
        raise InputError(file=path, found="no such file", expected="a data file", do=where_else(path))
    return _facts(task, path, data), load(f"{task.name}:{path}" if task.name != TABLE else data)


def _facts(task: Task, path: Path, given: str) -> DataFacts:
    licence, citation = task.cited(path)
    return DataFacts(
        name=path.name.partition(".")[0] or path.name,
        given=given,
        task=task.name,
        digest=digest(path),
        items=0,
        licence=licence,
        citation=citation,
    )


def _of_list(items: Iterable[Item]) -> tuple[DataFacts, Iterable[Item]]:
    found = hashlib.sha256()
    items = tuple(load(items) if is_rows(items) else items)  # `load` gives them once
    for item in items:
        found.update(json.dumps(to_record(item)).encode("ascii") + b"\n")
    facts = DataFacts(name="items", given="", task="items", digest=found.hexdigest(), items=0)
    return facts, items


FAST, ALL, NONE = "fast", "all", "none"
_SETS = (FAST, ALL, NONE)

# left out of the fast set: a part of another, a search that takes hundreds of queries, one that needs a translator
_NOT_FAST = ("addonesent", "addany", "hotflip", "backtranslate")
# most queries an item of a search: small enough that a hundred questions take minutes, and always told
_BUDGETS = {FAST: {"addsent": 4, "addany": 60}, ALL: {"addsent": 6, "addany": 60}}
_OTHER_BUDGET = {FAST: 10, ALL: 60}
_KINDS: dict[Kind, PartName] = {"span": "spans", "choice": "options"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackSelection:
    """Which attacks are wanted, and how hard they try.

    `attacks` is fast, all, none, or names; `settings` are options by attack; a `budget` of 0 is each set's own.
    """

    attacks: tuple[str, ...] = (FAST,)
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    budget: int = 0
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One pass over some of the items: the clean questions, a probe, or an attack. `weight`: readings an item."""

    name: str
    numbers: tuple[int, ...]
    weight: int = 1
    facts: AttackFacts | None = None
    attack: Attack | SearchAttack | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofPlan:
    """All phases in order, and the attacks that are not made."""

    phases: tuple[Phase, ...]
    left: tuple[Left, ...] = ()

    @property
    def attacks(self) -> tuple[AttackFacts, ...]:
        return tuple(phase.facts for phase in self.phases if phase.facts is not None)


def planned(
    items: Sequence[Item], selection: AttackSelection, abilities: Collection[str] | None, *, probes: bool = True
) -> ProofPlan:
    """The phases for these items; `abilities` are those of the reader that searches ask, None where there is none."""
    numbers = tuple(range(len(items)))
    phases = [Phase(name=CLEAN, numbers=numbers)]
    if probes:
        phases += _probe_phases(items)
    left: list[Left] = []
    for name in chosen(selection):
        made, reason = _attack(name, items, selection, abilities)
        phases += made
        left += [Left(attack=name, reason=reason)] if reason else []
    return ProofPlan(phases=tuple(phases), left=tuple(left))


def _probe_phases(items: Sequence[Item]) -> Iterator[Phase]:
    """One phase for each probe, over the items that it fits."""
    by_part = {part: [at for at, item in enumerate(items) if part_of(item) == part] for part in PROBES}
    for name in dict.fromkeys(name for part in PROBES.values() for name in part):
        numbers = sorted(at for part, own in by_part.items() if name in PROBES[part] for at in own)
        if numbers:
            yield Phase(name=f"{PROBE}{name}", numbers=tuple(numbers))


def baselines_for(items: Iterable[Item]) -> tuple[str, ...]:
    """The baselines that answer the same questions, by their names."""
    singles = [single(item) for item in items]
    most = max((len(one.options) for one in singles if isinstance(one, ChoiceItem)), default=0)
    found = baselines.for_spans() if any(isinstance(one, SpanItem) for one in singles) else []
    found += baselines.for_options(most) if most else []
    return tuple(f"{baselines.PREFIX}{name}" for name in dict.fromkeys(found))


def chosen(selection: AttackSelection) -> list[str]:
    """The names of the wanted attacks, each once, in the order of the table of attacks; unknown ones are refused."""
    for name in (*selection.attacks, *selection.settings):
        if name not in _SETS:
            ATTACKS.get(name)
    wanted = {ATTACKS.get(name).about.name for name in selection.attacks if name not in _SETS}
    wanted |= {ATTACKS.get(name).about.name for name in selection.settings}
    known = [ATTACKS.get(name).about.name for name in ATTACKS.names()]
    if ALL in selection.attacks:
        return known
    if FAST in selection.attacks:
        wanted |= {name for name in known if name not in _NOT_FAST}
    return [name for name in known if name in wanted]


def _attack(
    name: str, items: Sequence[Item], selection: AttackSelection, abilities: Collection[str] | None
) -> tuple[list[Phase], str]:
    """The phases of an attack, one for each kind of item that it takes; or why there are none."""
    options = {ATTACKS.get(key).about.name: value for key, value in selection.settings.items()}.get(name, {})
    attack = make_attack(name, _kept(name) | dict(options))
    about = attack.about
    needs = [need for need in about.needs if need not in ("reader", "translator") and need not in (abilities or ())]
    if "translator" in about.needs and not options:
        return [], f"needs a translator: --set {name}.translator=…"
    if abilities is None and not isinstance(attack, Attack):
        return [], "needs a reader to search against"
    if abilities is not None and needs:
        return [], f"needs a reader that gives {', '.join(needs)}"
    phases = []
    for kind in about.kinds:
        fitting = [number for number, item in enumerate(items) if part_of(item) == _KINDS[kind]]
        spoken = tuple(number for number in fitting if about.speaks(single(items[number]).language))
        if spoken:
            phases.append(_phase(attack, _KINDS[kind], spoken, selection, searching=abilities is not None))
    if phases:
        return phases, ""
    what = " or ".join("span questions" if kind == "span" else "questions with options" for kind in about.kinds)
    if any(part_of(item) in map(_KINDS.__getitem__, about.kinds) for item in items):
        return [], f"not for this language; speaks {', '.join(about.languages)}"
    return [], f"for {what}, of which there are none"


def _phase(
    attack: Attack | SearchAttack,
    part: PartName,
    numbers: tuple[int, ...],
    selection: AttackSelection,
    *,
    searching: bool,
) -> Phase:
    about = attack.about
    searched = searching and isinstance(attack, SearchAttack) and part == "spans"
    effort = ALL if ALL in selection.attacks else FAST
    budget = (selection.budget or _BUDGETS[effort].get(about.name, _OTHER_BUDGET[effort])) if searched else 0
    facts = AttackFacts(
        attack=about.name,
        does=about.does,
        part=part,
        needs=about.needs,
        truth=about.truth,
        undone=about.undone,
        settings=_settings(attack),
        searched=searched,
        budget=budget,
        count=1 if searched else selection.count,
    )
    weight = budget if searched else 2 if about.name == "triples" else selection.count
    return Phase(name=about.name, numbers=numbers, weight=weight, facts=facts, attack=attack)


def _kept(name: str) -> dict[str, str]:
    """A turned option leaves no single answer, so options are said otherwise; `triples` turns whole questions."""
    kind = ATTACKS.get(name)
    able = is_dataclass(kind) and any(
        one.name == "truth" and "kept" in one.metadata.get("values", ()) for one in fields(kind)
    )
    return {"truth": "kept"} if able else {}


def _settings(attack: Any) -> dict[str, str | int | float | bool]:
    values = {one.name: getattr(attack, one.name) for one in fields(attack)} if is_dataclass(attack) else {}
    return {name: value for name, value in values.items() if isinstance(value, str | int | float | bool)}


def parse_settings(given: Sequence[str]) -> dict[str, dict[str, str]]:
    """`ATTACK.NAME=VALUE`, as `--set` gives it."""
    found: dict[str, dict[str, str]] = {}
    for one in given:
        place, separator, value = one.partition("=")
        attack, dot, name = place.rpartition(".")
        if not separator or not dot or not attack or not name:
            expected, do = "ATTACK.NAME=VALUE", "`readproof list attacks NAME` lists the options of an attack."
            raise InputError(place="--set", found=repr(one), expected=expected, do=do)
        found.setdefault(attack, {})[name] = value
    return found


# a function of a module has a name that a command line understands; a lambda, or a function of a notebook, has not
_NAMED = re.compile(r"(?!__main__:)[^\W\d][\w.]*:[^\W\d]\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRun:
    """A run before its first question. `frozen` gives the questions of an attack where a suite holds them."""

    facts: RunFacts
    plan: ProofPlan
    items: tuple[Item, ...]
    frozen: Callable[[Phase, int], Iterator[Group]] | None = None


def on_data(
    data: Data | None, reader: Reader, selection: AttackSelection, *, seed: int, limit: int | None
) -> PreparedRun:
    """A run on the items of DATA, attacked as they are asked."""
    loaded = load_data(data, reader, limit=limit)
    plan = planned(loaded.items, selection, reader.capabilities)
    facts = RunFacts(
        version=__version__,
        reader=facts_of(reader, ""),
        data=loaded.facts,
        attacks=plan.attacks,
        probes=probe_names(plan),
        baselines=baselines_for(loaded.items),
        left=plan.left,
        notes=(*loaded.notes, *metric_note(loaded.facts.task)),
        metric=measure_for(loaded.facts.task).metric,
        triples=loaded.triples,
        seed=seed,
        limit=limit,
    )
    return PreparedRun(facts=facts, plan=plan, items=loaded.items)


def metric_note(task: str) -> tuple[str, ...]:
    """A note where answers are not measured by the task's official metric."""
    found = measure_for(task)
    official = next(iter(found.task.metrics))
    if found.metric == official:
        return ()
    return (
        f"answers are measured by {found.metric}: by {task}'s {official} metric nearly every answer is a little right",
    )


def facts_of(reader: Reader, spec: str, *, no_answer: bool = False) -> ReaderFacts:
    """What is known of a reader: by its card, where it has one."""
    card = getattr(reader, "card", None)
    return ReaderFacts(
        name=reader.name,
        spec=spec or (reader.name if _NAMED.fullmatch(reader.name) else ""),
        fingerprint=reader.fingerprint,
        title=getattr(card, "title", ""),
        capabilities=tuple(sorted(reader.capabilities)),
        languages=tuple(getattr(card, "languages", ())),
        licence=getattr(card, "licence", ""),
        parameters=getattr(card, "parameters", None),
        size=getattr(card, "size", 0),
        flops=getattr(card, "flops", None),
        no_answer=no_answer,
    )


def probe_names(plan: ProofPlan) -> tuple[str, ...]:
    """The probes of a plan."""
    return tuple(phase.name.removeprefix(PROBE) for phase in plan.phases if phase.name.startswith(PROBE))
