"""From what the GPU gave back to a trained reader's folder and an int8 one: the figures are those of the files written.

    python -m tools.persian.finish BACK PACKAGE --work WORK -o TRAINED --onnx READER

BACK holds last.npz.0, last.npz.1 … (or --name's), PACKAGE is the folder that was carried, WORK is where
`tools.persian.package` worked. The threshold of "no answer" is fitted on the held-out questions alone.
"""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tools.persian.fit import NAMES, TABLES
from tools.persian.package import HELD, PERSIAN, sets_of
from torch import Tensor

from readproof.readers import vocabulary
from readproof.training.encoder import HEADS
from readproof.training.measure import measure
from readproof.training.model import reader_from
from readproof.training.ship import export_reader
from readproof.training.start import BertStart

_HEADS = 12
_PARTS = ("query", "key", "value")


def pieces(folder: Path, name: str) -> dict[str, Tensor]:
    """The weights that came back in several files."""
    parts = sorted(folder.glob(f"{name}.npz.*"), key=lambda path: int(path.suffix[1:]))
    with np.load(io.BytesIO(b"".join(path.read_bytes() for path in parts))) as file:
        return {key: torch.from_numpy(file[key].astype(np.float32)) for key in file.files}


def tensors_of(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of `fit.Reader` as `transformers.BertModel` names them."""
    out = {"qa_outputs.weight": state["head.weight"], "qa_outputs.bias": state["head.bias"]}
    out[HEADS] = torch.tensor(float(_HEADS))
    for ours, theirs in TABLES:
        for part in ("weight", "bias"):
            if f"{ours}.{part}" in state:
                out[f"embeddings.{theirs}.{part}"] = state[f"{ours}.{part}"]
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    for at in range(layers):
        prefix = f"encoder.layer.{at}"
        for part in ("weight", "bias"):
            three = state[f"layers.{at}.qkv.{part}"].chunk(3)
            out |= {f"{prefix}.attention.self.{one}.{part}": table for one, table in zip(_PARTS, three, strict=True)}
            out |= {f"{prefix}.{theirs}.{part}": state[f"layers.{at}.{ours}.{part}"] for ours, theirs in NAMES}
    return {name: tensor.contiguous() for name, tensor in out.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("back", type=Path)
    parser.add_argument("package", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--name", default="last")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--onnx", type=Path, required=True)
    asked = parser.parse_args()
    tensors = tensors_of(pieces(asked.back, asked.name))
    start = BertStart(tensors, vocabulary.read(asked.work / "reading"), asked.package)
    reader = reader_from(start.state(), dropout=0.0).eval()
    held = sets_of(asked.work / "sets_fa", HELD)
    found = measure([reader], start.prepared(held, max_tokens=512, overlap=128), size=16, metric="squad2")
    print(f"held out, always answered: EM {found.exact:.1f} F1 {found.f1:.1f}; with a threshold: {found.nothing}")
    notes: dict[str, Any] = {
        "language": "fa",
        "about": json.loads((asked.package / "about.json").read_text()),
        "held": {"exact": found.exact, "f1": found.f1},
    }
    if found.nothing is not None:
        notes["no_answer"] = round(found.nothing.threshold, 3)
    start.write(asked.out, start.state(), notes, max_tokens=512)
    data = [f"squad:{asked.work / 'sets_fa' / name}.json" for name in PERSIAN[:1]]
    export_reader(asked.out, asked.onnx, data=data, name="fa")
    print({path.name: path.stat().st_size for path in sorted(asked.onnx.iterdir())})


if __name__ == "__main__":
    main()
