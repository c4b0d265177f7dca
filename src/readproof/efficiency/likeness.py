"""Modules that cost the same: twelve equal layers are counted once.

Two modules are alike if their classes, parameter shapes and settings are the same all the way down. Settings that
cannot be compared by value are compared by identity, so that a doubt means: count again.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

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
