"""Masked words told from every layer: what makes the lower layers of an encoder good enough to stop at.

As in ElasticBERT half of the layers are asked at a step, the odd ones or the even ones, and the last one always.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from readproof.readers.vocabulary import CLS, MASK, SEP, SPECIAL, Vocabulary
from readproof.training.clock import Clock
from readproof.training.encoder import Encoder
from readproof.training.fit import Loss, fit
from readproof.training.model import plain_state
from readproof.training.pretrain.corpus import documents, tokenised
from readproof.training.pretrain.masked import MaskedModel, Masker
from readproof.training.pretrain.pace import steps_for
from readproof.training.pretrain.packed import PackedExamples, Rows, stream_of
from readproof.training.pretrain.places import continues
from readproof.training.pretrain.recipe import Masked
from readproof.training.recipe import Fit
from readproof.training.site import Site

JOB = "masked"


class MaskedExits(MaskedModel):
    """A dense layer of its own for every layer of the encoder; the table that tells the pieces is one for all."""

    def __init__(self, encoder: Encoder, counts: Tensor | None = None) -> None:
        super().__init__(encoder, counts)
        shape = encoder.shape
        self.lower = nn.ModuleList(nn.Linear(shape.hidden, shape.narrow) for _ in range(shape.layers - 1))
        for one in self.lower:
            nn.init.normal_(one.weight, std=0.02)  # type: ignore[arg-type]
            nn.init.zeros_(one.bias)  # type: ignore[arg-type]

    def told(self, ids: Tensor, at: Tensor, layers: Sequence[int]) -> list[Tensor]:
        """The scores of all pieces for the places `at`, as each of these layers (from 0) tells them."""
        encoded = self.bert(ids, torch.zeros_like(ids))
        dense = [*self.lower, self.dense]
        found = []
        for layer in layers:
            narrow = self.norm(functional.gelu(dense[layer](encoded.layers[layer].flatten(0, 1)[at])))
            found.append(functional.linear(narrow, self.words, self.bias))
        return found


def masked_exits_loss(model: MaskedExits, masker: Masker) -> Loss:
    """The mean cross-entropy of the hidden pieces over the layers that are asked."""
    last = model.layers - 1

    def loss(batch: Rows) -> Tensor:
        seen, at = masker.drawn(batch.ids)
        # drawn from the seed of the step, so that a run that goes on asks the same layers
        odd = int(torch.randint(2, (1,)))
        layers = [layer for layer in range(last) if layer % 2 == odd] + [last]
        gold = batch.ids.flatten()[at]
        told = model.told(seen, at, layers)
        return torch.stack([functional.cross_entropy(one.float(), gold) for one in told]).mean()

    return loss


def masked_job(site: Site, encoder: Encoder, vocabulary: Vocabulary, texts: Sequence[Path], how: Masked) -> None:
    """Train the encoder on text; its tensors are kept as the job `masked`."""
    if site.work.result(JOB) is not None:
        site.say(f"{JOB}: done before")
        return
    begun = time.monotonic()
    ids = vocabulary.ids()
    corpus = tokenised(documents(texts), vocabulary)
    torch.manual_seed(how.pace.seed)
    counts = torch.from_numpy(np.bincount(corpus.ids, minlength=len(vocabulary)))
    model = MaskedExits(encoder, counts).to(site.device)
    table = torch.from_numpy(continues(vocabulary)).to(site.device)
    masker = Masker(table, special=len(SPECIAL), mask=ids[MASK], how=how)
    loss = masked_exits_loss(model, masker)
    pace = how.pace
    rate = Fit(lr=pace.lr, batch=pace.batch, warmup=pace.warmup, weight_decay=pace.weight_decay, seed=pace.seed)
    examples = PackedExamples(stream_of(corpus, ids[SEP], least=2 * how.length), how.length, ids[CLS], 1)
    known = site.work.notes(JOB).get("steps")
    steps = (
        int(known) if known else steps_for(model, examples, loss, rate, pace.seconds) if pace.seconds else pace.steps
    )
    site.work.note(JOB, {"steps": steps})
    clock = Clock({JOB: 1.0})
    fit(
        model,
        replace(examples, steps=steps),
        loss,
        rate,
        progress=lambda line: site.say(", ".join(part for part in (f"{JOB}: {line}", clock.left()) if part)),
        checkpoint=site.work.checkpoint(JOB),
        save_every=site.save_every,
        on_step=lambda done, of: clock.step(JOB, done, of),
    )
    state = {name: one for name, one in plain_state(model).items() if name.startswith("bert.")}
    site.work.store(JOB, state, {})
    seconds = round(time.monotonic() - begun, 1)
    site.work.finish(JOB, {"steps": steps, "tokens": steps * pace.batch * how.length, "seconds": seconds})
