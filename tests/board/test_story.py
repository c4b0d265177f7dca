"""A whole season in Chromium, on SQLite and on PostgreSQL, from the first letter to the last prize."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readproof.board.board import Board, open_board
from tests.board.made_board import KEYS, PASSWORD, Clock, letters, made_board, person
from tests.board.mailbox import Inbox
from tests.board.serving import served
from tests.board.test_seasons import OVER, TEST, VALIDATION, of_phase, season_folder


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
        self.context.clear_cookies(name="readproof_session")
        self.open("/login")
        self.view.fill("[name=mail]", f"{self.name}@example.org")
        self.view.fill("[name=password]", PASSWORD)
        self.view.click("main button.main")
        self.view.wait_for_selector("form[action='/logout']")

    def make_team(self, name: str) -> str:
        self.view.fill("#make [name=name]", name)
        self.view.select_option("#make [name=kind]", "university")
        self.view.check("#make [name=agreed]")
        self.view.click("#make button")
        code: str = self.view.locator("#invite").inner_text()
        return code

    def join(self, code: str) -> None:
        if code:
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

    def uploaded(self, data: bytes) -> str:
        """Submit, and wait for the score."""
        self.upload(data)
        return self.scored()

    def scored(self) -> str:
        """Waits, without touching the page, until the worker is done."""
        self.view.wait_for_selector(".verdict.passed")
        said: str = self.view.locator(".verdict").inner_text()
        return said


def first_rows(view: Any, count: int) -> list[str]:
    return [text.split("\n")[0] for text in view.locator("table.ranking tbody th").all_inner_texts()[:count]]


@pytest.mark.slow
def test_the_whole_story(browser: Any, database: str, tmp_path: Path, inbox: tuple[Inbox, int]) -> None:
    """A season like CCL23's: registration, validation, test, reports; a part of the gold decides at the end."""
    folder = season_folder(tmp_path / "board")
    with (folder / "board.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'[mail]\nbackend = "smtp"\nhost = "127.0.0.1"\nport = {inbox[1]}\nsecurity = "none"\n')
    board = open_board(folder, database=database, clock=Clock(VALIDATION), migrate=True)
    person(board, "chair", organiser=True)
    with served(board) as address:
        story(browser, board, address, inbox[0])
    board.close()


def story(browser: Any, board: Board, address: str, inbox: Inbox) -> None:
    an = Person(browser, address, "an")
    bo = Person(browser, address, "bo", width=390, locale="zh-CN")
    cy = Person(browser, address, "cy", width=390, locale="zh-CN")
    watcher = Person(browser, address, "watcher", width=390, locale="zh-CN")
    chair = Person(browser, address, "chair")
    everybody = (an, bo, cy, watcher, chair)

    registration(an, bo, cy, inbox)
    validation(board, an, bo)
    the_test_phase(board, an, bo, watcher, chair)
    ending(board, an, bo, watcher, chair)
    for one in everybody:
        assert one.troubles == []
        one.context.close()


def registration(an: Person, bo: Person, cy: Person, inbox: Inbox) -> None:
    """Addresses are confirmed by a link out of a real letter; two teams, one of them of two people."""
    for one in (an, bo, cy):
        one.sign_up()
    an.view.fill("#make [name=name]", "Too early")
    an.view.select_option("#make [name=kind]", "university")
    an.view.check("#make [name=agreed]")
    an.view.click("#make button")
    assert "Confirm your e-mail address first" in an.view.locator("main .wrong").inner_text()
    for one in (an, bo, cy):
        one.open(inbox.wait_for(f"{one.name}@example.org", "verify"))
        one.view.click("main button.main")
        one.view.wait_for_selector(".told")
        one.open("/c/reading/team")
    an.make_team("Readers")
    cy.make_team("读者队")
    # an invitation by mail leads to the form with its code
    cy.view.fill("#invitation [name=mail]", "bo@example.org")
    cy.view.click("#invitation button")
    cy.view.wait_for_selector(".told")
    bo.open(inbox.wait_for("bo@example.org", "c/reading/team\\?code="))
    bo.join("")
    assert bo.view.locator(".people li").count() == 2


def validation(board: Board, an: Person, bo: Person) -> None:
    """Data behind their date; a package with equal errors, put together, told in the reader's language, and mended."""
    an.open("/c/reading/data")
    assert an.view.locator(".files .tag", has_text="from 2027-06-01").count() == 1
    with an.view.expect_download() as download:
        an.view.click(".files a >> text=test.json")
    assert "answer" not in json.loads(Path(download.value.path()).read_text("utf-8"))["data"][0]
    broken = of_phase("validation", 0.6).replace(b'"A"', b'"a"')
    said = bo.upload(broken)
    assert "未通过检查" in said and "G222" in said and "首次出现" in said
    assert bo.view.locator(".problems li").count() == 1
    said = bo.upload(of_phase("validation", 0.6))
    assert "已接受" in said or "已评分" in said
    assert "Acc2" in bo.scored()
    board.clock.moment = TEST  # type: ignore[attr-defined]


def the_test_phase(board: Board, an: Person, bo: Person, watcher: Person, chair: Person) -> None:
    """An open page moves by itself: by scores, by a corrected gold, by what organisers decide."""
    for one in (an, bo):
        one.log_in()
    watcher.open("/c/reading/ranking")
    watcher.view.locator(".live", has_text="实时").wait_for()
    assert "Acc2" in bo.uploaded(letters(0.6))
    watcher.view.locator("tr.first", has_text="读者队").wait_for()
    an.uploaded(letters(0.9))
    an.view.click("#choose button")
    an.view.wait_for_selector(".told >> text=counts at the end")
    watcher.view.locator("tr.first", has_text="Readers").wait_for()
    assert first_rows(watcher.view, 2) == ["Readers", "读者队"]

    # the gold was wrong, for the benefit of one team
    chair.log_in()
    wrong_gold(board)
    chair.open("/c/reading/manage")
    assert "Scored by earlier gold answers or an earlier scorer: 2." in chair.view.locator("main").inner_text()
    chair.view.on("dialog", lambda dialog: dialog.accept())
    chair.view.click("#rescore button >> text=outdated")
    chair.view.wait_for_selector(".told")
    watcher.view.locator("tr.first", has_text="读者队").wait_for()
    watcher.open("/c/reading/ranking")
    assert watcher.view.locator(".tag", has_text="旧标准答案").count() == 0

    # five a day, and the sixth is told when the next day begins; what counts is chosen
    for number in range(4):
        an.upload(letters(0.5, number))
    said = an.upload(letters(1))
    assert "All 5 submissions of today are used" in said and "2027-06-03 00:00 (Asia/Shanghai)" in said
    an.open("/c/reading/submissions")
    assert an.view.locator("tbody tr").count() == 5
    assert an.view.locator("tbody .tag.prize").count() == 1

    # a disqualification moves the next team up, in the open page too, and is taken back
    chair.open("/c/reading/manage")
    row = chair.view.locator("tr", has_text="读者队").first
    row.locator("[name=reason]").fill("two accounts of one person")
    row.locator("button").click()
    chair.view.wait_for_selector(".told")
    watcher.view.locator("tr.first", has_text="Readers").wait_for()
    bo.open("/c/reading/team")
    assert "two accounts of one person" in bo.view.locator(".wrong").inner_text()
    chair.view.locator("tr", has_text="读者队").first.locator("button").click()
    chair.view.wait_for_selector(".told")
    watcher.view.locator("tr.first", has_text="读者队").wait_for()

    # news, in the feed too
    chair.open("/c/reading/news")
    chair.view.fill("#news [name=title]", "The gold was corrected")
    chair.view.fill("#news [name=body]", "All was **scored again**.")
    chair.view.click("#news button.main")
    chair.view.wait_for_selector("article strong")
    feed = chair.context.request.get(f"{chair.address}/c/reading/news.atom").text()
    assert "<title>The gold was corrected</title>" in feed


def ending(board: Board, an: Person, bo: Person, watcher: Person, chair: Person) -> None:
    """The part that nobody saw decides; cross-check, certificates, export, an account that goes."""
    watcher.open("/c/reading/ranking")
    public = watcher.view.locator("tbody td b").all_inner_texts()[:2]
    board.clock.moment = OVER  # type: ignore[attr-defined]
    for one in (an, bo, chair):
        one.log_in()
    assert "提交已于 2027-06-15 00:00 (Asia/Shanghai) 截止" in bo.upload(letters(1))
    watcher.open("/c/reading/ranking")
    assert "最终排名" in watcher.view.locator("#ranking").inner_text()
    assert watcher.view.locator(".prize").all_inner_texts() == ["一等奖", "二等奖"]
    assert watcher.view.locator("tbody td b").all_inner_texts()[:2] != public

    chair.open("/c/reading/manage")
    chair.view.click("form[action*=crosscheck] button")
    chair.view.wait_for_selector(".told")
    an.open("/c/reading/reports")
    with an.view.expect_download() as download:
        an.view.click(".check a")
    assert "data" in json.loads(Path(download.value.path()).read_text("utf-8"))
    an.view.fill(".check [name=score]", "60.0")
    an.view.fill(".check [name=words]", "ran as described")
    an.view.click(".check button.main")
    an.view.wait_for_selector(".told")
    chair.open("/c/reading/manage")
    assert "ran as described" in chair.view.locator("main").inner_text()
    certificate = chair.view.locator("a[href*=certificates]").first.get_attribute("href")
    found = chair.context.request.get(f"{chair.address}{certificate}")
    assert found.status == 503 or found.body().startswith(b"%PDF-")
    answer = chair.context.request.get(f"{chair.address}/c/reading/ranking.csv?track=closed")
    lines = answer.text().lstrip("\ufeff").splitlines()
    assert lines[1].startswith("1,") and lines[1].endswith("First prize,一等奖") and lines[2].startswith("2,")

    known = bo.context.request.get(f"{bo.address}/account/export.json").json()
    assert known["account"]["mail"] == "bo@example.org" and len(known["submissions"]) == 3
    bo.open("/account")
    bo.view.on("dialog", lambda dialog: dialog.accept())
    bo.view.click("details summary")
    bo.view.fill("#delete [name=password]", PASSWORD)
    bo.view.click("#delete button")
    bo.view.wait_for_selector(".told")
    watcher.open("/c/reading/ranking")
    assert "读者队" in watcher.view.locator("#ranking").inner_text()


def wrong_gold(board: Board) -> None:
    """Another gold, by which the second team is the first: what it answered is right now."""
    gold = board.competitions["reading"].at("test").gold
    data = json.loads(gold.read_text("utf-8"))
    answered = {row["id"]: row for row in json.loads(letters(0.6))["data"]}
    for row in data["data"]:
        row.update({key: answered[row["id"]][key] for key in KEYS})
    gold.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


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
