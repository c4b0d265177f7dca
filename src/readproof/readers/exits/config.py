"""What a multi-exit reader is (exits.json beside its stages): its kind, its sizes, its labels, where it may stop."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from readproof.errors import InputError, shown
from readproof.files import read_text, writing

FILE = "exits.json"
Kind = Literal["label", "choice", "tags", "spans"]
Pool = Literal["first", "mean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitConfig:
    """`exits` are the layers, counted from 1, that have a head; the last of them is the reader's last layer.

    `labels` are the labels or tags by their number; `pool` says what the head of a label or a choice sees: the first
    token, or the mean of all; `together` that all options of a question stand in one row. `width` is that of all
    attention heads together, which pruning makes narrower than `hidden`.
    """

    kind: Kind
    task: str
    exits: tuple[int, ...]
    rows: int
    hidden: int
    heads: int
    width: int
    inner: int
    positions: int
    types: int
    embedding: int
    outputs: int
    labels: tuple[str, ...] = ()
    pool: Pool = "first"
    pooled: bool = False
    together: bool = False
    max_tokens: int = 256

    @property
    def layers(self) -> int:
        return self.exits[-1]


def write_manner(folder: Path, config: ExitConfig) -> None:
    with writing(folder / FILE) as file:
        file.write(json.dumps(asdict(config), ensure_ascii=False, indent=1) + "\n")


def read_manner(folder: Path) -> ExitConfig:
    """What exits.json says; what is not there or of another type is refused."""
    path = folder / FILE
    try:
        record = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(file=path, place=place, found=f"no JSON ({error.msg})", expected="a JSON object") from None
    if not isinstance(record, dict):
        raise InputError(file=path, found=shown(record), expected="a JSON object")
    values: dict[str, Any] = {}
    for one in fields(ExitConfig):
        if one.name not in record:
            raise InputError(file=path, place=one.name, found="nothing", expected="this key")
        values[one.name] = _value(path, one.name, record[one.name])
    config = ExitConfig(**values)
    if not config.exits or list(config.exits) != sorted(set(config.exits)) or config.exits[0] < 1:
        raise InputError(file=path, place="exits", found=shown(record["exits"]), expected="rising layers, from 1")
    if config.labels and config.kind in ("label", "tags") and len(config.labels) != config.outputs:
        found, expected = f"{len(config.labels)} labels", f"{config.outputs}, as many as outputs"
        raise InputError(file=path, place="labels", found=found, expected=expected)
    return config


_TEXTS = {"kind": ("label", "choice", "tags", "spans"), "pool": ("first", "mean"), "task": ()}
_TRUTHS = ("together", "pooled")


def _value(path: Path, name: str, value: Any) -> Any:
    if name in _TEXTS:
        right, expected = (
            isinstance(value, str) and (not _TEXTS[name] or value in _TEXTS[name]),
            f"one of {', '.join(_TEXTS[name])}" if _TEXTS[name] else "a text",
        )
    elif name in _TRUTHS:
        right, expected = isinstance(value, bool), "true or false"
    elif name == "exits":
        right, expected = isinstance(value, list) and all(type(one) is int for one in value), "a list of layers"
    elif name == "labels":
        right, expected = isinstance(value, list) and all(isinstance(one, str) for one in value), "a list of texts"
    else:
        right, expected = type(value) is int and 0 <= value < 10**9, "a whole number"
    if not right:
        raise InputError(file=path, place=name, found=shown(value), expected=expected)
    return tuple(value) if isinstance(value, list) else value
