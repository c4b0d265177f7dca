"""The reader inside the package, and any other ONNX folder like it: onnxruntime and tokenizers, nothing else.

One window a call and no padding: int8 layers scale their activations by the whole tensor they are given, so that in a
batch an answer would hang on its neighbours; and on a few cores a batch is no faster. With options.npz beside its
weights a folder also reads questions with options (see `adapter` and `options`). A folder with changes.npz has no graph
of its own: it reads with that of the shipped reader its card names, changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from readproof.engine.base import cores
from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Item
from readproof.lang.forms import FORM_VERSION
from readproof.readers.adapter import CHANGES, WORDS, adapted
from readproof.readers.adapter import FILE as ADAPTER
from readproof.readers.api import OPTIONS, ReaderOptions, need
from readproof.readers.card import FILE as CARD
from readproof.readers.card import ReaderCard, read_card, shipped_folder
from readproof.readers.cls_only_graph import first_only
from readproof.readers.options import JudgedOptions, OptionReading, OptionReadingConfig, manner_of
from readproof.readers.reading import Reading, ReadsSpans, card_manner
from readproof.readers.spans import Floats
from readproof.readers.tokens import Ints, Passage, placed
from readproof.readers.vocabulary import CLS, LETTERS, SCORES, SEP, read
from readproof.text import Text, encodable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# windows whose scores are kept: what an attack changed is often the same once it is clean, and a long passage is mostly
# left as it was
_WINDOWS = 1024
# windows of this length are taken on trust: nearly every BERT has positions for them
_USUAL = 512
MODEL = "model.onnx"
FILES = (MODEL, CHANGES, "vocab.txt", "borrowed.tsv", LETTERS, SCORES, "reader.json", ADAPTER)


def open_folder(folder: Path, options: ReaderOptions) -> EmbeddedReader:
    """The reader of a folder with model.onnx, vocab.txt and, if it has them, borrowed.tsv, letters.tsv, reader.json."""
    weights = CHANGES if (folder / CHANGES).is_file() else MODEL
    for name in (weights, "vocab.txt"):
        if not (folder / name).is_file():
            expected = "model.onnx and vocab.txt"
            raise InputError(file=folder, found=f"no {name}", expected=expected, do="Give the reader's whole folder.")
    return EmbeddedReader(folder, options)


class EmbeddedReader(ReadsSpans):
    """A reader out of an ONNX folder. Nothing heavy is loaded before the first question."""

    sanitises = True

    def __init__(self, folder: Path, options: ReaderOptions) -> None:
        self.folder = folder
        self.options = options
        self.card: ReaderCard = read_card(folder)
        self.name = self.card.name
        if self.card.kind == OPTIONS:
            self.capabilities = frozenset({OPTIONS})
        elif (folder / ADAPTER).is_file() and (folder / MODEL).is_file():
            self.capabilities = self.capabilities | {OPTIONS}

    @cached_property
    def fingerprint(self) -> str:
        digest = hashlib.sha256(f"no_answer={self.options.no_answer}\0form={FORM_VERSION}".encode())
        for name in FILES:
            if (self.folder / name).is_file():
                digest.update(name.encode())
                digest.update((self.folder / name).read_bytes())
        if self.card.onto:
            digest.update(graph_of(self.folder, self.card).read_bytes())
        return digest.hexdigest()

    @cached_property
    def reading(self) -> Reading:
        card = self.card
        config = card_manner(card, no_answer=self.options.no_answer)
        model = OnnxModel(self.folder, self.options.threads, graph_of(self.folder, card))
        if card.max_tokens > _USUAL:
            model.probe(card.max_tokens)
        return Reading(model, config)

    @cached_property
    def option_reading(self) -> OptionReading:
        config = manner_of(self.card.options, self.folder / CARD)
        return OptionReading(AdaptedModel(self.folder, self.options.threads, config), config)

    def judge(self, item: ChoiceItem) -> JudgedOptions:
        """A question with options: the answer, and what each option was judged by."""
        need(self, item)
        return self.option_reading.judge(item)

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        return [
            self.option_reading.judge(item).answer
            if isinstance(item, ChoiceItem)
            else super(EmbeddedReader, self).answer([item])[0]
            for item in items
        ]


def graph_of(folder: Path, card: ReaderCard) -> Path:
    """The graph a folder reads with: its own, or that of the shipped reader which its changes are changes to."""
    if not (folder / CHANGES).is_file():
        return folder / MODEL
    lender = shipped_folder(card.onto)
    if not card.onto or not (lender / CARD).is_file() or (lender / CHANGES).is_file():
        expected = "the name of a shipped reader with a graph of its own"
        raise InputError(file=folder / CARD, place="onto", found=repr(card.onto), expected=expected)
    graph = lender / MODEL
    if not graph.is_file() or (card.onto_hash and hashlib.sha256(graph.read_bytes()).hexdigest() != card.onto_hash):
        found = f"changes to another {card.onto!r} than the one installed"
        do = "Install the version of readproof that it was made with, or export it again."
        raise InputError(file=folder / CHANGES, found=found, expected=f"changes to {card.onto}/{MODEL}", do=do)
    return graph


class OnnxModel:
    """model.onnx with its tokenizer: [CLS] question [SEP] passage [SEP] in, first and last scores out."""

    frame = 3

    def __init__(self, folder: Path, threads: int, graph: Path) -> None:
        self._graph = graph
        vocabulary = read(folder)
        ids = vocabulary.ids()
        if missing := [token for token in (CLS, SEP) if token not in ids]:
            raise InputError(file=folder / "vocab.txt", found=f"no {missing[0]}", expected="the vocabulary of a BERT")
        self._tokenizer: Tokenizer = vocabulary.tokenizer()
        self._cls, self._sep = ids[CLS], ids[SEP]
        changes = folder / CHANGES
        # a session only borrows the weights it is given: they must live as long as it does
        changed = adapted(graph, changes) if changes.is_file() else {}
        if WORDS in changed and len(changed[WORDS]) != len(vocabulary):
            found, expected = f"{len(vocabulary)} tokens", f"{len(changed[WORDS])}, as {CHANGES} has word vectors"
            raise InputError(file=folder / "vocab.txt", found=found, expected=expected)
        self._weights = _lent(changed)
        self._session = session(graph, threads, self._weights)
        self._recent = lru_cache(maxsize=_WINDOWS)(self._read_window)

    def encode(self, text: Text, start: int, end: int) -> Passage:
        piece = encodable(text.clean[start:end])
        return placed(text, self._tokenizer.encode(piece, add_special_tokens=False), start)

    def encode_question(self, text: str) -> Ints:
        return np.asarray(self._tokenizer.encode(encodable(text), add_special_tokens=False).ids, dtype=np.int32)

    def scores(self, question: Ints, passage: Ints) -> tuple[Floats, Floats]:
        ids = np.concatenate(([self._cls], question, [self._sep], passage, [self._sep])).astype(np.int64)
        return self._recent(ids.tobytes(), len(question) + 2)

    def _read_window(self, window: bytes, head: int) -> tuple[Floats, Floats]:
        ids = np.frombuffer(window, dtype=np.int64)
        types = (np.arange(len(ids)) >= head).astype(np.int64)
        first, last = self._run({"ids": ids[None], "types": types[None]})
        return _kept(first[0], head), _kept(last[0], head)

    def probe(self, length: int) -> None:
        """Read a window of that length, so that one which is too long for the model shows before the first answer."""
        ids = np.full((1, length), self._sep, dtype=np.int64)
        self._run({"ids": ids, "types": np.zeros_like(ids)})

    def _run(self, window: dict[str, Any]) -> Any:
        try:
            return self._session.run(["first", "last"], window)
        except Exception as error:
            # the graph does not say how many positions it has; a window beyond them fails inside it
            why = str(error).rpartition("Status Message: ")[2].strip()[:200]
            raise InputError(
                file=self._graph,
                found=f"a model that cannot read a window of {window['ids'].size} tokens ({why})",
                expected="max_tokens in reader.json that the model has positions for",
                do="Set max_tokens in reader.json to the model's positions, often 512.",
            ) from None


class AdaptedModel:
    """model.onnx, as options.npz changes it: [CLS] statement [SEP] piece [SEP] in, truth and relevance out of [CLS].

    A model that was trained for options alone has no options.npz beside it.
    """

    def __init__(self, folder: Path, threads: int, config: OptionReadingConfig) -> None:
        vocabulary = read(folder)
        ids = vocabulary.ids()
        self._tokenizer: Tokenizer = vocabulary.tokenizer()
        self._cls, self._sep = ids[CLS], ids[SEP]
        self._manner = config
        # a session only borrows the weights it is given: they must live as long as it does
        model = folder / MODEL
        changed = adapted(model, folder / ADAPTER) if (folder / ADAPTER).is_file() else {}
        self._weights = _lent(changed)
        self._session = session(
            model, threads, self._weights, first_only(model.read_bytes()) if model.is_file() else None
        )

    def verdict(self, statement: str, piece: str) -> tuple[float, float]:
        said, body = (
            one.ids
            for one in self._tokenizer.encode_batch([encodable(statement), encodable(piece)], add_special_tokens=False)
        )
        said = said[: self._manner.statement]
        body = body[: self._manner.max_tokens - len(said) - 3]
        ids = np.asarray([[self._cls, *said, self._sep, *body, self._sep]], dtype=np.int64)
        types = (np.arange(ids.shape[1]) >= len(said) + 2).astype(np.int64)[None]
        truth, relevance = self._session.run(["first", "last"], {"ids": ids, "types": types})
        return float(truth[0, 0]), float(relevance[0, 0])


def _kept(scores: Floats, head: int) -> Floats:
    """[CLS] and the passage's tokens."""
    return np.concatenate((scores[:1], scores[head:-1]))


def session(
    path: Path,
    threads: int,
    changed: Mapping[str, Any] | None = None,
    model: bytes | None = None,
    *,
    takes: Sequence[str] = ("ids", "types"),
    gives: Sequence[str] = ("first", "last"),
) -> Any:
    """An onnxruntime session for windows of any length, one at a time.

    `changed` weights take the place of its own, and `model`, where it is given, that of the file; what it takes and
    gives is checked by name.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or cores()
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    # a pattern is kept for every length of input: memory that grows with use, and saves nothing here
    options.enable_mem_pattern = False
    # threads that spin while they wait: 78 ms a question instead of 95 on two free cores
    options.add_session_config_entry("session.intra_op.allow_spinning", "1")
    # what goes wrong is raised and told by us; onnxruntime would print it besides
    options.log_severity_level = 4
    for name, weight in (changed or {}).items():
        options.add_initializer(name, weight)
    try:
        made = onnxruntime.InferenceSession(model or str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        found = f"a model that onnxruntime cannot load ({str(error).splitlines()[0]})"
        raise InputError(file=path, found=found, expected="an ONNX model", do="Fetch or export it again.") from None
    have = {one.name for one in made.get_inputs()}, {one.name for one in made.get_outputs()}
    if have != (set(takes), set(gives)):
        found = f"inputs {', '.join(sorted(have[0]))} and outputs {', '.join(sorted(have[1]))}"
        expected = f"inputs {', '.join(takes)} and outputs {', '.join(gives)}"
        raise InputError(file=path, found=found, expected=expected)
    return made


def _lent(weights: Mapping[str, Any]) -> dict[str, Any]:
    """Weights as onnxruntime takes them in the place of a model's own."""
    import onnxruntime

    return {name: onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(one)) for name, one in weights.items()}
