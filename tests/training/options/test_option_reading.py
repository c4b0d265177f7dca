"""A reader in training answers as the exported one reads: the same passes, the same segments, the same sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from readproof.readers.options import OptionReading, OptionReadingConfig
from readproof.readers.vocabulary import Vocabulary
from readproof.training.encoder import Encoder, Shape
from readproof.training.options.model import OptionReader
from readproof.training.options.reading import option_answers, verdicts
from tests.training.options.made import choice_items

MANNER = OptionReadingConfig(segment=24, overlap=6, fine=20, statement=16, max_tokens=48, most=2)


class OneByOne:
    """A model that reads one window a call, as the ONNX reader does; it counts them."""

    def __init__(self, reader: OptionReader, vocabulary: Vocabulary) -> None:
        self.reader, self.vocabulary = reader, vocabulary
        self.read = 0

    def verdict(self, statement: str, piece: str) -> tuple[float, float]:
        self.read += 1
        return verdicts(self.reader, [(statement, piece)], self.vocabulary.tokenizer(), MANNER, size=1)[0]


@pytest.fixture
def reader(vocabulary: Vocabulary) -> OptionReader:
    torch.manual_seed(0)
    return OptionReader(Encoder(Shape(rows=len(vocabulary), hidden=64, layers=2, heads=1, inner=128, positions=64)))


@pytest.mark.parametrize(
    "manner",
    [MANNER, replace(MANNER, fine_share=0.0), replace(MANNER, fine_share=1.0, liking=0.0), replace(MANNER, liking=9.0)],
    ids=["both", "coarse", "fine", "liking"],
)
def test_the_same_answers_in_batches(reader: OptionReader, vocabulary: Vocabulary, manner: OptionReadingConfig) -> None:
    items = choice_items(4)
    reading = OptionReading(OneByOne(reader, vocabulary), manner)
    alone = [reading.judge(item).answer for item in items]
    together = option_answers(reader, items, vocabulary.tokenizer(), manner, size=500)
    assert [one.id for one in together] == [item.id for item in items]
    for one, other in zip(together, alone, strict=True):
        assert one.choice == other.choice
        assert one.scores == pytest.approx(other.scores, abs=1e-4)


def test_a_pass_without_a_say_is_not_read(reader: OptionReader, vocabulary: Vocabulary) -> None:
    item = choice_items(1)[0]
    counts = {}
    for name, change in {"both": {}, "coarse": {"fine_share": 0.0}, "fine": {"fine_share": 1.0, "liking": 0.0}}.items():
        model = OneByOne(reader, vocabulary)
        OptionReading(model, replace(MANNER, **change)).judge(item)  # type: ignore[arg-type]
        counts[name] = model.read / len(item.options)
    assert counts == {"both": 3, "coarse": 2, "fine": 1}
