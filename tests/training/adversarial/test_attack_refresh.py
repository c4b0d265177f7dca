"""An epoch's attacks: others every epoch, kept for whoever resumes, the same with any number of processes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from readproof.attacks.edits import golds_stand
from readproof.errors import ReadproofError
from readproof.items import SpanItem
from readproof.training.adversarial.attack_refresh import (
    AttackPool,
    AttackRefresh,
    AttackWorker,
    EpochAttacks,
    MakeTask,
    SearchTask,
)
from readproof.training.adversarial.reading import TorchWindows, preparing
from readproof.training.adversarial.recipe import AttackMix, Recipe
from readproof.training.adversarial.table import CLEAN, budgets, figures
from readproof.training.readerstart import reader_start
from tests.training.made import made_items


def renewals(tiny: Path, recipe: Recipe, folder: Path, epochs: int, workers: int = 0) -> list[EpochAttacks]:
    start = reader_start(str(tiny))
    model = TorchWindows(start.reader(start.state(), dropout=0.1))
    shop = AttackWorker(made_items(10), recipe.doses, preparing(start, max_tokens=112, overlap=28))
    crew = AttackPool(shop, workers)
    try:
        renewal = AttackRefresh(recipe, shop, crew, range(len(shop.items)), folder)
        found = [renewal.renewed(renewal.begin(epoch), model) for epoch in range(epochs)]
        clean = renewal.clean_windows()
        attacked = renewal.windows(found[0], clean)
        assert len(attacked.windows) >= len(found[0].variants)
        # an attacked window is held to a window of its own question
        numbers = found[0].numbers
        for window, question in enumerate(attacked.windows.questions.tolist()):
            if attacked.partners[window] >= 0:
                assert int(clean.questions[attacked.partners[window]]) == numbers[question]
        return found
    finally:
        crew.close()


def test_attacks_are_renewed_and_offsets_follow(tiny: Path, recipe: Recipe, tmp_path: Path) -> None:
    one, other = renewals(tiny, recipe, tmp_path / "attacks", 2)
    for renewed in (one, other):
        assert {item.attack for item in renewed.variants} == {"addsent", "addany", "hotflip", "typo"}
        for variant in renewed.variants:
            assert isinstance(variant.item, SpanItem) and golds_stand(variant.item) and variant.item.golds
    assert one.numbers != other.numbers
    passages = [{variant.item.passage for variant in renewed.variants} for renewed in (one, other)]  # type: ignore[union-attr]
    # a search may find the same worst sentence twice
    assert len(passages[0] & passages[1]) < len(passages[0]) / 2
    told = one.figures["attacks"]["addany"]
    assert told["queries"] <= 5 and told["expected_attacked"] <= told["expected_clean"]


def test_kept_attacks_are_given_back(tiny: Path, recipe: Recipe, tmp_path: Path) -> None:
    (first,) = renewals(tiny, recipe, tmp_path / "attacks", 1)
    stamp = (tmp_path / "attacks" / "epoch-1.jsonl").stat().st_mtime_ns
    (again,) = renewals(tiny, recipe, tmp_path / "attacks", 1)
    assert (again.numbers, again.variants, again.figures) == (first.numbers, first.variants, first.figures)
    assert (tmp_path / "attacks" / "epoch-1.jsonl").stat().st_mtime_ns == stamp


def test_processes_change_nothing(tiny: Path, recipe: Recipe, tmp_path: Path) -> None:
    alone = renewals(tiny, recipe, tmp_path / "alone", 2)
    several = renewals(tiny, recipe, tmp_path / "several", 2, workers=2)
    for one, other in zip(alone, several, strict=True):
        assert one.variants == other.variants
    for name in ("epoch-1.jsonl", "epoch-2.jsonl"):
        assert (tmp_path / "alone" / name).read_bytes() == (tmp_path / "several" / name).read_bytes()


def test_rates_are_kept(tiny: Path, recipe: Recipe, tmp_path: Path) -> None:
    rare = replace(recipe, doses=(AttackMix(attack="typo", rate=0.25),))
    count = Counter(number for one in renewals(tiny, rare, tmp_path / "a", 8) for number in one.numbers)
    assert 0.15 < sum(count.values()) / (8 * 40) < 0.35
    assert len(count) > 25


def test_the_table_counts_questions_without_a_variant(tiny: Path, recipe: Recipe) -> None:
    start = reader_start(str(tiny))
    model = TorchWindows(start.reader(start.state(), dropout=0.1))
    shop = AttackWorker(made_items(10), recipe.doses, preparing(start, max_tokens=112, overlap=28))
    found = figures(budgets(recipe.doses, {"addany": 9}), range(12), shop, AttackPool(shop, 0), model, seed=0)
    assert list(found) == [CLEAN, "addsent", "addany", "hotflip", "typo"]
    for name, one in found.items():
        assert one.questions == 12 and one.low <= one.f1 <= one.high
        assert name == CLEAN or one.attacked > 0
    assert found["addany"].f1 <= found[CLEAN].f1 and found["addany"].queries <= 9
    assert found["typo"].queries == 0


def test_a_fault_in_a_process_is_told(tiny: Path, recipe: Recipe) -> None:
    start = reader_start(str(tiny))
    shop = AttackWorker(made_items(1), recipe.doses, preparing(start, max_tokens=112, overlap=28))
    crew = AttackPool(shop, 1)
    try:
        with pytest.raises(ReadproofError, match="IndexError"):
            crew.run([MakeTask(0, (10_000,), 1)])
    finally:
        crew.close()
    assert len(crew) == 0


def test_what_is_made_in_the_background_waits_its_turn(tiny: Path, recipe: Recipe) -> None:
    start = reader_start(str(tiny))
    model = TorchWindows(start.reader(start.state(), dropout=0.1))
    shop = AttackWorker(made_items(10), recipe.doses, preparing(start, max_tokens=112, overlap=28))
    tasks = [MakeTask(0, (number,), 1, 3) for number in range(40)]
    asked = [SearchTask(1, (number,), 1, 4) for number in range(8)]
    crew = AttackPool(shop, 2)
    try:
        coming = crew.begin(tasks)
        found = crew.run(asked, model)
        assert coming() == [shop(task, None) for task in tasks]
        assert found == [shop(task, model) for task in asked]
    finally:
        crew.close()
