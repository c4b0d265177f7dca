"""The inner side of the hostile tests: runs one hostile file as a worker would, and gives a signed answer after it.

A hostile file calls `attempt(what, function)`: a function that returns has broken out, one that raises has not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from readproof.efficiency.sandbox_channel import open_channel


def attempt(what: str, function: Callable[[], object]) -> None:
    try:
        found = function()
    except Exception as error:
        os.write(2, f"HELD {what}: {type(error).__name__} {error}\n".encode(errors="replace"))
    else:
        os.write(2, f"BREACHED {what}: {found!r}\n".encode(errors="replace")[:500])


def main() -> None:
    channel = open_channel()
    request = json.loads(channel.request)
    path = Path(request["model"])
    exec(compile(path.read_bytes(), str(path), "exec"), {"attempt": attempt, "TARGET": request["target"]})
    channel.answer(b"an answer of ours")


if __name__ == "__main__":
    main()
