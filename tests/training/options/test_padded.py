"""Batches in few shapes: what is added to fill them counts nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from readproof.readers.options import OptionReadingConfig
from readproof.readers.vocabulary import Vocabulary
from readproof.training.encoder import Encoder, Shape
from readproof.training.options.measure import LossWeights, option_loss
from readproof.training.options.model import OptionReader
from readproof.training.options.plan import matched, student_loss
from readproof.training.options.recipe import OptionStep
from readproof.training.options.sets import questions
from readproof.training.options.windows import GroupView, OptionBatch, OptionExamples, cut
from tests.training.options.made import choice_items

MANNER = OptionReadingConfig(segment=24, overlap=6, fine=20, statement=16, max_tokens=48)


def reader_of(vocabulary: Vocabulary, seed: int) -> OptionReader:
    torch.manual_seed(seed)
    shape = Shape(rows=len(vocabulary), hidden=64, layers=2, heads=1, inner=128, positions=64, dropout=0.0)
    return OptionReader(Encoder(shape))


@pytest.fixture
def examples(vocabulary: Vocabulary) -> OptionExamples:
    items = choice_items(3)
    groups = [
        replace(one, place=(0, 3)) for one in questions([*items, replace(items[0], options=("越", "南"))], "made")
    ]
    windows = cut(groups, vocabulary.tokenizer(), MANNER)
    random = np.random.default_rng(0)
    windows.said = [random.normal(size=(len(group.statements), 2)).astype(np.float32) for group in windows.groups]
    windows.said[1][:] = np.nan  # the teachers were silent
    return OptionExamples(windows)


def views_of(examples: OptionExamples) -> list[GroupView]:
    """Some groups in segments, one by its best sentences."""
    windows = examples.windows
    return [view for view in (*windows.coarse[:2], windows.fine[2], windows.coarse[6]) if view is not None]


def gradients(reader: OptionReader, value: Tensor) -> dict[str, Tensor]:
    reader.zero_grad()
    value.backward()  # type: ignore[no-untyped-call]
    return {name: one.grad.clone() for name, one in reader.named_parameters() if one.grad is not None}


@pytest.mark.parametrize("distilled", [False, True])
def test_loss_and_gradients_are_the_same(examples: OptionExamples, vocabulary: Vocabulary, distilled: bool) -> None:
    reader, guide = reader_of(vocabulary, 0), reader_of(vocabulary, 1)
    weights = LossWeights(truth=0.7, choice=0.9, evidence=0.3, said=1.0, smoothing=0.1)
    learnt = student_loss(reader, guide, OptionStep(sets=("a",), weights=weights, hidden=1.0), matched(2, 2))

    def loss(batch: OptionBatch) -> Tensor:
        if distilled:
            return learnt(batch)
        logits, rated = reader(batch)
        return option_loss(logits, rated, batch, weights)

    plain, padded = (replace(examples, padded=one).collate(views_of(examples)) for one in (None, (16, 64)))
    values = [loss(batch) for batch in (plain, padded)]
    torch.testing.assert_close(values[0], values[1], rtol=1e-6, atol=1e-6)
    before, after = (gradients(reader, value) for value in values)
    assert before.keys() == after.keys()
    for name in before:
        torch.testing.assert_close(before[name], after[name], rtol=1e-5, atol=1e-6, msg=name)


def test_shapes_are_few(examples: OptionExamples) -> None:
    first = examples.collate(views_of(examples))
    second = examples.collate(views_of(examples)[:3])
    assert first.ids.shape != second.ids.shape
    one, other = (batch.padded(rows=128) for batch in (first, second))
    for name in OptionBatch.__slots__:
        assert getattr(one, name).shape == getattr(other, name).shape, name
    assert (one.ids.shape, one.table.shape, one.rows.shape) == ((128, 64), (128, 8), (128, 4))
    assert one.said.isnan().sum() == first.said.isnan().sum() + 128 - len(first.said)


def test_a_row_of_padding_is_a_number(examples: OptionExamples, vocabulary: Vocabulary) -> None:
    logits, _ = reader_of(vocabulary, 0)(replace(examples, padded=(16, 64)).collate(views_of(examples)))
    assert logits.isfinite().all() and logits[-1] == 0
