"""Students of what `option_seeds.py` trained: option readers that go on as narrow changes to the shipped span reader.

    python -m tools.option_students pack START SEED-1.npz ... -o DIR        # a teacher in six bits, to be carried
    python -m tools.option_students train BUNDLE DIR OUT --seconds 480      # it speaks, three students learn
    python -m tools.option_students export STUDENT.npz OUT/options.npz      # what lies beside the span reader's graph

Weights of the span reader stay as they are; a student begins as the option reader that shipped before, which is changes
of rank 32 to it, and has 16 ranks more to learn with. One teacher speaks once of every set before any student begins.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tools.option_bundle import BESIDE, EXAMS, FIRST, MEASURED, read_changes, unpacked, write_changes
from tools.option_seeds import TOKENS, first_order, given_to, last_order, learn, read_all, run, said, state_of_start
from torch import Tensor

from readproof.readers.adapter import LEFT, RIGHT, SCALE
from readproof.readers.onnxweights import read_weights
from readproof.readers.shipped import ZH
from readproof.training.low_rank import narrowed
from readproof.training.model import plain_state
from readproof.training.options.measure import LossWeights
from readproof.training.options.model import HEADS, option_reader_from
from readproof.training.options.plan import spoken as by_group
from readproof.training.options.turned import mixed
from readproof.training.options.windows import GroupView, OptionWindows, merged
from readproof.training.readerstart import onnx_start, tensors_of

RANK, RATES, PASSES = 48, (1e-3, 3e-4), 2
WEIGHTS = LossWeights(truth=0.3, choice=0.5, evidence=0.0, said=1.0)
# of the time for learning, what the first stage may take; of all time, what learning may take
FIRST_SHARE, LEARNING = 0.62, 0.89
BITS = 6
# what each of three processes has the teacher speak of: about as many tokens each
_SPOKEN = (("taiwan", "logiqa2"), ("c3", "crossed_taiwan"), ("ocnli", "logiqa", *EXAMS, *BESIDE))
_SELF = "tools.option_students"
# the option reader that shipped before these students, which they begin as
START = Path(__file__).parents[1] / "release" / "zh-options" / "start.npz"

State = dict[str, Tensor]


def option_start(changes: Path = START) -> tuple[State, State]:
    """The span reader's layers as its graph has them, and the option reader: the same with its changes, not rounded."""
    first = {name: one.float() for name, one in onnx_start(ZH.folder).tensors.items() if not name.startswith("qa_")}
    weights: dict[str, NDArray[Any]] = dict(read_weights(ZH.folder / "model.onnx"))
    parts = np.load(changes)
    for key in parts.files:
        if key.endswith(LEFT):
            name = key.removesuffix(LEFT)
            left, right = (parts[name + one].astype(np.float32) for one in (LEFT, RIGHT))
            change = (left * parts[name + SCALE].astype(np.float32)) @ right
            drawn = weights.get(f"{name}.drawn")
            table = weights[f"{name}.weight"].astype(np.float32) * weights.pop(f"{name}.scale", np.ones(1, np.float32))
            weights[f"{name}.weight"] = table + (change if drawn is None else change / drawn.reshape(-1, 1))
        elif not key.endswith((RIGHT, SCALE)):
            weights[key] = parts[key].astype(np.float32)
    state = tensors_of(weights)
    for number, head in enumerate(("truth", "relevance")):
        state[f"{head}.weight"] = state["qa_outputs.weight"][number : number + 1].clone()
        state[f"{head}.bias"] = state["qa_outputs.bias"][number : number + 1].clone()
    return first, {name: one for name, one in state.items() if not name.startswith("qa_")}


def pack(start: Path, changes: Sequence[Path], out: Path) -> None:
    """A teacher without its start: every number in six bits."""
    out.mkdir(parents=True, exist_ok=True)
    state = read_changes(changes, state_of_start(start))
    back = write_changes(state, {}, out, "teacher", BITS)
    apart = [float((back[name] - one).norm() / one.norm()) for name, one in state.items() if one.dim() > 1]
    print(f"{len(state)} tensors; matrices differ by {100 * max(apart):.2f} % at most")


def speak(bundle: Path, teacher: Path, out: Path, names: Sequence[str], limit: int) -> None:
    """What a teacher says of the statements of some sets."""
    arrays = np.load(bundle)
    state = read_changes(teacher.rglob("teacher-*.npz"), {})
    reader = option_reader_from(state).to("cuda" if torch.cuda.is_available() else "cpu")
    begun = time.monotonic()
    for name in names:
        windows = unpacked(arrays, name, limit)
        np.save(out / f"said-{name}.npy", np.concatenate(tables(windows, said(reader, windows))))
    print(f"spoken of {', '.join(names)} after {time.monotonic() - begun:.0f} s", flush=True)


def tables(windows: OptionWindows, values: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """For each group: statement x (fine, coarse), the windows of a statement weighed by their relevance."""

    def weighed(view: GroupView) -> list[float]:
        out = []
        for these in view.windows:
            truth, rated = values[these].T
            shares = np.exp(rated - rated.max())
            out.append(float((shares * truth).sum() / shares.sum()))
        return out

    pairs = zip(windows.fine, windows.coarse, strict=True)
    return [np.asarray([weighed(fine), weighed(other or fine)], np.float32).T for fine, other in pairs]


def train_student(bundle: Path, spoken: Path, work: Path, seed: int, deadline: float, limit: int) -> None:
    """Both stages of one student, then its logits on all that is held out or measured, then its changes."""
    begun = time.monotonic()

    def say(text: str) -> None:
        print(f"[{time.strftime('%H:%M:%S')} student {seed} +{time.monotonic() - begun:.0f}s] {text}", flush=True)

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
        torch.backends.cuda.enable_cudnn_sdp(False)
    work.mkdir(parents=True, exist_ok=True)
    size = TOKENS if not limit else 1_024
    arrays = np.load(bundle)
    first, shipped = option_start()
    torch.manual_seed(4321 + seed)
    reader = narrowed(option_reader_from(shipped, dropout=0.1).to(device), first, RANK)
    learning = (deadline - time.time()) * LEARNING
    states: list[State] = []
    for stage, names in enumerate((tuple(FIRST), (*EXAMS, *BESIDE))):
        sets = [unpacked(arrays, name, limit) for name in names]
        every = merged(sets)
        every.said = by_group(every, [np.load(spoken / f"said-{name}.npy") for name in names])
        sizes = [len(one.groups) for one in sets]
        order: list[list[GroupView]] = []
        if stage:
            order = last_order(every, sum(sizes[: len(EXAMS)]), size, seed)
        else:
            for number in range(PASSES):
                order += first_order(every, sizes, size, seed + 100 * number)
        order = order[: 2 if limit else None]
        say(f"stage {stage + 1}: {len(order)} steps")
        seconds = learning * (FIRST_SHARE, 1 - FIRST_SHARE)[stage]
        learn(
            reader, every, order, rate=RATES[stage], seed=seed + 50 * stage, seconds=seconds, say=say,
            weights=WEIGHTS, decay=0.0,
        )  # fmt: skip
        states.append(plain_state(reader))
    # of the same rank again, as the mean of two such changes is not
    mean = narrowed(option_reader_from(mixed(states[0], states[1], 0.5), dropout=0.1).to(device), first, RANK)
    kept = {name: one for name, one in mean.state_dict().items() if is_kept(name, one)}
    np.savez(work / "changes.npz", **{name: one.cpu().numpy().astype(np.float16) for name, one in kept.items()})
    plain = option_reader_from(states[0]).to(device)
    for point, state in {"mean": plain_state(mean), "stage1": states[0], "stage2": states[1]}.items():
        plain.load_state_dict(state)
        measured = MEASURED if point == "mean" else ("dev_a",)
        read_all(plain, arrays, work, point, measured, limit, None if point == "mean" else deadline, say)


def is_kept(name: str, tensor: Tensor) -> bool:
    """Whether a tensor of a narrowed reader may have changed."""
    if "embeddings" in name or name.endswith("original"):
        return False
    return "parametrizations" in name or tensor.dim() == 1 or name.startswith(HEADS)


def train(bundle: Path, teacher: Path, out: Path, work: Path, seeds: Sequence[int], seconds: float, limit: int) -> None:
    """The teacher speaks, then all students learn side by side."""
    begun = time.time()
    deadline = begun + seconds
    print(f"{len(seeds)} students, {seconds:.0f} s, torch {torch.__version__}, {torch.cuda.is_available()}", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    run(
        [
            [_SELF, "speak", str(bundle), str(teacher), str(work), "--names", *names, "--limit", str(limit)]
            for names in _SPOKEN
        ],
        deadline,
    )
    print(f"the teacher has spoken after {time.time() - begun:.0f} s", flush=True)
    late = deadline - (12 if not limit else 0)
    run(
        [
            [*(_SELF, "student", str(bundle), str(work), str(work / f"student-{seed}")), *given_to(seed, late, limit)]
            for seed in seeds
        ],
        deadline,
    )
    files: dict[str, NDArray[Any]] = {}
    for seed in seeds:
        folder = work / f"student-{seed}"
        files |= {f"{seed}/{path.stem}": np.load(path) for path in sorted(folder.glob("*.npy"))}
        if (folder / "changes.npz").exists():
            (out / f"student-{seed}.npz").write_bytes((folder / "changes.npz").read_bytes())
    np.savez(out / "student-logits.npz", **files)  # type: ignore[arg-type]
    print(f"done after {time.time() - begun:.0f} s", flush=True)


def export(student: Path, out: Path) -> None:
    """The file that lies beside the span reader's graph."""
    from readproof.training.ship import option_changes
    from readproof.training.ship import write_changes as write_adapter

    first, shipped = option_start()
    reader = narrowed(option_reader_from(shipped, dropout=0.0), first, RANK)
    parts = np.load(student)
    wanted = {name for name, one in reader.state_dict().items() if is_kept(name, one)}
    if wanted != set(parts.files):
        raise SystemExit(f"{student}: not the changes of a student of rank {RANK}")
    reader.load_state_dict({name: torch.from_numpy(parts[name]).float() for name in parts.files}, strict=False)
    before = {f"bert.{name}": one.numpy() for name, one in first.items()}
    after = {name: one.numpy() for name, one in plain_state(reader).items()}
    arrays = option_changes(before, after, RANK)
    write_adapter(out, arrays)
    print(f"{out}: {sum(one.size for one in arrays.values()):,} numbers, {out.stat().st_size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    one = kinds.add_parser("pack")
    one.add_argument("start", type=Path)
    one.add_argument("changes", type=Path, nargs="+")
    one.add_argument("-o", "--out", type=Path, required=True)
    for name in ("train", "speak", "student"):
        one = kinds.add_parser(name)
        one.add_argument("bundle", type=Path)
        one.add_argument("teacher", type=Path)
        one.add_argument("out", type=Path)
        one.add_argument("--work", type=Path, default=Path("option-work"))
        one.add_argument("--names", nargs="+", default=[])
        one.add_argument("--seed", type=int, default=0)
        one.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
        one.add_argument("--seconds", type=float, default=480.0)
        one.add_argument("--deadline", type=float, default=0.0)
        one.add_argument("--limit", type=int, default=0, help="two steps a stage on so many groups a set, for a try")
    one = kinds.add_parser("export")
    one.add_argument("student", type=Path)
    one.add_argument("out", type=Path)
    given = parser.parse_args()
    if given.kind == "pack":
        pack(given.start, given.changes, given.out)
    elif given.kind == "speak":
        speak(given.bundle, given.teacher, given.out, given.names, given.limit)
    elif given.kind == "student":
        train_student(given.bundle, given.teacher, given.out, given.seed, given.deadline, given.limit)
    elif given.kind == "train":
        train(given.bundle, given.teacher, given.out, given.work, given.seeds, given.seconds, given.limit)
    else:
        export(given.student, given.out)


if __name__ == "__main__":
    os.environ.setdefault("PYTORCH_ALLOC_CONF", "expandable_segments:True")
    main()
