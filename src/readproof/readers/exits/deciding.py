"""From exit to exit: ask a head, stop when its answer is good enough, and keep what that cost.

It does not matter whether heads are asked now (a reader) or were asked before (a table of what they said).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from readproof.efficiency.modules import Trace
from readproof.errors import InputError
from readproof.readers.exits.config import ExitConfig, Kind
from readproof.readers.exits.trace import chain, token_chain
from readproof.readers.spans import Floats

# When a reader stops: at a layer, when its answer is sure (entropy), or when it has said the same often enough.
#
# layer:6        after layer 6
# entropy:0.2    at the first exit with an entropy below 0.2 (nats); of a text with tags, that of its least sure tag
# patience:3     at the first exit that says what the two before it said
# tokens:0.2     tags alone: a character whose tag has less entropy is done; it is read by the others, but goes no
#                further itself
# entropy:0.2@8  as entropy:0.2, but at layer 8 at the latest; so with patience


Rule = Literal["last", "layer", "entropy", "patience", "tokens"]

_EXPECTED = "layer:6, entropy:0.2, patience:3 (or entropy:0.2@8: at layer 8 at the latest) or, for tags, tokens:0.2"


@dataclass(frozen=True, slots=True)
class Policy:
    """A rule with its number; `last` never stops early. `most` is a layer that is not passed, 0 for none."""

    rule: Rule = "last"
    value: float = 0.0
    most: int = 0

    def __str__(self) -> str:
        if self.rule == "last":
            return self.rule
        return f"{self.rule}:{self.value:g}" + (f"@{self.most}" if self.most else "")


def parse_policy(text: str) -> Policy:
    """A rule as a person types it; nothing is `last`."""
    rule, _, latest = text.partition("@")
    name, _, number = rule.partition(":")
    if text in ("", "last"):
        return Policy()
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if "@" in text:
        right = len(latest) < 5 and latest.isascii() and latest.isdigit() and int(latest) >= 1
        if name not in ("entropy", "patience") or not right:
            raise InputError(place="--exit", found=repr(text), expected=_EXPECTED)
        return replace(parse_policy(rule), most=int(latest))
    whole = value == int(value) if 0 <= value < 10**6 else False
    if name in ("layer", "patience") and whole and value >= 1:
        return Policy("layer" if name == "layer" else "patience", value)
    if name in ("entropy", "tokens") and 0 <= value < float("inf"):
        return Policy("entropy" if name == "entropy" else "tokens", value)
    raise InputError(place="--exit", found=repr(text), expected=_EXPECTED)


def check_policy(policy: Policy, kind: Kind, exits: tuple[int, ...]) -> None:
    """An InputError where a reader of this kind cannot stop so."""
    named = int(policy.value) if policy.rule == "layer" else policy.most
    if named and named not in exits:
        expected = f"a layer with a head: {', '.join(map(str, exits))}"
        raise InputError(place="--exit", found=str(policy), expected=expected)
    if policy.rule == "tokens" and kind != "tags":
        raise InputError(place="--exit", found=f"{policy} for a reader of {kind}", expected="a reader of tags")


class Watch:
    """One question on its way up: told what each exit says, it knows whether that is the answer."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._before: Hashable = None
        self._same = 0

    def enough(self, layer: int, said: Hashable, doubt: float) -> bool:
        """Whether the reader may stop at this exit; `doubt` is its entropy."""
        self._same = self._same + 1 if self._same and said == self._before else 1
        self._before = said
        if 0 < self._policy.most <= layer:
            return True
        match self._policy.rule:
            case "layer":
                return layer >= self._policy.value
            case "entropy":
                return doubt < self._policy.value
            case "patience":
                return self._same >= self._policy.value
            case _:
                return False


Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HeadOutput:
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

    def up(self, layer: int, active: Numbers | None = None) -> HeadOutput:
        """Go up to this exit and ask its head; with `active`, for these places of its one row alone."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """At which layer a unit stopped, what was said there, and the modules on the way."""

    layer: int
    answers: Numbers
    doubts: Floats
    modules: Trace


def decide(unit: Unit, config: ExitConfig, policy: Policy) -> Decision:
    """Climb until the policy has enough, at the latest to the last exit."""
    if policy.rule == "tokens":
        return _by_tokens(unit, config, policy.value)
    watch = Watch(policy)
    asked = _asked(config, policy)
    tried: list[int] = []
    spoken = HeadOutput(np.zeros(0, np.int64), np.zeros(0, np.float32))
    for layer in asked:
        spoken = unit.up(layer)
        tried.append(layer)
        if watch.enough(layer, spoken.answers.tobytes(), float(spoken.doubts.max(initial=0.0))):
            break
    modules = tuple(use for length in unit.lengths for use in chain(config, length, unit.scored, tried))
    return Decision(tried[-1], spoken.answers, spoken.doubts, modules)


def _asked(config: ExitConfig, policy: Policy) -> tuple[int, ...]:
    """The exits whose heads are asked: where the layer is settled beforehand, one."""
    if policy.rule == "last":
        return config.exits[-1:]
    return (int(policy.value),) if policy.rule == "layer" else config.exits


def _by_tokens(unit: Unit, config: ExitConfig, threshold: float) -> Decision:
    """Characters stop one by one; [CLS] and [SEP] go on as long as any of them does."""
    length, count = unit.lengths[0], unit.scored
    answers, doubts = np.zeros(count, np.int64), np.zeros(count, np.float32)
    active = np.arange(count)
    going: list[int] = []
    for layer in config.exits:
        spoken = unit.up(layer, active)
        answers[active], doubts[active] = spoken.answers, spoken.doubts
        going.append(len(active))
        active = active[spoken.doubts >= threshold]
        if not len(active):
            break
    modules = token_chain(config, length, length - count, going)
    return Decision(config.exits[len(going) - 1], answers, doubts, modules)


def spoken_of(kind: Kind, scores: Sequence[Floats]) -> HeadOutput:
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
    return HeadOutput(answers, doubts.mean(keepdims=True) if kind == "spans" else doubts)


def entropies(scores: Floats) -> Floats:
    """The entropy of each row's softmax, in nats."""
    if not scores.size:
        return np.zeros(len(scores), np.float32)
    shifted = scores - scores.max(axis=1, keepdims=True)
    shares = np.exp(shifted)
    total = shares.sum(axis=1)
    found: Floats = (np.log(total) - (shares * shifted).sum(axis=1) / total).astype(np.float32)
    return found
