"""A trained multi-exit model written as a reader's folder: stages, vocabulary, exits.json, card and notes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from readproof.files import check_folder, writing
from readproof.readers.card import FILE as CARD
from readproof.readers.exits.manner import write_manner
from readproof.readers.exits.stages import stage_name
from readproof.readers.exits.trace import parameters
from readproof.readers.vocabulary import Vocabulary
from readproof.training.export import Precision
from readproof.training.model import plain_state
from readproof.training.multi_exit.graphs import stage_graphs
from readproof.training.multi_exit.model import MultiExit
from readproof.training.ranges import watched

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
    manner = model.manner
    folder.mkdir(parents=True, exist_ok=True)
    ranges = exit_ranges(model, batches) if precision == "int8" else {}
    tensors = {key: tensor.numpy() for key, tensor in plain_state(model).items()}
    for number, graph in enumerate(stage_graphs(tensors, manner, precision=precision, ranges=ranges)):
        part = folder / f".{stage_name(number)}.part"
        part.write_bytes(graph.SerializeToString())
        part.replace(folder / stage_name(number))
    vocabulary.save(folder)
    write_manner(folder, manner)
    kinds = {"label": "labels", "choice": "options", "tags": "tags", "spans": "spans"}
    whole: dict[str, Any] = {
        "name": name or folder.resolve().name,
        "title": f"multi-exit reader of {manner.task}, {manner.layers} layers, {precision}",
        "kind": kinds[manner.kind],
        "languages": ["zh"],
        "parameters": parameters(manner),
        "max_tokens": manner.max_tokens,
    } | {key: min(size, manner.max_tokens // 4) for key, size in _SPAN_SIZES.items()}
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
