"""What a multi-exit reader's answer costs: the modules it passed, and the multiply-adds of each by the published rules.

emb            token ids (length)
layer_3        all tokens (length, hidden)
part_3         layer 3 for some tokens alone (length, some, hidden): all of them are read, some are worked out
exit_3         the head after layer 3
"""

from __future__ import annotations

from collections.abc import Sequence

from readproof.efficiency import rules
from readproof.efficiency.modules import Trace, Use
from readproof.readers.exits.manner import ExitManner


def chain(manner: ExitManner, length: int, scored: int, tried: Sequence[int]) -> Trace:
    """A row that went up to the last exit it tried; `scored` is how many of its places a head scores."""
    uses = [Use("emb", (length,))]
    below = 0
    for layer in tried:
        uses += [Use(f"layer_{number}", (length, manner.hidden)) for number in range(below + 1, layer + 1)]
        uses.append(head_use(manner, layer, length, scored))
        below = layer
    return tuple(uses)


def token_chain(manner: ExitManner, length: int, frame: int, going: Sequence[int]) -> Trace:
    """A row whose characters stop one by one: `going` is how many went up to each exit, beside `frame` other tokens."""
    uses = [Use("emb", (length,))]
    below = 0
    for layer, count in zip(manner.exits, going, strict=False):
        uses += [_layer_use(manner, number, length, count + frame) for number in range(below + 1, layer + 1)]
        uses.append(head_use(manner, layer, length, count))
        below = layer
    return tuple(uses)


def head_use(manner: ExitManner, layer: int, length: int, scored: int) -> Use:
    """The head after a layer, on what it sees."""
    if manner.kind == "spans" or (manner.kind != "tags" and manner.pool == "mean"):
        return Use(f"exit_{layer}", (length, manner.hidden))
    if manner.kind == "label" or (manner.kind == "choice" and not manner.together):
        return Use(f"exit_{layer}", (manner.hidden,))
    return Use(f"exit_{layer}", (scored, manner.hidden))


def _layer_use(manner: ExitManner, layer: int, length: int, active: int) -> Use:
    """A layer on a row of which so many tokens are worked out."""
    if active == length:
        return Use(f"layer_{layer}", (length, manner.hidden))
    return Use(f"part_{layer}", (length, active, manner.hidden))


def macs(manner: ExitManner, use: Use) -> int:
    """The multiply-adds of one use, as the published counter and `readproof elue` have them."""
    hidden = manner.hidden
    if use.name == "emb":
        length = use.shape[0]
        narrow = manner.embedding or hidden
        wider = rules.linear((length, narrow), hidden) if manner.embedding else 0
        return rules.norm((length, narrow), True) + wider
    if use.name.startswith("exit_"):
        mean = manner.pool == "mean" and manner.kind in ("label", "choice")
        seen = use.shape[1:] if mean else use.shape
        pooled = rules.linear(seen, hidden) if manner.pooled else 0
        return pooled + rules.linear(seen, manner.outputs)
    length, active = use.shape[0], use.shape[1] if use.name.startswith("part_") else use.shape[0]
    width, heads = manner.width, manner.heads
    scores = heads * active * length
    attention = (active + 2 * length) * hidden * width + 2 * scores + 2 * scores * (width // heads if heads else 0)
    dense = rules.linear((active, width), hidden) + 2 * rules.linear((active, hidden), manner.inner)
    return attention + dense + 2 * rules.norm((active, hidden), True)


def flops(manner: ExitManner, trace: Trace) -> int:
    """What an answer costs."""
    return rules.FLOPS_PER_MAC * sum(macs(manner, use) for use in trace)


def parameters(manner: ExitManner, layers: int = 0) -> int:
    """Of the whole reader; or of its first layers with one head, which is all that a reader of fixed depth needs."""
    hidden, narrow = manner.hidden, manner.embedding or manner.hidden
    words = (manner.rows + manner.positions + manner.types + 2) * narrow
    words += (narrow + 1) * hidden if manner.embedding else 0
    attention = 3 * (hidden + 1) * manner.width + (manner.width + 1) * hidden
    layer = attention + (hidden + 1) * manner.inner + (manner.inner + 1) * hidden + 4 * hidden
    head = ((hidden + 1) * hidden if manner.pooled else 0) + (hidden + 1) * manner.outputs
    return words + (layers or manner.layers) * layer + (1 if layers else len(manner.exits)) * head
