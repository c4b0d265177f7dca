"""A reader's card (reader.json beside its weights): what a person wants to know, and the settings it reads with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from readproof.errors import InputError, shown
from readproof.files import read_text

FILE = "reader.json"
# a graph, or changes to that of another reader
_WEIGHTS = ("model.onnx", "changes.npz")


def has_weights(folder: Path) -> bool:
    """Whether a folder has a graph, or changes to that of another reader."""
    return any((folder / name).is_file() for name in _WEIGHTS)


def shipped_folder(name: str) -> Path:
    """Where the weights of a reader in the package lie."""
    return Path(__file__).parent / "models" / name


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderCard:
    """What reader.json says; all of it has a default, so that any folder with a model and a vocabulary is a reader.

    `temperature` makes the confidence honest; `no_answer` is by how much the score of "no answer" must beat that of
    the best span; `enough` is the probability at which no further window is read; `options` is how questions with
    options are read (the fields of `OptionReadingConfig`); `onto` names the shipped reader whose graph and weights the
    folder's changes.npz changes, and `onto_hash` is the SHA-256 of that graph; `without_passage` says what the reader
    scored on questions with options without their passages; `size` is measured, not read.
    """

    name: str
    languages: tuple[str, ...] = ()
    kind: str = "spans"
    parameters: int | None = None
    licence: str = "not stated"
    temperature: float = 1.0
    no_answer: float = 0.0
    enough: float = 1.0
    scores: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    max_tokens: int = 512
    overlap: int = 128
    question_tokens: int = 64
    longest: int = 80
    title: str = ""
    without_passage: str = ""
    onto: str = ""
    onto_hash: str = ""
    size: int = 0


_TEXTS = ("name", "kind", "licence", "title", "without_passage", "onto", "onto_hash")
_WHOLE = ("parameters", "max_tokens", "overlap", "question_tokens", "longest")
_MOST_TOKENS = 8192  # attention grows with the square: beyond this a window would fill the memory
_OBJECTS = ("scores", "options")
_FIGURES = ("temperature", "no_answer", "enough")


def read_card(folder: Path) -> ReaderCard:
    """The card of a folder; what it does not say has its default, what else it says is left to people."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    path = folder / FILE
    if not path.is_file():
        return ReaderCard(name=folder.resolve().name, size=size)
    try:
        record = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(file=path, place=place, found=f"no JSON ({error.msg})", expected="a JSON object") from None
    if not isinstance(record, dict):
        raise InputError(file=path, found=shown(record), expected="a JSON object")
    known = {one.name for one in fields(ReaderCard)} - {"size"}
    values = {name: _value(path, name, value) for name, value in record.items() if name in known and value is not None}
    values.setdefault("name", folder.resolve().name)
    card = ReaderCard(**values, size=size)
    if card.max_tokens < 16 or not 0 < card.question_tokens <= card.max_tokens - 8 or card.overlap < 0:
        found = f"max_tokens {card.max_tokens}, question_tokens {card.question_tokens}, overlap {card.overlap}"
        raise InputError(file=path, found=found, expected="windows of at least 16 tokens with room for a passage")
    if card.max_tokens > _MOST_TOKENS:
        expected = f"at most {_MOST_TOKENS}"
        raise InputError(file=path, place="max_tokens", found=shown(card.max_tokens), expected=expected)
    if card.longest < 1:
        raise InputError(file=path, place="longest", found=shown(card.longest), expected="at least 1 token")
    return card


def _value(path: Path, name: str, value: Any) -> Any:
    if name in _TEXTS and isinstance(value, str):
        return value
    if name in _WHOLE and isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if name in _FIGURES and number and (name != "temperature" or value > 0):
        return float(value)
    if name in _OBJECTS and isinstance(value, dict):
        return value
    if name == "languages" and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    expected = (
        "a text" if name in _TEXTS
        else "a whole number" if name in _WHOLE
        else "a number above 0" if name == "temperature"
        else "a number" if name in _FIGURES
        else "an object" if name in _OBJECTS
        else "a list of texts"
    )  # fmt: skip
    raise InputError(file=path, place=name, found=shown(value), expected=expected)
