"""Encoders whose heads are not 64 wide, under a Unigram vocabulary: kept, exported and read back as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from readproof.items import Gold, SpanItem
from readproof.readers import load_reader
from readproof.training.encoder import HEADS, Encoder, Shape, chosen_layers, encoder_from, shape_of
from readproof.training.model import reader_from
from readproof.training.readerstart import reader_start
from readproof.training.ship import export_reader
from readproof.training.start import BertStart, read_folder
from tests.readers.test_likeliest_pieces import vocabulary

PASSAGE = "دانشگاه تهران در سال ۱۳۱۳ در شهر تهران ساخته شد. این شهر می\u200cرود و می\u200cآید."


def items() -> list[SpanItem]:
    asked = {"دانشگاه در چه سالی ساخته شد؟": "سال ۱۳۱۳", "دانشگاه در چه شهری است؟": "تهران"}
    return [
        SpanItem(id=text, passage=PASSAGE, question=one, golds=(Gold(text, PASSAGE.index(text)),))
        for one, text in asked.items()
    ]


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    torch.manual_seed(3)
    words = vocabulary()
    shape = Shape(rows=len(words), hidden=64, layers=2, heads=4, inner=96, positions=64)
    encoder = Encoder(shape)
    for parameter in encoder.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    start = BertStart(dict(encoder.state_dict()), words, tmp_path)
    state = reader_from(start.state()).state_dict()
    return start.write(tmp_path / "trained", state, {"language": "fa"}, max_tokens=64)


def test_the_number_of_heads_goes_with_the_tensors() -> None:
    shape = Shape(rows=9, hidden=128, layers=2, heads=8, inner=32, positions=8)
    state = Encoder(shape).state_dict()
    assert shape_of(state).heads == 8 and encoder_from(chosen_layers(state, (1,))).shape.heads == 8
    usual = Encoder(Shape(rows=9, hidden=128, layers=1, heads=2, inner=32, positions=8)).state_dict()
    assert HEADS not in usual and shape_of(usual).heads == 2


def test_a_folder_is_read_as_it_was_written(trained: Path) -> None:
    start = read_folder(trained)
    assert shape_of(start.tensors).heads == 4
    again = start.write(trained.parent / "again", start.state(), {}, max_tokens=64)
    assert (again / "model.safetensors").read_bytes() == (trained / "model.safetensors").read_bytes()


def test_every_form_gives_the_same_answers(trained: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("transformers")
    exact = export_reader(trained, tmp_path / "fp32", precision="fp32")
    small = export_reader(trained, tmp_path / "int8", precision="int8")
    asked = items()
    by_transformers = load_reader(str(trained), threads=1).answer(asked)
    by_graph = load_reader(str(exact), threads=1).answer(asked)
    # transformers reads with four heads because its configuration says so: a graph of one would answer otherwise
    for one, other in zip(by_transformers, by_graph, strict=True):
        assert (one.text, one.start, one.end) == (other.text, other.start, other.end)
        assert one.scores == pytest.approx(other.scores, abs=1e-3)
    for item, answer in zip(asked, load_reader(str(small), threads=1).answer(asked), strict=True):
        assert PASSAGE[answer.start : answer.end] == answer.raw
        assert answer.scores == pytest.approx(by_graph[asked.index(item)].scores, rel=0.2, abs=0.5)


@pytest.mark.parametrize(("precision", "apart"), [("fp32", 0.0), ("int8", 0.02)])
def test_what_was_exported_is_a_start_again(trained: Path, tmp_path: Path, precision: str, apart: float) -> None:
    pytest.importorskip("onnx")
    folder = export_reader(trained, tmp_path / "onnx", precision=precision)  # type: ignore[arg-type]
    before, after = read_folder(trained).state(), reader_start(str(folder)).state()
    assert before.keys() == after.keys()
    for name, tensor in before.items():
        assert (tensor - after[name]).abs().max() <= apart * tensor.abs().max().clamp_min(1e-6), name


def test_windows_have_the_frame_and_no_text_breaks_it(trained: Path) -> None:
    start = read_folder(trained)
    more = "[SEP] [CLS]"
    spelt = [replace(item, passage=f"{PASSAGE} {more}", question=f"{more} {item.question}") for item in items()]
    prepared = start.prepared(spelt, max_tokens=64, overlap=16)
    ids = start.vocabulary.ids()
    for at in range(len(prepared.windows)):
        window = prepared.windows.ids[prepared.windows.offsets[at] : prepared.windows.offsets[at + 1]].tolist()
        assert window[0] == ids["[CLS]"] and window[-1] == ids["[SEP]"] and window.count(ids["[SEP]"]) == 2
    assert all(question.golds for question in prepared.questions)
