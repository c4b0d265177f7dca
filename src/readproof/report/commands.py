"""The command that makes a run again, told from what the run was asked for."""

from __future__ import annotations

import shlex

from readproof.attacks.known import ATTACKS, make_attack
from readproof.errors import ReadproofError
from readproof.prove.model import AttackFacts, RunFacts
from readproof.prove.plan import ALL, FAST, Wish, chosen


def command(run: RunFacts, thresholds: str = "") -> str:
    """`readproof prove …`; "" where the reader or the items were objects in Python, which no command names."""
    if not run.reader.spec or not (run.data.given or run.data.name == "sample" or run.suite):
        return ""
    words = ["readproof", "prove", run.reader.spec]
    if run.suite:
        words += ["--suite", "SUITE"]
    else:
        words += [run.data.given] if run.data.given else []
        words += _attacks(run)
        words += ["--seed", str(run.seed)] if run.seed else []
        words += ["--limit", str(run.limit)] if run.limit is not None else []
    words += ["--no-answer"] if run.reader.no_answer else []
    words += ["--hardened", run.hardened.spec] if run.hardened and run.hardened.spec else []
    words += ["--fail-under", thresholds] if thresholds else []
    return shlex.join(words)


def _attacks(run: RunFacts) -> list[str]:
    named = [*dict.fromkeys([*(one.attack for one in run.attacks), *(one.attack for one in run.left)])]
    words: list[str] = []
    if set(named) == set(chosen(Wish(attacks=(ALL,)))):
        words += ["--attacks", ALL]
    elif set(named) != set(chosen(Wish(attacks=(FAST,)))):
        words += ["--attacks", ",".join(named)]
    budgets = sorted({one.budget for one in run.attacks if one.searched})
    # different budgets are those of the set itself
    words += ["--budget", str(budgets[0])] if len(budgets) == 1 else []
    counts = sorted({one.count for one in run.attacks if not one.searched})
    words += ["--count", str(counts[-1])] if counts and counts[-1] > 1 else []
    settings = dict.fromkeys(setting for one in run.attacks for setting in _settings(one))
    return words + [word for setting in settings for word in ("--set", setting)]


def _settings(made: AttackFacts) -> list[str]:
    """What differs from the attack as it comes."""
    try:
        usual = make_attack(made.attack) if made.attack in ATTACKS.names() else None
    except ReadproofError:
        usual = None
    return [
        f"{made.attack}.{name}={value}"
        for name, value in made.settings.items()
        if getattr(usual, name, None) != value and (name, value) != ("truth", "kept")
    ]
