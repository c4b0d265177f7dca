"""The main job: prove that a reader reads. Clean score, probes, attacks and a verdict, in a run folder.

>>> import readproof as rp
>>> run = rp.prove("zh", "dev.json", attacks=["addsent"])   # doctest: +SKIP
>>> print(run.table())                                      # doctest: +SKIP
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from readproof.prove.cases import Case, cases
from readproof.prove.compare import Comparison, compare
from readproof.prove.model import Scores, Timings
from readproof.prove.run import Run, open_run, prove, rescore
from readproof.prove.suite import build_suite, read_suite

__all__ = [
    "Case",
    "Comparison",
    "Run",
    "Scores",
    "Timings",
    "build_suite",
    "cases",
    "compare",
    "open_run",
    "prove",
    "read_suite",
    "rescore",
]


class _Callable(ModuleType):
    """`rp.prove(...)`: the package bears the name of its main function, so it can be called like it."""

    def __call__(self, *arguments: Any, **options: Any) -> Run:
        return prove(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
