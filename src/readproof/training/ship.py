"""From a trained reader's folder to one that onnxruntime reads: graph, vocabulary and card."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from readproof.errors import InputError
from readproof.files import check_folder, writing
from readproof.training.begin import need_own
from readproof.training.export import Precision, span_graph
from readproof.training.model import plain_state, reader_from
from readproof.training.ranges import channel_ranges
from readproof.training.sets import prepare, span_items
from readproof.training.start import read_folder

_CALIBRATION = 400


def export_reader(
    folder: Path, out: Path, *, precision: Precision = "int8", data: Sequence[str] = (), name: str = ""
) -> Path:
    """Write OUT/model.onnx, the vocabulary and a card; `data` are questions to see the activations' reach on."""
    check_folder(out)
    need_own(folder, "ONNX")
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
    model = span_graph(tensors, precision=precision, ranges=ranges)
    out.mkdir(parents=True, exist_ok=True)
    part = out / ".model.onnx.part"
    part.write_bytes(model.SerializeToString())
    part.replace(out / "model.onnx")
    start.vocabulary.save(out)
    card = {
        "name": name or out.resolve().name,
        "title": f"span reader, {start.layers} layers, {precision}",
        "kind": "spans",
        "max_tokens": start.positions,
        "question_tokens": min(64, start.positions // 4),
        "parameters": sum(tensor.size for tensor in tensors.values()),
    }
    with writing(out / "reader.json") as file:
        file.write(json.dumps(card, ensure_ascii=False, indent=1) + "\n")
    return out
