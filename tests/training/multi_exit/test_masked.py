"""Masked words told from every layer, and a training that begins with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.training.multi_exit.recipe import parse_exit_plan
from readproof.training.multi_exit.train import train_exits
from readproof.training.work import WorkFolder
from tests.training.made import PASSAGE
from tests.training.multi_exit.made import save_data

PLAN = """
task = "chnc"
max_tokens = 40
fit = { epochs = 1, lr = 1e-3, batch = 16 }
[masked]
length = 24
pace = { steps = 3, batch = 4, lr = 1e-3 }
"""


def test_text_is_learnt_from_first(exit_start: Path, tmp_path: Path) -> None:
    data = save_data(tmp_path / "data", "chnc", 60)
    text = tmp_path / "text.txt"
    text.write_text("\n".join([PASSAGE] * 6) + "\n", encoding="utf-8")
    plan = parse_exit_plan(PLAN, "plan.toml")
    train_exits(plan, data=[data], start=exit_start, work=tmp_path / "work", texts=[text])
    work = WorkFolder(tmp_path / "work")
    assert (work.result("masked") or {})["steps"] == 3
    name = "bert.encoder.layer.0.output.dense.weight"
    assert not (work.load("masked")[name] == work.load("exits-0")[name]).all()


def test_a_plan_with_masked_words_wants_text(exit_start: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--text"):
        train_exits(parse_exit_plan(PLAN, "plan.toml"), data=["x"], start=exit_start, work=tmp_path)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ("exits = [3, 2]", "exits"),
        ("seeds = []", "seeds"),
        ("weights = 'half'", "weights"),
        ("pool = 'mean'\ntogether = true", "pool"),
        ("depth = -1", "depth"),
        ("fit = { epochs = 0 }", "fit"),
        ("unknown = 1", "unknown"),
    ],
)
def test_what_is_wrong_with_a_plan_is_told(change: str, place: str) -> None:
    with pytest.raises(InputError, match=place):
        parse_exit_plan(f'task = "ccpm"\n{change}\n', "plan.toml")
