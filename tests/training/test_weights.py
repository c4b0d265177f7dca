from __future__ import annotations

from pathlib import Path

import torch

from readproof.training import weights


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
