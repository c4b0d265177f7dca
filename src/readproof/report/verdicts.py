"""The verdict in both languages: the English of scores.json as it stands, the Chinese out of the same checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readproof.prove.model import Check, Outcome, PartVerdict, Verdict
from readproof.prove.verdict import headline as english
from readproof.report.labels import Label, Words, both, label, named

# of unclear checks; more are told in the list of all
_FEW = 3


def headline(verdict: Verdict) -> Label:
    """The verdict in a sentence for each kind of question."""
    said = [sentence(part, verdict.checks).zh for part in verdict.parts]
    if len(said) > 1:
        leads = [label(f"part.{part.part}").zh for part in verdict.parts]
        said = [f"{lead}：{one}" for lead, one in zip(leads, said, strict=True)]
    return Label(verdict.headline, "".join(said))


def sentence(part: PartVerdict, checks: Sequence[Check]) -> Label:
    """What is to be thought of the reader on one kind of question."""
    return Label(english((part,), checks), f"{_reading(part, checks).zh}{_standing(part).zh}。")


def part_state(part: PartVerdict) -> str:
    """How good the news are: passed, failed or unclear."""
    if part.reads == "no" or part.falls_for:
        return "failed"
    return "unclear" if part.reads == "unclear" or part.unclear or not part.stands else "passed"


def state(verdict: Verdict) -> str:
    """The worst news of all parts and of the user's limits."""
    states = [part_state(part) for part in verdict.parts]
    if verdict.passed is False or "failed" in states:
        return "failed"
    return "unclear" if "unclear" in states or not states else "passed"


def limits_kept(verdict: Verdict) -> Label | None:
    """What became of the user's limits; None where there were none."""
    own = [check for check in verdict.checks if check.kind == "threshold"]
    broken = sum(check.outcome != "passed" for check in own)
    if not own:
        return None
    key = "verdict.thresholds-broken" if broken else "verdict.thresholds-kept"
    return label(key).filled(count=broken, all=len(own))


@dataclass(frozen=True, slots=True)
class Checked:
    """A check in words."""

    name: Words
    said: Label
    why: Label
    outcome: Outcome


def checked(verdict: Verdict) -> list[Checked]:
    """All that was held against a limit, in words."""
    alone = len(verdict.parts) == 1
    return [
        Checked(_name(check, alone), label(f"{check.kind}.{check.outcome}"), reason(check), check.outcome)
        for check in verdict.checks
    ]


def told(verdict: Verdict) -> list[Checked]:
    """What is said at once: what failed, and what is unclear where that is no long list."""
    bad = [one for one in checked(verdict) if one.outcome != "passed"]
    failed = [one for one in bad if one.outcome == "failed"]
    return bad if len(bad) - len(failed) <= _FEW else failed


def _name(check: Check, alone: bool) -> Words:
    if check.part is None:
        return check.name
    name = named("check", check.name)
    return name if alone else label("check.name").filled(part=label(f"part.{check.part}"), name=both(name))


def reason(check: Check) -> Label:
    """Why a check came out as it did."""
    return Label(check.why, _chinese(check))


def _chinese(check: Check) -> str:
    if check.kind == "threshold":
        bare = check.name == check.what and check.limit == 1.0 and check.value in (0.0, 1.0)
        if bare:
            return f"{check.name}：{label(f'threshold.{check.outcome}').zh}"
        filled = label("why.threshold").filled(name=check.name, value=f"{check.value:.4g}", limit=f"{check.limit:g}")
        return filled.zh
    if check.kind == "reads" and check.name == "clean":
        metric = both(named("metric", check.what))
        said = label("why.chance").filled(metric=metric, value=f"{check.value:.1f}", limit=f"{check.limit:.1f}")
    elif check.kind == "reads":
        lost = f"{100 * max(0.0, check.value):.0f} %"
        said = label("why.reads").filled(without=_without(check.name), value=lost, limit=f"{100 * check.limit:.0f} %")
    else:
        kept = f"{100 * min(1.0, check.value):.0f} %"
        said = label("why.stands").filled(name=check.name, value=kept, limit=f"{100 * check.limit:.0f} %")
    return said.zh + (label("why.unclear").zh if check.outcome == "unclear" else "")


def _reading(part: PartVerdict, checks: Sequence[Check]) -> Label:
    failed = [one for one in checks if one.part == part.part and one.kind == "reads" and one.outcome == "failed"]
    if part.reads == "yes":
        return label("verdict.reads")
    if part.reads == "unclear":
        return label("verdict.few")
    if not failed or any(check.name == "clean" for check in failed):
        return label("verdict.chance")
    return label("verdict.without").filled(without=_without(min(failed, key=lambda check: check.value).name))


def _standing(part: PartVerdict) -> Label:
    if part.falls_for:
        key = "verdict.falls" if part.reads == "yes" else "verdict.also-falls"
        return label(key).filled(names="、".join(part.falls_for))
    if part.unclear:
        if part.reads == "unclear" and not part.stands:
            return label("verdict.few-all")
        return label("verdict.open").filled(names="、".join(part.unclear))
    return label("verdict.stands" if part.stands else "verdict.none")


def _without(name: str) -> Words:
    return named("without", name)
