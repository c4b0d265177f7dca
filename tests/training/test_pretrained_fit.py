"""The one training loop over encoders of other families: they learn, and a run that was stopped ends the same."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

pytest.importorskip("transformers")

from readproof.items import SpanItem
from readproof.training.finetune import span_loss
from readproof.training.fit import fit
from readproof.training.measure import measure
from readproof.training.plan import run_plan
from readproof.training.prepare import write_set
from readproof.training.pretrainedstart import PretrainedStart, read_pretrained
from readproof.training.recipe import Fit, Stage, Teachers, TrainingPlan
from readproof.training.sets import answerable, span_items
from readproof.training.windows import SpanExamples
from tests.shared_data import SHARED, needs_shared
from tests.training.folders import FAMILIES, Folders, texts, xlm_roberta
from tests.training.made import made_items


@pytest.fixture(params=sorted(FAMILIES))
def start(request: pytest.FixtureRequest, folders: Folders) -> PretrainedStart:
    return read_pretrained(folders(request.param))


def test_ten_questions_are_learnt(start: PretrainedStart) -> None:
    check_learnt(start, made_items(3)[:10])


def check_learnt(start: PretrainedStart, items: list[SpanItem]) -> None:
    prepared = start.prepared(items, max_tokens=start.positions, overlap=start.positions // 4)
    torch.manual_seed(0)
    reader = start.reader(start.state(), dropout=0.0)
    how = Fit(epochs=150, lr=3e-3, batch=10, layer_decay=0.95)
    fit(reader, SpanExamples(prepared.windows), span_loss(reader), how)
    found = measure([reader], prepared).answers
    for answer, question in zip(found, prepared.questions, strict=True):
        assert (answer.start, answer.end) == question.passage.raw_span(*question.golds[0])


class Killed(BaseException):
    pass


def test_stopped_again_and_again(folders: Folders, made: Path, tmp_path: Path) -> None:
    stage = Stage(sets=("a",), rdrop=1.0, fit=Fit(epochs=3, batch=4, lr=1e-3, ema=0.9, fgm=0.5, layer_decay=0.9))
    plan = TrainingPlan(teachers=Teachers(stages=(stage, stage)), held={"held": 1.0}, max_tokens=64, overlap=16)
    items = made_items(6)
    write_set(tmp_path / "held.json", items[20:])
    given = {"sets": {"a": made, "held": tmp_path / "held.json"}, "starts": [folders("xlm-roberta")]}
    whole = run_plan(plan, **given, work=tmp_path / "whole").folder
    found, attempts = None, 0
    while found is None:
        attempts += 1
        left = iter(range(3))

        def stop(line: str, left: object = left) -> None:
            if "done before" not in line and next(left, None) is None:
                raise Killed

        with contextlib.suppress(Killed):
            found = run_plan(plan, **given, work=tmp_path / "work", say=stop, save_every=0.01).folder
    assert attempts > 2
    one, other = (load_file(folder / "model.safetensors") for folder in (whole, found))
    assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


@needs_shared
def test_ten_questions_of_cmrc_are_learnt(tmp_path: Path) -> None:
    items = answerable(span_items(f"cmrc2018:{SHARED / 'data' / 'cmrc2018' / 'train.json.xz'}"))
    short = {(item.passage, item.question): item for item in items if len(item.passage) < 300}
    ten = list(short.values())[:10]
    check_learnt(read_pretrained(xlm_roberta(tmp_path, texts(ten), positions=336)), ten)
