"""Every set of statements that `option_seeds.py` reads, as numbers, so that nothing is tokenised while a GPU waits.

And the weights on their way back from it: what has changed since the start, in a few bits a number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.training.options.records import Group
from readproof.training.options.windows import GroupView, OptionWindows

# what is learnt: sets with how often each is seen
FIRST = {"ocnli": 2, "c3": 2, "logiqa": 1, "logiqa2": 1, "taiwan": 1, "crossed_taiwan": 1}
EXAMS = ("gaokao", "haihua")
BESIDE = ("made_options", "made_haihua", "crossed_exams", "elsewhere_exams")
HELD = ("held_gaokao", "held_haihua", "held_turned")
MEASURED = ("dev_a", "dev_a_without", "c3_test", "dev_a_elsewhere", "c3_test_without")
_GROUP, _LIMIT = 64, 15 << 20


def packed(windows: OptionWindows, *, segments: bool) -> dict[str, NDArray[Any]]:
    """Windows as arrays; without `segments` the coarse views are left out."""
    tokens: list[NDArray[np.int32]] = []
    heads: list[int] = []
    rows: list[list[int]] = []  # group, label, first window, how many, evidence; a fine view has -1 as evidence
    groups: list[dict[str, Any]] = []
    for number, (group, fine, coarse) in enumerate(zip(windows.groups, windows.fine, windows.coarse, strict=True)):
        groups.append({"id": group.id, "kind": group.kind})
        for form, view in ((0, fine), (1, coarse if segments else None)):
            if view is None:
                continue
            for place, these in enumerate(view.windows):
                rows.append([number, form, group.labels[place], len(tokens), len(these), view.evidence[place]])
                tokens += [windows.tokens[one] for one in these]
                heads += [windows.heads[one] for one in these]
    flat = np.concatenate(tokens) if tokens else np.zeros(0)
    return {
        "tokens": flat.astype(np.uint16),
        "lengths": np.asarray([len(one) for one in tokens], np.uint16),
        "heads": np.asarray(heads, np.uint8),
        "rows": np.asarray(rows, np.int32).reshape(-1, 6),
        "groups": np.frombuffer(json.dumps(groups).encode(), np.uint8),
    }


def unpacked(arrays: Mapping[str, NDArray[Any]], name: str, limit: int = 0) -> OptionWindows:
    """The set of that name; with a limit its first so many groups."""
    found = {key: arrays[f"{name}/{key}"] for key in ("tokens", "lengths", "heads", "rows", "groups")}
    ends = np.cumsum(found["lengths"].astype(np.int64))
    flat = found["tokens"].astype(np.int32)
    groups = json.loads(found["groups"].tobytes().decode())[: limit or None]
    labels: list[list[int]] = [[] for _ in groups]
    views: list[list[GroupView]] = [[GroupView(number, [], []) for _ in range(2)] for number in range(len(groups))]
    for group, form, label, first, count, evidence in found["rows"].tolist():
        if group >= len(groups):
            break
        view = views[group][form]
        view.windows.append(list(range(first, first + count)))
        view.evidence.append(evidence)
        if form == 0:
            labels[group].append(label)
    out = OptionWindows([])
    out.groups = [
        Group(id=one["id"], passage="", statements=("",) * len(these), labels=tuple(these), kind=one["kind"])
        for one, these in zip(groups, labels, strict=True)
    ]
    used = 1 + max((one for pair in views for view in pair for one in view.numbers), default=-1)
    out.tokens = np.split(flat[: ends[used - 1] if used else 0], ends[: used - 1])
    out.heads = found["heads"][:used].tolist()
    out.fine = [pair[0] for pair in views]
    out.coarse = [pair[1] if pair[1].windows else None for pair in views]
    return out


def prepare(data: Path, bundle: Path, measure: Path | None, work: Path, say: Callable[[str], None]) -> None:
    from readproof.items import Triple
    from readproof.readers.options import OptionReadingConfig
    from readproof.tasks import load
    from readproof.training.options.records import read_groups
    from readproof.training.options.sets import prepare_option_sets, questions
    from readproof.training.options.turned import triples_of
    from readproof.training.options.windows import cut
    from readproof.training.start import shipped_vocabulary

    tokenizer, manner = shipped_vocabulary("zh").tokenizer(), OptionReadingConfig()
    names = [*FIRST, *EXAMS, *BESIDE, *HELD[:2], "c3_test"]
    prepare_option_sets(data, work, only=names, say=say)
    arrays: dict[str, NDArray[Any]] = {}

    def add(name: str, groups: Sequence[Group], *, segments: bool = True) -> None:
        made = packed(cut(groups, tokenizer, manner), segments=segments)
        arrays.update({f"{name}/{key}": one for key, one in made.items()})
        say(f"{name}: {len(groups)} groups, {len(made['lengths'])} windows, {len(made['tokens']):,} tokens")

    def bare(groups: Iterable[Group]) -> list[Group]:
        return [replace(one, passage="", place=None) for one in groups]

    known = {name: list(read_groups(work / f"{name}.jsonl")) for name in names}
    for name in names:
        add(name, known[name], segments=name in (*EXAMS, *HELD))
    triples = triples_of([one for name in HELD[:2] for one in known[name]])
    add("held_turned", list(questions([one for triple in triples for one in triple.questions], "turned")))
    add("c3_test_without", bare(known["c3_test"]))
    if measure:
        asked = [one for item in load(measure) if isinstance(item, Triple) for one in item.questions]
        groups = list(questions(asked, "dev"))
        add("dev_a", groups)
        add("dev_a_without", bare(groups))
        texts = [one.passage for one in groups]
        far = [texts[(at + len(texts) // 2) % len(texts)] for at in range(len(texts))]
        moved = [replace(one, passage=text) for one, text in zip(groups, far, strict=True)]
        add("dev_a_elsewhere", moved, segments=False)
    bundle.parent.mkdir(parents=True, exist_ok=True)
    np.savez(bundle, **arrays)  # type: ignore[arg-type]


# Weights on their way back: what has changed since the start, four bits a number.


def squeezed(change: NDArray[np.float32], bits: int = 4) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Whole numbers of so many bits, packed, by runs of 64 with a scale each."""
    flat = np.pad(change.reshape(-1), (0, -change.size % _GROUP)).reshape(-1, _GROUP)
    top, most = np.abs(flat).max(axis=1), (1 << (bits - 1)) - 1
    # in few bits the middle of a run is told finer when its rarest numbers are cut a little
    scale = np.maximum((0.85 if bits < 5 else 1.0) * top / most, 6e-8).astype(np.float16)
    whole = (np.clip(np.rint(flat / scale[:, None].astype(np.float32)), -most, most) + most + 1).astype(np.uint8)
    return np.packbits(np.unpackbits(whole.reshape(-1, 1), axis=1)[:, -bits:]), scale


def restored(
    packed_bits: NDArray[np.uint8], scale: NDArray[np.float16], shape: Sequence[int], bits: int = 4
) -> NDArray[np.float32]:
    count = len(scale) * _GROUP
    each = np.unpackbits(packed_bits, count=count * bits).reshape(count, bits)
    whole = np.packbits(np.pad(each, ((0, 0), (8 - bits, 0))), axis=1).reshape(-1, _GROUP).astype(np.float32)
    flat = ((whole - (1 << (bits - 1))) * scale[:, None].astype(np.float32)).reshape(-1)
    return flat[: int(np.prod(shape))].reshape(tuple(shape))


def write_changes(
    state: Mapping[str, Tensor], start: Mapping[str, Tensor], out: Path, name: str, bits: int = 4
) -> dict[str, Tensor]:
    """The changes as files of at most 15 MiB, and the state as it can be had back from them.

    What the start does not have is a change from nothing.
    """
    parts: list[dict[str, NDArray[Any]]] = [{}]
    size = 0
    back: dict[str, Tensor] = {}
    for key, tensor in state.items():
        before = start.get(key.removeprefix("bert."), start.get(key))
        whole = tensor.numpy().astype(np.float32)
        if tensor.dim() < 2 or tensor.numel() < 1 << 15:
            arrays: dict[str, NDArray[Any]] = {key: whole}
            back[key] = tensor
        else:
            first = np.zeros_like(whole) if before is None else before.numpy()
            few, scale = squeezed(whole - first, bits)
            arrays = {f"{key}|{bits}": few, f"{key}|s": scale}
            if before is None:
                arrays[f"{key}|n"] = np.asarray(whole.shape)
            back[key] = torch.from_numpy(first + restored(few, scale, whole.shape, bits))
        added = sum(one.nbytes for one in arrays.values())
        if size + added > _LIMIT:
            parts.append({})
            size = 0
        parts[-1].update(arrays)
        size += added
    for number, part in enumerate(parts, start=1):
        np.savez(out / f"{name}-{number}.npz", **part)  # type: ignore[arg-type]
    return back


def read_changes(paths: Iterable[Path], start: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The state that `write_changes` wrote, out of its files."""
    out: dict[str, Tensor] = {}
    for path in sorted(paths):
        part = np.load(path)
        for key in part.files:
            bare, _, kind = key.partition("|")
            if kind.isdigit():
                before = start.get(bare.removeprefix("bert."), start.get(bare))
                shape = tuple(before.shape) if before is not None else tuple(part[f"{bare}|n"])
                change = torch.from_numpy(restored(part[key], part[f"{bare}|s"], shape, int(kind)))
                out[bare] = change if before is None else before + change
            elif not kind:
                out[bare] = torch.from_numpy(part[key])
    return out
