"""Killed by the system, with processes of its own: what goes on afterwards ends with the same bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from readproof.attacks.base import Attack
from readproof.training.adversarial.harden import HardenPlan, harden
from readproof.training.recipe import Fit
from tests.training.adversarial.conftest import small_recipe
from tests.training.adversarial.test_harden import weights
from tests.training.made import made_items

# in the first epoch, before the second one's attacks are all made, in the second epoch
MOMENTS = ("checkpoints/harden.pt", "attacks/epoch-1.jsonl", "attacks/epoch-2.jsonl")


def test_killed_in_the_middle(tiny: Path, data: str, tmp_path: Path) -> None:
    """Another process loads torch once and forks a run after the other; one of them is never killed."""
    code = "import sys; from tests.training.adversarial.test_kills import kills; kills(*sys.argv[1:])"
    found = subprocess.run(
        [sys.executable, "-c", code, str(tiny), data, str(tmp_path)],
        env={**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"},
        cwd=Path(__file__).parents[3], capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert weights(tmp_path / "whole") == weights(tmp_path / "killed")


def kills(reader: str, data: str, folder: str) -> None:
    """Harden the reader twice: once as it comes, once killed again and again."""
    import torch

    torch.set_num_threads(1)
    killed = plan_for(reader, data, f"{folder}/killed")
    # an optimiser loads as much again as torch itself, an attack its word lists: once, before the forks
    torch.optim.AdamW([torch.nn.Parameter(torch.zeros(1))])
    for attack in (dose.made() for dose in killed.recipe.doses):
        if isinstance(attack, Attack):
            attack.make(made_items(1)[0], seed=0)
    whole = begun(plan_for(reader, data, f"{folder}/whole"))
    for moment in MOMENTS:
        process = begun(killed)
        until = time.monotonic() + 60
        while not Path(folder, "killed.work", moment).exists() and time.monotonic() < until:
            if os.waitpid(process, os.WNOHANG) != (0, 0):
                raise RuntimeError(f"it ended before {moment} was there")
            time.sleep(0.002)
        os.kill(process, signal.SIGKILL)
        if os.waitpid(process, 0)[1] != signal.SIGKILL:
            raise RuntimeError(f"it ended before it was killed ({moment})")
    for process in (begun(killed), whole):
        if os.waitpid(process, 0)[1]:
            raise RuntimeError("a run failed")


def begun(plan: HardenPlan) -> int:
    """The number of a process that hardens by a plan."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        harden(plan)
        status = 0
    finally:
        os._exit(status)


def plan_for(reader: str, data: str, out: str) -> HardenPlan:
    recipe = replace(small_recipe(), fit=Fit(epochs=2, lr=1e-3, batch=8, ema=0.9))
    return HardenPlan(reader=reader, data=(data,), out=Path(out), recipe=recipe, workers=2, save_every=0.0)
