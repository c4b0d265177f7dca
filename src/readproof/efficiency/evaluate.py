"""The whole job: a package, its gold answers and a curve in; points and scores out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from readproof.efficiency.copies import copies
from readproof.efficiency.curve import Curve
from readproof.efficiency.elue import PARAMETER_LIMIT, Point, Score, TaskScore, score, task_score
from readproof.efficiency.flops import Costs, Runner, measure
from readproof.efficiency.gold import Gold, load_gold
from readproof.efficiency.intervals import gain_interval
from readproof.efficiency.modules import Use
from readproof.efficiency.passed import passed_notes
from readproof.efficiency.predictions import Predictions, columns, read
from readproof.efficiency.problems import Problem, ProblemsError, whole_file
from readproof.efficiency.rules import FLOPS_PER_MAC
from readproof.efficiency.submission import TaskFiles, opened, task_files, top_of
from readproof.errors import InputError
from readproof.files import digest
from readproof.tasks import TASKS
from readproof.tasks import Score as Performance
from readproof.tasks.scoring import without_collector

_HEADLINES = ("accuracy", "f1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to evaluate: see `readproof elue --help`."""

    curve: Curve | None = None
    gold: Path | None = None
    inclusive: bool = False
    extrapolate: bool = False
    limit: int = PARAMETER_LIMIT
    trust: bool = False
    run: Runner | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The score of a submission, and what there is to know beside it."""

    score: Score
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Read:
    """A task's files as read."""

    files: TaskFiles
    gold: Gold | None
    predictions: list[Predictions] = field(default_factory=list)


def evaluate(submission: Path, settings: Settings, label: str = "") -> Evaluation:
    """Read, count and score a submission, spoken of by `label`. All problems of all its files are raised together."""
    label = label or submission.name or str(submission)
    with opened(submission) as folder, _spoken_of(top_of(folder), label), without_collector():
        tasks, problems, notes = task_files(folder, label)
        found = {task: _read_task(files, settings, problems) for task, files in tasks.items()}
        if problems:
            raise ProblemsError(problems)
        costs = _costs(found.values(), settings)
        for task, one in found.items():
            problems += _uncounted(one, costs[task])
        if problems:
            raise ProblemsError(problems)
        scores = {task: _scored(task, one, costs[task], settings, notes) for task, one in found.items()}
    return Evaluation(score(label, scores, limit=settings.limit), tuple(dict.fromkeys(notes)))


@contextmanager
def _spoken_of(folder: Path, label: str) -> Iterator[None]:
    """Errors in here name a file by the package that it came in, not by the folder that this was unpacked to."""
    try:
        yield
    except InputError as error:
        path, whole = Path(error.file), str(folder.resolve())
        if not error.file or not path.is_relative_to(folder):
            raise
        raise InputError(
            file=f"{label}/{path.relative_to(folder).as_posix()}",
            place=error.place,
            found=error.found.replace(whole, label),
            expected=error.expected,
            do=error.do.replace(whole, label),
        ) from None


def _read_task(files: TaskFiles, settings: Settings, problems: list[Problem]) -> _Read:
    gold = load_gold(settings.gold, files.task) if settings.gold else None
    found = _Read(files, gold)
    for path in files.predictions:
        label = f"{files.label}/{path.name}"
        try:
            predictions, wrong = read(files.task, path, inclusive=settings.inclusive)
        except InputError as error:
            problems.append(whole_file(label, error.found, error.expected))
            continue
        problems += [replace(problem, file=label) for problem in wrong]
        if predictions is None:
            continue
        if gold and len(predictions.order) != len(gold.items):
            lines = f"{len(predictions.order):,} lines"
            problems.append(whole_file(label, lines, f"{len(gold.items):,}: one for each item of {gold.path}"))
        found.predictions.append(predictions)
    return found


def _costs(read_tasks: Iterable[_Read], settings: Settings) -> dict[str, Costs]:
    """Costs by task; a model file that several tasks have is run once for all of them."""
    wanted: dict[str, set[Use]] = {}
    models: dict[str, Path] = {}
    keys: dict[str, str] = {}
    for one in read_tasks:
        key = f"{digest(one.files.model)}{one.files.model.suffix}"
        keys[one.files.task] = key
        models.setdefault(key, one.files.model)
        for predictions in one.predictions:
            wanted.setdefault(key, set()).update(predictions.uses())
    found = {key: measure(models[key], wanted[key], trust=settings.trust, run=settings.run) for key in models}
    return {task: found[key] for task, key in keys.items()}


def _uncounted(one: _Read, costs: Costs) -> list[Problem]:
    """A module that cannot be counted, at the first line that uses it."""
    problems = []
    for predictions in one.predictions:
        told: dict[Use, int] = {}
        lines = Counter(predictions.order)
        using: Counter[Use] = Counter()
        for number, trace in enumerate(predictions.traces):
            for use in set(trace) & set(costs.faults):
                using[use] += lines[number]
        for line, trace in sorted(zip(predictions.first, predictions.traces, strict=True)):
            for use in trace:
                if use in costs.faults:
                    told.setdefault(use, line)
        if not told:
            continue
        label = f"{one.files.label}/{predictions.path.name}"
        at = columns(one.files.task, predictions.path, [(line, use) for use, line in told.items()])
        for use, line in told.items():
            found = f"{use} in {using[use]:,} line{'s' * (using[use] != 1)}: {costs.faults[use]}"
            column = at.get((line, use), 1)
            problems.append(Problem(label, line, column, found, f"modules that {one.files.model.name} can run"))
    return problems


def _scored(task: str, one: _Read, costs: Costs, settings: Settings, notes: list[str]) -> TaskScore:
    import numpy

    points: list[Point] = []
    performances: list[Performance] = []
    macs: list[Any] = []
    for predictions in one.predictions:
        label = f"{one.files.label}/{predictions.path.name}"
        price = [costs.macs(trace) for trace in predictions.traces]
        performance = _performance(task, predictions, one.gold)
        if performance:
            performances.append(performance)
            notes += [f"{label}: {note}" for note in performance.notes]
        macs.append(numpy.asarray(price, dtype=float)[numpy.asarray(predictions.order)])
        points.append(_point(predictions, costs, price, performance))
        notes += passed_notes(label, task, predictions, costs)
    notes += copies(one.files.label, one.predictions, points)
    notes += _cost_notes(one.files.label, costs, settings.limit)
    curve = settings.curve.tasks.get(task) if settings.curve else None
    interval = None
    if curve and one.gold and len(performances) == len(points):
        notes += _other_gold(one.files.label, curve.items, len(one.gold.items))
        interval = gain_interval(
            performances, [_headline(found) for found in performances], macs, curve, extrapolate=settings.extrapolate
        )
    return task_score(task, points, settings.curve, extrapolate=settings.extrapolate, interval=interval)


def _performance(task: str, predictions: Predictions, gold: Gold | None) -> Performance | None:
    if gold is None:
        return None
    try:
        return TASKS.get(task).metrics["official"](gold.items, predictions.answers)
    except InputError as error:
        if error.file:
            raise
        raise InputError(
            file=gold.path, place=error.place, found=error.found, expected=error.expected, do=error.do
        ) from None


def _point(predictions: Predictions, costs: Costs, price: Sequence[int], performance: Performance | None) -> Point:
    lines = Counter(predictions.order)
    total = sum(price[number] * count for number, count in lines.items())
    guessed = sum(
        sum(costs.of[use].estimated for use in predictions.traces[number]) * count for number, count in lines.items()
    )
    headline = _headline(performance) if performance else ""
    return Point(
        file=predictions.path.name,
        items=len(predictions.order),
        flops=FLOPS_PER_MAC * total / len(predictions.order),
        parameters=costs.parameters,
        performance=performance.exact[headline] if performance else None,
        interval=performance.intervals.get(headline) if performance else None,
        estimated=guessed / total if total else 0.0,
    )


def _headline(performance: Performance) -> str:
    return next(name for name in _HEADLINES if name in performance.exact)


def _cost_notes(label: str, costs: Costs, limit: int) -> list[str]:
    notes = [f"{label}: {note}" for note in costs.notes]
    if costs.estimated:
        notes.append(
            f"{label}: the published counter does not know {', '.join(costs.estimated)}; the products that "
            "they compute were traced and added as an estimate"
        )
    if costs.frozen:
        rest = f"{costs.frozen:,} frozen parameters are not counted by the published counter"
        over = ", and with them the model is over the limit" if costs.parameters <= limit < _all(costs) else ""
        notes.append(f"{label}: {rest}{over}")
    return notes


def _all(costs: Costs) -> int:
    return costs.parameters + costs.frozen


def _other_gold(label: str, expected: int | None, found: int) -> list[str]:
    if expected in (None, found):
        return []
    return [f"{label}: the curve was measured on {expected:,} items, these are {found:,}: are they the same set?"]


def by_task(evaluations: Sequence[Evaluation]) -> Mapping[str, list[tuple[str, TaskScore]]]:
    """The scores of several submissions, task by task."""
    found: dict[str, list[tuple[str, TaskScore]]] = {}
    for one in evaluations:
        for task, scored in one.score.tasks.items():
            found.setdefault(task, []).append((one.score.name, scored))
    return dict(sorted(found.items()))
