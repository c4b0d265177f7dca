"""Questions answered by a reader that is being trained, as it will answer them once it is exported.

`measure` scores both forms of a statement as training cuts them. A reader at work looks at the likeliest segments alone
and lets the coarse pass have a say in the fine one's sentences; so its letters are found by `OptionReading` itself. It
is asked again and again, each time with the verdicts known so far, and what it lacks is read in large batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from tokenizers import Tokenizer

from readproof.items import Answer, ChoiceItem
from readproof.readers.options import OptionReading, OptionReadingConfig
from readproof.readers.vocabulary import CLS, SEP, special_row
from readproof.text import encodable
from readproof.training.measure import autocast
from readproof.training.options.measure import windows_by_length
from readproof.training.options.model import OptionReader
from readproof.training.options.records import Group
from readproof.training.options.windows import GroupView, OptionWindows, collate

# a statement and a piece of its passage
Pair = tuple[str, str]


class _Known:
    """Verdicts that are known; of others it is noted that they are wanted."""

    def __init__(self) -> None:
        self.found: dict[Pair, tuple[float, float]] = {}
        self.wanted: dict[Pair, None] = {}

    def verdict(self, statement: str, piece: str) -> tuple[float, float]:
        pair = statement, piece
        if pair not in self.found:
            self.wanted[pair] = None
        return self.found.get(pair, (0.0, 0.0))


def option_answers(
    reader: OptionReader,
    items: Sequence[ChoiceItem],
    tokenizer: Tokenizer,
    manner: OptionReadingConfig,
    *,
    size: int = 65_536,
) -> list[Answer]:
    """One answer an item, in order; `size` is how many tokens are read at a time."""
    model = _Known()
    # what the fine pass reads hangs on what the coarse one said
    coarse = [replace(manner, fine_share=0.0)] if manner.fine_share < 1 or manner.liking > 0 else []
    for one in (*coarse, manner):
        reading = OptionReading(model, one)
        for item in items:
            reading.judge(item)
        pairs = list(model.wanted)
        said = verdicts(reader, pairs, tokenizer, manner, size=size)
        model.found.update(zip(pairs, said, strict=True))
        model.wanted.clear()
    reading = OptionReading(model, manner)
    return [reading.judge(item).answer for item in items]


def verdicts(
    reader: OptionReader, pairs: Sequence[Pair], tokenizer: Tokenizer, manner: OptionReadingConfig, *, size: int
) -> list[tuple[float, float]]:
    """Truth and relevance of each pair."""
    windows = _windows(pairs, tokenizer, manner)
    device = next(reader.parameters()).device
    out: list[tuple[float, float]] = [(0.0, 0.0)] * len(pairs)
    with torch.inference_mode(), autocast(device):
        for batch in windows_by_length(windows, windows.fine, size):
            logits, rated = reader.eval()(collate(windows, batch).to(device))
            said = torch.stack((logits.float(), rated[:, 0].float()), dim=1).cpu().tolist()
            for view, (truth, relevance) in zip(batch, said, strict=True):
                out[view.group] = truth, relevance
    return out


def _windows(pairs: Sequence[Pair], tokenizer: Tokenizer, manner: OptionReadingConfig) -> OptionWindows:
    """Every pair as a group of one statement with one window."""
    cls, sep = (special_row(tokenizer, token) for token in (CLS, SEP))
    texts = sorted({text for pair in pairs for text in pair})
    encoded = tokenizer.encode_batch([encodable(text) for text in texts], add_special_tokens=False)
    ids = {text: one.ids for text, one in zip(texts, encoded, strict=True)}
    made = OptionWindows([])
    for number, (statement, piece) in enumerate(pairs):
        head = ids[statement][: manner.statement]
        body = ids[piece][: manner.max_tokens - len(head) - 3]
        made.groups.append(Group(id=f"{number}", passage=piece, statements=(statement,), labels=(0,)))
        made.tokens.append(np.asarray([cls, *head, sep, *body, sep], dtype=np.int32))
        made.heads.append(len(head) + 2)
        made.fine.append(GroupView(number, [[number]], [-1]))
        made.coarse.append(None)
    return made
