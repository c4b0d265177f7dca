"""What a task is: one file format, its predictions, and its ways to score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TextIO

from readproof.items import Answer, Item
from readproof.stats import Sample

Kind = Literal["span", "choice", "triple", "label", "tags"]


@dataclass(frozen=True, slots=True)
class Peek:
    """The beginning of a data file: its JSON layout, the keys beside `data`, the first record; its first lines."""

    path: Path
    layout: Literal["data", "list", "objects", "text", "empty"]
    header: Mapping[str, Any]
    first: Any
    head: str


@dataclass(frozen=True, slots=True)
class Score:
    """A score with all that is needed to judge it.

    `official` has the keys and types that the published scorer prints; `exact` the unrounded figures; `counts` how many
    items there were and what was wrong with the predictions; `intervals` the 95 % intervals; `sample` what was counted
    for each unit, for paired tests.
    """

    task: str
    metric: str
    official: Mapping[str, Any]
    exact: Mapping[str, float]
    counts: Mapping[str, int]
    intervals: Mapping[str, tuple[float, float]]
    sample: Sample
    notes: tuple[str, ...] = ()


# predictions as a task's `read_predictions` gives them: each metric knows its task's shape
Predictions = Any
Metric = Callable[[Iterable[Item], Predictions], Score]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A data set's file format and its scorers. The first metric is the default one.

    `proof` is the metric that proofs measure answers by, where the first cannot tell wrong ones from right ones.
    `genuine` tells the published files from those of one's own in the same layout: only they are cited, and have its
    licence; None where every file is the data set's.
    `streams`: `write_predictions` writes item by item, and looks an answer up only while its item is the last it took.
    """

    name: str
    title: str
    kind: Kind
    languages: tuple[str, ...]
    recognise: Callable[[Peek], bool]
    load: Callable[[Path], Iterator[Item]]
    read_predictions: Callable[[Path], Predictions]
    write_predictions: Callable[[Iterable[Item], Mapping[str, Answer], TextIO], None]
    metrics: Mapping[str, Metric]
    licence: str = "not stated"
    citation: str = ""
    labels: tuple[str, ...] = field(default=())
    streams: bool = False
    proof: str = ""
    genuine: Callable[[Peek], bool] | None = None

    def cited(self, path: Path) -> tuple[str, str]:
        """The licence and the citation of a data file; ("", "") for one of the user's own."""
        if self.genuine is not None:
            from readproof.tasks import peek

            if not self.genuine(peek(path)[0]):
                return "", ""
        return self.licence, self.citation
