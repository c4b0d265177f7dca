from __future__ import annotations

from pathlib import Path

import pytest
import torch

from readproof.lang.api import get_language
from readproof.readers.vocabulary import SPECIAL, Vocabulary, whole
from readproof.training.adversarial.recipe import AttackMix, EmbeddingPerturbation, Recipe
from readproof.training.checkpoint import write_checkpoint
from readproof.training.encoder import Encoder, Shape
from readproof.training.finetune import span_loss
from readproof.training.fit import fit
from readproof.training.model import SpanReader, plain_state
from readproof.training.prepare import write_set
from readproof.training.recipe import Fit
from readproof.training.start import read_folder
from readproof.training.windows import SpanExamples
from tests.training.made import FACTS, PASSAGE, made_items


def tiny_vocabulary() -> Vocabulary:
    common = "".join(get_language("zh").common_words()[:200])
    characters = sorted(set(PASSAGE + "".join(FACTS) + common) | set("0123456789"))
    return whole([*SPECIAL, *characters, *(f"##{digit}" for digit in "0123456789")])


def write_tiny(folder: Path, *, seed: int = 0) -> Path:
    """A reader of two small layers with random weights, loud enough that words matter to it."""
    vocabulary = tiny_vocabulary()
    torch.manual_seed(seed)
    reader = SpanReader(Encoder(Shape(rows=len(vocabulary), hidden=64, layers=2, heads=1, inner=64, positions=128)))
    with torch.no_grad():
        for parameter in reader.parameters():
            parameter.mul_(1.5)
    return write_checkpoint(folder, plain_state(reader), vocabulary, {})


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The folder of a trained reader."""
    return write_tiny(tmp_path / "tiny")


@pytest.fixture
def data(tmp_path: Path) -> str:
    """Six passages, four questions each."""
    write_set(tmp_path / "made.json", made_items(6))
    return f"squad:{tmp_path / 'made.json'}"


@pytest.fixture
def recipe() -> Recipe:
    return small_recipe()


def small_recipe() -> Recipe:
    doses = (
        AttackMix(attack="addsent", rate=0.5, budget=4),
        AttackMix(attack="addany", rate=0.4, budget=5),
        AttackMix(attack="hotflip", rate=0.3, budget=8),
        AttackMix(attack="typo", rate=0.3),
    )
    return Recipe(
        doses=doses,
        fit=Fit(epochs=2, lr=1e-3, batch=8, ema=0.9, seed=3),
        push=EmbeddingPerturbation(method="fgm"),
        carried=0.5,
        held_out=0.3,
        lost=100.0,
        look=4,
        table=4,
        max_tokens=112,
        overlap=28,
    )


def write_trained(folder: Path) -> Path:
    """A tiny reader that has learnt its few questions."""
    start = read_folder(write_tiny(folder))
    windows = start.prepared(made_items(10), max_tokens=112, overlap=28).windows
    reader = start.reader(start.state(), dropout=0.0)
    fit(reader, SpanExamples(windows), span_loss(reader), Fit(epochs=20, lr=2e-3, batch=8))
    return start.write(folder, plain_state(reader), {}, max_tokens=112)
