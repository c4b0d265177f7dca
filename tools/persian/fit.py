"""Train the Persian reader on one GPU within a given time, from what `tools.persian.package` has made.

    python fit.py start|teacher|student FOLDER OUT [--seed N] [--until SECONDS] [--tiny]

It stands alone: torch, tokenizers and numpy are all it needs. Each part ends at a time counted from the variable T0
(the beginning of the whole run): the rate falls with the share of that time which is gone, or of the epochs where they
are done first. So one run uses the time there is, and its figures differ a little from machine to machine.

- start: masked words of plain text, then questions in Chinese and Persian, from the encoder in FOLDER
- teacher: the Persian questions and their AddSent variants, R-Drop, from what `start` left; one for each seed
- student: fewer layers, begun as those of the first teacher; what all teachers say of questions, variants and questions
  made of plain text; its weights and what it says of held-out questions are OUT
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import lzma
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

T0 = float(os.environ.get("T0", time.time()))
PAD, UNK, CLS, SEP, MASK = range(5)
OUTSIDE = -1e4
LONGEST = 80
MOST, OVERLAP, QUESTION = 512, 128, 64
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def say(*what: Any) -> None:
    print(f"[{time.time() - T0:6.1f}]", *what, flush=True)


# the encoder: BERT's, with one matrix for queries, keys and values


class Layer(nn.Module):
    def __init__(self, hidden: int, inner: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(hidden, 3 * hidden)
        self.mixed = nn.Linear(hidden, hidden)
        self.first_norm = nn.LayerNorm(hidden, eps=1e-12)
        self.inner = nn.Linear(hidden, inner)
        self.outer = nn.Linear(inner, hidden)
        self.second_norm = nn.LayerNorm(hidden, eps=1e-12)

    def forward(self, hidden: Tensor, mask: Tensor | None, dropout: float) -> Tensor:
        batch, length, width = hidden.shape
        qkv = self.qkv(hidden).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        mixed = self.mixed(seen.transpose(1, 2).reshape(batch, length, width))
        hidden = self.first_norm(hidden + functional.dropout(mixed, dropout))
        wide = self.outer(functional.gelu(self.inner(hidden)))
        out: Tensor = self.second_norm(hidden + functional.dropout(wide, dropout))
        return out


class Reader(nn.Module):
    def __init__(self, rows: int, layers: int, hidden: int = 384, inner: int = 1536, heads: int = 12) -> None:
        super().__init__()
        self.words = nn.Embedding(rows, hidden)
        self.places = nn.Embedding(MOST, hidden)
        self.kinds = nn.Embedding(2, hidden)
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.layers = nn.ModuleList(Layer(hidden, inner, heads) for _ in range(layers))
        self.head = nn.Linear(hidden, 2)
        self.rate = 0.1

    def hidden(self, ids: Tensor, kinds: Tensor, mask: Tensor | None) -> Tensor:
        dropout = self.rate if self.training else 0.0
        places = self.places.weight[: ids.shape[1]]
        hidden = functional.dropout(self.norm(self.words(ids) + places + self.kinds(kinds)), dropout)
        if DEVICE.type == "cuda":
            hidden = hidden.bfloat16()
        wide = None if mask is None else mask[:, None, None, :]
        for layer in self.layers:
            hidden = layer(hidden, wide, dropout)
        return hidden

    def logs(self, batch: Batch) -> Tensor:
        """Log-probabilities of first and last over "no answer" and the passage (windows × length × 2)."""
        hidden = self.hidden(batch.ids, batch.kinds, batch.mask)
        with torch.autocast(DEVICE.type, enabled=False):
            scores = functional.linear(hidden.float(), self.head.weight.float(), self.head.bias.float())
        return torch.log_softmax(scores.masked_fill(~batch.valid[:, :, None], OUTSIDE), dim=1)


NAMES = (
    ("mixed", "attention.output.dense"), ("first_norm", "attention.output.LayerNorm"), ("inner", "intermediate.dense"),
    ("outer", "output.dense"), ("second_norm", "output.LayerNorm"),
)  # fmt: skip
TABLES = (
    ("words", "word_embeddings"),
    ("places", "position_embeddings"),
    ("kinds", "token_type_embeddings"),
    ("norm", "LayerNorm"),
)


def from_bert(tensors: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Tensors named as transformers.BertModel names them, as this file's."""
    out: dict[str, Tensor] = {}
    for ours, theirs in TABLES:
        for part in ("weight", "bias"):
            if (name := f"embeddings.{theirs}.{part}") in tensors:
                out[f"{ours}.{part}"] = tensors[name]
    for at in range(layers):
        prefix = f"encoder.layer.{at}"
        for part in ("weight", "bias"):
            own = [tensors[f"{prefix}.attention.self.{one}.{part}"] for one in ("query", "key", "value")]
            out[f"layers.{at}.qkv.{part}"] = torch.cat(own)
            for ours, theirs in NAMES:
                out[f"layers.{at}.{ours}.{part}"] = tensors[f"{prefix}.{theirs}.{part}"]
    return out


def chosen(state: dict[str, Tensor], layers: list[int]) -> dict[str, Tensor]:
    """The state with some of its layers alone."""
    out = {name: tensor for name, tensor in state.items() if not name.startswith("layers.")}
    for place, number in enumerate(layers):
        for name, tensor in state.items():
            if name.startswith(f"layers.{number}."):
                out[f"layers.{place}." + name.split(".", 2)[2]] = tensor
    return out


# questions and windows


@dataclass
class Batch:
    ids: Tensor
    kinds: Tensor
    mask: Tensor
    valid: Tensor
    target: Tensor


def spread(length: int, capacity: int, overlap: int) -> list[tuple[int, int]]:
    """As readproof.readers.tokens.spread."""
    if length <= capacity:
        return [(0, length)]
    overlap = min(overlap, capacity // 2)
    pieces = -(-(length - overlap) // (capacity - overlap))
    size = -(-(length + (pieces - 1) * overlap) // pieces)
    starts = [min(at * (size - overlap), length - size) for at in range(pieces)]
    return [(start, start + size) for start in starts]


class Windows:
    """The windows of a set of questions; `group` is the same for the variants of a question."""

    def __init__(self, data: Any, name: str, *, few: int = 0) -> None:
        get = {part: data[f"{name}.{part}"] for part in ("p", "po", "q", "qo", "qp", "golds", "group")}
        count = min(few, len(get["qp"])) if few else len(get["qp"])
        self.ids: list[NDArray[Any]] = []
        rows, golds = [], []
        for number in range(count):
            question = get["q"][get["qo"][number] : get["qo"][number + 1]][:QUESTION]
            at = get["qp"][number]
            passage = get["p"][get["po"][at] : get["po"][at + 1]]
            head = len(question) + 2
            for start, end in spread(len(passage), MOST - head - 1, OVERLAP):
                self.ids.append(np.concatenate(([CLS], question, [SEP], passage[start:end], [SEP])).astype(np.int32))
                rows.append((number, head, start, get["group"][number]))
                known = [(a, b) for a, b in get["golds"][number] if a >= 0 and start <= a and b < end]
                golds.append([(a - start + head, b - start + head) for a, b in known] or [(0, 0)])
        table = np.asarray(rows, dtype=np.int64).reshape(-1, 4)
        self.questions, self.heads, self.firsts, self.groups = table.T
        self.golds = golds
        self.lengths = np.asarray([len(one) for one in self.ids])
        self.name, self.count = name, count

    def __len__(self) -> int:
        return len(self.ids)


def joined(parts: list[Windows]) -> Windows:
    whole = copy.copy(parts[0])
    whole.ids = [one for part in parts for one in part.ids]
    whole.golds = [one for part in parts for one in part.golds]
    for name in ("questions", "heads", "firsts", "groups", "lengths"):
        setattr(whole, name, np.concatenate([getattr(part, name) for part in parts]))
    return whole


def collate(windows: Windows, index: NDArray[Any]) -> Batch:
    width = -(-int(windows.lengths[index].max()) // 64) * 64
    ids = np.full((len(index), width), PAD, dtype=np.int64)
    target = np.zeros((len(index), width, 2), dtype=np.float32)
    for row, window in enumerate(index):
        ids[row, : windows.lengths[window]] = windows.ids[window]
        golds = windows.golds[window]
        for first, last in golds:
            target[row, first, 0] += 1 / len(golds)
            target[row, last, 1] += 1 / len(golds)
    place = np.arange(width)[None, :]
    heads, lengths = windows.heads[index][:, None], windows.lengths[index][:, None]
    valid = (place >= heads) & (place < lengths - 1)
    valid[:, 0] = True
    kinds = ((place >= heads) & (place < lengths)).astype(np.int64)

    def sent(array: NDArray[Any]) -> Tensor:
        tensor = torch.from_numpy(array)
        return tensor.pin_memory().to(DEVICE, non_blocking=True) if DEVICE.type == "cuda" else tensor

    return Batch(sent(ids), sent(kinds), sent(place < lengths), sent(valid), sent(target))


def batches(windows: Windows, tokens: int, seed: int, kept: NDArray[Any] | None = None) -> list[NDArray[Any]]:
    """Windows of like length together, about so many tokens a batch, in random order."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(windows)) if kept is None else random.permutation(kept)
    out: list[NDArray[Any]] = []
    for at in range(0, len(order), 4096):
        part = order[at : at + 4096]
        part = part[np.argsort(windows.lengths[part], kind="stable")]
        begin = 0
        while begin < len(part):
            end = begin + 1
            while end < len(part) and (-(-windows.lengths[part[end]] // 64) * 64) * (end + 1 - begin) <= tokens:
                end += 1
            out.append(part[begin:end])
            begin = end
    return [out[at] for at in random.permutation(len(out))]


def one_of_each(windows: Windows, random: np.random.Generator) -> NDArray[Any]:
    """The windows of one variant of each question, another each epoch."""
    order = random.permutation(windows.count)
    group_of = np.zeros(windows.count, dtype=np.int64)
    group_of[windows.questions] = windows.groups
    _, at = np.unique(group_of[order], return_index=True)
    wanted = np.zeros(windows.count, dtype=bool)
    wanted[order[at]] = True
    return np.flatnonzero(wanted[windows.questions])


# losses


def gold_loss(logs: Tensor, batch: Batch, smoothing: float) -> Tensor:
    valid = batch.valid[:, :, None].float()
    target = batch.target
    if smoothing:
        target = target * (1 - smoothing) + smoothing * valid / valid.sum(dim=1, keepdim=True)
    return -(target * logs).sum(dim=1).mean()


def divergence(logs: Tensor, told: Tensor, valid: Tensor, temperature: float = 1.0) -> Tensor:
    outside = ~valid[:, :, None]
    ours = torch.log_softmax((logs / temperature).masked_fill(outside, OUTSIDE), dim=1)
    theirs = torch.log_softmax((told / temperature).masked_fill(outside, OUTSIDE), dim=1)
    return (theirs.exp() * (theirs - ours)).sum(dim=1).mean() * temperature**2


# the loop: the rate falls with the time that is gone


class Pace:
    """How far a part has come: by its time, or by its steps where those are done first."""

    def __init__(self, until: float, steps: int, tiny: bool) -> None:
        self.begun, self.until = time.time() - T0, until
        self.steps, self.done, self.tiny = steps, 0, tiny

    def share(self) -> float:
        if self.tiny:
            return self.done / 2
        gone = (time.time() - T0 - self.begun) / max(1e-6, self.until - self.begun)
        return max(gone, self.done / max(1, self.steps))


class Fit:
    def __init__(self, model: nn.Module, rate: float, pace: Pace, warm: float = 0.06) -> None:
        decayed = [one for one in model.parameters() if one.ndim > 1]
        plain = [one for one in model.parameters() if one.ndim <= 1]
        groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
        self.model, self.rate, self.pace, self.warm = model, rate, pace, warm
        self.adam = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=DEVICE.type == "cuda")
        self.losses: list[Tensor] = []

    def step(self, loss: Tensor) -> None:
        share = self.pace.share()
        now = self.rate * min(1.0, (share + 0.002) / self.warm) * max(0.0, 1.0 - share)
        for group in self.adam.param_groups:
            group["lr"] = now
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0, foreach=True)
        self.adam.step()
        self.adam.zero_grad(set_to_none=True)
        self.losses.append(loss.detach())
        self.pace.done += 1
        if self.pace.done % 100 == 0:
            mean = float(torch.stack(self.losses).mean())
            say(f"step {self.pace.done} share {share:.2f} rate {now:.1e} loss {mean:.4f}")
            self.losses.clear()

    @property
    def over(self) -> bool:
        return self.pace.share() >= 1.0


def casting() -> Any:
    on = DEVICE.type == "cuda"
    return torch.autocast(DEVICE.type, dtype=torch.bfloat16, enabled=on)


# the parts


def text_rows(folder: Path, tiny: bool) -> NDArray[Any]:
    """The plain text as rows of 512 tokens, documents after each other."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    with lzma.open(folder / "text.xz", "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in (next(file) for _ in range(200))] if tiny else file.read().split("\n")
    say(f"{len(lines)} lines of text")
    parts: list[NDArray[Any]] = []
    for at in range(0, len(lines), 8192):
        for one in tokenizer.encode_batch(lines[at : at + 8192], add_special_tokens=False):
            if len(one.ids) >= 8:
                parts += [np.asarray(one.ids, dtype=np.int32), np.asarray([SEP], dtype=np.int32)]
    flat = np.concatenate(parts)
    rows = flat[: len(flat) // (MOST - 1) * (MOST - 1)].reshape(-1, MOST - 1)
    say(f"{len(flat)} tokens of text")
    return np.concatenate((np.full((len(rows), 1), CLS, dtype=np.int32), rows), axis=1)


def masked_words(model: Reader, folder: Path, until: float, shipped: int, tiny: bool) -> None:
    """Words hidden and told again; word vectors tell them, so that only rows that ship are hidden."""
    begins = torch.from_numpy(np.load(folder / "begins.npy")).to(DEVICE)
    rows = torch.from_numpy(text_rows(folder, tiny)).to(DEVICE)
    width = model.words.weight.shape[1]
    head = nn.ModuleDict({"dense": nn.Linear(width, width), "norm": nn.LayerNorm(width)}).to(DEVICE)
    bias = nn.Parameter(torch.zeros(shipped, device=DEVICE))
    whole = nn.ModuleList([model, head])
    whole.register_parameter("bias", bias)
    size = 2 if tiny else 128
    fit = Fit(whole, 4e-4, Pace(until, 5 * len(rows) // size, tiny))
    model.train()
    order = torch.randperm(len(rows), device=DEVICE)
    at = 0
    while not fit.over:
        if at + size > len(rows):
            order, at = torch.randperm(len(rows), device=DEVICE), 0
        ids = rows[order[at : at + size]].long()
        at += size
        words = begins[ids].long().cumsum(1)
        hide = (torch.rand(ids.shape, device=DEVICE).gather(1, words.clamp_max(MOST - 1)) < 0.2) & (ids > MASK)
        luck = torch.rand(ids.shape, device=DEVICE)
        given = torch.where(hide & (luck < 0.8), MASK, ids)
        given = torch.where(hide & (luck > 0.9), torch.randint_like(ids, MASK + 1, shipped), given)
        kinds = (torch.arange(MOST, device=DEVICE)[None] >= torch.randint(0, MOST, (size, 1), device=DEVICE)).long()
        with casting():
            hidden = model.hidden(given, kinds, None)[hide]
            told = head["norm"](functional.gelu(head["dense"](hidden)))
            scores = told.to(hidden.dtype) @ model.words.weight[:shipped].to(hidden.dtype).T
        fit.step(functional.cross_entropy(scores.float() + bias, ids[hide]))
    say(f"masked words: {fit.pace.done} steps of {size} rows, {fit.pace.done * size / len(rows):.2f} passes")


def questions(model: Reader, sets: list[tuple[Windows, bool]], *, until: float, epochs: int, rate: float, tokens: int,
              rdrop: float, seed: int, tiny: bool) -> None:  # fmt: skip
    """Gold answers; of a set of variants one for each question in an epoch."""
    random = np.random.default_rng(seed)
    whole = joined([one for one, _ in sets])
    shift = np.cumsum([0] + [len(one) for one, _ in sets])

    def epoch() -> list[NDArray[Any]]:
        kept = [
            at + (one_of_each(one, random) if variants else np.arange(len(one)))
            for (one, variants), at in zip(sets, shift, strict=False)
        ]
        return batches(whole, tokens, int(random.integers(1 << 30)), np.concatenate(kept))

    todo = epoch()
    say(f"{len(whole)} windows, {len(todo)} steps an epoch, {whole.lengths.mean():.0f} tokens a window")
    fit = Fit(model, rate, Pace(until, epochs * len(todo), tiny))
    model.train()
    done = 0
    while not fit.over:
        if not todo:
            done += 1
            say(f"epoch {done} is over")
            todo = epoch()
        batch = collate(whole, todo.pop())
        with casting():
            if rdrop:
                batch = Batch(*(torch.cat((one, one)) for one in vars(batch).values()))
            logs = model.logs(batch)
        loss = gold_loss(logs, batch, 0.05)
        if rdrop:
            one, other = logs.chunk(2)
            valid = batch.valid[: len(one)]
            loss = loss + rdrop * (divergence(one, other, valid) + divergence(other, one, valid)) / 2
        fit.step(loss)


@torch.no_grad()
def told(model: Reader, windows: Windows, tokens: int) -> Tensor:
    """Log-probabilities of every window (windows × 512 × 2), half precision, on the device."""
    model.eval()
    out = torch.full((len(windows), MOST, 2), OUTSIDE, dtype=torch.float16, device=DEVICE)
    for index in batches(windows, tokens, 0):
        with casting():
            logs = model.logs(collate(windows, index))
        out[torch.from_numpy(index).to(DEVICE), : logs.shape[1]] = logs.half()
    return out


def measured(said: Tensor, windows: Windows) -> str:
    """Exact and overlapping tokens of the questions with an answer, one always given: figures for the log alone."""
    best: dict[int, tuple[float, int, int]] = {}
    gold: dict[int, set[tuple[int, int]]] = {}
    band = torch.ones(MOST, MOST, dtype=torch.bool, device=said.device).triu().tril(LONGEST - 1)
    for at in range(0, len(windows), 64):
        part = said[at : at + 64].float()
        part[:, 0] = OUTSIDE
        scores = (part[:, :, None, 0] + part[:, None, :, 1]).masked_fill(~band, 4 * OUTSIDE)
        top, where = scores.flatten(1).max(dim=1)
        for row, (score, place) in enumerate(zip(top.tolist(), where.tolist(), strict=True)):
            window = at + row
            question, back = int(windows.questions[window]), int(windows.firsts[window] - windows.heads[window])
            first, last = place // MOST + back, place % MOST + back
            if question not in best or score > best[question][0]:
                best[question] = (score, first, last)
            if windows.golds[window] != [(0, 0)]:
                gold.setdefault(question, set()).update((a + back, b + back) for a, b in windows.golds[window])
    exact = overlap = 0.0
    for question, golds in gold.items():
        _, first, last = best[question]
        exact += (first, last) in golds
        shared = [max(0, min(last, b) - max(first, a) + 1) for a, b in golds]
        overlap += max(2 * same / (last - first + 1 + b - a + 1) for same, (a, b) in zip(shared, golds, strict=True))
    share = 100 / max(1, len(gold))
    return f"{windows.name}: {len(gold)} with an answer, exact {share * exact:.1f}, overlap {share * overlap:.1f}"


def packed(path: Path) -> Any:
    return np.load(io.BytesIO(lzma.decompress(path.read_bytes())))


def load_state(path: Path) -> dict[str, Tensor]:
    state: dict[str, Tensor] = torch.load(path, map_location="cpu", weights_only=True)
    return state


def save_state(model: Reader, path: Path, rows: int | None = None) -> None:
    state = {name: tensor.cpu() for name, tensor in model.state_dict().items()}
    state["words.weight"] = state["words.weight"][:rows].clone()
    torch.save(state, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def awaited(paths: list[Path], until: float) -> list[Path]:
    """Those of some files that are there, all of them or at a time: parts run beside each other from the beginning."""
    while not all(path.exists() for path in paths) and time.time() - T0 < until:
        if (paths[0].parent / "failed").exists():
            raise SystemExit("a part before this one has failed")
        time.sleep(0.2)
    return [path for path in paths if path.exists()]


def reader_of(state: dict[str, Tensor]) -> Reader:
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    model = Reader(len(state["words.weight"]), layers)
    model.load_state_dict(state)
    return model.to(DEVICE)


def start(folder: Path, out: Path, seed: int, until: list[float], tiny: bool) -> None:
    held = json.loads((folder / "about.json").read_text())
    encoder = packed(folder / "encoder.npz.xz")
    tensors = {}
    for name in encoder.files:
        if not name.endswith(".scale"):
            table = encoder[name].astype(np.float32)
            if f"{name}.scale" in encoder.files:
                table = table * encoder[f"{name}.scale"].astype(np.float32)[:, None]
            tensors[name] = torch.from_numpy(table)
    model = Reader(len(tensors["embeddings.word_embeddings.weight"]), 12)
    missing, unexpected = model.load_state_dict(from_bert(tensors, 12), strict=False)
    if set(missing) != {"head.weight", "head.bias"} or unexpected:
        raise SystemExit(f"{missing} are not there, {unexpected} are too many")
    nn.init.normal_(model.head.weight, std=0.02)
    model = model.to(DEVICE)
    say("encoder", DEVICE, sum(one.numel() for one in model.parameters()))
    masked_words(model, folder, until[0], held["shipped"], tiny)
    data = packed(folder / "data.npz.xz")
    few = 10 if tiny else 0
    sets = [(Windows(data, "zh", few=few), False), (Windows(data, "fa", few=few), False)]
    tokens = 2048 if tiny else 24576
    questions(model, sets, until=until[1], epochs=2, rate=1.5e-4, tokens=tokens, rdrop=0.0, seed=seed, tiny=tiny)
    windows = Windows(data, "held", few=few)
    say("after the start:", measured(told(model, windows, 4 * tokens), windows))
    save_state(model, out / "start.pt", held["shipped"])


def teacher(folder: Path, out: Path, seed: int, until: list[float], tiny: bool) -> None:
    torch.manual_seed(seed)
    data = packed(folder / "data.npz.xz")
    few = 10 if tiny else 0
    sets = [(Windows(data, "fa", few=few), False), (Windows(data, "fa_addsent", few=few), True)]
    held = [Windows(data, name, few=few) for name in ("held", "held_addsent")]
    say(f"teacher {seed} waits")
    model = reader_of(load_state(awaited([out / "start.pt"], until[0] + (3600 if tiny else -30))[0]))
    tokens = 2048 if tiny else 16384
    questions(model, sets, until=until[0], epochs=5, rate=1e-4, tokens=tokens, rdrop=1.0, seed=seed, tiny=tiny)
    for one in held:
        say(f"teacher {seed}:", measured(told(model, one, 4 * tokens), one))
    save_state(model, out / f"teacher{seed}.pt")


def student(folder: Path, out: Path, back: Path, seeds: int, layers: list[int], until: list[float], tiny: bool) -> None:
    torch.manual_seed(7)
    data = packed(folder / "data.npz.xz")
    few = 10 if tiny else 0
    names = ("fa", "fa_addsent", "made", "made_addsent")
    sets = [Windows(data, name, few=few) for name in names]
    judged = [Windows(data, name, few=few) for name in ("held", "held_addsent", "test")]
    tokens = 2048 if tiny else 24576
    whole = joined(sets)
    teachers = awaited([out / f"teacher{seed}.pt" for seed in range(seeds)], until[0] + (3600 if tiny else -90))
    say(f"{len(whole)} windows to learn from {len(teachers)} teachers")
    shift = np.cumsum([0] + [len(one) for one in sets])
    words = torch.zeros(len(whole), MOST, 2, dtype=torch.float16, device=DEVICE)
    ensemble = [torch.zeros(len(one), MOST, 2, dtype=torch.float16, device=DEVICE) for one in judged]
    for path in teachers:
        one = reader_of(load_state(path))
        words += told(one, whole, 4 * tokens) / len(teachers)
        for at, windows in enumerate(judged):
            ensemble[at] += told(one, windows, 4 * tokens) / len(teachers)
        del one
    for at, windows in enumerate(judged):
        say("teachers together:", measured(ensemble[at], windows))
    model = reader_of(chosen(load_state(teachers[0]), layers))
    random = np.random.default_rng(3)

    def epoch() -> list[NDArray[Any]]:
        kept = [
            at + (one_of_each(one, random) if one.name.endswith("_addsent") else np.arange(len(one)))
            for one, at in zip(sets, shift, strict=False)
        ]
        return batches(whole, tokens, int(random.integers(1 << 30)), np.concatenate(kept))

    todo = epoch()
    labelled = torch.from_numpy(np.arange(len(whole)) < shift[2]).to(DEVICE)
    pace = Pace(until[0], 12 * len(todo), tiny)
    fit = Fit(model, 1.5e-4, pace)
    mean = {name: tensor.detach().clone() for name, tensor in model.named_parameters()}
    model.train()
    done = 0
    say(f"{len(todo)} steps an epoch")
    while not fit.over:
        if not todo:
            done += 1
            say(f"epoch {done} is over")
            todo = epoch()
        index = todo.pop()
        batch = collate(whole, index)
        place = torch.from_numpy(index).to(DEVICE)
        with casting():
            logs = model.logs(batch)
        theirs = words[place, : logs.shape[1]].float()
        each = -(batch.target * logs).sum(dim=1).mean(dim=1) * labelled[place]
        loss = divergence(logs, theirs, batch.valid, 2.0) + 0.3 * each.mean()
        fit.step(loss)
        torch._foreach_lerp_(list(mean.values()), [one.detach() for one in model.parameters()], 0.002)
    say(f"{done} epochs and {1 - len(todo) / max(1, pace.steps / 12):.2f}")
    answers: dict[str, NDArray[Any]] = {}
    last = {name: tensor.detach().clone() for name, tensor in model.named_parameters()}
    lines = {}
    for kind, state in (("mean", mean), ("last", last)):
        model.load_state_dict(state)
        for one in judged:
            said = told(model, one, 4 * tokens)
            say(f"student, {kind} of the weights:", measured(said, one))
            if kind == "last":
                answers[f"student.{one.name}"] = flat(said, one)
        lines[kind] = state
    for at, one in enumerate(judged):
        answers[f"teachers.{one.name}"] = flat(ensemble[at], one)
        answers[f"lengths.{one.name}"] = one.lengths
    np.savez_compressed(back / "said.npz", **answers)
    write(lines["last"], back, "last")
    difference = {name: (lines["mean"][name] - lines["last"][name]) for name in last if "layers." not in name}
    say("mean and last differ by", float(sum(one.square().sum() for one in difference.values()).sqrt()))


def flat(said: Tensor, windows: Windows) -> NDArray[Any]:
    """The log-probabilities of each window's own tokens, one window after another."""
    kept = said.cpu().numpy()
    return np.concatenate([kept[at, :length] for at, length in enumerate(windows.lengths)])


def write(state: dict[str, Tensor], back: Path, name: str) -> None:
    """fp16 weights in pieces of at most 15 MiB."""
    buffer = io.BytesIO()
    np.savez(buffer, **{key: tensor.detach().half().cpu().numpy() for key, tensor in state.items()})
    whole, size = buffer.getvalue(), 15 << 20
    for number, at in enumerate(range(0, len(whole), size)):
        (back / f"{name}.npz.{number}").write_bytes(whole[at : at + size])
    say(f"{len(whole)} bytes of weights written")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=("start", "teacher", "student"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--back", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--layers", default="0,1,2,3,5,6,7,9,10,11")
    parser.add_argument("--until", default="75,150")
    parser.add_argument("--tiny", action="store_true")
    asked = parser.parse_args()
    until = [float(one) for one in asked.until.split(",")]
    torch.manual_seed(asked.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    # it makes a plan for every new shape, and the shapes here are many
    torch.backends.cuda.enable_cudnn_sdp(False)
    if asked.part == "start":
        start(asked.folder, asked.work, asked.seed, until, asked.tiny)
    elif asked.part == "teacher":
        teacher(asked.folder, asked.work, asked.seed, until, asked.tiny)
    else:
        layers = [int(one) for one in asked.layers.split(",")]
        student(asked.folder, asked.work, asked.back, asked.seeds, layers, until, asked.tiny)


if __name__ == "__main__":
    main()
