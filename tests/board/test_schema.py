"""The interface for programs, asked everything that its description allows and much that it does not: never a 500."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable

from readproof.board import accounts
from readproof.board.web.app import make_app
from tests.board.made_board import captain, letters, made_board, submit, without_limits

OPERATIONS = 5


def test_no_question_breaks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis")
    without_limits(monkeypatch)
    board = made_board(tmp_path / "board", quota=1000)
    account = captain(board, "an")
    token = accounts.make_token(board, account, "t")
    known = submit(board, account, letters(0.5)).id
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", make_app(board))
    operations = [one.ok() for one in schema.get_all_operations()]
    assert len(operations) == OPERATIONS
    statuses: set[int] = set()
    for operation in operations:
        for mode in schemathesis.GenerationMode:

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
            def ask(case: Any) -> None:
                # half of the questions are about things that are there
                if len(str(case.path_parameters.get("slug", ""))) % 2:
                    case.path_parameters["slug"] = "reading"
                    if "number" in case.path_parameters:
                        case.path_parameters["number"] = known
                if len(str(case.query)) % 3:
                    case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
                answer = case.call()
                statuses.add(answer.status_code)
                assert answer.status_code < 500, answer.text

            # a question without parameters cannot be asked wrongly
            with suppress(Unsatisfiable):
                ask()
    assert {200, 400, 401, 404} <= statuses
    board.close()
