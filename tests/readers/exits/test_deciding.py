"""Where units stop and what it costs, by tables of what heads said; costs as the golden figures have them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.efficiency.modules import ModuleUse, written
from readproof.readers.exits.config import ExitConfig
from readproof.readers.exits.deciding import HeadOutput, Numbers, decide, entropies, parse_policy, spoken_of
from readproof.readers.exits.trace import macs, parameters
from tests.shared_data import SHARED, needs_shared

BASE = ExitConfig(
    kind="label",
    task="chnc",
    exits=tuple(range(1, 13)),
    rows=21128,
    hidden=768,
    heads=12,
    width=768,
    inner=3072,
    positions=512,
    types=2,
    embedding=0,
    outputs=2,
    labels=("a", "b"),
    pooled=True,
)


class Table:
    """Heads that said this before: an answer and an entropy for each exit and place."""

    lengths = (7,)

    def __init__(self, answers: list[list[int]], doubts: list[list[float]]) -> None:
        self.answers, self.doubts = np.array(answers), np.array(doubts, dtype=np.float32)
        self.scored = self.answers.shape[1]

    def up(self, layer: int, active: Numbers | None = None) -> HeadOutput:
        chosen = np.arange(self.scored) if active is None else active
        return HeadOutput(self.answers[layer - 1, chosen], self.doubts[layer - 1, chosen])


def test_every_exit_that_was_tried_is_paid_for() -> None:
    config = replace(BASE, exits=(1, 2, 3))
    unit = Table([[0], [1], [1]], [[0.9], [0.3], [0.1]])
    found = decide(unit, config, parse_policy("entropy:0.5"))
    assert (found.layer, list(found.answers)) == (2, [1])
    assert written(found.modules) == "(7),emb;(7,768),layer_1;(768),exit_1;(7,768),layer_2;(768),exit_2"
    settled = decide(unit, config, parse_policy("layer:2"))
    assert written(settled.modules) == "(7),emb;(7,768),layer_1;(7,768),layer_2;(768),exit_2"


def test_characters_that_have_stopped_are_read_but_not_worked_out() -> None:
    config = replace(BASE, kind="tags", exits=(1, 3), pooled=False)
    unit = Table([[0, 0, 0, 1, 1]] * 3, [[0.1, 0.9, 0.9, 0.1, 0.1], [9] * 5, [0.0] * 5])
    found = decide(unit, config, parse_policy("tokens:0.5"))
    parts = "(7,4,768),part_2;(7,4,768),part_3;(2,768),exit_3"
    assert written(found.modules) == f"(7),emb;(7,768),layer_1;(5,768),exit_1;{parts}"


@needs_shared
def test_costs_are_the_golden_ones() -> None:
    golden = json.loads((SHARED / "golden" / "flops.json").read_text(encoding="utf-8"))
    text = json.dumps(golden)
    assert str(macs(BASE, ModuleUse("layer_1", (128, 768)))) in text
    assert macs(BASE, ModuleUse("layer_1", (128, 768))) == 931_921_920
    assert macs(BASE, ModuleUse("emb", (128,))) == 196_608
    assert macs(BASE, ModuleUse("exit_1", (768,))) == 589_824 + 1536


@given(st.integers(1, 300))
def test_a_part_that_is_the_whole_costs_as_much(length: int) -> None:
    assert macs(BASE, ModuleUse("part_1", (length, length, 768))) == macs(BASE, ModuleUse("layer_1", (length, 768)))


@given(st.integers(2, 300), st.data())
def test_a_part_costs_less_than_the_whole(length: int, data: st.DataObject) -> None:
    some = data.draw(st.integers(1, length - 1))
    assert macs(BASE, ModuleUse("part_1", (length, some, 768))) < macs(BASE, ModuleUse("layer_1", (length, 768)))


def test_parameters_are_those_of_bert() -> None:
    assert parameters(replace(BASE, pooled=False, exits=(12,)), 12) == 102_267_648 - 590_592 + 769 * 2
    assert parameters(BASE) == parameters(BASE, 12) + 11 * (590_592 + 1538)


@given(st.lists(st.floats(-30, 30, width=32), min_size=2, max_size=9))
def test_entropy_lies_between_nothing_and_the_logarithm_of_the_choices(scores: list[float]) -> None:
    (found,) = entropies(np.array([scores], dtype=np.float32))
    assert -1e-4 <= found <= np.log(len(scores)) + 1e-4


def test_what_scores_say_hangs_on_the_kind() -> None:
    rows = [np.array([[value]], dtype=np.float32) for value in (0.1, 3.0, 0.2, 0.0)]
    assert list(spoken_of("choice", rows).answers) == [1]
    tags = np.array([[1, 0], [0, 1], [2, 1]], dtype=np.float32)
    assert list(spoken_of("tags", [tags]).answers) == [0, 1, 0]
    window = spoken_of("spans", [np.array([[0, 0], [5, 0], [0, 7]], dtype=np.float32)])
    assert list(window.answers) == [1, 2]
    assert window.doubts.shape == (1,)
    assert spoken_of("tags", [np.zeros((0, 4), np.float32)]).answers.shape == (0,)


def test_sure_scores_have_no_entropy() -> None:
    assert entropies(np.array([[100.0, 0.0]], dtype=np.float32))[0] == pytest.approx(0.0)
    assert entropies(np.array([[1.0, 1.0]], dtype=np.float32))[0] == pytest.approx(np.log(2))
