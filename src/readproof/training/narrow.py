"""Learning by narrow changes: each matrix of an encoder stays, and the product of two narrow ones is added to it.

What comes out differs from the start by so little that it can be kept beside it (see `adapter`), and trained this way
it loses far less than when it is cut down afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from readproof.training.options.model import HEADS, OptionReader

FACTORS = ".parametrizations."


class Narrow(nn.Module):
    """A matrix plus left × right."""

    def __init__(self, left: Tensor, right: nn.Parameter) -> None:
        super().__init__()
        self.left = nn.Parameter(left)
        self.right = right

    def forward(self, matrix: Tensor) -> Tensor:
        return matrix + self.left @ self.right


def narrowed(reader: OptionReader, begin: Mapping[str, Tensor], rank: int) -> OptionReader:
    """The reader as the matrices of `begin` and changes of a rank; only these, the layers' vectors and the heads learn.

    `begin` is named as `option_reader_from` takes it. What the reader already differs by is kept as far as the rank
    allows. Query, key and value see the same narrow view, so that the three together have that rank.
    """
    before = {name.removeprefix("bert."): tensor for name, tensor in begin.items()}
    for name, parameter in reader.named_parameters():
        vector = ".layer." in name and parameter.dim() == 1
        parameter.requires_grad_(vector or name.startswith(HEADS))
    matrices = {name: one for name, one in reader.named_modules() if isinstance(one, nn.Linear) and ".layer." in name}
    groups: dict[str, list[str]] = {}
    for name in matrices:
        groups.setdefault(name.rpartition(".")[0] if ".attention.self." in name else name, []).append(name)
    for names in groups.values():
        old = torch.cat([before[f"{name.removeprefix('bert.')}.weight"].float() for name in names])
        new = torch.cat([matrices[name].weight.detach() for name in names])
        left, right = _factors(new - old.to(new.device), rank)
        view = nn.Parameter(right)
        at = 0
        for name in names:
            matrix = matrices[name]
            rows = len(matrix.weight)
            with torch.no_grad():
                matrix.weight.copy_(old[at : at + rows])
            parametrize.register_parametrization(matrix, "weight", Narrow(left[at : at + rows].clone(), view))
            at += rows
    return reader


def _factors(change: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """A change as two narrow matrices; of no change the left one is nothing and the right one drawn by chance."""
    rows, columns = change.shape
    if not change.any():
        right = torch.randn(rank, columns) / columns**0.5
        return torch.zeros(rows, rank, device=change.device), right.to(change.device)
    left, sizes, right = torch.linalg.svd(change, full_matrices=False)
    root = sizes[:rank].sqrt()
    return (left[:, :rank] * root).contiguous(), (root[:, None] * right[:rank]).contiguous()
