"""A model described instead of programmed: sizes in a JSON file, counted by the same rules, without torch or trust.

    {"modules": {"emb": {"kind": "embeddings", "rows": [21128, 512, 2], "hidden": 768},
                 "layer_1..layer_12": {"kind": "layer", "hidden": 768, "heads": 12, "inner": 3072},
                 "pooler": {"kind": "pooler", "hidden": 768},
                 "classifier": {"kind": "linear", "inputs": 768, "outputs": 2}}}

A name with two dots stands for a row of equal modules. The parameters are those of all modules together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readproof.efficiency import rules
from readproof.efficiency.missing import no_such_module
from readproof.efficiency.modules import Use
from readproof.errors import InputError, shown
from readproof.jsonstream import load_json

if TYPE_CHECKING:
    from readproof.efficiency.flops import Costs

Sizes = Mapping[str, Any]

_ROW = re.compile(r"(.*?)([0-9]+)\.\.(.*?)([0-9]+)")
_LONGEST_ROW = 1000


def declared_costs(path: Path, wanted: Sequence[Use]) -> Costs:
    """The costs of the wanted uses, by a description."""
    from readproof.efficiency.flops import Cost, Costs

    modules = _modules(path)
    sizes = {name: _parameters(one) for name, one in modules.items()}
    costs: dict[Use, Cost] = {}
    faults: dict[Use, str] = {}
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
