"""Readers of labels, options and tags that may stop early; one that reads spans is in `spanreader`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from readproof.efficiency.modules import Trace, written
from readproof.errors import InputError
from readproof.items import Answer, Item, SpanItem, TagItem
from readproof.lang.forms import FORM_VERSION
from readproof.readers.api import LABELS, OPTIONS, TAGS, Reader, ReaderOptions, need
from readproof.readers.card import FILE as CARD
from readproof.readers.card import ReaderCard, read_card
from readproof.readers.exits.asking import Asking, TokenRow, answer_of
from readproof.readers.exits.config import FILE, ExitConfig, read_manner
from readproof.readers.exits.deciding import HeadOutput, Numbers, Policy, check_policy, decide, parse_policy, spoken_of
from readproof.readers.exits.modelfile import model_file
from readproof.readers.exits.stages import PendingRow, PendingRows, Stages, stage_name
from readproof.readers.reading import Reading, ReadsSpans, card_manner
from readproof.readers.spans import Floats
from readproof.readers.tokens import Ints, Passage, placed
from readproof.readers.vocabulary import CLS, LETTERS, SEP, read
from readproof.text import Text, encodable

_CAPABILITIES = {"label": LABELS, "choice": OPTIONS, "tags": TAGS}


def open_exits(folder: Path, options: ReaderOptions) -> Reader:
    """The reader of a folder with exits.json."""
    config = read_manner(folder)
    if not (folder / "vocab.txt").is_file():
        expected = "vocab.txt beside the stages"
        raise InputError(file=folder, found="no vocab.txt", expected=expected, do="Give the reader's whole folder.")
    if config.kind == "spans":
        return ExitSpanReader(folder, options, config)
    return ExitReader(folder, options, config)


class ExitReader:
    """A reader of labels, options or tags. Nothing heavy is loaded before the first question."""

    def __init__(self, folder: Path, options: ReaderOptions, config: ExitConfig) -> None:
        self.folder = folder
        self.config = config
        self.options = options
        self.card: ReaderCard = read_card(folder)
        self.policy = parse_policy(options.exit)
        check_policy(self.policy, config.kind, config.exits)
        self.capabilities = frozenset({_CAPABILITIES[config.kind]})

    @property
    def name(self) -> str:
        return self.card.name

    @cached_property
    def fingerprint(self) -> str:
        return folder_print(self.folder, self.config, str(self.policy))

    @cached_property
    def _stages(self) -> Stages:
        return Stages(self.folder, self.config, self.options.threads)

    @cached_property
    def _asking(self) -> Asking:
        return Asking(read(self.folder), self.config)

    def model_file(self) -> str:
        """model_to_eval.py: the modules that the answers name."""
        return model_file(self.config)

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        return [self._answer(item) for item in items]

    def _answer(self, item: Item) -> Answer:
        rows = self._asking.rows(item)
        units = (
            [PendingRows(self._stages, [row]) for row in rows]
            if isinstance(item, TagItem)
            else [PendingRows(self._stages, rows)]
        )
        found = [decide(unit, self.config, self.policy) for unit in units]
        answer = answer_of(item, found, self.config)
        if isinstance(item, TagItem):
            return answer
        scores = np.concatenate([part.reshape(-1) for part in units[0].scores])
        share = _share(scores, int(found[0].answers[0]))
        return replace(answer, scores=tuple(float(score) for score in scores), confidence=share)


def folder_print(folder: Path, config: ExitConfig, policy: str) -> str:
    """What changes whenever the answers might."""
    digest = hashlib.sha256(f"exit={policy}\0".encode())
    for name in (*map(stage_name, range(len(config.exits) + 1)), FILE, CARD, "vocab.txt", "borrowed.tsv", LETTERS):
        if (folder / name).is_file():
            digest.update(name.encode())
            digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def _share(scores: Floats, best: int) -> float:
    shares = np.exp(scores - scores.max())
    return float(shares[best] / shares.sum())


# A span reader that may stop early: each window goes up until its best first and last token are sure.


class ExitSpanReader(ReadsSpans):
    """Reads as the embedded reader does, window by window; its answers say how high the highest window went."""

    sanitises = True

    def __init__(self, folder: Path, options: ReaderOptions, config: ExitConfig) -> None:
        self.folder = folder
        self.options = options
        self.config = config
        self.card: ReaderCard = read_card(folder)
        self.name = self.card.name
        self.policy = parse_policy(options.exit)
        check_policy(self.policy, config.kind, config.exits)

    @cached_property
    def fingerprint(self) -> str:
        said = f"{self.policy} no_answer={self.options.no_answer} form={FORM_VERSION}"
        return folder_print(self.folder, self.config, said)

    @cached_property
    def model(self) -> ExitSpanModel:
        return ExitSpanModel(self.folder, self.config, self.policy, self.options.threads)

    @cached_property
    def reading(self) -> Reading:
        return Reading(self.model, card_manner(self.card, no_answer=self.options.no_answer))

    def model_file(self) -> str:
        """model_to_eval.py: the modules that the answers name."""
        return model_file(self.config)

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

    def __init__(self, folder: Path, config: ExitConfig, policy: Policy, threads: int) -> None:
        vocabulary = read(folder)
        ids = vocabulary.ids()
        self._tokenizer = vocabulary.tokenizer()
        self._cls, self._sep = ids[CLS], ids[SEP]
        self._stages = Stages(folder, config, threads)
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
        unit = _Window(self._stages, TokenRow(ids, head, np.arange(len(ids), dtype=np.int32)))
        found = decide(unit, self._stages.config, self._policy)
        self._layers.append(found.layer)
        self._modules += found.modules
        return unit.kept[:, 0], unit.kept[:, 1]


class _Window:
    """A window on its way up; `kept` are the last scores of [CLS] and of the passage's tokens."""

    def __init__(self, stages: Stages, row: TokenRow) -> None:
        self._climbing = PendingRow(stages, row)
        self._row = row
        self.kept: Floats = np.zeros((0, 2), np.float32)

    @property
    def lengths(self) -> list[int]:
        return [len(self._row.ids)]

    @property
    def scored(self) -> int:
        return len(self._row.ids)

    def up(self, layer: int, active: Numbers | None = None) -> HeadOutput:
        scores = self._climbing.up(layer, active)
        self.kept = np.concatenate((scores[:1], scores[self._row.second : -1]))
        return spoken_of("spans", [self.kept])
