"""What a task's uploads must be, and what they score: the package checker first, the official scorer then.

A check never says anything that rests on an answer: it sees the test file as participants have it.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from readproof.board.basis import NO_BASIS, ScoringBasis, basis_of
from readproof.board.definition import Competition
from readproof.board.words import Refusal
from readproof.errors import InputError
from readproof.submit import CheckResult, check
from readproof.submit.archive import Budget, open_archive
from readproof.submit.gcrc import MOST_PREDICTIONS, PREDICTIONS
from readproof.submit.problems import Problems

_MOST_LISTED = 200
_GIGA, _MEGA = 1e9, 1e6


@dataclass(frozen=True, slots=True)
class ScoredUpload:
    """A score and the figures beside it; `same` is a digest of the predictions, `basis` what the score rests on."""

    score: float | None
    scores: dict[str, Any]
    same: str
    basis: ScoringBasis = NO_BASIS
    final: float | None = None
    final_scores: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class UploadVerdict:
    """Whether an upload is taken, and what is wrong with it, as records in both languages."""

    taken: bool
    problems: list[dict[str, Any]] = field(default_factory=list)


def check_upload(competition: Competition, path: Path, track: str) -> UploadVerdict:
    """Every problem that the package checker finds, held against the public test file."""
    task: Literal["gcrc", "celue"] = "gcrc" if competition.task == "gcrc" else "celue"
    of_track: Literal["closed", "open"] | None = (
        None if track not in ("closed", "open") or task == "celue" else "closed" if track == "closed" else "open"
    )
    try:
        found = check(path, tests=competition.test, track=of_track, task=task)
    except InputError as error:
        if error.file in map(str, competition.files):
            # no fault of the participant's
            raise Refusal("refused.test-file", 503) from None
        return UploadVerdict(False, [plain_problem(path.name, "", error.found, error.expected)])
    kinds = ("gcrc", "gcrc predictions") if task == "gcrc" else ("celue",)
    problems = _records(found)
    if found.kind not in kinds and not found.errors:
        expected = f"{PREDICTIONS} / GCRC_advRobust.zip" if task == "gcrc" else "submission_files/ (.zip)"
        problems.append(plain_problem(path.name, "", found.kind, expected))
        return UploadVerdict(False, problems)
    return UploadVerdict(not found.errors, problems)


def score_upload(competition: Competition, path: Path) -> ScoredUpload:
    """The official score of an upload that was taken."""
    basis = basis_of(competition)
    return replace(SCORERS[competition.task](competition, path), basis=basis)


def _gcrc(competition: Competition, path: Path) -> ScoredUpload:
    from readproof.tasks.metrics.triples import read_predictions
    from readproof.tasks.scoring import score

    def measured(file: Path, only: frozenset[str] | None = None) -> tuple[float, dict[str, Any]]:
        found = score("gcrc", file, competition.gold, metric=competition.metric, only=only)
        scores: dict[str, Any] = {name: value for name, value in found.exact.items() if name != "Score"}
        if "Score" in found.intervals:
            scores["interval"] = list(found.intervals["Score"])
        return found.exact["Score"], scores

    with _predictions(path) as file:
        rows = sorted((str(row.id), *map(str, row.letters)) for row in read_predictions(file).rows)
        if not competition.shared:
            return ScoredUpload(*measured(file), _digest(rows))
        public, rest = parted(competition)
        first, second = measured(file, public), measured(file, rest)
    return ScoredUpload(*first, _digest(rows), final=second[0], final_scores=second[1])


def parted(competition: Competition) -> tuple[frozenset[str], frozenset[str]]:
    """The ids of the gold by which the ranking goes, and those that decide at the end.

    Where an item belongs follows from its id and the secret text alone: a corrected gold moves no item.
    """
    from readproof.tasks import gcrc

    def share(name: str) -> float:
        return int.from_bytes(hashlib.sha256(f"{competition.split}|{name}".encode()).digest()[:8]) / 2**64

    ids = [item.id for item in gcrc.load(competition.gold)]
    public = frozenset(one for one in ids if share(one) < competition.public)
    rest = frozenset(ids) - public
    if not public or not rest:
        raise InputError(
            file=competition.gold,
            found=f"{len(public)} of {len(ids)} items in the public part",
            expected="some in both parts",
            do="Change public or split under [gold].",
        )
    return public, rest


@contextmanager
def _predictions(path: Path) -> Iterator[Path]:
    """The prediction file itself, or the one out of a package."""
    with path.open("rb") as file:
        if not file.read(4).startswith(b"PK"):
            yield path
            return
        archive = open_archive(file, path.name, Problems(), Budget.of(path.stat().st_size))
        entry = archive.named(PREDICTIONS) if archive else None
        if archive is None or entry is None:
            raise InputError(file=path.name, found=f"no {PREDICTIONS}", expected=f"{PREDICTIONS} in the package")
        data = archive.read(entry, MOST_PREDICTIONS)
    with tempfile.TemporaryDirectory(prefix="readproof-") as folder:
        taken = Path(folder) / PREDICTIONS
        taken.write_bytes(data)
        yield taken


def _celue(competition: Competition, path: Path) -> ScoredUpload:
    """Submitted code runs in the sandbox, in a process of its own; see docs/sandbox.md."""
    from readproof.efficiency.elue import load_curve
    from readproof.efficiency.evaluate import ElueSettings, evaluate
    from readproof.efficiency.predictions import ANSWER_KEYS
    from readproof.efficiency.submission import opened, task_files

    settings = ElueSettings(curve=load_curve(competition.curve), gold=competition.gold)
    found = evaluate(path, settings, path.name).score
    points = {
        task: [[gain.point.flops / _GIGA, gain.point.performance] for gain in one.gains]
        for task, one in found.tasks.items()
    }
    costs = [gain.point.flops / _GIGA for one in found.tasks.values() for gain in one.gains]
    scores: dict[str, Any] = {
        "GFLOPs": sum(costs) / len(costs) if costs else None,
        "Mparams": max((one.parameters for one in found.tasks.values()), default=0) / _MEGA,
        "tasks": {task: one.score for task, one in found.tasks.items()},
        "points": points,
    }
    if found.why:
        scores["why"] = found.why
    rows: list[Any] = []
    with opened(path) as folder:
        for task, files in sorted(task_files(folder, path.name)[0].items()):
            rows += [[task, sorted(_answers(file, ANSWER_KEYS[task]) for file in files.predictions)]]
    return ScoredUpload(found.mean, scores, _digest(rows))


def _answers(file: Path, key: str) -> str:
    """A digest of what was answered, whatever else stands in the lines and whatever it is said to have cost."""
    from readproof.efficiency.predictions import Line, read_lines

    return _digest([line.record.get(key) for line in read_lines(file, key) if isinstance(line, Line)])


SCORERS: dict[str, Callable[[Competition, Path], ScoredUpload]] = {"gcrc": _gcrc, "celue": _celue}


def _digest(rows: Any) -> str:
    return hashlib.sha256(json.dumps(rows, ensure_ascii=True).encode()).hexdigest()


def _records(found: CheckResult) -> list[dict[str, Any]]:
    """Errors first; a flood is cut and counted."""
    ordered = [*found.errors, *found.warnings]
    records: list[dict[str, Any]] = [
        {
            "code": one.code,
            "level": one.level,
            "file": one.file,
            "place": {"en": one.place_in("en"), "zh": one.place_in("zh")},
            "found": {"en": one.found.en, "zh": one.found.zh},
            "expected": {"en": one.expected.en, "zh": one.expected.zh},
        }
        for one in ordered[:_MOST_LISTED]
    ]
    more = len(ordered) - len(records) + sum(found.unlisted.values())
    return [*records, {"more": more}] if more else records


def plain_problem(file: str, place: str, found: str, expected: str) -> dict[str, Any]:
    """A problem that has no code; the same in both languages."""
    same = {"found": {"en": found, "zh": found}, "expected": {"en": expected, "zh": expected}}
    return {"code": "", "level": "error", "file": file, "place": {"en": place, "zh": place}, **same}
