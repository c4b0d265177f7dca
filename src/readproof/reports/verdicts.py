"""The verdict in both languages: the English of scores.json as it stands, the Chinese out of the same checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readproof.proof.results import Check, Outcome, PartName, PartVerdict, Verdict
from readproof.proof.verdict import FEWEST_PASSAGES, MOST_NEEDED, PASSAGES, deciding_check, no_better_than
from readproof.proof.verdict import headline as english
from readproof.reports.labels import Label, Words, both, label, named

# of unclear checks; more are told in the list of all
_FEW = 3


def headline(verdict: Verdict) -> Label:
    """The verdict in a sentence for each kind of question."""
    chinese = [sentence(part, verdict.checks).zh for part in verdict.parts]
    if len(chinese) > 1:
        leads = [label(f"part.{part.part}").zh for part in verdict.parts]
        chinese = [f"{lead}：{one}" for lead, one in zip(leads, chinese, strict=True)]
    return Label(verdict.headline, "".join(chinese))


def sentence(part: PartVerdict, checks: Sequence[Check]) -> Label:
    """The verdict on one kind of question."""
    return Label(english((part,), checks), f"{_reading(part, checks).zh}{_standing(part).zh}。")


def part_state(part: PartVerdict) -> str:
    """How good the news is: passed, failed or unclear."""
    if part.reads == "no" or part.falls_for:
        return "failed"
    return "unclear" if part.reads == "not shown" or part.unclear or not part.stands else "passed"


def state(verdict: Verdict) -> str:
    """The worst news of all parts and of the user's thresholds."""
    states = [part_state(part) for part in verdict.parts]
    if verdict.passed is False or "failed" in states:
        return "failed"
    return "unclear" if "unclear" in states or not states else "passed"


def thresholds_met(verdict: Verdict) -> Label | None:
    """How many of the user's thresholds were met; None where there were none."""
    own = [check for check in verdict.checks if check.kind == "threshold"]
    broken = sum(check.outcome != "passed" for check in own)
    if not own:
        return None
    key = "verdict.thresholds-missed" if broken else "verdict.thresholds-met"
    return label(key).filled(count=broken, all=len(own))


@dataclass(frozen=True, slots=True)
class CheckText:
    """A check in words; `part` is None for a threshold of the user's."""

    name: Words
    outcome_text: Label
    why: Label
    outcome: Outcome
    part: PartName | None = None


def check_texts(verdict: Verdict) -> list[CheckText]:
    """All that was held against a rule or a threshold, in words."""
    alone = len(verdict.parts) == 1
    return [
        CheckText(_name(check, alone), label(f"{check.kind}.{check.outcome}"), reason(check), check.outcome, check.part)
        for check in verdict.checks
    ]


def shown_first(verdict: Verdict) -> list[CheckText]:
    """What the page shows at once: what failed, and what is unclear where that is no long list."""
    bad = [one for one in check_texts(verdict) if one.outcome in ("failed", "unclear")]
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
        if check.value is None:
            return label("why.no-figure").filled(name=check.name).zh
        bare = check.name == check.what and check.limit == 1.0 and check.value in (0.0, 1.0)
        if bare:
            return f"{check.name}：{label(f'threshold.{check.outcome}').zh}"
        filled = label("why.threshold").filled(name=check.name, value=f"{check.value:.4g}", limit=f"{check.limit:g}")
        return filled.zh
    unclear = label("why.unclear").zh if check.outcome == "unclear" else ""
    if check.kind == "stands":
        if check.value is None:
            return label("why.nothing").filled(name=check.name).zh
        kept, limit = _percent(check.value), _percent(check.limit)
        return label("why.stands").filled(name=check.name, value=kept, limit=limit).zh + unclear
    key = f"fails.{check.part}.{check.name}" if check.outcome == "failed" else f"rule.{check.part}.{check.name}"
    rule = label(key).filled(against=_against(check)).zh
    if check.value is None:
        return label("why.unmeasured").filled(rule=rule).zh
    value = f"{check.value:+.1f}" if check.what == "margin" else _percent(check.value)
    filled = label(f"why.{check.what}").filled(rule=rule, value=value, limit=_percent(check.limit))
    return filled.zh + unclear


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _against(check: Check | None) -> str:
    return check.against if check is not None and check.against else label("chance").zh


def _reading(part: PartVerdict, checks: Sequence[Check]) -> Label:
    if part.reads == "yes":
        return label("verdict.reads")
    if part.because == PASSAGES:
        return label("verdict.passages").filled(count=FEWEST_PASSAGES)
    deciding = deciding_check(part, checks)
    if part.reads == "no":
        why = label(f"fails.{part.part}.{part.because}").filled(against=_against(deciding))
        return label("verdict.fails").filled(why=why)
    if deciding is not None and deciding.outcome == "unmeasured":
        rule = label(f"rule.{part.part}.{part.because}").filled(against=_against(deciding))
        return label("verdict.unmeasured").filled(rule=rule)
    if part.more is None or part.more > MOST_NEEDED:
        return label("verdict.too-many").filled(count=MOST_NEEDED)
    if no_better_than(deciding):
        return label("verdict.no-better").filled(against=_against(deciding), count=part.more)
    return label("verdict.not-shown").filled(count=part.more)


def _standing(part: PartVerdict) -> Label:
    if part.reads != "yes":
        return Label("", "")
    if part.falls_for:
        return label("verdict.falls").filled(names="、".join(part.falls_for))
    if part.unclear:
        return label("verdict.open").filled(names="、".join(part.unclear))
    return label("verdict.stands" if part.stands else "verdict.none")
