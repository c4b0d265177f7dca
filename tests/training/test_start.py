from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from readproof.errors import InputError
from readproof.readers.vocabulary import Vocabulary
from readproof.training.checkpoint import configuration
from readproof.training.encoder import Encoder, Shape
from readproof.training.start import folder_hash, read_folder, shipped_vocabulary


def test_parts(start: Path, vocabulary: Vocabulary) -> None:
    found = read_folder(start)
    assert (found.layers, found.positions, found.is_reader) == (4, 64, False)
    assert found.vocabulary == vocabulary
    before = folder_hash(start)
    (start / "vocab.txt").write_text("a\nb\n", encoding="utf-8")
    assert folder_hash(start) != before
    with pytest.raises(InputError, match="2 tokens"):
        read_folder(start)
    (start / "vocab.txt").unlink()
    with pytest.raises(InputError, match=r"vocab\.txt"):
        read_folder(start)


@pytest.fixture
def hugging_face(tmp_path: Path, vocabulary: Vocabulary) -> Path:
    """A folder with old tensor names, a pooler and a language-model head, as published ones have."""
    shape = Shape(rows=len(vocabulary), hidden=64, layers=2, heads=1, inner=128, positions=64)
    state = {f"bert.{name}": tensor for name, tensor in Encoder(shape).state_dict().items()}
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): tensor.clone()
        for name, tensor in state.items()
    }
    torch.save(
        {**old, "bert.pooler.dense.weight": torch.ones(2), "cls.x": torch.ones(2)}, tmp_path / "pytorch_model.bin"
    )
    vocabulary.save(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(configuration(shape)), encoding="utf-8")
    return tmp_path


def test_a_hugging_face_folder(hugging_face: Path) -> None:
    found = read_folder(hugging_face)
    assert found.layers == 2
    assert "embeddings.LayerNorm.weight" in found.tensors
    assert not any(name.startswith(("pooler.", "cls.")) for name in found.tensors)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("model_type", "xlm-roberta", "MacBERT and RoBERTa-wwm alone are distilled"),
        ("num_attention_heads", 4, "4 heads"),
        ("hidden_act", "relu", "'relu'"),
        ("position_embedding_type", "relative_key", "'absolute'"),
    ],
)
def test_other_families_are_refused(hugging_face: Path, key: str, value: object, told: str) -> None:
    path = hugging_face / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), key: value}), encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read_folder(hugging_face)


def test_folders_without_weights(hugging_face: Path, tmp_path: Path) -> None:
    (hugging_face / "pytorch_model.bin").unlink()
    with pytest.raises(InputError, match="no weights"):
        read_folder(hugging_face)
    save_file({"other": torch.ones(1)}, hugging_face / "model.safetensors")
    with pytest.raises(InputError, match="no tensors of an encoder"):
        read_folder(hugging_face)
    with pytest.raises(InputError, match="no such folder"):
        read_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("size", [0, 5, 5000])
def test_damaged_weights_are_told(start: Path, hugging_face: Path, size: int) -> None:
    for file in (min(start.glob("part-*.safetensors")), hugging_face / "pytorch_model.bin"):
        file.write_bytes(file.read_bytes()[:size])
        with pytest.raises(InputError, match=file.name):
            read_folder(file.parent)


def test_rows_are_cut_to_the_shipped_vocabulary(start: Path) -> None:
    shipped = shipped_vocabulary("zh")
    found = read_folder(start).cut(shipped)
    assert found.tensors["embeddings.word_embeddings.weight"].shape[0] == len(shipped) == 7400
    with pytest.raises(InputError, match="shipped reader"):
        shipped_vocabulary("none")
