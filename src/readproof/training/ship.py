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
from readproof.readers.adapter import CHANGES
from readproof.readers.adapter import FILE as ADAPTER
from readproof.readers.embedded import MODEL
from readproof.readers.optionmanner import OptionManner
from readproof.training.begin import need_own
from readproof.training.changes import option_changes, span_changes, write_changes
from readproof.training.export import Precision, span_graph
from readproof.training.model import plain_state, reader_from
from readproof.training.onto import Onto, lender, lender_hash, lenders
from readproof.training.options.model import HEADS, option_reader_from
from readproof.training.options.start import folder_manner, read_option_start
from readproof.training.ranges import channel_ranges
from readproof.training.sets import prepare, span_items
from readproof.training.start import BertStart, read_folder

_CALIBRATION = 400


def export_reader(
    folder: Path, out: Path, *, precision: Precision = "int8", data: Sequence[str] = (), name: str = ""
) -> Path:
    """Write OUT/model.onnx, the vocabulary and a card; `data` are questions to see the activations' reach on."""
    check_folder(out)
    need_own(folder, "ONNX")
    manner = folder_manner(folder)
    if manner is not None:
        return _export_options(folder, out, manner, precision=precision, name=name)
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
    _tell_card(out.parent, after.manner or OptionManner(), sum(array.size for array in arrays.values()))
    return write_changes(out, arrays)


def export_changes(folder: Path, out: Path, onto: Onto, *, name: str = "") -> Path:
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


def trained_onto(folder: Path, reader: str, rank: int | None = None) -> Onto:
    """As what changes to a shipped reader the one in a folder was trained; else the usual, or those of a `rank`."""
    if reader not in lenders():
        expected = f"a folder, or the name of a shipped reader with a graph of its own: {', '.join(lenders())}"
        raise InputError(found=f"--onto {reader}", expected=expected)
    plan = _notes(folder).get("plan")
    noted = plan.get("onto") if isinstance(plan, dict) else None
    given = noted if isinstance(noted, dict) else {}
    sizes = {key: given[key] for key in ("rank", "words") if isinstance(given.get(key), int)}
    found = Onto(**{**sizes, "reader": reader})
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


def _tell_card(folder: Path, manner: OptionManner, size: int) -> None:
    """The card of a span reader that now reads options too: how, and with how many more parameters."""
    path = folder / "reader.json"
    if not path.is_file():
        return
    card = json.loads(path.read_text(encoding="utf-8"))
    before = card.get("options_parameters", 0)
    card |= {"kind": "spans, options", "options": unusual(manner), "options_parameters": size}
    if "parameters" in card:
        card["parameters"] += size - before
    with writing(path) as file:
        file.write(json.dumps(card, ensure_ascii=False, indent=1) + "\n")


def unusual(manner: OptionManner) -> dict[str, Any]:
    """What of a manner is not as usual."""
    usual = asdict(OptionManner())
    return {key: value for key, value in asdict(manner).items() if value != usual[key]}


def _export_options(folder: Path, out: Path, manner: OptionManner, *, precision: Precision, name: str) -> Path:
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
        "options": unusual(manner),
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
