"""The reader in training reads as the folder written from it is read, whoever else is in the batch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from readproof.items import SpanItem
from readproof.readers import load_reader
from readproof.readers.api import GRADIENTS, GivesGradients
from readproof.training.adversarial.reading import TorchWindows, WindowReader, preparing, top_spans
from readproof.training.readerstart import reader_start
from readproof.training.spans import best_spans
from tests.training.made import made_items

WORDS = ["什么", "的", "主教", "我们", "越", "一九四零年"]


@pytest.fixture
def reader(tiny: Path) -> WindowReader:
    start = reader_start(str(tiny))
    model = start.reader(start.state(), dropout=0.3)
    return WindowReader(TorchWindows(model.train()), preparing(start, max_tokens=112, overlap=28))


def test_it_agrees_with_the_folder(reader: WindowReader, tiny: Path) -> None:
    folder = load_reader(str(tiny), threads=1)
    items = made_items(4)
    assert [one.text for one in reader.answer(items)] == [one.text for one in folder.answer(items)]
    for item, ours in zip(items, reader.distributions(items, 10), strict=True):
        theirs = folder.distribution(item, 10)  # type: ignore[attr-defined]
        assert {(one[0], one[1]) for one in ours} == {(one[0], one[1]) for one in theirs}
        # the folder's probabilities are among spans, ours include "no answer"
        ratios = [one[2] / other[2] for one, other in zip(ours, theirs, strict=True)]
        assert np.ptp(ratios) < 1e-3


def test_an_answer_does_not_hang_on_the_batch(reader: WindowReader) -> None:
    items = made_items(6)
    together = reader.distributions(items, 5)
    alone = [reader.distribution(item, 5) for item in items]
    for one, other in zip(together, alone, strict=True):
        assert [span[:2] for span in one] == [span[:2] for span in other]
        assert np.allclose([span[2] for span in one], [span[2] for span in other], rtol=1e-4)


def test_long_passages_are_read_in_all_windows(reader: WindowReader) -> None:
    item = made_items(1)[0]
    long = SpanItem(id="long", passage=item.passage * 4, question=item.question)
    found = reader.distribution(long, 20)
    assert len({span[:2] for span in found}) == len(found)
    assert max(span[1] for span in found) <= len(long.passage)


def test_a_model_in_training_stays_in_training(reader: WindowReader) -> None:
    reader.answer(made_items(1))
    assert reader._model._model.training  # type: ignore[attr-defined]


def test_best_spans_by_band_and_by_square() -> None:
    torch.manual_seed(1)
    logs = torch.log_softmax(torch.randn(3, 40, 2), dim=1)
    valid = torch.ones(3, 40, dtype=torch.bool)
    valid[:, 1:9] = False
    square, band = best_spans(logs, valid, longest=7, count=5), top_spans(logs, valid, count=5, longest=7)
    for one, other in zip(square, band, strict=True):
        assert torch.equal(one, other) if not one.is_floating_point() else torch.allclose(one, other)


def test_exchanges_agree_with_the_folder_and_with_a_small_step(reader: WindowReader, tiny: Path) -> None:
    folder = load_reader(str(tiny), threads=1)
    assert GRADIENTS in folder.capabilities and isinstance(folder, GivesGradients)
    items = made_items(2)[:3]
    places = [[(0, 3), (5, 6), (9, 11)]] * 3
    ours = reader.exchanges(items, places, [WORDS] * 3)
    theirs = folder.exchanges(items, places, [WORDS] * 3)
    for one, other in zip(ours, theirs, strict=True):
        assert one.shape == (3, len(WORDS))
        np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-4)
    assert abs(ours[0][1, WORDS.index("越")] - _stepped(folder, items[0], 5, "越")) < 2e-2


def _stepped(folder: object, item: SpanItem, place: int, word: str) -> float:
    """The slope of the loss towards another token's vector, by walking a little that way."""
    pair = folder._model._pair  # type: ignore[attr-defined]
    question, passage = pair.encode(item.question)[0], pair.encode(item.passage)[0]
    inputs = pair.window(question, passage)
    head = len(question) + 2
    table = pair.model.get_input_embeddings().weight
    vectors = table[inputs.pop("input_ids")].detach()
    way = table[int(pair.encode(word)[0][0])].detach() - vectors[0, head + place]
    gold = item.golds[0]
    assert gold.start is not None
    inside = [0, *range(head, head + len(passage))]
    tokens = folder.reading.model.encode_question(item.passage[: gold.start])  # type: ignore[attr-defined]
    size = len(folder.reading.model.encode_question(gold.text))  # type: ignore[attr-defined]
    first, last = 1 + len(tokens), len(tokens) + size

    def loss(far: float) -> float:
        moved = vectors.clone()
        moved[0, head + place] += far * way
        with torch.inference_mode():
            found = pair.model(inputs_embeds=moved.double().float(), **inputs)
        logs = [torch.log_softmax(one[0, inside].double(), dim=0) for one in (found.start_logits, found.end_logits)]
        return -float(logs[0][first] + logs[1][last])

    return (loss(1e-2) - loss(-1e-2)) / 2e-2


def test_words_are_weighed_in_the_form_of_the_passage(reader: WindowReader, tiny: Path) -> None:
    """A word that differs by what nobody sees would be read as the same, so it would do the same."""
    item = made_items(1)[0]
    words = ["1963", "１９６３", "1\u200b963", "主教"]
    for one in (reader, load_reader(str(tiny), threads=1)):
        (table,) = one.exchanges([item], [[(0, 2), (5, 6)]], [words])  # type: ignore[attr-defined]
        assert np.array_equal(table[:, 0], table[:, 1]) and np.array_equal(table[:, 0], table[:, 2])
        assert not np.array_equal(table[:, 0], table[:, 3])
