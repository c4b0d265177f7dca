from __future__ import annotations

import pytest

pytest.importorskip("torch")

from readproof.items import Gold, SpanItem
from readproof.training.encoder import Encoder, Shape
from readproof.training.measure import Prepared
from readproof.training.model import SpanReader
from readproof.training.sets import prepare
from readproof.training.vocabulary import SPECIAL, Vocabulary, whole

PASSAGE = (
    "范廷颂枢机，圣名保禄·若瑟，是越南罗马天主教枢机。1963年被任为主教；1990年被擢升为宗座署理；1994年被擢升为总主教。"
)
FACTS = {
    "范廷颂是哪国人？": "越南",
    "什么时候任主教？": "1963年",
    "圣名是什么？": "保禄·若瑟",
    "1994年成为什么？": "总主教",
}


@pytest.fixture
def items() -> list[SpanItem]:
    return [
        SpanItem(id=str(number), passage=PASSAGE, question=question, golds=(Gold(text, PASSAGE.index(text)),))
        for number, (question, text) in enumerate(FACTS.items())
    ]


@pytest.fixture
def vocabulary() -> Vocabulary:
    characters = sorted(set(PASSAGE + "".join(FACTS)) | set("0123456789"))
    return whole([*SPECIAL, *characters, *(f"##{digit}" for digit in "0123456789")])


@pytest.fixture
def prepared(items: list[SpanItem], vocabulary: Vocabulary) -> Prepared:
    return prepare(items, vocabulary.tokenizer(), max_tokens=48, overlap=12)


@pytest.fixture
def reader(vocabulary: Vocabulary) -> SpanReader:
    import torch

    torch.manual_seed(0)
    shape = Shape(rows=len(vocabulary), hidden=64, layers=4, heads=1, inner=128, positions=64, dropout=0.1)
    return SpanReader(Encoder(shape))
