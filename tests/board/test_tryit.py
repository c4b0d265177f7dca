"""The try-it page: answers, attacks, options, and what strangers may not do with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from readproof.board.web import trying
from readproof.board.web.app import make_app
from readproof.items import Edit
from tests.board.made_board import made_board
from tests.board.test_web import csrf

PASSAGE = "范廷颂是越南罗马天主教枢机。1963年被任为主教；1990年被擢升为天主教河内总教区宗座署理。"
OPTIONS = "范廷颂是越南的枢机。\n范廷颂是法国的枢机。"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    board = made_board(tmp_path_factory.mktemp("try") / "board")
    with TestClient(make_app(board), follow_redirects=False) as made:
        yield made
    board.close()


def ask(client: TestClient, **fields: str) -> tuple[int, str]:
    given = {"passage": PASSAGE, "question": "范廷颂是什么时候被任为主教的？", "csrf": csrf(client, "/try")} | fields
    answer = client.post("/try", data=given)
    return answer.status_code, answer.text


def test_the_answer_is_marked_and_attacks_are_shown(client: TestClient) -> None:
    status, text = ask(client, **{"attack-invisible": "yes", "attack-typo": "yes"})
    assert status == 200
    assert '<mark class="answer">1963年</mark>' in text
    assert "⟨U+" in text and "<ins>" in text
    assert "same answer" in text or "another answer" in text


def test_options_come_with_evidence(client: TestClient) -> None:
    status, text = ask(client, question="下列说法正确的一项是", options=OPTIONS)
    assert status == 200 and "chosen" in text
    assert "范廷颂是越南罗马天主教枢机。" in text.partition("results")[2]


def test_what_is_pasted_is_never_html_and_has_its_limits(client: TestClient) -> None:
    status, text = ask(client, passage="<script>alert(1)</script>在北京。{{7*7}}", question="<b>在哪里？")
    assert status == 200 and "<script>alert" not in text and "<b>在" not in text
    assert ask(client, passage="长" * 3001)[0] == 413
    assert ask(client, question=" ")[0] == 400
    assert ask(client, options="一")[0] == 400
    assert ask(client, csrf="0")[0] == 403


def test_edits_move_what_comes_after_them() -> None:
    edits = [Edit(6, "b", "BB"), Edit(0, "", "xx"), Edit(9, "q", "Q", where="question")]
    assert trying._new(edits) == [(0, 2), (8, 10)]


def test_the_page_can_be_switched_off(tmp_path: Path) -> None:
    from dataclasses import replace

    board = made_board(tmp_path / "board")
    off = replace(board, settings=replace(board.settings, try_it=False))
    with TestClient(make_app(off)) as client:
        assert client.get("/try").status_code == 404
        assert "/try" not in client.get("/").text
    board.close()
