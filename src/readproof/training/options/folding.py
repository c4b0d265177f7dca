"""A stage judged by its own questions: each part of its passages is left out in turn, and then asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from readproof.errors import InputError
from readproof.items import Triple
from readproof.tasks.metrics.triples import PredictedTriple
from readproof.training.choosing import ChosenPoint, Judge, train_job
from readproof.training.fit import Loss
from readproof.training.options.bench import OptionBench, figures
from readproof.training.options.families import families, fold_of
from readproof.training.options.measure import option_loss
from readproof.training.options.model import OptionReader
from readproof.training.options.recipe import OptionStage
from readproof.training.options.records import Group
from readproof.training.options.turned import SHARES, answered, mixed, triples_of, turned_scores
from readproof.training.options.windows import OptionBatch, OptionExamples, OptionWindows
from readproof.training.site import Judged

# How a job of a teacher begins, and by what it learns.


_TEACHER_SEED = 1234


def begun(bench: OptionBench, before: str | None, seed: int) -> OptionReader:
    torch.manual_seed(_TEACHER_SEED + seed)  # new heads are drawn from it
    state = bench.work.load(before) if before else bench.start.state()
    teachers = bench.plan.teachers
    return bench.reader(state, dropout=teachers.dropout, frozen=teachers.frozen)


def gold_loss(reader: OptionReader, stage: OptionStage) -> Loss:
    def loss(batch: OptionBatch) -> Tensor:
        logits, rated = reader(batch)
        return option_loss(logits, rated, batch, stage.weights)

    return loss


def no_judge(readers: Sequence[Any]) -> Judged:  # noqa: ARG001 -- the last weights are kept, whatever they score
    return {}, None


FOLD = "fold"


def fold_jobs(job: str, stage: OptionStage) -> list[str]:
    """The jobs of a stage that is judged by folds."""
    folded = stage.choose in ("folds", "turned")
    return [f"{job}-fold-{number + 1}" for number in range(stage.folds)] if folded else []


def judged_by_folds(
    bench: OptionBench, job: str, before: str | None, stage: OptionStage, seed: int
) -> dict[str, dict[str, Any]]:
    """The scores of every point over all folds together."""
    for part, learnt, left in folds_of(bench, job, stage):
        if bench.work.result(part) is None:
            judge = _judge_of(bench, bench.cut(left))
            _train_fold(bench, part, before, stage, seed, learnt, judge=judge, wanted=ChosenPoint())
    return pooled([bench.work.result(part) or {} for part in fold_jobs(job, stage)])


def judged_by_turned(
    bench: OptionBench, job: str, before: str, stage: OptionStage, seed: int
) -> dict[str, dict[str, Any]]:
    """For every share of the stage's own weights its figures on turned questions, over all folds together."""
    name = f"{job}-turned"
    if bench.work.result(name) is None:
        bench.work.finish(name, _turned(bench, job, before, stage, seed))
    for part in fold_jobs(job, stage):
        bench.work.drop(part)
    return bench.work.result(name) or {}


def _turned(bench: OptionBench, job: str, before: str, stage: OptionStage, seed: int) -> dict[str, dict[str, Any]]:
    folds = [(part, learnt, triples_of(left)) for part, learnt, left in folds_of(bench, job, stage)]
    if not any(triples for _, _, triples in folds):
        found = "no question whose options can be turned"
        raise InputError(place=job, found=found, expected="some", do='Use choose = "folds" or "end".')
    first = bench.work.load(before)
    triples: list[Triple] = []
    rows: dict[float, list[PredictedTriple]] = {share: [] for share in SHARES}
    tokenizer = bench.start.bert.vocabulary.tokenizer()
    for part, learnt, these in folds:
        if bench.work.result(part) is None:
            _train_fold(bench, part, before, stage, seed, learnt, judge=no_judge)
        last = bench.work.load(part)
        triples += these
        for share in SHARES:
            reader = bench.reader(mixed(first, last, share))
            rows[share] += answered(reader, these, tokenizer, bench.plan.manner, size=bench.at_once)
        bench.free()
        if triples:
            scores = [f"{share}: {turned_scores(triples, rows[share])['Score']:.1f}" for share in SHARES]
            bench.say(
                f"{part}: {len(triples)} turned questions so far, by the share of its weights {', '.join(scores)}"
            )
    return {f"{share}": turned_scores(triples, some) for share, some in rows.items()}


def folds_of(bench: OptionBench, job: str, stage: OptionStage) -> Iterator[tuple[str, list[Group], list[Group]]]:
    """Each fold's job, the groups it learns from and those it is asked about; copies of a text are in one fold."""
    groups = {name: bench.windows(name).groups for name in bench.there(stage.sets, job)}
    family = families(group.passage for some in groups.values() for group in some)
    asked = [name for name in stage.folded or groups if name in groups]
    _told_of_leaks(bench, job, stage, {group.passage for name in asked for group in groups[name]})
    for number, part in enumerate(fold_jobs(job, stage)):
        inside = {passage for passage in family if fold_of(passage, stage.folds, family) == number}
        learnt = [one for some in groups.values() for one in some if one.passage not in inside]
        left = [one for name in asked for one in groups[name] if one.passage in inside]
        if not learnt or not left:
            found = f"{len(family)} passages, too few for {stage.folds} folds"
            raise InputError(place=job, found=found, expected="passages in every fold", do="Use fewer folds.")
        yield part, learnt, left


def _train_fold(
    bench: OptionBench,
    part: str,
    before: str | None,
    stage: OptionStage,
    seed: int,
    learnt: Sequence[Group],
    *,
    judge: Judge,
    wanted: ChosenPoint | None = None,
) -> None:
    reader, windows = begun(bench, before, seed), bench.cut(learnt)
    train_job(
        bench,
        part,
        reader,
        OptionExamples(windows, stage.coarse),
        gold_loss(reader, stage),
        replace(stage.fit, seed=seed),
        size=len(windows.tokens),
        judge=judge,
        wanted=wanted,
    )


def _told_of_leaks(bench: OptionBench, job: str, stage: OptionStage, passages: set[str]) -> None:
    """Folds keep a stage from what it is judged by; what stages before it have seen they cannot take back."""
    stages = bench.plan.teachers.stages
    earlier = [name for one in stages[: stages.index(stage)] for name in one.sets if bench.has(name)]
    seen = {group.passage for name in earlier for group in bench.windows(name).groups} & passages
    if seen:
        bench.say(f"{job}: stages before it have seen {len(seen)} of the {len(passages)} passages it is judged by")


def pooled(results: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The points of several folds as one: shares weighed by how much there was to answer."""
    out: dict[str, dict[str, Any]] = {}
    for point in results[0]["points"]:
        each = [result["points"][point]["scores"][FOLD] for result in results]
        questions, statements = (sum(one[key] for one in each) for key in ("questions", "statements"))
        choice = sum((one["choice"] or 0.0) * one["questions"] for one in each) / questions if questions else None
        truth, loss = (sum(one[key] * one["statements"] for one in each) / statements for key in ("truth", "loss"))
        found = {"choice": choice, "truth": truth, "loss": loss, "questions": questions, "statements": statements}
        out[point] = {"select": truth if choice is None else choice, "scores": {FOLD: found}}
    return out


def _judge_of(bench: OptionBench, left: OptionWindows) -> Judge:
    def judge(readers: Sequence[Any]) -> Judged:
        found = bench.measured(readers, left)
        return {FOLD: figures(found)}, found.main

    return judge
