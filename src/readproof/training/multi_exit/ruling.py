"""Which exit rule to use: each is tried on the held-out part, against a curve that was measured on that part too.

So the rule is chosen by nothing that it is measured on later. Rules for whole items need no model (`said` is enough);
those that stop single characters do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readproof.efficiency.elue import CurvePoint, TaskCurve
from readproof.errors import InputError
from readproof.items import Answer, Item
from readproof.readers.exits.config import ExitConfig
from readproof.readers.exits.deciding import Policy
from readproof.training.measure import EvalSet
from readproof.training.multi_exit.folder import said_by_tokens, token_answers
from readproof.training.multi_exit.measure import HeadOutputs, SpanOutputs, answers_of, cost, performance, span_scores
from readproof.training.multi_exit.model import MultiExit
from readproof.training.multi_exit.sets import UnitRows

_ENTROPIES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.3)
_PATIENCE = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class RuleResult:
    """A rule on a part of the data; `gain` is the distance to the curve."""

    policy: Policy
    performance: float
    flops: float
    gain: float


def held_curve(lines: Iterable[Mapping[str, Any]]) -> TaskCurve:
    """The best of each depth on the held-out part, out of the lines of `depths.jsonl`."""
    best: dict[int, Mapping[str, Any]] = {}
    for one in lines:
        depth = int(one["depth"])
        if depth not in best or one["held"] > best[depth]["held"]:
            best[depth] = one
    if not best:
        raise InputError(found="no depth", expected="a line a depth, as tools/curve.py train writes them")
    points = [CurvePoint(float(one["held_flops"]), float(one["held"])) for _, one in sorted(best.items())]
    return TaskCurve(tuple(points))


def rules_of(config: ExitConfig) -> list[Policy]:
    """What is tried: every layer, and a row of thresholds."""
    layers = [Policy("layer", layer) for layer in config.exits]
    some = [Policy("patience", times) for times in _PATIENCE if times < len(config.exits)]
    return [*layers, *some, *(Policy("entropy", one) for one in _ENTROPIES)]


def capped_rules(config: ExitConfig) -> list[Policy]:
    """Those for span questions: thresholds with a layer that is not passed, besides the plain ones."""
    latest = [layer for layer in config.exits[:-1] if 2 * layer >= config.layers]
    return [*rules_of(config), *(Policy("entropy", one, most) for one in _ENTROPIES for most in latest)]


@dataclass(frozen=True, slots=True)
class SpanRuleResult:
    """A rule on a part of the questions."""

    policy: Policy
    exact: float
    f1: float
    flops: float


def span_rules(prepared: EvalSet, said: SpanOutputs, config: ExitConfig) -> list[SpanRuleResult]:
    """Every rule with what it scores, the cheapest first; the last layer is among them."""
    found = []
    for policy in capped_rules(config):
        exact, f1, flops, _ = span_scores(prepared, said, config, policy)
        found.append(SpanRuleResult(policy, exact, f1, flops))
    return sorted(found, key=lambda one: one.flops)


def cheapest(tried: Sequence[SpanRuleResult], config: ExitConfig) -> SpanRuleResult:
    """The cheapest rule that loses neither EM nor F1 against the last layer."""
    full = next(one for one in tried if one.policy == Policy("layer", config.layers))
    return next(one for one in tried if one.exact >= full.exact and one.f1 >= full.f1)


def token_rules(config: ExitConfig) -> list[Policy]:
    return [Policy("tokens", one) for one in _ENTROPIES] if config.kind == "tags" else []


def answers_under(
    policy: Policy,
    items: Sequence[Item],
    said: HeadOutputs,
    units: UnitRows,
    model: MultiExit | None,
    config: ExitConfig,
) -> list[Answer]:
    """The answers of a part under a rule; a rule for characters asks the model."""
    if policy.rule != "tokens":
        return answers_of(items, said, config, policy)
    if model is None:
        raise InputError(found=str(policy), expected="a rule for whole texts: without the model others cannot be tried")
    units.config = config
    return token_answers(items, units, said_by_tokens(model, units, policy.value))


def judged(
    task: str, policy: Policy, items: Sequence[Item], answers: Sequence[Answer], config: ExitConfig, curve: TaskCurve
) -> RuleResult:
    value, flops = performance(task, items, answers), cost(config, answers)
    return RuleResult(policy, value, flops, value - curve.at(flops))
