"""Every head asked about every item of a set, in one pass; and how good its answers are by the task's own measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.efficiency.modules import parse
from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Item, LabelItem, TagItem
from readproof.readers.exits.asking import answer_of
from readproof.readers.exits.config import ExitConfig
from readproof.readers.exits.deciding import Decision, HeadOutput, Policy, Watch, decide
from readproof.readers.exits.trace import chain, flops
from readproof.tasks.metrics.tagging import precision_recall_f1
from readproof.training.measure import EvalSet, autocast, each_of
from readproof.training.multi_exit.model import MultiExit, tabled
from readproof.training.multi_exit.sets import ExitBatch, UnitRows
from readproof.training.spans import answers, best_spans
from readproof.training.windows import by_length, collate

# What every head says of every item of a set: answers and entropies, few enough bytes to keep and to carry.
#
# From them any exit rule can be judged without the model: its answers, what they cost, how good they are. (A rule that
# stops single characters cannot: what a character is read as hangs on which others have stopped.)


Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HeadOutputs:
    """Units (rows that stop together) laid end to end.

    Unit u belongs to item `items[u]`, its rows have `rows[row_bounds[u]:row_bounds[u + 1]]` tokens, and what head e
    says of it is `answers[e, bounds[u]:bounds[u + 1]]`, with as many `doubts`. `logits` are those of labels and
    options (heads × units × outputs), else empty.
    """

    exits: tuple[int, ...]
    items: Numbers
    rows: Numbers
    row_bounds: Numbers
    bounds: Numbers
    answers: Numbers
    doubts: NDArray[np.float32]
    logits: NDArray[np.float16]

    def __len__(self) -> int:
        return len(self.items)

    def only(self, exits: Sequence[int]) -> HeadOutputs:
        """The same with some of the heads."""
        kept = [self.exits.index(layer) for layer in exits]
        logits = self.logits[kept] if self.logits.size else self.logits
        return replace(self, exits=tuple(exits), answers=self.answers[kept], doubts=self.doubts[kept], logits=logits)


@dataclass(frozen=True, slots=True)
class StoredUnit:
    """One unit of a table, in the place of a reader that would ask its heads."""

    said: HeadOutputs
    number: int
    scored: int

    @property
    def lengths(self) -> list[int]:
        first, last = self.said.row_bounds[self.number : self.number + 2]
        return [int(one) for one in self.said.rows[first:last]]

    def up(self, layer: int, active: Numbers | None = None) -> HeadOutput:
        if active is not None and len(active) < self.scored:
            raise InputError(found="tokens:…", expected="a reader: what was said before cannot tell")
        first, last = self.said.bounds[self.number : self.number + 2]
        at = self.said.exits.index(layer)
        return HeadOutput(self.said.answers[at, first:last], self.said.doubts[at, first:last])


def decided(said: HeadOutputs, config: ExitConfig, policy: Policy) -> list[Decision]:
    """Where each unit would stop, with what answer, at what cost."""
    config = replace(config, exits=said.exits)
    return [
        decide(StoredUnit(said, number, _scored(said, config, number)), config, policy) for number in range(len(said))
    ]


def answers_of(items: Sequence[Item], said: HeadOutputs, config: ExitConfig, policy: Policy) -> list[Answer]:
    """The answers under a rule, one an item."""
    found = decided(said, config, policy)
    grouped: list[list[int]] = [[] for _ in items]
    for unit, item in enumerate(said.items):
        grouped[item].append(unit)
    return [
        answer_of(item, [found[unit] for unit in units], config) for item, units in zip(items, grouped, strict=True)
    ]


def _scored(said: HeadOutputs, config: ExitConfig, number: int) -> int:
    if config.kind == "tags":
        return int(said.bounds[number + 1] - said.bounds[number])
    if config.kind == "choice" and config.together:
        return int(said.logits.shape[2])
    return 1


def save_said(path: Path, said: HeadOutputs) -> None:
    """As .npz: answers in as few bytes as they need, entropies in two."""
    most = int(said.answers.max(initial=0))
    small = np.uint8 if most < 256 else np.uint16 if most < 65536 else np.int64
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        np.savez_compressed(
            file,
            exits=np.asarray(said.exits),
            items=said.items.astype(np.int32),
            rows=said.rows.astype(np.uint16),
            row_bounds=said.row_bounds.astype(np.int32),
            bounds=said.bounds.astype(np.int32),
            answers=said.answers.astype(small),
            doubts=said.doubts.astype(np.float16),
            logits=said.logits,
        )
    part.replace(path)


def load_said(path: Path) -> HeadOutputs:
    with np.load(path) as found:
        whole = {name: found[name].astype(np.int64) for name in ("items", "rows", "row_bounds", "bounds", "answers")}
        exits = tuple(int(layer) for layer in found["exits"])
        return HeadOutputs(exits=exits, doubts=found["doubts"].astype(np.float32), logits=found["logits"], **whole)


def said_by(model: MultiExit, units: UnitRows, *, size: int = 128) -> HeadOutputs:
    """What the heads say of all units."""
    config, exits = model.config, model.config.exits
    counts = np.asarray([_asked_of(units, number) for number in range(len(units))], dtype=np.int64)
    bounds = np.concatenate(([0], np.cumsum(counts)))
    answers = np.zeros((len(exits), bounds[-1]), dtype=np.int64)
    doubts = np.zeros((len(exits), bounds[-1]), dtype=np.float32)
    outputs = max(len(one.places) * len(rows) for rows in units.rows for one in rows[:1]) if _is_choice(config) else 0
    wide = config.outputs if config.kind == "label" else outputs
    logits = np.zeros((len(exits), len(units), wide) if wide else (0,), dtype=np.float16)
    device = next(model.parameters()).device
    model.eval()
    with torch.inference_mode(), autocast(device):
        for index in units.in_order(size):
            batch = units.collate(index).to(device)
            for at, scores in enumerate(model(batch).values()):
                best, doubt, table = _spoken(scores, batch, config)
                for row, unit in enumerate(index):
                    place = slice(bounds[unit], bounds[unit + 1])
                    answers[at, place], doubts[at, place] = (one[row, : counts[unit]] for one in (best, doubt))
                if wide:
                    logits[at, index] = table[:, :wide]
    rows = np.asarray([len(row.ids) for these in units.rows for row in these], dtype=np.int64)
    row_bounds = np.concatenate(([0], np.cumsum([len(these) for these in units.rows])))
    return HeadOutputs(
        exits, np.asarray(units.items, dtype=np.int64), rows, row_bounds, bounds, answers, doubts, logits
    )


def _spoken(scores: Tensor, batch: ExitBatch, config: ExitConfig) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The best answer and the entropy of each thing asked (units × things), and the table of scores."""
    table = tabled(config.kind, scores, batch).float()
    logs = torch.log_softmax(table, dim=1)
    doubt = -(logs.exp() * logs).sum(dim=1)
    shape = (len(batch.units), -1)
    best, unsure = (one.view(*shape).cpu().numpy() for one in (table.argmax(dim=1), doubt))
    return best, unsure, table.cpu().numpy() if config.kind != "tags" else np.zeros(0)


def _asked_of(units: UnitRows, number: int) -> int:
    return len(units.targets[number]) if units.config.kind == "tags" else 1


def _is_choice(config: ExitConfig) -> bool:
    return config.kind == "choice"


def performance(task: str, items: Sequence[Item], answers: Sequence[Answer]) -> float:
    """The headline figure of a task, in percent: what its official metric says, without the intervals."""
    pairs = list(zip(items, answers, strict=True))
    if task == "ccpm":
        right = [answer.choice == item.answer for item, answer in pairs if isinstance(item, ChoiceItem)]
        return 100.0 * sum(right) / len(right)
    if task == "chnc":
        right = [answer.label == item.label for item, answer in pairs if isinstance(item, LabelItem)]
        return 100.0 * sum(right) / len(right)
    marks = [(set(item.marks or ()), set(answer.marks)) for item, answer in pairs if isinstance(item, TagItem)]
    counts = (sum(len(gold & said) for gold, said in marks), *(sum(len(pair[at]) for pair in marks) for at in (1, 0)))
    return precision_recall_f1(*map(float, counts))["f1"]


def cost(config: ExitConfig, answers: Sequence[Answer]) -> float:
    """FLOPs of an item, on average."""
    known: dict[str, int] = {}
    for one in answers:
        if one.modules and one.modules not in known:
            known[one.modules] = flops(config, parse(one.modules))
    return sum(known.get(one.modules, 0) for one in answers) / max(1, len(answers))


def by_exit(
    task: str, items: Sequence[Item], said: HeadOutputs, config: ExitConfig
) -> Mapping[int, tuple[float, float]]:
    """Performance and FLOPs of each exit alone."""
    found: dict[int, tuple[float, float]] = {}
    for layer in said.exits:
        answers = answers_of(items, said, config, Policy("layer", layer))
        found[layer] = performance(task, items, answers), cost(config, answers)
    return found


# Every head of a multi-exit span reader asked about every window, in one pass; and what its answers score.


@dataclass(frozen=True, slots=True)
class SpanOutputs:
    """By exit and window: the best span (first and last token of the window), its score, and the entropy."""

    exits: tuple[int, ...]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    scores: NDArray[np.float32]
    doubts: NDArray[np.float32]


def spans_said(model: MultiExit, prepared: EvalSet, *, size: int = 64) -> SpanOutputs:
    """What the heads say of all windows."""
    windows, exits = prepared.windows, model.config.exits
    shape = (len(exits), len(windows))
    firsts, lasts = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    scores, doubts = np.full(shape, -np.inf, np.float32), np.zeros(shape, np.float32)
    device = next(model.parameters()).device
    model.eval()
    with torch.inference_mode(), autocast(device):
        for index in by_length(windows, size):
            batch = collate(windows, index).to(device)
            for at, logs in enumerate(model(batch).values()):
                found = best_spans(logs, batch.valid, count=1)
                scores[at, index], firsts[at, index], lasts[at, index] = (one[:, 0].cpu().numpy() for one in found)
                inside = logs.masked_fill(~batch.valid[:, :, None], 0.0)
                entropy = -(torch.where(batch.valid[:, :, None], logs.exp(), 0.0) * inside).sum(dim=1).mean(dim=1)
                doubts[at, index] = entropy.cpu().numpy()
    return SpanOutputs(exits, firsts, lasts, scores, doubts)


def span_scores(
    prepared: EvalSet, said: SpanOutputs, config: ExitConfig, policy: Policy
) -> tuple[float, float, float, NDArray[np.int64]]:
    """EM and F1 (CMRC's own), FLOPs a question, and the exit of each window, under a rule."""
    windows = prepared.windows
    chosen, layers = np.zeros(len(windows), np.int64), np.zeros(len(windows), np.int64)
    total = 0
    asked = _asked(said.exits, policy)
    for window in range(len(windows)):
        watch = Watch(policy)
        tried: list[int] = []
        for at in asked:
            spoken = _head_output(said, at, window)
            tried.append(said.exits[at])
            chosen[window] = at
            if watch.enough(said.exits[at], spoken.answers.tobytes(), float(spoken.doubts[0])):
                break
        layers[window] = tried[-1]
        length = int(windows.lengths[window])
        total += flops(config, chain(config, length, length, tried))
    rows = np.arange(len(windows))
    firsts, lasts = (table[chosen, rows][:, None] for table in (said.firsts, said.lasts))
    found = answers(prepared.questions, windows, said.scores[chosen, rows][:, None], firsts, lasts)
    items = [question.item for question in prepared.questions]
    exact, f1, *_ = each_of(found, items, "cmrc").mean(axis=0) * 100
    return float(exact), float(f1), total / max(1, len(items)), layers


def _asked(exits: Sequence[int], policy: Policy) -> list[int]:
    if policy.rule == "last":
        return [len(exits) - 1]
    return [list(exits).index(int(policy.value))] if policy.rule == "layer" else list(range(len(exits)))


def _head_output(said: SpanOutputs, at: int, window: int) -> HeadOutput:
    span = np.asarray([said.firsts[at, window], said.lasts[at, window]])
    return HeadOutput(span, said.doubts[at, window : window + 1])


def save_spans(path: Path, said: SpanOutputs) -> None:
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            exits=np.asarray(said.exits),
            firsts=said.firsts.astype(np.uint16),
            lasts=said.lasts.astype(np.uint16),
            scores=said.scores.astype(np.float16),
            doubts=said.doubts.astype(np.float16),
        )


def load_spans(path: Path) -> SpanOutputs:
    with np.load(path) as found:
        firsts, lasts = (found[name].astype(np.int64) for name in ("firsts", "lasts"))
        scores, doubts = (found[name].astype(np.float32) for name in ("scores", "doubts"))
        return SpanOutputs(tuple(int(layer) for layer in found["exits"]), firsts, lasts, scores, doubts)
