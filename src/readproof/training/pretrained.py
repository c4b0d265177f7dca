"""Any question-answering model of `transformers` as a reader that the training loop can train."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from readproof.training.learner import OUTSIDE, SpanLearner
from readproof.training.windows import Batch


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
