"""FLOPs and parameters of a model's modules at given shapes: asked of the sandboxed worker, or of a description.

A model file is Python that we do not know. It is never imported here: the worker runs it in a process of its own, in
the sandbox, and answers with numbers, whose form is checked.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readproof.efficiency.modules import Trace, Use
from readproof.efficiency.rules import FLOPS_PER_MAC
from readproof.efficiency.sandbox_channel import Question, ask
from readproof.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from readproof.efficiency.sandbox import Limits, Outcome

# as `run_sandboxed`: argv, then stdin, readable, limits and trust by name
Runner = Callable[..., "Outcome"]

_LARGEST_COUNT = 10**18
_SECONDS = 60.0
_SECONDS_A_PAIR = 0.05
_LONGEST = 600.0


@dataclass(frozen=True, slots=True)
class Cost:
    """Multiply-adds of a module on a shape, how many of them are estimated, and the module's parameters."""

    macs: int
    parameters: int = 0
    estimated: int = 0

    @property
    def flops(self) -> int:
        return FLOPS_PER_MAC * self.macs


@dataclass(frozen=True, slots=True)
class Costs:
    """What a model's modules cost. `faults` has the uses that cannot be counted, and why.

    `parameters` are those that are trained, as the published counter has them; `frozen` come on top. `estimated` names
    the classes whose cost is an estimate, `words` the uses that took token ids.
    """

    of: Mapping[Use, Cost]
    parameters: int
    frozen: int = 0
    faults: Mapping[Use, str] = field(default_factory=dict)
    estimated: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    words: frozenset[Use] = frozenset()

    def macs(self, trace: Trace) -> int:
        """What an item costs that passed these modules."""
        return sum(self.of[use].macs for use in trace)


def measure(
    model: Path,
    wanted: Iterable[Use],
    *,
    trust: bool = False,
    run: Runner | None = None,
) -> Costs:
    """The costs of the wanted uses, by a model file (.py) or a description of a model (.json).

    `trust` runs the model file without a sandbox; `run` takes the place of the sandbox.
    """
    asked = sorted(set(wanted))
    if model.suffix == ".json":
        from readproof.efficiency.declared import declared_costs

        return declared_costs(model, asked)
    if not model.is_file():
        raise InputError(file=model, found="no such file", expected="a model file, such as model_to_eval.py")
    if run is None:
        from readproof.efficiency.sandbox import run_sandboxed

        run = run_sandboxed
    path = model.resolve()
    question = ask(json.dumps({"model": str(path), "wanted": [[use.name, list(use.shape)] for use in asked]}).encode())
    outcome = run(
        [sys.executable, "-P", "-m", "readproof.efficiency.worker"],
        stdin=question.stdin,
        readable=(path,),
        limits=_limits(len(asked)),
        trust=trust,
    )
    return _read(model, asked, outcome, question)


def _limits(pairs: int) -> Limits:
    from readproof.efficiency.sandbox import Limits

    seconds = min(_LONGEST, _SECONDS + _SECONDS_A_PAIR * pairs)
    return Limits(seconds=seconds, cpu_seconds=seconds)


def _read(model: Path, asked: Sequence[Use], outcome: Outcome, question: Question) -> Costs:
    if outcome.verdict != "done":
        raise InputError(
            file=model,
            found=f"a model file that was stopped: {_verdict(outcome)}",
            expected="a file that makes its modules and ends",
            do=_last_words(outcome),
        )
    try:
        answer = json.loads(question.answer(outcome, file=model))
        fault = _text(answer["fault"])
        if not fault:
            return _costs(asked, answer)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        raise InputError(
            file=model,
            found=f"a model file that ended without an answer (status {outcome.status})",
            expected="modules that can be counted",
            do=_last_words(outcome),
        ) from None
    if answer.get("missing") == "torch":
        raise MissingExtraError("torch", "elue")
    expected = answer.get("expected")
    if isinstance(expected, str) and expected:
        raise InputError(file=model, found=fault, expected=_text(expected))
    raise InputError(
        file=model,
        found=fault,
        expected="a file that defines module_list and entire_model",
        do="A module that the file imports must be installed here too; files and the network are out of its reach.",
    )


def _costs(asked: Sequence[Use], answer: Mapping[str, Any]) -> Costs:
    costs: dict[Use, Cost] = {}
    faults: dict[Use, str] = {}
    classes: Counter[str] = Counter()
    words: set[Use] = set()
    listed = answer["costs"]
    if len(listed) != len(asked):
        raise ValueError("an answer for other questions")
    for use, one in zip(asked, listed, strict=True):
        if "fault" in one:
            faults[use] = _text(one["fault"])
            continue
        estimated = {_text(name): _number(macs) for name, macs in one["estimated"].items()}
        classes.update(estimated)
        if one.get("words") is True:
            words.add(use)
        costs[use] = Cost(_number(one["macs"]), _number(one["parameters"]), sum(estimated.values()))
    notes = tuple(_text(note) for note in answer["notes"][:20])
    return Costs(
        of=costs,
        parameters=_number(answer["parameters"]),
        frozen=_number(answer["frozen"]),
        faults=faults,
        estimated=tuple(sorted(classes)),
        notes=notes,
        words=frozenset(words),
    )


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _LARGEST_COUNT:
        raise ValueError("no count")
    return value


def _text(value: object) -> str:
    """A text of theirs, safe to print."""
    if type(value) is not str:
        raise ValueError("no text")
    return "".join(one if one.isprintable() else " " for one in value)[:500]


def _verdict(outcome: Outcome) -> str:
    words = {
        "time": "it ran too long",
        "memory": "it took too much memory",
        "output": "it wrote too much",
        "processes": "it started too many processes",
    }
    return f"{words.get(outcome.verdict, outcome.verdict)} ({outcome.seconds:.1f} s, status {outcome.status})"


def _last_words(outcome: Outcome) -> str:
    """The last line that it wrote, which says most of what went wrong."""
    lines = [line.strip() for line in outcome.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return f"Its last words: {_text(lines[-1][:300])}" if lines else ""
