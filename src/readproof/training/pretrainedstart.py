"""A start out of any Hugging Face encoder folder: XLM-R, RoBERTa, ELECTRA, DeBERTa and their kin.

Texts become tokens by the code that reads the folder later (`readers.transformers`), so that what is trained is what is
read: special tokens, their number and the character offsets come from the folder's own fast tokenizer.
"""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from readproof.errors import InputError, MissingExtraError
from readproof.files import writing
from readproof.items import SpanItem
from readproof.readers.api import ReaderOptions
from readproof.readers.reading import SpanModel
from readproof.readers.tokens import TokenizedQuestion, in_tokens
from readproof.readers.transformers import PretrainedSpans, TextPairModel
from readproof.training.learner import OUTSIDE, SpanLearner
from readproof.training.measure import EvalSet
from readproof.training.start import folder_hash
from readproof.training.windows import Batch, Frame, cut

# Any question-answering model of `transformers` as a reader that the training loop can train.


class PretrainedReader(SpanLearner):
    """A model with start and end scores; `types` says whether it is given token types."""

    def __init__(self, model: Any, *, types: bool) -> None:
        super().__init__()
        self.model = model
        self._types = types
        self._stack = stack(model)
        head = getattr(model, "qa_outputs", None)
        if isinstance(head, nn.Linear):
            head.register_forward_hook(_in_full)

    @property
    def layers(self) -> int:
        return layers(self.model)

    @property
    def words(self) -> nn.Parameter:
        words: nn.Parameter = self.model.get_input_embeddings().weight
        return words

    def depth(self, name: str) -> int:
        inner = name.removeprefix("model.")
        if self._stack and inner.startswith(f"{self._stack}."):
            return int(inner.removeprefix(f"{self._stack}.").split(".")[0]) + 1
        if not inner.startswith(f"{self.model.base_model_prefix}."):
            return self.layers + 1
        return 0 if "embedding" in inner else self.layers

    def forward(self, batch: Batch) -> tuple[Tensor, None]:
        """Log-probabilities over "no answer" and the passage."""
        inputs = {"input_ids": batch.ids, "attention_mask": batch.mask.long()}
        if self._types:
            inputs["token_type_ids"] = batch.types
        found = self.model(**inputs)
        scores = torch.stack((found.start_logits, found.end_logits), dim=2).float()
        scores = scores.masked_fill(~batch.valid[:, :, None], OUTSIDE)
        return torch.log_softmax(scores, dim=1), None


def layers(model: Any) -> int:
    """How many layers a model says it has."""
    return int(getattr(model.config, "num_hidden_layers", 0) or 1)


def stack(model: Any) -> str:
    """The name of the list that holds a model's layers; nothing where they cannot be told, as where all share one."""
    wanted = layers(model)
    for name, module in model.named_modules():
        if isinstance(module, nn.ModuleList) and len(module) == wanted and wanted > 1:
            return str(name)
    return ""


def _in_full(head: nn.Module, given: tuple[Tensor, ...], scores: Tensor) -> Tensor:
    """The head in float32: half-precision scores would tie."""
    if not isinstance(head, nn.Linear) or not torch.is_autocast_enabled(scores.device.type):
        return scores
    with torch.autocast(scores.device.type, enabled=False):
        return functional.linear(given[0].float(), head.weight, head.bias)


_PREFIX = "model."
_DROPOUT = ("hidden_dropout_prob", "attention_probs_dropout_prob")
_TOKENS = ("tokenizer.json", "*.model", "vocab.*", "merges.txt")
_QUESTION = 64


@dataclass(frozen=True, slots=True)
class PretrainedStart:
    """A model of `transformers` with its tokenizer; `new` are the tensors that its folder does not hold."""

    folder: Path
    pair: TextPairModel
    new: frozenset[str]
    frame: Frame

    @property
    def positions(self) -> int:
        return int(self.pair.most)

    @property
    def layers(self) -> int:
        return layers(self.pair.model)

    @property
    def is_reader(self) -> bool:
        return not self.new

    @property
    def tells_layers(self) -> bool:
        return bool(stack(self.pair.model))

    @property
    def made_with(self) -> Mapping[str, str]:
        import transformers

        return {"transformers": transformers.__version__}

    def digest(self) -> str:
        return folder_hash(self.folder, also=(".json", ".model"))

    def state(self) -> dict[str, Tensor]:
        held = self.pair.model.state_dict()
        return {f"{_PREFIX}{name}": tensor for name, tensor in held.items() if name not in self.new}

    def prepared(self, items: list[SpanItem], *, max_tokens: int, overlap: int) -> EvalSet:
        model = PretrainedSpans(str(self.folder), self.pair, ReaderOptions()).reading.model
        questions = questions_of(items, model, question_tokens=min(_QUESTION, max_tokens // 4))
        windows = cut(questions, self.frame, max_tokens=max_tokens, overlap=overlap)
        rows = self.pair.model.get_input_embeddings().weight.shape[0]
        if len(windows.ids) and int(windows.ids.max()) >= rows:
            found, expected = (
                f"the token {windows.ids.max()}",
                f"numbers below {rows}, as many as the weights have rows",
            )
            do = "Put the tokenizer that belongs to the weights there."
            raise InputError(file=self.folder, place="tokenizer", found=found, expected=expected, do=do)
        return EvalSet(questions, windows)

    def reader(self, state: Mapping[str, Tensor], *, dropout: float) -> PretrainedReader:
        config = copy.deepcopy(self.pair.model.config)
        for name in _DROPOUT:
            if hasattr(config, name):
                setattr(config, name, dropout)
        reader = PretrainedReader(type(self.pair.model)(config).float(), types=self.pair.types)
        missing, unexpected = reader.load_state_dict(dict(state), strict=False)
        if unexpected or {name.removeprefix(_PREFIX) for name in missing} - self.new:
            raise ValueError(f"weights do not fit: missing {missing[:3]}, unexpected {unexpected[:3]}")
        return reader

    def write(self, folder: Path, state: Mapping[str, Tensor], notes: Mapping[str, Any], *, max_tokens: int) -> Path:
        """The windows that were trained on go along as the tokenizer's longest text, so that reading cuts them too."""
        part = folder / ".part"
        part.mkdir(parents=True, exist_ok=True)
        model = type(self.pair.model)(copy.deepcopy(self.pair.model.config)).float()
        model.load_state_dict({name.removeprefix(_PREFIX): tensor for name, tensor in state.items()})
        model.save_pretrained(part)
        tokenizer = copy.deepcopy(self.pair.tokenizer)
        tokenizer.model_max_length = max_tokens
        tokenizer.save_pretrained(part)
        for path in sorted(part.iterdir()):
            path.replace(folder / path.name)
        part.rmdir()
        with writing(folder / "notes.json") as file:
            file.write(json.dumps(notes, ensure_ascii=False, indent=1, default=str) + "\n")
        return folder


def questions_of(items: list[SpanItem], model: SpanModel, *, question_tokens: int) -> list[TokenizedQuestion]:
    """Items with the tokens that a model reads."""
    return in_tokens(
        items,
        lambda texts: [model.encode(text, 0, len(text.clean)) for text in texts],
        lambda asked: list(map(model.encode_question, asked)),
        question_tokens=question_tokens,
    )


def read_pretrained(folder: Path) -> PretrainedStart:
    """A start out of a folder with config.json, weights and the files of a fast tokenizer."""
    model, missing = _loaded(folder)
    kind = type(model).__name__
    if not kind.endswith("ForQuestionAnswering"):
        raise InputError(file=folder, found=f"the architecture {kind}", expected="one that `readproof answer` can read")
    inside = f"{model.base_model_prefix}."
    lost = sorted(name for name in missing if name.startswith(inside) and "pooler" not in name)
    if lost:
        found = f"no tensor {lost[0]}" + (f" and {len(lost) - 1} more" if len(lost) > 1 else "")
        raise InputError(file=folder, found=found, expected=f"the weights of a {model.config.model_type} encoder")
    try:
        pair = TextPairModel(str(folder), model)
    except InputError:
        raise
    except Exception as error:
        found = f"a tokenizer that cannot be used ({str(error).strip()[:200] or type(error).__name__})"
        raise InputError(file=folder, found=found, expected="the fast tokenizer of the model") from None
    if not any(True for pattern in _TOKENS for _ in folder.glob(pattern)):
        do = "Put the tokenizer that belongs to the weights there."
        raise InputError(file=folder, found="no tokenizer", expected="tokenizer.json beside the weights", do=do)
    if not pair.before or pair.null:
        found, expected = "a tokenizer that puts no [CLS] before the question", "one that does: it stands for no answer"
        raise InputError(file=folder, found=found, expected=expected)
    return PretrainedStart(folder, pair, frozenset(missing), _frame(folder, pair))


def _loaded(folder: Path) -> tuple[Any, set[str]]:
    """The model in float32, and the names of the tensors that were not in its folder."""
    try:
        import transformers
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "transformers", "train") from None
    transformers.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        model, about = transformers.AutoModelForQuestionAnswering.from_pretrained(
            folder, dtype=torch.float32, output_loading_info=True, local_files_only=True
        )
    except Exception as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(
            file=folder,
            found=f"nothing that transformers can load for question answering ({said[:200]})",
            expected="an encoder's Hugging Face folder: config.json, weights, tokenizer.json",
            do="Fetch the folder again, or name another.",
        ) from None
    return model, set(about["missing_keys"])


def _frame(folder: Path, pair: TextPairModel) -> Frame:
    """What the tokenizer puts around the texts, and the token types of all, where the model takes them."""
    one = np.zeros(1, dtype=np.int32)
    inputs, config = pair.window(one, one), pair.model.config
    kinds = [0] * (pair.frame + 2)
    if pair.types:
        kinds = inputs["token_type_ids"][0].tolist()
        known = getattr(config, "type_vocab_size", None)
        takes = inspect.signature(pair.model.forward).parameters
        if "token_type_ids" not in takes or (known and max(kinds) >= known):
            found = f"token types up to {max(kinds)}"
            expected = f"{known} of them" if known and "token_type_ids" in takes else "none: the model takes no types"
            do = 'Set "model_input_names": ["input_ids", "attention_mask"].'
            raise InputError(file=folder / "tokenizer_config.json", found=found, expected=expected, do=do)
    pads = (getattr(config, "pad_token_id", None), pair.tokenizer.pad_token_id, 0)
    return Frame(
        before=tuple(pair.before),
        between=tuple(pair.between),
        after=tuple(pair.after),
        kinds=tuple(kinds),
        pad=next(pad for pad in pads if pad is not None),
        most=pair.most,
    )
