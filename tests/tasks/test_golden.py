"""Every vector that the official scorers gave, to the last digit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.tasks import TASKS
from readproof.tasks.metrics import cmrc
from readproof.tasks.scoring import score
from tests.shared_data import SHARED, needs_shared

CMRC = SHARED / "golden" / "cmrc2018"
GCRC = SHARED / "golden" / "gcrc_advrobust"


def _expected(folder: Path) -> dict[str, object]:
    path = folder / "expected.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@needs_shared
@pytest.mark.parametrize("name", ["clean", "noisy1", "noisy2"])
def test_cmrc_files(name: str) -> None:
    found = score("cmrc2018", CMRC / f"{name}.predictions.json", SHARED / "data/cmrc2018/dev.json.xz")
    expected = _expected(CMRC)[name]
    assert {key: found.official[key] for key in expected} == expected
    assert list(found.official) == ["AVERAGE", "F1", "EM", "TOTAL", "SKIP", "FILE"]


@needs_shared
def test_cmrc_original_layout_scores_the_same() -> None:
    one = score("cmrc2018", CMRC / "noisy1.predictions.json", SHARED / "data/cmrc2018/dev.json.xz")
    other = score("cmrc2018", CMRC / "noisy1.predictions.json", SHARED / "data/cmrc2018/dev.original-format.json.xz")
    assert one.official == other.official


@needs_shared
def test_cmrc_pairs() -> None:
    for pair in _expected(CMRC)["items"]:
        assert cmrc.official(pair["prediction"], [pair["answer"]]) == (pair["em"], pair["f1"]), pair


@needs_shared
@pytest.mark.parametrize("name", list(_expected(GCRC)))
def test_gcrc_files(name: str) -> None:
    found = score("gcrc", GCRC / f"{name}.predictions.json", SHARED / "data/gcrc_advrobust/dev_a.json")
    assert found.official == _expected(GCRC)[name]


def test_facts_about_the_cmrc_scorer() -> None:
    assert cmrc.official("北京大学", ["北京"])[1] == pytest.approx(2 / 3)
    assert cmrc.official("……", ["…"]) == (0.0, 0.0)
    assert cmrc.official("。", [""]) == (1.0, 0.0)
    assert cmrc.official("a-b c", ["ab c"]) == (1.0, 1.0)


SPAN_FILES = {
    "cmrc2018": ("cmrc2018/train.json.xz", "cmrc2018/dev.json.xz", "cmrc2018/dev.original-format.json.xz"),
    "drcd": ("drcd/DRCD_dev.json.xz", "drcd/DRCD_test.json.xz"),
    "chinese_squad": ("chinese_squad/dev-v2.0-zh.json.xz",),
    "cjrc": ("cjrc/dev_ground_truth.json.xz", "cjrc/test_ground_truth.json.xz"),
    "dureader": ("dureader_checklist/train-r.json.xz", "dureader_checklist/dev-r.json"),
    "xquad": ("xquad/xquad.zh.json",),
    "squad": (
        "xquad/xquad.en.json",
        "adversarial_squad_en/sample1k-HCVerifyAll.json.xz",
        "adversarial_squad_en/sample1k-HCVerifySample.json.xz",
    ),
    "pquad": ("pquad/Test.json.xz", "pquad/Validation.json.xz"),
    "parsquad": ("parsquad/ParSQuAD-automatic-dev.json.xz",),
    "parsinlu": ("parsinlu_rc/train.jsonl.xz", "parsinlu_rc/dev.jsonl", "parsinlu_rc/eval.jsonl.xz"),
    "persianqa": ("persianqa/pqa_test.json",),
}


@needs_shared
@pytest.mark.parametrize(("task", "file"), [(task, file) for task, files in SPAN_FILES.items() for file in files])
def test_gold_against_gold(task: str, file: str, tmp_path: Path) -> None:
    gold = SHARED / "data" / file
    answers: dict[str, str] = {}
    for item in TASKS.get(task).load(gold):
        answers.setdefault(item.id, "" if item.impossible or not item.golds else item.golds[0].text)
    predictions = tmp_path / "gold.json"
    predictions.write_text(json.dumps(answers), encoding="utf-8")
    found = score(task, predictions, gold, metric="squad2" if task == "persianqa" else "")
    perfect = {name: value for name, value in found.exact.items() if not name.startswith("simple")}
    # a repeated id cannot be answered twice; DuReader has one
    repeated = found.counts["items"] - len(answers)
    for name, value in perfect.items():
        assert value >= 100 * (1 - repeated / found.counts["items"]) - 1e-9, name


@needs_shared
def test_persianqa_official_gives_a_right_empty_answer_no_f1(tmp_path: Path) -> None:
    gold = SHARED / "data/persianqa/pqa_test.json"
    items = list(TASKS.get("persianqa").load(gold))
    predictions = tmp_path / "gold.json"
    texts = {item.id: "" if item.impossible else item.golds[0].text for item in items}
    predictions.write_text(json.dumps(texts), encoding="utf-8")
    found = score("persianqa", predictions, gold)
    empty = sum(item.impossible for item in items)
    assert found.official["exact_match"] == 100.0
    assert found.official["f1"] == pytest.approx(100 * (930 - empty) / 930)
