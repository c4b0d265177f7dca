from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("torch")

from readproof.items import Gold, SpanItem
from readproof.readers.vocabulary import SPECIAL, Vocabulary, whole
from readproof.training.encoder import Encoder, Shape
from readproof.training.measure import EvalSet
from readproof.training.model import SpanReader
from readproof.training.prepare import write_set
from readproof.training.sets import prepare
from readproof.training.weights import packed, write_pieces
from tests.training.made import FACTS, PASSAGE, made_items

if TYPE_CHECKING:
    from tests.training.folders import Folders


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    """Tiny tensors are faster on one thread, and a resumed run must add in the same order."""
    import torch

    torch.set_num_threads(1)


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
def prepared(items: list[SpanItem], vocabulary: Vocabulary) -> EvalSet:
    return prepare(items, vocabulary.tokenizer(), max_tokens=48, overlap=12)


@pytest.fixture
def reader(vocabulary: Vocabulary) -> SpanReader:
    import torch

    torch.manual_seed(0)
    shape = Shape(rows=len(vocabulary), hidden=64, layers=4, heads=1, inner=128, positions=64, dropout=0.1)
    return SpanReader(Encoder(shape))


@pytest.fixture
def start(tmp_path: Path, vocabulary: Vocabulary) -> Path:
    """A folder of start weights: a tiny random encoder in int8 parts."""
    import torch

    torch.manual_seed(0)
    shape = Shape(rows=len(vocabulary), hidden=64, layers=4, heads=1, inner=128, positions=64)
    folder = tmp_path / "start"
    write_pieces(packed(Encoder(shape).state_dict()), folder, "part", limit=300_000)
    vocabulary.save(folder)
    return folder


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A data file: six passages, four questions each."""
    path = tmp_path / "made.json"
    write_set(path, made_items(6))
    return path


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The folder of a tiny encoder, by its family; not to be changed."""
    pytest.importorskip("transformers")
    from tests.training.folders import FAMILIES, texts

    made: dict[str, Path] = {}

    def get(family: str) -> Path:
        if family not in made:
            made[family] = FAMILIES[family](tmp_path_factory.mktemp(family), texts(made_items(6)))
        return made[family]

    return get
