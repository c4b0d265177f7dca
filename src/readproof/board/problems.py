"""What a check found, put together: one entry a code, with how often it was found and where first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_PLACES = 5


@dataclass(frozen=True, slots=True)
class ProblemGroup:
    """Problems of one code in one file; `first` is the record of the first one, `places` are those of the first few."""

    first: dict[str, Any]
    count: int
    places: tuple[dict[str, str], ...]

    @property
    def more(self) -> int:
        """How many are not among the places."""
        return self.count - max(1, len(self.places))


def grouped(problems: Iterable[dict[str, Any]]) -> tuple[list[ProblemGroup], int]:
    """The groups in the order of their first problems, and how many problems were not written down at all.

    Problems without a code are told apart by what they say.
    """
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    unlisted = 0
    for one in problems:
        if "more" in one:
            unlisted += int(one["more"])
            continue
        by = (one["code"],) if one["code"] else ("", one["found"]["en"], one["expected"]["en"])
        found.setdefault((one["level"], one["file"], *by), []).append(one)
    return [_group(many) for many in found.values()], unlisted


def _group(many: Sequence[dict[str, Any]]) -> ProblemGroup:
    places = [one["place"] for one in many if one["place"]["en"]]
    return ProblemGroup(many[0], len(many), tuple(places[:_PLACES]))
