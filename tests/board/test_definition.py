"""Competitions in files: the shipped examples are right, and what is wrong in a file is told with its place."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from readproof.board.board import EXAMPLES, make_board
from readproof.board.definition import load_competition, load_competitions, unready
from readproof.board.settings import load_settings
from readproof.board.words import words
from readproof.errors import InputError
from tests.board.made_board import COMPETITION

TEXT = COMPETITION.format(quota=5, closes="2031-01-01")


def written(folder: Path, text: str, name: str = "one.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_examples_follow_the_rules_of_the_tasks(tmp_path: Path) -> None:
    make_board(tmp_path / "b", title="B", address="http://localhost", database="", examples=EXAMPLES)
    found = load_competitions(tmp_path / "b/competitions")
    gcrc, celue = found["gcrc"], found["celue"]
    assert (gcrc.quota.accepted, celue.quota.accepted) == (5, 1)
    assert gcrc.zone.key == celue.zone.key == "Asia/Shanghai"
    assert list(gcrc.tracks) == ["closed", "open"]
    assert [one.count for one in gcrc.prizes] == [1, 2, 3]
    closed = [(one.name, one.score) for one in gcrc.references if one.track == "closed"]
    assert closed[0] == ("Beijing Institute of Technology", 0.2226) and len(gcrc.references) == 10
    assert [slug for slug, _ in unready(found)] == ["celue", "celue", "gcrc", "gcrc"]
    assert not gcrc.ready


def test_dates_without_a_zone_are_those_of_the_competition(tmp_path: Path) -> None:
    dates = load_competition(written(tmp_path, TEXT)).dates
    assert dates.submission_closes == datetime(2030, 12, 31, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('task = "gcrc"', 'task = "other"', "one of gcrc, celue"),
        ('timezone = "Asia/Shanghai"', 'timezone = "Mars"', "a name such as Asia/Shanghai"),
        ("accepted_a_day = 5", 'accepted_a_day = "five"', "quota.accepted_a_day"),
        ("accepted_a_day = 5", "accepted_a_day = 0", "a number above 0"),
        ("submission_opens = 2020-01-02", "submission_opens = 2040-01-02", "do not follow one another"),
        ("registration_opens = 2020-01-01", "", "dates.registration_opens"),
        ('file = "gcrc/test.json"\ntitle', 'file = "gcrc/gold.json"\ntitle', "found the gold answers"),
        ('title = { en = "Reading", zh = "阅读" }', 'title = { en = "Reading" }', "the keys en and zh"),
        ("[dates]", "[dates", "no TOML"),
        # a slip that would have shown scores that should be hidden
        ("[tracks.closed]", "score_shown = 2032-01-01\n[tracks.closed]", "dates.score_shown: found a key"),
        ("refused_a_day = 8", "refused_per_day = 8", "quota.refused_per_day"),
        ('title = { en = "Reading"', 'titel = "x"\ntitle = { en = "Reading"', "titel: found a key that is not known"),
        ('file = "gcrc/gold.json"', 'file = "gcrc/gold.json"\nmetric = "best"', "one of official, strict"),
        ("[[prizes]]", '[[references]]\ntrack = "x"\nname = "y"\nscore = 1\n[[prizes]]', "one of closed, open"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError) as caught:
        load_competition(written(tmp_path, TEXT.replace(old, new)))
    assert told in str(caught.value)


def test_a_wrong_zone_is_told_with_its_file(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT.replace("Asia/Shanghai", "Mars"))
    with pytest.raises(InputError) as caught:
        load_competition(path)
    assert (caught.value.file, caught.value.place) == (str(path), "timezone")


def test_a_copy_of_the_answers_is_not_served_either(tmp_path: Path) -> None:
    (tmp_path / "gcrc").mkdir()
    for name in ("gold.json", "test.json"):
        (tmp_path / "gcrc" / name).write_text('{"data": [{"answer": "A"}]}')
    with pytest.raises(InputError, match="found the gold answers"):
        load_competition(written(tmp_path, TEXT))
    (tmp_path / "gcrc/test.json").write_text('{"data": []}')
    written(tmp_path, TEXT)
    other = TEXT.replace("gcrc/", "other/")
    written(tmp_path, other, "two.toml")
    assert set(load_competitions(tmp_path)) == {"one", "two"}
    # what one competition hands out is another's gold
    written(tmp_path, other.replace("other/gold.json", "gcrc/test.json"), "two.toml")
    with pytest.raises(InputError, match="found the gold answers"):
        load_competitions(tmp_path)


def test_a_name_that_cannot_stand_in_an_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="small letters"):
        load_competition(written(tmp_path, TEXT, "Über uns.toml"))


def test_a_folder_that_is_no_board(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="readproof board init"):
        load_settings(tmp_path)
    make_board(tmp_path / "b", title='a "quoted" 名', address="https://x/", database="postgres://u@h/d", examples=())
    settings = load_settings(tmp_path / "b")
    assert settings.title.zh == 'a "quoted" 名' and settings.secure
    assert settings.database == "postgresql+psycopg://u@h/d"
    with pytest.raises(InputError, match="a new folder"):
        make_board(tmp_path / "b", title="x", address="https://x/", database="", examples=())


def test_every_word_has_two_languages_and_the_same_places() -> None:
    import re

    for key, one in words().items():
        assert one.en and one.zh, key
        assert set(re.findall(r"{\w+}", one.en)) >= set(re.findall(r"{\w+}", one.zh)), key


def test_every_word_that_is_used_is_there_and_every_word_is_used() -> None:
    import re

    from readproof import board

    root = Path(board.__file__).parent
    pages, code = ("".join(path.read_text("utf-8") for path in root.rglob(kind)) for kind in ("*.html", "*.py"))
    asked = set(re.findall(r"""\bt\(["']([a-z.\-]+)["'][,)]""", pages))
    asked |= set(re.findall(r'\bword\("([a-z.\-]+)"', code))
    asked |= set(re.findall(r'"(refused\.[a-z\-]+)"', code))
    assert asked - {"refused.html"} <= set(words())
    stems = (
        "phase.",
        "tab.",
        "status.",
        "said.",
        "file.",
        "level.",
        "refused.",
        "chart.",
        "kind.",
        "mail.",
        "edit.",
        "text.",
    )
    stems = (*stems, "reports.kind.")
    assert [key for key in words() if key not in asked and not key.startswith(stems)] == []
