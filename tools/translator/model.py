"""A Marian model from random weights, its loss, and its translations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as functional
from tools.translator.layout import END, Batch, padded, source_row
from torch import Tensor
from transformers import MarianConfig, MarianMTModel


def new_model(pieces: int, *, width: int, encoder: int, decoder: int, heads: int, dropout: float) -> MarianMTModel:
    """`pieces` tokens and one more, the last: padding, with which a target starts too."""
    config = MarianConfig(
        vocab_size=pieces + 1,
        d_model=width,
        encoder_layers=encoder,
        decoder_layers=decoder,
        encoder_ffn_dim=4 * width,
        decoder_ffn_dim=4 * width,
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        activation_function="relu",
        dropout=dropout,
        attention_dropout=0.1,
        activation_dropout=0.1,
        scale_embedding=True,
        max_position_embeddings=512,
        pad_token_id=pieces,
        decoder_start_token_id=pieces,
        eos_token_id=END,
        forced_eos_token_id=None,
    )
    model = MarianMTModel(config)
    # so that a scaled embedding and a logit have a variance near one; padding is zero, as CTranslate2 takes it to be
    with torch.no_grad():
        shared = model.get_input_embeddings().weight
        shared.normal_(0.0, width**-0.5)
        shared[pieces] = 0.0
        for name, weight in model.named_parameters():
            if weight.dim() == 2 and weight is not shared and "embed" not in name:
                torch.nn.init.xavier_uniform_(weight)
    return model


def as_tensors(batch: Batch, device: torch.device) -> tuple[Tensor, Tensor]:
    pair = (torch.from_numpy(batch.sources), torch.from_numpy(batch.targets))
    if device.type == "cuda":
        pair = (pair[0].pin_memory(), pair[1].pin_memory())
    return pair[0].to(device, non_blocking=True), pair[1].to(device, non_blocking=True)


def loss_of(model: MarianMTModel, sources: Tensor, targets: Tensor, smooth: float) -> Tensor:
    """The mean loss of a target token. Padding is no word to choose, so its row stays zero."""
    pad = model.config.pad_token_id
    before = functional.pad(targets[:, :-1], (1, 0), value=pad)
    before = before.masked_fill(before == -100, pad)
    hidden = model.model(input_ids=sources, attention_mask=(sources != pad).long(), decoder_input_ids=before)[0]
    logits = functional.linear(hidden, model.lm_head.weight[:pad])
    return functional.cross_entropy(
        logits.flatten(0, 1).float(), targets.flatten(), ignore_index=-100, label_smoothing=smooth
    )


@torch.inference_mode()
def translate(
    model: MarianMTModel, texts: Sequence[np.ndarray], before: Iterable[int], *, beam: int, tokens: int
) -> list[list[int]]:
    """Token numbers of each text's translation; texts of like length go together, `tokens` of them at a time."""
    model.eval()
    pad = model.config.pad_token_id
    device = next(model.parameters()).device
    rows = [source_row(text, tuple(before)) for text in texts]
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    out: list[list[int]] = [[] for _ in rows]
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and len(rows[order[end]]) * (end - start + 1) <= tokens:
            end += 1
        sources = torch.from_numpy(padded([rows[at] for at in order[start:end]], pad)).to(device)
        longest = min(250, int(1.6 * sources.shape[1]) + 10)
        options: dict[str, Any] = {"num_beams": beam, "do_sample": False, "max_new_tokens": longest, "max_length": None}
        mask = (sources != pad).long()
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            found = model.generate(input_ids=sources, attention_mask=mask, suppress_tokens=[pad], **options)
        for at, row in zip(order[start:end], found.tolist(), strict=True):
            out[at] = _until_end(row[1:], pad)
        start = end
    return out


def _until_end(row: list[int], pad: int) -> list[int]:
    for at, token in enumerate(row):
        if token in (END, pad):
            return row[:at]
    return row
