"""Weights read back out of an ONNX folder."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from readproof.errors import InputError
from readproof.items import SpanItem
from readproof.readers import load_reader
from readproof.training.adversarial.reading import TorchWindows, WindowReader, preparing
from readproof.training.readerstart import reader_start
from readproof.training.ship import export_reader
from readproof.training.start import read_folder
from tests.training.adversarial.conftest import write_tiny
from tests.training.made import made_items


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The folder of a trained reader."""
    return write_tiny(tmp_path / "tiny")


@pytest.mark.parametrize(("precision", "apart"), [("fp32", 0.0), ("int8", 0.02)])
def test_what_was_exported_is_read_back(tiny: Path, tmp_path: Path, precision: str, apart: float) -> None:
    pytest.importorskip("onnx")
    folder = export_reader(tiny, tmp_path / "onnx", precision=precision, data=())  # type: ignore[arg-type]
    before, after = read_folder(tiny).state(), reader_start(str(folder)).state()
    assert before.keys() == after.keys()
    for name, tensor in before.items():
        assert (tensor - after[name]).abs().max() <= apart * tensor.abs().max().clamp_min(1e-6), name


def test_the_shipped_reader_answers_as_its_graph_does(items: list[SpanItem]) -> None:
    start = reader_start("zh")
    assert start.is_reader and start.layers == 6
    torch.set_num_threads(1)
    model = start.reader(start.state(), dropout=0.0).eval()
    ours = WindowReader(TorchWindows(model), preparing(start, max_tokens=512, overlap=128))
    graph = load_reader("zh", threads=1)
    assert [one.text for one in ours.answer(items)] == [one.text for one in graph.answer(items)]


def test_what_is_no_reader_is_told(start: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without a span head"):
        reader_start(str(start))
    with pytest.raises(InputError, match="no such folder"):
        reader_start(str(tmp_path / "nothing"))
    (tmp_path / "model.onnx").write_bytes(b"")
    (tmp_path / "vocab.txt").write_text("a\n", encoding="utf-8")
    with pytest.raises(InputError, match="readproof export"):
        reader_start(str(tmp_path))


def test_made_items_are_read(tiny: Path) -> None:
    start = reader_start(str(tiny))
    reader = WindowReader(
        TorchWindows(start.reader(start.state(), dropout=0.0)), preparing(start, max_tokens=112, overlap=28)
    )
    assert all(
        answer.text in item.passage for item, answer in zip(made_items(2), reader.answer(made_items(2)), strict=True)
    )
