"""Plans as TOML files: every key is a field of `recipe`, every fault is told with its file and key."""

from __future__ import annotations

import dataclasses
import tomllib
import types
import typing
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from readproof.errors import InputError, shown
from readproof.training.recipe import DistilRecipe, Stage, TrainingPlan

_KINDS = ("options", "encoder", "harden", "celue")
_Made = typing.TypeVar("_Made")


def plan_names(*, options: bool = False, harden: bool = False, kind: str = "") -> list[str]:
    """The plans that come with the package: of span readers, option readers, hardening, or encoders."""
    wanted = "options" if options else "harden" if harden else kind
    found = (one.name.removesuffix(".toml") for one in _shipped().iterdir() if one.name.endswith(".toml"))
    return sorted(name for name in found if _kind(name) == wanted)


def _kind(name: str) -> str:
    return next((kind for kind in _KINDS if name == kind or name.startswith(f"{kind}-")), "")


def find_plan(name: str) -> TrainingPlan:
    """A plan by its name, or by the path of its file."""
    return parse(*plan_text(name))


def read_plan(path: Path) -> TrainingPlan:
    """The plan in a file."""
    return parse(_text(path, plan_names()), path)


def plan_text(name: str, *, options: bool = False, harden: bool = False, kind: str = "") -> tuple[str, str | Path]:
    """The text of a plan, by name or by path, and what errors name it."""
    names = plan_names(options=options, harden=harden, kind=kind)
    if name in names:
        return (_shipped() / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml"
    return _text(Path(name), names), Path(name)


def parse(text: str, file: str | Path) -> TrainingPlan:
    """The plan in a text; `file` is what errors name."""
    plan = parse_as(TrainingPlan, text, file)
    _checked(plan, file)
    return plan


def parse_as(kind: type[_Made], text: str, file: str | Path) -> _Made:
    """A dataclass out of TOML: a key a field."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(file=file, found=f"no TOML ({error})", expected="a plan in TOML") from None
    made = _made(kind, table, file, "")
    if not isinstance(made, kind):
        raise TypeError(type(made).__name__)
    return made


def _text(path: Path, names: list[str]) -> str:
    if not path.is_file():
        expected = f"a plan: {', '.join(names)}, or a .toml file"
        raise InputError(file=path, found="no such file", expected=expected)
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(file=path, found=f"bytes that are not UTF-8 ({error.reason})", expected="UTF-8") from None


def _checked(plan: TrainingPlan, file: str | Path) -> None:
    """What types alone cannot say."""
    stages: list[tuple[str, Stage | DistilRecipe]]
    stages = [(f"teachers.stages[{at}]", stage) for at, stage in enumerate(plan.teachers.stages)]
    steps = [(f"student.steps[{at}]", step) for at, step in enumerate(plan.student.steps)] if plan.student else []
    for place, stage in [*stages, *steps]:
        if not stage.sets:
            raise InputError(file=file, place=f"{place}.sets", found="no set", expected="at least one")
        for key, value, least in (("epochs", stage.fit.epochs, 1), ("batch", stage.fit.batch, 1)):
            if value < least:
                raise InputError(file=file, place=f"{place}.fit.{key}", found=f"{value}", expected=f"{least} or more")
        if isinstance(stage, DistilRecipe) and (not stage.layers or min(stage.layers) < 0):
            found = f"{list(stage.layers)}"
            raise InputError(file=file, place=f"{place}.layers", found=found, expected="layers, counted from 0")
    for key, many in (("teachers.stages", plan.teachers.stages), ("teachers.seeds", plan.teachers.seeds)):
        if not many:
            raise InputError(file=file, place=key, found="an empty list", expected="at least one")
    if len(set(plan.teachers.seeds)) < len(plan.teachers.seeds):
        raise InputError(file=file, place="teachers.seeds", found="a seed twice", expected="every seed once")
    if plan.student and not plan.student.steps:
        raise InputError(file=file, place="student.steps", found="an empty list", expected="at least one")
    if len({step.layers for _, step in steps}) > 1:
        raise InputError(file=file, place="student.steps", found="other layers in a later step", expected="the same")
    if plan.student and not 0 <= plan.student.guide < len(plan.teachers.seeds):
        expected = f"0 to {len(plan.teachers.seeds) - 1}, the place of a seed"
        raise InputError(file=file, place="student.guide", found=f"{plan.student.guide}", expected=expected)
    if plan.max_tokens < 2 * plan.overlap or plan.max_tokens < 16:
        expected = "at least 16, and twice the overlap"
        raise InputError(file=file, place="max_tokens", found=f"{plan.max_tokens}", expected=expected)


def _made(kind: Any, value: Any, file: str | Path, place: str) -> Any:
    """A value of a field's type out of what TOML gave."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return _made(next(one for one in inner if one is not type(None)), value, file, place)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record(kind, value, file, place)
    if origin is typing.Literal:
        _need(value in inner, value, f"one of {', '.join(map(str, inner))}", file, place)
        return value
    if origin is tuple:
        _need(isinstance(value, list), value, "a list", file, place)
        return tuple(_made(inner[0], one, file, f"{place}[{at}]") for at, one in enumerate(value))
    if origin is Mapping:
        _need(isinstance(value, dict), value, "a table", file, place)
        return {key: _made(inner[1], one, file, f"{place}.{key}") for key, one in value.items()}
    if kind is float:
        _need(isinstance(value, int | float) and not isinstance(value, bool), value, "a number", file, place)
        return float(value)
    if kind is int:
        _need(isinstance(value, int) and not isinstance(value, bool), value, "a whole number", file, place)
        return value
    _need(isinstance(value, kind), value, "a text" if kind is str else kind.__name__, file, place)
    return value


def _record(kind: type[Any], value: Any, file: str | Path, place: str) -> Any:
    _need(isinstance(value, dict), value, "a table", file, place)
    hints = typing.get_type_hints(kind)
    for key in value:
        if key not in hints:
            here = f"{place}.{key}" if place else key
            raise InputError(file=file, place=here, found="an unknown key", expected=f"one of {', '.join(hints)}")
    for one in dataclasses.fields(kind):
        given = one.name in value
        if not given and one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING:
            here = f"{place}.{one.name}" if place else one.name
            raise InputError(file=file, place=here, found="nothing", expected="this key")
    prefix = f"{place}." if place else ""
    return kind(**{key: _made(hints[key], one, file, f"{prefix}{key}") for key, one in value.items()})


def _need(right: bool, value: Any, expected: str, file: str | Path, place: str) -> None:
    if not right:
        raise InputError(file=file, place=place, found=shown(value), expected=expected)


def _shipped() -> Any:
    return resources.files("readproof.training") / "recipes"
