"""A whole multi-exit training, from data and start weights to a reader's folder; killed and called again it goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from readproof.errors import InputError
from readproof.files import check_folder, writing
from readproof.readers.exits.config import read_manner, write_manner
from readproof.readers.exits.trace import parameters
from readproof.readers.vocabulary import CLS, MASK, SEP, SPECIAL, Vocabulary
from readproof.training.begin import need_own
from readproof.training.choosing import train_job
from readproof.training.device import Clock, device_name
from readproof.training.encoder import Encoder, chosen_layers, encoder_from
from readproof.training.export import Precision
from readproof.training.fit import Loss, ahead, fit
from readproof.training.model import plain_state
from readproof.training.multi_exit.bench import ExitBench, in_words
from readproof.training.multi_exit.folder import write_reader
from readproof.training.multi_exit.measure import HeadOutputs, save_said, save_spans
from readproof.training.multi_exit.model import MultiExit, exit_loss, multi_exit_from
from readproof.training.multi_exit.recipe import ExitPlan, check_exit_plan
from readproof.training.multi_exit.sets import task_parts, with_first, write_gold
from readproof.training.plan import TrainingOutcome, versions
from readproof.training.pretrain.corpus import PackedExamples, Rows, documents, stream_of, tokenised
from readproof.training.pretrain.masked import MaskedModel, Masker
from readproof.training.pretrain.places import continues
from readproof.training.pretrain.recipe import Masked
from readproof.training.pretrain.train import steps_for
from readproof.training.recipe import Fit
from readproof.training.site import Say, TrainingSite
from readproof.training.start import BertStart, read_folder, shipped_vocabulary
from readproof.training.work import WorkFolder

# Narrower layers: of each layer the attention heads and inner columns that matter most, the rest cut away.
# How much a head or a column matters is how much the loss would change without it, to first order: the sum of weight
# times gradient over what it adds to the layer's output, its absolute value summed over batches. All layers keep the
# same number.

Importance = Mapping[str, Tensor]


def importance(model: MultiExit, batches: Iterable[Any], loss: Loss) -> dict[str, Tensor]:
    """By layer, of every head (`heads.N`) and every inner column (`inner.N`); the batches are where the model is."""
    found: dict[str, Tensor] = {}
    model.eval()
    for batch in batches:
        model.zero_grad(set_to_none=True)
        loss(batch).backward()  # type: ignore[no-untyped-call]
        for number, layer in enumerate(model.bert.encoder.layer):
            parts: Any = layer
            heads = _columns(parts.attention.output.dense.weight).view(model.bert.shape.heads, -1).sum(dim=1)
            for name, one in ((f"heads.{number}", heads), (f"inner.{number}", _columns(parts.output.dense.weight))):
                found[name] = found.get(name, torch.zeros_like(one)) + one.abs()
    model.zero_grad(set_to_none=True)
    return {name: one.cpu() for name, one in found.items()}


def _columns(weight: Tensor) -> Tensor:
    """Weight times gradient, summed over what each input column adds."""
    if weight.grad is None:
        return torch.zeros(weight.shape[1], device=weight.device)
    return (weight.detach() * weight.grad).sum(dim=0)


def narrowed(
    tensors: Mapping[str, Tensor], matters: Importance, *, heads: int = 0, inner: int = 0
) -> dict[str, Tensor]:
    """The tensors of a model with so many heads and inner columns a layer; 0 keeps all."""
    out = {name: one.clone() for name, one in tensors.items()}
    number = 0
    while f"heads.{number}" in matters:
        here = f"bert.encoder.layer.{number}"
        if heads:
            have = len(matters[f"heads.{number}"])
            _check("keep_heads", heads, have)
            size = out[f"{here}.attention.self.query.weight"].shape[0] // have
            best = _best(matters[f"heads.{number}"], heads)
            kept = (best[:, None] * size + torch.arange(size)).flatten()
            for part in ("query", "key", "value"):
                _rows(out, f"{here}.attention.self.{part}", kept)
            dense = f"{here}.attention.output.dense.weight"
            out[dense] = out[dense][:, kept].clone()
        if inner:
            _check("keep_inner", inner, len(matters[f"inner.{number}"]))
            kept = _best(matters[f"inner.{number}"], inner)
            _rows(out, f"{here}.intermediate.dense", kept)
            dense = f"{here}.output.dense.weight"
            out[dense] = out[dense][:, kept].clone()
        number += 1
    return out


def _rows(tensors: dict[str, Tensor], name: str, kept: Tensor) -> None:
    for part in ("weight", "bias"):
        tensors[f"{name}.{part}"] = tensors[f"{name}.{part}"][kept].clone()


def _best(values: Tensor, count: int) -> Tensor:
    return values.topk(count).indices.sort().values


def _check(place: str, wanted: int, have: int) -> None:
    if wanted > have:
        raise InputError(place=place, found=f"{wanted}", expected=f"at most {have}, as many as a layer has")


# Masked words told from every layer: what makes the lower layers of an encoder good enough to stop at.
# As in ElasticBERT half of the layers are asked at a step, the odd ones or the even ones, and the last one always.

JOB = "masked"


class MaskedExits(MaskedModel):
    """A dense layer of its own for every layer of the encoder; the table that tells the pieces is one for all."""

    def __init__(self, encoder: Encoder, counts: Tensor | None = None) -> None:
        super().__init__(encoder, counts)
        shape = encoder.shape
        self.lower = nn.ModuleList(nn.Linear(shape.hidden, shape.narrow) for _ in range(shape.layers - 1))
        for one in self.lower:
            nn.init.normal_(one.weight, std=0.02)  # type: ignore[arg-type]
            nn.init.zeros_(one.bias)  # type: ignore[arg-type]

    def told(self, ids: Tensor, at: Tensor, layers: Sequence[int]) -> list[Tensor]:
        """The scores of all pieces for the places `at`, as each of these layers (from 0) tells them."""
        encoded = self.bert(ids, torch.zeros_like(ids))
        dense = [*self.lower, self.dense]
        found = []
        for layer in layers:
            narrow = self.norm(functional.gelu(dense[layer](encoded.layers[layer].flatten(0, 1)[at])))
            found.append(functional.linear(narrow, self.words, self.bias))
        return found


def masked_exits_loss(model: MaskedExits, masker: Masker) -> Loss:
    """The mean cross-entropy of the hidden pieces over the layers that are asked."""
    last = model.layers - 1

    def loss(batch: Rows) -> Tensor:
        seen, at = masker.drawn(batch.ids)
        # drawn from the seed of the step, so that a run that goes on asks the same layers
        odd = int(torch.randint(2, (1,)))
        layers = [layer for layer in range(last) if layer % 2 == odd] + [last]
        gold = batch.ids.flatten()[at]
        told = model.told(seen, at, layers)
        return torch.stack([functional.cross_entropy(one.float(), gold) for one in told]).mean()

    return loss


def masked_job(
    site: TrainingSite, encoder: Encoder, vocabulary: Vocabulary, texts: Sequence[Path], how: Masked
) -> None:
    """Train the encoder on text; its tensors are kept as the job `masked`."""
    if site.work.result(JOB) is not None:
        site.say(f"{JOB}: done before")
        return
    begun = time.monotonic()
    ids = vocabulary.ids()
    corpus = tokenised(documents(texts), vocabulary)
    torch.manual_seed(how.pace.seed)
    counts = torch.from_numpy(np.bincount(corpus.ids, minlength=len(vocabulary)))
    model = MaskedExits(encoder, counts).to(site.device)
    table = torch.from_numpy(continues(vocabulary)).to(site.device)
    masker = Masker(table, special=len(SPECIAL), mask=ids[MASK], how=how)
    loss = masked_exits_loss(model, masker)
    pace = how.pace
    rate = Fit(lr=pace.lr, batch=pace.batch, warmup=pace.warmup, weight_decay=pace.weight_decay, seed=pace.seed)
    examples = PackedExamples(stream_of(corpus, ids[SEP], least=2 * how.length), how.length, ids[CLS], 1)
    known = site.work.notes(JOB).get("steps")
    steps = (
        int(known) if known else steps_for(model, examples, loss, rate, pace.seconds) if pace.seconds else pace.steps
    )
    site.work.note(JOB, {"steps": steps})
    clock = Clock({JOB: 1.0})
    fit(
        model,
        replace(examples, steps=steps),
        loss,
        rate,
        progress=lambda line: site.say(", ".join(part for part in (f"{JOB}: {line}", clock.left()) if part)),
        checkpoint=site.work.checkpoint(JOB),
        save_every=site.save_every,
        on_step=lambda done, of: clock.step(JOB, done, of),
    )
    state = {name: one for name, one in plain_state(model).items() if name.startswith("bert.")}
    site.work.store(JOB, state, {})
    seconds = round(time.monotonic() - begun, 1)
    site.work.finish(JOB, {"steps": steps, "tokens": steps * pace.batch * how.length, "seconds": seconds})


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
) -> TrainingOutcome:
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
    folder = WorkFolder(work)
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
        batches=bench.shown(model.config),
        name=name,
        notes=notes,
    )
    say(f"written: {written}")
    return TrainingOutcome(written, notes)


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
        state = bench.work.load(JOB)
    return state


def head_seed(seed: int) -> int:
    """What new heads are drawn from, apart from the order of the data."""
    return _HEAD_SEED + seed


def _units(bench: ExitBench, state: Mapping[str, Tensor], teacher: MultiExit | None) -> dict[str, float]:
    """The jobs that are still to run, of all seeds, each weighed by the items that it goes through."""
    plan, parts = bench.plan, bench.parts
    layers = bench.config(state).layers
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
    return teacher is not None and teacher.config.layers == layers


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
    examples, size = bench.examples(model.config)
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
        examples, size = bench.examples(model.config, "first")
        how = replace(plan.fit_first, seed=seed)
        loss = exit_loss(model, plan, teacher)
        train_job(bench, job, model, examples, loss, how, size=size, judge=lambda _: ({}, None), replay=bench.replay)
    return bench.model(bench.work.load(job))


def _narrowed(bench: ExitBench, model: MultiExit, seed: int, teacher: MultiExit | None) -> MultiExit:
    """The model after a short training, or a teacher as deep, without the heads and columns that matter least."""
    plan, job = bench.plan, f"before-{seed}"
    examples, size = bench.examples(model.config)
    if teacher is not None and _is_cut(teacher, model.config.layers):
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
    teacher = multi_exit_from(WorkFolder(folder).load(record["job"]), read_manner(folder))
    return teacher.to(bench.device).eval()


def _measured(bench: ExitBench, model: MultiExit, job: str) -> dict[str, Any]:
    """Performance, FLOPs and parameters of each exit on what nothing was chosen by, kept with what each head said."""
    folder = bench.work.folder
    write_manner(folder, model.config)
    record: dict[str, Any] = {"task": bench.task, "job": job, "items": len(bench.parts.measured), "exits": {}}
    for part in ("held", "measured"):
        if getattr(bench.parts, part):
            said = bench.said(model, part)
            save = folder / "said" / f"{part}.npz"
            if isinstance(said, HeadOutputs):
                save_said(save, said)
            else:
                save_spans(save, said)
    if bench.parts.measured:
        found = bench.scores(model, "measured", said)
        bench.say(f"measured: {in_words(found)}")
        for layer, one in found.items():
            record["exits"][layer] = {**one, "parameters": parameters(model.config, int(layer))}
        write_gold(bench.task, bench.parts.measured, folder / "gold")
    with writing(folder / MEASURED) as file:
        file.write(json.dumps(record, indent=1) + "\n")
    return record


def _tokens(examples: Any) -> int:
    return int(examples.tokens()) if hasattr(examples, "tokens") else len(examples.windows.ids)
