"""Readers of labels, options and tags that may stop early; one that reads spans is in `spanreader`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from readproof.errors import InputError
from readproof.items import Answer, Item, TagItem
from readproof.readers.base import LABELS, OPTIONS, TAGS, Options, Reader, need
from readproof.readers.card import FILE as CARD
from readproof.readers.card import Card, read_card
from readproof.readers.exits.answering import answer_of
from readproof.readers.exits.asking import Asking
from readproof.readers.exits.deciding import decide
from readproof.readers.exits.manner import FILE, ExitManner, read_manner
from readproof.readers.exits.modelfile import model_file
from readproof.readers.exits.policy import check_policy, parse_policy
from readproof.readers.exits.stages import Climbers, Stages, stage_name
from readproof.readers.spans import Floats
from readproof.readers.vocabulary import LETTERS, read

_CAPABILITIES = {"label": LABELS, "choice": OPTIONS, "tags": TAGS}


def open_exits(folder: Path, options: Options) -> Reader:
    """The reader of a folder with exits.json."""
    manner = read_manner(folder)
    if not (folder / "vocab.txt").is_file():
        expected = "vocab.txt beside the stages"
        raise InputError(file=folder, found="no vocab.txt", expected=expected, do="Give the reader's whole folder.")
    if manner.kind == "spans":
        from readproof.readers.exits.spanreader import ExitSpanReader

        return ExitSpanReader(folder, options, manner)
    return ExitReader(folder, options, manner)


class ExitReader:
    """A reader of labels, options or tags. Nothing heavy is loaded before the first question."""

    def __init__(self, folder: Path, options: Options, manner: ExitManner) -> None:
        self.folder = folder
        self.manner = manner
        self.options = options
        self.card: Card = read_card(folder)
        self.policy = parse_policy(options.exit)
        check_policy(self.policy, manner.kind, manner.exits)
        self.capabilities = frozenset({_CAPABILITIES[manner.kind]})

    @property
    def name(self) -> str:
        return self.card.name

    @cached_property
    def fingerprint(self) -> str:
        return folder_print(self.folder, self.manner, str(self.policy))

    @cached_property
    def _stages(self) -> Stages:
        return Stages(self.folder, self.manner, self.options.threads)

    @cached_property
    def _asking(self) -> Asking:
        return Asking(read(self.folder), self.manner)

    def model_file(self) -> str:
        """model_to_eval.py: the modules that the answers name."""
        return model_file(self.manner)

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        return [self._answer(item) for item in items]

    def _answer(self, item: Item) -> Answer:
        rows = self._asking.rows(item)
        units = (
            [Climbers(self._stages, [row]) for row in rows]
            if isinstance(item, TagItem)
            else [Climbers(self._stages, rows)]
        )
        found = [decide(unit, self.manner, self.policy) for unit in units]
        answer = answer_of(item, found, self.manner)
        if isinstance(item, TagItem):
            return answer
        scores = np.concatenate([part.reshape(-1) for part in units[0].scores])
        share = _share(scores, int(found[0].answers[0]))
        return replace(answer, scores=tuple(float(score) for score in scores), confidence=share)


def folder_print(folder: Path, manner: ExitManner, policy: str) -> str:
    """What changes whenever the answers might."""
    digest = hashlib.sha256(f"exit={policy}\0".encode())
    for name in (*map(stage_name, range(len(manner.exits) + 1)), FILE, CARD, "vocab.txt", "borrowed.tsv", LETTERS):
        if (folder / name).is_file():
            digest.update(name.encode())
            digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def _share(scores: Floats, best: int) -> float:
    shares = np.exp(scores - scores.max())
    return float(shares[best] / shares.sum())
