"""A span reader with exits: never stopping it answers as the full reader does; stopping, it says so and costs less."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from readproof.efficiency.modules import parse
from readproof.items import Gold, SpanItem
from readproof.readers import load_reader
from readproof.readers.exits.config import read_manner
from readproof.readers.exits.deciding import Policy, parse_policy
from readproof.readers.exits.trace import flops
from readproof.training.export import span_graph
from readproof.training.multi_exit.measure import load_spans, save_spans, span_scores, spans_said
from readproof.training.multi_exit.model import multi_exit_from
from readproof.training.multi_exit.ruling import SpanRuleResult, cheapest
from readproof.training.multi_exit.sets import task_parts
from readproof.training.prepare import write_set
from readproof.training.sets import prepare, span_items
from readproof.training.work import WorkFolder
from tests.training.multi_exit.conftest import Trained
from tests.training.multi_exit.made import vocabulary
from tools import rules


@pytest.fixture
def full(trained: Trained, tmp_path: Path) -> Path:
    """The same weights as one graph, with the last head alone."""
    tensors = {name: one.numpy() for name, one in WorkFolder(trained("cmrc2018") / "work").load("exits-0").items()}
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
    items, config = items_of(folder), read_manner(folder / "reader")
    costs = []
    for rule in ("layer:1", "entropy:2", ""):
        answers = load_reader(str(folder / "reader"), threads=1, exit=rule).answer(items)
        costs.append(sum(flops(config, parse(answer.modules)) for answer in answers))
    assert costs[0] < costs[1]
    assert costs[0] < costs[2]


def test_what_heads_said_is_kept_and_scored(trained: Trained, tmp_path: Path) -> None:
    folder = trained("cmrc2018")
    config = read_manner(folder / "work")
    model = multi_exit_from(WorkFolder(folder / "work").load("exits-0"), config)
    found = prepare(items_of(folder), vocabulary().tokenizer(), max_tokens=config.max_tokens, overlap=10)
    said = spans_said(model, found)
    save_spans(tmp_path / "said.npz", said)
    again = load_spans(tmp_path / "said.npz")
    np.testing.assert_array_equal(again.firsts, said.firsts)
    costs = [span_scores(found, said, config, Policy("layer", layer))[2] for layer in (1, 2, 3)]
    assert costs == sorted(costs)
    *_, layers = span_scores(found, said, config, Policy("entropy", 100.0))
    assert set(layers) == {1}


def test_the_cheapest_rule_that_loses_nothing() -> None:
    def tried(rule: str, exact: float, f1: float, flops: float) -> SpanRuleResult:
        return SpanRuleResult(parse_policy(rule), exact, f1, flops)

    rows = [
        tried("layer:1", 40, 50, 1.0),
        tried("entropy:1@2", 60, 79, 1.5),
        tried("layer:2", 60, 81, 2.0),
        tried("layer:3", 60, 80, 3.0),
    ]
    config = SimpleNamespace(layers=3)
    assert str(cheapest(rows, config).policy) == "layer:2"  # type: ignore[arg-type]


def test_a_rule_is_chosen_on_the_held_out_questions(
    trained: Trained, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = trained("cmrc2018")
    config = read_manner(folder / "reader")
    data = tmp_path / "data"
    data.mkdir()
    (data / "dev.json").write_text((folder / "data" / "dev.json").read_text())
    first = span_items(f"cmrc2018:{folder / 'data' / 'train.json'}")[0]
    towns = ["东海城", "南山镇", "西河村", "北江县", "长桥乡", "白云岛", "红松林", "青石湾"]
    copies = [
        replace(first, id=town, passage=f"{town}的人口是{number}万，盛产茶叶。", golds=(Gold("茶叶", len(town) + 9),))
        for number, town in enumerate(towns)
    ]
    write_set(data / "train.json", copies)
    held = [item for item in task_parts("cmrc2018", [data], held=0.5).held if isinstance(item, SpanItem)]
    prepared = prepare(held, vocabulary().tokenizer(), max_tokens=config.max_tokens, overlap=config.max_tokens // 4)
    model = multi_exit_from(WorkFolder(folder / "work").load("exits-0"), config)
    (tmp_path / "said").mkdir()
    save_spans(tmp_path / "said" / "held.npz", spans_said(model, prepared))
    (tmp_path / "reader").symlink_to(folder / "reader")
    (tmp_path / "measured.json").write_text((folder / "work" / "measured.json").read_text())
    assert rules.main([str(tmp_path), "--data", str(data), "--held-out", "0.5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("@" in line for line in lines[:-1]) >= 10
    chosen = load_reader(str(folder / "reader"), threads=1, exit=lines[-1])
    assert chosen.answer(items_of(folder)[:2])
