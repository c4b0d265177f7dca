"""A trained multi-exit model written as a reader's folder: stages, vocabulary, exits.json, card and notes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper

from readproof.files import check_folder, writing
from readproof.items import Answer, Item
from readproof.readers.card import FILE as CARD
from readproof.readers.exits.asking import answer_of
from readproof.readers.exits.config import ExitConfig, write_manner
from readproof.readers.exits.deciding import Decision
from readproof.readers.exits.stages import stage_name, stage_takes
from readproof.readers.exits.trace import parameters, token_chain
from readproof.readers.vocabulary import Vocabulary
from readproof.training.export import Array, Graph, Precision, embedded, layer_nodes, model_of, some_nodes
from readproof.training.measure import autocast
from readproof.training.model import plain_state
from readproof.training.multi_exit.model import MultiExit
from readproof.training.multi_exit.sets import UnitRows
from readproof.training.ranges import watched

# A multi-exit model as ONNX graphs, one a stage, out of the same parts as a span reader's.

_KINDS = {"active": TensorProto.INT64, "places": TensorProto.INT64, "below": TensorProto.FLOAT}


def stage_graphs(
    tensors: Mapping[str, Array],
    config: ExitConfig,
    *,
    precision: Precision = "int8",
    ranges: Mapping[str, Array] | None = None,
) -> Iterator[onnx.ModelProto]:
    """The embeddings, then the layers up to each exit with its head, out of `MultiExit.state_dict`."""
    yield _embeddings(tensors, config, precision)
    below = 0
    for layer in config.exits:
        yield _stage(tensors, config, range(below, layer), precision, ranges or {})
        below = layer


def _embeddings(tensors: Mapping[str, Array], config: ExitConfig, precision: Precision) -> onnx.ModelProto:
    graph = Graph(precision)
    graph.node("Identity", [embedded(graph, tensors)], "hidden")
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "length"]) for name in ("ids", "types")]
    return model_of(graph, given, [_hidden("hidden", config)])


def _stage(
    tensors: Mapping[str, Array],
    config: ExitConfig,
    layers: range,
    precision: Precision,
    ranges: Mapping[str, Array],
) -> onnx.ModelProto:
    graph = Graph(precision, ranges)
    hidden = some = "below"
    tags = config.kind == "tags"
    if tags:
        some = graph.node("Gather", ["below", "active"], "some", axis=1)
    for number in layers:
        name = f"bert.encoder.layer.{number}"
        if tags:
            some = some_nodes(graph, hidden, some, tensors, name, config.heads)
            hidden = _put_back(graph, hidden, some, name)
        else:
            hidden = layer_nodes(graph, hidden, tensors, name, config.heads)
    graph.node("Identity", [hidden], "hidden")
    seen = some if tags else _seen(graph, hidden, config)
    graph.node("Identity", [_head(graph, seen, tensors, layers[-1] + 1, config)], "scores")
    takes = stage_takes(config)
    given = [_hidden(name, config) if name == "below" else _numbers(name) for name in takes]
    said = [_hidden("hidden", config), helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, "scored", "out"])]
    return model_of(graph, given, said)


def _put_back(graph: Graph, hidden: str, some: str, name: str) -> str:
    """The tokens that were worked out, at their places among those that were not."""
    axes = graph.weight("axes", np.array([0, 2], dtype=np.int64))
    index = graph.node("Unsqueeze", ["active", axes], f"{name}.index")
    wide = graph.node("Expand", [index, graph.node("Shape", [some], f"{name}.size")], f"{name}.wide")
    return graph.node("ScatterElements", [hidden, wide, some], f"{name}.together", axis=1)


def _seen(graph: Graph, hidden: str, config: ExitConfig) -> str:
    if config.kind == "spans":
        return hidden
    if config.pool == "mean":
        return graph.node("ReduceMean", [hidden], "mean", axes=[1], keepdims=1)
    return graph.node("Gather", [hidden, "places"], "placed", axis=1)


def _head(graph: Graph, seen: str, tensors: Mapping[str, Array], layer: int, config: ExitConfig) -> str:
    head = Graph("fp32", {}, graph.nodes, graph.weights)
    name = f"exits.{layer}"
    if config.pooled:
        pooled = head.dense(seen, tensors[f"{name}.pool.weight"], tensors[f"{name}.pool.bias"], f"{name}.pool")
        seen = head.node("Tanh", [pooled], f"{name}.tanh")
    return head.dense(seen, tensors[f"{name}.score.weight"], tensors[f"{name}.score.bias"], f"{name}.score")


def _hidden(name: str, config: ExitConfig) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "length", config.hidden])


def _numbers(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, _KINDS[name], [f"n_{name}"])


_SPAN_SIZES = {"overlap": 128, "question_tokens": 64}


def write_reader(
    folder: Path,
    model: MultiExit,
    vocabulary: Vocabulary,
    *,
    precision: Precision = "int8",
    batches: Iterable[Any] = (),
    name: str = "",
    notes: Mapping[str, Any] | None = None,
    card: Mapping[str, Any] | None = None,
) -> Path:
    """A folder that `load_reader` opens; `batches` of one row each show how far the activations reach.

    `card` is what reader.json says besides, such as when a span reader has read enough windows.
    """
    check_folder(folder)
    config = model.config
    folder.mkdir(parents=True, exist_ok=True)
    ranges = exit_ranges(model, batches) if precision == "int8" else {}
    tensors = {key: tensor.numpy() for key, tensor in plain_state(model).items()}
    for number, graph in enumerate(stage_graphs(tensors, config, precision=precision, ranges=ranges)):
        part = folder / f".{stage_name(number)}.part"
        part.write_bytes(graph.SerializeToString())
        part.replace(folder / stage_name(number))
    vocabulary.save(folder)
    write_manner(folder, config)
    kinds = {"label": "labels", "choice": "options", "tags": "tags", "spans": "spans"}
    whole: dict[str, Any] = {
        "name": name or folder.resolve().name,
        "title": f"multi-exit reader of {config.task}, {config.layers} layers, {precision}",
        "kind": kinds[config.kind],
        "languages": ["zh"],
        "parameters": parameters(config),
        "max_tokens": config.max_tokens,
    } | {key: min(size, config.max_tokens // 4) for key, size in _SPAN_SIZES.items()}
    whole |= dict(card or {})
    for file_name, record in ((CARD, whole), ("notes.json", dict(notes or {}))):
        with writing(folder / file_name) as file:
            file.write(json.dumps(record, ensure_ascii=False, indent=1, default=str) + "\n")
    return folder


def exit_ranges(model: MultiExit, batches: Iterable[Any]) -> dict[str, NDArray[Any]]:
    """How far each channel reaches, by the names of the products in the graphs: those of tags split the first one."""
    found = watched(model, batches)
    for name in [name for name in found if name.endswith(".qkv")]:
        for part in ("query", "kv"):
            found[f"{name.removesuffix('qkv')}{part}"] = found[name]
    return found


# Characters that stop one by one, many rows at a time: what a reader with `tokens:0.2` says, computed in batches.
#
# Every token is worked out in every layer here and those that have stopped are put back as they were, which gives the
# same answers; what a reader would have saved is told by the layers at which they stopped.


Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TokenOutputs:
    """Of every character of every unit, laid end to end: its tag, and the number of the exit at which it stopped."""

    answers: Numbers
    stopped: Numbers


def said_by_tokens(model: MultiExit, units: UnitRows, threshold: float, *, size: int = 128) -> TokenOutputs:
    """What a reader says whose characters stop when their tag has less entropy than the threshold."""
    counts = np.asarray([len(one) for one in units.targets], dtype=np.int64)
    bounds = np.concatenate(([0], np.cumsum(counts)))
    answers, stopped = np.zeros(bounds[-1], np.int64), np.zeros(bounds[-1], np.int64)
    device = next(model.parameters()).device
    model.eval()
    with torch.inference_mode(), autocast(device):
        for index in units.in_order(size):
            batch = units.collate(index).to(device)
            hidden = model.bert.embeddings(batch.ids, batch.types)
            if model.bert.embeddings_project is not None:
                hidden = model.bert.embeddings_project(hidden)
            mask = batch.mask[:, None, None, :]
            places = batch.places.clamp_min(0)
            going = batch.places >= 0
            best, exits = torch.zeros_like(places), torch.zeros_like(places)
            above = 0
            for number, layer in enumerate(model.bert.encoder.layer, 1):
                new, _ = layer(hidden, mask)
                # [CLS] and [SEP] go on; so do the rest, but for characters that have stopped
                still = torch.ones_like(batch.mask).scatter(1, places, going | (batch.places < 0))
                still[:, 0] = True
                hidden = torch.where(still[:, :, None], new, hidden)
                if str(number) not in model.exits:
                    continue
                seen = hidden.gather(1, places[:, :, None].expand(-1, -1, hidden.shape[2]))
                with torch.autocast(device.type, enabled=False):
                    logs = torch.log_softmax(model.exits[str(number)](seen.float()), dim=2)
                best = torch.where(going, logs.argmax(dim=2), best)
                exits = torch.where(going, above, exits)
                going = going & (-(logs.exp() * logs).sum(dim=2) >= threshold)
                above += 1
            said, when = best.cpu().numpy(), exits.cpu().numpy()
            for row, unit in enumerate(index):
                place = slice(bounds[unit], bounds[unit + 1])
                answers[place], stopped[place] = said[row, : counts[unit]], when[row, : counts[unit]]
    return TokenOutputs(answers, stopped)


def token_answers(items: Sequence[Item], units: UnitRows, said: TokenOutputs) -> list[Answer]:
    """The answers, with the modules that a reader would have passed."""
    config = units.config
    grouped: list[list[Decision]] = [[] for _ in items]
    at = 0
    for rows, item, right in zip(units.rows, units.items, units.targets, strict=True):
        place = slice(at, at + len(right))
        at += len(right)
        when = said.stopped[place]
        last = int(when.max(initial=0))
        going = [int((when >= number).sum()) for number in range(last + 1)]
        length = len(rows[0].ids)
        modules = token_chain(config, length, length - len(right), going)
        nothing = np.zeros(len(right), np.float32)
        grouped[item].append(Decision(config.exits[last], said.answers[place], nothing, modules))
    return [answer_of(item, found, config) for item, found in zip(items, grouped, strict=True)]
