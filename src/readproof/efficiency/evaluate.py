"""The whole job: a package, its gold answers and a curve in; points and scores out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from readproof.efficiency.elue import (
    PARAMETER_LIMIT,
    Curve,
    EluePoint,
    ElueScore,
    TaskCurve,
    TaskScore,
    score,
    task_score,
)
from readproof.efficiency.flops import Costs, Runner, measure
from readproof.efficiency.modules import ModuleUse
from readproof.efficiency.predictions import Predictions, ProblemsError, SourceProblem, columns, read, whole_file
from readproof.efficiency.rules import FLOPS_PER_MAC
from readproof.efficiency.submission import TaskFiles, opened, task_files, top_of
from readproof.efficiency.trace_lint import passed_notes
from readproof.errors import InputError
from readproof.files import digest
from readproof.items import Item
from readproof.stats import Columns, Sample, intervals
from readproof.tasks import TASKS, Score
from readproof.tasks import Score as Performance
from readproof.tasks.layouts.closed import ClosedPredictions
from readproof.tasks.scoring import without_collector

# Prediction files of one task that are the same point: the score is a plain mean over files, so a copy moves it.
#
# The published formula has it so, and the score is left as it is; but a reader of the table should know.


class _File(NamedTuple):
    predictions: Predictions
    point: EluePoint


def copies(label: str, predictions: Sequence[Predictions], points: Sequence[EluePoint]) -> list[str]:
    """A note for each group of files that are alike, each by the strongest likeness that it has."""
    notes = []
    left = [_File(*pair) for pair in zip(predictions, points, strict=True)]
    for same, words in _LIKENESSES:
        groups = _grouped(left, same)
        for group in groups:
            if len(group) > 1:
                names = ", ".join(one.point.file for one in group)
                notes.append(
                    f"{label}: {words}: {names}; the score is the mean over all files, and each of them counts"
                )
        # what was told need not be told again by a weaker likeness
        left = [group[0] for group in groups]
    return notes


def _grouped(files: Sequence[_File], same: Callable[[_File, _File], bool]) -> list[list[_File]]:
    groups: list[list[_File]] = []
    for one in files:
        group = next((group for group in groups if same(group[0], one)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _same_bytes(one: _File, other: _File) -> bool:
    paths = one.predictions.path, other.predictions.path
    return paths[0].stat().st_size == paths[1].stat().st_size and digest(paths[0]) == digest(paths[1])


def _same_answers(one: _File, other: _File) -> bool:
    return _answers(one.predictions) == _answers(other.predictions)


def _answers(predictions: Predictions) -> object:
    found = predictions.answers
    return found.values if isinstance(found, ClosedPredictions) else found.lines


def _same_point(one: _File, other: _File) -> bool:
    known = one.point.performance is not None
    return known and (one.point.performance, one.point.flops) == (other.point.performance, other.point.flops)


_LIKENESSES = (
    (_same_bytes, "copies of one file"),
    (_same_answers, "files with the same answers"),
    (_same_point, "files with the same performance and FLOPs"),
)


# Gold answers for the tasks of a package: a folder with a file, or a folder, for each task.


_PREFERRED = ("gold", "test", "valid", "dev")
# where the published validation file has a name of its own
_PUBLISHED = {"wordseg-weibo": "nlpcc2016-wordseg-dev"}


@dataclass(frozen=True, slots=True)
class GoldItems:
    """The gold items of a task, in order."""

    path: Path
    items: Sequence[Item]


def load_gold(folder: Path, task: str) -> GoldItems:
    """The gold of a task: FOLDER/TASK.*, or in FOLDER/TASK/ gold.*, test.*, valid.* or dev.*, or the only file.

    The validation file of WordSeg-Weibo is known by its published name.
    """
    path = _find(folder, task)
    return GoldItems(path, list(TASKS.get(task).load(path)))


def _find(folder: Path, task: str) -> Path:
    if not folder.is_dir():
        raise InputError(file=folder, found="no such folder", expected="a folder with gold answers")
    beside = [path for path in sorted(folder.iterdir()) if path.is_file() and _stem(path) == task]
    inside = (
        [path for path in sorted((folder / task).iterdir()) if path.is_file() and not path.name.startswith(".")]
        if (folder / task).is_dir()
        else []
    )
    named = [path for name in (*_PREFERRED, _PUBLISHED.get(task)) for path in inside if _stem(path) == name]
    for found in (beside, named[:1], inside):
        if len(found) == 1:
            return found[0]
    names = ", ".join(path.name for path in (*beside, *inside)) or "nothing"
    raise InputError(
        file=folder,
        found=f"{names} for {task}",
        expected=f"one file {task}.*, or {task}/ with gold.*, test.*, valid.* or dev.*, or with one file",
        do=_naming(task, folder, [*beside, *inside]),
    )


def _naming(task: str, folder: Path, found: Sequence[Path]) -> str:
    """What to do about files none of which is known to be the gold."""
    if not found:
        return "Add it; without --gold only costs are shown."
    return f"Copy or link the one whose answers are to be scored against to {folder / f'{task}.*'}, with its ending."


def _stem(path: Path) -> str:
    return path.name.partition(".")[0]


# How sure a gain is: the items are drawn anew, and with them both the performance and the FLOPs of every point.


def gain_interval(
    scores: Sequence[Score],
    headlines: Sequence[str],
    macs: Sequence[Columns],
    curve: TaskCurve,
    *,
    extrapolate: bool = False,
) -> tuple[float, float] | None:
    """The 95 % interval of the mean gain over points that were measured on the same items; `macs` by item.

    None where it cannot be told: one item only, or items without gold.
    """
    import numpy

    groups = scores[0].sample.groups
    alike = all(numpy.array_equal(one.sample.groups, groups) for one in scores)
    if not alike or any(len(one) != len(groups) for one in macs):
        return None
    columns: list[Any] = [numpy.ones(len(groups))]
    widths = []
    for one, cost in zip(scores, macs, strict=True):
        columns += [*one.sample.columns, cost]
        widths.append(len(one.sample.columns))

    def statistic(sums: Columns) -> Mapping[str, Any]:
        total: Any = 0.0
        at = 1
        for one, headline, width in zip(scores, headlines, widths, strict=True):
            performance = one.sample.statistic(sums[..., at : at + width])[headline]
            flops = FLOPS_PER_MAC * sums[..., at + width] / sums[..., 0]
            total = total + performance - curve.at_all(flops, extrapolate=extrapolate)
            at += width + 1
        return {"gain": total / len(scores)}

    return intervals(Sample(columns, groups, statistic)).get("gain")


_HEADLINES = ("accuracy", "f1")


@dataclass(frozen=True, slots=True, kw_only=True)
class ElueSettings:
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

    score: ElueScore
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Read:
    """A task's files as read."""

    files: TaskFiles
    gold: GoldItems | None
    predictions: list[Predictions] = field(default_factory=list)


def evaluate(submission: Path, settings: ElueSettings, label: str = "") -> Evaluation:
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


def _read_task(files: TaskFiles, settings: ElueSettings, problems: list[SourceProblem]) -> _Read:
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


def _costs(read_tasks: Iterable[_Read], settings: ElueSettings) -> dict[str, Costs]:
    """Costs by task; a model file that several tasks have is run once for all of them."""
    wanted: dict[str, set[ModuleUse]] = {}
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


def _uncounted(one: _Read, costs: Costs) -> list[SourceProblem]:
    """A module that cannot be counted, at the first line that uses it."""
    problems = []
    for predictions in one.predictions:
        told: dict[ModuleUse, int] = {}
        lines = Counter(predictions.order)
        using: Counter[ModuleUse] = Counter()
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
            problems.append(SourceProblem(label, line, column, found, f"modules that {one.files.model.name} can run"))
    return problems


def _scored(task: str, one: _Read, costs: Costs, settings: ElueSettings, notes: list[str]) -> TaskScore:
    import numpy

    points: list[EluePoint] = []
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


def _performance(task: str, predictions: Predictions, gold: GoldItems | None) -> Performance | None:
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


def _point(predictions: Predictions, costs: Costs, price: Sequence[int], performance: Performance | None) -> EluePoint:
    lines = Counter(predictions.order)
    total = sum(price[number] * count for number, count in lines.items())
    guessed = sum(
        sum(costs.of[use].estimated for use in predictions.traces[number]) * count for number, count in lines.items()
    )
    headline = _headline(performance) if performance else ""
    return EluePoint(
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
