"""Any Hugging Face folder or hub name as a reader: question answering for spans, multiple choice for options.

Spans are read by the same windows and the same search as the shipped reader's, one window a call without padding, so
that two readers differ by their weights and nothing else. Needs the extra `train`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from readproof.errors import InputError, MissingExtraError
from readproof.items import Answer, ChoiceItem, Item, SpanItem
from readproof.lang.forms import FORM_VERSION
from readproof.readers.api import GRADIENTS, OPTIONS, Reader, ReaderOptions, need
from readproof.readers.gradients import exchanged, torch_slopes
from readproof.readers.options import as_read
from readproof.readers.reading import Reading, ReadingConfig, ReadsSpans
from readproof.readers.spans import Floats
from readproof.readers.tokens import Ints, Passage, spread
from readproof.text import Text, encodable

_MOST = 512
_OVERLAP = 128


def open_pretrained(name: str, options: ReaderOptions) -> Reader:
    """The reader of a folder or of a hub name, by the architecture that its configuration names."""
    try:
        import torch
        import transformers
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "transformers", "train") from None
    transformers.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    # the bar of a folder's tensors is over in a moment; downloads have one of their own
    transformers.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    if options.threads:
        torch.set_num_threads(options.threads)
    config = _fetched(name, transformers.AutoConfig, name)
    architecture = (getattr(config, "architectures", None) or [""])[0]
    if architecture.endswith("ForQuestionAnswering"):
        model = _fetched(name, transformers.AutoModelForQuestionAnswering, name, dtype=torch.float32)
        return PretrainedSpans(name, TextPairModel(name, model), options)
    if architecture.endswith("ForMultipleChoice"):
        model = _fetched(name, transformers.AutoModelForMultipleChoice, name, dtype=torch.float32)
        return PretrainedOptions(name, TextPairModel(name, model))
    raise InputError(
        file=name,
        found=f"the architecture {architecture or 'nothing'!r}",
        expected="a model for question answering or for multiple choice",
        do="Fine-tune it first: readproof train.",
    )


class TextPairModel:
    """A model with its tokenizer: two texts as one window, with whatever the tokenizer puts before, between, after."""

    def __init__(self, name: str, model: Any) -> None:
        import transformers

        self.model = model.eval()
        self.tokenizer = _fetched(name, transformers.AutoTokenizer, name, use_fast=True)
        if not getattr(self.tokenizer, "is_fast", False):
            raise InputError(file=name, found="a slow tokenizer", expected="a fast one, which knows offsets")
        sample = self.tokenizer("a", "b")
        places = sample.sequence_ids()
        self.types = "token_type_ids" in self.tokenizer.model_input_names
        first, second = places.index(0), places.index(1)
        after_first = len(places) - 1 - places[::-1].index(0)
        after_second = len(places) - 1 - places[::-1].index(1)
        ids = sample["input_ids"]
        self.before, self.between = ids[:first], ids[after_first + 1 : second]
        self.after = ids[after_second + 1 :]
        types = sample.get("token_type_ids", [0] * len(ids))
        self._types = (
            types[:first],
            types[first],
            types[after_first + 1 : second],
            types[second],
            types[after_second + 1 :],
        )
        self.frame = len(self.before) + len(self.between) + len(self.after)
        cls = self.tokenizer.cls_token_id
        self.null = self.before.index(cls) if cls in self.before else 0
        self.most = _most_tokens(self.tokenizer, model.config)

    def encode(self, text: str) -> tuple[Ints, Ints]:
        """The tokens of one text with their character offsets, nothing added."""
        found = self.tokenizer(
            encodable(text), add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False
        )
        return (
            np.asarray(found["input_ids"], dtype=np.int32),
            np.asarray(found["offset_mapping"], dtype=np.int32).reshape(-1, 2),
        )

    def window(self, first: Ints, second: Ints) -> dict[str, Any]:
        """The inputs of the model for one window."""
        import torch

        ids = [*self.before, *first.tolist(), *self.between, *second.tolist(), *self.after]
        inputs = {"input_ids": torch.tensor([ids]), "attention_mask": torch.ones((1, len(ids)), dtype=torch.int64)}
        if self.types:
            before, one, between, other, after = self._types
            types = [*before, *[one] * len(first), *between, *[other] * len(second), *after]
            inputs["token_type_ids"] = torch.tensor([types])
        return inputs


class PretrainedSpans(ReadsSpans):
    """A question-answering model of Hugging Face."""

    capabilities = ReadsSpans.capabilities | {GRADIENTS}

    def __init__(self, name: str, pair: TextPairModel, options: ReaderOptions) -> None:
        self.name = name
        self._options = options
        question = min(64, pair.most // 4)
        config = ReadingConfig(
            max_tokens=pair.most,
            overlap=min(_OVERLAP, pair.most // 4),
            question_tokens=question,
            no_answer=options.no_answer,
        )
        self._model = _SpanModel(pair)
        self._reading = Reading(self._model, config)

    @property
    def reading(self) -> Reading:
        return self._reading

    def exchanges(
        self,
        items: Sequence[SpanItem],
        places: Sequence[Sequence[tuple[int, int]]],
        words: Sequence[Sequence[str]],
    ) -> list[Floats]:
        """What other words would do, by the gradients (see `base.Gradients`)."""
        return [exchanged(self._reading, self._model, *one) for one in zip(items, places, words, strict=True)]

    @cached_property
    def fingerprint(self) -> str:
        return _fingerprint(self.name, f"no_answer={self._options.no_answer}")


class _SpanModel:
    def __init__(self, pair: TextPairModel) -> None:
        self._pair = pair
        self._words: dict[str, Ints] = {}
        self.frame = pair.frame

    def encode(self, text: Text, start: int, end: int) -> Passage:
        ids, offsets = self._pair.encode(text.clean[start:end])
        # byte-level tokenizers give tokens inside a character, or of nothing but a space: both without characters
        firsts, lasts = offsets[:, 0] + np.int32(start), offsets[:, 1] + np.int32(start)
        return Passage(text, ids, firsts, np.maximum(firsts, lasts))

    def encode_question(self, text: str) -> Ints:
        return self._pair.encode(text)[0]

    def encode_word(self, word: str) -> Ints:
        if word not in self._words:
            self._words[word] = self.encode_question(word)
        return self._words[word]

    def scores(self, question: Ints, passage: Ints) -> tuple[Floats, Floats]:
        import torch

        with torch.inference_mode():
            found = self._pair.model(**self._pair.window(question, passage))
        first, last = found.start_logits[0].float().numpy(), found.end_logits[0].float().numpy()
        at = len(self._pair.before) + len(question) + len(self._pair.between)
        kept = [self._pair.null, *range(at, at + len(passage))]
        return first[kept], last[kept]

    def slopes(
        self, question: Ints, passage: Ints, golds: Sequence[tuple[int, int]], places: Ints, tokens: Ints
    ) -> Floats:
        """The loss of the golds (of "no answer", where the window has none), times word vectors."""
        import torch

        pair = self._pair
        head = len(pair.before) + len(question) + len(pair.between)
        embedding = pair.model.get_input_embeddings()
        kept: list[Any] = []
        hook = embedding.register_forward_hook(lambda _module, _given, found: kept.append(found))
        try:
            with torch.enable_grad():
                found = pair.model(**pair.window(question, passage))
        finally:
            hook.remove()
        inside = torch.tensor([pair.null, *range(head, head + len(passage))])
        spans = [(first + 1, last + 1) for first, last in golds] or [(0, 0)]
        loss = torch.zeros(())
        for side, scores in enumerate((found.start_logits[0], found.end_logits[0])):
            logs = torch.log_softmax(scores[inside].float(), dim=0)
            loss = loss - torch.stack([logs[span[side]] for span in spans]).mean()
        at = torch.tensor([[0, head + int(place)] for place in places])
        return torch_slopes(loss, kept[0], at, embedding.weight, tokens)


class PretrainedOptions:
    """A multiple-choice model of Hugging Face: the passage, then the question with an option, one a call.

    A passage of several windows is read in all of them; an option has the best of its scores.
    """

    capabilities = frozenset({OPTIONS})

    def __init__(self, name: str, pair: TextPairModel) -> None:
        self.name = name
        self._pair = pair

    @cached_property
    def fingerprint(self) -> str:
        return _fingerprint(self.name, "")

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        return [self._one(item) for item in items if isinstance(item, ChoiceItem)]

    def _one(self, item: ChoiceItem) -> Answer:
        form, plain = as_read(item)
        passage = self._pair.encode(form.text.clean)[0]
        scores = [self._score(passage, f"{plain.question}{option}") for option in plain.options]
        if not scores:
            return Answer(id=item.id)
        shares = np.exp(np.asarray(scores) - max(scores))
        choice = int(shares.argmax())
        return Answer(
            id=item.id,
            text=item.options[choice],
            choice=choice,
            scores=tuple(scores),
            confidence=float(shares[choice] / shares.sum()),
        )

    def _score(self, passage: Ints, asked: str) -> float:
        import torch

        second = self._pair.encode(asked)[0][: self._pair.most // 2]
        capacity = self._pair.most - self._pair.frame - len(second)
        best = -np.inf
        for start, end in spread(len(passage), capacity, min(_OVERLAP, capacity // 4)):
            inputs = self._pair.window(passage[start:end], second)
            with torch.inference_mode():
                logits = self._pair.model(**{name: tensor[:, None] for name, tensor in inputs.items()}).logits
            best = max(best, float(logits[0, 0]))
        return best


def _most_tokens(tokenizer: Any, config: Any) -> int:
    """The longest window: what the positions hold (RoBERTa's begin after the padding's), and never above 512."""
    positions = getattr(config, "max_position_embeddings", None) or _MOST
    if getattr(config, "model_type", "") in ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "mpnet"):
        positions -= (getattr(config, "pad_token_id", None) or 0) + 1
    return int(min(_MOST, positions, tokenizer.model_max_length))


def _fetched(name: str, kind: Any, *arguments: Any, **options: Any) -> Any:
    """What `from_pretrained` gives; what it cannot give is the user's to mend."""
    try:
        return kind.from_pretrained(*arguments, **options)
    except (OSError, ValueError, ImportError) as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise InputError(
            file=name,
            found=f"nothing that transformers can load ({said[0][:200]})",
            expected="a Hugging Face folder, or the name of a model on the hub",
            do="Check the path; a hub name needs the network, or a model fetched before.",
        ) from None


def _fingerprint(name: str, more: str) -> str:
    """Of the files of a folder; of the name alone where the model lies in the hub's cache."""
    digest = hashlib.sha256(f"{name}\0{more}\0form={FORM_VERSION}".encode())
    folder = Path(name)
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_file():
            digest.update(path.name.encode())
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
