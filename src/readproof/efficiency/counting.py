"""Counting one module on one shape: it runs on an input without numbers, and each part is counted by its rule.

Parts that the published counter knows are counted as it does and not looked into. What an unknown part computes by
itself (an attention of another name, a product written by hand) is traced, added, and said to be an estimate; the
published counter would give it away. Biases, norms written by hand and other element-wise work stay free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from readproof.efficiency import rules

# Which modules of torch and transformers the published counter knows, and how each is counted.
#
# Nothing here imports torch: a rule takes a module that has run, by name, so that an unknown installation does no harm.


@dataclass(frozen=True, slots=True)
class ModuleCall:
    """A module of torch's that has run: what went in, by place and by name, and what came out."""

    module: Any
    inputs: Sequence[Any]
    named: Mapping[str, Any]
    output: Any

    @property
    def first(self) -> Any:
        """The input, or the first of several."""
        return next(one for one in (*self.inputs, *self.named.values()) if hasattr(one, "shape"))


Rule = Callable[[ModuleCall], int]


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


def _free(_: ModuleCall) -> int:
    return 0


def _linear(run: ModuleCall) -> int:
    return rules.linear(run.first.shape, run.output.shape[-1])


def _norm(run: ModuleCall) -> int:
    affine = bool(getattr(run.module, "affine", False) or getattr(run.module, "elementwise_affine", False))
    return rules.norm(run.first.shape, affine)


def _each_output(run: ModuleCall) -> int:
    return rules.each(run.output.shape)


def _each_input(run: ModuleCall) -> int:
    return rules.each(run.first.shape)


def _convolution_of_call(run: ModuleCall) -> int:
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


def _recurrent(run: ModuleCall) -> int:
    module, shape = run.module, run.first.shape
    steps = shape[0] if len(shape) == 2 else shape[0] * shape[1]
    step = sum(_step(module, f"_l{layer}") for layer in range(module.num_layers))
    return int(step * steps * (2 if module.bidirectional else 1))


def _cell(run: ModuleCall) -> int:
    shape = run.first.shape
    return _step(run.module, "") * int(shape[0] if len(shape) == 2 else 1)


def _step(module: Any, layer: str) -> int:
    into, back = getattr(module, f"weight_ih{layer}"), getattr(module, f"weight_hh{layer}")
    both = (getattr(module, f"bias_{one}{layer}").shape[0] for one in ("ih", "hh")) if module.bias else ()
    kind = next(one for one in ("LSTM", "GRU", "RNN") if any(one in base.__name__ for base in type(module).__mro__))
    return rules.recurrent_step(kind, into.shape, back.shape, module.hidden_size, sum(both))


def _multihead(run: ModuleCall) -> int:
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


def _rows(run: ModuleCall) -> tuple[int, int, int]:
    """Batch, length and width of what an attention reads."""
    shape = run.first.shape
    if len(shape) != 3:
        name, numbers = type(run.module).__name__, len(shape) - 1
        raise RankError(f"{name} takes (tokens, width) and got {numbers} numbers: a shape has no batch dimension")
    return shape[0], shape[1], shape[2]


def _self_attention(run: ModuleCall) -> int:
    batch, length, hidden = _rows(run)
    heads, head, width = (getattr(run.module, name) for name in _NEEDED)
    return rules.self_attention(batch, length, hidden, heads, head, width)


def _albert_attention(run: ModuleCall) -> int:
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
    **{f"{kind}{size}d": _convolution_of_call for kind in ("Conv", "ConvTranspose") for size in (1, 2, 3)},
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


# Modules that cost the same: twelve equal layers are counted once.
#
# Two modules are alike if their classes, parameter shapes and settings are the same all the way down. Settings that
# cannot be compared by value are compared by identity, so that a doubt means: count again.


# which layer a module of transformers is, for its cache; it says nothing of what it computes
_POSITIONS = frozenset(("layer_idx", "layer_index", "layer_id"))
_PLAIN = (bool, int, float, str, bytes, type(None))
_OWN = frozenset(("_parameters", "_buffers", "_modules"))


def likeness(module: Any) -> Hashable:
    """Equal for two modules if they are alike."""
    library = type(module).__module__.startswith("transformers.")
    settings = tuple(
        (name, _value(value))
        for name, value in sorted(vars(module).items())
        if name not in _OWN and not (library and name in _POSITIONS)
    )
    tensors = tuple(
        (name, None if one is None else (tuple(one.shape), str(one.dtype), str(one.device)))
        for name, one in (*module._parameters.items(), *module._buffers.items())
    )
    parts = tuple((name, None if one is None else likeness(one)) for name, one in module._modules.items())
    return type(module), settings, tensors, parts


def _value(value: Any) -> Hashable:
    if type(value) in _PLAIN:
        return type(value).__name__, value
    if type(value) in (tuple, list):
        return type(value).__name__, tuple(map(_value, value))
    if isinstance(value, dict | set | frozenset) and not value:
        return type(value).__name__
    return id(value)


# Matrix products seen while a module runs, whoever asks for them: so that no unknown attention is free.
# The figures are what the published rules would give: a product costs its multiply-adds; a softmax between two
# products is an attention's, and costs two for each score (scale and softmax).

_SOFTMAX = ("_softmax", "_safe_softmax")
_SCALE_AND_SOFTMAX = 2


def product_macs(name: str, arguments: Sequence[Any], output: Any) -> int | None:
    """The multiply-adds of one operation of torch's, by its name and shapes; None where it is no product."""
    if name in _MATRICES:
        left, right = (arguments[at].shape for at in _MATRICES[name])
        return int(prod(left) * (right[-1] if len(right) > 1 else 1))
    if name == "convolution":
        return _convolution(arguments, output)
    if name.startswith("_scaled_dot_product"):
        query, key, value = (one.shape for one in arguments[:3])
        scores = prod(query[:-1]) * key[-2]
        return int(scores * (query[-1] + value[-1] + _SCALE_AND_SOFTMAX))
    return None


def _convolution(arguments: Sequence[Any], output: Any) -> int:
    weight, transposed = arguments[1].shape, arguments[6]
    return int(prod((arguments[0] if transposed else output).shape) * prod(weight[1:]))


# where the two matrices stand among the arguments
_MATRICES = {
    "mm": (0, 1),
    "bmm": (0, 1),
    "mv": (0, 1),
    "dot": (0, 1),
    "_int_mm": (0, 1),
    "_scaled_mm": (0, 1),
    "addmm": (1, 2),
    "baddbmm": (1, 2),
    "addbmm": (1, 2),
    "addmv": (1, 2),
    "_addmm_activation": (1, 2),
}


def watching(seen: Callable[[int, bool], None]) -> Any:
    """A context in which each product calls `seen` with its multiply-adds; a softmax too, with True."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
        def __torch_dispatch__(self, function: Any, types: Any, arguments: Any = (), named: Any = None) -> Any:
            name = function.overloadpacket.__name__
            if torch.is_inference_mode_enabled() and name not in _MATRICES:
                with self:
                    parts = function.decompose(*arguments, **(named or {}))
                if parts is not NotImplemented:
                    return parts
            output = function(*arguments, **(named or {}))
            if name in _SOFTMAX:
                seen(_SCALE_AND_SOFTMAX * prod(output.shape), True)
            else:
                macs = product_macs(name, arguments, output)
                if macs:
                    seen(macs, False)
            return output

    return Watch()  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class OperationCount:
    """Multiply-adds of a module on a shape; how many of them are an estimate, by class of module.

    `words` says that the input was numbers of words, not vectors.
    """

    macs: int
    estimated: dict[str, int] = field(default_factory=dict)
    words: bool = field(default=False, compare=False)


def count(module: Any, shape: Sequence[int]) -> OperationCount:
    """Run the module on one item of this shape and count. What the module raises is raised on."""
    errors: list[BaseException] = []
    for kind in _kinds(module, shape):
        counter = _Counter()
        try:
            counter.run(module, _item(module, shape, kind))
        except Exception as error:
            errors.append(error)
            continue
        return replace(counter.result(), words=kind == "words")
    raise errors[0]


def _kinds(module: Any, shape: Sequence[int]) -> Sequence[str]:
    """Numbers of words where the module has a table of words and the shape is a sequence; else vectors first."""
    import torch

    tables = any(isinstance(part, torch.nn.Embedding | torch.nn.EmbeddingBag) for part in module.modules())
    if not tables:
        return ("vectors",)
    return ("words", "vectors") if len(shape) == 1 else ("vectors", "words")


def _item(module: Any, shape: Sequence[int], kind: str) -> Any:
    import torch

    tensors = [*module.parameters(), *module.buffers()]
    device = tensors[0].device if tensors else torch.device("meta")
    floats = [one.dtype for one in tensors if one.is_floating_point()]
    number = torch.long if kind == "words" else floats[0] if floats else torch.get_default_dtype()
    return torch.zeros((1, *shape), dtype=number, device=device)


class _Counter:
    """The parts that are running now, and what has been counted."""

    def __init__(self) -> None:
        self._total = 0
        self._estimated: Counter[str] = Counter()
        self._running: list[Any] = []
        self._within: tuple[Any, Known] | None = None
        self._seen_within = 0
        # of each part, the scores that wait between two products
        self._waiting: dict[int, int] = {}

    def run(self, module: Any, item: Any) -> None:
        hooks = []
        for part in module.modules():
            hooks.append(part.register_forward_pre_hook(self._enter))
            hooks.append(part.register_forward_hook(self._leave, with_kwargs=True))
        module.eval()
        try:
            with watching(self._operation):
                module(item)
        finally:
            for hook in hooks:
                hook.remove()

    def result(self) -> OperationCount:
        return OperationCount(self._total, dict(sorted(self._estimated.items())))

    def _enter(self, part: Any, _: Any) -> None:
        self._running.append(part)
        if self._within is None:
            found = known(part)
            if found is not None:
                self._within = part, found
                self._seen_within = 0

    def _leave(self, part: Any, inputs: Any, named: Any, output: Any) -> None:
        self._running.pop()
        if self._within is None or self._within[0] is not part or any(one is part for one in self._running):
            return
        found = self._within[1]
        self._within = None
        try:
            macs = found.rule(ModuleCall(part, inputs, named, output))
        except RankError:
            if found.exact:
                raise
            self._add(self._seen_within, part)
            return
        except (AttributeError, KeyError, IndexError, StopIteration, TypeError, ValueError):
            self._add(self._seen_within, part)
            return
        if found.exact and self._seen_within <= macs:
            self._total += macs
        elif found.exact and found.base.startswith("nn."):
            # torch's own classes compute what their rule says; the rule has the last word
            self._total += macs
        else:
            self._add(max(macs, self._seen_within), part)

    def _operation(self, macs: int, softmax: bool) -> None:
        if self._within is not None:
            # the rules of known attentions have their softmax
            self._seen_within += 0 if softmax else macs
            return
        if softmax:
            self._wait(macs)
            return
        owner = self._running[-1]
        self._add(macs + self._waiting.get(id(owner), 0), owner)
        self._waiting[id(owner)] = 0

    def _wait(self, macs: int) -> None:
        """A softmax counts only before another product: that of a classifier is free. It may be a part of its own."""
        for owner in self._running[-1:-3:-1]:
            if id(owner) in self._waiting:
                self._waiting[id(owner)] += macs
                return

    def _add(self, macs: int, part: Any) -> None:
        self._total += macs
        if macs:
            self._estimated[type(part).__name__] += macs
