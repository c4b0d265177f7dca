"""What a score of letters is worth: beside what guessing scores on the same file, and beside what others published.

One question in four is right by luck, and what luck scores on triples nobody knows by heart: so it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from typing import Literal

from readproof.items import ChoiceItem, Item, Triple, letter
from readproof.tasks.base import Score, Task

# which options of a question count as right
_Right = tuple[bool, ...]
# how likely a way of answering is to take one of them
_Chance = Callable[[_Right], float]

# how many columns the samples of these kinds have; a plug-in's metric may count something else
_COLUMNS = {"choice": 2, "triple": 4}


@dataclass(frozen=True, slots=True)
class Floor:
    """What a way of answering without reading scores on the gold file."""

    name: str
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Published:
    """What others reached, in which track, and on which set."""

    who: str
    track: str
    measured_on: str
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class References:
    """Floors and published rows in the score's own unit; `headline` is the figure that ranks them.

    `notes` say where the score cannot be told from a floor.
    """

    headline: str
    unit: Literal["share", "percent"]
    floors: tuple[Floor, ...]
    published: tuple[Published, ...]
    notes: tuple[str, ...]


def references(task: Task, result: Score, items: Iterable[Item]) -> References | None:
    """What to hold beside a score on these gold items; None for a task without options."""
    if _COLUMNS.get(task.kind) != len(result.sample.columns):
        return None
    same_text = task.kind == "choice" and result.metric == "strict"
    units = [unit for item in items if (unit := _unit(item, same_text))]
    if not units:
        return None
    headline = list(result.exact)[-1]
    floors = (
        Floor("uniform guessing", _expected(result, units, lambda right: sum(right) / len(right))),
        max(_letters(result, units), key=lambda floor: floor.scores[headline]),
    )
    return References(
        headline=headline,
        unit="share" if task.kind == "triple" else "percent",
        floors=floors,
        published=published(result.task, result.metric),
        notes=tuple(_notes(result, floors, headline)),
    )


@lru_cache(maxsize=16)
def published(task: str, metric: str) -> tuple[Published, ...]:
    """The published rows of a task that were measured by this metric."""
    text = files("readproof.tasks").joinpath("published.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("# ")]
    found = []
    for of_task, of_metric, measured_on, track, who, *scores in rows:
        if (of_task, of_metric) == (task, metric):
            pairs = (score.split("=") for score in scores)
            found.append(Published(who, track, measured_on, {name: float(value) for name, value in pairs}))
    return tuple(found)


def _unit(item: Item, same_text: bool) -> tuple[_Right, ...]:
    """What is right for each question of an item; nothing where a gold answer is unknown, as scorers leave it out."""
    found: list[_Right] = []
    for question in item.questions if isinstance(item, Triple) else (item,):
        if not isinstance(question, ChoiceItem) or question.answer is None:
            return ()
        gold = question.options[question.answer]
        options = enumerate(question.options)
        found.append(tuple(at == question.answer or (same_text and text == gold) for at, text in options))
    return tuple(found)


def _letters(result: Score, units: Sequence[tuple[_Right, ...]]) -> Iterator[Floor]:
    """Each letter as the answer to every question."""
    for at in range(max(len(right) for unit in units for right in unit)):
        yield Floor(f"always {letter(at)}", _expected(result, units, partial(_hit, at)))


def _hit(at: int, right: _Right) -> float:
    return float(at < len(right) and right[at])


def _expected(result: Score, units: Sequence[tuple[_Right, ...]], chance: _Chance) -> dict[str, float]:
    """The scores to expect where each question is answered for itself and is right by that chance; exact, not drawn."""
    import numpy

    rows: list[tuple[float, ...]] = []
    for unit in units:
        first, *others = (chance(right) for right in unit)
        if others:
            second, third = others
            rows.append((first, first * (second + third - second * third), first * second * third, 1.0))
        else:
            rows.append((first, 1.0))
    # the metric's own formula, from what it would have counted
    found = result.sample.statistic(numpy.asarray(rows).sum(axis=0))
    return {name: float(value) for name, value in found.items()}


def _notes(result: Score, floors: Sequence[Floor], headline: str) -> Iterator[str]:
    if headline not in result.intervals:
        yield f"{headline} has no interval (too few passages): it cannot be told from luck."
        return
    low, high = result.intervals[headline]
    reached = [f"{one.name} ({one.scores[headline]:.3f})" for one in floors if low <= one.scores[headline] <= high]
    above = [f"{one.name} ({one.scores[headline]:.3f})" for one in floors if one.scores[headline] > high]
    if above:
        yield f"{headline} is below that of {' and of '.join(above)}, which read nothing."
    if reached:
        yield (
            f"The interval of {headline}, {low:.3f} – {high:.3f}, includes that of {' and of '.join(reached)}: "
            "these predictions cannot be told from luck."
        )
