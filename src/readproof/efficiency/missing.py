"""What to say of a module that a model does not have: the names that it does have, and the one that may be meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

_LISTED = 16


def no_such_module(where: str, name: str, names: Iterable[str]) -> str:
    """`where` is what has the names: module_list, the description."""
    known = list(names)
    listed = ", ".join(known[:_LISTED]) + (f" and {len(known) - _LISTED} more" if len(known) > _LISTED else "")
    # layer_13 of a model with twelve layers is no slip of the pen for layer_3
    near = get_close_matches(name, [one for one in known if _number(one) == _number(name)], n=1, cutoff=0.5)
    rest = f"did you mean {near[0]}? It has {listed}" if near else f"it has {listed}"
    return f"{where} has no such module; {rest}"


def _number(name: str) -> list[str]:
    return re.findall(r"[0-9]+", name)
