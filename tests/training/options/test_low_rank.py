"""A student that learns by narrow changes: the rank holds through all steps, the rest of its start stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

from readproof.training.low_rank import narrowed
from readproof.training.model import plain_state
from readproof.training.options.model import option_reader_from
from readproof.training.options.plan import run_option_plan
from readproof.training.options.recipe import OptionPlan
from readproof.training.options.start import read_option_start

_RANK = 3


def test_nothing_is_changed_at_first_and_a_change_is_kept(start: Path) -> None:
    begin = read_option_start(start).state()
    torch.manual_seed(0)
    reader = option_reader_from(begin)
    whole = plain_state(reader)
    narrow = plain_state(narrowed(option_reader_from(whole), begin, _RANK))
    assert set(narrow) == set(whole)
    assert all(torch.equal(narrow[name], whole[name]) for name in whole)
    name = "bert.encoder.layer.1.output.dense.weight"
    rows, columns = whole[name].shape
    changed = {**whole, name: whole[name] + torch.outer(torch.linspace(0, 1, rows), torch.linspace(1, 0, columns))}
    kept = plain_state(narrowed(option_reader_from(changed), begin, _RANK))
    assert torch.allclose(kept[name], changed[name], atol=1e-5)


def test_a_student_differs_from_its_start_by_its_rank_alone(
    plan: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path
) -> None:
    assert plan.student is not None
    first, second = plan.student.steps
    steps = (replace(first, hidden=0.0, after=1), second)
    narrow = replace(plan, student=replace(plan.student, layers=(), rank=_RANK, steps=steps))
    found = run_option_plan(
        narrow, sets=sets, starts=[start], student_start=start, work=tmp_path / "w", out=tmp_path / "o"
    )
    before, after = (read_option_start(one).state() for one in (start, found.folder))
    ranks = {}
    for name, tensor in before.items():
        change = after[name].float() - tensor.float()
        if name.startswith("embeddings."):
            assert not change.any(), name
        elif tensor.dim() == 2:
            ranks[name] = int(torch.linalg.matrix_rank(change, atol=1e-5))
    assert set(ranks.values()) == {_RANK}
    query, key = (f"encoder.layer.0.attention.self.{part}.weight" for part in ("query", "key"))
    both = torch.cat([after[name].float() - before[name].float() for name in (query, key)])
    assert int(torch.linalg.matrix_rank(both, atol=1e-5)) == _RANK
    kept = sorted(path.name for path in (tmp_path / "w" / "said").iterdir())
    assert kept == ["a, stage 1.npy", "b.npy", "b_2, stage 1.npy"]
