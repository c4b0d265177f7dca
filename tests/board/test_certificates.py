"""Certificates: one page, the font inside, for those who have won something and nobody else."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from readproof.board.certificates import find_font
from readproof.board.web.app import make_app
from readproof.board.words import Refusal
from readproof.board.worker import ScoringWorker
from tests.board.made_board import captain, letters, made_board, person, submit
from tests.board.test_web import enter


def test_winners_get_a_page_with_its_font_inside(tmp_path: Path) -> None:
    pytest.importorskip("fpdf", reason="needs fpdf2")
    try:
        find_font("")
    except Refusal:
        pytest.skip("needs a font with Chinese characters")
    board = made_board(tmp_path / "board")
    person(board, "chair", organiser=True)
    for number, name in enumerate(("张三", "bo", "cy", "di")):
        submit(board, captain(board, name), letters(0.9 - 0.2 * number))
    worker = ScoringWorker(board)
    while worker.once():
        pass
    with TestClient(make_app(board), follow_redirects=False) as client:
        enter(client, "chair")
        place = "/c/reading/manage/certificates/closed"
        assert client.get(f"{place}/1.pdf").status_code == 404
        board.clock.moment = datetime(2031, 1, 2, tzinfo=UTC)  # type: ignore[attr-defined]
        enter(client, "chair")
        assert f"{place}/1.pdf" in client.get("/c/reading/manage").text
        made = client.get(f"{place}/1.pdf")
        assert made.headers["content-type"] == "application/pdf"
        assert made.content.startswith(b"%PDF-") and len(made.content) < 400_000
        assert b"/FontFile" in made.content and made.content.count(b"/Type /Page\n") == 1
        assert [client.get(f"{place}/{team}.pdf").status_code for team in (2, 3, 4, 99)] == [200, 200, 404, 404]
        enter(client, "bo")
        assert client.get(f"{place}/1.pdf").status_code == 404
    board.close()
