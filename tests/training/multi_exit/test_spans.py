"""A span reader with exits: never stopping it answers as the full reader does; stopping, it says so and costs less."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from readproof.efficiency.modules import parse
from readproof.items import SpanItem
from readproof.readers import load_reader
from readproof.readers.exits.manner import read_manner
from readproof.readers.exits.policy import Policy
from readproof.readers.exits.trace import flops
from readproof.training.export import span_graph
from readproof.training.multi_exit.model import multi_exit_from
from readproof.training.multi_exit.spans import load_spans, save_spans, span_scores, spans_said
from readproof.training.sets import prepare, span_items
from readproof.training.work import Work
from tests.training.multi_exit.conftest import Trained
from tests.training.multi_exit.made import vocabulary


@pytest.fixture
def full(trained: Trained, tmp_path: Path) -> Path:
    """The same weights as one graph, with the last head alone."""
    tensors = {name: one.numpy() for name, one in Work(trained("cmrc2018") / "work").load("exits-0").items()}
    for part in ("weight", "bias"):
        tensors[f"qa_outputs.{part}"] = tensors[f"exits.3.score.{part}"]
    (tmp_path / "model.onnx").write_bytes(span_graph(tensors, precision="fp32").SerializeToString())
    vocabulary().save(tmp_path)
    card = (trained("cmrc2018") / "reader" / "reader.json").read_text()
    (tmp_path / "reader.json").write_text(card)
    return tmp_path


def items_of(folder: Path) -> list[SpanItem]:
    return span_items(f"cmrc2018:{folder / 'data' / 'dev.json'}")


def test_a_reader_that_never_stops_answers_as_the_full_one(trained: Trained, full: Path) -> None:
    folder = trained("cmrc2018")
    items = items_of(folder)
    plain = load_reader(str(full), threads=1).answer(items)
    exits = load_reader(str(folder / "reader"), threads=1).answer(items)
    assert [(one.text, one.start, one.end) for one in exits] == [(one.text, one.start, one.end) for one in plain]
    np.testing.assert_allclose([one.scores[0] for one in exits], [one.scores[0] for one in plain], atol=1e-4)
    assert {one.exit for one in exits} == {3}


def test_stopping_early_costs_less(trained: Trained) -> None:
    folder = trained("cmrc2018")
    items, manner = items_of(folder), read_manner(folder / "reader")
    costs = []
    for rule in ("layer:1", "entropy:2", ""):
        answers = load_reader(str(folder / "reader"), threads=1, exit=rule).answer(items)
        costs.append(sum(flops(manner, parse(answer.modules)) for answer in answers))
    assert costs[0] < costs[1]
    assert costs[0] < costs[2]


def test_what_heads_said_is_kept_and_scored(trained: Trained, tmp_path: Path) -> None:
    folder = trained("cmrc2018")
    manner = read_manner(folder / "work")
    model = multi_exit_from(Work(folder / "work").load("exits-0"), manner)
    found = prepare(items_of(folder), vocabulary().tokenizer(), max_tokens=manner.max_tokens, overlap=10)
    said = spans_said(model, found)
    save_spans(tmp_path / "said.npz", said)
    again = load_spans(tmp_path / "said.npz")
    np.testing.assert_array_equal(again.firsts, said.firsts)
    costs = [span_scores(found, said, manner, Policy("layer", layer))[2] for layer in (1, 2, 3)]
    assert costs == sorted(costs)
    *_, layers = span_scores(found, said, manner, Policy("entropy", 100.0))
    assert set(layers) == {1}
