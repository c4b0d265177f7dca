"""Learning by narrow changes: each matrix of an encoder stays, and the product of two narrow ones is added to it.

What comes out differs from the start by so little that it can be kept beside it, and trained this way it loses far less
than when it is cut down afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from readproof.training.learner import OnEncoder

Reader = TypeVar("Reader", bound=OnEncoder)

_SPARE, _ROUNDS, _NOTHING = 16, 8, 1e-5


class LowRankLinear(nn.Module):
    """A matrix plus left × right."""

    def __init__(self, left: Tensor, right: nn.Parameter) -> None:
        super().__init__()
        self.left = nn.Parameter(left)
        self.right = right

    def forward(self, matrix: Tensor) -> Tensor:
        return matrix + self.left @ self.right


def narrowed(reader: Reader, begin: Mapping[str, Tensor], rank: int, *, also: tuple[str, ...] = ()) -> Reader:
    """The reader as the matrices of `begin` and changes of a rank; only these, the layers' vectors and the heads learn.

    `begin` is named as the reader's tensors are, with or without "bert.". What the reader already differs by is kept as
    far as the rank allows. Query, key and value see the same narrow view, so that the three together have that rank.
    Tensors whose names begin as one of `also` learn too, as they are.
    """
    before = {name.removeprefix("bert."): tensor for name, tensor in begin.items()}
    for name, parameter in reader.named_parameters():
        vector = ".layer." in name and parameter.dim() == 1
        above = not name.startswith("bert.")
        parameter.requires_grad_(vector or above or name.startswith(also))
    matrices = {name: one for name, one in reader.named_modules() if isinstance(one, nn.Linear) and ".layer." in name}
    groups: dict[str, list[str]] = {}
    for name in matrices:
        groups.setdefault(name.rpartition(".")[0] if ".attention.self." in name else name, []).append(name)
    for names in groups.values():
        old = torch.cat([before[f"{name.removeprefix('bert.')}.weight"].float() for name in names])
        new = torch.cat([matrices[name].weight.detach() for name in names])
        left, right = factors(new - old.to(new.device), rank)
        view = nn.Parameter(right)
        at = 0
        for name in names:
            matrix = matrices[name]
            rows = len(matrix.weight)
            with torch.no_grad():
                matrix.weight.copy_(old[at : at + rows])
            parametrize.register_parametrization(matrix, "weight", LowRankLinear(left[at : at + rows].clone(), view))
            at += rows
    return reader


def narrow_words(reader: OnEncoder, width: int) -> None:
    """The word vectors as a product through so many dimensions: many rows for the bytes of few."""
    words = reader.bert.embeddings.word_embeddings
    left, right = factors(words.weight.detach(), width)
    with torch.no_grad():
        words.weight.zero_()
    words.weight.requires_grad_(False)
    parametrize.register_parametrization(words, "weight", LowRankLinear(left, nn.Parameter(right)))


def factors(change: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """A change as two narrow matrices; of no change the left one is nothing and the right one drawn by chance."""
    rows, columns = change.shape
    if not change.any():
        right = torch.randn(rank, columns) / columns**0.5
        return torch.zeros(rows, rank, device=change.device), right.to(change.device)
    # far quicker than all of the singular vectors, and as good: most changes are of that rank already
    left, sizes, right = torch.svd_lowrank(change.float(), min(rank + _SPARE, rows, columns), niter=_ROUNDS)
    left, sizes, right = left[:, :rank], sizes[:rank], right[:, :rank].T
    root = sizes.sqrt()
    left, right = left * root, root[:, None] * right
    # of a change of a lower rank the rest begins as no change does: where both sides are nothing, neither ever learns
    spare = sizes < _NOTHING * sizes[0]
    if spare.any():
        drawn = torch.randn(rank, columns).to(change.device) / columns**0.5
        left, right = left.masked_fill(spare, 0.0), torch.where(spare[:, None], drawn, right)
    return left.contiguous(), right.contiguous()
