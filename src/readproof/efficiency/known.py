"""Which modules of torch and transformers the published counter knows, and how each is counted.

Nothing here imports torch: a rule takes a module that has run, by name, so that an unknown installation does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readproof.efficiency import rules


@dataclass(frozen=True, slots=True)
class Run:
    """A module of torch's that has run: what went in, by place and by name, and what came out."""

    module: Any
    inputs: Sequence[Any]
    named: Mapping[str, Any]
    output: Any

    @property
    def first(self) -> Any:
        """The input, or the first of several."""
        return next(one for one in (*self.inputs, *self.named.values()) if hasattr(one, "shape"))


Rule = Callable[[Run], int]


class RankError(ValueError):
    """A known attention ran on a shape that it does not take: whatever it did there, no rule has its cost."""


@dataclass(frozen=True, slots=True)
class Known:
    """How a module is counted; `exact` says that the published counter would do the same for this very class."""

    rule: Rule
    base: str
    exact: bool


def known(module: Any) -> Known | None:
    """The rule for a module: by its own class, or by the nearest class that it extends."""
    for kind in type(module).__mro__:
        own = kind is type(module)
        if kind.__module__.startswith("torch.nn.") and kind.__name__ in _TORCH:
            return Known(_TORCH[kind.__name__], f"nn.{kind.__name__}", own)
        if kind.__name__ in _ATTENTION and all(hasattr(module, name) for name in _NEEDED):
            return Known(_ATTENTION[kind.__name__], kind.__name__, own)
    return None


def _free(_: Run) -> int:
    return 0


def _linear(run: Run) -> int:
    return rules.linear(run.first.shape, run.output.shape[-1])


def _norm(run: Run) -> int:
    affine = bool(getattr(run.module, "affine", False) or getattr(run.module, "elementwise_affine", False))
    return rules.norm(run.first.shape, affine)


def _each_output(run: Run) -> int:
    return rules.each(run.output.shape)


def _each_input(run: Run) -> int:
    return rules.each(run.first.shape)


def _convolution(run: Run) -> int:
    module = run.module
    return rules.convolution(
        run.first.shape[0],
        run.output.shape[2:],
        module.kernel_size,
        module.in_channels,
        module.out_channels,
        module.groups,
        module.bias is not None,
    )


def _recurrent(run: Run) -> int:
    module, shape = run.module, run.first.shape
    steps = shape[0] if len(shape) == 2 else shape[0] * shape[1]
    step = sum(_step(module, f"_l{layer}") for layer in range(module.num_layers))
    return int(step * steps * (2 if module.bidirectional else 1))


def _cell(run: Run) -> int:
    shape = run.first.shape
    return _step(run.module, "") * int(shape[0] if len(shape) == 2 else 1)


def _step(module: Any, layer: str) -> int:
    into, back = getattr(module, f"weight_ih{layer}"), getattr(module, f"weight_hh{layer}")
    both = (getattr(module, f"bias_{one}{layer}").shape[0] for one in ("ih", "hh")) if module.bias else ()
    kind = next(one for one in ("LSTM", "GRU", "RNN") if any(one in base.__name__ for base in type(module).__mro__))
    return rules.recurrent_step(kind, into.shape, back.shape, module.hidden_size, sum(both))


def _multihead(run: Run) -> int:
    module = run.module
    query, key, value = (
        run.inputs[at] if at < len(run.inputs) else run.named[name] for at, name in enumerate(("query", "key", "value"))
    )
    # the published counter takes the first axis for the length even where it is the batch, and misses the products
    first = query.dim() == 3 and module.batch_first
    batch = 1 if query.dim() == 2 else query.shape[0 if first else 1]
    pairs = [(one.shape[1 if first else 0], one.shape[-1]) for one in (query, key, value)]
    embedding = module.embed_dim
    return rules.multihead_attention(
        batch,
        pairs[0],
        pairs[1],
        pairs[2],
        embedding,
        embedding if module.kdim is None else module.kdim,
        embedding if module.vdim is None else module.vdim,
        module.num_heads,
        module.in_proj_bias is not None,
    )


_NEEDED = ("num_attention_heads", "attention_head_size", "all_head_size")


def _rows(run: Run) -> tuple[int, int, int]:
    """Batch, length and width of what an attention reads."""
    shape = run.first.shape
    if len(shape) != 3:
        name, numbers = type(run.module).__name__, len(shape) - 1
        raise RankError(f"{name} takes (tokens, width) and got {numbers} numbers: a shape has no batch dimension")
    return shape[0], shape[1], shape[2]


def _self_attention(run: Run) -> int:
    batch, length, hidden = _rows(run)
    heads, head, width = (getattr(run.module, name) for name in _NEEDED)
    return rules.self_attention(batch, length, hidden, heads, head, width)


def _albert_attention(run: Run) -> int:
    batch, length, hidden = _rows(run)
    heads, head, width = (getattr(run.module, name) for name in _NEEDED)
    return rules.albert_attention(batch, length, hidden, heads, head, width)


_TORCH: dict[str, Rule] = {
    "Embedding": _free,
    "Linear": _linear,
    "MultiheadAttention": _multihead,
    "Upsample": _each_output,
    **dict.fromkeys(("ReLU", "PReLU", "ELU", "LeakyReLU", "ReLU6"), _each_output),
    **dict.fromkeys(("LayerNorm", "GroupNorm"), _norm),
    **dict.fromkeys(("RNN", "GRU", "LSTM"), _recurrent),
    **dict.fromkeys(("RNNCell", "GRUCell", "LSTMCell"), _cell),
    **{f"{kind}{size}d": _norm for kind in ("BatchNorm", "InstanceNorm") for size in (1, 2, 3)},
    **{f"{kind}{size}d": _convolution for kind in ("Conv", "ConvTranspose") for size in (1, 2, 3)},
    **{
        f"{adaptive}{kind}{size}d": _each_input
        for adaptive in ("", "Adaptive")
        for kind in ("MaxPool", "AvgPool")
        for size in (1, 2, 3)
    },
}
_ATTENTION: dict[str, Rule] = {
    "BertSelfAttention": _self_attention,
    "RobertaSelfAttention": _self_attention,
    "ElasticBertSelfAttention": _self_attention,
    "AlbertAttention": _albert_attention,
}
