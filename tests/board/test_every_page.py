"""Every page there is, in both languages, wide and on a phone: axe finds nothing serious, and nothing is cut off.

The pages are counted from the application itself: one that is added and not opened here makes the test fail.
"""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from sqlalchemy import select

from readproof.board import accounts, content, links, managing, rates, reports, teams
from readproof.board.board import Board
from readproof.board.tables import Account, Letter, TechnicalReport
from readproof.board.web.app import ROOMS, make_app
from readproof.board.worker import ScoringWorker
from tests.board.made_board import PASSWORD, captain, letters, made_board, person, submit
from tests.board.serving import served
from tests.board.test_web import enter

# what is no page: files, programs, parts of pages, and addresses that lead on
OTHER = re.compile(
    r"/api/.*|/health|/metrics|.*\.(csv|json|pdf|atom|docx)|.*/(live|part|file)|.*/(data|files|language)/{\w+}"
)
SERIOUS = """axe.run({ resultTypes: ["violations"] }).then(found => found.violations
  .filter(one => ["serious", "critical"].includes(one.impact)).map(one => [one.id, one.nodes[0].html]))"""
LOOKS = [(1440, "light", "en-US"), (390, "dark", "zh-CN")]


def made(board: Board) -> dict[str, list[tuple[str, str]]]:
    """A board on which something has happened; gives the addresses of every page and who opens them."""
    reading, chair = board.competitions["reading"], person(board, "chair", organiser=True)
    an, bo = captain(board, "an"), captain(board, "bo")
    person(board, "new")
    late = person(board, "late")
    teams.make_team(board, reading, late, "Not agreed yet", "", "")
    scored, refused = submit(board, an, letters(0.5)), submit(board, an, letters(1).replace(b'"A"', b'"a"'))
    submit(board, bo, letters(0.5))
    worker = ScoringWorker(board)
    while worker.once():
        pass
    waiting = submit(board, an, letters(0.8))
    member = teams.membership(board, reading, an)
    assert member is not None
    report = reports.send(board, reading, member, "report.pdf", io.BytesIO(b"%PDF-1.7"))
    reports.comment(board, reading, report, chair, "Why?")
    team = teams.membership(board, reading, bo)
    assert team is not None
    managing.disqualify(board, reading, chair, team.team_id, "two accounts of one person")
    content.publish(board, reading, chair, "The gold was corrected", "**All** was scored again.")
    content.set_text(board, reading, chair, "rules", "- one", "- 一")
    content.set_dates(board, reading, chair, "main", {"late_until": datetime(2031, 2, 1, tzinfo=UTC)})
    places = {
        "/": [""],
        "/register": [""],
        "/login": [""],
        "/try": [""],
        "/forgot": [""],
        "/reset/{secret}": [""],
        "/verify/{secret}": [""],
        "/account": ["", "an"],
        "/c/{slug}": [""],
        "/c/{slug}/ranking": [""],
        "/c/{slug}/team": ["an", "bo", "new"],
        "/c/{slug}/statistics": [""],
        "/c/{slug}/data": ["an", "late"],
        "/c/{slug}/submit": ["an", "late"],
        "/c/{slug}/submissions": ["an"],
        "/c/{slug}/reports": ["an"],
        "/c/{slug}/reports/{number}": ["an"],
        "/c/{slug}/manage": ["chair", "an"],
        "/c/{slug}/manage/submissions": ["chair"],
        "/c/{slug}/manage/log": ["chair"],
        "/c/{slug}/manage/edit": ["chair"],
        "/c/{slug}/news": ["", "chair"],
    }
    numbers = {"/c/{slug}/reports/{number}": [report.id]}
    numbers["/c/{slug}/submissions/{number}"] = [one.id for one in (scored, refused, waiting)]
    places["/c/{slug}/submissions/{number}"] = ["an"]
    opening = {"/reset/{secret}": link_of(board, "reset"), "/verify/{secret}": link_of(board, "verify")}
    found = {}
    for path, people in places.items():
        secret = opening.get(path, "")
        filled = [path.format(slug="reading", number=number, secret=secret) for number in numbers.get(path, [""])]
        found[path] = [(who, one) for who in people for one in filled]
    return found


def link_of(board: Board, kind: Literal["reset", "verify"]) -> str:
    """What a letter to somebody opens."""
    with board.database.writing() as session:
        account = session.scalars(select(Account).where(Account.name == "new")).one()
        links.send(board, session, kind, account)
        session.flush()
        body = session.scalars(select(Letter.body).order_by(Letter.id.desc()).limit(1)).one()
    return re.findall(rf"/{kind}/([\w-]+)", body)[-1]


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return made_board(tmp_path / "board")


def test_every_page_is_among_those_that_are_opened(board: Board) -> None:
    routes = [one for room in ROOMS for one in room.router.routes if isinstance(one, APIRoute) and "GET" in one.methods]
    pages = {one.path for one in routes if not OTHER.fullmatch(one.path)}
    found = made(board)
    assert pages == set(found)
    # and what is called no page is none
    with TestClient(make_app(board), follow_redirects=False) as client:
        enter(client, "chair")
        for one in routes:
            if one.path not in pages and not one.path.endswith("/live"):
                kind = client.get(
                    one.path.format(slug="reading", number="1", track="closed", name="x", language="zh", secret="x")
                )
                assert kind.status_code != 200 or "<html" not in kind.text, one.path
    board.close()


class Look:
    """One window, in which one after another sits down."""

    def __init__(self, browser: Any, board: Board, address: str, width: int, theme: str, locale: str) -> None:
        self.board, self.address, self.width = board, address, width
        self.context = browser.new_context(
            viewport={"width": width, "height": 844}, locale=locale, color_scheme=theme, base_url=address
        )
        self.context.set_default_timeout(15_000)
        self.view = self.context.new_page()
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
        self.script = axe.Axe().axe_script

    def sit(self, who: str) -> None:
        self.context.clear_cookies()
        if who:
            _, secret = accounts.log_in(self.board, f"{who}@example.org", PASSWORD)
            self.context.add_cookies([{"name": "readproof_session", "value": secret, "url": self.address}])

    def open(self, path: str) -> None:
        self.view.goto(path)
        self.check()

    def send(self, button: str, until: str) -> None:
        self.view.click(button)
        self.view.wait_for_selector(until)
        self.check()

    def check(self) -> None:
        path = self.view.url
        assert self.view.evaluate("document.documentElement.scrollWidth") <= self.width, path
        assert ("zh" in self.view.get_attribute("html", "lang")) == (self.width < 1000), path
        self.view.evaluate(self.script)
        found = self.view.evaluate(SERIOUS)
        assert found == [], path


@pytest.mark.slow
@pytest.mark.parametrize(("width", "theme", "locale"), LOOKS)
def test_every_page_is_open_to_everybody(browser: Any, board: Board, width: int, theme: str, locale: str) -> None:
    pages = [one for found in made(board).values() for one in found]
    with served(board) as address:
        look = Look(browser, board, address, width, theme, locale)
        troubles: list[str] = []
        look.view.on("pageerror", lambda error: troubles.append(str(error)))
        for who in sorted({one for one, _ in pages}):
            look.sit(who)
            for path in (path for one, path in pages if one == who):
                look.open(path)
        after_forms(look)
        later(look)
        assert troubles == []
        look.context.close()
    board.close()


def after_forms(look: Look) -> None:
    """What is seen only after something was sent."""
    look.sit("an")
    look.view.goto("/account")
    look.view.fill("[name=name]", "laptop")
    look.send("form[action='/account/tokens'] button", "#token")
    for name in ("old", "password", "again"):
        look.view.fill(f"#renew [name={name}]", "not the right one")
    look.send("#renew button", "main .wrong")
    look.sit("")
    look.view.goto("/login")
    look.view.fill("[name=mail]", "x@example.org")
    look.view.fill("[name=password]", "not the right one")
    look.send("main button.main", "main .wrong")
    look.view.goto("/try")
    look.view.fill("[name=options]", "一\n二")
    look.send("main button.main", ".result")


def later(look: Look) -> None:
    """A ranking that is frozen, then hidden, then closed; too many attempts."""
    board, reading = look.board, look.board.competitions["reading"]
    organiser = person(board, "second", organiser=True)
    managing.freeze(board, reading, organiser, True)
    managing.hide(board, reading, organiser, datetime(2028, 1, 1, tzinfo=UTC))
    look.open("/c/reading/ranking?track=closed")
    look.sit("second")
    look.open("/c/reading/manage")
    board.clock.moment = datetime(2031, 1, 2, tzinfo=UTC)  # type: ignore[attr-defined]
    managing.freeze(board, reading, organiser, False)
    look.sit("second")
    look.open("/c/reading/ranking?track=closed&said=thawed")
    assert look.view.locator(".prize").count() == 1
    look.open("/c/reading/manage")
    assert look.view.locator("a[href*='certificates']").count() == 1
    look.view.goto("/c/reading/team")
    for _ in range(rates.LIMITS["comment"][0]):
        with board.database.writing() as session:
            rates.take(session, "comment", str(organiser.id), board.clock())
    with board.database.reading() as session:
        report = session.scalar(select(TechnicalReport.id))
    look.view.goto(f"/c/reading/reports/{report}")
    look.view.fill("[name=words]", "one more")
    look.send("main form button.main", "main .wrong")
