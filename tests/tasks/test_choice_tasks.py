"""Multiple choice files: VGaokao, Gaokao, C3, LogiQA, CCPM."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem
from readproof.tasks import TASKS, recognise
from readproof.tasks.ownformat import own_writer
from tests.shared_data import SHARED, needs_shared
from tests.tasks.helpers import gold_answer, refusal, scored, written

FILES = [
    ("vgaokao", "vgaokao/clean.json.xz", 465, 380),
    ("gaokao", "gaokao_extra/clean.json.xz", 326, 302),
    ("c3", "c3/c3-d-train.json.xz", 5856, 4885),
    ("c3", "c3/c3-m-train.json.xz", 6013, 3138),
    ("c3", "c3/c3-d-dev.json", 1825, 1628),
    ("c3", "c3/c3-m-dev.json.xz", 1991, 1046),
    ("c3", "c3/c3-d-test.json", 1890, 1627),
    ("c3", "c3/c3-m-test.json.xz", 2002, 1045),
    ("logiqa", "logiqa_zh/zh_eval.txt", 651, 613),
    ("logiqa", "logiqa_zh/zh_test.txt", 651, 548),
    ("choices", "logiqa2_zh/dev.jsonl.xz", 1591, 1574),
    ("choices", "logiqa2_zh/test.jsonl.xz", 1594, 1578),
    ("ccpm", "celue/ccpm/train.jsonl.xz", 21778, 1),
    ("ccpm", "celue/ccpm/valid.jsonl", 2720, 1),
]
LOGIQA = "a\n题干。\n问题？\nA.甲\nB.乙\nC.丙\nD.丁\n"


def choices(name: str, path: Path) -> list[ChoiceItem]:
    items = list(TASKS.get(name).load(path))
    assert all(isinstance(item, ChoiceItem) for item in items)
    return [item for item in items if isinstance(item, ChoiceItem)]


@needs_shared
@pytest.mark.parametrize(("name", "file", "questions", "passages"), FILES)
def test_real_file(name: str, file: str, questions: int, passages: int, tmp_path: Path) -> None:
    path = SHARED / "data" / file
    assert recognise(path).name == name
    items = choices(name, path)
    assert len(items) == questions == len({item.id for item in items})
    assert len({item.passage_id for item in items}) == passages
    assert all(item.answer is not None and 2 <= len(item.options) <= 4 for item in items)
    if questions < 3000:
        for metric in ("official", "strict"):
            assert scored(name, items, map(gold_answer, items), tmp_path, metric).official == {"accuracy": 100.0}


@needs_shared
def test_public_test_file_has_no_answers() -> None:
    items = choices("ccpm", SHARED / "data/celue/ccpm/test_public.jsonl")
    assert len(items) == 2720
    assert {item.answer for item in items} == {None}


@needs_shared
def test_vgaokao_truths_agree_with_the_answer() -> None:
    for item in choices("vgaokao", SHARED / "data/vgaokao/clean.json.xz"):
        assert item.answer is not None
        alone = item.truths[item.answer]
        assert item.truths.count(alone) == 1


@needs_shared
def test_logiqa_options_stand_under_their_letters() -> None:
    """19 questions list their options as A, C, B, D; the gold letter names the letter, not the line."""
    items = choices("logiqa", SHARED / "data/logiqa_zh/zh_test.txt")
    valves = next(item for item in items if "要打开1号阀" in item.question)
    assert valves.letter == "B"
    assert valves.options == ("2号阀和4号阀。", "2号阀和3号阀。", "3号阀和5号阀。", "4号阀和5号阀。")


def test_logiqa_letters_with_any_sign_or_none(tmp_path: Path) -> None:
    text = "\n\nd\n题干。\n问题？\nA．甲\nB，乙\nC 丙\nd.A型\n\n"
    (item,) = choices("logiqa", written(tmp_path, text))
    assert item.options == ("甲", "乙", "丙", "A型")
    assert item.answer == 3


def test_c3_takes_the_first_of_equal_options(tmp_path: Path) -> None:
    question = {"question": "多少钱?", "choice": ["六块", "五块", "五块"], "answer": "五块"}
    path = written(tmp_path, json.dumps([[["男：…", "女：…"], [question], "1-2"]]))
    assert recognise(path).name == "c3"
    (item,) = choices("c3", path)
    assert (item.id, item.answer, item.passage) == ("1-2-0", 1, "男：…\n女：…")
    chosen = gold_answer(item)
    other = type(chosen)(id=item.id, choice=2)
    assert scored("c3", [item], [other], tmp_path).official == {"accuracy": 0.0}
    assert scored("c3", [item], [other], tmp_path, "strict").official == {"accuracy": 100.0}


def test_c3_is_written_as_clue_wants_it(tmp_path: Path) -> None:
    question = {"question": "问?", "choice": ["甲", "乙"], "answer": "乙"}
    items = choices("c3", written(tmp_path, json.dumps([[["文"], [question, question], "1-2"]])))
    scored("c3", items, map(gold_answer, items), tmp_path)
    lines = (tmp_path / "predictions.json").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [{"id": 0, "label": 1}, {"id": 1, "label": 1}]


C3_QUESTION: dict[str, Any] = {"question": "问", "choice": ["甲", "乙"], "answer": "丙"}
VGAOKAO: dict[str, Any] = {"question": "问", "options": ["甲", "乙"], "answer": "A", "correctness": [1, 0], "qid": "1"}
GAOKAO: dict[str, Any] = {"id": "1", "passage": ["文"], "question": "问", "opt": ["甲", "乙"], "answer": "A"}
CCPM: dict[str, Any] = {"translation": "译", "choices": ["甲", "乙"], "answer": 1}


def vgaokao(**changes: Any) -> str:
    return json.dumps({"data": [{"context": "文", "cid": 3, "qas": [VGAOKAO, VGAOKAO | {"qid": "2"} | changes]}]})


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("c3", json.dumps([[["文"], [C3_QUESTION], "1"]]), "[0][1][0].answer"),
        ("c3", json.dumps([[["文"], [{"question": "问"}], "1"]]), "[0][1][0]"),
        ("c3", json.dumps([[["文", 3], [], "1"]]), "[0][0][1]"),
        ("c3", json.dumps([{"question": "问"}]), "[0]"),
        ("vgaokao", vgaokao(answer="E"), "data[0].qas[1].answer"),
        ("vgaokao", vgaokao(correctness=[1]), "data[0].qas[1].correctness"),
        ("vgaokao", vgaokao(correctness=[1, 2]), "data[0].qas[1].correctness[1]"),
        ("vgaokao", vgaokao(qid="1"), "data[0].qas[1].qid"),
        ("vgaokao", vgaokao(options="甲"), "data[0].qas[1].options"),
        ("gaokao", json.dumps([GAOKAO | {"passage": "文"}]), "[0].passage"),
        ("gaokao", json.dumps([GAOKAO, GAOKAO]), "[1].id"),
        ("gaokao", json.dumps([{"id": "1"}]), "[0]"),
        ("ccpm", json.dumps(CCPM) + "\n" + json.dumps(CCPM | {"answer": 2}), "line 2.answer"),
        ("ccpm", json.dumps(CCPM | {"answer": True}), "line 1.answer"),
        ("ccpm", json.dumps({"translation": "译"}), "line 1"),
        ("logiqa", LOGIQA + "\n" + LOGIQA.replace("D.丁\n", ""), "line 9"),
        ("logiqa", LOGIQA.replace("a\n", "e\n"), "line 1"),
        ("logiqa", LOGIQA.replace("C.丙", "丙"), "line 6"),
        ("logiqa", LOGIQA.replace("C.丙", "B.丙"), "line 6"),
    ],
)
def test_bad_file_is_refused_at_its_place(name: str, text: str, place: str, tmp_path: Path) -> None:
    assert refusal(name, written(tmp_path, text)).place == place


ROWS = [
    ({"text": "甲乙丙。", "question": "问？", "options": ["一", "二"], "answer": 1}, ("一", "二"), 1),
    (
        {"passage": "甲乙丙。", "question": "问？", "options": ["(A)一", "(B)二"], "label": "B"},
        ("一", "二"),
        1,
    ),
    (
        {"id": "q", "passage": "甲乙丙。", "question": "问？", "options": ["A.一", "二"], "label": "二"},
        ("A.一", "二"),
        1,
    ),
    ({"context": "甲乙丙。", "question": "问？", "options": ["一", "二"]}, ("一", "二"), None),
]


@pytest.mark.parametrize("form", ["lines", "list"])
@pytest.mark.parametrize(("row", "options", "answer"), ROWS)
def test_plain_rows(
    row: dict[str, Any], options: tuple[str, ...], answer: int | None, form: str, tmp_path: Path
) -> None:
    path = tmp_path / "rows.json"
    text = json.dumps(row, ensure_ascii=False)
    path.write_text(text + "\n" if form == "lines" else f"[{text}]", encoding="utf-8")
    assert recognise(path).name == "choices"
    (item,) = choices("choices", path)
    assert (item.passage, item.question, item.options, item.answer) == ("甲乙丙。", "问？", options, answer)
    out = tmp_path / "again.jsonl"
    with out.open("w", encoding="utf-8") as file:
        assert own_writer(TASKS.get("choices"), path)([item], file) == 1
    assert choices("choices", out) == [item]
    assert set(json.loads(out.read_text(encoding="utf-8"))) >= set(row)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("passage,question,A,B,C,label", '甲乙丙。,问？,"一，1",二,三,C'),
        ("id,text,question,options,answer", '0,甲乙丙。,问？,"[""一，1"", ""二"", ""三""]",2'),
    ],
)
def test_tables(header: str, row: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"\ufeff{header}\n{row}\n", encoding="utf-8")
    assert recognise(path).name == "choices"
    (item,) = choices("choices", path)
    assert (item.passage, item.question, item.options, item.answer) == ("甲乙丙。", "问？", ("一，1", "二", "三"), 2)
    out = tmp_path / "again.csv"
    with out.open("w", encoding="utf-8") as file:
        own_writer(TASKS.get("choices"), path)([item], file)
    assert choices("choices", out) == [item]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"passage": "甲。", "question": "问？", "options": ["一", "二"], "label": 2}, "a number from 0 to 1"),
        ({"passage": "甲。", "question": "问？", "options": ["一", "二"], "label": "E"}, "a letter from A to B"),
        ({"passage": "甲。", "question": "问？", "options": ["一", "二"], "label": True}, "a text"),
    ],
)
def test_labels_that_name_no_option(row: dict[str, Any], expected: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    with pytest.raises(InputError, match=expected):
        choices("choices", path)
