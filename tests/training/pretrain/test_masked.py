"""Masked words: whole words are hidden, the wanted share of them, and an encoder learns to tell them."""

from __future__ import annotations

import numpy as np
import torch

from readproof.readers.vocabulary import SPECIAL
from readproof.training.fit import fit
from readproof.training.pretrain.corpus import PackedExamples, stream_of, tokenised, train_pieces
from readproof.training.pretrain.masked import MaskedModel, Masker, masked_loss
from readproof.training.pretrain.places import continues
from readproof.training.pretrain.recipe import EncoderSize, Masked, Pieces
from readproof.training.pretrain.train import fresh_encoder
from readproof.training.recipe import Fit
from tests.training.pretrain.texts import lines

MASK, SEP, CLS = SPECIAL.index("[MASK]"), SPECIAL.index("[SEP]"), SPECIAL.index("[CLS]")


def test_whole_words_are_hidden() -> None:
    word = torch.tensor([False] * 50 + [True] * 50)
    masker = Masker(word, special=5, mask=4, how=Masked(share=0.2, longest=3))
    torch.manual_seed(3)
    ids = torch.randint(5, 100, (64, 128))
    ids[:, 0] = CLS
    seen, at = masker.drawn(ids)
    hidden = torch.zeros(ids.numel(), dtype=torch.bool)
    hidden[at] = True
    hidden = hidden.view(ids.shape)
    assert 0.16 < float(hidden[:, 1:].float().mean()) < 0.24
    assert not hidden[:, 0].any()
    # a piece that goes on shares the fate of the one before it
    goes_on = word[ids[:, 2:]]
    assert bool((hidden[:, 2:] == hidden[:, 1:-1])[goes_on].all())
    assert 0.7 < float((seen[hidden] == MASK).float().mean()) < 0.9
    assert torch.equal(seen[~hidden], ids[~hidden])


def test_rows_are_full_and_every_pass_is_cut_elsewhere() -> None:
    stream = np.arange(100, 1100, dtype=np.uint16)
    examples = PackedExamples(stream, 33, CLS, 7)
    batches = examples.batches(8, seed=1)
    assert [len(batch) for batch in batches] == [8] * 7
    assert all(np.array_equal(one, other) for one, other in zip(batches, examples.batches(8, seed=1), strict=True))
    rows = examples.collate(batches[0]).ids
    assert rows.shape == (8, 33)
    assert bool((rows[:, 0] == CLS).all())
    assert bool((rows[:, 2:] - rows[:, 1:-1] == 1).all())
    assert len(set((np.concatenate(batches) % 32).tolist())) > 1


def test_the_head_begins_with_the_frequencies() -> None:
    torch.manual_seed(0)
    encoder = fresh_encoder(100, EncoderSize(hidden=64, layers=1, inner=64, embedding=32), dropout=0.0)
    counts = torch.arange(100) ** 2
    ids = torch.randint(5, 100, (4, 16))
    with torch.no_grad():
        told = MaskedModel(encoder, counts)(ids, torch.arange(64)).softmax(dim=1).mean(dim=0)
        even = MaskedModel(encoder)(ids, torch.arange(64)).softmax(dim=1).mean(dim=0)
    wanted = (counts + 0.5) / (counts + 0.5).sum()
    assert float((told - wanted).abs().sum()) < 0.25
    assert float((even - wanted).abs().sum()) > 0.5


def test_the_loss_falls() -> None:
    vocabulary = train_pieces(lines(), Pieces(size=600, least=1))
    stream = stream_of(tokenised(lines(), vocabulary), SEP)
    torch.manual_seed(0)
    model = MaskedModel(
        fresh_encoder(len(vocabulary), EncoderSize(hidden=64, layers=2, inner=96, embedding=32), dropout=0.0)
    )
    masker = Masker(torch.from_numpy(continues(vocabulary)), special=5, mask=MASK, how=Masked())
    loss = masked_loss(model, masker)
    told: list[float] = []
    how = Fit(lr=3e-3, batch=8, warmup=0.1)
    examples = PackedExamples(stream, 48, CLS, 60)
    fit(
        model,
        examples,
        loss,
        how,
        progress=lambda line: told.append(float(line.split("loss ")[1].split()[0])),
        log_every=30,
    )
    assert told[-1] < told[0] - 1.5
