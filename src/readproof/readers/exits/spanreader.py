"""A span reader that may stop early: each window goes up until its best first and last token are sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from readproof.efficiency.modules import Trace, written
from readproof.items import Answer, Item, SpanItem
from readproof.lang.forms import FORM_VERSION
from readproof.readers.base import Options, need
from readproof.readers.card import Card, read_card
from readproof.readers.exits.asking import Row
from readproof.readers.exits.deciding import Numbers, Spoken, decide, spoken_of
from readproof.readers.exits.manner import ExitManner
from readproof.readers.exits.modelfile import model_file
from readproof.readers.exits.policy import Policy, check_policy, parse_policy
from readproof.readers.exits.reader import folder_print
from readproof.readers.exits.stages import Climbing, Stages
from readproof.readers.reading import Reading, ReadsSpans, card_manner
from readproof.readers.spans import Floats
from readproof.readers.tokens import Ints, Passage, placed
from readproof.readers.vocabulary import CLS, SEP, read
from readproof.text import Text, encodable


class ExitSpanReader(ReadsSpans):
    """Reads as the embedded reader does, window by window; its answers say how high the highest window went."""

    sanitises = True

    def __init__(self, folder: Path, options: Options, manner: ExitManner) -> None:
        self.folder = folder
        self.options = options
        self.manner = manner
        self.card: Card = read_card(folder)
        self.name = self.card.name
        self.policy = parse_policy(options.exit)
        check_policy(self.policy, manner.kind, manner.exits)

    @cached_property
    def fingerprint(self) -> str:
        said = f"{self.policy} no_answer={self.options.no_answer} form={FORM_VERSION}"
        return folder_print(self.folder, self.manner, said)

    @cached_property
    def model(self) -> ExitSpanModel:
        return ExitSpanModel(self.folder, self.manner, self.policy, self.options.threads)

    @cached_property
    def reading(self) -> Reading:
        return Reading(self.model, card_manner(self.card, no_answer=self.options.no_answer))

    def model_file(self) -> str:
        """model_to_eval.py: the modules that the answers name."""
        return model_file(self.manner)

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order, with the exit of its highest window and the modules of all."""
        for item in items:
            need(self, item)
        return [self.best(item, 1)[0] for item in items if isinstance(item, SpanItem)]

    def best(self, item: SpanItem, count: int) -> list[Answer]:
        self.model.begin()
        found = super().best(item, count)
        layer, modules = self.model.passed()
        return [replace(answer, exit=layer, modules=written(modules)) for answer in found]


class ExitSpanModel:
    """[CLS] question [SEP] passage [SEP] in; the scores of the exit at which the policy had enough."""

    frame = 3

    def __init__(self, folder: Path, manner: ExitManner, policy: Policy, threads: int) -> None:
        vocabulary = read(folder)
        ids = vocabulary.ids()
        self._tokenizer = vocabulary.tokenizer()
        self._cls, self._sep = ids[CLS], ids[SEP]
        self._stages = Stages(folder, manner, threads)
        self._policy = policy
        self._layers: list[int] = []
        self._modules: Trace = ()

    def begin(self) -> None:
        """A new question: forget what the one before passed."""
        self._layers, self._modules = [], ()

    def passed(self) -> tuple[int | None, Trace]:
        """The highest exit, and the modules of all windows since `begin`."""
        return max(self._layers, default=None), self._modules

    def encode(self, text: Text, start: int, end: int) -> Passage:
        piece = encodable(text.clean[start:end])
        return placed(text, self._tokenizer.encode(piece, add_special_tokens=False), start)

    def encode_question(self, text: str) -> Ints:
        return np.asarray(self._tokenizer.encode(encodable(text), add_special_tokens=False).ids, dtype=np.int32)

    def scores(self, question: Ints, passage: Ints) -> tuple[Floats, Floats]:
        head = len(question) + 2
        ids = np.concatenate(([self._cls], question, [self._sep], passage, [self._sep])).astype(np.int32)
        unit = _Window(self._stages, Row(ids, head, np.arange(len(ids), dtype=np.int32)))
        found = decide(unit, self._stages.manner, self._policy)
        self._layers.append(found.layer)
        self._modules += found.modules
        return unit.kept[:, 0], unit.kept[:, 1]


class _Window:
    """A window on its way up; `kept` are the last scores of [CLS] and of the passage's tokens."""

    def __init__(self, stages: Stages, row: Row) -> None:
        self._climbing = Climbing(stages, row)
        self._row = row
        self.kept: Floats = np.zeros((0, 2), np.float32)

    @property
    def lengths(self) -> list[int]:
        return [len(self._row.ids)]

    @property
    def scored(self) -> int:
        return len(self._row.ids)

    def up(self, layer: int, active: Numbers | None = None) -> Spoken:
        scores = self._climbing.up(layer, active)
        self.kept = np.concatenate((scores[:1], scores[self._row.second : -1]))
        return spoken_of("spans", [self.kept])
