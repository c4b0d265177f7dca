"""Option readers of twelve layers, several seeds at once on one GPU within a given time.

    python -m tools.option_seeds prepare DATA BUNDLE [--measure FILE]    # statements as windows, on any machine
    python -m tools.option_seeds train BUNDLE START OUT --seconds 480    # three processes, one GPU
    python -m tools.option_seeds build START SEED-1.npz ... -o FOLDER    # one of them as an int8 reader of its own
    python -m tools.option_seeds figures BUNDLE LOGITS --measure FILE    # what they score

The recipe is that of the plan `options-zh-large`; the differences are those that a time limit asks for. The rate falls
by the share of the time that is gone where that is more than the share of the steps, so that a stage that runs out of
time has learnt at a falling rate all the same, and the layers run in bfloat16 throughout. Both stages are written when
they are done; what is measured is only read, after all is learnt, and nothing is chosen by it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tools.option_bundle import BESIDE, EXAMS, FIRST, HELD, MEASURED, prepare, read_changes, unpacked, write_changes
from tools.option_figures import figures, right
from torch import Tensor
from torch.nn import functional

from readproof.files import digest
from readproof.training.encoder import Encoded, Encoder
from readproof.training.fit import ahead
from readproof.training.model import plain_state
from readproof.training.optimise import optimiser
from readproof.training.options.measure import LossWeights, option_loss, windows_by_length
from readproof.training.options.model import OptionReader, option_reader_from
from readproof.training.options.records import Group
from readproof.training.options.turned import mixed
from readproof.training.options.windows import GroupView, OptionBatch, OptionWindows, batches, collate, merged

# of the last stage: how often its questions are seen, and the share of long passages that are read in segments
EPOCHS, COARSE = 4, 0.4
RATES = (3e-5, 2e-5)
TOKENS, WARMUP, CLIP = 16_384, 0.06, 1.0
# of the time for learning, what the first stage may take
FIRST_SHARE = 0.66
READ_AT_ONCE = 131_072
GOLD = LossWeights()
_SELF = "tools.option_seeds"


# Learning: one seed, in one process.


def encoded(encoder: Encoder, ids: Tensor, types: Tensor, mask: Tensor, kind: torch.dtype) -> Encoded:
    """What the encoder gives, its layers in one kind of number throughout; query, key and value in one product."""
    hidden = encoder.embeddings(ids, types).to(kind)
    wide = mask[:, None, None, :]
    batch, length = ids.shape

    def dense(inner: Tensor, *owners: torch.nn.Linear) -> Tensor:
        weight = torch.cat([one.weight for one in owners]) if len(owners) > 1 else owners[0].weight
        bias = torch.cat([one.bias for one in owners]) if len(owners) > 1 else owners[0].bias
        return functional.linear(inner, weight.to(kind), bias.to(kind))

    def joined(inner: Tensor, before: Tensor, owner: Any) -> Tensor:
        norm = owner.LayerNorm
        return functional.layer_norm(
            owner.dropout(dense(inner, owner.dense)) + before,
            norm.normalized_shape, norm.weight.to(kind), norm.bias.to(kind), norm.eps,
        )  # fmt: skip

    layers: Any = encoder.encoder.layer
    for layer in layers:
        own = layer.attention.self
        three = dense(hidden, own.query, own.key, own.value).view(batch, length, 3, own.heads, -1)
        query, key, value = three.permute(2, 0, 3, 1, 4).unbind(0)
        drop = own.drop if encoder.training else 0.0
        read = functional.scaled_dot_product_attention(query, key, value, attn_mask=wide, dropout_p=drop)
        attended = joined(read.transpose(1, 2).reshape(batch, length, -1), hidden, layer.attention.output)
        hidden = joined(functional.gelu(dense(attended, layer.intermediate.dense)), attended, layer.output)
    return Encoded([hidden], hidden)


def judged(reader: OptionReader, batch: OptionBatch) -> tuple[Tensor, Tensor]:
    kind = torch.bfloat16 if batch.ids.is_cuda else torch.float32
    return reader.judged(encoded(reader.bert, batch.ids, batch.types, batch.seen, kind), batch)


@dataclass(frozen=True, slots=True)
class Views:
    """Windows as the training loop's helper takes them."""

    windows: OptionWindows

    def batches(self, size: int, seed: int) -> Sequence[Any]:
        return batches(self.windows, size, seed)

    def collate(self, batch: list[GroupView]) -> OptionBatch:
        return collate(self.windows, batch)


def learn(
    reader: OptionReader,
    windows: OptionWindows,
    order: Sequence[list[GroupView]],
    *,
    rate: float,
    seed: int,
    seconds: float,
    say: Callable[[str], None],
    weights: LossWeights = GOLD,
    decay: float = 0.01,
) -> None:
    """All batches once, or as many as the time allows; the rate is down to nothing at the end of either."""
    device = next(reader.parameters()).device
    adam = optimiser(reader, lr=rate, decay=decay, layer_decay=1.0)
    begun, tokens, shown = time.monotonic(), 0, 0.0
    reader.train()
    for step, batch in enumerate(ahead(Views(windows), order, device)):
        gone = max(step / len(order), (time.monotonic() - begun) / seconds)
        if gone >= 1:
            say(f"time is up at step {step} of {len(order)}")
            break
        for group in adam.param_groups:
            group["lr"] = group["top"] * min((step + 1) / max(1.0, WARMUP * len(order)), (1 - gone) / (1 - WARMUP), 1.0)
        torch.manual_seed(seed * 100_003 + step)
        adam.zero_grad(set_to_none=True)
        value = option_loss(*judged(reader, batch), batch, weights)
        value.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(reader.parameters(), CLIP)
        adam.step()
        tokens += batch.ids.numel()
        if step % 100 == 0 or step + 1 == len(order):
            found, spent = float(value.detach()), time.monotonic() - begun
            shown = found if shown == 0 else 0.8 * shown + 0.2 * found
            say(f"step {step + 1}/{len(order)} loss {shown:.3f}, {tokens / spent:,.0f} tokens/s, {spent:.0f} s")
            if found != found:
                raise SystemExit("the loss is not a number")


def first_order(every: OptionWindows, sizes: Sequence[int], size: int, seed: int) -> list[list[GroupView]]:
    """The batches of the first stage: all sets, and once more those that are seen twice."""
    twice = np.repeat([count > 1 for count in FIRST.values()], sizes)
    again = part_of(every, [number for number in range(len(every.groups)) if twice[number]])
    order = batches(every, size, seed * 1000, coarse=0.0) + batches(again, size, seed * 1000 + 1, coarse=0.0)
    return shuffled(order, seed)


def last_order(every: OptionWindows, exams: int, size: int, seed: int) -> list[list[GroupView]]:
    """The batches of the last stage: in each epoch all exam questions, and a part of what is made of them."""
    others = np.random.default_rng(seed).permutation(np.arange(exams, len(every.groups)))
    order: list[list[GroupView]] = []
    for epoch in range(EPOCHS):
        numbers = [*range(exams), *others[epoch::EPOCHS].tolist()]
        order += batches(part_of(every, numbers), size, seed * 1000 + 10 + epoch, coarse=COARSE)
    return order


def shuffled(parts: Sequence[list[GroupView]], seed: int) -> list[list[GroupView]]:
    return [parts[at] for at in np.random.default_rng(seed).permutation(len(parts))]


def train_seed(bundle: Path, start: Path, work: Path, seed: int, deadline: float, limit: int) -> None:
    """Both stages of one seed, then its logits on all that is held out or measured."""
    begun = time.monotonic()

    def say(text: str) -> None:
        print(f"[{time.strftime('%H:%M:%S')} seed {seed} +{time.monotonic() - begun:.0f}s] {text}", flush=True)

    size = TOKENS if not limit else 1_024
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
        torch.backends.cuda.enable_cudnn_sdp(False)  # it would plan anew for every length of window
    work.mkdir(parents=True, exist_ok=True)
    arrays = np.load(bundle)
    first = state_of_start(start, limit)
    torch.manual_seed(1234 + seed)
    reader = option_reader_from(first, dropout=0.1).to(device)
    sets = {name: unpacked(arrays, name, limit) for name in (*FIRST, *EXAMS, *BESIDE)}
    say("start and sets are there")
    # a part of the time is for reading what is held out and measured
    left = deadline - time.time()
    learning = left * 0.89
    stages: list[dict[str, Tensor]] = []

    every = merged([sets[name] for name in FIRST])
    order = first_order(every, [len(sets[name].groups) for name in FIRST], size, seed)[: 2 if limit else None]
    say(f"stage 1: {len(order)} steps")
    learn(reader, every, order, rate=RATES[0], seed=seed, seconds=learning * FIRST_SHARE, say=say)
    stages.append(plain_state(reader))
    torch.save(stages[0], work / "stage1.pt")
    say("stage 1 is written")

    every = merged([sets[name] for name in (*EXAMS, *BESIDE)])
    order = last_order(every, sum(len(sets[name].groups) for name in EXAMS), size, seed)[: 2 if limit else None]
    spent = left - (deadline - time.time())
    say(f"stage 2: {len(order)} steps")
    learn(reader, every, order, rate=RATES[1], seed=seed + 50, seconds=learning - spent, say=say)
    stages.append(plain_state(reader))
    torch.save(stages[1], work / "stage2.pt")
    say("stage 2 is written")

    points = {"mean": mixed(stages[0], stages[1], 0.5), "stage1": stages[0], "stage2": stages[1]}
    for point, state in points.items():
        reader.load_state_dict(state)
        names = MEASURED if point == "mean" else ("dev_a",)
        read_all(reader, arrays, work, point, names, limit, deadline if point != "mean" else None, say)
    (work / "done").write_text("done\n")


def read_all(
    reader: OptionReader,
    arrays: Mapping[str, NDArray[Any]],
    work: Path,
    point: str,
    measured: Sequence[str],
    limit: int,
    deadline: float | None,
    say: Callable[[str], None],
) -> None:
    """What a reader says of the held-out sets, then of those that are measured; as much as there is time for."""
    hits = []
    for name in (*HELD, *measured):
        if f"{name}/rows" in arrays and (deadline is None or time.time() < deadline - 5):
            values = said(reader, unpacked(arrays, name, limit))
            np.save(work / f"{point}-{name}.npy", values)
            if name in HELD:
                found, count = right(arrays, name, values)
                hits.append(f"{name} {found} of {count}")
    say(f"{point}: " + ", ".join(hits))


def part_of(windows: OptionWindows, numbers: Sequence[int]) -> OptionWindows:
    """Some groups of a set; their views still name the windows and groups of the whole."""
    part = OptionWindows([windows.groups[number] for number in numbers], windows.tokens, windows.heads)
    part.fine = [windows.fine[number] for number in numbers]
    part.coarse = [windows.coarse[number] for number in numbers]
    return part


def state_of_start(start: Path, limit: int = 0) -> dict[str, Tensor]:
    """The start with the shipped vocabulary; two of its layers where little is to be tried."""
    from readproof.training.options.start import read_option_start
    from readproof.training.start import shipped_vocabulary

    found = read_option_start(start).cut(shipped_vocabulary("zh")).state((0, 1) if limit else ())
    return {name: tensor.float() for name, tensor in found.items()}


def said(reader: OptionReader, windows: OptionWindows) -> NDArray[np.float32]:
    """Truth and relevance of every window, in the order of the windows."""
    out = np.zeros((len(windows.tokens), 2), np.float32)
    device = next(reader.parameters()).device
    single = OptionWindows(windows.groups, windows.tokens, windows.heads)
    single.groups = [Group(id=f"{at}", passage="", statements=("",), labels=(0,)) for at in range(len(windows.tokens))]
    single.fine = [GroupView(at, [[at]], [-1]) for at in range(len(windows.tokens))]
    single.coarse = [None] * len(windows.tokens)
    reader.eval()
    with torch.inference_mode():
        for batch in windows_by_length(single, single.fine, READ_AT_ONCE):
            truth, rated = judged(reader, collate(single, batch).to(device))
            out[[one.group for one in batch]] = torch.stack((truth.float(), rated[:, 0].float()), dim=1).cpu().numpy()
    return out


def given_to(seed: int, deadline: float, limit: int) -> list[str]:
    return ["--seed", str(seed), "--deadline", str(deadline), "--limit", str(limit)]


def run(commands: Sequence[Sequence[str]], deadline: float) -> None:
    """Modules side by side; those that are not done by the deadline are ended."""
    processes = [subprocess.Popen([sys.executable, "-m", *command]) for command in commands]
    while any(process.poll() is None for process in processes) and time.time() < deadline:
        time.sleep(0.5)
    for process in processes:
        if process.poll() is None:
            process.terminate()
    print(f"ended with {[one.wait() for one in processes]}, {deadline - time.time():.0f} s left", flush=True)


# All seeds at once.


def train(bundle: Path, start: Path, out: Path, work: Path, seeds: Sequence[int], seconds: float, limit: int) -> None:
    begun = time.time()
    deadline = begun + seconds
    machine = f"torch {torch.__version__}, cuda {torch.cuda.is_available()}"
    print(f"{len(seeds)} seeds, {seconds:.0f} s, {machine}", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    late = deadline - (32 if not limit else 0)
    run(
        [
            [*(_SELF, "seed", str(bundle), str(start), str(work / f"seed-{seed}")), *given_to(seed, late, limit)]
            for seed in seeds
        ],
        deadline - (15 if not limit else 0),
    )
    arrays = np.load(bundle)
    held: dict[int, float] = {}
    files: dict[str, NDArray[Any]] = {}
    for seed in seeds:
        found = {path.stem: np.load(path) for path in sorted((work / f"seed-{seed}").glob("*.npy"))}
        files |= {f"{seed}/{name}": one for name, one in found.items()}
        each = [right(arrays, name, found[f"mean-{name}"]) for name in HELD if f"mean-{name}" in found]
        if each and (work / f"seed-{seed}" / "stage2.pt").exists():
            held[seed] = sum(hits for hits, _ in each) / max(1, sum(count for _, count in each))
    np.savez(out / "logits.npz", **files)  # type: ignore[arg-type]
    if not held:
        return
    best = max(held, key=lambda seed: (held[seed], -seed))
    print(f"held out, all questions together: {held}; best: seed {best}", flush=True)
    give(bundle, start, out, work, best, limit)
    print(f"done after {time.time() - begun:.0f} s", flush=True)


def give(bundle: Path, start: Path, out: Path, work: Path, seed: int, limit: int = 0) -> None:
    """The mean of both stages of one seed as changes to the start, and what it says of the held-out sets then."""
    folder = work / f"seed-{seed}"
    before = state_of_start(start, limit)
    first, last = (torch.load(folder / f"stage{one}.pt", weights_only=True) for one in (1, 2))
    state = mixed(first, last, 0.5)
    back = write_changes(state, before, out, f"seed-{seed}")
    arrays = np.load(bundle)
    reader = option_reader_from(back).to("cuda" if torch.cuda.is_available() else "cpu")
    for name in HELD:
        values = said(reader, unpacked(arrays, name, limit))
        exact = np.load(folder / f"mean-{name}.npy")
        apart = float(np.abs(values[: len(exact)] - exact[: len(values)]).mean())
        print(f"seed {seed} out of four bits: {name} {right(arrays, name, values)}, apart by {apart:.3f}", flush=True)


def build(start: Path, changes: Sequence[Path], out: Path) -> Path:
    """A reader's folder (int8, ONNX) from the start weights and the changes that `give` wrote."""
    from readproof.readers.options import OptionReadingConfig
    from readproof.training.options.start import read_option_start, write_option_folder
    from readproof.training.ship import export_reader
    from readproof.training.start import shipped_vocabulary

    begin = read_option_start(start).cut(shipped_vocabulary("zh"))
    state = read_changes(changes, {name: one.float() for name, one in begin.state().items()})
    notes = {"start": begin.bert.digest(), "changes": {one.name: digest(one) for one in sorted(changes)}}
    with tempfile.TemporaryDirectory() as folder:
        trained = Path(folder) / "reader"
        write_option_folder(trained, state, begin.bert.vocabulary, notes, OptionReadingConfig())
        return export_reader(trained, out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    made = kinds.add_parser("prepare")
    made.add_argument("data", type=Path)
    made.add_argument("bundle", type=Path)
    made.add_argument("--measure", type=Path)
    made.add_argument("--work", type=Path, default=Path("option-sets"))
    for name in ("train", "seed", "give"):
        one = kinds.add_parser(name)
        one.add_argument("bundle", type=Path)
        one.add_argument("start", type=Path)
        one.add_argument("out", type=Path)
        one.add_argument("--work", type=Path, default=Path("option-work"))
        one.add_argument("--seed", type=int, default=0)
        one.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
        one.add_argument("--seconds", type=float, default=480.0)
        one.add_argument("--deadline", type=float, default=0.0)
        one.add_argument("--limit", type=int, default=0, help="two steps a stage on so many groups a set, for a try")
    whole = kinds.add_parser("build")
    whole.add_argument("start", type=Path)
    whole.add_argument("changes", type=Path, nargs="+")
    whole.add_argument("-o", "--out", type=Path, required=True)
    told = kinds.add_parser("figures")
    told.add_argument("bundle", type=Path)
    told.add_argument("logits", type=Path)
    told.add_argument("--measure", type=Path, required=True)
    given = parser.parse_args()
    if given.kind == "prepare":
        prepare(given.data, given.bundle, given.measure, given.work, print)
    elif given.kind == "build":
        print(f"written: {build(given.start, given.changes, given.out)}")
    elif given.kind == "figures":
        figures(given.bundle, given.logits, given.measure, print)
    elif given.kind == "train":
        train(given.bundle, given.start, given.out, given.work, given.seeds, given.seconds, given.limit)
    elif given.kind == "seed":
        train_seed(given.bundle, given.start, given.out, given.seed, given.deadline, given.limit)
    else:
        give(given.bundle, given.start, given.out, given.work, given.seed, given.limit)


if __name__ == "__main__":
    os.environ.setdefault("PYTORCH_ALLOC_CONF", "expandable_segments:True")
    main()
