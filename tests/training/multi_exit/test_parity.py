"""What heads said in training, what readers say, and what the counter finds in their model file: all the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.efficiency.flops import measure
from readproof.efficiency.modules import parse
from readproof.readers import load_reader
from readproof.readers.exits.asking import Asking
from readproof.readers.exits.config import read_manner
from readproof.readers.exits.deciding import Policy, parse_policy
from readproof.readers.exits.trace import macs
from readproof.tasks import TASKS, load
from readproof.tasks.layouts.closed import ClosedPredictions
from readproof.tasks.layouts.marks import MarkLine, MarkPredictions
from readproof.training.multi_exit.folder import said_by_tokens, token_answers
from readproof.training.multi_exit.measure import answers_of, load_said, performance
from readproof.training.multi_exit.model import multi_exit_from
from readproof.training.multi_exit.sets import asked
from readproof.training.work import WorkFolder
from tests.training.multi_exit.conftest import Trained
from tests.training.multi_exit.made import TASK_NAMES, clear_threshold, gold_of, said_of, vocabulary


@pytest.mark.parametrize("task", TASK_NAMES)
def test_a_reader_says_what_its_heads_said_in_training(task: str, trained: Trained) -> None:
    folder = trained(task)
    items = list(load(gold_of(folder, task)))
    said, config = load_said(folder / "work" / "said" / "measured.npz"), read_manner(folder / "work")
    for rule in ("", "layer:1", "layer:2", "patience:2", f"entropy:{clear_threshold(said)}"):
        before = answers_of(items, said, config, parse_policy(rule))
        now = load_reader(str(folder / "reader"), threads=1, exit=rule).answer(items)
        assert list(map(said_of, now)) == list(map(said_of, before)), rule


@pytest.mark.parametrize("task", ["cmeee", "pku-segpos", "wordseg-weibo"])
def test_characters_stop_one_by_one_in_batches_as_in_a_reader(task: str, trained: Trained) -> None:
    folder = trained(task)
    items = list(load(gold_of(folder, task)))
    config = read_manner(folder / "work")
    model = multi_exit_from(WorkFolder(folder / "work").load("exits-0"), config)
    units = asked(items, Asking(vocabulary(), config), config)
    threshold = clear_threshold(load_said(folder / "work" / "said" / "measured.npz"))
    before = token_answers(items, units, said_by_tokens(model, units, threshold))
    now = load_reader(str(folder / "reader"), threads=1, exit=f"tokens:{threshold}").answer(items)
    assert list(map(said_of, now)) == list(map(said_of, before))
    assert any("part_" in answer.modules for answer in now)


@pytest.mark.parametrize("task", TASK_NAMES)
def test_the_performance_is_that_of_the_official_metric(task: str, trained: Trained) -> None:
    folder = trained(task)
    items = list(load(gold_of(folder, task)))
    said, config = load_said(folder / "work" / "said" / "measured.npz"), read_manner(folder / "work")
    answers = answers_of(items, said, config, Policy("layer", 2))
    given: ClosedPredictions | MarkPredictions
    if task in ("ccpm", "chnc"):
        values = {str(at): one.choice if task == "ccpm" else one.label for at, one in enumerate(answers)}
        given = ClosedPredictions(Path("p"), values, by="order")
    else:
        given = MarkPredictions(Path("p"), [MarkLine(one.marks) for one in answers])
    exact = TASKS.get(task).metrics["official"](items, given).exact
    assert performance(task, items, answers) == pytest.approx(exact.get("accuracy", exact.get("f1")))


@pytest.mark.parametrize("task", ["chnc", "ccpm", "pku-segpos"])
def test_costs_are_those_that_the_counter_finds_in_the_model_file(task: str, trained: Trained, tmp_path: Path) -> None:
    folder = trained(task)
    reader = load_reader(str(folder / "reader"), threads=1, exit="tokens:0.5" if task == "pku-segpos" else "patience:2")
    items = list(load(gold_of(folder, task)))[:12]
    uses = {use for answer in reader.answer(items) for use in parse(answer.modules)}
    model = tmp_path / "model_to_eval.py"
    model.write_text(reader.model_file())  # type: ignore[attr-defined]
    found = measure(model, uses, trust=True)
    config = read_manner(folder / "reader")
    assert {use: cost.macs for use, cost in found.of.items()} == {use: macs(config, use) for use in uses}
    assert not found.faults
    assert found.parameters == json.loads((folder / "reader" / "reader.json").read_text())["parameters"]
