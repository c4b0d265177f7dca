"""Recipes of hardening: files, and what is said on the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.training.adversarial.recipe import (
    AttackMix,
    EmbeddingPerturbation,
    Recipe,
    check_recipe,
    dose_of,
    find_recipe,
    push_of,
)
from readproof.training.recipefile import plan_names


def test_the_shipped_recipe_is_sound_and_no_plan_of_training() -> None:
    recipe = find_recipe("harden-zh")
    assert {dose.attack for dose in recipe.doses} == {"addsent", "addany", "hotflip"}
    assert recipe.lost == 0.5 and recipe.rank == 16
    free = find_recipe("harden-free")
    assert (free.rank, free.push.method, free.doses) == (0, "fgm", recipe.doses)
    assert plan_names(harden=True) == ["harden-free", "harden-zh"] and "harden-zh" not in plan_names()


def test_attacks_and_pushes_as_they_are_typed() -> None:
    assert dose_of("addany:0.2:60") == AttackMix(attack="addany", rate=0.2, budget=60)
    assert dose_of("addsent:0.3", {"addsent": {"place": "random"}}).name == "addsent place=random"
    assert push_of("fgm:0.5") == EmbeddingPerturbation(method="fgm", size=0.5)
    assert (
        push_of("pgd:1.0,0.3,2") == EmbeddingPerturbation(method="pgd", steps=2)
        and push_of("pgd:1.0,0.3,2").passes == 2
    )
    assert push_of("none").passes == 0


@pytest.mark.parametrize("text", ["addsent:x", "addsent:0.1:2:3", "addsent:0.1:many"])
def test_a_dose_that_is_none_is_told(text: str) -> None:
    with pytest.raises(InputError, match="NAME:RATE"):
        dose_of(text)


@pytest.mark.parametrize("text", ["fgm:a", "pgd:1", "pgd:1,2", "fgm:-1", "freelb:1", "fgm:0"])
def test_a_push_that_is_none_is_told(text: str) -> None:
    with pytest.raises(InputError, match="--embeddings"):
        push_of(text)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"doses": ()}, "at least one attack"),
        ({"doses": (AttackMix(attack="keyword"),)}, "an attack on span questions"),
        ({"doses": (AttackMix(attack="backtranslate"),)}, "without a translator"),
        ({"doses": (AttackMix(attack="addsent", rate=0.0),)}, "more than 0"),
        ({"doses": (AttackMix(attack="addany", search=False),)}, "addany asks"),
        ({"doses": (AttackMix(attack="addany", budget=1),)}, "0, or 3 or more"),
        ({"doses": (AttackMix(attack="typo"), AttackMix(attack="typo"))}, "each once"),
        ({"held_out": 0.0}, "between 0 and 1"),
        ({"gold": 0.0, "distil": 0.0}, "some weight"),
        ({"max_tokens": 100}, "twice the overlap"),
    ],
)
def test_what_types_cannot_say_is_told(change: dict[str, object], told: str) -> None:
    recipe = Recipe(doses=(AttackMix(attack="addsent"),))
    check_recipe(recipe)
    with pytest.raises(InputError, match=told):
        check_recipe(replace(recipe, **change))  # type: ignore[arg-type]


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('lost = 1\n[[doses]]\nattack = "typo"\nrate = 0.5\n', encoding="utf-8")
    assert find_recipe(str(path)).doses[0].rate == 0.5
    path.write_text('[[doses]]\nattack = "typo"\nspeed = 1\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"doses\[0\].speed.*unknown key"):
        find_recipe(str(path))
    with pytest.raises(InputError, match="harden-zh"):
        find_recipe("harden-fr")


def test_searches_are_cut_to_what_an_epoch_costs() -> None:
    light = Recipe(doses=(AttackMix(attack="addsent", rate=0.3, budget=6),))
    assert light.searched_share() == 1.0
    heavy = Recipe(doses=(AttackMix(attack="addany", rate=0.5, budget=600),))
    assert 0 < heavy.searched_share() < 0.05
    # twice the passes of training pay for twice the searching
    pushed = replace(heavy, push=EmbeddingPerturbation(method="fgm"))
    assert pushed.searched_share() == pytest.approx(2 * heavy.searched_share())
    assert replace(heavy, renewal=3.0).searched_share() == pytest.approx(3 * heavy.searched_share())
