"""FLOPs and parameters of a model's modules at given shapes: asked of the sandboxed worker, or of a description.

A model file is Python that we do not know. It is never imported here: the worker runs it in a process of its own, in
the sandbox, and answers with numbers, whose form is checked.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readproof.efficiency import rules
from readproof.efficiency.modules import ModuleUse, Trace, no_such_module
from readproof.efficiency.rules import FLOPS_PER_MAC
from readproof.efficiency.sandbox_channel import SandboxRequest, ask
from readproof.errors import InputError, MissingExtraError, shown
from readproof.jsonstream import load_json

if TYPE_CHECKING:
    from readproof.efficiency.sandbox import Limits, SandboxOutcome


# A model described instead of programmed: sizes in a JSON file, counted by the same rules, without torch or trust.
#
#     {"modules": {"emb": {"kind": "embeddings", "rows": [21128, 512, 2], "hidden": 768},
#                  "layer_1..layer_12": {"kind": "layer", "hidden": 768, "heads": 12, "inner": 3072},
#                  "pooler": {"kind": "pooler", "hidden": 768},
#                  "classifier": {"kind": "linear", "inputs": 768, "outputs": 2}}}
#
# A name with two dots stands for a row of equal modules. The parameters are those of all modules together.


Sizes = Mapping[str, Any]

_ROW = re.compile(r"(.*?)([0-9]+)\.\.(.*?)([0-9]+)")
_LONGEST_ROW = 1000


def declared_costs(path: Path, wanted: Sequence[ModuleUse]) -> Costs:
    """The costs of the wanted uses, by a description."""

    modules = _modules(path)
    sizes = {name: _parameters(one) for name, one in modules.items()}
    costs: dict[ModuleUse, Cost] = {}
    faults: dict[ModuleUse, str] = {}
    for use in wanted:
        if use.name not in modules:
            faults[use] = no_such_module("the description", use.name, modules)
            continue
        macs = _macs(modules[use.name], use.shape)
        if macs is None:
            faults[use] = _unfit(modules[use.name], use.shape)
        else:
            costs[use] = Cost(macs, sizes[use.name])
    words = frozenset(use for use in costs if modules[use.name]["kind"] == "embeddings")
    return Costs(costs, sum(sizes.values()), 0, faults, words=words)


def _macs(one: Sizes, shape: tuple[int, ...]) -> int | None:
    kind = one["kind"]
    if kind == "embeddings":
        return rules.norm((*shape, one["hidden"]), affine=True) if len(shape) == 1 else None
    if shape[-1] != one["inputs" if kind == "linear" else "hidden"]:
        return None
    if kind == "linear":
        return rules.linear(shape, one["outputs"])
    if len(shape) != 2:
        return None
    if kind == "pooler":
        return rules.linear(shape[1:], one["hidden"])
    return rules.bert_layer(shape[0], one["hidden"], one["heads"], one["inner"])


def _unfit(one: Sizes, shape: tuple[int, ...]) -> str:
    """Why a module does not take a shape."""
    kind = one["kind"]
    takes = {"embeddings": "(tokens)", "linear": f"(…,{one.get('inputs')})"}.get(kind, f"(tokens,{one.get('hidden')})")
    batched = {"embeddings": 2, "layer": 3, "pooler": 3}.get(kind) == len(shape)
    batch = ": a shape has no batch dimension" if batched else ""
    return f"a module of kind {kind} takes {takes}{batch}"


def _parameters(one: Sizes) -> int:
    kind = one["kind"]
    if kind == "linear":
        return int((one["inputs"] + 1) * one["outputs"])
    hidden = int(one["hidden"])
    if kind == "embeddings":
        return (sum(one["rows"]) + 2) * hidden
    if kind == "pooler":
        return (hidden + 1) * hidden
    inner = int(one["inner"])
    return 4 * (hidden + 1) * hidden + (hidden + 1) * inner + (inner + 1) * hidden + 4 * hidden


_KEYS: dict[str, tuple[str, ...]] = {
    "embeddings": ("rows", "hidden"),
    "layer": ("hidden", "heads", "inner"),
    "pooler": ("hidden",),
    "linear": ("inputs", "outputs"),
}


def _modules(path: Path) -> dict[str, Sizes]:
    whole = load_json(path)
    listed = whole.get("modules") if isinstance(whole, dict) else None
    if not isinstance(listed, dict) or not listed:
        raise InputError(file=path, found=shown(whole), expected='an object {"modules": {name: sizes}}')
    found: dict[str, Sizes] = {}
    for name, one in listed.items():
        _check(one, partial(_refuse, path, name))
        for single in _names(name):
            if single in found:
                _refuse(path, name, f"{single!r} a second time", "each module once")
            found[single] = one
    return found


def _names(name: str) -> Iterator[str]:
    row = _ROW.fullmatch(name)
    if not row or row[1] != row[3]:
        yield name
        return
    for number in range(int(row[2]), min(int(row[4]), int(row[2]) + _LONGEST_ROW) + 1):
        yield f"{row[1]}{number}"


def _check(one: Any, refuse: Callable[[str, str], None]) -> None:
    if not isinstance(one, dict) or one.get("kind") not in _KEYS:
        refuse(shown(one), f"an object with a kind: {', '.join(_KEYS)}")
    for key in _KEYS[one["kind"]]:
        values = one.get(key) if key == "rows" else [one.get(key)]
        if not isinstance(values, list) or not values or not all(map(_is_size, values)):
            refuse(f"{key} {shown(one.get(key))}", "whole numbers from 1 to 999999999")
    if one["kind"] == "layer" and one["hidden"] % one["heads"]:
        refuse(f"{one['heads']} heads for a width of {one['hidden']}", "heads of equal width")


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 < value < 10**9


def _refuse(path: Path, name: str, found: str, expected: str) -> None:
    raise InputError(file=path, place=f"modules.{name}", found=found, expected=expected)


# as `run_sandboxed`: argv, then stdin, readable, limits and trust by name
Runner = Callable[..., "SandboxOutcome"]

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

    of: Mapping[ModuleUse, Cost]
    parameters: int
    frozen: int = 0
    faults: Mapping[ModuleUse, str] = field(default_factory=dict)
    estimated: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    words: frozenset[ModuleUse] = frozenset()

    def macs(self, trace: Trace) -> int:
        """What an item costs that passed these modules."""
        return sum(self.of[use].macs for use in trace)


def measure(
    model: Path,
    wanted: Iterable[ModuleUse],
    *,
    trust: bool = False,
    run: Runner | None = None,
) -> Costs:
    """The costs of the wanted uses, by a model file (.py) or a description of a model (.json).

    `trust` runs the model file without a sandbox; `run` takes the place of the sandbox.
    """
    asked = sorted(set(wanted))
    if model.suffix == ".json":
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


def _read(model: Path, asked: Sequence[ModuleUse], outcome: SandboxOutcome, question: SandboxRequest) -> Costs:
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


def _costs(asked: Sequence[ModuleUse], answer: Mapping[str, Any]) -> Costs:
    costs: dict[ModuleUse, Cost] = {}
    faults: dict[ModuleUse, str] = {}
    classes: Counter[str] = Counter()
    words: set[ModuleUse] = set()
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


def _verdict(outcome: SandboxOutcome) -> str:
    words = {
        "time": "it ran too long",
        "memory": "it took too much memory",
        "output": "it wrote too much",
        "processes": "it started too many processes",
    }
    return f"{words.get(outcome.verdict, outcome.verdict)} ({outcome.seconds:.1f} s, status {outcome.status})"


def _last_words(outcome: SandboxOutcome) -> str:
    """The last line that it wrote, which says most of what went wrong."""
    lines = [line.strip() for line in outcome.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return f"Its last words: {_text(lines[-1][:300])}" if lines else ""
