"""What torch says when a shape does not fit a module, in the words of shapes; other errors stay as they are."""

from __future__ import annotations

import re

# torch's texts on the processor and on the meta device, with what came and what was wanted
_WIDTHS = (
    re.compile(r"shapes cannot be multiplied \([0-9]+x(?P<came>[0-9]+) and (?P<wanted>[0-9]+)x[0-9]+\)"),
    re.compile(r"same reduction dim, but got \[[0-9]+, (?P<came>[0-9]+)\] X \[(?P<wanted>[0-9]+), [0-9]+\]"),
    re.compile(r"normalized_shape=\[(?P<wanted>[0-9]+)\].* of size\D*\[(?:[0-9]+, )*(?P<came>[0-9]+)\]"),
    re.compile(r"must be equal to input_size\. Expected (?P<wanted>[0-9]+), got (?P<came>[0-9]+)"),
)
_BATCHED = re.compile(r"unbatched 2D or batched 3D tensor but received 4-D")


def plainly(text: str) -> str:
    """The fault of a shape in plain words; nothing where the text is of another kind."""
    for pattern in _WIDTHS:
        found = pattern.search(text)
        if found:
            return f"a part of it takes vectors of {found['wanted']} numbers and got {found['came']}"
    return "its attention takes (tokens, width): a shape has no batch dimension" if _BATCHED.search(text) else ""
