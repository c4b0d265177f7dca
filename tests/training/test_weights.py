from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from readproof.errors import InputError
from readproof.training import weights
from readproof.training.encoder import Encoder, Shape


def test_int8_with_its_rest_carries_sixteen_bits() -> None:
    matrix = torch.randn(40, 30)
    state = {"a": matrix, "b": torch.randn(7)}
    rough = weights.unpacked(weights.packed(state))
    fine = weights.unpacked(weights.packed(state, rest=True))
    assert (rough["a"] - matrix).abs().max() < matrix.abs().max() / 127
    assert (fine["a"] - matrix).abs().max() < matrix.abs().max() / 127 / 200
    torch.testing.assert_close(rough["b"], state["b"])


def test_rounding_twice_changes_nothing() -> None:
    once = weights.unpacked(weights.packed({"a": torch.randn(40, 30)}))
    twice = weights.unpacked(weights.packed(once))
    torch.testing.assert_close(once["a"], twice["a"], rtol=1e-6, atol=1e-7)


def test_pieces_are_small_and_come_back_whole(tmp_path: Path) -> None:
    state = {f"layer{number}": torch.randn(50, 100) for number in range(6)}
    paths = weights.write_pieces(weights.packed(state), tmp_path, "student", limit=12_000)
    assert len(paths) > 1
    assert all(path.stat().st_size < 16_000 for path in paths)
    back = weights.read_pieces(paths)
    assert back.keys() == state.keys()


def test_start_weights_are_checked(tmp_path: Path) -> None:
    state = Encoder(Shape(rows=5, hidden=64, layers=1, heads=1, inner=64, positions=8)).state_dict()
    save_file(weights.packed(state), tmp_path / "part-1.safetensors")
    (tmp_path / "vocab.txt").write_text("a\nb\nc\nd\ne\n", encoding="utf-8")
    tensors, tokens = weights.read_start(tmp_path)
    assert tokens == list("abcde")
    assert tensors.keys() == state.keys()
    with pytest.raises(InputError, match="sha256"):
        weights.read_start(tmp_path, checksums={"part-1.safetensors": "0" * 64})
    (tmp_path / "vocab.txt").write_text("a\nb\n", encoding="utf-8")
    with pytest.raises(InputError, match="2 tokens"):
        weights.read_start(tmp_path)
