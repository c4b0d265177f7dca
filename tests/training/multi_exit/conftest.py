from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

from readproof.training.multi_exit.train import train_exits
from tests.training.multi_exit.made import plan_of, save_data, save_start

Trained = Callable[[str], Path]


@pytest.fixture(scope="session")
def exit_start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_start(tmp_path_factory.mktemp("start"))


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory, exit_start: Path) -> Trained:
    """The folder of a trained task: `work`, `reader` (float weights) and `data` in it. Not to be changed."""
    known: dict[str, Path] = {}

    def get(task: str) -> Path:
        if task not in known:
            folder = tmp_path_factory.mktemp(task)
            save_data(folder / "data", task)
            train_exits(
                plan_of(task),
                # the passages of the made questions are too much alike for any to be measured on
                data=[folder / "data" / "train.json" if task == "cmrc2018" else folder / "data"],
                start=exit_start,
                work=folder / "work",
                out=folder / "reader",
                precision="fp32",
                held_out=0.1,
            )
            known[task] = folder
        return known[task]

    return get
