"""The whole of a hardening: from a reader and questions to the table; killed anywhere, it ends with the same bytes."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from readproof.errors import InputError
from readproof.readers import load_reader
from readproof.training.adversarial.harden import EpochSelector, HardenPlan, harden
from readproof.training.adversarial.recipe import EmbeddingPerturbation, Recipe
from readproof.training.prepare import write_set
from readproof.training.recipe import Fit
from readproof.training.ship import export_reader
from readproof.training.sources import SOURCES
from readproof.training.weights import read_tensors
from readproof.training.work import WorkFolder
from tests.training.adversarial.conftest import small_recipe, write_tiny
from tests.training.made import made_items


@pytest.fixture
def plan(tiny: Path, data: str, recipe: Recipe, tmp_path: Path) -> HardenPlan:
    return HardenPlan(reader=str(tiny), data=(data,), out=tmp_path / "out", recipe=recipe, workers=0)


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


def test_with_a_rank_the_reader_changes_by_that_much_alone(plan: HardenPlan, tiny: Path) -> None:
    fit = replace(plan.recipe.fit, lr=1e-2, epochs=1)
    outcome = harden(replace(plan, recipe=replace(plan.recipe, rank=2, push=EmbeddingPerturbation(), fit=fit)))
    before, after = (read_tensors(folder / "model.safetensors") for folder in (tiny, outcome.folder))
    assert before.keys() == after.keys()
    ranks = set()
    for name, tensor in before.items():
        change = after[name].float() - tensor.float()
        if "embeddings" in name:
            assert not change.any(), name
        elif ".layer." in name and tensor.dim() == 2:
            ranks.add(int(torch.linalg.matrix_rank(change, atol=1e-5)))
    assert ranks == {2}


def test_from_a_reader_to_a_hardened_one(plan: HardenPlan, tiny: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    outcome = harden(plan, say=lines.append)
    record = json.loads((outcome.folder / "hardening.json").read_text(encoding="utf-8"))
    assert record["table"]["before"].keys() == record["table"]["after"].keys()
    assert set(record["table"]["after"]) == {"clean", "addsent", "addany", "hotflip", "typo"}
    assert record["training"]["chosen"] in ("epoch 1", "epoch 2")
    points = record["training"]["points"]
    assert [list(one["renewal"]["attacks"]) for one in points.values()] == [
        ["addsent", "addany", "hotflip", "typo"]
    ] * 2
    assert len(record["data"]) == len(record["start"]) == 64 and record["recipe"]["fit"]["seed"] == 3
    assert record["kept_clean"] is True and str(tmp_path) not in json.dumps(record)
    assert any("left" in line for line in lines)
    assert weights(outcome.folder) != weights(tiny)
    reader = load_reader(str(outcome.folder), threads=1)
    assert len(reader.answer(made_items(2))) == 8
    pytest.importorskip("onnx")
    exported = export_reader(outcome.folder, tmp_path / "onnx", data=plan.data)
    assert load_reader(str(exported), threads=1).answer(made_items(1))
    # what is done is not done again
    lines.clear()
    assert harden(plan, say=lines.append).notes["table"] == record["table"]
    assert not [line for line in lines if "step" in line]
    with pytest.raises(InputError, match="another training"):
        harden(replace(plan, recipe=replace(plan.recipe, gold=0.5)))


class Stopped(BaseException):
    pass


def stopping(after: int) -> Callable[[str], None]:
    left = iter(range(after))

    def say(_: str) -> None:
        if next(left, None) is None:
            raise Stopped

    return say


@pytest.mark.parametrize("push", [EmbeddingPerturbation(method="fgm"), EmbeddingPerturbation(method="pgd", steps=2)])
def test_stopped_at_every_line(plan: HardenPlan, push: EmbeddingPerturbation, tmp_path: Path) -> None:
    recipe = replace(plan.recipe, push=push, fit=replace(plan.recipe.fit, epochs=2))
    whole = harden(replace(plan, recipe=recipe, out=tmp_path / "whole")).folder
    found, attempts = None, 0
    while found is None:
        attempts += 1
        with contextlib.suppress(Stopped):
            # from attempt to attempt it comes a line further
            found = harden(replace(plan, recipe=recipe, save_every=0.0), say=stopping(2 + attempts)).folder
    assert attempts > 3
    assert weights(whole) == weights(found)


def test_it_reads_attacked_questions_better_than_before(tmp_path: Path) -> None:
    """A reader that can read nothing learns to, attacked or not."""
    tiny = write_tiny(tmp_path / "poor", seed=1)
    write_set(tmp_path / "more.json", made_items(10))
    data = f"squad:{tmp_path / 'more.json'}"
    recipe = replace(
        small_recipe(),
        fit=Fit(epochs=6, lr=3e-3, batch=8, ema=0.0),
        push=EmbeddingPerturbation(),
        distil=0.0,
        carried=0.0,
    )
    plan = HardenPlan(reader=str(tiny), data=(data,), held=(data,), out=tmp_path / "out", recipe=recipe, workers=0)
    with pytest.raises(InputError, match="some of both"):
        harden(plan)
    plan = replace(plan, held=(), recipe=replace(recipe, patience=6))
    table = harden(plan).notes["table"]
    assert table["after"]["clean"]["f1"] > table["before"]["clean"]["f1"] + 20
    assert table["after"]["addsent"]["f1"] > table["before"]["addsent"]["f1"] + 20


def test_a_folder_of_public_files(plan: HardenPlan, tmp_path: Path) -> None:
    """The recipe's sets are made of it, as for a plan of training."""
    folder = tmp_path / "public"
    folder.mkdir()
    write_set(folder / SOURCES["cmrc_train"].names[0], made_items(10))
    with pytest.raises(InputError, match="names no sets"):
        harden(replace(plan, data=(str(folder),)))
    named = replace(plan.recipe, sets=("cmrc_plain", "cmrc_wordy", "drcd"), held=("held_plain", "held_wordy"))
    with pytest.raises(InputError, match="some of drcd, held_drcd"):
        harden(replace(plan, data=(str(folder),), recipe=replace(named, sets=("drcd",), held=("held_drcd",))))
    lines: list[str] = []
    with contextlib.suppress(Stopped):
        harden(replace(plan, data=(str(folder),), recipe=named), say=lambda line: (lines.append(line), stop(line))[0])
    learnt = next(line for line in lines if "to learn from" in line)
    assert "40 questions" not in learnt and " held out" in learnt


def stop(line: str) -> None:
    if "to learn from" in line:
        raise Stopped


def test_what_does_not_fit_is_told(plan: HardenPlan) -> None:
    with pytest.raises(InputError, match=r"max_tokens.*at most 128"):
        harden(replace(plan, recipe=replace(plan.recipe, max_tokens=512)))
    with pytest.raises(InputError, match="at least one attack"):
        harden(replace(plan, recipe=replace(plan.recipe, doses=())))


def test_it_stops_when_the_clean_loss_rises_and_keeps_what_lost_little(recipe: Recipe, tmp_path: Path) -> None:
    """Epochs with made-up scores: (clean F1, clean loss, attacked F1)."""
    from readproof.training.encoder import Encoder, Shape
    from readproof.training.model import SpanReader

    looks = iter([(80.0, 1.0, 40.0), (79.8, 0.9, 60.0), (78.0, 1.1, 75.0), (79.9, 1.2, 55.0)])

    def look(reader: object, epoch: int) -> dict[str, object]:
        f1, loss, attacked = next(looks)
        return {"clean": {"f1": f1, "loss": loss}, "attacked": {"clean": {"f1": f1}, "addsent": {"f1": attacked}}}

    chosen = replace(recipe, lost=0.5, patience=2, fit=replace(recipe.fit, epochs=9))
    reader = SpanReader(Encoder(Shape(rows=9, hidden=64, layers=1, heads=1, inner=8, positions=8)))
    before = {"clean": {"f1": 80.0}}
    chooser = EpochSelector(chosen, WorkFolder(tmp_path), "harden", reader, before, look, lambda _: None)
    assert [chooser.after_epoch(epoch, None, {}) for epoch in range(4)] == [True, True, True, False]
    assert WorkFolder(tmp_path).facts("harden")["point"] == "epoch 2"  # the third is harder, but lost 2 points
    again = EpochSelector(chosen, WorkFolder(tmp_path), "harden", reader, before, look, lambda _: None)
    assert again.stopped
