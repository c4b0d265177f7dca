"""The exported graph says what the trained reader says: to rounding in fp32, closely in int8, one window a call."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from readproof.readers.vocabulary import Vocabulary
from readproof.training.measure import EvalSet
from readproof.training.model import SpanReader, plain_state
from readproof.training.windows import collate

onnxruntime = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")


def _tensors(reader: SpanReader) -> dict[str, np.ndarray]:
    return {name: tensor.numpy() for name, tensor in plain_state(reader).items()}


def _said(model: object, reader: SpanReader, prepared: EvalSet, at: int) -> tuple[np.ndarray, np.ndarray]:
    """First scores of one window: the graph's and the reader's."""
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    batch = collate(prepared.windows, np.array([at]))
    length = int(batch.mask.sum())
    ids, types = (tensor[:, :length] for tensor in (batch.ids, batch.types))
    first, last = session.run(["first", "last"], {"ids": ids.numpy(), "types": types.numpy()})
    with torch.inference_mode():
        expected = reader.eval().qa_outputs(reader.bert(ids, types, None).last)[0].numpy()
    return np.stack([first[0], last[0]], axis=1), expected


def test_fp32_is_the_reader(reader: SpanReader, prepared: EvalSet) -> None:
    from readproof.training.export import span_graph

    model = span_graph(_tensors(reader), precision="fp32")
    for at in range(min(4, len(prepared.windows))):
        found, expected = _said(model, reader, prepared, at)
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_int8_is_close_and_small(reader: SpanReader, prepared: EvalSet) -> None:
    from readproof.training.export import span_graph
    from readproof.training.ranges import channel_ranges

    tensors = _tensors(reader)
    ranges = channel_ranges(reader, prepared.windows)
    assert any(name.endswith("qkv") for name in ranges)
    whole = span_graph(tensors, precision="fp32")
    small = span_graph(tensors, precision="int8", ranges=ranges)
    assert len(small.SerializeToString()) < 0.5 * len(whole.SerializeToString())
    found, expected = _said(small, reader, prepared, 0)
    spread = np.abs(expected).max()
    assert np.abs(found - expected).max() < 0.1 * max(spread, 0.1)


def test_channels_that_reach_far_are_drawn_in() -> None:
    from readproof.training.export import drawn_in

    reach = np.ones(100)
    reach[3] = 50.0
    divided = drawn_in(reach)
    assert divided[3] > 10
    assert (np.delete(divided, 3) == 1.0).all()


def test_a_written_reader_becomes_a_folder_that_reads(
    reader: SpanReader, prepared: EvalSet, vocabulary: Vocabulary, made: Path, tmp_path: Path
) -> None:
    from readproof.readers.factory import load_reader
    from readproof.training.checkpoint import write_checkpoint
    from readproof.training.ship import export_reader

    folder = tmp_path / "trained"
    write_checkpoint(folder, plain_state(reader), vocabulary, {})
    items = [question.item for question in prepared.questions]
    for precision in ("fp32", "int8"):
        out = export_reader(folder, tmp_path / precision, precision=precision, data=[str(made)])
        answers = load_reader(str(out)).answer(items[:3])
        assert [answer.id for answer in answers] == [item.id for item in items[:3]]
        for item, answer in zip(items, answers, strict=False):
            assert answer.start is not None
            assert item.passage[answer.start : answer.end] == answer.raw
