"""What organisers write on the web, news and their feed, the cross-check from the draw to a withdrawn award."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from readproof.board import content, crosscheck, reports, rescoring, teams
from readproof.board.board import Board, open_board
from readproof.board.markdown import rendered
from readproof.board.ranking import RankingEntry, ranked, standings, view
from readproof.board.tables import Letter
from readproof.board.web.app import make_app
from tests.board.made_board import START, Clock, captain, letters, person, submit
from tests.board.test_core import refused
from tests.board.test_seasons import TEST, VALIDATION, at, season_folder
from tests.board.test_web import csrf, enter, work

OVER = datetime(2031, 1, 2, tzinfo=UTC)


@pytest.fixture
def client(small: Board) -> Iterator[TestClient]:
    person(small, "chair", organiser=True)
    with TestClient(make_app(small), follow_redirects=False) as made:
        yield made


def token(client: TestClient, path: str = "/account") -> dict[str, str]:
    return {"csrf": csrf(client, path)}


HOSTILE = """# Big
<script>alert(1)</script> <img src=x onerror=alert(1)>

[a](javascript:alert(1)) [b](data:text/html,x) ![p](https://evil.example/p.png) [c](https://example.org/?a=1&b=2)

| x | y |
|---|---|
| **1** | `2` |
"""


def test_markdown_does_nothing_but_look_well() -> None:
    html = str(rendered(HOSTILE))
    for part in ("<script", "<img", 'href="javascript', 'href="data', "onerror=alert(1)>", 'evil.example/p.png"'):
        assert part not in html, part
    assert "<h3>Big</h3>" in html and "<strong>1</strong>" in html and "<table>" in html
    assert 'href="https://example.org/?a=1&amp;b=2" rel="nofollow noopener noreferrer"' in html


def test_texts_are_changed_on_the_web_and_their_history_kept(client: TestClient, small: Board) -> None:
    enter(client, "chair")
    for en in ("First **words**", HOSTILE):
        fields = token(client) | {"en": en, "zh": "新的**规则**"}
        assert client.post("/c/reading/manage/texts/rules", data=fields).status_code == 303
    text = client.get("/c/reading").text
    assert "<h3>Big</h3>" in text and "<script>alert" not in text
    client.get("/language/zh")
    assert "新的<strong>规则</strong>" in client.get("/c/reading").text
    client.get("/language/en")
    assert "First **words**" in client.get("/c/reading/manage/edit").text
    long = {"en": "x" * 50_000, "zh": "规" * 50_000}
    assert client.post("/c/reading/manage/texts/faq", data=token(client) | long).status_code == 303
    assert (
        client.post("/c/reading/manage/texts/faq", data=token(client) | long | {"en": "x" * 50_001}).status_code == 400
    )
    assert client.post("/c/reading/manage/texts/title", data=token(client) | {"en": "x", "zh": "x"}).status_code == 400
    # a server that starts again knows it, and says so
    assert "changed on the web" in rescoring.announced(small)[0]
    again = open_board(small.settings.folder, clock=Clock())
    assert again.competitions["reading"].rules.zh == "新的**规则**"
    assert again.originals["reading"].rules.zh == ""
    again.close()


def test_dates_are_changed_on_the_web(client: TestClient, small: Board) -> None:
    enter(client, "chair")
    place = "/c/reading/manage/dates/main"
    good = {"opens": "2020-01-02T00:00", "closes": "2027-05-20T11:00", "late_until": "", "final_shown": ""}
    assert client.post(place, data=token(client) | good | {"closes": "2019-01-01T00:00"}).status_code == 400
    assert client.post(place, data=token(client) | good | {"closes": "x"}).status_code == 400
    assert client.post(f"{place}x", data=token(client) | good).status_code == 404
    assert small.competitions["reading"].phase(START) == "open"
    assert client.post(place, data=token(client) | good).status_code == 303
    assert small.competitions["reading"].phase(START) == "closed"
    assert "2027-05-20 11:00" in client.get("/c/reading").text
    with refused("refused.closed"):
        submit(small, captain(small, "an"), letters(1))
    assert "Ends → 2027-05-20 11:00" in client.get("/c/reading/manage/edit").text
    assert client.post(place, data=token(client) | good | {"closes": "2030-01-01T00:00"}).status_code == 303
    assert submit(small, captain(small, "bo"), letters(1)).status == "waiting"


def test_no_date_gives_gold_away(tmp_path: Path) -> None:
    board = open_board(season_folder(tmp_path / "board"), clock=Clock(VALIDATION), migrate=True)
    chair = person(board, "chair", organiser=True)
    reading = board.competitions["reading"]
    later = {"closes": TEST + timedelta(days=3)}
    # the answers of the validation set come with the test phase, which begins before that
    with refused("refused.dates-gold"):
        content.set_dates(board, reading, chair, "validation", later)
    content.set_dates(board, reading, chair, "test", {"opens": TEST + timedelta(days=4)})
    content.set_dates(board, board.competitions["reading"], chair, "validation", later)
    found = board.competitions["reading"]
    assert next(one.opens for one in found.downloads if one.name == "dev.json") == TEST + timedelta(days=4)
    at(board, TEST)
    assert found.now(board.clock()).stage == "validation"
    board.close()


def test_news_have_a_feed_and_go_by_mail(client: TestClient, small: Board) -> None:
    captain(small, "an")
    enter(client, "chair")
    fields = token(client) | {"title": "Gold & <data>", "body": "The gold was **corrected**.\x0b", "mail": "yes"}
    assert client.post("/c/reading/manage/news", data=fields | {"title": " "}).status_code == 400
    assert client.post("/c/reading/manage/news", data=fields).headers["location"] == "/c/reading/news?said=news"
    client.cookies.clear()
    text = client.get("/c/reading/news").text
    assert "Gold &amp; &lt;data&gt;" in text and "<strong>corrected</strong>" in text and "Withdraw" not in text
    answer = client.get("/c/reading/news.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.text)
    space = {"a": "http://www.w3.org/2005/Atom"}
    assert [one.text for one in root.findall("a:entry/a:title", space)] == ["Gold & <data>"]
    assert "<strong>corrected</strong>" in (root.find("a:entry/a:content", space).text or "")  # type: ignore[union-attr]
    # to confirmed addresses only: nobody is written to who did not ask for it
    with small.database.reading() as session:
        assert not [one for one in session.scalars(select(Letter.subject)) if "Gold" in one]
    with small.database.writing() as session:
        from readproof.board.tables import Account

        session.scalars(select(Account).where(Account.name == "an")).one().verified_at = START
    enter(client, "chair")
    assert client.post("/c/reading/manage/news", data=fields | token(client)).status_code == 303
    with small.database.reading() as session:
        found = [one.recipient for one in session.scalars(select(Letter)) if "Gold" in one.subject]
    assert found == ["an@example.org"]
    assert client.post("/c/reading/manage/news/1/withdraw", data=token(client)).status_code == 303
    assert client.post("/c/reading/manage/news/99/withdraw", data=token(client)).status_code == 404
    assert client.get("/c/reading/news").text.count("<article") == 1


def test_a_cross_check_from_the_draw_to_a_withdrawn_award(board: Board) -> None:
    reading, chair = board.competitions["reading"], person(board, "chair", organiser=True)
    accounts_of = {name: captain(board, name) for name in ("an", "bo", "cy")}
    for number, account in enumerate(accounts_of.values()):
        submit(board, account, letters(1 - 0.3 * number))
    work(board)
    with refused("refused.not-final"):
        crosscheck.draw(board, reading, chair)
    at(board, OVER)
    assert crosscheck.draw(board, reading, chair) == 3
    with refused("refused.drawn"):
        crosscheck.draw(board, reading, chair)
    pairs = crosscheck.checks(board, reading)
    assert {one.checker_id for one in pairs} == {one.checked_id for one in pairs}
    assert all(one.checker_id != one.checked_id for one in pairs)
    an = teams.membership(board, reading, accounts_of["an"])
    assert an is not None
    (mine,) = crosscheck.checks(board, reading, an.team_id)
    other = next(one for one in pairs if one.checker_id != an.team_id)
    with refused("refused.no-page"):
        crosscheck.file(board, reading, an, other.id, True, None, "it runs well")
    for words, score in (("x", None), ("it runs well", float("nan"))):
        with refused("refused.check"):
            crosscheck.file(board, reading, an, mine.id, True, score, words)
    crosscheck.file(board, reading, an, mine.id, False, 0.1, "another score every time")
    (mine,) = crosscheck.checks(board, reading, an.team_id)
    assert (mine.reproduced, mine.score) == (False, 0.1)

    def prizes() -> list[tuple[str, int | None, str]]:
        rows = standings(board, reading, "closed", view(board, reading)).rows
        titles = [(row, reading.prize(row.award)) for row in rows if row.rank]
        return [(row.name, row.rank, title.en if title else "") for row, title in titles]

    assert [one[2] for one in prizes()] == ["First prize", "Second prize", "Second prize"]
    team = next(one.team_id for one in [teams.membership(board, reading, accounts_of["an"])] if one)
    with refused("refused.reason"):
        crosscheck.withdraw_award(board, reading, chair, team, "closed", " ")
    crosscheck.withdraw_award(board, reading, chair, team, "closed", "cannot be reproduced")
    assert prizes() == [("Team an", 1, ""), ("Team bo", 2, "First prize"), ("Team cy", 3, "Second prize")]
    crosscheck.restore_award(board, reading, chair, team, "closed")
    assert prizes()[0] == ("Team an", 1, "First prize")
    with refused("refused.no-such-team"):
        crosscheck.restore_award(board, reading, chair, team, "closed")


def test_equals_share_what_is_left() -> None:
    def one(team: int, score: float, withdrawn: bool = False) -> RankingEntry:
        return RankingEntry(team, str(team), "", score, START, str(team), withdrawn=withdrawn)

    rows = ranked([one(1, 0.9, True), one(2, 0.8), one(3, 0.8), one(4, 0.7)])
    assert [(row.rank, row.award) for row in rows] == [(1, None), (2, 1), (2, 1), (4, 3)]


def test_the_pages_of_the_cross_check(client: TestClient, small: Board) -> None:
    for number, name in enumerate(("an", "bo")):
        submit(small, captain(small, name), letters(1 - 0.3 * number))
    captain(small, "cy")
    work(small)
    at(small, OVER)
    enter(client, "chair")
    assert "Keep this draw" in client.get("/c/reading/manage").text
    assert client.post("/c/reading/manage/crosscheck", data=token(client)).status_code == 303
    assert "nothing filed yet" in client.get("/c/reading/manage").text
    reading = small.competitions["reading"]
    (first, _) = crosscheck.checks(small, reading)
    checker = first.checker.name.removeprefix("Team ")
    enter(client, checker)
    text = client.get("/c/reading/reports").text
    place = f"/c/reading/reports/checks/{first.id}"
    assert first.checked.name in text and place in text
    assert client.get(f"{place}/file").status_code == 200
    fields = token(client) | {"reproduced": "yes", "score": "69.5", "words": "ran as described"}
    assert client.post(place, data=fields | {"score": "x"}).status_code == 400
    assert client.post(place, data=fields).status_code == 303
    enter(client, "cy")
    assert client.get(f"{place}/file").status_code == 404
    enter(client, "chair")
    text = client.get("/c/reading/manage").text
    assert "reproduced" in text and "69.50" in text and "ran as described" in text
    team = first.checker_id
    fields = token(client) | {"reason": "withdrawn for a test"}
    assert client.post(f"/c/reading/manage/awards/closed/{team}", data=fields).status_code == 303
    assert client.post(f"/c/reading/manage/awards/none/{team}", data=fields).status_code == 400
    assert "withdrawn for a test" in client.get("/c/reading/manage").text
    assert client.post(f"/c/reading/manage/awards/closed/{team}", data=fields | {"restore": "yes"}).status_code == 303


def test_the_first_are_asked_for_code_and_report_and_get_a_form(client: TestClient, small: Board) -> None:
    docx = pytest.importorskip("docx", reason="needs python-docx")
    submit(small, captain(small, "an"), letters(1))
    captain(small, "bo")
    work(small)
    wanted = "among the first 6 ranks"
    enter(client, "an")
    assert wanted not in client.get("/c/reading/reports").text
    at(small, OVER)
    for name, asked in (("an", True), ("bo", False)):
        enter(client, name)
        assert (wanted in client.get("/c/reading/reports").text) == asked
    found = docx.Document(io.BytesIO(client.get("/c/reading/reports/form.docx").content))
    heads = [one.text for one in found.paragraphs if one.style.name == "Heading 1"]
    assert [head.rpartition(" · ")[2] for head in heads][2:4] == ["Data processing", "Tools"]


def test_code_beside_reports(small: Board) -> None:
    reading, an = small.competitions["reading"], captain(small, "an")
    member = teams.membership(small, reading, an)
    assert member is not None
    made = reports.send(small, reading, member, "code.zip", io.BytesIO(b"PK\x03\x04x"), kind="code")
    assert made.kind == "code"
    with refused("refused.code"):
        reports.send(small, reading, member, "code.zip", io.BytesIO(b"%PDF-1.7"), kind="code")
    with refused("refused.report"):
        reports.send(small, reading, member, "code.zip", io.BytesIO(b"PK\x03\x04x"))
    with refused("refused.request"):
        reports.send(small, reading, member, "code.zip", io.BytesIO(b"PK\x03\x04x"), kind="music")
