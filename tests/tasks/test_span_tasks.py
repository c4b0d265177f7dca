"""Span data sets: recognised by content, counted as their README says, offsets checked and mended."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import Gold, SpanItem
from readproof.tasks import load, recognise
from readproof.tasks.offsets import fault, repaired, usable
from readproof.tasks.scoring import score
from tests.shared_data import SHARED, needs_shared

DATA = SHARED / "data"
COUNTS = {
    "cmrc2018/train.json.xz": ("cmrc2018", 10142),
    "cmrc2018/dev.json.xz": ("cmrc2018", 3219),
    "cmrc2018/dev.original-format.json.xz": ("cmrc2018", 3219),
    "drcd/DRCD_dev.json.xz": ("drcd", 3524),
    "drcd/DRCD_test.json.xz": ("drcd", 3493),
    "chinese_squad/dev-v2.0-zh.json.xz": ("chinese_squad", 9936),
    "cjrc/dev_ground_truth.json.xz": ("cjrc", 6000),
    "cjrc/test_ground_truth.json.xz": ("cjrc", 6000),
    "dureader_checklist/train-r.json.xz": ("dureader", 3000),
    "dureader_checklist/dev-r.json": ("dureader", 1130),
    "xquad/xquad.zh.json": ("xquad", 1190),
    "xquad/xquad.en.json": ("squad", 1190),
    "adversarial_squad_en/sample1k-HCVerifyAll.json.xz": ("squad", 3560),
    "adversarial_squad_en/sample1k-HCVerifySample.json.xz": ("squad", 1787),
    "pquad/Test.json.xz": ("pquad", 8002),
    "pquad/Validation.json.xz": ("pquad", 7976),
    "parsquad/ParSQuAD-automatic-dev.json.xz": ("parsquad", 5726),
    "persianqa/pqa_test.json": ("persianqa", 930),
    "parsinlu_rc/train.jsonl.xz": ("parsinlu", 600),
    "parsinlu_rc/dev.jsonl": ("parsinlu", 125),
    "parsinlu_rc/eval.jsonl.xz": ("parsinlu", 570),
}


@needs_shared
@pytest.mark.parametrize("file", COUNTS)
def test_recognised_and_counted(file: str) -> None:
    task, count = COUNTS[file]
    assert recognise(DATA / file).name == task
    assert sum(1 for _ in load(DATA / file)) == count


@needs_shared
def test_answerable_chinese_squad() -> None:
    items = list(load(DATA / "chinese_squad/dev-v2.0-zh.json.xz"))
    assert sum(1 for item in items if isinstance(item, SpanItem) and not item.impossible) == 3991


@needs_shared
@pytest.mark.parametrize("file", COUNTS)
def test_mended_offsets_always_cut_the_answer(file: str) -> None:
    for item in load(DATA / file):
        assert isinstance(item, SpanItem)
        if not item.impossible:
            for gold in item.golds:
                if gold.start is not None:
                    assert item.passage[gold.start : gold.end] == gold.text
                elif gold.text:
                    assert gold.text not in item.passage


CONTEXT = "《战国无双3》（）是由光荣和ω-force开发的战国无双系列的正统第三续作。"
LAYOUTS = {
    "squad": {"version": "v1.0", "data": [{"title": "t", "id": "DEV_0", "paragraphs": [{"context": CONTEXT, "qas": [
        {"id": "DEV_0_QUERY_0", "question": "谁？", "answers": [{"text": "光荣和ω-force", "answer_start": 11}]}]}]}]},
    "original": [{"context_id": "DEV_0", "context_text": CONTEXT, "title": "t", "qas": [
        {"query_id": "DEV_0_QUERY_0", "query_text": "谁？", "answers": ["光荣和ω-force"]}]}],
    "rows": [{"id": "DEV_0_QUERY_0", "context": CONTEXT, "question": "谁？",
              "answers": {"text": ["光荣和ω-force"], "answer_start": [11]}}],
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("packed", [False, True])
def test_cmrc_layouts(layout: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    data = json.dumps(LAYOUTS[layout], ensure_ascii=False).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    assert recognise(path).name == "cmrc2018"
    (item,) = load(path)
    assert isinstance(item, SpanItem)
    assert (item.id, item.question, item.golds) == ("DEV_0_QUERY_0", "谁？", (Gold("光荣和ω-force", 11),))


def test_rows_as_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(LAYOUTS["rows"][0]) + "\r\n" + json.dumps(LAYOUTS["rows"][0]), encoding="utf-8")
    assert recognise(path).name == "cmrc2018"
    assert len(list(load(path))) == 2


def test_faults_and_their_mending() -> None:
    item = SpanItem(
        id="x", passage="甲乙丙甲乙", question="?", golds=(Gold("甲", 4), Gold("乙", -1), Gold("丁", 2), Gold("丙"))
    )
    assert [fault(item, gold) for gold in item.golds] == ["wrong", "negative", "wrong", "not given"]
    assert repaired(item).golds == (Gold("甲", 3), Gold("乙", 1), Gold("丁"), Gold("丙", 2))
    assert usable(item)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"data": [{"paragraphs": [{"qas": []}]}]}', "data[0].paragraphs[0]"),
        ('{"data": [{"paragraphs": [{"context": "c", "qas": {}}]}]}', "data[0].paragraphs[0].qas"),
        ('{"data": [{"paragraphs": [{"context": "c", "qas": [{"question": "q"}]}]}]}', "data[0].paragraphs[0].qas[0]"),
        ('{"data": [{"paragraphs": [{"context": 3, "qas": []}]}]}', "data[0].paragraphs[0].context"),
        ('{"data": [[]]}', "data[0]"),
    ],
)
def test_bad_records_name_their_place(text: str, place: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        list(load(f"squad:{path}"))
    assert caught.value.place == place
    assert caught.value.file == str(path)


OWN = {
    "nested": {"data": [{"paragraphs": [{"context": CONTEXT, "qas": [
        {"id": "mine-1", "question": "谁？", "answers": [{"text": "光荣和ω-force", "answer_start": 11}]}]}]}]},
    "rows": [{"id": 1, "context": CONTEXT, "question": "谁？",
              "answers": {"text": ["光荣和ω-force"], "answer_start": [11]}}],
    "rows with a flag": [{"id": "a", "context": CONTEXT, "question": "谁？", "is_impossible": False,
                          "answers": {"text": ["光荣和ω-force"], "answer_start": [11]}}],
    "one answer": [{"id": "a", "context": CONTEXT, "question": "谁？", "answer": "光荣和ω-force", "answer_start": 11}],
}  # fmt: skip


@pytest.mark.parametrize("layout", OWN)
def test_chinese_questions_of_ones_own_are_scored_by_characters(layout: str, tmp_path: Path) -> None:
    path, out = tmp_path / "mine.json", tmp_path / "predictions.json"
    path.write_text(json.dumps(OWN[layout], ensure_ascii=False), encoding="utf-8")
    task = recognise(path)
    (item,) = load(path)
    assert isinstance(item, SpanItem)
    assert (task.name, item.golds) == ("zh_spans", (Gold("光荣和ω-force", 11),))
    out.write_text(json.dumps({item.id: "光荣和ω"}, ensure_ascii=False), encoding="utf-8")
    found = score(task, out, path)
    # by SQuAD's words, which spaces part, it would be wrong as a whole
    assert 0 < found.exact["f1"] < 100
    assert found.exact["exact_match"] == 0


def test_persian_questions_without_answers_are_scored_by_squad_2(tmp_path: Path) -> None:
    path, out = tmp_path / "mine.json", tmp_path / "predictions.json"
    passage = "اسپانیا کشوری است که پایتخت آن مادرید است."
    rows = [
        {"id": "q1", "question": "پایتخت؟", "is_impossible": False, "answers": [{"text": "مادرید"}]},
        {"id": "q2", "question": "چرا؟", "is_impossible": True, "answers": []},
    ]
    path.write_text(json.dumps({"data": [{"paragraphs": [{"context": passage, "qas": rows}]}]}), encoding="utf-8")
    out.write_text(json.dumps({"q1": "مادرید", "q2": ""}), encoding="utf-8")
    task = recognise(path)
    assert task.name == "squad2"
    assert score(task, out, path).exact["f1"] == 100


@pytest.mark.parametrize(
    ("passage", "id", "task"),
    [
        ("اسپانیا کشوری است.", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "persianquad"),  # as PersianQuAD is published
        ("اسپانیا کشوری است.", "q1", "squad2"),
        ("Испания — страна.", "q1", "squad2"),
        ("桥建于1623年。", "56beb7953aeaaa14008c92ad", "xquad"),
        ("桥建于1623年。", "690a1f3e3aeaaa14008c92ad", "zh_spans"),  # of such a database, but of 2025
        ("桥建于1623年。", "q1", "zh_spans"),
    ],
)
def test_whose_flagged_rows_they_are(passage: str, id: str, task: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    rows = [{"id": id, "context": passage, "question": "?", "is_impossible": False, "answers": []}]
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert recognise(path).name == task


def test_a_file_whose_first_article_is_empty_is_not_taken_for_chinese(tmp_path: Path) -> None:
    path = tmp_path / "squad.json"
    full = {"title": "b", "paragraphs": [{"context": "It is.", "qas": [{"id": "1", "question": "?", "answers": []}]}]}
    path.write_text(json.dumps({"data": [{"title": "a", "paragraphs": []}, full]}), encoding="utf-8")
    assert recognise(path).name == "squad"


@pytest.mark.parametrize(
    ("id", "task"),
    [
        ("73d5dc65c40a263cf2c2263e6462190c", "dureader"),
        ("73d5dc65c40a263cf2c2263e6462190c-addsent", "dureader"),
        ("q1", "zh_spans"),
    ],
)
def test_whose_chinese_lines_they_are(id: str, task: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [
        {"id": f"{id}{end}", "context": "桥建于1623年。", "question": "何时？", "answers": {"text": ["1623年"]}}
        for end in ("", "x")
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    assert recognise(path).name == task
