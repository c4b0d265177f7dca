"""Singular and plural: a number in a sentence chooses the words around it, in every label of the table."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from readproof.board.words import PluralNumber, counted, word, words
from readproof.cli import board as commands
from tests.board.made_board import made_board

# places of words; every other one is a number
_TEXTS = {
    "track",
    "tracks",
    "checker",
    "checked",
    "title",
    "team",
    "moment",
    "zone",
    "found",
    "expected",
    "reason",
    "person",
    "link",
    "name",
    "mail",
}
_TEXTS |= {"address", "text", "code", "seconds"}
# "1 MB" and "1 more" are right for any number; so is "1 to 5 characters"
_ONE = re.compile(r"(?<!\d)1 (?:[a-z]+ )?(?!is\b|was\b|has\b)[a-z]+s\b|\b1 (people|are|were)\b")


def places(text: str) -> set[str]:
    """The names that a label asks for, those inside its choices too."""
    found = {(name, spec or "") for _, name, spec, _ in Formatter().parse(text) if name}
    return {name for name, _ in found} | {one for _, spec in found if "{" in spec for one in places(spec)}


@pytest.mark.parametrize("key", sorted(key for key, one in words().items() if places(one.en)))
def test_no_label_counts_one_as_many(key: str) -> None:
    said = word(key, **{name: "X" if name in _TEXTS else 1 for name in places(words()[key].en)})
    assert not _ONE.search(re.sub(r"\d to 1", "1 to 9", said.en)), said.en
    assert "|" not in said.en + said.zh and "{" not in said.en + said.zh


@pytest.mark.parametrize(
    ("key", "values", "one", "more"),
    [
        ("ranking.teams", ("count",), "1 team", "2 teams"),
        ("reports.comments", ("count",), "1 comment", "2 comments"),
        ("refused.full", ("most",), "The team is full: 1 person.", "The team is full: 2 people."),
        ("refused.rate", ("minutes",), "in 1 minute.", "in 2 minutes."),
        ("refused.quota", ("limit",), "The one submission of today is used.", "All 2 submissions of today are used."),
        ("refused.cap", ("cap",), "1 package was refused today;", "2 packages were refused today;"),
        ("limits.rule", ("size", "members"), "teams of one person.", "teams up to 2 people."),
        ("invite.about", ("most",), "Teams are of one person here", "A team has up to 2 people."),
        ("refused.reports", ("most",), "At most 1 report of", "At most 2 reports of"),
        ("refused.tokens", ("most",), "At most 1 token:", "At most 2 tokens:"),
    ],
)
def test_one_and_more(key: str, values: tuple[str, ...], one: str, more: str) -> None:
    assert one in word(key, **dict.fromkeys(values, 1), resets="").en
    assert more in word(key, **dict.fromkeys(values, 2), resets="").en


def test_none_are_many_and_figures_stay_figures() -> None:
    assert word("ranking.teams", count=0).en == "0 teams"
    assert word("ranking.teams", count=1).zh == "1 支队伍"
    assert f"{PluralNumber(1200):,} {PluralNumber(1200):row|rows}" == counted(1200, "row", "rows") == "1,200 rows"
    assert counted(1, "row", "rows") == "1 row"


def test_commands_count_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_board(tmp_path / "board").close()
    # the competition's own row is the only one
    commands.backup(tmp_path / "board", tmp_path / "b.zip")
    commands.restore(tmp_path / "b.zip", tmp_path / "again")
    assert capsys.readouterr().err.splitlines() == [
        f"wrote {tmp_path / 'b.zip'}: 1 row",
        f"{tmp_path / 'again'}: 1 row",
    ]
