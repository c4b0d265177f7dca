"""A trained reader as an ONNX graph, written out node by node: fused operators, no padding, int8 weights if wanted.

One window a call. Dynamic quantisation takes one activation scale over the whole tensor, so windows that share a call
would change each other's answers; alone, a window is always read the same. Weights have a scale for each output column,
embeddings one for each row. A few channels of BERT carry values ten times the others' and would coarsen the scale for
all: `ranges` says how far each channel reaches, and what reaches too far is drawn in before quantising and paid back in
the weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from readproof.readers.adapter import rounded
from readproof.training.encoder import HEADS, heads_of

Precision = Literal["fp32", "int8"]
Array = NDArray[Any]

_OPSET = 17
_IR = 9
_FUSED = "com.microsoft"
_EPSILON = 1e-12
# chosen on held-out training questions by the divergence from the unquantised reader (0.0110 without, 0.0013 with)
_FAR = 0.98
_DRAWN = 0.75
_BOTH = ("weight", "bias")


@dataclass(slots=True)
class Graph:
    """Nodes and weights as they are added; every node has one output and returns its name."""

    precision: Precision
    ranges: Mapping[str, Array] = field(default_factory=dict)
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: dict[str, onnx.TensorProto] = field(default_factory=dict)

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def weight(self, name: str, value: Array) -> str:
        self.weights[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def dense(self, hidden: str, weight: Array, bias: Array | None, name: str) -> str:
        """hidden × weightᵀ (+ bias); the weight as PyTorch has it, a row an output."""
        table = weight.T.astype(np.float32)
        if self.precision == "fp32":
            product = self.node("MatMul", [hidden, self.weight(f"{name}.weight", table)], f"{name}.product")
            if bias is None:
                return product
            return self.node("Add", [product, self.weight(f"{name}.bias", bias.astype(np.float32))], f"{name}.out")
        if name in self.ranges:
            far = drawn_in(self.ranges[name])
            drawn = self.weight(f"{name}.drawn", (1.0 / far).astype(np.float32))
            hidden = self.node("Mul", [hidden, drawn], f"{name}.in")
            table = table * far[:, None]
        whole, scale = rounded(table, axis=0)
        inputs = [hidden, self.weight(f"{name}.weight", whole), self.weight(f"{name}.scale", scale)]
        if bias is not None:
            inputs += ["", self.weight(f"{name}.bias", bias.astype(np.float32))]
        return self.node("DynamicQuantizeMatMul", inputs, f"{name}.out", domain=_FUSED)

    def lookup(self, table: Array, index: str, name: str) -> str:
        """Rows of a table."""
        if self.precision == "fp32":
            return self.node("Gather", [self.weight(name, table.astype(np.float32)), index], f"{name}.rows")
        whole, scale = rounded(table, axis=1)
        rows = self.node("Gather", [self.weight(name, whole), index], f"{name}.int8")
        wide = self.node("Cast", [rows], f"{name}.float", to=TensorProto.FLOAT)
        scales = self.node("Gather", [self.weight(f"{name}.scale", scale[:, None]), index], f"{name}.scales")
        return self.node("Mul", [wide, scales], f"{name}.rows")

    def added_and_normalised(self, one: str, other: str, tensors: Mapping[str, Array], name: str) -> str:
        gamma = self.weight(f"{name}.gamma", tensors[f"{name}.weight"].astype(np.float32))
        beta = self.weight(f"{name}.beta", tensors[f"{name}.bias"].astype(np.float32))
        inputs = [one, other, gamma, beta]
        return self.node("SkipLayerNormalization", inputs, f"{name}.out", domain=_FUSED, epsilon=_EPSILON)


def drawn_in(reach: Array) -> Array:
    """By how much each channel is divided: most by one, those beyond the 98th percentile by most of their excess."""
    return np.asarray(np.maximum(reach / np.quantile(reach, _FAR), 1.0) ** _DRAWN)


def span_graph(
    tensors: Mapping[str, Array],
    *,
    precision: Precision = "int8",
    heads: int = 0,
    ranges: Mapping[str, Array] | None = None,
) -> onnx.ModelProto:
    """The graph of a span reader out of `SpanReader.state_dict`: `ids`, `types` [1, n] → `first`, `last` [1, n]."""
    graph = Graph(precision, ranges or {})
    hidden = embedded(graph, tensors)
    heads = heads or heads_of(tensors, tensors["bert.encoder.layer.0.attention.self.query.weight"].shape[0], "bert.")
    if f"bert.{HEADS}" in tensors:
        # no node takes it: it is for those who read the weights back out of the graph
        graph.weight(HEADS, np.asarray(heads, dtype=np.float32))
    number = 0
    while f"bert.encoder.layer.{number}.output.dense.weight" in tensors:
        hidden = layer_nodes(graph, hidden, tensors, f"bert.encoder.layer.{number}", heads)
        number += 1
    head = Graph("fp32", {}, graph.nodes, graph.weights)
    scores = head.dense(hidden, tensors["qa_outputs.weight"], tensors["qa_outputs.bias"], "head")
    for at, name in enumerate(("first", "last")):
        index = graph.weight(f"{name}.index", np.array(at, dtype=np.int64))
        graph.node("Gather", [scores, index], name, axis=2)
    return _model(graph)


def embedded(graph: Graph, tensors: Mapping[str, Array]) -> str:
    """The nodes of the embeddings, from `ids` and `types`."""
    prefix = "bert.embeddings"
    words = graph.lookup(tensors[f"{prefix}.word_embeddings.weight"], "ids", "words")
    size = graph.node("Shape", ["ids"], "shape")
    length = graph.node("Gather", [size, graph.weight("one", np.array(1, dtype=np.int64))], "length")
    step = graph.weight("step", np.array(1, dtype=np.int64))
    places = graph.node("Range", [graph.weight("zero", np.array(0, dtype=np.int64)), length, step], "places")
    positions = graph.lookup(tensors[f"{prefix}.position_embeddings.weight"], places, "positions")
    kinds = Graph("fp32", {}, graph.nodes, graph.weights).lookup(
        tensors[f"{prefix}.token_type_embeddings.weight"], "types", "kinds"
    )
    summed = graph.node("Add", [words, kinds], "words.and.kinds")
    placed = graph.node("Add", [summed, positions], "embedded")
    gamma = graph.weight("embeddings.gamma", tensors[f"{prefix}.LayerNorm.weight"].astype(np.float32))
    beta = graph.weight("embeddings.beta", tensors[f"{prefix}.LayerNorm.bias"].astype(np.float32))
    normal = graph.node("LayerNormalization", [placed, gamma, beta], "embeddings.out", axis=-1, epsilon=_EPSILON)
    wider = "bert.embeddings_project"
    if f"{wider}.weight" not in tensors:
        return normal
    return graph.dense(normal, tensors[f"{wider}.weight"], tensors[f"{wider}.bias"], "embeddings.wide")


def layer_nodes(graph: Graph, hidden: str, tensors: Mapping[str, Array], name: str, heads: int) -> str:
    """The nodes of one layer."""
    parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
    weight = np.concatenate([tensors[f"{part}.weight"] for part in parts])
    bias = np.concatenate([tensors[f"{part}.bias"] for part in parts])
    # one product for all three: the activations are quantised once
    together = graph.dense(hidden, weight, bias, f"{name}.qkv")
    split = [f"{name}.{part}" for part in ("query", "key", "value")]
    graph.nodes.append(helper.make_node("Split", [together], split, name=f"{name}.split", axis=2))
    mixed = graph.node("MultiHeadAttention", split, f"{name}.mixed", domain=_FUSED, num_heads=heads)
    return _after_attention(graph, mixed, hidden, tensors, name)


def some_nodes(graph: Graph, hidden: str, some: str, tensors: Mapping[str, Array], name: str, heads: int) -> str:
    """The nodes of one layer for some tokens alone, which read all of `hidden`."""
    own = f"{name}.attention.self"
    query = graph.dense(some, tensors[f"{own}.query.weight"], tensors[f"{own}.query.bias"], f"{name}.query")
    weight, bias = (np.concatenate([tensors[f"{own}.{part}.{one}"] for part in ("key", "value")]) for one in _BOTH)
    together = graph.dense(hidden, weight, bias, f"{name}.kv")
    split = [f"{name}.{part}" for part in ("key", "value")]
    graph.nodes.append(helper.make_node("Split", [together], split, name=f"{name}.split", axis=2))
    mixed = graph.node("MultiHeadAttention", [query, *split], f"{name}.mixed", domain=_FUSED, num_heads=heads)
    return _after_attention(graph, mixed, some, tensors, name)


def _after_attention(graph: Graph, mixed: str, hidden: str, tensors: Mapping[str, Array], name: str) -> str:
    dense = f"{name}.attention.output.dense"
    attended = graph.dense(mixed, tensors[f"{dense}.weight"], tensors[f"{dense}.bias"], dense)
    middle = graph.added_and_normalised(attended, hidden, tensors, f"{name}.attention.output.LayerNorm")
    inner = f"{name}.intermediate.dense"
    wide = graph.dense(middle, tensors[f"{inner}.weight"], None, inner)
    shift = graph.weight(f"{inner}.shift", tensors[f"{inner}.bias"].astype(np.float32))
    bent = graph.node("BiasGelu", [wide, shift], f"{inner}.gelu", domain=_FUSED)
    outer = f"{name}.output.dense"
    narrow = graph.dense(bent, tensors[f"{outer}.weight"], tensors[f"{outer}.bias"], outer)
    return graph.added_and_normalised(narrow, middle, tensors, f"{name}.output.LayerNorm")


def _model(graph: Graph) -> onnx.ModelProto:
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "length"]) for name in ("ids", "types")]
    said = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "length"]) for name in ("first", "last")]
    return model_of(graph, given, said)


def model_of(
    graph: Graph, given: Sequence[onnx.ValueInfoProto], said: Sequence[onnx.ValueInfoProto]
) -> onnx.ModelProto:
    """The model of a graph with these inputs and outputs."""
    built = helper.make_graph(graph.nodes, "reader", given, said, list(graph.weights.values()))
    domains = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    return helper.make_model(built, opset_imports=domains, ir_version=_IR, producer_name="readproof")
