"""A multi-exit model as ONNX graphs, one a stage, out of the same parts as a span reader's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import onnx
from onnx import TensorProto, helper

from readproof.readers.exits.manner import ExitManner
from readproof.readers.exits.stages import stage_takes
from readproof.training.export import Array, Graph, Precision, embedded, layer_nodes, model_of, some_nodes

_KINDS = {"active": TensorProto.INT64, "places": TensorProto.INT64, "below": TensorProto.FLOAT}


def stage_graphs(
    tensors: Mapping[str, Array],
    manner: ExitManner,
    *,
    precision: Precision = "int8",
    ranges: Mapping[str, Array] | None = None,
) -> Iterator[onnx.ModelProto]:
    """The embeddings, then the layers up to each exit with its head, out of `MultiExit.state_dict`."""
    yield _embeddings(tensors, manner, precision)
    below = 0
    for layer in manner.exits:
        yield _stage(tensors, manner, range(below, layer), precision, ranges or {})
        below = layer


def _embeddings(tensors: Mapping[str, Array], manner: ExitManner, precision: Precision) -> onnx.ModelProto:
    graph = Graph(precision)
    graph.node("Identity", [embedded(graph, tensors)], "hidden")
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "length"]) for name in ("ids", "types")]
    return model_of(graph, given, [_hidden("hidden", manner)])


def _stage(
    tensors: Mapping[str, Array],
    manner: ExitManner,
    layers: range,
    precision: Precision,
    ranges: Mapping[str, Array],
) -> onnx.ModelProto:
    graph = Graph(precision, ranges)
    hidden = some = "below"
    tags = manner.kind == "tags"
    if tags:
        some = graph.node("Gather", ["below", "active"], "some", axis=1)
    for number in layers:
        name = f"bert.encoder.layer.{number}"
        if tags:
            some = some_nodes(graph, hidden, some, tensors, name, manner.heads)
            hidden = _put_back(graph, hidden, some, name)
        else:
            hidden = layer_nodes(graph, hidden, tensors, name, manner.heads)
    graph.node("Identity", [hidden], "hidden")
    seen = some if tags else _seen(graph, hidden, manner)
    graph.node("Identity", [_head(graph, seen, tensors, layers[-1] + 1, manner)], "scores")
    takes = stage_takes(manner)
    given = [_hidden(name, manner) if name == "below" else _numbers(name) for name in takes]
    said = [_hidden("hidden", manner), helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, "scored", "out"])]
    return model_of(graph, given, said)


def _put_back(graph: Graph, hidden: str, some: str, name: str) -> str:
    """The tokens that were worked out, at their places among those that were not."""
    axes = graph.weight("axes", np.array([0, 2], dtype=np.int64))
    index = graph.node("Unsqueeze", ["active", axes], f"{name}.index")
    wide = graph.node("Expand", [index, graph.node("Shape", [some], f"{name}.size")], f"{name}.wide")
    return graph.node("ScatterElements", [hidden, wide, some], f"{name}.together", axis=1)


def _seen(graph: Graph, hidden: str, manner: ExitManner) -> str:
    if manner.kind == "spans":
        return hidden
    if manner.pool == "mean":
        return graph.node("ReduceMean", [hidden], "mean", axes=[1], keepdims=1)
    return graph.node("Gather", [hidden, "places"], "placed", axis=1)


def _head(graph: Graph, seen: str, tensors: Mapping[str, Array], layer: int, manner: ExitManner) -> str:
    head = Graph("fp32", {}, graph.nodes, graph.weights)
    name = f"exits.{layer}"
    if manner.pooled:
        pooled = head.dense(seen, tensors[f"{name}.pool.weight"], tensors[f"{name}.pool.bias"], f"{name}.pool")
        seen = head.node("Tanh", [pooled], f"{name}.tanh")
    return head.dense(seen, tensors[f"{name}.score.weight"], tensors[f"{name}.score.bias"], f"{name}.score")


def _hidden(name: str, manner: ExitManner) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "length", manner.hidden])


def _numbers(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, _KINDS[name], [f"n_{name}"])
