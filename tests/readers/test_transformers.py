"""Hugging Face folders: the same interface and the same span logic, with a BERT of a few kilobytes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import transformers

from readproof.errors import InputError
from readproof.items import ChoiceItem, SpanItem
from readproof.readers import Reader, load_reader
from tests.readers.tiny import ROWS

PASSAGE = "他生于越南。1963年在中国的公司上有人。"


def saved(folder: Path, kind: str) -> Path:
    import torch

    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(ROWS), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=64, initializer_range=0.5,
    )  # fmt: skip
    getattr(transformers, kind)(config).save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    transformers.BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def spans(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return load_reader(str(saved(tmp_path_factory.mktemp("spans"), "BertForQuestionAnswering")))


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return load_reader(str(saved(tmp_path_factory.mktemp("options"), "BertForMultipleChoice")))


def test_spans_are_cut_from_the_raw_passage(spans: Reader) -> None:
    for passage in ("", "\u200b", PASSAGE, "越\u200b南" + PASSAGE * 20, "a\ud800b 😀 سلام", PASSAGE * 500):
        item = SpanItem(id="1", passage=passage, question="谁？")
        (answer,) = spans.answer([item])
        assert (answer.start is None) == (not answer.raw)
        if answer.start is not None:
            assert passage[answer.start : answer.end] == answer.raw


def test_the_window_is_what_the_tokenizer_makes(spans: Reader) -> None:
    pair = spans.reading.model._pair  # type: ignore[attr-defined]
    expected = pair.tokenizer("谁？", PASSAGE, return_tensors="pt")
    found = pair.window(pair.encode("谁？")[0], pair.encode(PASSAGE)[0])
    assert found.keys() == expected.keys()
    assert all((found[name] == expected[name]).all() for name in found)


def test_order_and_batches_change_nothing(spans: Reader) -> None:
    items = [SpanItem(id=str(n), passage=PASSAGE * (1 + n % 7), question=PASSAGE[n : n + 4]) for n in range(14)]
    alone = {item.id: spans.answer([item])[0] for item in items}
    random.Random(0).shuffle(items)
    assert spans.answer(items) == [alone[item.id] for item in items]


def test_options(options: Reader) -> None:
    items = [
        ChoiceItem(id=str(n), passage=PASSAGE * n, question="哪里？", options=("中国", "越南", "公司"))
        for n in range(9)
    ]
    answers = options.answer(items)
    assert answers == [options.answer([item])[0] for item in items]
    for answer, item in zip(answers, items, strict=True):
        assert len(answer.scores) == 3
        assert answer.choice == answer.scores.index(max(answer.scores))
        assert answer.text == item.options[answer.choice]
    with pytest.raises(InputError, match="SpanItem"):
        options.answer([SpanItem(id="1", passage="一", question="二")])


def test_a_folder_for_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="BertForMaskedLM"):
        load_reader(str(saved(tmp_path, "BertForMaskedLM")))


def test_the_fingerprint_changes_with_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = saved(tmp_path, "BertForQuestionAnswering")
    before = load_reader(str(folder)).fingerprint
    assert load_reader(str(folder)).fingerprint == before
    with monkeypatch.context() as patch:
        patch.setattr("readproof.readers.transformers.FORM_VERSION", 0)
        assert load_reader(str(folder)).fingerprint != before
    (folder / "more.txt").write_text("more", encoding="utf-8")
    assert load_reader(str(folder)).fingerprint != before
