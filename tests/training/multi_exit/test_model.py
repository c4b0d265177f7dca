"""Heads above every layer: the gradients they send down, and what a span reader's own head becomes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from readproof.readers.exits.asking import Asking
from readproof.readers.exits.config import ExitConfig
from readproof.training.encoder import Encoder, Shape
from readproof.training.measure import EvalSet
from readproof.training.model import SpanReader, plain_state
from readproof.training.multi_exit.model import (
    MultiExit,
    distance,
    exit_loss,
    exit_weights,
    multi_exit_from,
    rescaled,
    task_loss,
)
from readproof.training.multi_exit.sets import ExitBatch, asked
from readproof.training.windows import collate
from tests.training.multi_exit.made import LABELLED, made, plan_of, vocabulary

WORDS = vocabulary()
SHAPE = Shape(rows=len(WORDS), hidden=64, layers=3, heads=1, inner=96, positions=64, dropout=0.0)
MANNER = ExitConfig(
    kind="label",
    task="chnc",
    exits=(1, 2, 3),
    rows=SHAPE.rows,
    hidden=64,
    heads=1,
    width=64,
    inner=96,
    positions=64,
    types=2,
    embedding=0,
    outputs=3,
    labels=tuple(LABELLED.values()),
    pooled=True,
    max_tokens=40,
)


def model_and_batch(config: ExitConfig = MANNER) -> tuple[MultiExit, ExitBatch]:
    torch.manual_seed(0)
    model = MultiExit(Encoder(SHAPE), config).train()
    units = asked(made("chnc", 8), Asking(WORDS, config), config)
    return model, units.collate(units.in_order(8)[0])


def test_equilibrium_leaves_the_scores_alone_and_shares_the_gradient() -> None:
    model, batch = model_and_batch()
    gradients = []
    for equilibrium in (False, True):
        model.zero_grad()
        scores = model(batch, equilibrium=equilibrium)
        sum(one.sum() for one in scores.values()).backward()
        gradients.append(model.bert.encoder.layer[0].output.dense.weight.grad.clone())  # type: ignore[union-attr,operator]
    plain, shared = gradients
    # three heads pull at the first layer; in equilibrium their mean does
    assert shared.norm() < 0.6 * plain.norm()
    one, other = (model.eval()(batch, equilibrium=flag) for flag in (False, True))
    assert all(torch.equal(one[layer], other[layer]) for layer in (1, 2, 3))


def test_the_first_layer_feels_the_mean_of_the_heads() -> None:
    """With scores that hang on the first layer alone, a third of each head's gradient arrives."""
    value = torch.ones(4, requires_grad=True)
    above, total, hidden = 3, torch.zeros(()), value
    for _ in range(3):
        total = total + rescaled(hidden, 1 / above).sum()
        hidden = rescaled(hidden, (above - 1) / above)
        above -= 1
    total.backward()  # type: ignore[no-untyped-call]
    assert value.grad is not None
    torch.testing.assert_close(value.grad, torch.ones(4))


def test_only_one_head_is_asked_where_only_one_counts() -> None:
    model, batch = model_and_batch()
    assert list(model(batch, only=2)) == [2]
    torch.testing.assert_close(model(batch, only=2)[2], model(batch)[2])


@pytest.mark.parametrize("weighing", ["even", "depth", "last"])
def test_the_weights_of_the_heads_are_shares(weighing: str) -> None:
    found = exit_weights(weighing, (2, 4, 6))  # type: ignore[arg-type]
    assert sum(found) == pytest.approx(1.0)
    assert found == sorted(found)


def test_a_batch_without_labels_has_no_loss() -> None:
    model, batch = model_and_batch()
    batch = replace(batch, targets=torch.full_like(batch.targets, -1))
    assert float(task_loss("label", model(batch)[1], batch).detach()) == 0.0


def test_heads_that_are_taught_have_more_to_lose() -> None:
    model, batch = model_and_batch()
    plain = exit_loss(model, plan_of("chnc", equilibrium=False))(batch)
    taught = exit_loss(model, plan_of("chnc", equilibrium=False, taught=1.0))(batch)
    assert float(taught.detach()) > float(plain.detach())


def test_a_head_that_agrees_with_the_last_one_is_taught_nothing() -> None:
    model, batch = model_and_batch()
    scores = model(batch)
    assert float(distance("label", scores[3], scores[3], batch, temperature=1.0)) == pytest.approx(0.0, abs=1e-6)
    assert float(distance("label", scores[1], scores[3], batch, temperature=1.0)) > 0.0


def test_the_head_of_a_span_reader_is_the_last_one(reader: SpanReader, prepared: EvalSet) -> None:
    shape = reader.bert.shape
    config = replace(
        MANNER, kind="spans", exits=(1, 2, 3, 4), rows=shape.rows, inner=128, outputs=2, labels=(), pooled=False
    )
    model = multi_exit_from(plain_state(reader), config).eval()
    batch = collate(prepared.windows, np.arange(len(prepared.windows)))
    torch.testing.assert_close(model(batch)[4], reader.eval()(batch)[0])


def test_a_models_own_tensors_make_it_again() -> None:
    model, batch = model_and_batch()
    again = multi_exit_from(model.state_dict(), MANNER, dropout=0.0)
    torch.testing.assert_close(again(batch), model(batch))
