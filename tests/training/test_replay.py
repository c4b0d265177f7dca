"""Steps replayed as CUDA graphs end with the very weights of steps that are not."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from readproof.training.device import pick_device
from readproof.training.finetune import span_loss
from readproof.training.fit import fit, tensors_of
from readproof.training.measure import EvalSet
from readproof.training.model import SpanReader, plain_state, reader_from
from readproof.training.recipe import Fit
from readproof.training.windows import SpanExamples, collate


def test_a_batch_is_its_tensors(prepared: EvalSet) -> None:
    batch = collate(prepared.windows, next(iter(SpanExamples(prepared.windows).batches(2, 0))))
    found = tensors_of(batch)
    assert list(found) == ["ids", "types", "mask", "valid", "golds", "labelled"]
    assert found["ids"] is batch.ids


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("how", [Fit(fgm=0.0), Fit(fgm=1.0), Fit(ema=0.9)])
def test_the_weights_are_the_same(
    reader: SpanReader, prepared: EvalSet, how: Fit, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed_steps = []
    replay_one = torch.cuda.CUDAGraph.replay
    monkeypatch.setattr(torch.cuda.CUDAGraph, "replay", lambda one: (replayed_steps.append(1), replay_one(one))[1])
    start, device = plain_state(reader), pick_device()
    ends = []
    for replayed in (False, True):
        model = reader_from(start).to(device)
        how = replace(how, epochs=4, batch=2, lr=1e-3)
        fit(model, SpanExamples(prepared.windows), span_loss(model), how, replay=replayed)
        ends.append(plain_state(model))
    assert all(torch.equal(ends[0][name], ends[1][name]) for name in ends[0])
    assert replayed_steps
