"""A whole plan on a tiny encoder: seeds, ensemble, student, written folder; killed anywhere, it ends the same."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from readproof.errors import InputError
from readproof.training.device import Clock, words
from readproof.training.measure import measure
from readproof.training.model import reader_from
from readproof.training.plan import run_plan
from readproof.training.prepare import write_set
from readproof.training.recipe import TrainingPlan
from readproof.training.recipefile import parse
from readproof.training.sets import prepare, span_items
from readproof.training.start import read_folder
from tests.training.made import made_items

TINY = """
name = "tiny"
max_tokens = 48
overlap = 12
measured = ["held", "missing"]
[held]
held = 1.0
[teachers]
seeds = [3, 5]
[[teachers.stages]]
sets = ["a", "missing"]
fit = { epochs = 1, lr = 1e-3, batch = 4 }
[[teachers.stages]]
sets = ["b"]
fit = { epochs = 2, lr = 1e-3, batch = 4, layer_decay = 0.9, ema = 0.9 }
rdrop = 1.0
smoothing = 0.1
[student]
guide = 1
[[student.steps]]
sets = ["a", "b/2"]
layers = [1, 3]
fit = { epochs = 6, lr = 1e-3, batch = 4, ema = 0.9 }
[[student.steps]]
sets = ["b"]
layers = [1, 3]
fit = { epochs = 1, lr = 1e-3, batch = 4 }
gold = 0.6
"""


@pytest.fixture
def plan() -> TrainingPlan:
    return parse(TINY, "tiny.toml")


@pytest.fixture
def sets(tmp_path: Path) -> dict[str, Path]:
    items = made_items(6)
    parts = {"a": items[:8], "b": items[8:20], "held": items[20:]}
    for name, part in parts.items():
        write_set(tmp_path / f"{name}.json", part)
    return {name: tmp_path / f"{name}.json" for name in parts}


def test_from_data_to_a_reader(plan: TrainingPlan, sets: dict[str, Path], start: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    found = run_plan(plan, sets=sets, starts=[start], work=tmp_path / "work", say=lines.append, sources={"a": "1"})
    assert found.folder == tmp_path / "work" / "reader"
    notes = json.loads((found.folder / "notes.json").read_text(encoding="utf-8"))
    jobs = ["teacher-3-stage-1", "teacher-3", "teacher-5-stage-1", "teacher-5", "ensemble", "student-1", "student-2"]
    assert list(notes["jobs"]) == jobs
    assert set(notes["jobs"]["student-1"]["points"]) == {"epoch 3", "epoch 6", "epoch 6, averaged"}
    assert notes["jobs"]["teacher-3"]["chosen"] in notes["jobs"]["teacher-3"]["points"]
    assert notes["plan"]["name"] == "tiny" and notes["sources"] == {"a": "1"} and notes["versions"]["torch"]
    assert set(notes["measured"]) == {"teacher-3", "teacher-5", "ensemble", "student-2"}
    assert str(tmp_path) not in json.dumps(notes)
    assert any("left" in line for line in lines)
    assert "no set missing: left out" in lines
    again = read_folder(found.folder)
    assert again.layers == 2 and again.is_reader
    held = prepare(span_items(sets["held"]), again.vocabulary.tokenizer(), max_tokens=48, overlap=12)
    scores = measure([reader_from(again.state())], held)
    assert round(scores.f1, 3) == notes["measured"]["student-2"]["held"]["f1"]
    assert not list((tmp_path / "work" / "checkpoints").iterdir())


def test_transformers_reads_what_was_written(
    plan: TrainingPlan, sets: dict[str, Path], start: Path, tmp_path: Path
) -> None:
    transformers = pytest.importorskip("transformers")
    folder = run_plan(plan, sets=sets, starts=[start], work=tmp_path / "work", out=tmp_path / "out").folder
    model = transformers.AutoModelForQuestionAnswering.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ours = reader_from(read_folder(folder).state()).eval()
    item = made_items(1)[0]
    asked = tokenizer(item.question, item.passage[:20], return_tensors="pt")
    with torch.inference_mode():
        expected = model(**asked)
        scores = ours.qa_outputs(ours.bert(asked["input_ids"], asked["token_type_ids"]).last)
    torch.testing.assert_close(scores[:, :, 0], expected.start_logits)
    assert asked["token_type_ids"].sum() > 0
    ids = read_folder(folder).vocabulary.tokenizer().encode(item.question).ids
    assert asked["input_ids"][0, 1 : len(ids) + 1].tolist() == ids


class Killed(BaseException):
    pass


def test_stopped_again_and_again(plan: TrainingPlan, sets: dict[str, Path], start: Path, tmp_path: Path) -> None:
    whole = run_plan(plan, sets=sets, starts=[start], work=tmp_path / "whole").folder
    found, attempts = None, 0
    while found is None:
        attempts += 1
        left = iter(range(9))

        def stop(line: str, left: Iterator[int] = left) -> None:
            if "done before" not in line and "no set" not in line and next(left, None) is None:
                raise Killed

        with contextlib.suppress(Killed):
            found = run_plan(plan, sets=sets, starts=[start], work=tmp_path / "work", say=stop, save_every=0.02).folder
    assert attempts > 3
    same(whole, found)


def test_killed_in_the_middle(plan: TrainingPlan, sets: dict[str, Path], start: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    code = (
        "import sys; from pathlib import Path; from readproof.training.plan import run_plan\n"
        "from readproof.training.recipefile import read_plan\n"
        "plan, start, work, *files = map(Path, sys.argv[1:])\n"
        "sets = {file.stem: file for file in files}\n"
        "run_plan(read_plan(plan), sets=sets, starts=[start], work=work, save_every=0.0)\n"
    )
    alone = {**os.environ, "OMP_NUM_THREADS": "1"}
    (tmp_path / "tiny.toml").write_text(TINY, encoding="utf-8")
    for waited_for in ("teacher-3.pt", "student-1.pt"):
        paths = (tmp_path / "tiny.toml", start, work, *sets.values())
        process = subprocess.Popen([sys.executable, "-c", code, *map(str, paths)], env=alone)
        until = time.monotonic() + 60
        while not (work / "checkpoints" / waited_for).exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, "it ended before it was killed"
    resumed = run_plan(plan, sets=sets, starts=[start], work=work).folder
    same(run_plan(plan, sets=sets, starts=[start], work=tmp_path / "whole").folder, resumed)


def same(one: Path, other: Path) -> None:
    left, right = (load_file(folder / "model.safetensors") for folder in (one, other))
    assert left.keys() == right.keys()
    assert all(torch.equal(tensor, right[name]) for name, tensor in left.items())


def test_a_finished_run_is_not_done_again(
    plan: TrainingPlan, sets: dict[str, Path], start: Path, tmp_path: Path
) -> None:
    run_plan(plan, sets=sets, starts=[start], work=tmp_path / "work")
    lines: list[str] = []
    run_plan(plan, sets=sets, starts=[start], work=tmp_path / "work", say=lines.append)
    assert not [line for line in lines if "epoch" in line]
    with pytest.raises(InputError, match="another training"):
        run_plan(plan, sets=sets, starts=[start], work=tmp_path / "work", sources={"a": "changed"})


def test_what_does_not_fit_is_told(plan: TrainingPlan, sets: dict[str, Path], start: Path, tmp_path: Path) -> None:
    wide = parse(TINY.replace("max_tokens = 48", "max_tokens = 512"), "wide.toml")
    with pytest.raises(InputError, match=r"max_tokens.*at most 64"):
        run_plan(wide, sets=sets, starts=[start], work=tmp_path / "1")
    deep = parse(TINY.replace("layers = [1, 3]", "layers = [1, 11]"), "deep.toml")
    with pytest.raises(InputError, match="layer 11; expected 0 to 3"):
        run_plan(deep, sets=sets, starts=[start], work=tmp_path / "2")
    with pytest.raises(InputError, match="none of its sets"):
        run_plan(plan, sets={"a": sets["a"]}, starts=[start], work=tmp_path / "3")


def test_the_clock_credits_only_what_was_done_now() -> None:
    time_ = iter([0.0, 10.0, 20.0])
    clock = Clock({"a": 100.0, "b": 100.0}, now=lambda: next(time_))
    for done in range(51, 61):
        clock.step("a", done, 100)
    assert clock.left() == "about 2 min left"  # 10 units in 10 s; 40 + 100 are left
    clock.finish("a")
    assert clock.left() == "about 3 min left"
    assert words(7200) == "2.0 h"
