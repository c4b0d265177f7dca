"""The whole story in Chromium, on SQLite and on PostgreSQL: sign up, team, upload, error, mend, rank, close, prizes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from readproof.board.board import Board
from tests.board.made_board import PASSWORD, letters, made_board, person
from tests.board.serving import served


class Person:
    """Somebody with a browser."""

    def __init__(self, browser: Any, address: str, name: str, *, width: int = 1440, locale: str = "en-US") -> None:
        self.address, self.name = address, name
        self.context = browser.new_context(viewport={"width": width, "height": 844}, locale=locale)
        self.context.set_default_timeout(15_000)
        self.view = self.context.new_page()
        self.width = width
        self.troubles: list[str] = []
        self.view.on("pageerror", lambda error: self.troubles.append(str(error)))

    def open(self, path: str) -> None:
        for last in (False, True):
            try:
                self.view.goto(self.address + path)
                break
            except Exception as error:
                # a page that follows its submission reloads itself, and may do so in the middle of this
                if last or "ERR_ABORTED" not in str(error):
                    raise
        assert self.view.evaluate("document.documentElement.scrollWidth") <= self.width, path

    def sign_up(self) -> None:
        self.open("/register?to=/c/reading/team")
        for field, value in {"mail": f"{self.name}@example.org", "name": self.name}.items():
            self.view.fill(f"[name={field}]", value)
        for field in ("password", "again"):
            self.view.fill(f"[name={field}]", PASSWORD)
        self.view.click("main button.main")
        self.view.wait_for_selector("#make")

    def log_in(self) -> None:
        self.open("/login")
        self.view.fill("[name=mail]", f"{self.name}@example.org")
        self.view.fill("[name=password]", PASSWORD)
        self.view.click("main button.main")
        self.view.wait_for_selector("form[action='/logout']")

    def make_team(self, name: str) -> str:
        self.view.fill("#make [name=name]", name)
        self.view.check("#make [name=agreed]")
        self.view.click("#make button")
        code: str = self.view.locator("#invite").inner_text()
        return code

    def join(self, code: str) -> None:
        self.view.fill("#join [name=code]", code)
        self.view.check("#join [name=agreed]")
        self.view.click("#join button")
        self.view.wait_for_selector("#invite")

    def upload(self, data: bytes) -> str:
        """Submit a file; gives what the page then says."""
        self.open("/c/reading/submit")
        if self.view.locator("main .wrong").count():
            # nothing can be sent now: told before a large file is on its way
            refused: str = self.view.locator("main").inner_text()
            return refused
        file = {"name": "GCRC_advRobust.json", "mimeType": "application/json", "buffer": data}
        self.view.set_input_files("[name=file]", file)
        self.view.click("main form button.main")
        self.view.wait_for_selector("#status, .wrong")
        said: str = self.view.locator("main").inner_text()
        return said

    def scored(self) -> str:
        """Waits, without touching the page, until the worker is done."""
        self.view.wait_for_selector(".verdict.passed")
        said: str = self.view.locator(".verdict").inner_text()
        return said


def first_rows(view: Any, count: int) -> list[str]:
    return [text.split("\n")[0] for text in view.locator("table.ranking tbody th").all_inner_texts()[:count]]


@pytest.mark.slow
def test_the_whole_story(browser: Any, database: str, tmp_path: Path) -> None:
    board = made_board(tmp_path / "board", database=database)
    person(board, "chair", organiser=True)
    with served(board) as address:
        story(browser, board, address)
    board.close()


def story(browser: Any, board: Board, address: str) -> None:
    an = Person(browser, address, "an")
    bo = Person(browser, address, "bo", width=390, locale="zh-CN")
    cy = Person(browser, address, "cy", width=390, locale="zh-CN")
    watcher = Person(browser, address, "watcher", width=390, locale="zh-CN")
    chair = Person(browser, address, "chair")
    everybody = (an, bo, cy, watcher, chair)

    # two teams, one of them of two people
    for one in (an, bo, cy):
        one.sign_up()
    an.make_team("Readers")
    bo.join(cy.make_team("读者队"))
    assert bo.view.locator(".people li").count() == 2

    # the data are there now
    an.open("/c/reading/data")
    with an.view.expect_download() as download:
        an.view.click(".files a")
    assert "answer" not in json.loads(Path(download.value.path()).read_text("utf-8"))["data"][0]

    # an error, told in the reader's language, and mended
    broken = letters(0.6).replace(b'"A"', b'"a"', 1)
    said = bo.upload(broken)
    assert "未通过检查" in said and "G222" in said and "negative_answer" in said
    assert "5" in bo.view.locator(".quota dd").first.inner_text()
    watcher.open("/c/reading/ranking")
    watcher.view.locator(".live", has_text="实时").wait_for()
    said = bo.upload(letters(0.6))
    assert "已接受" in said or "已评分" in said
    assert "Acc2" in bo.scored()

    # the open page moves without being touched
    watcher.view.locator("tr.first", has_text="读者队").wait_for()
    an.upload(letters(0.9))
    assert "Scored" in an.scored()
    watcher.view.locator("tr.first", has_text="Readers").wait_for()
    assert first_rows(watcher.view, 2) == ["Readers", "读者队"]

    # five a day, and the sixth is told when the next day begins
    for number in range(4):
        an.upload(letters(0.5, number))
    said = an.upload(letters(1))
    assert "All 5 submissions of today are used" in said and "2027-05-21 00:00 (Asia/Shanghai)" in said
    an.open("/c/reading/submissions")
    assert an.view.locator("tbody tr").count() == 5

    # the organiser: a disqualification moves the next team up, in the open page too
    chair.log_in()
    chair.open("/c/reading/manage")
    row = chair.view.locator("tr", has_text="Readers").first
    row.locator("[name=reason]").fill("two accounts of one person")
    row.locator("button").click()
    chair.view.wait_for_selector(".told")
    watcher.view.locator("tr.first", has_text="读者队").wait_for()
    an.open("/c/reading/team")
    assert "two accounts of one person" in an.view.locator(".wrong").inner_text()
    chair.view.locator("tr", has_text="Readers").first.locator("button").click()
    chair.view.wait_for_selector(".told")
    watcher.view.locator("tr.first", has_text="Readers").wait_for()

    # close, prizes, export
    board.clock.moment = datetime(2031, 1, 2, tzinfo=UTC)  # type: ignore[attr-defined]
    bo.log_in()
    bo.open("/c/reading/submit")
    assert "提交已于 2031-01-01 00:00 (Asia/Shanghai) 截止" in bo.upload(letters(1))
    watcher.open("/c/reading/ranking")
    assert watcher.view.locator(".prize").all_inner_texts() == ["一等奖", "二等奖"]
    answer = chair.context.request.get(f"{address}/c/reading/ranking.csv?track=closed")
    lines = answer.text().lstrip("\ufeff").splitlines()
    assert lines[1].startswith("1,Readers,") and lines[1].endswith("First prize,一等奖")
    assert lines[2].startswith("2,读者队,")
    for one in everybody:
        assert one.troubles == []
        one.context.close()


def test_without_scripts_everything_is_there(browser: Any, tmp_path: Path) -> None:
    board = made_board(tmp_path / "board")
    with served(board) as address:
        context = browser.new_context(java_script_enabled=False)
        view = context.new_page()
        view.goto(f"{address}/c/reading/ranking")
        assert view.locator("table.ranking tbody tr").count() == 5
        assert view.locator(".live a").is_visible()
        context.close()
    board.close()
