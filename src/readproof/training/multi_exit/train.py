"""A whole multi-exit training, from data and start weights to a reader's folder; killed and called again it goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from readproof.errors import InputError
from readproof.files import check_folder, writing
from readproof.readers.exits.manner import read_manner, write_manner
from readproof.readers.exits.trace import parameters
from readproof.training.begin import need_own
from readproof.training.choosing import train_job
from readproof.training.clock import Clock
from readproof.training.device import device_name
from readproof.training.encoder import chosen_layers, encoder_from
from readproof.training.export import Precision
from readproof.training.fit import ahead
from readproof.training.model import plain_state
from readproof.training.multi_exit.bench import ExitBench, in_words
from readproof.training.multi_exit.folder import write_reader
from readproof.training.multi_exit.losses import exit_loss
from readproof.training.multi_exit.masked import JOB as MASKED
from readproof.training.multi_exit.masked import masked_job
from readproof.training.multi_exit.model import MultiExit, multi_exit_from
from readproof.training.multi_exit.prune import importance, narrowed
from readproof.training.multi_exit.recipe import ExitPlan, check_exit_plan
from readproof.training.multi_exit.said import Said, save_said
from readproof.training.multi_exit.sets import task_parts, with_first, write_gold
from readproof.training.multi_exit.spans import save_spans
from readproof.training.plan import Outcome, versions
from readproof.training.site import Say
from readproof.training.start import BertStart, read_folder, shipped_vocabulary
from readproof.training.work import Work

MEASURED = "measured.json"
_HEAD_SEED = 2468
_LOOKED_AT = 64


def train_exits(
    plan: ExitPlan,
    *,
    data: Sequence[str | Path],
    start: Path,
    work: Path,
    out: Path | None = None,
    teacher: Path | None = None,
    texts: Sequence[Path] = (),
    first: Sequence[str | Path] = (),
    precision: Precision = "int8",
    held_out: float = 0.05,
    say: Say = lambda _: None,
    save_every: float = 120.0,
    replay: bool = True,
) -> Outcome:
    """Train one reader a seed, keep the best on the held-out part, measure it, and write it to `out` or `work`/reader.

    `teacher` is the work folder of a finished training of the same task, whose last head the plan's `taught` weighs;
    `texts` are what the plan's `masked` part learns from, `first` the span questions that its `fit_first` does.
    `replay` is that of `fit`.
    """
    check_exit_plan(plan)
    check_folder(out or work)
    need_own(start, "a multi-exit reader")
    if plan.masked is not None and not texts:
        raise InputError(place="masked", found="no text", expected="files of text, a document a line", do="Add --text.")
    begin = read_folder(start)
    if plan.vocabulary:
        begin = begin.cut(shipped_vocabulary(plan.vocabulary))
    folder = Work(work)
    parts = with_first(task_parts(plan.task, data, held=held_out), plan.task, first)
    first_of_all = f"{len(parts.first)} items to begin with, " if parts.first else ""
    counts = f"{len(parts.learnt)} items to learn from, {len(parts.held)} to choose by"
    say(f"{first_of_all}{counts}, {len(parts.measured)} to measure on")
    folder.claim({"plan": asdict(plan), "sources": parts.sources, "start": begin.digest(), "held_out": held_out})
    bench = ExitBench(plan, folder, parts, begin, say=say, save_every=save_every, replay=replay)
    state = _begun(bench, begin, texts)
    taught_by = _teacher(bench, teacher)
    bench.clock = Clock(_units(bench, state, taught_by))
    jobs = [_trained(bench, state, seed, taught_by) for seed in plan.seeds]
    best = max(jobs, key=lambda job: float(folder.facts(job).get("select", "-1")))
    model = bench.model(folder.load(best))
    measured = _measured(bench, model, best)
    notes = {
        "plan": asdict(plan),
        "sources": parts.sources,
        "start": begin.digest(),
        "device": device_name(bench.device),
        "versions": versions(),
        "reader": best,
        "jobs": {job: folder.result(job) for job in jobs},
        "measured": measured,
    }
    name = plan.name or f"{plan.task}-exits"
    written = write_reader(
        out or work / "reader",
        model.cpu(),
        begin.vocabulary,
        precision=precision,
        batches=bench.shown(model.manner),
        name=name,
        notes=notes,
    )
    say(f"written: {written}")
    return Outcome(written, notes)


def _begun(bench: ExitBench, begin: BertStart, texts: Sequence[Path]) -> dict[str, Tensor]:
    """What every seed begins with: the start, of fewer layers or after masked words where the plan says so."""
    plan = bench.plan
    state: dict[str, Tensor] = {name.removeprefix("bert."): one for name, one in begin.state().items()}
    if plan.depth > begin.layers:
        raise InputError(place="depth", found=f"{plan.depth}", expected=f"at most {begin.layers}, the start's layers")
    if plan.depth and plan.depth < begin.layers:
        # the head of a span reader belongs above the last layer, not above another
        inner = {name: one for name, one in state.items() if not name.startswith("qa_outputs.")}
        state = chosen_layers(inner, tuple(range(plan.depth)))
    if plan.masked is not None:
        inner = {name: one for name, one in state.items() if not name.startswith("qa_outputs.")}
        encoder = encoder_from(inner, dropout=plan.masked.pace.dropout)
        masked_job(bench, encoder, begin.vocabulary, texts, plan.masked)
        state = bench.work.load(MASKED)
    return state


def head_seed(seed: int) -> int:
    """What new heads are drawn from, apart from the order of the data."""
    return _HEAD_SEED + seed


def _units(bench: ExitBench, state: Mapping[str, Tensor], teacher: MultiExit | None) -> dict[str, float]:
    """The jobs that are still to run, of all seeds, each weighed by the items that it goes through."""
    plan, parts = bench.plan, bench.parts
    layers = bench.manner(state).layers
    found: dict[str, float] = {}
    for seed in plan.seeds:
        if bench.work.result(f"exits-{seed}") is not None:
            continue
        if parts.first:
            found[f"first-{seed}"] = plan.fit_first.epochs * len(parts.first)
        if (plan.keep_heads or plan.keep_inner) and not _is_cut(teacher, layers):
            found[f"before-{seed}"] = plan.fit_before.epochs * len(parts.learnt)
        found[f"exits-{seed}"] = plan.fit.epochs * len(parts.learnt)
    return {job: weight for job, weight in found.items() if bench.work.result(job) is None}


def _is_cut(teacher: MultiExit | None, layers: int) -> bool:
    """Whether the reader is cut out of its teacher; else something is trained before it is cut."""
    return teacher is not None and teacher.manner.layers == layers


def _trained(bench: ExitBench, state: Mapping[str, Tensor], seed: int, teacher: MultiExit | None) -> str:
    """One seed; its job's name."""
    plan, job = bench.plan, f"exits-{seed}"
    if bench.work.result(job) is not None:
        bench.say(f"{job}: done before")
        return job
    torch.manual_seed(head_seed(seed))
    model = bench.model(state)
    if bench.parts.first:
        model = _begun_with(bench, model, seed, teacher)
    if plan.keep_heads or plan.keep_inner:
        model = _narrowed(bench, model, seed, teacher)
    loss = exit_loss(model, plan, teacher)
    examples, size = bench.examples(model.manner)
    train_job(
        bench,
        job,
        model,
        examples,
        loss,
        replace(plan.fit, seed=seed),
        size=size,
        replay=bench.replay,
        tokens=_tokens(examples),
    )
    return job


def _begun_with(bench: ExitBench, model: MultiExit, seed: int, teacher: MultiExit | None) -> MultiExit:
    """The model after the questions that come first; of its epochs the last is kept."""
    plan, job = bench.plan, f"first-{seed}"
    if bench.work.result(job) is None:
        examples, size = bench.examples(model.manner, "first")
        how = replace(plan.fit_first, seed=seed)
        loss = exit_loss(model, plan, teacher)
        train_job(bench, job, model, examples, loss, how, size=size, judge=lambda _: ({}, None), replay=bench.replay)
    return bench.model(bench.work.load(job))


def _narrowed(bench: ExitBench, model: MultiExit, seed: int, teacher: MultiExit | None) -> MultiExit:
    """The model after a short training, or a teacher as deep, without the heads and columns that matter least."""
    plan, job = bench.plan, f"before-{seed}"
    examples, size = bench.examples(model.manner)
    if teacher is not None and _is_cut(teacher, model.manner.layers):
        whole, loss = teacher, exit_loss(teacher, replace(plan, weights="last", taught=0.0))
    else:
        whole, loss = model, exit_loss(model, plan)
        if bench.work.result(job) is None:
            train_job(
                bench, job, model, examples, loss, replace(plan.fit_before, seed=seed), size=size, replay=bench.replay
            )
        model.load_state_dict(bench.work.load(job))
    some = examples.batches(plan.fit_before.batch, seed)[:_LOOKED_AT]
    matters = importance(whole, islice(ahead(examples, some, bench.device), len(some)), loss)
    kept = narrowed(plain_state(whole), matters, heads=plan.keep_heads, inner=plan.keep_inner)
    if whole is teacher:  # which has other heads
        kept = {name: one for name, one in kept.items() if not name.startswith("exits.")}
    return bench.model(kept)


def _teacher(bench: ExitBench, folder: Path | None) -> MultiExit | None:
    if folder is None:
        return None
    path = folder / MEASURED
    if not path.is_file():
        expected = "the work folder of a finished multi-exit training"
        raise InputError(file=folder, found=f"no {MEASURED}", expected=expected)
    record = json.loads(path.read_text(encoding="utf-8"))
    if record["task"] != bench.task:
        raise InputError(file=path, place="task", found=record["task"], expected=bench.task)
    teacher = multi_exit_from(Work(folder).load(record["job"]), read_manner(folder))
    return teacher.to(bench.device).eval()


def _measured(bench: ExitBench, model: MultiExit, job: str) -> dict[str, Any]:
    """Performance, FLOPs and parameters of each exit on what nothing was chosen by, kept with what each head said."""
    folder = bench.work.folder
    write_manner(folder, model.manner)
    record: dict[str, Any] = {"task": bench.task, "job": job, "items": len(bench.parts.measured), "exits": {}}
    for part in ("held", "measured"):
        if getattr(bench.parts, part):
            said = bench.said(model, part)
            save = folder / "said" / f"{part}.npz"
            if isinstance(said, Said):
                save_said(save, said)
            else:
                save_spans(save, said)
    if bench.parts.measured:
        found = bench.scores(model, "measured", said)
        bench.say(f"measured: {in_words(found)}")
        for layer, one in found.items():
            record["exits"][layer] = {**one, "parameters": parameters(model.manner, int(layer))}
        write_gold(bench.task, bench.parts.measured, folder / "gold")
    with writing(folder / MEASURED) as file:
        file.write(json.dumps(record, indent=1) + "\n")
    return record


def _tokens(examples: Any) -> int:
    return int(examples.tokens()) if hasattr(examples, "tokens") else len(examples.windows.ids)
