"""readproof proves that a machine reader really reads.

    import readproof as rp

    run = rp.prove("zh", "dev.json", attacks=["addsent"])
    print(run.table())

What is named here is loaded when it is first used; `import readproof` alone loads next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from readproof.api import Run as Run
    from readproof.api import answer as answer
    from readproof.api import attack as attack
    from readproof.api import compare as compare
    from readproof.api import harden as harden
    from readproof.api import open_run as open_run
    from readproof.api import prove as prove
    from readproof.api import report as report
    from readproof.api import rescore as rescore
    from readproof.api import score as score
    from readproof.api import suite as suite
    from readproof.errors import InputError as InputError
    from readproof.items import Answer as Answer
    from readproof.items import ChoiceItem as ChoiceItem
    from readproof.items import Item as Item
    from readproof.items import SpanItem as SpanItem
    from readproof.items import Triple as Triple
    from readproof.readers.api import Reader as Reader
    from readproof.readers.factory import load_reader as load_reader
    from readproof.tasks import Score as Score
    from readproof.tasks import load as load

__version__ = "0.1.0"

_API = ("Run", "answer", "attack", "compare", "harden", "open_run", "prove", "report", "rescore", "score", "suite")
_PLACES = dict.fromkeys(_API, "readproof.api") | {
    "Answer": "readproof.items",
    "ChoiceItem": "readproof.items",
    "InputError": "readproof.errors",
    "Item": "readproof.items",
    "Reader": "readproof.readers.api",
    "Score": "readproof.tasks",
    "SpanItem": "readproof.items",
    "Triple": "readproof.items",
    "load": "readproof.tasks",
    "load_reader": "readproof.readers.factory",
}

__all__ = [*sorted(_PLACES), "__version__"]  # pyright: ignore[reportUnsupportedDunderAll]


if not TYPE_CHECKING:  # so that a type checker knows the names above and no others

    def __getattr__(name: str) -> object:
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        found = getattr(import_module(_PLACES[name]), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *_PLACES})
