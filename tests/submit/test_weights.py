"""Parameters are counted as those who wrote the weights count them; nothing is loaded."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from readproof.readers.shipped import ZH
from readproof.submit.problems import Problems
from readproof.submit.weights import Weights, count_path
from tests.submit.parts import onnx, pickled, safetensors, torch_zip, zipped


def counted(path: Path) -> tuple[Weights, list[str]]:
    problems = Problems()
    return count_path(path, problems), [one.code for one in problems]


def network() -> Any:
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    layers = torch.nn
    return layers.Sequential(
        layers.Embedding(50, 16), layers.Linear(16, 32), layers.LayerNorm(32), layers.Linear(32, 3)
    )


def test_pytorch_in_both_its_formats(tmp_path: Path) -> None:
    model = network()
    import torch

    count = sum(one.numel() for one in model.parameters())
    half = {name: one.half() for name, one in model.state_dict().items()}
    torch.save(model.state_dict(), tmp_path / "new.bin")
    torch.save(model.state_dict(), tmp_path / "old.pt", _use_new_zipfile_serialization=False)
    torch.save({"epoch": 3, "model": half, "seen": torch.arange(9)}, tmp_path / "more.pth")
    torch.save(dict(model.named_parameters()), tmp_path / "parameters.bin")
    tied = {"a": model[0].weight, "b": model[0].weight, "c": model[0].weight[:2]}
    torch.save(tied, tmp_path / "tied.bin")
    for name in ("new.bin", "old.pt", "more.pth", "parameters.bin"):
        assert counted(tmp_path / name) == (Weights({name: count}), []), name
    # the same tensor twice is one; a part of it is told for itself
    assert counted(tmp_path / "tied.bin")[0].parameters == 50 * 16 + 2 * 16


def test_a_whole_model_pickled_is_counted_and_told(tmp_path: Path) -> None:
    model = network()
    import torch

    torch.save(model, tmp_path / "whole.pt")
    found, codes = counted(tmp_path / "whole.pt")
    assert found.parameters == sum(one.numel() for one in model.parameters())
    assert set(codes) == {"M305"}


def test_safetensors_as_they_are_written(tmp_path: Path) -> None:
    saving = pytest.importorskip("safetensors.numpy", reason="needs the extra [train]")
    tensors = {"w": np.zeros((7, 5), np.float32), "b": np.zeros(5, np.float16), "positions": np.arange(9)}
    saving.save_file(tensors, tmp_path / "model.safetensors")
    assert counted(tmp_path / "model.safetensors") == (Weights({"model.safetensors": 40}), [])


def test_numpy_onnx_and_the_shipped_reader(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((3, 4), np.float32))
    np.savez_compressed(tmp_path / "b.npz", x=np.zeros((3, 4), np.int8), ids=np.arange(10))
    (tmp_path / "c.onnx").write_bytes(onnx(30, 40))
    found, codes = counted(tmp_path)
    assert (sorted(found.counted.values()), codes) == ([12, 12, 1200], [])
    shipped, codes = counted(ZH.folder)
    told = ZH.card().parameters
    # scales of quantised weights are numbers too
    assert told is not None and codes == [] and 0 <= shipped.parameters - told < 0.005 * told


def test_onnx_as_its_own_package_writes_it(tmp_path: Path) -> None:
    helper = pytest.importorskip("onnx.helper", reason="needs the extra [train]")
    import onnx as package

    weight = helper.make_tensor("w", 1, [3, 4], np.zeros(12, np.float32).tobytes(), raw=True)
    shape = helper.make_tensor("s", 7, [2], [3, 4])
    constant = helper.make_node("Constant", [], ["c"], value=helper.make_tensor("v", 1, [5], [0.0] * 5))
    graph = helper.make_graph([constant], "g", [], [], [weight, shape])
    package.save(helper.make_model(graph), str(tmp_path / "m.onnx"))
    assert counted(tmp_path / "m.onnx")[0].parameters == 12 + 5


def test_weights_beside_an_onnx_model_count_once(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(onnx(30, 40, outside="m.bin"))
    (tmp_path / "m.bin").write_bytes(bytes(4800))
    assert counted(tmp_path)[0].parameters == 1200
    assert counted(tmp_path)[1] == []


def test_no_pickle_is_ever_opened(tmp_path: Path) -> None:
    """The proof of it: this one writes a file when it is loaded."""
    mark = tmp_path / "mark"

    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return open, (str(mark), "w")

    (tmp_path / "trap.bin").write_bytes(torch_zip(pickle.dumps({"x": Trap()}, protocol=2)))
    assert counted(tmp_path / "trap.bin")[1] == ["M304"]
    assert not mark.exists()


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    files = {"a.safetensors": b"", "b.bin": torch_zip(pickled()), "c.safetensors": safetensors()}
    (tmp_path / "model.zip").write_bytes(zipped(files))
    found, codes = counted(tmp_path / "model.zip")
    assert (found.parameters, found.unknown, codes) == (24, True, ["M306"])
