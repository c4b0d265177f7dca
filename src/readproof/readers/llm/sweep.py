"""How a language model is best asked: prompts, ways to join the questions of a triple, ways to find the letter, orders.

Every combination answers the same items. They go through the items together, some items at a time, so that requests
which begin with the same words follow each other and the server's prefix cache helps.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.items import Answer, Item, Triple, without_gold
from readproof.readers.api import TRIPLES, ReaderOptions, need, questions_of
from readproof.readers.llm.reader import LanguageModelReader, open_llm
from readproof.readers.llm.spec import with_options
from readproof.readers.usage import figures_of
from readproof.tasks import Score, Task, find

# items that all combinations answer before the next ones
_TOGETHER = 4
# how far it is: questions answered, of how many
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One combination: its options, its score, the figures of its requests."""

    options: Mapping[str, str]
    score: Score
    figures: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The options as a spec takes them."""
        return "&".join(f"{name}={value}" for name, value in self.options.items())


@dataclass(frozen=True, slots=True)
class Sweep:
    """All combinations, the best first; `left` are those that do not go together, each with the reason."""

    task: str
    items: int
    rows: tuple[SweepRow, ...]
    left: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Runner:
    options: Mapping[str, str]
    reader: LanguageModelReader
    answers: dict[str, Answer] = field(default_factory=dict)


def combinations(grid: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    """Every combination of the values, those that ask in the same words next to each other."""
    for values in product(*grid.values()):
        yield {name: value for name, value in zip(grid, values, strict=True) if value}


def sweep(
    reader: str,
    data: str,
    grid: Mapping[str, Sequence[str]],
    *,
    limit: int | None = None,
    progress: Progress | None = None,
    before: Callable[[Sequence[tuple[LanguageModelReader, list[tuple[Item, ...]]]]], None] | None = None,
) -> Sweep:
    """Answers the items of a file under every combination of options, and scores each.

    READER is the spec `llm:ADDRESS#MODEL`, whose own options hold where the grid says nothing; GRID has the values of
    options by name. BEFORE is called with the readers and what each will be asked.
    """
    task, path = find(data)
    items = list(islice(task.load(path), limit))
    if not items:
        raise InputError(file=path, found="no items", expected="questions to answer")
    runners, left = _opened(reader, grid, items)
    if not runners:
        why = "; ".join(f"{name}: {reason}" for name, reason in left)
        raise InputError(place=reader.partition("#")[0], found=f"no combination that can be asked ({why})", expected="")
    clients = [one.reader.endpoint.client for one in runners]
    for client in clients:
        client.share_budget(clients)
    if before is not None:
        before([(one.reader, _groups(one.reader, items)) for one in runners])
    total = sum(len(questions_of(item)) for item in items) * len(runners)
    done = 0
    for at in range(0, len(items), _TOGETHER):
        some = items[at : at + _TOGETHER]
        for one in runners:
            groups = _groups(one.reader, some)
            with closing(one.reader.stream(groups)) as stream:
                for _, answers in stream:
                    one.answers |= {answer.id: answer for answer in answers}
                    done += len(answers)
                    if progress is not None:
                        progress(done, total)
    rows = [SweepRow(one.options, _scored(task, items, one.answers), _figures(one.reader)) for one in runners]
    for one in runners:
        one.reader.close()
    rows.sort(key=lambda row: -main_of(row.score))
    return Sweep(task.name, len(items), tuple(rows), tuple(left))


def main_of(score: Score) -> float:
    """The figure that a task is ranked by."""
    names = {name.casefold(): name for name in score.exact}
    return score.exact[
        next((names[one] for one in ("score", "f1", "accuracy") if one in names), next(iter(score.exact)))
    ]


def _opened(
    reader: str, grid: Mapping[str, Sequence[str]], items: Sequence[Item]
) -> tuple[list[_Runner], list[tuple[str, str]]]:
    runners: list[_Runner] = []
    left: list[tuple[str, str]] = []
    for options in combinations(grid):
        try:
            opened = open_llm(with_options(reader, options), ReaderOptions())
            for item in items:
                for asked in (item,) if TRIPLES in opened.capabilities else questions_of(item):
                    need(opened, asked)
        except InputError as error:
            if error.place == "prompt" or "option" in str(error.place):
                raise
            left.append(("&".join(f"{name}={value}" for name, value in options.items()), error.found))
            continue
        runners.append(_Runner(options, opened))
    return runners, left


def _groups(reader: LanguageModelReader, items: Sequence[Item]) -> list[tuple[Item, ...]]:
    groups: list[tuple[Item, ...]] = []
    for item in items:
        questions = tuple(map(without_gold, questions_of(item)))
        whole = TRIPLES in reader.capabilities and isinstance(item, Triple)
        groups += [questions] if whole else [(one,) for one in questions]
    return groups


def _scored(task: Task, items: Sequence[Item], answers: Mapping[str, Answer]) -> Score:
    """The task's own score, by way of the task's own file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.json"
        with path.open("w", encoding="utf-8") as file:
            task.write_predictions(items, answers, file)
        metric = next(iter(task.metrics.values()))
        return metric(items, task.read_predictions(path))


def _figures(reader: LanguageModelReader) -> dict[str, Any]:
    return {**figures_of(reader.usage()), **reader.figures()}
