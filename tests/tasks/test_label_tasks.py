"""Files of texts with one label: OCNLI, FarsTail, CHNC."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.items import Answer, LabelItem
from readproof.tasks import TASKS, recognise
from tests.shared_data import SHARED, needs_shared
from tests.tasks.helpers import gold_answer, refusal, scored, written

PAIR = {"sentence1": "甲", "sentence2": "乙", "label": "neutral", "id": 7}


def labelled(name: str, path: Path) -> list[LabelItem]:
    return [item for item in TASKS.get(name).load(path) if isinstance(item, LabelItem)]


@needs_shared
@pytest.mark.parametrize(
    ("name", "file", "count", "unlabelled"),
    [
        ("ocnli", "ocnli/train.50k.json.xz", 50486, 49),
        ("ocnli", "ocnli/dev.json", 3000, 50),
        ("farstail", "farstail/Val-word.csv", 1537, 0),
        ("farstail", "farstail/Test-word.csv", 1564, 0),
        ("chnc", "celue/chnc/dev.csv.xz", 36000, 0),
    ],
)
def test_real_file(name: str, file: str, count: int, unlabelled: int, tmp_path: Path) -> None:
    path = SHARED / "data" / file
    assert recognise(path).name == name
    items = labelled(name, path)
    assert len(items) == count == len({item.id for item in items})
    assert sum(item.label is None for item in items) == unlabelled
    assert {item.label for item in items} - {None} == set(TASKS.get(name).labels)
    if count < 5000:
        for metric in ("official", "strict"):
            score = scored(name, items, map(gold_answer, items), tmp_path, metric)
            assert score.official == {"accuracy": 100.0}
            assert score.counts["items"] == count - unlabelled
            assert score.counts["unlabelled"] == unlabelled


@needs_shared
def test_farstail_fields_are_unquoted() -> None:
    texts = [item.pair for item in labelled("farstail", SHARED / "data/farstail/Test-word.csv")]
    assert not any('""' in text for text in texts)
    assert sum('"' in text for text in texts) > 10


@needs_shared
def test_chnc_keeps_the_blanks_between_words() -> None:
    items = labelled("chnc", SHARED / "data/celue/chnc/dev.csv.xz")
    assert items[1].text == "世界 物 联网 大会 明日 在 京 召开 龙头股 启动 在 即"
    assert items[1].label == "finance"


def test_ocnli_is_written_as_clue_wants_it(tmp_path: Path) -> None:
    items = labelled("ocnli", written(tmp_path, json.dumps(PAIR)))
    assert scored("ocnli", items, [Answer(id="7", label="neutral")], tmp_path).exact == {"accuracy": 100.0}
    assert json.loads((tmp_path / "predictions.json").read_text()) == {"id": 7, "label": "neutral"}


def test_a_pair_without_agreement_has_no_label(tmp_path: Path) -> None:
    (item,) = labelled("ocnli", written(tmp_path, json.dumps(PAIR | {"label": "-"})))
    assert item.label is None


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffcategory,news\nfood,一 碗 面\n",
        'category,news\r\nfood,"一 碗 面"\r\n',
        "food\t一 碗 面\n",
    ],
)
def test_chnc_tables(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    assert recognise(path).name == "chnc"
    assert [(item.label, item.text) for item in labelled("chnc", path)] == [("food", "一 碗 面")]


@pytest.mark.parametrize("text", ["news\n一 碗 面\n", "category,news\n,一 碗 面\n"])
def test_chnc_without_categories(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    assert recognise(path).name == "chnc"
    assert [(item.label, item.text) for item in labelled("chnc", path)] == [(None, "一 碗 面")]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("ocnli", json.dumps(PAIR) + "\n" + json.dumps(PAIR | {"id": 8, "label": "maybe"}), "line 2.label"),
        ("ocnli", json.dumps(PAIR | {"label": ["neutral"]}), "line 1.label"),
        ("ocnli", json.dumps(PAIR) + "\n" + json.dumps(PAIR), "line 2.id"),
        ("ocnli", json.dumps({"sentence1": "甲", "label": "neutral"}), "line 1"),
        ("ocnli", json.dumps(PAIR | {"sentence2": None}), "line 1.sentence2"),
        ("farstail", "premise\thypothesis\tlabel\na\tb\te\na\tb\n", "line 3"),
        ("farstail", "premise\thypothesis\tlabel\na\tb\tx\n", "line 2"),
        ("farstail", "a\tb\te\n", "line 1"),
        ("farstail", 'premise\thypothesis\tlabel\n\na\t"b\te\n', "line 3"),
        ("chnc", "category,news\nfood,一\ncooking,二\n", "line 3"),
        ("chnc", "category,news\nfood,一,二\n", "line 2"),
        ("chnc", 'category,news\nfood,"一\n', "line 2"),
    ],
)
def test_bad_file_is_refused_at_its_place(name: str, text: str, place: str, tmp_path: Path) -> None:
    assert refusal(name, written(tmp_path, text)).place == place
