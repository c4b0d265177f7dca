"""Matrix products seen while a module runs, whoever asks for them: so that no unknown attention is free.

The figures are what the published rules would give: a product costs its multiply-adds; a softmax between two products
is an attention's, and costs two for each score (scale and softmax).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

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
