"""Tiny random encoders of several families, as the folders that people fetch: weights, configuration, tokenizer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from readproof.items import SpanItem

SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
ROBERTA = ["<s>", "<pad>", "</s>", "<unk>"]

Make = Callable[[Path, Sequence[str]], Path]
Folders = Callable[[str], Path]


def xlm_roberta(folder: Path, texts: Sequence[str], *, positions: int = 64, kind: str = "ForMaskedLM") -> Path:
    """XLM-R: <s> q </s></s> p </s>, Unigram, no token types, positions that begin at 2."""
    words = [f"▁{word}" for text in texts for word in text.split()]
    pairs = Counter(word[at : at + 2] for word in words for at in range(len(word) - 1))
    common = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:60]
    # a trained Unigram is not the same every time; two characters that often stand together are a token here
    pieces = [(piece, -10.0) for piece in sorted({*"ab▁", *"".join(words)})] + [(pair, -15.0) for pair in common]
    rows = [(piece, 0.0) for piece in ROBERTA] + pieces
    made = transformers.XLMRobertaTokenizerFast(vocab=rows)
    config = transformers.XLMRobertaConfig(
        vocab_size=len(made), max_position_embeddings=positions + 2, type_vocab_size=1, pad_token_id=1, **SIZES
    )
    return written(folder, getattr(transformers, f"XLMRoberta{kind}"), config, made)


def roberta(folder: Path, texts: Sequence[str], *, positions: int = 64) -> Path:
    """RoBERTa: byte-level BPE, whose tokens may be parts of a character."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=[*ROBERTA, "<mask>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.model.save(str(folder))
    merges = (folder / "merges.txt").read_text(encoding="utf-8").splitlines()[1:]
    pairs = [tuple(line.split()) for line in merges]
    made = transformers.RobertaTokenizerFast(vocab=tokenizer.get_vocab(), merges=pairs)
    config = transformers.RobertaConfig(
        vocab_size=len(made), max_position_embeddings=positions + 2, type_vocab_size=1, pad_token_id=1, **SIZES
    )
    return written(folder, transformers.RobertaModel, config, made)


def wordpiece(folder: Path, texts: Sequence[str], family: str, *, positions: int = 64, **more: Any) -> Path:
    """ELECTRA, DeBERTa or ALBERT with WordPiece: [CLS] q [SEP] p [SEP], with token types."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(
        texts, trainers.WordPieceTrainer(vocab_size=6000, special_tokens=special, show_progress=False)
    )
    made = transformers.BertTokenizerFast(vocab=tokenizer.get_vocab())
    config = getattr(transformers, f"{family}Config")(
        vocab_size=len(made), max_position_embeddings=positions, embedding_size=16, **SIZES, **more
    )
    return written(folder, getattr(transformers, f"{family}Model"), config, made)


def written(folder: Path, model: Any, config: Any, tokenizer: Any) -> Path:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.manual_seed(0)
    model(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def texts(items: Sequence[SpanItem]) -> list[str]:
    return [text for item in items for text in (item.passage, item.question)]


FAMILIES: dict[str, Make] = {
    "xlm-roberta": xlm_roberta,
    "roberta": lambda folder, texts: roberta(folder, texts, positions=256),
    "electra": lambda folder, texts: wordpiece(folder, texts, "Electra"),
    "deberta-v2": lambda folder, texts: wordpiece(
        folder, texts, "DebertaV2", relative_attention=True, pos_att_type=["p2c", "c2p"], type_vocab_size=0
    ),
}
