"""The weights an encoder begins with: random ones from which it does not have to find out what a neighbour is.

With positions drawn at random, masked words are told by little more than how frequent they are, for thousands of steps,
until some head happens to look at the word beside it; a run of minutes ends before that. So positions begin as waves,
where a step to the side is a turn, and the heads of the lowest layers begin with that turn: each looks a few words to
the left or to the right. All of it is learnt further, and no tensor is other than those of any BERT.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from readproof.training.encoder import Encoder, SelfAttention, Shape
from readproof.training.pretrain.recipe import Body

_SMALL = 0.02
# words and positions begin equally loud, and not too low: words are told by the same table, so they grow as they are
# learnt, and would drown small positions
_LOUD = 0.04
# radians a step: the quickest tells a place from the one beside it, the slowest one end of a window from the other
_QUICKEST, _SLOWEST = 3.0, 0.003
_SHARP = 2.0
_OFFSETS = (-1, 1, -2, 2, -3, 3)
_HEAD = 64


def fresh_encoder(rows: int, body: Body, *, dropout: float) -> Encoder:
    """An encoder with new weights, each matrix as loud as its width allows.

    What a layer adds begins smaller the more layers there are, so that a high rate does not upset it, but not so small
    that what its heads look at makes no difference: they would get no gradient to speak of.
    """
    shape = Shape(
        rows=rows,
        hidden=body.hidden,
        layers=body.layers,
        heads=max(1, body.hidden // _HEAD),
        inner=body.inner,
        positions=body.positions,
        dropout=dropout,
        embedding=0 if body.embedding == body.hidden else body.embedding,
    )
    encoder = Encoder(shape)
    for name, parameter in encoder.encoder.named_parameters():
        if parameter.dim() > 1:
            added = body.layers**-0.5 if name.endswith("output.dense.weight") else 1.0
            nn.init.normal_(parameter, std=added * parameter.shape[1] ** -0.5)
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)
    below = encoder.embeddings
    nn.init.normal_(below.word_embeddings.weight, std=_LOUD)
    nn.init.normal_(below.token_type_embeddings.weight, std=_SMALL)
    if encoder.embeddings_project is not None:
        nn.init.zeros_(encoder.embeddings_project.bias)
    with torch.no_grad():
        below.position_embeddings.weight.copy_(waves(body.positions, shape.narrow) * _LOUD * 2**0.5)
        wide = _widened(encoder)
        heads = [module for module in encoder.modules() if isinstance(module, SelfAttention)]
        for attention in heads[: body.near]:
            _look_beside(attention, wide)
    return encoder


def waves(positions: int, width: int) -> Tensor:
    """Sines and cosines side by side, from quick to slow; a step to the side turns each pair by an angle of its own."""
    angles = torch.arange(positions)[:, None] * _speeds(width)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


def _speeds(width: int) -> Tensor:
    half = width // 2
    return _QUICKEST * (_SLOWEST / _QUICKEST) ** (torch.arange(half) / half)


def _widened(encoder: Encoder) -> Tensor:
    """What takes word vectors to the width of the layers, begun so that it can be undone: its columns stand apart."""
    shape = encoder.shape
    if encoder.embeddings_project is None:
        return torch.eye(shape.hidden)
    straight = nn.init.orthogonal_(torch.empty(shape.hidden, shape.narrow))
    encoder.embeddings_project.weight.copy_(straight * (shape.hidden / shape.narrow) ** 0.5)
    return straight


def _look_beside(attention: SelfAttention, wide: Tensor) -> None:
    """Each head finds the place that lies its offset away: it asks for its own position, turned so far."""
    hidden, narrow = wide.shape
    quick = torch.arange(0, max(1, narrow // 4), max(1, -(-narrow // 4 // (_HEAD // 2))))  # half of the waves, or some
    loud = (_SHARP * (_HEAD / 2 / len(quick)) * narrow / hidden) ** 0.5
    found = loud * wide.T[torch.stack((2 * quick, 2 * quick + 1), dim=1).flatten()]
    for head in range(attention.heads):
        angles = _speeds(narrow)[quick] * _OFFSETS[head % len(_OFFSETS)]
        turned = torch.empty_like(found)
        turned[0::2] = angles.cos()[:, None] * found[0::2] + angles.sin()[:, None] * found[1::2]
        turned[1::2] = angles.cos()[:, None] * found[1::2] - angles.sin()[:, None] * found[0::2]
        rows = slice(_HEAD * head, _HEAD * head + len(found))
        attention.query.weight[rows].copy_(turned)
        attention.key.weight[rows].copy_(found)
