"""A new encoder: its lowest heads look beside them, so that it learns soon what a word's neighbours tell of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from readproof.training.encoder import Encoder
from readproof.training.fit import fit
from readproof.training.pretrain.corpus import PackedExamples
from readproof.training.pretrain.masked import MaskedModel, Masker, masked_loss
from readproof.training.pretrain.recipe import EncoderSize, Masked
from readproof.training.pretrain.train import fresh_encoder, waves
from readproof.training.recipe import Fit

BODY = EncoderSize(hidden=128, layers=3, inner=128, embedding=96, positions=128)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def _looked_at(encoder: Encoder, layer: int) -> Tensor:
    """What the heads of a layer look at in random text: heads × offsets from -3 to 3."""
    ids = torch.randint(5, encoder.shape.rows, (8, 96))
    with torch.no_grad():
        vectors = encoder.embeddings(ids, torch.zeros_like(ids))
        if encoder.embeddings_project is not None:
            vectors = encoder.embeddings_project(vectors)
        for below in list(encoder.encoder.layer)[:layer]:
            vectors, _ = below(vectors, None)
        attention = encoder.encoder.layer[layer].attention.self
        query, key = (
            part(vectors).unflatten(2, (attention.heads, -1)).transpose(1, 2)
            for part in (attention.query, attention.key)
        )
        weights = (query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5).softmax(dim=-1)
    return torch.stack([weights.diagonal(offset, -2, -1).mean(dim=(0, 2)) for offset in range(-3, 4)], dim=1)


@pytest.mark.parametrize("embedding", [96, 128], ids=["narrow", "as-wide-as-the-layers"])
def test_the_lowest_heads_look_beside_them(embedding: int) -> None:
    torch.manual_seed(0)
    encoder = fresh_encoder(3000, replace(BODY, embedding=embedding, near=2), dropout=0.0)
    for layer in (0, 1):
        left, right = _looked_at(encoder, layer)
        assert float(left[2]) > 0.2
        assert float(right[4]) > 0.2
        assert float(left[4]) < 0.05
        assert float(right[2]) < 0.05
    assert float(_looked_at(encoder, 2).max()) < 0.1


def test_a_step_is_the_same_turn_everywhere() -> None:
    table = waves(300, 64)
    near, far = (table[:-7] * table[7:]).sum(dim=1), (table[:-90] * table[90:]).sum(dim=1)
    assert float(near.std()) < 1e-3
    assert float(near.mean()) > float(far.mean())
    assert float(table[:, 0].std()) > 0.5


def _last_loss(near: int) -> float:
    """Text in which a word tells the next one, learnt for a few seconds."""
    random = np.random.default_rng(0)
    order = random.permutation(150)
    text = np.zeros(40_000, dtype=np.uint16)
    for place in range(1, len(text)):
        text[place] = order[text[place - 1]] if random.random() < 0.95 else random.integers(150)
    torch.manual_seed(0)
    model = MaskedModel(fresh_encoder(155, replace(BODY, layers=2, near=near), dropout=0.0))
    masker = Masker(torch.zeros(155, dtype=torch.bool), special=5, mask=4, how=Masked(share=0.15, longest=1))
    told: list[float] = []
    fit(
        model,
        PackedExamples(text + 5, 32, 2, 110),
        masked_loss(model, masker),
        Fit(lr=1e-3, batch=16, warmup=0.1),
        progress=lambda line: told.append(float(line.split("loss ")[1].split()[0])),
        log_every=55,
    )
    return told[-1]


def test_what_neighbours_tell_is_learnt_soon() -> None:
    assert _last_loss(near=2) < _last_loss(near=0) - 1.0
