"""The last layer for [CLS] alone: the same verdicts, to the rounding of its activations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from readproof.readers.cls_only_graph import first_only
from readproof.readers.embedded import session
from readproof.readers.shipped import ZH

MODEL = ZH.folder / "model.onnx"


def test_the_first_token_is_as_before() -> None:
    changed = first_only(MODEL.read_bytes())
    assert changed is not None
    whole, first = session(MODEL, 1), session(MODEL, 1, None, changed)
    random = np.random.default_rng(0)
    for length in (3, 40, 131):
        ids = random.integers(5, 7000, (1, length))
        types = (np.arange(length) >= length // 3).astype(np.int64)[None]
        window = {"ids": ids, "types": types}
        every, one = (made.run(["first", "last"], window) for made in (whole, first))
        for before, after in zip(every, one, strict=True):
            assert after.shape == (1, 1)
            # its activations are rounded by their own reach, no longer by that of all tokens
            assert abs(float(before[0, 0] - after[0, 0])) < 0.25


def test_of_a_graph_that_is_exact_the_answer_is_exact(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from readproof.training.encoder import Encoder, Shape
    from readproof.training.export import span_graph
    from readproof.training.model import SpanReader, plain_state

    torch.manual_seed(0)
    reader = SpanReader(Encoder(Shape(rows=60, hidden=64, layers=3, heads=1, inner=96, positions=48)))
    tensors = {name: tensor.numpy() for name, tensor in plain_state(reader).items()}
    path = tmp_path / "model.onnx"
    path.write_bytes(span_graph(tensors, precision="fp32").SerializeToString())
    changed = first_only(path.read_bytes())
    whole, first = session(path, 1), session(path, 1, None, changed)
    window = {"ids": np.arange(5, 45)[None], "types": np.zeros((1, 40), dtype=np.int64)}
    for before, after in zip(whole.run(["first", "last"], window), first.run(["first", "last"], window), strict=True):
        assert np.allclose(before[:, :1], after, atol=1e-5)


def test_another_graph_is_left_alone() -> None:
    assert first_only(b"") is None
    assert first_only(b"\x3a\x00") is None
    assert first_only(b"no model at all") is None
