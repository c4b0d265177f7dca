"""Which questions are measured on and which are learnt from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from examples.persian_study import published
from examples.persian_study.questions import answerable, apart, found_file, refuse_test_set, sample, split

from readproof.errors import InputError
from tests.examples.made import made_file
from tests.shared_data import SHARED, needs_shared


def test_a_fifth_is_kept_whole_passages(tmp_path: Path) -> None:
    items = answerable(str(made_file(tmp_path / "pqa.json")))
    parts = split(items)
    assert len(parts.learnt) + len(parts.measured) == len(items) == 12
    assert 0.2 * 12 <= len(parts.measured) <= 0.4 * 12
    assert not {item.passage for item in parts.learnt} & {item.passage for item in parts.measured}
    assert split(items[::-1]).measured == parts.measured[::-1]
    with pytest.raises(InputError, match="at least two"):
        split(items[:1])


def test_a_sample_is_drawn_once(tmp_path: Path) -> None:
    items = answerable(str(made_file(tmp_path / "pqa.json")))
    assert sample(items, 0) == sample(items, 100) == items
    assert len(sample(items, 5)) == 5 and sample(items, 5) == sample(items, 5)


def test_nothing_is_learnt_from_what_is_measured(tmp_path: Path) -> None:
    items = answerable(str(made_file(tmp_path / "pqa.json")))
    parts = apart(items, items[:2])
    assert parts.dropped == 2 and len(parts.learnt) == 10
    with pytest.raises(InputError, match="--train-data"):
        apart(items, items)


def test_ids_are_told_apart(tmp_path: Path) -> None:
    path = made_file(tmp_path / "pqa.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    for record in data["data"]:
        for question in record["paragraphs"][0]["qas"]:
            question["id"] = 1
    path.write_text(json.dumps(data), encoding="utf-8")
    assert len({item.id for item in answerable(str(path))}) == 12


def test_a_missing_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="PersianQA-style"):
        found_file(["no_such_file.json"], "--data")
    monkeypatch.chdir(tmp_path)
    made_file(tmp_path / "mine.json")
    assert found_file(["mine.json"], "--data") == str((tmp_path / "mine.json").resolve())


@needs_shared
def test_the_test_file_is_never_learnt_from(tmp_path: Path) -> None:
    path = SHARED / "data" / "persianqa" / "pqa_test.json"
    copy = tmp_path / "my_train.json"
    copy.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
    with pytest.raises(InputError, match="PersianQA's test file"):
        refuse_test_set(str(copy), answerable(str(copy)))


def test_the_studys_figures_are_those_it_published() -> None:
    assert [published.evaluated("addany", reader) for reader in published.READERS] == [40.5, 50.3]
    assert published.trained("addany", "mBERT") == (65.4, 57.6)
    assert published.evaluated("paraphrase", "mBERT") is None and published.trained("", "mBERT") is None
