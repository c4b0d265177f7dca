"""An encoder from text to a folder: pieces, tokens, masked words, selected spans. Every part is done once and kept.

    vocabulary/     the pieces
    corpus.npz      the text as tokens
    places.npy      where questions can be made
    models/, jobs/, checkpoints/   as in every work folder

What comes before the training proper hangs on no device: it can be made elsewhere and carried.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from readproof.errors import InputError
from readproof.files import check_folder, digest
from readproof.readers import vocabulary as tokens
from readproof.readers.vocabulary import CLS, MASK, SEP, SPECIAL, Vocabulary
from readproof.training.checkpoint import write_checkpoint
from readproof.training.clock import Clock
from readproof.training.device import device_name, pick_device
from readproof.training.finetune import span_loss
from readproof.training.fit import Examples, Loss, NotFiniteError, fit
from readproof.training.learner import Learner
from readproof.training.model import SpanReader, plain_state, reader_from
from readproof.training.onto import as_changes, lender, lender_hash, lent_encoder
from readproof.training.plan import versions
from readproof.training.pretrain.asked import barred_rows
from readproof.training.pretrain.corpus import documents, load_corpus, save_corpus, tokenised
from readproof.training.pretrain.fresh import fresh_encoder
from readproof.training.pretrain.masked import MaskedModel, Masker, held_out_loss, masked_loss
from readproof.training.pretrain.pace import steps_for
from readproof.training.pretrain.packed import PackedExamples, stream_of
from readproof.training.pretrain.places import continues, find_places, save_places
from readproof.training.pretrain.recipe import EncoderPlan, Pace
from readproof.training.pretrain.selection import SelectionExamples
from readproof.training.pretrain.wordpieces import train_pieces
from readproof.training.recipe import Fit
from readproof.training.site import Say
from readproof.training.work import Work

MASKED, SELECTED = "masked", "selected"
_HELD_BATCHES = 8


def train_encoder(
    texts: Sequence[Path],
    plan: EncoderPlan,
    *,
    out: Path,
    work: Path,
    say: Say = lambda _: None,
    save_every: float = 120.0,
) -> Path:
    """Make an encoder from text files (a document a line) and write it to `out`; called again, it goes on."""
    check_folder(out)
    prepare_encoder(texts, plan, work, say=say)
    return fit_encoder(plan, out=out, work=work, say=say, save_every=save_every)


def prepare_encoder(texts: Sequence[Path], plan: EncoderPlan, work: Path, *, say: Say = lambda _: None) -> None:
    """Pieces, tokens and places, as far as they are not there."""
    for path in texts:
        if not path.is_file():
            raise InputError(file=path, found="no such file", expected="a text file, a document a line")
    folder = Work(work)
    kept = {"pieces": asdict(plan.pieces), "language": plan.language, "held_out": plan.held_out}
    lent = {"onto": lender_hash(plan.onto)} if plan.onto else {}
    folder.claim({"text": [digest(path) for path in texts], **kept, **lent})
    vocabulary_ = work / "vocabulary"
    if not (vocabulary_ / "vocab.txt").is_file():
        found = train_pieces(documents(texts), plan.pieces)
        vocabulary_.mkdir(exist_ok=True)
        found.save(vocabulary_)
        say(f"vocabulary: {len(found)} pieces")
    if not (work / "corpus.npz").is_file():
        corpus = tokenised(documents(texts), tokens.read(vocabulary_))
        save_corpus(work / "corpus.npz", corpus)
        say(f"corpus: {len(corpus)} documents, {len(corpus.ids)} tokens")
    if plan.selected and not (work / "places.npy").is_file():
        train, _ = load_corpus(work / "corpus.npz").split(plan.held_out)
        how = plan.selected
        known = tokens.read(vocabulary_)
        barred = barred_rows(plan.language, known.rows)
        places = find_places(train, known, most=how.most, recurring=how.recurring, barred=barred)
        save_places(work / "places.npy", places)
        say(f"places: {len(places)} spans to ask for, {int((places[:, 4] >= 0).sum())} of them stand twice")


def fit_encoder(
    plan: EncoderPlan, *, out: Path, work: Path, say: Say = lambda _: None, save_every: float = 120.0
) -> Path:
    """Train on what `prepare_encoder` left in the work folder, and write the encoder."""
    folder = Work(work)
    vocabulary = tokens.read(work / "vocabulary")
    device = pick_device()
    _masked(plan, folder, vocabulary, device, say, save_every)
    if plan.selected:
        _selected(plan, folder, vocabulary, device, say, save_every)
    last = SELECTED if plan.selected else MASKED
    state = folder.load(last)
    wanted = ("bert.", "qa_outputs.") if plan.selected else ("bert.",)
    notes: dict[str, Any] = {
        "plan": asdict(plan),
        "device": device_name(device),
        "versions": versions(),
        "jobs": {job: folder.result(job) for job in (MASKED, SELECTED)},
    }
    kept = {name: tensor for name, tensor in state.items() if name.startswith(wanted)}
    written = write_checkpoint(out, kept, vocabulary, notes)
    say(f"written: {written}")
    return written


def _masked(
    plan: EncoderPlan, work: Work, vocabulary: Vocabulary, device: torch.device, say: Say, save_every: float
) -> None:
    if work.result(MASKED) is not None:
        say(f"{MASKED}: done before")
        return
    how, ids = plan.masked, vocabulary.ids()
    train, held = load_corpus(work.folder / "corpus.npz").split(plan.held_out)
    torch.manual_seed(how.pace.seed)
    counts = torch.from_numpy(np.bincount(train.ids, minlength=len(vocabulary)))
    model = _model(plan, vocabulary, counts).to(device)
    table = torch.from_numpy(continues(vocabulary)).to(device)
    masker = Masker(table, special=len(SPECIAL), mask=ids[MASK], how=how)
    stream = stream_of(train, ids[SEP], least=2 * how.length)
    examples = PackedExamples(stream, how.length, ids[CLS], 1)
    loss = masked_loss(model, masker)
    begun = time.monotonic()
    steps = _steps(MASKED, work, model, examples, loss, how.pace, say)
    seen = steps * how.pace.batch * how.length
    say(
        f"{MASKED}: {steps} steps of {how.pace.batch * how.length} tokens, {seen / len(stream):.1f} times over the text"
    )
    _fit(MASKED, work, model, replace(examples, steps=steps), loss, how.pace, say, save_every)
    result: dict[str, Any] = {"steps": steps, "tokens": seen}
    if len(held):
        some = PackedExamples(stream_of(held, ids[SEP], least=2 * how.length), how.length, ids[CLS], _HELD_BATCHES)
        result["held_out_loss"] = round(held_out_loss(model, masker, some, min(64, how.pace.batch)), 4)
        say(f"{MASKED}: loss on held-out text {result['held_out_loss']:.3f}")
    _keep(work, MASKED, model, result, begun)


def _selected(
    plan: EncoderPlan, work: Work, vocabulary: Vocabulary, device: torch.device, say: Say, save_every: float
) -> None:
    if plan.selected is None or work.result(SELECTED) is not None:
        say(f"{SELECTED}: done before")
        return
    how = plan.selected
    train, _ = load_corpus(work.folder / "corpus.npz").split(plan.held_out)
    places = np.load(work.folder / "places.npy")
    if not len(places):
        raise InputError(file=work.folder, found="no span to ask for", expected="text of several sentences a line")
    torch.manual_seed(how.pace.seed + 1)  # the head is drawn from it
    reader = _reader(plan, work.load(MASKED), dropout=how.pace.dropout).to(device)
    loss = span_loss(reader)
    begun = time.monotonic()
    examples = SelectionExamples(train, vocabulary, places, how, steps=1, language=plan.language)
    examples.steps = steps = _steps(SELECTED, work, reader, examples, loss, how.pace, say)
    say(f"{SELECTED}: {steps} steps of {how.pace.batch} questions, {len(places)} spans to ask for")
    _fit(SELECTED, work, reader, examples, loss, how.pace, say, save_every)
    _keep(work, SELECTED, reader, {"steps": steps, "questions": steps * how.pace.batch}, begun)


def _model(plan: EncoderPlan, vocabulary: Vocabulary, counts: Tensor) -> MaskedModel:
    """What masked words are learnt by: new layers, or lent ones."""
    dropout = plan.masked.pace.dropout
    if plan.onto is None:
        return MaskedModel(fresh_encoder(len(vocabulary), plan.body, dropout=dropout), counts)
    return as_changes(MaskedModel(lent_encoder(plan.onto, vocabulary, dropout=dropout), counts), plan.onto)


def _reader(plan: EncoderPlan, state: Mapping[str, Tensor], *, dropout: float) -> SpanReader:
    """The encoder under a head that points; who lends layers lends its head too."""
    inner = {name: one for name, one in state.items() if name.startswith("bert.")}
    if plan.onto is None:
        return reader_from({name.removeprefix("bert."): one for name, one in inner.items()}, dropout=dropout)
    head = {name: one for name, one in lender(plan.onto.reader).tensors.items() if name.startswith("qa_outputs.")}
    return as_changes(reader_from({**inner, **head}, dropout=dropout), plan.onto)


def _steps(job: str, work: Work, model: Learner, examples: Examples, loss: Loss, pace: Pace, say: Say) -> int:
    """How many steps a part has. What was measured once holds when the run goes on, or it would not be the same run."""
    if not pace.seconds:
        return pace.steps
    before = work.notes(job)
    if "steps" in before:
        return int(before["steps"])
    steps = steps_for(model, examples, loss, _how(pace), pace.seconds)
    work.note(job, {"steps": steps})
    say(f"{job}: {steps} steps in about {pace.seconds:.0f} s")
    return steps


def _how(pace: Pace) -> Fit:
    return Fit(lr=pace.lr, batch=pace.batch, warmup=pace.warmup, weight_decay=pace.weight_decay, seed=pace.seed)


def _fit(
    job: str, work: Work, model: Learner, examples: Examples, loss: Loss, pace: Pace, say: Say, save_every: float
) -> None:
    clock = Clock({job: 1.0})
    try:
        fit(
            model,
            examples,
            loss,
            _how(pace),
            progress=lambda line: say(", ".join(part for part in (f"{job}: {line}", clock.left()) if part)),
            checkpoint=work.checkpoint(job),
            save_every=save_every,
            on_step=lambda done, steps: clock.step(job, done, steps),
        )
    except NotFiniteError as error:
        do = "Use a smaller learning rate."
        raise InputError(place=job, found=str(error), expected="a loss that falls", do=do) from None


def _keep(work: Work, job: str, model: Learner, result: dict[str, Any], begun: float) -> None:
    state: dict[str, Tensor] = plain_state(model)
    work.store(job, state, {})
    work.finish(job, {**result, "seconds": round(time.monotonic() - begun, 1)})
