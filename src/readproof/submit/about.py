"""What only the team knows: who they are, and what they declare. Kept in one small TOML file for all documents."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from readproof.errors import InputError, shown
from readproof.files import read_text

# in the order of the registration form, each with its name in the form
TEAM = {
    "organisation": "单位名称",
    "team": "参赛队名",
    "track": "赛道选择",
    "leader": "队伍组长",
    "members": "队伍组员",
    "address": "地址",
    "contact": "联系人",
    "phone": "联系电话",
    "mails": "各成员邮箱",
}
_TRACKS = {"closed": "封闭赛道", "open": "开放赛道"}
_TEXTS = ("external_data", "method", "steps", "environment")
_FLAGS = ("no_large_model", "no_manual_labels", "no_construction_rules", "reproducible")


@dataclass(frozen=True, slots=True)
class TeamStatement:
    """The team's own words; what is not said stays open and is marked so in the documents."""

    team: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    declared: dict[str, bool] = field(default_factory=dict)

    def of_form(self) -> dict[str, str]:
        """The nine values of the registration form by their names there."""
        values = {TEAM[key]: value for key, value in self.team.items()}
        track = TEAM["track"]
        return values | ({track: _TRACKS.get(values[track], values[track])} if track in values else {})


def template() -> str:
    """An empty file to fill in."""
    return files("readproof.submit").joinpath("about.toml").read_text(encoding="utf-8")


def read_about(path: Path | None) -> TeamStatement:
    """What a file says; nothing where there is none."""
    if path is None:
        return TeamStatement()
    try:
        record = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(file=path, found=f"no TOML ({error})", expected="what `readproof pack about` writes") from None
    team = _table(record, "team", path)
    model = _table(record, "model", path)
    for name, table, known in (("team", team, TEAM), ("model", model, (*_TEXTS, *_FLAGS))):
        for key in table:
            if key not in known:
                expected = f"one of {', '.join(known)}"
                raise InputError(file=path, place=name, found=f"the key {key!r}", expected=expected)
    return TeamStatement(
        {key: text for key, value in team.items() if (text := _text(value, path, f"team.{key}"))},
        {key: text for key in _TEXTS if key in model and (text := _text(model[key], path, f"model.{key}"))},
        {key: _flag(model[key], path, f"model.{key}") for key in _FLAGS if key in model},
    )


def _table(record: dict[str, Any], name: str, path: Path) -> dict[str, Any]:
    value = record.get(name, {})
    if not isinstance(value, dict):
        raise InputError(file=path, place=name, found=shown(value), expected=f"a table [{name}]")
    return value


def _text(value: Any, path: Path, place: str) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "、".join(value)
    if not isinstance(value, str):
        raise InputError(file=path, place=place, found=shown(value), expected="a text, or a list of texts")
    return value.strip()


def _flag(value: Any, path: Path, place: str) -> bool:
    if not isinstance(value, bool):
        raise InputError(file=path, place=place, found=shown(value), expected="true or false")
    return value
