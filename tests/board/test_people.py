"""People: mail by a real server, addresses confirmed, passwords reset, teams led, organisers of one competition."""

from __future__ import annotations

import email
import email.policy
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from readproof.board import accounts, leaving, links, managing, teams
from readproof.board.board import Board, open_board
from readproof.board.mail import FOLDER, MailSender, check_mail
from readproof.board.names import check_name, folded, printable
from readproof.board.tables import Account, Letter, Submission
from readproof.board.web.app import make_app
from readproof.board.words import Refusal
from readproof.errors import InputError
from tests.board.made_board import PASSWORD, Clock, captain, letters, made_folder, person, submit
from tests.board.mailbox import Inbox
from tests.board.serving import free_port
from tests.board.test_core import refused
from tests.board.test_web import csrf, enter, work


def mailing_folder(folder: Path, port: int) -> Path:
    made_folder(folder)
    settings = folder / "board.toml"
    lines = ["[mail]", 'backend = "smtp"', 'host = "127.0.0.1"', f"port = {port}", 'security = "none"']
    settings.write_text("\n".join([settings.read_text("utf-8"), *lines, 'from = "board@example.org"', ""]), "utf-8")
    return folder


@pytest.fixture
def mailing(tmp_path: Path, database: str, inbox: tuple[Inbox, int]) -> Iterator[Board]:
    folder = mailing_folder(tmp_path / "board", inbox[1])
    board = open_board(folder, database=database, clock=Clock(), migrate=True)
    yield board
    board.close()


def post(board: Board) -> None:
    """Everything that waits is sent when this returns, by this or by the server that runs beside it."""
    sender = MailSender(board)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        while sender.once():
            pass
        with board.database.reading() as session:
            if not session.scalar(select(Letter.id).where(Letter.sent_at.is_(None), Letter.attempts == 0).limit(1)):
                return
        time.sleep(0.02)


def test_nobody_takes_part_with_an_address_that_is_not_confirmed(mailing: Board, inbox: tuple[Inbox, int]) -> None:
    reading, an = mailing.competitions["reading"], person(mailing, "an")
    with refused("refused.unverified"):
        teams.make_team(mailing, reading, an, "Team", "", "")
    post(mailing)
    (letter,) = inbox[0].letters
    assert letter["From"] == "board@example.org" and "确认邮箱 · Confirm your address" in letter["Subject"]
    secret = inbox[0].link("an@example.org", "verify").rpartition("/")[2]
    for wrong in ("x", secret[:-1]):
        with refused("refused.link"):
            links.use(mailing, "verify", wrong)
    with refused("refused.link"):
        links.use(mailing, "reset", secret)
    links.use(mailing, "verify", secret)
    assert teams.make_team(mailing, reading, an, "Team", "", "").name == "Team"
    with refused("refused.link"):
        links.use(mailing, "verify", secret)
    with mailing.database.reading() as session:
        # what opened something is not kept
        assert [(one.body, one.sent_at is not None) for one in session.query(Letter)] == [("", True)]


def test_a_server_that_takes_nothing_is_asked_again(mailing: Board, inbox: tuple[Inbox, int]) -> None:
    person(mailing, "an")
    inbox[0].full = True
    post(mailing)
    assert inbox[0].letters == []
    inbox[0].full = False
    post(mailing)
    # not at once
    assert inbox[0].letters == []
    mailing.clock.forward(minutes=3)  # type: ignore[attr-defined]
    post(mailing)
    assert len(inbox[0].letters) == 1


def test_a_forgotten_password(mailing: Board, inbox: tuple[Inbox, int]) -> None:
    an = person(mailing, "an")
    token = accounts.make_token(mailing, an, "t")
    with TestClient(make_app(mailing), follow_redirects=False) as client:
        fields = {"csrf": csrf(client, "/forgot")}
        for mail in ("an@example.org", "nobody@example.org"):
            assert "If there is an account" in client.post("/forgot", data=fields | {"mail": mail}).text
        post(mailing)
        assert {one["To"] for one in inbox[0].letters} == {"an@example.org"}
        link = inbox[0].link("an@example.org", "reset")
        assert client.get(f"{link}x").status_code == 404
        fields = {"csrf": csrf(client, link), "password": "a new long one", "again": "another long"}
        assert client.post(link, data=fields).status_code == 400
        fields["again"] = fields["password"]
        assert client.post(link, data=fields).headers["location"] == "/account?said=password"
        assert client.get("/account").status_code == 200
        assert client.get(link).status_code == 404
    assert accounts.account_of_token(mailing, token) is None
    with refused("refused.login"):
        accounts.log_in(mailing, "an@example.org", PASSWORD)
    # whoever reads the letters of an address owns it
    assert accounts.log_in(mailing, "an@example.org", "a new long one")[0].verified_at is not None
    for _ in range(4):
        links.ask_reset(mailing, "an@example.org")
    with refused("refused.rate"):
        links.ask_reset(mailing, "an@example.org")
    post(mailing)
    mailing.clock.forward(hours=3)  # type: ignore[attr-defined]
    with refused("refused.link"):
        links.owner_of(mailing, "reset", inbox[0].link("an@example.org", "reset").rpartition("/")[2])


def test_confirming_needs_a_button(mailing: Board, inbox: tuple[Inbox, int]) -> None:
    an = person(mailing, "an")
    post(mailing)
    link = inbox[0].link("an@example.org", "verify")
    with TestClient(make_app(mailing), follow_redirects=False) as client:
        assert "an@example.org" in client.get(link).text
        with mailing.database.reading() as session:
            assert session.get(Account, an.id).verified_at is None  # type: ignore[union-attr]
        enter(client, "an")
        assert "not confirmed yet" in client.get("/account").text
        token = {"csrf": csrf(client, "/account")}
        assert client.post("/account/verify", data=token).status_code == 303
        post(mailing)
        assert client.get(link).status_code == 404
        link = inbox[0].link("an@example.org", "verify")
        assert client.post(link, data=token).headers["location"] == "/account?said=verified"
        assert "not confirmed yet" not in client.get("/account").text


def test_without_a_server_letters_lie_in_the_folder(small: Board) -> None:
    person(small, "an")
    post(small)
    (letter,) = (small.settings.folder / FOLDER).iterdir()
    found = email.message_from_bytes(letter.read_bytes(), policy=email.policy.default)
    assert found["To"] == "an@example.org"


def test_wrong_settings_of_mail_are_told(tmp_path: Path) -> None:
    board = open_board(mailing_folder(tmp_path / "board", free_port()), clock=Clock(), migrate=True)
    with pytest.raises(InputError, match="a server that does not take mail"):
        check_mail(board, "me@example.org")
    board.close()


def test_a_captain_leads(board: Board) -> None:
    reading, an = board.competitions["reading"], captain(board, "an")
    team = teams.membership(board, reading, an).team  # type: ignore[union-attr]
    bo, cy = person(board, "bo"), person(board, "cy")
    for one in (bo, cy):
        teams.join(board, reading, one, team.invite)
    with refused("refused.not-captain"):
        teams.remove(board, reading, bo, cy.id)
    with refused("refused.no-member"):
        teams.remove(board, reading, an, an.id)
    teams.remove(board, reading, an, cy.id)
    # nothing was submitted: another team may take her
    assert teams.make_team(board, reading, cy, "Another", "", "").captain_id == cy.id
    submit(board, an, letters(1))
    teams.hand_over(board, reading, an, bo.id)
    with refused("refused.not-captain"):
        teams.rename(board, reading, an, "Mine")
    with refused("refused.team-taken"):
        teams.rename(board, reading, bo, "ANOTHER")
    teams.rename(board, reading, bo, "Renamed")
    teams.remove(board, reading, bo, an.id)
    assert teams.membership(board, reading, an) is None
    found = teams.membership(board, reading, bo)
    assert found is not None and [one.account.name for one in found.team.members] == ["bo"]
    # one person, one team: also for those who had submitted
    with refused("refused.has-team"):
        teams.make_team(board, reading, an, "Third", "", "")
    with refused("refused.has-team"):
        teams.join(board, reading, an, found.team.invite)


def test_invitations_by_mail(mailing: Board, inbox: tuple[Inbox, int]) -> None:
    reading, an = mailing.competitions["reading"], person(mailing, "an")
    post(mailing)
    links.use(mailing, "verify", inbox[0].link("an@example.org", "verify").rpartition("/")[2])
    team = teams.make_team(mailing, reading, an, "Team", "", "")
    with refused("refused.mail"):
        teams.invite(mailing, reading, an, "nobody")
    teams.invite(mailing, reading, an, "bo@example.org")
    post(mailing)
    text = inbox[0].letters[-1].get_content()
    assert inbox[0].letters[-1]["To"] == "bo@example.org" and f"/c/reading/team?code={team.invite}" in text


def test_an_account_that_is_deleted_leaves_what_its_team_submitted(board: Board) -> None:
    reading, an, bo = board.competitions["reading"], captain(board, "an"), person(board, "bo")
    team = teams.membership(board, reading, an).team  # type: ignore[union-attr]
    teams.join(board, reading, bo, team.invite)
    made = submit(board, an, letters(1))
    work(board)
    known = leaving.export(board, an)
    assert known["submissions"][0]["id"] == made.id and known["teams"][0]["captain"]
    assert json.loads(json.dumps(known)) == known and "argon2" not in json.dumps(known)
    with refused("refused.login"):
        leaving.delete_account(board, an, "not the right one")
    with refused("refused.captain-of"):
        leaving.delete_account(board, an, PASSWORD)
    teams.hand_over(board, reading, an, bo.id)
    leaving.delete_account(board, an, PASSWORD, address="203.0.113.9")
    for mail in ("an@example.org", f"deleted-{an.id}"):
        with refused("refused.login"):
            accounts.log_in(board, mail, PASSWORD)
    with board.database.reading() as session:
        found = session.get(Account, an.id)
        assert found is not None and (found.name, found.password) == ("–", "") and "an@" not in found.mail
        assert session.get(Submission, made.id) is not None
    # the address is free again
    assert person(board, "an").id != an.id
    chair = person(board, "chair", organiser=True)
    with refused("refused.last-organiser"):
        leaving.delete_account(board, chair, PASSWORD)


def test_an_organiser_of_one_competition(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "board")
    text = (folder / "competitions/reading.toml").read_text("utf-8")
    (folder / "competitions/other.toml").write_text(text, encoding="utf-8")
    board = open_board(folder, clock=Clock(), migrate=True)
    reading, chair = board.competitions["reading"], person(board, "chair", organiser=True)
    an, _ = person(board, "an"), captain(board, "bo")
    with refused("refused.no-account"):
        managing.promote(board, reading, chair, "nobody@example.org")
    with refused("refused.takes-part"):
        managing.promote(board, reading, chair, "bo@example.org")
    managing.promote(board, reading, chair, "AN@example.org")
    with refused("refused.organises"):
        teams.make_team(board, reading, an, "Organisers", "", "")
    with TestClient(make_app(board), follow_redirects=False) as client:
        enter(client, "an")
        assert client.get("/c/reading/manage").status_code == 200
        assert client.get("/c/other/manage").status_code == 404
        # accounts and logins are not theirs to see
        assert "account.made" not in client.get("/c/reading/manage/log?of=all").text
        token = {"csrf": csrf(client, "/account")}
        assert client.post("/c/reading/manage/freeze", data=token | {"frozen": "yes"}).status_code == 303
        assert client.post("/c/other/manage/freeze", data=token | {"frozen": "yes"}).status_code == 404
        enter(client, "chair")
        token = {"csrf": csrf(client, "/account")}
        assert "an@example.org" in client.get("/c/reading/manage").text
        assert client.post(f"/c/reading/manage/organisers/{an.id}/demote", data=token).status_code == 303
        enter(client, "an")
        assert client.get("/c/reading/manage").status_code == 404
    board.close()


@pytest.mark.parametrize("name", ["\u3164\u3164", "\u2800 \u115f", "…!!", "Rеaders", "Αlpha Team", "z̸̡̨̛͓" + "\u0301" * 4])
def test_names_that_deceive_are_refused(small: Board, name: str) -> None:
    with pytest.raises(Refusal) as caught:
        check_name(printable(name))
    assert caught.value.key in ("refused.blank", "refused.mixed")
    with pytest.raises(Refusal):
        accounts.register(small, "x@example.org", name, PASSWORD)


@pytest.mark.parametrize(
    "name", ["读者队 A", "Δ队", "Команда", "Читатели 2", "Équipe Ñ", "گروه خواندن", "東京チーム", "읽기", "R2-D2"]
)
def test_names_of_all_languages_are_fine(name: str) -> None:
    check_name(printable(name))
    assert printable(name) == name


def test_names_that_look_alike_are_one_name(small: Board) -> None:
    reading = small.competitions["reading"]
    teams.make_team(small, reading, person(small, "an"), "coco", "", "")
    assert folded("coco") == folded("сосо") == folded("ＣＯＣＯ") != folded("cocoa")
    with refused("refused.team-taken"):
        teams.make_team(small, reading, person(small, "bo"), "сосо", "", "")


DECLARE = """[tracks.closed.declare]
no-llm = { text = "No large model" }
data = { text = "External data", written = true }
[tracks.open]"""


def test_declarations_at_upload(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "board")
    toml = folder / "competitions/reading.toml"
    toml.write_text(toml.read_text("utf-8").replace("[tracks.open]", DECLARE), encoding="utf-8")
    board = open_board(folder, clock=Clock(), migrate=True)
    an = captain(board, "an")
    with refused("refused.declare"):
        submit(board, an, letters(1))
    with refused("refused.declare"):
        submit(board, an, letters(1), declared={"no-llm": "yes", "data": " "})
    made = submit(board, an, letters(1), declared={"no-llm": "yes", "data": "none", "more": "x"})
    assert made.declared == {"no-llm": True, "data": "none"}
    assert submit(board, an, letters(1), track="open").declared is None
    token = accounts.make_token(board, an, "t")
    with TestClient(make_app(board), follow_redirects=False) as client:
        place = "/api/v1/competitions/reading/submissions?track=closed&file=x.json"
        headers = {"Authorization": f"Bearer {token}"}
        assert client.post(place, headers=headers, content=letters(1)).status_code == 400
        answer = client.post(f"{place}&declared=no-llm&declared=data:none", headers=headers, content=letters(1))
        assert (answer.status_code, answer.json()["declared"]) == (201, {"no-llm": True, "data": "none"})
        enter(client, "an")
        fields = {"csrf": csrf(client, "/account"), "track": "closed", "declare-closed-no-llm": "yes"}
        files = {"file": ("GCRC_advRobust.json", letters(1), "application/json")}
        answer = client.post("/c/reading/submit", data=fields, files=files)
        assert answer.status_code == 400 and "External data" in answer.text
        answer = client.post("/c/reading/submit", data=fields | {"declare-closed-data": "文心"}, files=files)
        assert "文心" in client.get(answer.headers["location"]).text
    board.close()


def test_statistics_and_the_owner_of_the_data(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "board")
    toml = folder / "competitions/reading.toml"
    owner = '[owner]\nname = "Shanxi University"\nnotice = "Research only."\ncitation = "TAN et al. 2021"\n'
    toml.write_text(toml.read_text("utf-8") + owner, encoding="utf-8")
    board = open_board(folder, clock=Clock(), migrate=True)
    reading = board.competitions["reading"]
    for name, kind in (("an", "university"), ("bo", "company"), ("cy", "university")):
        teams.make_team(board, reading, person(board, name), f"Team {name}", "", "", kind)
    with refused("refused.request"):
        teams.make_team(board, reading, person(board, "di"), "Team di", "", "", "club")
    an, _ = accounts.log_in(board, "an@example.org", PASSWORD)
    teams.agree(board, reading, an)
    submit(board, an, letters(1))
    found = managing.statistics(board, reading)
    assert (found.teams, found.submitted, found.kinds) == (3, 1, {"university": 2, "company": 1})
    assert found.tracks["closed"] == {"waiting": 1}
    with TestClient(make_app(board), follow_redirects=False) as client:
        text = client.get("/c/reading/statistics").text
        assert "University or institute" in text and "Team an" not in text
        for path in ("/c/reading", "/c/reading/data"):
            if path.endswith("data"):
                enter(client, "an")
            text = client.get(path).text
            assert "Shanxi University" in text and "TAN et al. 2021" in text, path
    board.close()
