"""What a run with a language model will take, before its first question: every phase is gone through, some by sample.

Of clean questions and probes, which are cheap to make, most are made; of an attack a few items are attacked, and the
rest is reckoned by the length of its texts. A search may ask as often as its budget allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from readproof.items import Item
from readproof.proof.plan import Phase, PreparedRun
from readproof.proof.records import Group, Question, single
from readproof.proof.results import CLEAN, PROBE
from readproof.proof.worker import as_shown, attacked_groups, plain_groups, requests_of, sanitises
from readproof.readers.api import TRIPLES
from readproof.readers.llm.estimate import Estimate, Recorder, estimate_of, may_try, rates_of
from readproof.readers.llm.reader import LanguageModelReader

# items that are attacked to see what an attack makes of them, and those that are probed
_ATTACKED, _PROBED = 16, 64


@dataclass(slots=True)
class _Sums:
    requests: float = 0.0
    cached: float = 0.0
    units: float = 0.0
    replies: float = 0.0

    def add(self, recorder: Recorder, before: Recorder, factor: float = 1.0) -> None:
        """What was written down since, so many times."""
        self.requests += factor * (recorder.requests - before.requests)
        self.cached += factor * (recorder.cached - before.cached)
        self.units += factor * (recorder.units - before.units)
        self.replies += factor * (recorder.replies - before.replies)


def estimated(prepared: PreparedRun, reader: LanguageModelReader, *, dry: bool = False) -> Estimate:
    """What a prepared run will ask of a language model."""
    recorder = Recorder(reader.endpoint, reader.settings)
    sums, lengths = _Sums(), {at: float(len(single(item).passage)) for at, item in enumerate(prepared.items)}
    for phase in prepared.plan.phases:
        if phase.facts is not None and phase.facts.searched and prepared.frozen is None:
            continue
        chosen = _chosen(phase)
        before = replace(recorder)
        for group in _groups(prepared, phase, chosen):
            reader.rehearse(_asked(group, phase, prepared.items, reader), recorder)
        whole = sum(lengths[at] for at in phase.numbers)
        sums.add(recorder, before, whole / (sum(lengths[at] for at in chosen) or 1.0) if whole else 1.0)
    searched = _searched(prepared, sums, lengths, recorder)
    rates = rates_of(recorder, tries=may_try(reader.settings, dry=dry))
    whole_run = replace(
        recorder,
        requests=round(sums.requests),
        cached=round(sums.cached),
        units=sums.units,
        replies=sums.replies,
    )
    return estimate_of(whole_run, rates, searched=searched)


def _searched(prepared: PreparedRun, sums: _Sums, lengths: Mapping[int, float], recorder: Recorder) -> int:
    """The most that searches may ask, added to the sums; each reading as long as the clean question."""
    asked = recorder.requests + recorder.cached
    if prepared.frozen is not None or not asked:
        return 0
    units = recorder.units + sum(one for one, _ in recorder.known)
    total = 0
    mean = sum(lengths.values()) / len(lengths) or 1.0
    for phase in prepared.plan.phases:
        if phase.facts is None or not phase.facts.searched:
            continue
        most = phase.facts.budget * len(phase.numbers)
        share = sum(lengths[at] for at in phase.numbers) / mean / max(1, len(phase.numbers))
        sums.requests += most
        sums.units += most * share * units / asked
        sums.replies += most * (recorder.replies / recorder.requests if recorder.requests else 1.0)
        total += most
    return total


def _chosen(phase: Phase) -> tuple[int, ...]:
    """The items that are gone through, spread over all."""
    if phase.name == CLEAN:
        return phase.numbers
    most = _PROBED if phase.name.startswith(PROBE) else _ATTACKED
    if len(phase.numbers) <= most:
        return phase.numbers
    return tuple(phase.numbers[at * len(phase.numbers) // most] for at in range(most))


def _groups(prepared: PreparedRun, phase: Phase, chosen: Sequence[int]) -> Iterator[Group]:
    some, seed = replace(phase, numbers=tuple(chosen)), prepared.facts.seed
    plain = plain_groups(some, prepared.items, done=0, seed=seed)
    if plain is not None:
        yield from plain
    elif phase.attack is None and prepared.frozen is not None:
        yield from prepared.frozen(some, 0)
    else:
        yield from attacked_groups(some, [(at, prepared.items[at]) for at in chosen], seed=seed, reader=None)


def _asked(group: Group, phase: Phase, items: Sequence[Item], reader: LanguageModelReader) -> list[list[Item]]:
    """What the reader is asked of a group of questions, as it is asked."""
    wanted = [item for _, item in requests_of(group, sanitises=sanitises(reader), hardened=False)]
    if TRIPLES in reader.capabilities and phase.name == "triples":
        made = [one for one in group if isinstance(one, Question)]
        if not made:
            return []
        return [[as_shown(single(items[made[0].at])), *(as_shown(one.item) for one in made)]]
    return [[as_shown(item)] for item in wanted]
