"""What may be wrong with the folder of a multi-exit reader, and what it refuses to read."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from readproof.errors import InputError
from readproof.items import LabelItem, SpanItem
from readproof.readers import load_reader
from readproof.readers.exits.config import read_manner, write_manner
from readproof.readers.exits.modelfile import model_file
from readproof.readers.exits.trace import check_model_file
from tests.readers.exits.test_deciding import BASE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_manner(tmp_path, BASE)
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n", encoding="utf-8")
    return tmp_path


def test_what_is_written_is_read(folder: Path) -> None:
    assert read_manner(folder) == BASE


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "words"),
        ("exits", []),
        ("exits", [2, 1]),
        ("exits", "all"),
        ("hidden", -1),
        ("labels", [1]),
        ("labels", ["a"]),
        ("together", 1),
        ("task", 3),
    ],
)
def test_a_wrong_value_is_told_with_its_key(folder: Path, key: str, value: Any) -> None:
    record = {**asdict(BASE), key: value}
    (folder / "exits.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(InputError, match=key):
        read_manner(folder)


def test_a_missing_key_is_told(folder: Path) -> None:
    (folder / "exits.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="kind: found nothing"):
        load_reader(str(folder))


def test_missing_stages_are_told_at_the_first_question(folder: Path) -> None:
    reader = load_reader(str(folder))
    with pytest.raises(InputError, match=r"stage-0\.onnx"):
        reader.answer([LabelItem(id="0", text="字")])


def test_items_of_another_kind_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="texts to label"):
        load_reader(str(folder)).answer([SpanItem(id="0", passage="字", question="字")])


def test_other_readers_have_no_exits(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="multi-exit reader"):
        load_reader("zh", exit="layer:2")


def test_rules_change_the_fingerprint(folder: Path) -> None:
    one, other = (load_reader(str(folder), exit=rule).fingerprint for rule in ("layer:2", "layer:3"))
    assert one != other


def test_predictions_of_two_readers_do_not_share_a_folder(tmp_path: Path) -> None:
    (tmp_path / "model_to_eval.py").write_text("other", encoding="utf-8")
    with pytest.raises(InputError, match="another reader"):
        check_model_file(model_file(BASE), tmp_path / "predictions.jsonl")
