"""What the training loop asks of a reader, whatever its encoder is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from torch import Tensor, nn
from torch.nn.utils.parametrize import ParametrizationList

from readproof.training.encoder import Encoded, Encoder
from readproof.training.windows import Batch

OUTSIDE = -1e4
FACTORS = ".parametrizations."


class Learner(nn.Module, ABC):
    """A model with layers of an encoder under a head."""

    @property
    @abstractmethod
    def layers(self) -> int:
        """How many layers lie on each other; the layer-wise learning rates count them."""

    @property
    @abstractmethod
    def words(self) -> Tensor:
        """The table of word vectors, which FGM pushes."""

    @abstractmethod
    def depth(self, name: str) -> int:
        """How high a parameter lies: 0 for embeddings, 1 for the first layer, one above the last for the head."""

    def pace(self, name: str) -> float:  # noqa: ARG002 -- others learn some parameters slower
        """How fast a parameter learns, beside what its depth says."""
        return 1.0


class OnEncoder(Learner):
    """A learner over our own encoder, which is its `bert`; `heads` are the names that lie above it."""

    bert: Encoder
    heads: ClassVar[tuple[str, ...]] = ()

    @property
    def layers(self) -> int:
        return self.bert.shape.layers

    @property
    def words(self) -> Tensor:
        return self.bert.embeddings.word_embeddings.weight

    def pace(self, name: str) -> float:
        """What learns beside narrow changes is to follow them slowly."""
        narrow = any(isinstance(one, ParametrizationList) for one in self.modules())
        return 0.1 if narrow and FACTORS not in name else 1.0

    def depth(self, name: str) -> int:
        if name.startswith(self.heads):
            return self.layers + 1
        if ".layer." in name:
            return int(name.split(".layer.")[1].split(".")[0]) + 1
        return 0 if "embeddings" in name else self.layers


class SpanLearner(Learner):
    """One that scores each token of a window as the first and as the last of the answer."""

    @abstractmethod
    def forward(self, batch: Batch) -> tuple[Tensor, Encoded | None]:
        """Log-probabilities (batch × length × first, last) over "no answer" and the passage; what the encoder gave."""
