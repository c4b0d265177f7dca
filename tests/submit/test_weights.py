"""Parameters are counted as those who wrote the weights count them; nothing is loaded."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from readproof.readers.shipped import ZH
from readproof.submit.problems import Problems
from readproof.submit.weights import ParameterCounts, count_path
from tests.submit.parts import onnx, pickled, safetensors, torch_zip, zipped


def counted(path: Path) -> tuple[ParameterCounts, list[str]]:
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
        assert counted(tmp_path / name) == (ParameterCounts({name: count}), []), name
    # the same tensor twice is one; a part of it is told for itself
    assert counted(tmp_path / "tied.bin")[0].parameters == 50 * 16 + 2 * 16


def test_a_whole_model_pickled_is_counted_and_told(tmp_path: Path) -> None:
    model = network()
    import torch

    for new in (True, False):
        torch.save(model, tmp_path / "whole.pt", _use_new_zipfile_serialization=new)
        found, codes = counted(tmp_path / "whole.pt")
        assert found.parameters == sum(one.numel() for one in model.parameters())
        assert set(codes) == {"M305"}


def test_safetensors_as_they_are_written(tmp_path: Path) -> None:
    saving = pytest.importorskip("safetensors.numpy", reason="needs the extra [train]")
    tensors = {"w": np.zeros((7, 5), np.float32), "b": np.zeros(5, np.float16), "positions": np.arange(9)}
    saving.save_file(tensors, tmp_path / "model.safetensors")
    assert counted(tmp_path / "model.safetensors") == (ParameterCounts({"model.safetensors": 40}), [])


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
    assert counted(tmp_path / "trap.bin")[1] == ["M304", "M303"]
    assert not mark.exists()


TEXT = b"X\x0e\x00\x00\x00echo PWNED >&2\x85"
DOTTED = b"ctorch._utils\n_import_dotted_name\nX\x09\x00\x00\x00os.system\x85R"
LATER = b"c__main__\nanything\n"


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(DOTTED + TEXT + b"R", id="a name looked up by torch"),
        pytest.param(b"ctorch\nload\n" + TEXT + b"R", id="a function of torch in small letters"),
        pytest.param(b"ctorch.storage\n_load_from_bytes\n" + TEXT + b"R", id="a pickle in a pickle"),
        pytest.param(LATER + TEXT + b"R", id="something of which nothing is known"),
        pytest.param(b"(" + LATER + TEXT + b"o", id="the same as an object"),
        pytest.param(b"(" + TEXT + b"i__main__\nanything\n", id="the same as an instance"),
        pytest.param(
            b"ctorch._tensor\n_rebuild_from_type_v2\n(" + LATER + b"ctorch\nTensor\n" + TEXT + b"}tR",
            id="the same, called by torch",
        ),
        pytest.param(b"ctorch\nTensor\n}b", id="a class of torch is changed"),
        pytest.param(
            b"cbuiltins\nstr\nX\x02\x00\x00\x00os\x85RX\x06\x00\x00\x00system\x93", id="a name made on the way"
        ),
    ],
)
def test_only_what_is_known_may_be_called(code: bytes, tmp_path: Path) -> None:
    (tmp_path / "evil.bin").write_bytes(b"\x80\x02" + code + b".")
    (tmp_path / "evil.pt").write_bytes(torch_zip(pickled(before=code + b"0")))
    assert set(counted(tmp_path / "evil.bin")[1]) == {"M304", "M303"}
    assert set(counted(tmp_path / "evil.pt")[1]) == {"M304"}


def test_each_pickle_of_the_old_format_is_walked(tmp_path: Path) -> None:
    model = network()
    import torch

    out = io.BytesIO()
    torch.save(model.state_dict(), out, _use_new_zipfile_serialization=False)
    whole = out.getvalue()
    # the keys are the last pickle, and the first number behind them is the size of a storage
    at = whole.rindex(b"\x80\x02]q")
    (tmp_path / "a.pt").write_bytes(whole[:at] + b"\x80\x02" + DOTTED + TEXT + b"R." + whole[at:])
    assert "M304" in counted(tmp_path / "a.pt")[1]
    (tmp_path / "b.pt").write_bytes(b"\x80\x02K\x01.cos\nsystem\n(S'ls'\ntR.")
    (tmp_path / "c.pt").write_bytes(b"cos\nsystem\n(S'ls'\ntR")
    for name in ("b.pt", "c.pt"):
        assert counted(tmp_path / name)[1] == ["M304", "M303"], name


def test_weights_cannot_hide_behind_an_old_pickle(tmp_path: Path) -> None:
    (tmp_path / "m.bin").write_bytes(b"\x80\x02N." + bytes(3 << 20))
    assert counted(tmp_path / "m.bin") == (ParameterCounts(unknown=True), ["M306"])
    # a pickle without tensors says nothing about parameters
    for name, data in {"n.bin": b"\x80\x02N.", "o.bin": torch_zip(b"\x80\x02N.")}.items():
        (tmp_path / name).write_bytes(data)
        assert counted(tmp_path / name) == (ParameterCounts(unknown=True), ["M303"]), name


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
@pytest.mark.parametrize("new", [True, False])
def test_tensors_without_a_storage_of_their_own_kind(new: bool, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    tensors = {
        "a": torch.zeros(30, 4).to(torch.float8_e4m3fn),
        "b": torch.zeros(7, dtype=torch.uint16),
        "c": torch.quantize_per_tensor(torch.zeros(5), 0.1, 0, torch.qint8),
        "d": torch.nn.Parameter(torch.zeros(3)),
    }
    torch.save(tensors, tmp_path / "m.bin", _use_new_zipfile_serialization=new)
    assert counted(tmp_path / "m.bin") == (ParameterCounts({"m.bin": 120 + 7 + 5 + 3}), [])


def test_bytes_without_a_kind_are_counted_as_bytes(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    torch.save(
        {"a": torch.zeros(1 << 19, dtype=torch.uint16)}, tmp_path / "m.bin", _use_new_zipfile_serialization=False
    )
    with (tmp_path / "m.bin").open("ab") as file:
        file.write(bytes(3 << 20))
    assert counted(tmp_path / "m.bin")[1] == ["M306"]


def test_a_tensor_of_a_class_of_its_own_is_counted(tmp_path: Path) -> None:
    kind = b"ctorch._tensor\n_rebuild_from_type_v2\n("
    plain = pickled()
    head, tail = plain.index(b"ctorch._utils"), plain.index(b"tRs.")
    called = plain[head:tail].replace(b"_rebuild_tensor_v2\n(", b"_rebuild_tensor_v2\ncmine\nKind\n(", 1)
    (tmp_path / "m.pt").write_bytes(torch_zip(plain[:head] + kind + called + b"t}tRs."))
    assert counted(tmp_path / "m.pt") == (ParameterCounts({"m.pt": 12}), ["M305"])


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    files = {"a.safetensors": b"", "b.bin": torch_zip(pickled()), "c.safetensors": safetensors()}
    (tmp_path / "model.zip").write_bytes(zipped(files))
    found, codes = counted(tmp_path / "model.zip")
    assert (found.parameters, found.unknown, codes) == (24, True, ["M306"])
