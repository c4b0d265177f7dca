"""What a hostile or broken package is: how it is made, and the code and the place that a check must give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

PACKAGE = "GCRC_advRobust.zip"


@dataclass(frozen=True, kw_only=True)
class Case:
    """A package; `also` are the other codes that may follow from the same fault."""

    name: str
    make: Callable[[], bytes]
    code: str
    file: str
    place: str | None = ""
    also: tuple[str, ...] = ()
    called: str = PACKAGE
    options: dict[str, str] = field(default_factory=dict)
    compared: bool = True
