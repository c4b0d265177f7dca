"""Training on files of one's own, with either head, and going on from what was trained."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem
from readproof.tasks.itemlines import write_items
from readproof.training.begin import read_start
from readproof.training.model import reader_from
from readproof.training.options.recipe import OptionFit
from readproof.training.options.records import read_groups
from readproof.training.options.start import folder_manner, read_option_start
from readproof.training.options.train import choice_items as read_choices
from readproof.training.options.train import train_options
from tests.shared_data import SHARED, needs_shared
from tests.training.options.made import choice_items

FIT = OptionFit(epochs=1, lr=1e-3, batch=4000)


@pytest.fixture
def mine(tmp_path: Path) -> str:
    with (tmp_path / "mine.jsonl").open("w", encoding="utf-8") as file:
        write_items(choice_items(12), file)
    return f"items:{tmp_path / 'mine.jsonl'}"


def test_both_heads_and_going_on(mine: str, start: Path, tmp_path: Path) -> None:
    found = {}
    for head in ("verify", "choice"):
        outcome = train_options(
            [mine], start=start, out=tmp_path / head, fit=FIT, head=head, held_out=0.3, max_tokens=64
        )
        found[head] = outcome.folder
        manner = folder_manner(outcome.folder)
        assert manner is not None and manner.head == head
        config = json.loads((outcome.folder / "config.json").read_text(encoding="utf-8"))
        assert (config["options"], config["architectures"]) == (asdict(manner), ["OptionReader"])
        scores = outcome.notes["jobs"]["teacher-0"]["points"]["epoch 1"]["scores"]["held_out"]
        assert scores["questions"] > 0
        groups = list(read_groups(tmp_path / f"{head}.work" / "sets" / "train.jsonl"))
        assert all(sum(group.labels) == 1 for group in groups) is (head == "choice")
    lines: list[str] = []
    on = train_options(
        [mine], start=found["verify"], out=tmp_path / "on", fit=FIT, held_out=0.0, max_tokens=64, say=lines.append
    )
    assert on.notes["jobs"]["teacher-0"]["chosen"] == "the end"
    assert "24 questions to train on, 0 held out, 0 without an answer left out" in lines
    before, after = (read_option_start(one).heads["truth.weight"] for one in (found["verify"], on.folder))
    assert 0 < (before - after).abs().max() < 0.1  # it went on: a new head would be another


def test_a_span_reader_may_start_from_an_option_reader(mine: str, start: Path, tmp_path: Path) -> None:
    folder = train_options([mine], start=start, out=tmp_path / "out", fit=FIT, max_tokens=64).folder
    again = read_start(folder)
    assert not again.is_reader
    assert reader_from(again.state()).layers == 4


def test_questions_without_an_answer_are_told(start: Path, tmp_path: Path) -> None:
    with (tmp_path / "none.jsonl").open("w", encoding="utf-8") as file:
        write_items([ChoiceItem(id="1", passage="甲", question="乙", options=("丙", "丁"))], file)
    with pytest.raises(InputError, match="1 questions with options, 0 with an answer"):
        train_options([f"items:{tmp_path / 'none.jsonl'}"], start=start, out=tmp_path / "out")


@needs_shared
@pytest.mark.parametrize(
    ("name", "count"),
    [("gcrc:gcrc_advrobust/dev_a.json", 504), ("c3:c3/c3-d-dev.json", 1825), ("logiqa_zh/zh_eval.txt", 651)],
)
def test_any_task_with_options_is_read(name: str, count: int) -> None:
    """Counted only: dev_a is for measuring."""
    task, _, path = name.rpartition(":")
    assert len(read_choices(f"{task}:{SHARED / 'data' / path}" if task else SHARED / "data" / path)) == count
