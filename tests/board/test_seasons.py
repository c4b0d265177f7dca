"""Competitions of several phases: what is open when, what each is scored by, and what decides at the end."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from readproof.board import deadlines, managing, receiving, reports, teams
from readproof.board.board import EXAMPLES, SCHEDULES, Board, make_board, open_board
from readproof.board.definition import Competition, load_competition, load_competitions
from readproof.board.lookover import check_files
from readproof.board.ranking import RankingEntry, ranked, standings, view
from readproof.board.scorers import parted
from readproof.board.tables import Account, Result, Submission
from readproof.board.web.app import make_app
from readproof.errors import InputError
from tests.board.made_board import KEYS, Clock, captain, letters, made_folder, person
from tests.board.test_core import refused
from tests.board.test_definition import TEXT, written
from tests.board.test_web import csrf, enter, work

DATES = TEXT[TEXT.index("[dates]") : TEXT.index("[tracks.closed]")]
# validation, then test with a part that decides at the end; noon of 20 May is in the first
PHASES = """
[[phases]]
name = "registration"
title = "Registration"
opens = 2027-05-01
closes = 2027-06-01
open = ["registration"]
[[phases]]
name = "validation"
title = "Validation"
opens = 2027-05-10
closes = 2027-06-01
open = ["submission"]
[phases.gold]
file = "gcrc/dev.json"
test = "gcrc/dev-test.json"
[phases.quota]
accepted_a_day = 2
[[phases]]
name = "test"
title = { en = "Test phase", zh = "测试阶段" }
opens = 2027-06-01
closes = 2027-06-11
late_until = 2027-06-15
final_shown = 2027-06-20
open = ["submission"]
[phases.gold]
public = 0.4
split = "known to nobody"
[[phases]]
name = "reports"
title = "Reports"
opens = 2027-06-20
closes = 2027-07-01
open = ["reports"]
[[phases]]
name = "workshop"
title = "Workshop"
opens = 2027-08-03
"""
VALIDATION, TEST = datetime(2027, 5, 20, 4, tzinfo=UTC), datetime(2027, 6, 2, 4, tzinfo=UTC)
LATE, OVER = datetime(2027, 6, 12, tzinfo=UTC), datetime(2027, 6, 21, tzinfo=UTC)


def season_folder(folder: Path) -> Path:
    made_folder(folder)
    place = folder / "competitions"
    text = TEXT.replace(DATES, PHASES).replace(
        "[[prizes]]", '[[data]]\nfile = "gcrc/dev.json"\ntitle = "Dev set"\nphase = "test"\n[[prizes]]', 1
    )
    (place / "reading.toml").write_text(text, encoding="utf-8")
    gold = json.loads((place / "gcrc/gold.json").read_text("utf-8"))["data"]
    # the validation set has other questions
    dev = [row | {"id": f"dev-{row['id']}"} for row in gold]
    for name, rows in (("dev", dev), ("dev-test", [{k: v for k, v in row.items() if k not in KEYS} for row in dev])):
        (place / f"gcrc/{name}.json").write_text(json.dumps({"data": rows}, ensure_ascii=False), encoding="utf-8")
    return folder


@pytest.fixture
def season(tmp_path: Path, database: str) -> Iterator[Board]:
    board = open_board(season_folder(tmp_path / "board"), database=database, clock=Clock(VALIDATION), migrate=True)
    yield board
    board.close()


@pytest.fixture
def small_season(tmp_path: Path) -> Iterator[Board]:
    board = open_board(season_folder(tmp_path / "board"), clock=Clock(VALIDATION), migrate=True)
    yield board
    board.close()


def now(board: Board) -> Competition:
    return board.competitions["reading"].now(board.clock())


def at(board: Board, moment: datetime) -> None:
    board.clock.moment = moment  # type: ignore[attr-defined]


def of_phase(stage: str, right: float, seed: int = 0) -> bytes:
    data = json.loads(letters(right, seed))
    if stage == "validation":
        for row in data["data"]:
            row["id"] = f"dev-{row['id']}"
    return json.dumps(data).encode()


def send(board: Board, account: Account, data: bytes, stage: str = "") -> Submission:
    competition = board.competitions["reading"].at(stage) if stage else now(board)
    member = receiving.may_submit(board, competition, account, "closed")
    with receiving.incoming(board, "GCRC_advRobust.json", competition.largest) as upload:
        upload.write(data)
        return receiving.receive(board, competition, member, "closed", upload)


def rows(board: Board, stage: str = "", **more: bool) -> list[tuple[str, float]]:
    competition = board.competitions["reading"].at(stage) if stage else now(board)
    found = standings(board, competition, "closed", view(board, competition, **more)).rows
    return [(row.name, row.score) for row in found if row.rank]


def test_each_phase_has_its_own_gold_quota_and_ranking(season: Board) -> None:
    an, bo = captain(season, "an"), captain(season, "bo")
    assert now(season).stage == "validation"
    first = send(season, an, of_phase("validation", 1))
    assert first.status == "waiting" and first.phase == "validation"
    # questions of the test phase are not those of this one
    assert send(season, bo, of_phase("test", 1)).status == "refused"
    send(season, an, of_phase("validation", 0.5))
    with refused("refused.quota") as caught:
        send(season, an, of_phase("validation", 1))
    assert caught.value.values["limit"] == 2
    with refused("refused.early"):
        send(season, an, of_phase("test", 1), "test")
    work(season)
    assert rows(season) == [("Team an", 1.0)] and rows(season, "test") == []
    at(season, TEST)
    assert now(season).stage == "test" and now(season).quota.accepted == 5
    with refused("refused.closed"):
        send(season, an, of_phase("validation", 1), "validation")
    send(season, bo, of_phase("test", 0.5))
    work(season)
    assert [name for name, _ in rows(season)] == ["Team bo"]
    assert rows(season, "validation") == [("Team an", 1.0)]
    # prizes are for the last phase
    validation = season.competitions["reading"].at("validation")
    assert validation.prize(1) is None and now(season).prize(1) is not None


def test_a_part_of_the_gold_decides_at_the_end(season: Board) -> None:
    an, bo = captain(season, "an"), captain(season, "bo")
    at(season, TEST)
    competition = now(season)
    public, rest = parted(competition)
    assert public and rest and not public & rest

    def right_on(names: frozenset[str]) -> bytes:
        data = json.loads(letters(1))
        for row in data["data"]:
            if str(row["id"]) not in names:
                row.update(dict.fromkeys(KEYS, "D"))
        return json.dumps(data).encode()

    # one is right where everybody sees it, the other where it counts
    send(season, an, right_on(public))
    send(season, bo, right_on(rest))
    work(season)
    assert [name for name, _ in rows(season)] == ["Team an", "Team bo"] and rows(season)[0][1] == 1.0
    at(season, LATE)
    assert not view(season, competition).final
    # organisers know as soon as nobody can submit any more
    assert rows(season, organiser=True)[0] == ("Team bo", 1.0)
    at(season, OVER)
    assert view(season, competition).final and rows(season)[0] == ("Team bo", 1.0)
    with season.database.reading() as session:
        found = {(one.score, one.final_score) for one in session.query(Result)}
    assert found == {(1.0, 0.0), (0.0, 1.0)}


def test_where_an_item_belongs_does_not_move_when_the_gold_is_corrected(small_season: Board) -> None:
    competition = small_season.competitions["reading"].at("test")
    before = parted(competition)
    data = json.loads(competition.gold.read_text("utf-8"))["data"]
    competition.gold.write_text(json.dumps({"data": data[1:]}), encoding="utf-8")
    gone = {str(data[0]["id"])}
    assert parted(competition) == (before[0] - gone, before[1] - gone)
    competition.gold.write_text(json.dumps({"data": data[:1]}), encoding="utf-8")
    with pytest.raises(InputError, match="some in both parts"):
        parted(competition)


def test_a_team_chooses_what_counts(season: Board) -> None:
    reading, an, bo = season.competitions["reading"], captain(season, "an"), captain(season, "bo")
    at(season, TEST)
    best, other = send(season, an, letters(1)), send(season, an, letters(0.6, 2))
    send(season, bo, letters(0.8, 3))
    work(season)
    member = teams.membership(season, reading, an)
    assert member is not None
    deadlines.choose(season, now(season), member, best.id)
    deadlines.choose(season, now(season), member, other.id)
    assert deadlines.chosen(season, member.team_id) == {other.id}
    # while the phase lasts the best is shown
    assert rows(season)[0] == ("Team an", 1.0)
    other_team = teams.membership(season, reading, bo)
    assert other_team is not None
    with refused("refused.no-page"):
        deadlines.choose(season, now(season), other_team, other.id)
    at(season, OVER)
    assert [name for name, _ in rows(season)] == ["Team bo", "Team an"]
    with refused("refused.closed"):
        deadlines.choose(season, now(season), member, best.id)
    at(season, TEST)
    deadlines.unchoose(season, now(season), member, other.id)
    at(season, OVER)
    assert rows(season)[0] == ("Team an", 1.0)


def test_without_a_choice_nobody_is_picked_by_what_nobody_could_see() -> None:
    def one(team: int, score: float, final: float | None, chosen: bool = False) -> RankingEntry:
        more = {} if final is None else {"Acc0": final}
        return RankingEntry(
            team, str(team), "", score, VALIDATION, f"{score}", chosen=chosen, final=final, final_scores=more or None
        )

    shown = [one(1, 0.9, 0.1), one(1, 0.5, 0.99), one(2, 0.8, 0.3), one(3, 0.2, 0.5, True), one(3, 0.9, 0.7)]
    found = ranked(shown, final=True)
    assert [(row.name, row.score) for row in found] == [("3", 0.5), ("2", 0.3), ("1", 0.1)]
    # without such a part the chosen one counts by its own score
    found = ranked([one(1, 0.9, None), one(2, 0.95, None), one(2, 0.8, None, True)], final=True)
    assert [(row.name, row.score) for row in found] == [("1", 0.9), ("2", 0.8)]


def test_late_ones_are_scored_and_not_ranked_and_one_team_gets_more_time(season: Board) -> None:
    reading, chair = season.competitions["reading"], person(season, "chair", organiser=True)
    an, bo = captain(season, "an"), captain(season, "bo")
    team = teams.membership(season, reading, bo).team_id  # type: ignore[union-attr]
    at(season, LATE)
    deadlines.extend(season, now(season), chair, team, datetime(2027, 6, 13, tzinfo=UTC), "power cut")
    late, extended = send(season, an, letters(1)), send(season, bo, letters(0.5))
    assert (late.late, extended.late) == (True, False)
    work(season)
    assert [name for name, _ in rows(season)] == ["Team bo"]
    with season.database.reading() as session:
        assert session.get(Result, late.id) is not None
    # what decides is not shown to anybody before the last team is done
    assert not view(season, now(season), organiser=True).final
    at(season, datetime(2027, 6, 13, tzinfo=UTC))
    assert view(season, now(season), organiser=True).final
    assert send(season, bo, letters(1)).late
    at(season, datetime(2027, 6, 15, tzinfo=UTC))
    with refused("refused.closed"):
        send(season, bo, letters(1))
    assert [one.team.name for one in deadlines.extensions(season, now(season))] == ["Team bo"]
    deadlines.extend(season, now(season), chair, team, datetime(2027, 6, 1, tzinfo=UTC), "")
    assert deadlines.extensions(season, now(season)) == []
    with refused("refused.no-such-team"):
        deadlines.extend(season, now(season), chair, 99, LATE, "")


def test_reports_have_their_time(small_season: Board) -> None:
    reading, an = small_season.competitions["reading"], captain(small_season, "an")
    member = teams.membership(small_season, reading, an)
    assert member is not None
    with refused("refused.reports-closed"):
        reports.send(small_season, reading, member, "r.pdf", io.BytesIO(b"%PDF-1.7"))
    at(small_season, OVER)
    assert reports.send(small_season, reading, member, "r.pdf", io.BytesIO(b"%PDF-1.7")).file == "r.pdf"


def test_a_frozen_season_is_not_final(small_season: Board) -> None:
    chair, an = person(small_season, "chair", organiser=True), captain(small_season, "an")
    at(small_season, TEST)
    send(small_season, an, letters(1))
    work(small_season)
    managing.freeze(small_season, now(small_season), chair, True)
    at(small_season, OVER)
    seen = view(small_season, now(small_season))
    assert seen.frozen_at and not seen.final and not seen.prizes(True)


def test_the_pages_of_a_season(small_season: Board) -> None:
    an = captain(small_season, "an")
    person(small_season, "chair", organiser=True)
    with TestClient(make_app(small_season), follow_redirects=False) as client:
        text = client.get("/c/reading").text
        for told in ("Validation", "Test phase", "Workshop", "late submissions are scored", "accepted a calendar day"):
            assert told in text, told
        assert client.get("/c/reading/ranking?phase=x").status_code == 404
        enter(client, "an")
        # data behind their date
        assert "dev.json <span" in client.get("/c/reading/data").text
        answer = client.get("/c/reading/data/dev.json")
        assert answer.status_code == 403 and "from 2027-06-01 00:00" in answer.text
        files = {"file": ("GCRC_advRobust.json", of_phase("validation", 1), "application/json")}
        token = {"csrf": csrf(client, "/account"), "track": "closed"}
        assert client.post("/c/reading/submit", data=token, files=files).status_code == 303
        work(small_season)
        at(small_season, TEST)
        enter(client, "an")
        assert client.get("/c/reading/data/dev.json").status_code == 200
        token = {"csrf": csrf(client, "/account"), "track": "closed"}
        files = {"file": ("GCRC_advRobust.json", letters(0.9), "application/json")}
        place = client.post("/c/reading/submit", data=token, files=files).headers["location"]
        work(small_season)
        text = client.get(place).text
        assert "By about 40 % of the test items" in text and "Choose as final" in text
        assert client.post(f"{place}/choose", data=token).headers["location"] == f"{place}?said=chosen"
        assert "Your team has chosen this submission" in client.get(place).text
        assert "final choice" in client.get("/c/reading/submissions").text
        assert client.post(f"{place}/choose", data=token | {"not": "yes"}).status_code == 303
        listed = client.get("/c/reading/ranking").text
        assert "?phase=validation" in listed and "Team an" in listed
        assert "100.00" in client.get("/c/reading/ranking?phase=validation").text
        record = client.get("/api/v1/competitions/reading/ranking?phase=validation").json()
        assert (record["phase"], record["final"], record["rows"][0]["Score"]) == ("validation", True, 1.0)
        assert client.get("/api/v1/competitions/reading/ranking?phase=x").status_code == 404
        phases = client.get("/api/v1/competitions").json()["competitions"][0]["phases"]
        assert [one["name"] for one in phases if one["runs"] and one["closes"]] == ["test"]
        enter(client, "chair")
        token = {"csrf": csrf(client, "/account")}
        team = teams.membership(small_season, small_season.competitions["reading"], an).team_id  # type: ignore[union-attr]
        good = {"team": str(team), "until": "2027-06-13T10:00", "reason": "power cut"}
        for wrong, status in (({"team": "x"}, 404), ({"team": "99"}, 404), ({"until": ""}, 400), ({"until": "x"}, 400)):
            assert client.post("/c/reading/manage/extend", data=token | good | wrong).status_code == status
        assert client.post("/c/reading/manage/extend", data=token | good).status_code == 303
        assert "2027-06-13 10:00 (Asia/Shanghai)" in client.get("/c/reading/manage").text
        at(small_season, OVER)
        assert "The final ranking: by the part" in client.get("/c/reading/ranking?phase=test&track=closed").text


def test_the_files_of_all_phases_are_looked_at(tmp_path: Path) -> None:
    folder = season_folder(tmp_path / "board")
    toml = folder / "competitions/reading.toml"
    check_files(load_competitions(folder / "competitions"))
    # the validation gold may be had when validation is over, and not a day before
    text = toml.read_text("utf-8")
    toml.write_text(text.replace('title = "Dev set"\nphase = "test"', 'title = "Dev set"\nopens = 2027-05-31'))
    with pytest.raises(InputError, match="found the gold answers"):
        load_competitions(folder / "competitions")
    toml.write_text(text)
    for name in ("dev-test.json", "dev.json"):
        (folder / "competitions/gcrc" / name).write_bytes((folder / "competitions/gcrc/gold.json").read_bytes())
    with pytest.raises(InputError, match="gold answers"):
        check_files(load_competitions(folder / "competitions"))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('name = "validation"', 'name = "test"', "two phases of the name 'test'"),
        ('name = "validation"', 'name = "验证"', "phases[1].name"),
        ('open = ["registration"]', 'open = ["everything"]', "some of registration, submission, reports"),
        ('open = ["registration"]', "", "no phase with registration"),
        ("closes = 2027-06-11", "", "phases[2].closes: found nothing"),
        ("closes = 2027-06-11", "closes = 2027-05-11", "an end before the beginning"),
        ("public = 0.4", "public = 1.4", "a share above 0"),
        ('split = "known to nobody"', 'split = "x"', "at least 8 characters"),
        ("accepted_a_day = 2", "accepted_a_week = 2", "phases[1].quota.accepted_a_week"),
        ('title = "Workshop"', 'title = "Workshop"\nscores_shown = 2027-08-03', "a key for phases with submission"),
        ('title = "Workshop"', 'titel = "Workshop"', "phases[4].titel"),
        ('phase = "test"', 'phase = "nowhere"', "data[1].phase"),
        ('phase = "test"', 'phase = "test"\nopens = 2027-06-01', "a date beside a phase"),
        ("[tracks.closed]", DATES + "[tracks.closed]", "one of [dates] and [[phases]]"),
    ],
)
def test_what_is_wrong_in_phases_is_told_with_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = season_folder(tmp_path / "b").joinpath("competitions/reading.toml").read_text("utf-8")
    assert old in text
    with pytest.raises(InputError) as caught:
        load_competition(written(tmp_path, text.replace(old, new, 1)))
    assert told in str(caught.value)


def test_the_calendars_that_ship_are_those_of_the_calls(tmp_path: Path) -> None:
    make_board(tmp_path / "b", title="B", address="http://localhost", database="", examples=(*EXAMPLES, *SCHEDULES))
    found = load_competitions(tmp_path / "b/competitions")
    ccl, celue = found["ccl23"], found["ccl22-celue"]
    assert [one.name for one in ccl.stages] == ["validation", "test"] and len(ccl.phases) == 12
    assert [one.name for one in celue.stages] == ["submission"] and len(celue.phases) == 5
    days = {one.name: f"{one.opens.astimezone(ccl.zone):%m-%d}" for one in ccl.phases}
    assert (days["registration"], days["test"], days["awards"], days["workshop"]) == (
        "04-10",
        "06-01",
        "07-07",
        "08-03",
    )
    noon = datetime(2023, 6, 1, 4, tzinfo=UTC)
    assert ccl.now(noon).stage == "test" and not ccl.registers(noon) and not ccl.takes("reports", noon)
    assert ccl.takes("reports", datetime(2023, 6, 20, 4, tzinfo=UTC))
