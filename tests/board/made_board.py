"""Small boards for the tests: made questions as gold, a clock that can be set, people and teams in a line each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from readproof.board import accounts, rates, receiving, teams
from readproof.board.board import Board, make_board, open_board
from readproof.board.tables import Account, Submission
from tests.submit.parts import rows

PASSWORD = "long enough 1"
# noon in Shanghai
START = datetime(2027, 5, 20, 4, 0, tzinfo=UTC)
KEYS = ("answer", "positive_answer", "negative_answer")
ITEMS = 24

COMPETITION = """
title = {{ en = "Reading", zh = "阅读" }}
about = {{ en = "Made for tests.", zh = "测试用。" }}
agreement = {{ en = "Research only.", zh = "仅供研究。" }}
task = "gcrc"
timezone = "Asia/Shanghai"
published = "gcrc"
[dates]
registration_opens = 2020-01-01
registration_closes = {closes}
submission_opens = 2020-01-02
submission_closes = {closes}
[tracks.closed]
title = {{ en = "Closed track", zh = "封闭赛道" }}
[tracks.open]
title = {{ en = "Open track", zh = "开放赛道" }}
[gold]
file = "gcrc/gold.json"
test = "gcrc/test.json"
[quota]
accepted_a_day = {quota}
refused_a_day = 8
[limits]
upload_megabytes = 1
members = 3
[[data]]
file = "gcrc/test.json"
title = {{ en = "Test set", zh = "测试集" }}
[[prizes]]
title = {{ en = "First prize", zh = "一等奖" }}
count = 1
[[prizes]]
title = {{ en = "Second prize", zh = "二等奖" }}
count = 2
"""


@dataclass
class Clock:
    """The time, as a test wants it."""

    moment: datetime = START

    def __call__(self) -> datetime:
        return self.moment

    def forward(self, **by: float) -> None:
        self.moment += timedelta(**by)


def made_folder(folder: Path, *, quota: int = 5, closes: str = "2031-01-01") -> Path:
    """The folder of a board with one competition, `reading`."""
    make_board(folder, title="Board", address="http://127.0.0.1:8000", database="", examples=())
    place = folder / "competitions"
    (place / "reading.toml").write_text(COMPETITION.format(quota=quota, closes=closes), encoding="utf-8")
    (place / "gcrc").mkdir()
    gold = rows(ITEMS)
    (place / "gcrc/gold.json").write_text(json.dumps({"data": gold}, ensure_ascii=False), encoding="utf-8")
    test = [{key: value for key, value in row.items() if key not in KEYS} for row in gold]
    (place / "gcrc/test.json").write_text(json.dumps({"data": test}, ensure_ascii=False), encoding="utf-8")
    return folder


def made_board(folder: Path, *, database: str = "", clock: Any = None, quota: int = 5) -> Board:
    return open_board(made_folder(folder, quota=quota), database=database, clock=clock or Clock(), migrate=True)


def letters(right: float, seed: int = 0) -> bytes:
    """Predictions of which about this share is right."""
    chance = Random(seed)
    records = rows(ITEMS)
    for record in records:
        for key in KEYS:
            if chance.random() >= right:
                record[key] = "D"
    return json.dumps({"data": records}, ensure_ascii=False).encode()


def without_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is too often: for tests that try thousands of things."""
    monkeypatch.setattr("readproof.board.rates.LIMITS", dict.fromkeys(rates.LIMITS, (10**6, 60)))


def person(board: Board, name: str, organiser: bool = False) -> Account:
    return accounts.register(board, f"{name}@example.org", name, PASSWORD, address="test", organiser=organiser)


def captain(board: Board, name: str) -> Account:
    """Somebody with a team of the same name, who has agreed."""
    account = person(board, name)
    competition = board.competitions["reading"]
    teams.make_team(board, competition, account, f"Team {name}", "", "")
    teams.agree(board, competition, account)
    return account


def submit(
    board: Board, account: Account, data: bytes, track: str = "closed", name: str = "GCRC_advRobust.json", **more: Any
) -> Submission:
    """The whole way in."""
    competition = board.competitions["reading"]
    member = receiving.may_submit(board, competition, account, track)
    with receiving.incoming(board, name, competition.largest) as upload:
        upload.write(data)
        return receiving.receive(board, competition, member, track, upload, **more)
