"""The files of a competition go together: the organiser hears of it at the start, and participants are not blamed."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from readproof.board.board import make_board
from readproof.board.definition import Competition, load_competitions
from readproof.board.lookover import check_files
from readproof.board.scorers import check_upload
from readproof.board.words import Refusal
from readproof.errors import InputError
from readproof.tasks import TASKS
from tests.board.made_board import ITEMS, KEYS, letters, made_folder
from tests.efficiency.made import TASK_NAMES, made_curve, made_gold
from tests.submit.parts import rows

Records = list[dict[str, Any]]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return made_folder(tmp_path / "board") / "competitions"


def competitions(place: Path) -> dict[str, Competition]:
    return load_competitions(place)


def without(records: Records, *keys: str) -> Records:
    return [{key: value for key, value in one.items() if key not in keys} for one in records]


def dumped(records: Records) -> bytes:
    return json.dumps({"data": records}, ensure_ascii=False, indent=1).encode()


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("readme.txt", "nothing")
        archive.writestr("inside/gold.json", data)
    return out.getvalue()


def tarred(data: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in (("readme.txt", b"nothing"), ("inside/gold.zip", zipped(data))):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def json_lines(data: bytes) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in json.loads(data)["data"]).encode()


def offer(place: Path, data: bytes, name: str = "more.json") -> None:
    """One more download."""
    (place / "gcrc" / name).write_bytes(data)
    toml = place / "reading.toml"
    more = f'[[data]]\nfile = "gcrc/{name}"\ntitle = "More"\n'
    toml.write_text(toml.read_text("utf-8") + more, encoding="utf-8")


def test_files_that_go_together_pass(place: Path) -> None:
    check_files(competitions(place))


@pytest.mark.parametrize("change", [bytes, gzip.compress, zipped, tarred, json_lines])
@pytest.mark.parametrize("keys", [(), ("positive_answer", "negative_answer"), ("passage", "options")])
def test_gold_written_otherwise_is_not_handed_out(
    place: Path, change: Callable[[bytes], bytes], keys: tuple[str, ...]
) -> None:
    offer(place, change(dumped(without(rows(ITEMS), *keys))))
    with pytest.raises(InputError, match=f"more.json: found {ITEMS} of the gold answers of reading"):
        check_files(competitions(place))


def test_gold_in_the_place_of_the_test_file_is_not_handed_out(place: Path) -> None:
    (place / "gcrc/test.json").write_bytes(gzip.compress(dumped(rows(ITEMS))))
    with pytest.raises(InputError, match=r"test\.json: found 24 of the gold answers"):
        check_files(competitions(place))


def test_one_competition_does_not_hand_out_the_gold_of_another(place: Path) -> None:
    offer(place, dumped(rows(2)))
    text = (place / "reading.toml").read_text("utf-8").partition('[[data]]\nfile = "gcrc/more.json"')
    (place / "other.toml").write_text("".join(text), encoding="utf-8")
    (place / "reading.toml").write_text(text[0], encoding="utf-8")
    with pytest.raises(InputError, match="2 of the gold answers of"):
        check_files(competitions(place))


@pytest.mark.parametrize(
    "data",
    [
        # training data: answers to other questions
        dumped([one | {"id": f"train-{one['id']}"} for one in rows(ITEMS)]),
        # a sample of a submission: letters, but not those of the gold
        dumped([one | dict.fromkeys(KEYS, "D") for one in rows(ITEMS)]),
        dumped([{"id": one["id"]} | dict.fromkeys(KEYS, "") for one in rows(ITEMS)]),
        b"plain words",
        b"\x89PNG\r\n\x1a\n",
        b"[1, 2",
        b"PK\x03\x04 no zip",
    ],
)
def test_what_gives_nothing_away_may_be_handed_out(place: Path, data: bytes) -> None:
    offer(place, data)
    check_files(competitions(place))


@pytest.mark.parametrize("letter", ["", "B"])
def test_a_test_file_with_letters_is_told_by_its_name(place: Path, letter: str) -> None:
    records = [one | dict.fromkeys(KEYS, letter) for one in rows(ITEMS)]
    (place / "gcrc/test.json").write_bytes(dumped(records))
    toml = place / "reading.toml"
    toml.write_text(re.sub(r"(?s)\[\[data\]\].*?\n(?=\[)", "", toml.read_text("utf-8")), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        check_files(competitions(place))
    assert caught.value.file.endswith("gcrc/test.json") and "answer" in caught.value.place
    assert f"found the text {letter!r}; expected a test file without letters" in str(caught.value)


def test_a_test_file_of_another_task_is_told(place: Path) -> None:
    (place / "gcrc/test.json").write_text('{"translation": "灯", "choices": ["a", "b"]}\n')
    with pytest.raises(InputError, match=r"test\.json: found a file of ccpm; expected a test file of gcrc"):
        check_files(competitions(place))


@pytest.mark.parametrize(
    ("gold", "test", "told"),
    [
        (29, 30, "29 triples where test.json has 30 (only in test.json: t29)"),
        (31, 24, "31 triples where test.json has 24 (only in gold.json: t24, t25, t26, t27, t28 and 2 more)"),
    ],
)
def test_gold_and_test_have_the_same_ids(place: Path, gold: int, test: int, told: str) -> None:
    (place / "gcrc/gold.json").write_bytes(dumped(rows(gold)))
    (place / "gcrc/test.json").write_bytes(dumped(without(rows(test), *KEYS)))
    with pytest.raises(InputError) as caught:
        check_files(competitions(place))
    assert told in str(caught.value) and caught.value.file.endswith("gold.json")


def test_gold_without_all_its_letters_is_told(place: Path) -> None:
    (place / "gcrc/gold.json").write_bytes(dumped(without(rows(ITEMS), "negative_answer")))
    with pytest.raises(InputError, match=r"gold\.json, t0: found 2 of three letters"):
        check_files(competitions(place))


def test_a_broken_test_file_is_not_the_fault_of_an_upload(place: Path, tmp_path: Path) -> None:
    """It broke while the board was running."""
    upload = tmp_path / "GCRC_advRobust.json"
    upload.write_bytes(letters(1))
    reading = competitions(place)["reading"]
    assert check_upload(reading, upload, "closed").taken
    (place / "gcrc/test.json").write_bytes(dumped([one | dict.fromkeys(KEYS, "") for one in rows(ITEMS)]))
    with pytest.raises(Refusal) as caught:
        check_upload(reading, upload, "closed")
    assert (caught.value.key, caught.value.status) == ("refused.test-file", 503)


def test_without_its_test_file_a_competition_takes_nothing(place: Path) -> None:
    (place / "gcrc/test.json").unlink()
    found = competitions(place)
    check_files(found)
    assert not found["reading"].ready


# CELUE


@pytest.fixture
def celue(tmp_path: Path) -> Path:
    make_board(tmp_path / "board", title="B", address="http://x", database="", examples=("celue",))
    place = tmp_path / "board/competitions"
    (place / "celue").mkdir()
    made_gold(place / "celue/gold", 40)
    made_curve(place / "celue/curve.json")
    return place


def hand_out(place: Path, name: str, data: bytes) -> None:
    (place / "celue" / name).write_bytes(data)
    toml = place / "celue.toml"
    toml.write_text(f'{toml.read_text("utf-8")}\n[[data]]\nfile = "celue/{name}"\ntitle = "x"\n', encoding="utf-8")


@pytest.mark.parametrize("task", TASK_NAMES)
def test_gold_lines_of_celue_are_not_handed_out(celue: Path, task: str) -> None:
    (gold,) = (celue / "celue/gold").glob(f"{task}.*")
    # the lines from the middle on: their numbers are others
    head, *rest = gold.read_bytes().splitlines(keepends=True)
    hand_out(celue, f"data{gold.suffix}", gzip.compress((head if task == "chnc" else b"") + b"".join(rest[20:])))
    with pytest.raises(InputError, match="of the gold answers of celue"):
        check_files(competitions(celue))


def test_lines_of_celue_without_answers_may_be_handed_out(celue: Path, tmp_path: Path) -> None:
    lines = (celue / "celue/gold/ccpm.jsonl").read_text("utf-8").splitlines()
    bare = [{key: value for key, value in json.loads(one).items() if key != "answer"} for one in lines]
    hand_out(celue, "ccpm.jsonl", "".join(json.dumps(one) + "\n" for one in bare).encode())
    words = TASKS.get("wordseg-weibo").load(celue / "celue/gold/wordseg-weibo.txt")
    hand_out(celue, "weibo.txt", "".join(f"{one.text}\n" for one in words).encode())  # type: ignore[union-attr]
    # training data: the same numbers, other texts
    hand_out(celue, "chnc.csv", b"category,news\n" + "".join(f"car,新车 {at}\n" for at in range(40)).encode())
    check_files(competitions(celue))


def test_gold_and_test_of_celue_ask_the_same(celue: Path) -> None:
    gold = (celue / "celue/gold/wordseg-weibo.txt").read_text("utf-8").splitlines()
    toml = celue / "celue.toml"
    text = toml.read_text("utf-8")
    added = 'file = "celue/gold"\ntest = "wordseg-weibo:celue/test.txt"'
    toml.write_text(text.replace('file = "celue/gold"', added), encoding="utf-8")
    bare = ["".join(one.split()) for one in gold]
    (celue / "celue/test.txt").write_text("\n".join(bare), encoding="utf-8")
    check_files(competitions(celue))
    for other, told in ((bare[:-1], "40 items where test.txt has 39"), (["别的", *bare[1:]], "differing: 1")):
        (celue / "celue/test.txt").write_text("\n".join(other), encoding="utf-8")
        with pytest.raises(InputError, match=re.escape(told)):
            check_files(competitions(celue))
