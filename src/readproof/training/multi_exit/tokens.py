"""Characters that stop one by one, many rows at a time: what a reader with `tokens:0.2` says, computed in batches.

Every token is worked out in every layer here and those that have stopped are put back as they were, which gives the
same answers; what a reader would have saved is told by the layers at which they stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from readproof.items import Answer, Item
from readproof.readers.exits.answering import answer_of
from readproof.readers.exits.deciding import Decision
from readproof.readers.exits.trace import token_chain
from readproof.training.measure import autocast
from readproof.training.multi_exit.model import MultiExit
from readproof.training.multi_exit.rows import Asked

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TokensSaid:
    """Of every character of every unit, laid end to end: its tag, and the number of the exit at which it stopped."""

    answers: Numbers
    stopped: Numbers


def said_by_tokens(model: MultiExit, units: Asked, threshold: float, *, size: int = 128) -> TokensSaid:
    """What a reader says whose characters stop when their tag has less entropy than the threshold."""
    counts = np.asarray([len(one) for one in units.targets], dtype=np.int64)
    bounds = np.concatenate(([0], np.cumsum(counts)))
    answers, stopped = np.zeros(bounds[-1], np.int64), np.zeros(bounds[-1], np.int64)
    device = next(model.parameters()).device
    model.eval()
    with torch.inference_mode(), autocast(device):
        for index in units.in_order(size):
            batch = units.collate(index).to(device)
            hidden = model.bert.embeddings(batch.ids, batch.types)
            if model.bert.embeddings_project is not None:
                hidden = model.bert.embeddings_project(hidden)
            mask = batch.mask[:, None, None, :]
            places = batch.places.clamp_min(0)
            going = batch.places >= 0
            best, exits = torch.zeros_like(places), torch.zeros_like(places)
            above = 0
            for number, layer in enumerate(model.bert.encoder.layer, 1):
                new, _ = layer(hidden, mask)
                # [CLS] and [SEP] go on; so do the rest, but for characters that have stopped
                still = torch.ones_like(batch.mask).scatter(1, places, going | (batch.places < 0))
                still[:, 0] = True
                hidden = torch.where(still[:, :, None], new, hidden)
                if str(number) not in model.exits:
                    continue
                seen = hidden.gather(1, places[:, :, None].expand(-1, -1, hidden.shape[2]))
                with torch.autocast(device.type, enabled=False):
                    logs = torch.log_softmax(model.exits[str(number)](seen.float()), dim=2)
                best = torch.where(going, logs.argmax(dim=2), best)
                exits = torch.where(going, above, exits)
                going = going & (-(logs.exp() * logs).sum(dim=2) >= threshold)
                above += 1
            said, when = best.cpu().numpy(), exits.cpu().numpy()
            for row, unit in enumerate(index):
                place = slice(bounds[unit], bounds[unit + 1])
                answers[place], stopped[place] = said[row, : counts[unit]], when[row, : counts[unit]]
    return TokensSaid(answers, stopped)


def token_answers(items: Sequence[Item], units: Asked, said: TokensSaid) -> list[Answer]:
    """The answers, with the modules that a reader would have passed."""
    manner = units.manner
    grouped: list[list[Decision]] = [[] for _ in items]
    at = 0
    for rows, item, right in zip(units.rows, units.items, units.targets, strict=True):
        place = slice(at, at + len(right))
        at += len(right)
        when = said.stopped[place]
        last = int(when.max(initial=0))
        going = [int((when >= number).sum()) for number in range(last + 1)]
        length = len(rows[0].ids)
        modules = token_chain(manner, length, length - len(right), going)
        nothing = np.zeros(len(right), np.float32)
        grouped[item].append(Decision(manner.exits[last], said.answers[place], nothing, modules))
    return [answer_of(item, found, manner) for item, found in zip(items, grouped, strict=True)]
