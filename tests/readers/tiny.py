"""A reader of a few kilobytes with chance weights: it answers nonsense, but by the same way as the real one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from readproof.readers.vocabulary import SPECIAL, whole

HIDDEN = 8
CHARACTERS = "的一是在中国人有上大这为和年他生于越南主教？。，什么时候谁哪里名字公司开发战无双"
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,!?"
ROWS = [*SPECIAL, *CHARACTERS, *LETTERS, *(f"##{one}" for one in LETTERS)]


def save_tiny(folder: Path, *, seed: int = 0, card: dict[str, Any] | None = None, positions: int = 0) -> Path:
    """model.onnx, vocab.txt and reader.json. A token's scores hang on itself, on the two beside it, and on the mean.

    With `positions` it can read no window longer than that, as a real one.
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    chance = np.random.default_rng(seed)
    weights = {
        "table": chance.normal(size=(len(ROWS), HIDDEN)),
        "types_table": chance.normal(size=(2, HIDDEN)),
        "kernel": chance.normal(size=(HIDDEN, HIDDEN, 3)),
        "out": 3 * chance.normal(size=(HIDDEN, 2)),
    }
    nodes = [
        helper.make_node("Gather", ["table", "ids"], ["words"]),
        helper.make_node("Gather", ["types_table", "types"], ["kinds"]),
        helper.make_node("Add", ["words", "kinds"], ["placed" if positions else "both"]),
        helper.make_node("Transpose", ["both"], ["turned"], perm=[0, 2, 1]),
        helper.make_node("Conv", ["turned", "kernel"], ["mixed"], pads=[1, 1]),
        helper.make_node("ReduceMean", ["turned"], ["mean"], axes=[2], keepdims=1),
        helper.make_node("Mul", ["mixed", "mean"], ["asked"]),
        helper.make_node("Add", ["mixed", "asked"], ["summed"]),
        helper.make_node("Tanh", ["summed"], ["bent"]),
        helper.make_node("Transpose", ["bent"], ["back"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["back", "out"], ["scores"]),
        helper.make_node("Split", ["scores"], ["one", "other"], axis=2),
        helper.make_node("Squeeze", ["one", "axis"], ["first"]),
        helper.make_node("Squeeze", ["other", "axis"], ["last"]),
    ]
    if positions:
        weights["positions_table"] = np.zeros((positions, HIDDEN))
        nodes[3:3] = [
            helper.make_node("Shape", ["ids"], ["length"], start=1),
            helper.make_node("Squeeze", ["length", "zero_axis"], ["count"]),
            helper.make_node("Range", ["zero", "count", "one_step"], ["places"]),
            helper.make_node("Gather", ["positions_table", "places"], ["positions"]),
            helper.make_node("Add", ["placed", "positions"], ["both"]),
        ]
    tensors = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()]
    tensors.append(numpy_helper.from_array(np.array([2], dtype=np.int64), "axis"))
    if positions:
        numbers = {"zero_axis": [0], "zero": 0, "one_step": 1}
        tensors += [numpy_helper.from_array(np.array(value, dtype=np.int64), name) for name, value in numbers.items()]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"]) for name in ("ids", "types")],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "n"]) for name in ("first", "last")],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(folder / "model.onnx"))
    whole(ROWS).save(folder)
    if card is not None:
        (folder / "reader.json").write_text(json.dumps(card), encoding="utf-8")
    return folder
