"""What a run will do and where its questions come from: a data file and live attacks, or a frozen suite."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from readproof import __version__
from readproof.items import Item
from readproof.prove.data import Data, load_data
from readproof.prove.measuring import measure_for
from readproof.prove.model import PROBE, ReaderFacts, RunFacts
from readproof.prove.plan import Phase, Plan, Wish, planned
from readproof.prove.questions import part_of
from readproof.prove.sharing import Portion
from readproof.prove.suite import Suite
from readproof.prove.working import Source, live
from readproof.readers.base import OPTIONS, SPANS, Reader

_ABILITY = {"spans": SPANS, "options": OPTIONS}
# a function of a module has a name that a command line understands; a lambda, or a function of a notebook, has not
_NAMED = re.compile(r"(?!__main__:)[^\W\d][\w.]*:[^\W\d]\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A run before its first question."""

    facts: RunFacts
    plan: Plan
    items: tuple[Item, ...]
    suite: Suite | None = None

    def source(self) -> Source:
        """Where the questions come from: probes are always made, variants may be frozen."""
        made, suite = live(self.items, self.facts.seed), self.suite
        if suite is None:
            return made

        def frozen(phase: Phase, done: int) -> Iterator[Portion]:
            return (Portion(at=group[0].at, group=group) for group in suite.groups(phase, done))

        return lambda phase, done: (made if phase.name.startswith(PROBE) else frozen)(phase, done)


def on_data(data: Data | None, reader: Reader, wish: Wish, *, seed: int, limit: int | None) -> Prepared:
    """A run on the items of DATA, attacked as they are asked."""
    loaded = load_data(data, reader, limit=limit)
    plan = planned(loaded.items, wish, reader.capabilities)
    facts = RunFacts(
        version=__version__,
        reader=facts_of(reader, ""),
        data=loaded.facts,
        attacks=plan.attacks,
        probes=_probes(plan),
        left=plan.left,
        notes=(*loaded.notes, *_other_metric(loaded.facts.task)),
        metric=measure_for(loaded.facts.task).metric,
        triples=loaded.triples,
        seed=seed,
        limit=limit,
    )
    return Prepared(facts=facts, plan=plan, items=loaded.items)


def on_suite(suite: Suite, reader: Reader) -> Prepared:
    """A run on a frozen suite, as far as the reader can answer its items."""
    header = suite.header
    able = [at for at, item in enumerate(suite.items) if _ABILITY[part_of(item)] in reader.capabilities]
    if not able:
        load_data(suite.items, reader)  # says what the reader lacks
    own = [suite.items[at] for at in able]
    parts = {part_of(item) for item in own}
    phases = [replace(phase, numbers=tuple(able)) for phase in planned(own, Wish(attacks=()), None).phases]
    for made in header.attacks:
        numbers = [at for at in suite.numbers.get(made.attack, ()) if part_of(suite.items[at]) == made.part]
        if made.part in parts and numbers:
            phases.append(Phase(name=made.attack, numbers=tuple(numbers), weight=made.count, facts=made))
    plan = Plan(phases=tuple(phases), left=header.left)
    lost = len(suite.items) - len(able)
    facts = RunFacts(
        version=__version__,
        reader=facts_of(reader, ""),
        data=header.data,
        attacks=plan.attacks,
        probes=_probes(plan),
        left=header.left,
        notes=(
            *header.notes,
            *((f"{lost} items left out: the reader cannot answer them",) if lost else ()),
            *_other_metric(header.data.task),
        ),
        suite=suite.facts,
        metric=measure_for(header.data.task).metric,
        triples=header.triples if "options" in parts else 0,
        seed=header.seed,
        limit=header.limit,
    )
    return Prepared(facts=facts, plan=plan, items=suite.items, suite=suite)


def _other_metric(task: str) -> tuple[str, ...]:
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


def _probes(plan: Plan) -> tuple[str, ...]:
    return tuple(phase.name.removeprefix(PROBE) for phase in plan.phases if phase.name.startswith(PROBE))
