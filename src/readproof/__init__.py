"""readproof proves that a machine reader really reads.

    import readproof as rp

    run = rp.prove("zh", "dev.json", attacks=["addsent"])
    print(run.table())

`rp.prove`, `rp.compare`, `rp.load_reader` and the others named below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# the package that bears the name `prove` can be called like the function
_PLACES = {
    "prove": "readproof.prove",
    "rescore": "readproof.prove.run:rescore",
    "open_run": "readproof.prove.run:open_run",
    "compare": "readproof.prove.compare:compare",
    "build_suite": "readproof.prove.suite:build_suite",
    "load_reader": "readproof.readers.base:load_reader",
    "load": "readproof.tasks:load",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _PLACES[name].partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
