"""What is learnt from, chosen by and measured on: never the same text, always the same draw."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.tasks import load
from readproof.training.multi_exit.sets import task_parts, text_of, write_gold
from tests.shared_data import SHARED, needs_shared
from tests.training.multi_exit.made import TASK_NAMES, made, save_data

SIZES = {"ccpm": 2720, "chnc": 7075, "cmeee": 2000, "pku-segpos": 1960, "wordseg-weibo": 2052}


@needs_shared
@pytest.mark.parametrize("task", TASK_NAMES)
def test_no_text_of_the_real_sets_is_in_two_parts(task: str) -> None:
    parts = task_parts(task, [SHARED / "data"])
    texts = [set(map(text_of, part)) for part in (parts.learnt, parts.held, parts.measured)]
    assert not (texts[0] & texts[1] or texts[0] & texts[2] or texts[1] & texts[2])
    assert len(parts.measured) == SIZES[task]
    assert len(parts.learnt) > 12_000
    assert 500 < len(parts.held) < 2000


@needs_shared
def test_the_paragraphs_of_a_newspaper_are_drawn_in_runs() -> None:
    parts = task_parts("pku-segpos", [SHARED / "data" / "celue"])
    numbers = [int(item.id) for item in parts.measured]
    together = sum(after == before + 1 for before, after in pairwise(numbers))
    assert together > 0.9 * len(numbers)


@pytest.mark.parametrize("task", TASK_NAMES)
def test_a_part_is_written_in_the_format_of_its_task(task: str, tmp_path: Path) -> None:
    items = made(task, 20)
    back = list(load(f"{task}:{write_gold(task, items, tmp_path)}"))
    assert back == items


def test_files_of_ones_own_are_learnt_from_and_held_out_but_not_measured_on(tmp_path: Path) -> None:
    folder = save_data(tmp_path, "chnc")
    parts = task_parts("chnc", [folder / "dev.csv"], held=0.2)
    assert not parts.measured
    assert 40 < len(parts.held) < 120
    assert len(parts.held) + len(parts.learnt) == 320


def test_a_folder_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"train\.jsonl"):
        task_parts("ccpm", [tmp_path])
