"""The tensors of a Hugging Face folder, read straight from its files; and a trained reader written as such a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import processors
from torch import Tensor

from readproof.errors import InputError, shown
from readproof.readers.vocabulary import CLS, SEP, UNKNOWN, Vocabulary
from readproof.training.encoder import HEADS, Shape, shape_of
from readproof.training.weights import read_tensors

_HEAD = "qa_outputs."
_KEPT = ("embeddings.", "embeddings_project.", "encoder.", _HEAD)
_OURS = "readproof"
_TOKENIZER = {
    "tokenizer_class": "PreTrainedTokenizerFast",
    "model_input_names": ["input_ids", "token_type_ids", "attention_mask"],
    "pad_token": "[PAD]",
    "unk_token": UNKNOWN,
    "cls_token": CLS,
    "sep_token": SEP,
    "mask_token": "[MASK]",
}


def read_checkpoint(folder: Path) -> dict[str, Tensor]:
    """A BERT's tensors, named as in `transformers.BertModel`, and its question-answering head where it has one."""
    config = check_family(folder)
    files = sorted(folder.glob("*.safetensors")) or sorted(folder.glob("pytorch_model*.bin"))
    if not files:
        expected = "part-*.safetensors, model.safetensors or pytorch_model.bin"
        raise InputError(file=folder, found="no weights", expected=expected, do="Name another folder.")
    raw: dict[str, Tensor] = {}
    for file in files:
        raw.update(read_tensors(file))
    tensors = bare(raw)
    heads, hidden = config.get("num_attention_heads", 12), config.get("hidden_size", 768)
    return tensors if heads == max(1, hidden // 64) else tensors | {HEADS: torch.tensor(float(heads))}


def bare(raw: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Encoder and head out of a whole model's tensors: no prefix, today's names, float32."""
    tensors = {}
    for name, tensor in raw.items():
        short = name.removeprefix("bert.").removeprefix("electra.").replace("LayerNorm.gamma", "LayerNorm.weight")
        short = short.replace("LayerNorm.beta", "LayerNorm.bias")
        if short.startswith(_KEPT) and not short.endswith("_ids"):
            tensors[short] = tensor.float()
    return tensors


def check_family(folder: Path) -> dict[str, Any]:
    """config.json; an InputError unless it describes a BERT that our own encoder can hold."""
    path = folder / "config.json"
    if not path.is_file():
        raise InputError(file=path, found="no such file", expected="a Hugging Face folder, or part-*.safetensors")
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(file=path, found=f"no JSON ({error})", expected="a model's configuration") from None
    if not isinstance(config, dict):
        raise InputError(file=path, found=shown(config), expected="a model's configuration")
    family = config.get("model_type", "")
    # an encoder of ours with narrow word vectors is written as an ELECTRA; those of others keep their own tokenizers
    if family != "bert" and not (family == "electra" and config.get("made_by") == _OURS):
        raise InputError(
            file=path,
            place="model_type",
            found=repr(family),
            expected="'bert'",
            do="BERT, MacBERT and RoBERTa-wwm alone are distilled and exported; others are trained and read.",
        )
    heads, hidden = config.get("num_attention_heads", 12), config.get("hidden_size", 768)
    if heads != max(1, hidden // 64) and config.get("made_by") != _OURS:
        found, expected = f"{heads} heads for {hidden} columns", f"{max(1, hidden // 64)}, each 64 wide"
        raise InputError(file=path, place="num_attention_heads", found=found, expected=expected)
    if config.get("hidden_act", "gelu") != "gelu":
        raise InputError(file=path, place="hidden_act", found=repr(config["hidden_act"]), expected="'gelu'")
    if config.get("position_embedding_type", "absolute") != "absolute":
        found = repr(config["position_embedding_type"])
        raise InputError(file=path, place="position_embedding_type", found=found, expected="'absolute'")
    return config


def write_checkpoint(
    folder: Path,
    state: Mapping[str, Tensor],
    vocabulary: Vocabulary,
    notes: Mapping[str, Any],
    config: Mapping[str, Any] | None = None,
) -> Path:
    """A reader as a folder: weights, vocabulary, tokenizer and configuration as Hugging Face has them, and notes.

    `config` is what config.json says otherwise than that of a span reader.
    """
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary.save(folder)
    if not vocabulary.borrowed:
        (folder / "borrowed.tsv").unlink(missing_ok=True)
    tokenizer = vocabulary.tokenizer()
    ids = vocabulary.ids()
    tokenizer.post_processor = processors.BertProcessing((SEP, ids[SEP]), (CLS, ids[CLS]))
    described = json.loads(tokenizer.to_str())
    # what it says of itself has one token a row, any of those that share it; whoever reads must know the others too
    pieces = list(zip(vocabulary.rows, vocabulary.scores, strict=True)) if vocabulary.scores else None
    described["model"]["vocab"] = pieces or ids
    _json(folder / "tokenizer.json", described)
    shape = shape_of({name.removeprefix("bert."): tensor for name, tensor in state.items()})
    _json(folder / "config.json", configuration(shape) | dict(config or {}))
    _json(folder / "tokenizer_config.json", _TOKENIZER | {"model_max_length": shape.positions})
    part = folder / "model.safetensors.part"
    named = {_name(name, shape): tensor.contiguous() for name, tensor in state.items() if name != f"bert.{HEADS}"}
    save_file(named, part, metadata={"format": "pt"})
    part.replace(folder / "model.safetensors")
    _json(folder / "notes.json", notes)
    return folder


def _name(name: str, shape: Shape) -> str:
    return f"electra.{name.removeprefix('bert.')}" if shape.embedding and name.startswith("bert.") else name


def configuration(shape: Shape) -> dict[str, Any]:
    """config.json of a `BertForQuestionAnswering`; with narrow word vectors, of an `ElectraForQuestionAnswering`."""
    if shape.embedding:
        narrow = {"architectures": ["ElectraForQuestionAnswering"], "model_type": "electra", "made_by": _OURS}
        return _bert(shape) | narrow | {"embedding_size": shape.embedding}
    return _bert(shape)


def _bert(shape: Shape) -> dict[str, Any]:
    # heads of another width are read back from folders of ours alone
    ours = {} if shape.heads == max(1, shape.across // 64) else {"made_by": _OURS}
    return ours | {
        "architectures": ["BertForQuestionAnswering"],
        "model_type": "bert",
        "vocab_size": shape.rows,
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.inner,
        "hidden_act": "gelu",
        "max_position_embeddings": shape.positions,
        "type_vocab_size": shape.types,
        "layer_norm_eps": shape.epsilon,
        "hidden_dropout_prob": shape.dropout,
        "attention_probs_dropout_prob": shape.dropout,
        "pad_token_id": 0,
    }


def _json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n", encoding="utf-8")
