"""From exit to exit: ask a head, stop when its answer is good enough, and keep what that cost.

It does not matter whether heads are asked now (a reader) or were asked before (a table of what they said).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from readproof.efficiency.modules import Trace
from readproof.readers.exits.manner import ExitManner, Kind
from readproof.readers.exits.policy import Policy, Watch
from readproof.readers.exits.trace import chain, token_chain
from readproof.readers.spans import Floats

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a head said: an answer and its entropy for each thing asked (one for a label or a choice, one a tag)."""

    answers: Numbers
    doubts: Floats


class Unit(Protocol):
    """Rows that stop together: a headline, the options of a question, a piece of a text, a window."""

    @property
    def lengths(self) -> Sequence[int]:
        """The tokens of each row."""
        ...

    @property
    def scored(self) -> int:
        """How many places of a row a head scores."""
        ...

    def up(self, layer: int, active: Numbers | None = None) -> Spoken:
        """Go up to this exit and ask its head; with `active`, for these places of its one row alone."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """At which layer a unit stopped, what was said there, and the modules on the way."""

    layer: int
    answers: Numbers
    doubts: Floats
    modules: Trace


def decide(unit: Unit, manner: ExitManner, policy: Policy) -> Decision:
    """Climb until the policy has enough, at the latest to the last exit."""
    if policy.rule == "tokens":
        return _by_tokens(unit, manner, policy.value)
    watch = Watch(policy)
    asked = _asked(manner, policy)
    tried: list[int] = []
    spoken = Spoken(np.zeros(0, np.int64), np.zeros(0, np.float32))
    for layer in asked:
        spoken = unit.up(layer)
        tried.append(layer)
        if watch.enough(layer, spoken.answers.tobytes(), float(spoken.doubts.max(initial=0.0))):
            break
    modules = tuple(use for length in unit.lengths for use in chain(manner, length, unit.scored, tried))
    return Decision(tried[-1], spoken.answers, spoken.doubts, modules)


def _asked(manner: ExitManner, policy: Policy) -> tuple[int, ...]:
    """The exits whose heads are asked: where the layer is settled beforehand, one."""
    if policy.rule == "last":
        return manner.exits[-1:]
    return (int(policy.value),) if policy.rule == "layer" else manner.exits


def _by_tokens(unit: Unit, manner: ExitManner, threshold: float) -> Decision:
    """Characters stop one by one; [CLS] and [SEP] go on as long as any of them does."""
    length, count = unit.lengths[0], unit.scored
    answers, doubts = np.zeros(count, np.int64), np.zeros(count, np.float32)
    active = np.arange(count)
    going: list[int] = []
    for layer in manner.exits:
        spoken = unit.up(layer, active)
        answers[active], doubts[active] = spoken.answers, spoken.doubts
        going.append(len(active))
        active = active[spoken.doubts >= threshold]
        if not len(active):
            break
    modules = token_chain(manner, length, length - count, going)
    return Decision(manner.exits[len(going) - 1], answers, doubts, modules)


def spoken_of(kind: Kind, scores: Sequence[Floats]) -> Spoken:
    """What the scores of a unit's rows say: the best label, the best option, the best tag of each place.

    Of a window of a span question: the best first and last token, and the mean of the two entropies.
    """
    if kind == "choice":
        table = np.concatenate([one.reshape(-1) for one in scores])[None]
    elif kind == "spans":
        table = scores[0].T
    else:
        table = scores[0]
    doubts = entropies(table)
    answers = table.argmax(axis=1).astype(np.int64) if len(table) else np.zeros(0, np.int64)
    return Spoken(answers, doubts.mean(keepdims=True) if kind == "spans" else doubts)


def entropies(scores: Floats) -> Floats:
    """The entropy of each row's softmax, in nats."""
    if not scores.size:
        return np.zeros(len(scores), np.float32)
    shifted = scores - scores.max(axis=1, keepdims=True)
    shares = np.exp(shifted)
    total = shares.sum(axis=1)
    found: Floats = (np.log(total) - (shares * shifted).sum(axis=1) / total).astype(np.float32)
    return found
