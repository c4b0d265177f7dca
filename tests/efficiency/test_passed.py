"""Notes on modules: what is left out is told, and no way of stopping early is taken for that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.efficiency.flops import Cost, Costs
from readproof.efficiency.predictions import read
from readproof.efficiency.trace_lint import passed_notes


def notes(folder: Path, *traces: str, task: str = "chnc") -> list[str]:
    path = folder / "3.jsonl"
    answer = {"answer": 1} if task == "ccpm" else {"label": "car"}
    path.write_text("\n".join(json.dumps(answer | {"modules": one}) for one in traces), encoding="utf-8")
    predictions, problems = read(task, path)
    assert predictions is not None, problems
    uses = predictions.uses()
    costs = Costs({use: Cost(1) for use in uses}, 1, words=frozenset(use for use in uses if use.name == "emb"))
    return [note.removeprefix("f: ") for note in passed_notes("f", task, predictions, costs)]


EARLY = (
    # heads after every layer, or after the last one that was read; the same head for all; our own parts of layers
    ("(9),emb;(9,8),layer_1;(8),exit_1", "(9),emb;(9,8),layer_1;(8),exit_1;(9,8),layer_2;(8),exit_2"),
    ("(9),emb;(9,8),layer_1;(8),exit_1", "(9),emb;(9,8),layer_1;(9,8),layer_2;(8),exit_2"),
    ("(9),emb;(9,8),layer_1;(9,8),pooler;(8),c", "(9),emb;(9,8),layer_1;(9,8),layer_2;(9,8),pooler;(8),c"),
    ("(9),emb;(9,8),layer_1;(9,8),layer_2;(9,8),layer_3;(9,8),layer_4;(8),exit_2;(8),exit_4",),
    (
        "(9),emb;(9,8),layer_1;(9,8),exit_1;(9,4,8),part_2;(9,8),exit_2;(9,1,8),part_3;(9,8),exit_3",
        "(9),emb;(9,8),layer_1;(9,8),exit_1;(9,8),layer_2;(9,8),exit_2;(9,9,8),part_3;(9,8),exit_3",
    ),
    ("(9),emb;(9,8),layer_0;(9,8),layer_1;(8),c",),
    ("(9),emb;(9,8),layer;(9,8),layer;(8),c", "(9),emb;(9,8),layer;(8),c"),
)


@pytest.mark.parametrize("traces", EARLY)
def test_early_exit_is_no_fault(traces: tuple[str, ...], tmp_path: Path) -> None:
    assert not notes(tmp_path, *traces)


def test_options_are_no_batch(tmp_path: Path) -> None:
    together = "(4,9),emb;(4,9,8),layer_1;(4,8),exit_1"
    assert not notes(tmp_path, together, task="ccpm")
    each = "(9),emb;(9,8),layer_1;(7),emb;(7,8),layer_1;(2,8),c"
    assert not notes(tmp_path, each, task="ccpm")
    assert "all shapes begin with 4: a shape has no batch dimension" in notes(tmp_path, together)[0]


@pytest.mark.parametrize(
    ("trace", "words"),
    [
        ("(9),emb;(9,8),layer_1;(9,8),layer_3;(8),c", "layer_3 without layer_2"),
        ("(9),emb;(9,8),layer_2;(8),c", "layer_2 without layer_1"),
        ("(9,8),layer_1;(8),c", "no embedding"),
        ("(8),c", "no embedding"),
        ("(9),emb;(6,9,8),layer_1;(8),c", "the shapes of layer_1 begin with 6: a shape has no batch dimension"),
        ("(9),emb;(1,9,8),layer_1;(8),c", "the shapes of layer_1 begin with 1: a shape has no batch dimension"),
        ("(1,9),emb;(1,9,8),layer_1;(1,8),c", "all shapes begin with 1: a shape has no batch dimension"),
    ],
)
def test_what_is_left_out_or_too_much(trace: str, words: str, tmp_path: Path) -> None:
    (note,) = notes(tmp_path, trace, trace)
    assert words in note
    assert note.endswith("(2 lines, the first of them line 1)")


def test_a_head_that_others_have_at_the_same_layer(tmp_path: Path) -> None:
    whole = "(9),emb;(9,8),layer_1;(9,8),pooler;(8),c"
    (note,) = notes(tmp_path, whole, whole, "(7),emb;(7,8),layer_1;(8),c")
    assert note == "no pooler, which most lines have that stop at layer 1 (line 3)"


def test_many_notes_are_cut(tmp_path: Path) -> None:
    found = notes(tmp_path, "(9),emb;" + ";".join(f"(9,8),layer_{2 * number}" for number in range(1, 40)))
    assert len(found) == 21
    assert "and 19 more notes" in found[-1]
