"""The trial of all that the device is asked for; and what the package does without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from readproof.training.adversarial import harden as module
from readproof.training.adversarial.harden import first_windows, repeatable, tried
from readproof.training.adversarial.reading import preparing
from readproof.training.adversarial.recipe import Recipe
from readproof.training.readerstart import reader_start
from tests.training.made import made_items


def test_every_part_is_tried_and_nothing_is_left_behind(tiny: Path, recipe: Recipe) -> None:
    start = reader_start(str(tiny))
    reader = start.reader(start.state(), dropout=0.0)
    windows = preparing(start, max_tokens=112, overlap=28)(made_items(2)).windows
    before = {name: tensor.clone() for name, tensor in reader.state_dict().items()}
    tried(reader, recipe, windows)
    assert all(parameter.grad is not None for parameter in reader.parameters())
    assert all(torch.equal(tensor, before[name]) for name, tensor in reader.state_dict().items())
    assert repeatable(reader, recipe, windows)  # a CPU always is
    assert len(first_windows(windows, 3)) == 3


def test_a_device_without_such_a_kernel_is_told(tiny: Path, recipe: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    start = reader_start(str(tiny))
    reader = start.reader(start.state(), dropout=0.0)
    windows = preparing(start, max_tokens=112, overlap=28)(made_items(1)).windows
    asked: list[bool] = []

    class Elsewhere:
        is_cuda = True

    def lacking(*_: object) -> None:
        raise RuntimeError("cumsum does not have a deterministic implementation")

    monkeypatch.setattr(reader, "parameters", lambda: iter([Elsewhere()]))
    monkeypatch.setattr(reader, "zero_grad", lambda set_to_none: None)
    monkeypatch.setattr(module, "tried", lacking)
    monkeypatch.setattr(torch, "use_deterministic_algorithms", lambda _, warn_only: asked.append(warn_only))
    assert not repeatable(reader, recipe, windows)
    assert asked == [False, True]


def test_it_can_be_imported_without_the_command_line() -> None:
    code = (
        "import sys\n"
        "class Without:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('typer', 'click', 'rich', 'pydantic', 'onnx', 'onnxruntime', 'jinja2'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Without())\n"
        "import readproof.training.adversarial.harden\n"
        "from readproof.training.readerstart import reader_start\n"
        "print(reader_start('zh').layers)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stdout.strip() == "6", found.stderr
