"""From a trained reader's folder to one that onnxruntime reads: graph, vocabulary and card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from readproof.errors import InputError
from readproof.files import check_folder, read_text, writing
from readproof.readers.adapter import CHANGES, LEFT, POSITIONS, RIGHT, SCALE, WORDS
from readproof.readers.adapter import FILE as ADAPTER
from readproof.readers.embedded import MODEL
from readproof.readers.options import OptionReadingConfig
from readproof.training.begin import need_own
from readproof.training.delta_base import DeltaBase, lender, lender_hash, lenders
from readproof.training.export import Precision, span_graph
from readproof.training.model import plain_state, reader_from
from readproof.training.options.model import HEADS, option_reader_from
from readproof.training.options.start import folder_manner, read_option_start
from readproof.training.ranges import channel_ranges
from readproof.training.sets import prepare, span_items
from readproof.training.start import BertStart, read_folder

# What a reader changed in the one it began as, in few bytes: matrices of low rank, vectors whole.
# An option reader keeps the span reader's word vectors. A span reader of another language has its own, as a product
# through few dimensions.

Array = NDArray[Any]

# how the span graph calls what `state_dict` calls otherwise
_BIAS = {"intermediate.dense": "shift"}


def option_changes(before: Mapping[str, Array], after: Mapping[str, Array], rank: int) -> dict[str, Array]:
    """From a span reader's tensors to an option reader's. Word vectors stay as they were."""
    return layer_changes(before, after, rank) | _head(after, ("truth", "relevance"))


def span_changes(before: Mapping[str, Array], after: Mapping[str, Array], rank: int, words: int) -> dict[str, Array]:
    """From a span reader's tensors to those of one with another vocabulary; `words` is the width of its vectors."""
    below = "bert.embeddings"
    out = layer_changes(before, after, rank) | _head(after, ("qa_outputs",))
    out |= _low(WORDS, after[f"{below}.word_embeddings.weight"].T, words)
    out[POSITIONS] = _small(after[f"{below}.position_embeddings.weight"])
    out["kinds"] = _small(after[f"{below}.token_type_embeddings.weight"])
    out["embeddings.gamma"] = _small(after[f"{below}.LayerNorm.weight"])
    out["embeddings.beta"] = _small(after[f"{below}.LayerNorm.bias"])
    return out


def layer_changes(before: Mapping[str, Array], after: Mapping[str, Array], rank: int) -> dict[str, Array]:
    """What the layers of one differ by from those of the other."""
    out: dict[str, Array] = {}
    number = 0
    while f"bert.encoder.layer.{number}.output.dense.weight" in after:
        layer = f"bert.encoder.layer.{number}"
        parts = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        together = [np.concatenate([one[f"{part}.weight"] for part in parts]) for one in (before, after)]
        out |= _low(f"{layer}.qkv", together[1] - together[0], rank)
        out[f"{layer}.qkv.bias"] = _small(np.concatenate([after[f"{part}.bias"] for part in parts]))
        for name in ("attention.output.dense", "intermediate.dense", "output.dense"):
            full = f"{layer}.{name}"
            out |= _low(full, after[f"{full}.weight"] - before[f"{full}.weight"], rank)
            out[f"{full}.{_BIAS.get(name, 'bias')}"] = _small(after[f"{full}.bias"])
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            out[f"{layer}.{name}.gamma"] = _small(after[f"{layer}.{name}.weight"])
            out[f"{layer}.{name}.beta"] = _small(after[f"{layer}.{name}.bias"])
        number += 1
    return out


def write_changes(path: Path, arrays: Mapping[str, Array]) -> Path:
    """The arrays as one file; the same arrays give the same bytes."""
    part = path.with_suffix(".part.npz")
    named: dict[str, Any] = dict(arrays)
    np.savez(part, **named)
    part.replace(path)
    return path


def _head(after: Mapping[str, Array], heads: Sequence[str]) -> dict[str, Array]:
    return {
        "head.weight": np.concatenate([after[f"{head}.weight"] for head in heads]).T.astype(np.float32),
        "head.bias": np.concatenate([after[f"{head}.bias"] for head in heads]).astype(np.float32),
    }


def _low(name: str, change: Array, rank: int) -> dict[str, Array]:
    """The nearest product of two narrow matrices, both int8, to a change (a row an output, as PyTorch has it)."""
    left, sizes, right = _largest(change.T.astype(np.float64), rank)
    reach = [np.maximum(np.abs(one).max(axis=axis), 1e-12) / 127.0 for one, axis in ((left, 0), (right, 1))]
    return {
        name + LEFT: np.rint(left / reach[0]).astype(np.int8),
        name + RIGHT: np.rint(right / reach[1][:, None]).astype(np.int8),
        name + SCALE: (sizes * reach[0] * reach[1]).astype(np.float32),
    }


def _largest(table: Array, rank: int) -> tuple[Array, Array, Array]:
    """The largest singular values with their vectors, by way of the smaller square: far quicker than all of them."""
    if table.shape[0] < table.shape[1]:
        left, sizes, right = _largest(table.T, rank)
        return right.T, sizes, left.T
    squares, vectors = np.linalg.eigh(table.T @ table)
    right = vectors[:, ::-1][:, :rank]
    sizes = np.sqrt(np.maximum(squares[::-1][:rank], 0.0))
    return table @ right / np.maximum(sizes, 1e-12), sizes, right.T


def _small(vector: Array) -> Array:
    return vector.astype(np.float16)


_CALIBRATION = 400


def export_reader(
    folder: Path, out: Path, *, precision: Precision = "int8", data: Sequence[str] = (), name: str = ""
) -> Path:
    """Write OUT/model.onnx, the vocabulary and a card; `data` are questions to see the activations' reach on."""
    check_folder(out)
    need_own(folder, "ONNX")
    config = folder_manner(folder)
    if config is not None:
        return _export_options(folder, out, config, precision=precision, name=name)
    start = read_folder(folder)
    if not start.is_reader:
        raise InputError(file=folder, found="an encoder without a span head", expected="a trained span reader")
    reader = reader_from(start.state(), dropout=0.0).eval()
    ranges = {}
    if precision == "int8" and data:
        items = [item for one in data for item in span_items(one)]
        some = items[:: max(1, len(items) // _CALIBRATION)]
        windows = prepare(some, start.vocabulary.tokenizer(), max_tokens=start.positions).windows
        ranges = channel_ranges(reader, windows)
    tensors = {key: tensor.numpy() for key, tensor in plain_state(reader).items()}
    card: dict[str, Any] = {
        "title": f"span reader, {start.layers} layers, {precision}",
        "kind": "spans",
        "max_tokens": start.positions,
        "overlap": min(128, start.positions // 4),
        "question_tokens": min(64, start.positions // 4),
    } | _noted(folder)
    return _write(out, tensors, start, card, precision=precision, ranges=ranges, name=name)


def export_adapter(folder: Path, onto: Path, out: Path, *, rank: int = 32) -> Path:
    """Write OUT, the file that lets the reader exported from `onto` read options as the reader in `folder` does.

    `onto` is the trained span reader that the option reader began as. Changes to its word vectors are left out.
    """
    before, after = read_folder(onto), read_option_start(folder)
    if not before.is_reader or not after.is_reader or before.layers != after.layers:
        found = f"{before.layers} and {after.layers} layers"
        raise InputError(file=folder, found=found, expected="an option reader that began as the span reader of --onto")
    readers = reader_from(before.state(), dropout=0.0), option_reader_from(after.state(), dropout=0.0)
    old, new = ({name: tensor.numpy() for name, tensor in plain_state(one).items()} for one in readers)
    arrays = option_changes(old, new, rank)
    _tell_card(out.parent, after.manner or OptionReadingConfig(), sum(array.size for array in arrays.values()))
    return write_changes(out, arrays)


def export_changes(folder: Path, out: Path, onto: DeltaBase, *, name: str = "") -> Path:
    """Write OUT/changes.npz, the vocabulary and a card: a span reader that reads with the graph of a shipped one."""
    check_folder(out)
    need_own(folder, "ONNX")
    start, base = read_folder(folder), lender(onto.reader)
    if not start.is_reader or start.layers != base.layers:
        expected = f"a span reader of {base.layers} layers that began as {onto.reader}"
        raise InputError(file=folder, found=f"{start.layers} layers", expected=expected)
    old, new = (_arrays(one.state()) for one in (base, start))
    changes = span_changes(old, new, onto.rank, onto.words)
    out.mkdir(parents=True, exist_ok=True)
    for other in (MODEL, ADAPTER):
        (out / other).unlink(missing_ok=True)
    write_changes(out / CHANGES, changes)
    start.vocabulary.save(out)
    card: dict[str, Any] = {
        "name": name or out.resolve().name,
        "title": f"span reader, {start.layers} layers, changes of rank {onto.rank} to {onto.reader}",
        "kind": "spans",
        "max_tokens": start.positions,
        "overlap": min(128, start.positions // 4),
        "question_tokens": min(64, start.positions // 4),
        "parameters": sum(array.size for array in new.values()),
        "onto": onto.reader,
        "onto_hash": lender_hash(onto),
    } | _noted(folder)
    with writing(out / "reader.json") as file:
        file.write(json.dumps(card, ensure_ascii=False, indent=1) + "\n")
    return out


def trained_onto(folder: Path, reader: str, rank: int | None = None) -> DeltaBase:
    """As what changes to a shipped reader the one in a folder was trained; else the usual, or those of a `rank`."""
    if reader not in lenders():
        expected = f"a folder, or the name of a shipped reader with a graph of its own: {', '.join(lenders())}"
        raise InputError(found=f"--onto {reader}", expected=expected)
    plan = _notes(folder).get("plan")
    noted = plan.get("onto") if isinstance(plan, dict) else None
    given = noted if isinstance(noted, dict) else {}
    sizes = {key: given[key] for key in ("rank", "words") if isinstance(given.get(key), int)}
    found = DeltaBase(**{**sizes, "reader": reader})
    return replace(found, rank=rank) if rank else found


def _arrays(state: Mapping[str, Tensor]) -> dict[str, NDArray[Any]]:
    return {name: tensor.float().numpy() for name, tensor in state.items()}


def _noted(folder: Path) -> dict[str, Any]:
    """What the notes of a training say that a card has a place for."""
    notes = _notes(folder)
    found: dict[str, Any] = {}
    if notes.get("no_answer") is not None:
        found["no_answer"] = notes["no_answer"]
    if notes.get("language") == "fa":
        found["languages"] = ["fa"]
    return found


def _notes(folder: Path) -> dict[str, Any]:
    path = folder / "notes.json"
    try:
        found = json.loads(read_text(path)) if path.is_file() else {}
    except json.JSONDecodeError as error:
        raise InputError(file=path, found=f"no JSON ({error.msg})", expected="what a training wrote") from None
    return found if isinstance(found, dict) else {}


def _tell_card(folder: Path, config: OptionReadingConfig, size: int) -> None:
    """The card of a span reader that now reads options too: how, and with how many more parameters."""
    path = folder / "reader.json"
    if not path.is_file():
        return
    card = json.loads(path.read_text(encoding="utf-8"))
    before = card.get("options_parameters", 0)
    card |= {"kind": "spans, options", "options": unusual(config), "options_parameters": size}
    if "parameters" in card:
        card["parameters"] += size - before
    with writing(path) as file:
        file.write(json.dumps(card, ensure_ascii=False, indent=1) + "\n")


def unusual(config: OptionReadingConfig) -> dict[str, Any]:
    """What of a configuration is not the default."""
    usual = asdict(OptionReadingConfig())
    return {key: value for key, value in asdict(config).items() if value != usual[key]}


def _export_options(folder: Path, out: Path, config: OptionReadingConfig, *, precision: Precision, name: str) -> Path:
    """The two heads stand where a span reader's stand: truth for first, relevance for last, read at [CLS]."""
    start = read_option_start(folder)
    if not start.is_reader:
        raise InputError(file=folder, found="an encoder without heads for options", expected="a trained option reader")
    state = plain_state(option_reader_from(start.state(), dropout=0.0))
    tensors = {key: tensor.numpy() for key, tensor in state.items() if key.startswith("bert.")}
    for part in ("weight", "bias"):
        tensors[f"qa_outputs.{part}"] = np.concatenate([state[f"{head}.{part}"].numpy() for head in HEADS])
    card = {
        "title": f"option reader, {start.layers} layers, {precision}",
        "kind": "options",
        "options": unusual(config),
    }
    return _write(out, tensors, start.bert, card, precision=precision, ranges={}, name=name)


def _write(
    out: Path,
    tensors: Mapping[str, NDArray[Any]],
    start: BertStart,
    card: Mapping[str, Any],
    *,
    precision: Precision,
    ranges: Mapping[str, NDArray[Any]],
    name: str,
) -> Path:
    model = span_graph(tensors, precision=precision, ranges=ranges)
    out.mkdir(parents=True, exist_ok=True)
    (out / CHANGES).unlink(missing_ok=True)
    part = out / ".model.onnx.part"
    part.write_bytes(model.SerializeToString())
    part.replace(out / "model.onnx")
    start.vocabulary.save(out)
    size = sum(tensor.size for tensor in tensors.values())
    whole = {"name": name or out.resolve().name, **card, "parameters": size}
    with writing(out / "reader.json") as file:
        file.write(json.dumps(whole, ensure_ascii=False, indent=1) + "\n")
    return out
