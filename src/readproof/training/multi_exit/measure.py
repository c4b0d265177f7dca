"""Every head asked about every item of a set, in one pass; and how good its answers are by the task's own measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from readproof.efficiency.modules import parse
from readproof.items import Answer, ChoiceItem, Item, LabelItem, TagItem
from readproof.readers.exits.manner import ExitManner
from readproof.readers.exits.policy import Policy
from readproof.readers.exits.trace import flops
from readproof.tasks.metrics.tagging import precision_recall_f1
from readproof.training.measure import autocast
from readproof.training.multi_exit.losses import tabled
from readproof.training.multi_exit.model import MultiExit
from readproof.training.multi_exit.rows import Asked, ExitBatch
from readproof.training.multi_exit.said import Said, answers_of


def said_by(model: MultiExit, units: Asked, *, size: int = 128) -> Said:
    """What the heads say of all units."""
    manner, exits = model.manner, model.manner.exits
    counts = np.asarray([_asked_of(units, number) for number in range(len(units))], dtype=np.int64)
    bounds = np.concatenate(([0], np.cumsum(counts)))
    answers = np.zeros((len(exits), bounds[-1]), dtype=np.int64)
    doubts = np.zeros((len(exits), bounds[-1]), dtype=np.float32)
    outputs = max(len(one.places) * len(rows) for rows in units.rows for one in rows[:1]) if _is_choice(manner) else 0
    wide = manner.outputs if manner.kind == "label" else outputs
    logits = np.zeros((len(exits), len(units), wide) if wide else (0,), dtype=np.float16)
    device = next(model.parameters()).device
    model.eval()
    with torch.inference_mode(), autocast(device):
        for index in units.in_order(size):
            batch = units.collate(index).to(device)
            for at, scores in enumerate(model(batch).values()):
                best, doubt, table = _spoken(scores, batch, manner)
                for row, unit in enumerate(index):
                    place = slice(bounds[unit], bounds[unit + 1])
                    answers[at, place], doubts[at, place] = (one[row, : counts[unit]] for one in (best, doubt))
                if wide:
                    logits[at, index] = table[:, :wide]
    rows = np.asarray([len(row.ids) for these in units.rows for row in these], dtype=np.int64)
    row_bounds = np.concatenate(([0], np.cumsum([len(these) for these in units.rows])))
    return Said(exits, np.asarray(units.items, dtype=np.int64), rows, row_bounds, bounds, answers, doubts, logits)


def _spoken(scores: Tensor, batch: ExitBatch, manner: ExitManner) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The best answer and the entropy of each thing asked (units × things), and the table of scores."""
    table = tabled(manner.kind, scores, batch).float()
    logs = torch.log_softmax(table, dim=1)
    doubt = -(logs.exp() * logs).sum(dim=1)
    shape = (len(batch.units), -1)
    best, unsure = (one.view(*shape).cpu().numpy() for one in (table.argmax(dim=1), doubt))
    return best, unsure, table.cpu().numpy() if manner.kind != "tags" else np.zeros(0)


def _asked_of(units: Asked, number: int) -> int:
    return len(units.targets[number]) if units.manner.kind == "tags" else 1


def _is_choice(manner: ExitManner) -> bool:
    return manner.kind == "choice"


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


def cost(manner: ExitManner, answers: Sequence[Answer]) -> float:
    """FLOPs of an item, on average."""
    known: dict[str, int] = {}
    for one in answers:
        if one.modules and one.modules not in known:
            known[one.modules] = flops(manner, parse(one.modules))
    return sum(known.get(one.modules, 0) for one in answers) / max(1, len(answers))


def by_exit(task: str, items: Sequence[Item], said: Said, manner: ExitManner) -> Mapping[int, tuple[float, float]]:
    """Performance and FLOPs of each exit alone."""
    found: dict[int, tuple[float, float]] = {}
    for layer in said.exits:
        answers = answers_of(items, said, manner, Policy("layer", layer))
        found[layer] = performance(task, items, answers), cost(manner, answers)
    return found
