"""Metrics beyond the golden vectors: strictness, intervals, paired tests, prediction files as they come."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from readproof.errors import InputError
from readproof.items import Answer, Gold, Item, SpanItem
from readproof.tasks import TASKS, Score, load
from readproof.tasks.metrics import cmrc, squad
from readproof.tasks.metrics.cmrc import words
from readproof.tasks.scoring import compare, score
from tests.shared_data import SHARED, needs_shared

GOLD = {
    "data": [
        {"title": "", "paragraphs": [{"context": "甲乙丙丁", "qas": [
            {"id": f"DEV_{number}_QUERY_{index}", "question": "?", "answers": [{"text": "乙丙", "answer_start": 1}]}
            for index in range(2)]}]}
        for number in range(4)
    ]
}  # fmt: skip
IDS = [question["id"] for one in GOLD["data"] for question in one["paragraphs"][0]["qas"]]
ALL_RIGHT = dict.fromkeys(IDS, "乙丙")


def _files(tmp_path: Path, predictions: object) -> tuple[Path, Path]:
    gold, file = tmp_path / "gold.json", tmp_path / "predictions.json"
    gold.write_text(json.dumps(GOLD), encoding="utf-8")
    text = predictions if isinstance(predictions, str) else json.dumps(predictions)
    file.write_text(text, encoding="utf-8")
    return file, gold


def test_missing_counts_as_wrong(tmp_path: Path) -> None:
    found = score("cmrc2018", *_files(tmp_path, {IDS[0]: "乙丙"}))
    assert found.official["EM"] == "12.500"
    assert found.official["SKIP"] == 7
    assert found.counts == {"items": 8, "missing": 7, "malformed": 0, "unknown": 0, "duplicate": 0}


def test_official_lets_through_what_strict_refuses(tmp_path: Path) -> None:
    extra = ALL_RIGHT | {"ghost": "x"}
    assert score("cmrc2018", *_files(tmp_path, extra)).official["EM"] == "100.000"
    with pytest.raises(InputError, match="ids that the gold file does not have"):
        score("cmrc2018", *_files(tmp_path, extra), metric="strict")
    doubled = json.dumps(ALL_RIGHT)[:-1] + f', "{IDS[0]}": "甲"}}'
    assert score("cmrc2018", *_files(tmp_path, doubled)).counts["duplicate"] == 1
    with pytest.raises(InputError, match="repeated ids"):
        score("cmrc2018", *_files(tmp_path, doubled), metric="strict")
    with pytest.raises(InputError, match="not text"):
        score("cmrc2018", *_files(tmp_path, ALL_RIGHT | {IDS[1]: None}), metric="strict")
    # the official scorer writes null as 'None' and goes on
    assert score("cmrc2018", *_files(tmp_path, ALL_RIGHT | {IDS[1]: None})).counts["malformed"] == 1


def test_intervals_are_over_passages(tmp_path: Path) -> None:
    half = {name: "乙丙" if name.startswith(("DEV_0", "DEV_1")) else "丁" for name in IDS}
    low, high = score("cmrc2018", *_files(tmp_path, half)).intervals["EM"]
    # four passages, each all right or all wrong: the bootstrap reaches both ends
    assert low == 0.0
    assert high == 100.0


def test_paired_difference(tmp_path: Path) -> None:
    one = score("cmrc2018", *_files(tmp_path, ALL_RIGHT))
    other = score("cmrc2018", *_files(tmp_path, dict.fromkeys(IDS, "丁")))
    found = compare(one, other)["EM"]
    assert (found.difference, found.low, found.high) == (100.0, 100.0, 100.0)
    # of the 16 ways to swap four passages only two give so large a gap
    assert 0.08 < found.p < 0.18
    same = compare(one, one)["EM"]
    assert same.difference == 0.0
    assert same.p == 1.0


@needs_shared
def test_paired_difference_on_real_predictions() -> None:
    gold = SHARED / "data/cmrc2018/dev.json.xz"
    golden = SHARED / "golden/cmrc2018"
    one, other = (score("cmrc2018", golden / f"{name}.predictions.json", gold) for name in ("noisy1", "noisy2"))
    found = compare(one, other)["F1"]
    assert found.difference == pytest.approx(one.exact["F1"] - other.exact["F1"])
    assert found.low < found.difference < found.high


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1]", "an object"),
        ('"x"', "an object"),
        ("", "JSON"),
        ('{"a": ', "JSON"),
        ("\ufeff{}", "without one"),
        ('{"a": NaN}', "NaN"),
        ('{"a": "\\udc00"}', "whole characters"),
    ],
)
def test_bad_prediction_files(text: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=expected):
        score("cmrc2018", *_files(tmp_path, text))


def test_unknown_names_are_answered_with_near_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cmrc2018"):
        score("cmrc2081", *_files(tmp_path, {}))
    with pytest.raises(InputError, match="one of official"):
        score("cmrc2018", *_files(tmp_path, {}), metric="nonsense")


def test_squad_versions_differ_on_empty_answers() -> None:
    assert squad.version_1("", [""]) == (1.0, 0.0)
    assert squad.version_2("", [""]) == (1.0, 1.0)
    assert squad.version_2("x", [""]) == (0.0, 0.0)
    assert squad.version_1("The Panthers!", ["Panthers"]) == (1.0, 1.0)
    assert squad.version_1("of the Panthers", ["the Carolina Panthers"])[1] == 0.5
    # answers that normalise to nothing are left out by version 2
    assert squad.version_2("a", ["the", "b"]) == (0.0, 0.0)


def test_persianqa_official_is_positional_and_a_bag_of_characters(tmp_path: Path) -> None:
    gold = tmp_path / "gold.json"
    answers = [{"text": "abc", "answer_start": 0, "answer_end": 3}]
    questions = [{"id": number, "question": "?", "answers": answers, "is_impossible": False} for number in (1, 2)]
    gold.write_text(
        json.dumps({"data": [{"title": "", "paragraphs": [{"context": "abc", "qas": questions}]}]}), encoding="utf-8"
    )
    file = tmp_path / "list.json"
    file.write_text('["cba"]', encoding="utf-8")
    found = score("persianqa", file, gold)
    assert found.official == {"exact_match": 0.0, "f1": 100.0}
    assert found.counts["items"] == 1 and found.counts["missing"] == 1
    assert any("have no prediction and are left out" in note for note in found.notes)
    file.write_text('{"2": "abc", "1": "x"}', encoding="utf-8")
    found = score("persianqa", file, gold)
    assert found.official["exact_match"] == 50.0
    assert found.counts["misplaced"] == 2


@needs_shared
@pytest.mark.parametrize("file", ["cmrc2018/dev.json.xz", "parsinlu_rc/dev.jsonl", "gcrc_advrobust/dev_a.json"])
def test_written_predictions_are_read_and_score_in_full(file: str, tmp_path: Path) -> None:
    items = list(load(SHARED / "data" / file))
    task = TASKS.get({"cmrc2018": "cmrc2018", "parsinlu_rc": "parsinlu", "gcrc_advrobust": "gcrc"}[file.split("/")[0]])
    answers: dict[str, Answer] = {}
    for item in items:
        if isinstance(item, SpanItem):
            answers[item.id] = Answer(id=item.id, text=item.golds[0].text if item.golds else "")
        else:
            answers |= {one.id: Answer(id=one.id, choice=one.answer) for one in item.questions}
    path = tmp_path / "predictions.json"
    with path.open("w", encoding="utf-8") as out:
        task.write_predictions(items, answers, out)
    found = score(task, path, SHARED / "data" / file)
    assert max(found.exact.values()) in (1.0, 100.0)
    assert min(value for name, value in found.exact.items() if not name.startswith("simple")) in (1.0, 100.0)


TEXTS = st.text(
    st.sampled_from("abcZ019 .,'’`\"“”-–!?%$&()[]{}<>:;*《》甲乙\t") | st.characters(exclude_categories=["Cs"]),
    max_size=30,
)


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_words_are_nltks_words(text: str) -> None:
    nltk = pytest.importorskip("nltk.tokenize")
    regex = pytest.importorskip("regex")
    # newer NLTK compiles with `regex`, which calls fewer signs word characters (not ¹) and spaces (not \x1f) than `re`
    assume(all(bool(re.match(kind, one)) == bool(regex.match(kind, one)) for one in text for kind in (r"\w", r"\s")))
    assert list(words(text)) == nltk.NLTKWordTokenizer().tokenize(text)


@pytest.mark.parametrize(
    "text", ["cannot", "I'm gonna", "'Tis d'ye", "wanna go", "a.b.c.", "U.S.A.", "x...", "10%", "don't", "lemme"]
)
def test_words_in_the_odd_cases(text: str) -> None:
    nltk = pytest.importorskip("nltk.tokenize")
    assert list(words(text)) == nltk.NLTKWordTokenizer().tokenize(text)


CHINESE = st.text(st.sampled_from("北京大学在3年aB。-《x "), max_size=12)


@given(CHINESE, st.lists(CHINESE, min_size=1, max_size=3))
@settings(max_examples=400, deadline=None)
def test_fast_measure_is_the_plain_one(prediction: str, answers: list[str]) -> None:
    from benchmarks import plain_cmrc

    assert cmrc.official(prediction, answers) == (
        plain_cmrc.exact_of(answers, prediction),
        plain_cmrc.f1_of(answers, prediction),
    )


def test_a_gold_file_without_questions(tmp_path: Path) -> None:
    gold, file = tmp_path / "gold.json", tmp_path / "p.json"
    gold.write_text('{"data": []}', encoding="utf-8")
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="no questions"):
        score("cmrc2018", file, gold)


def test_gold_answers_may_be_unknown() -> None:
    assert SpanItem(id="x", passage="p", question="q").golds == ()
    assert Gold("x", 3).end == 4


def test_only_some_items_are_counted(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"
    items = [item for item in load(sample) if isinstance(item, SpanItem)]
    predictions = tmp_path / "p.json"
    right, wrong = items[0].id, items[1].id
    given = {right: items[0].golds[0].text, wrong: "全错"}
    predictions.write_text(json.dumps(given, ensure_ascii=False), encoding="utf-8")
    assert score("cmrc2018", predictions, sample, only={right}).exact["EM"] == 100.0
    assert score("cmrc2018", predictions, sample, only={right, wrong}).exact["EM"] == 50.0
    seen: list[Item] = []
    score("cmrc2018", predictions, sample, only={right, wrong}, seen=seen.append)
    assert [item.id for item in seen] == [right, wrong]


def _cut_to(task: str, ids: list[str], predictions: Path, gold: Path, folder: Path) -> tuple[Path, Path]:
    """Both files with nothing in them but these ids."""
    given = json.loads(predictions.read_text(encoding="utf-8"))
    data = json.loads(gold.read_text(encoding="utf-8"))
    if task == "gcrc":
        for record in (given, data):
            record["data"] = [row for row in record["data"] if row["id"] in ids]
    else:
        given = {name: text for name, text in given.items() if name in ids}
        for paragraph in (one for record in data["data"] for one in record["paragraphs"]):
            paragraph["qas"] = [question for question in paragraph["qas"] if question["id"] in ids]
    paths = folder / predictions.name, folder / gold.name
    for path, record in zip(paths, (given, data), strict=True):
        path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    return paths


def _figures(found: Score) -> dict[str, object]:
    official = {name: value for name, value in found.official.items() if name != "FILE"}
    return {"official": official, "exact": found.exact, "counts": found.counts, "intervals": found.intervals}


@needs_shared
@pytest.mark.parametrize("metric", ["official", "strict"])
@pytest.mark.parametrize("name", ["half_right", "constant_A", "perfect"])
def test_only_is_the_same_as_files_cut_to_it(name: str, metric: str, tmp_path: Path) -> None:
    gold = SHARED / "data/gcrc_advrobust/dev_a.json"
    predictions = SHARED / f"golden/gcrc_advrobust/{name}.predictions.json"
    ids = [item.id for item in load(gold)][5:105:5]
    some = score("gcrc", predictions, gold, metric=metric, only=set(ids))
    assert some.counts["items"] == some.counts["rows"] == 20
    assert some.counts["unknown"] == 0
    cut = score("gcrc", *_cut_to("gcrc", ids, predictions, gold, tmp_path), metric=metric)
    assert _figures(some) == _figures(cut)


@pytest.mark.parametrize("metric", ["official", "strict", "simple"])
def test_only_is_the_same_as_files_cut_to_it_for_spans(metric: str, tmp_path: Path) -> None:
    files = _files(tmp_path, ALL_RIGHT | {IDS[1]: "丁", "ghost": "x"})
    (tmp_path / "cut").mkdir()
    cut = _cut_to("cmrc2018", IDS[1:4], *files, tmp_path / "cut")
    some = score("cmrc2018", *files, metric=metric, only=set(IDS[1:4]))
    assert _figures(some) == _figures(score("cmrc2018", *cut, metric=metric))
    assert some.counts["unknown"] == 0


def test_only_leaves_repeated_ids_of_others_out(tmp_path: Path) -> None:
    doubled = json.dumps(ALL_RIGHT)[:-1] + f', "{IDS[0]}": "甲"}}'
    files = _files(tmp_path, doubled)
    assert score("cmrc2018", *files, metric="strict", only={IDS[1]}).counts["duplicate"] == 0
    with pytest.raises(InputError, match="repeated ids"):
        score("cmrc2018", *files, metric="strict", only={IDS[0]})


LABELS = ["entailment", "neutral", "contradiction"]


@pytest.mark.parametrize(
    "line",
    [
        lambda number: {"label": LABELS[number % 3]},
        lambda number: {"id": number, "label": LABELS[number % 3]},
        lambda number: {"id": str(number), "label": LABELS[number % 3]},
    ],
    ids=["by order", "by number", "by id"],
)
@pytest.mark.parametrize("metric", ["official", "strict"])
def test_only_finds_predictions_that_go_by_place(line: Callable[[int], object], metric: str, tmp_path: Path) -> None:
    gold, file = tmp_path / "gold.json", tmp_path / "p.json"
    rows = [
        {"id": number, "sentence1": f"甲{number}", "sentence2": "乙", "label": LABELS[number % 3 if number < 5 else 0]}
        for number in range(9)
    ]
    gold.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    file.write_text("\n".join(json.dumps(line(number)) for number in range(9)), encoding="utf-8")
    found = score("ocnli", file, gold, metric=metric, only={"2", "3", "4", "5"})
    assert (found.exact["accuracy"], found.counts["items"], found.counts["unknown"]) == (75.0, 4, 0)


def test_only_finds_lines_of_marks(tmp_path: Path) -> None:
    gold, file = tmp_path / "gold.dat", tmp_path / "p.jsonl"
    gold.write_text("你 拥有\n这么 多\n人 们\n", encoding="utf-8")
    file.write_text('{"ans": "你拥 有"}\n{"ans": "这么 多"}\n{"ans": "人们"}\n', encoding="utf-8")
    ids = [item.id for item in TASKS.get("wordseg-weibo").load(gold)]
    assert score("wordseg-weibo", file, gold, only={ids[1]}, metric="strict").exact["f1"] == 100.0
    assert score("wordseg-weibo", file, gold, only={ids[2]}).exact["f1"] == 0.0


@pytest.mark.parametrize("form", ["list", "object"])
def test_only_of_persianqa_goes_by_place_where_the_file_does(form: str, tmp_path: Path) -> None:
    gold, file = tmp_path / "gold.json", tmp_path / "p.json"
    answers = [{"text": "abc", "answer_start": 0, "answer_end": 3}]
    questions = [{"id": number, "question": "?", "answers": answers, "is_impossible": False} for number in range(4)]
    gold.write_text(json.dumps({"data": [{"title": "", "paragraphs": [{"context": "abc", "qas": questions}]}]}))
    texts = ["x", "x", "abc", "x"]
    file.write_text(json.dumps(texts if form == "list" else {str(at): text for at, text in enumerate(texts)}))
    found = score("persianqa", file, gold, only={"2"})
    assert (found.official["exact_match"], found.counts["items"]) == (100.0, 1)
    if form == "object":
        assert score("persianqa", file, gold, only={"2"}, metric="strict").exact["exact_match"] == 100.0


def test_ids_that_are_nowhere_are_the_fault_of_who_names_them(tmp_path: Path) -> None:
    files = _files(tmp_path, ALL_RIGHT)
    with pytest.raises(InputError, match=r"^ids\.jsonl: found 1 ids \(ghost\), none of them in "):
        score("cmrc2018", *files, only={"ghost"}, named_by="ids.jsonl")
    with pytest.raises(InputError, match=r"^ids\.jsonl: found no ids"):
        score("cmrc2018", *files, only=set(), named_by="ids.jsonl")
    found = score("cmrc2018", *files, only={"ghost", IDS[0]}, named_by="ids.jsonl")
    assert found.counts["items"] == 1
    assert found.notes == ("1 of the 2 ids of ids.jsonl are in neither file: ghost",)


@needs_shared
def test_items_that_nobody_answered(tmp_path: Path) -> None:
    gold = SHARED / "data/gcrc_advrobust/dev_a.json"
    ids = [item.id for item in load(gold)]
    predictions, _ = _cut_to("gcrc", ids[:2], SHARED / "golden/gcrc_advrobust/perfect.predictions.json", gold, tmp_path)
    with pytest.raises(InputError, match="no row for any of the 1 ids"):
        score("gcrc", predictions, gold, only={ids[5]})


def test_ids_do_not_steer_the_terminal(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        score("cmrc2018", *_files(tmp_path, ALL_RIGHT | {"\x1b[31m\u202eid": "x"}), metric="strict")
    assert r"(\x1b[31m\u202eid)" in str(caught.value)
