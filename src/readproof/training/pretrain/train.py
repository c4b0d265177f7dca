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
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn

from readproof.errors import InputError
from readproof.files import check_folder, digest
from readproof.readers import vocabulary as tokens
from readproof.readers.vocabulary import CLS, MASK, SEP, SPECIAL, Vocabulary
from readproof.training.checkpoint import write_checkpoint
from readproof.training.delta_base import as_changes, lender, lender_hash, lent_encoder
from readproof.training.device import Clock, device_name, pick_device
from readproof.training.encoder import Encoder, SelfAttention, Shape
from readproof.training.finetune import span_loss
from readproof.training.fit import Loss, NotFiniteError, TrainingExamples, fit
from readproof.training.learner import Learner
from readproof.training.model import SpanReader, plain_state, reader_from
from readproof.training.plan import versions
from readproof.training.pretrain.corpus import (
    Corpus,
    PackedExamples,
    documents,
    load_corpus,
    save_corpus,
    stream_of,
    tokenised,
    train_pieces,
)
from readproof.training.pretrain.masked import MaskedModel, Masker, held_out_loss, masked_loss
from readproof.training.pretrain.places import (
    ENDS,
    OTHER,
    Places,
    barred_rows,
    continues,
    find_places,
    kind_of,
    kinds_of,
    save_places,
)
from readproof.training.pretrain.recipe import EncoderPlan, EncoderSize, Selected, TrainingPace
from readproof.training.recipe import Fit
from readproof.training.site import Say
from readproof.training.windows import Batch, Frame, bert_frame
from readproof.training.work import WorkFolder

# How many steps fit into a given time: a few are tried, timed, and undone.


_FIRST, _TIMED = 6, 14
_LATER = 0.98  # checkpoints and the last measurement want a little of the time, too


class _Few:
    """A few batches of other examples, from all over them; the same ones again where there are not so many."""

    def __init__(self, examples: TrainingExamples, count: int) -> None:
        self._examples, self._count = examples, count

    def batches(self, size: int, seed: int) -> list[object]:
        found = self._examples.batches(size, seed)
        return [found[number * len(found) // self._count] for number in range(self._count)]

    def collate(self, batch: object) -> object:
        return self._examples.collate(batch)


def steps_for(model: Learner, examples: TrainingExamples, loss: Loss, how: Fit, seconds: float) -> int:
    """The steps that `seconds` allow, what the trial takes included; the model is left as it was."""
    begun = time.monotonic()
    each = seconds_a_step(model, examples, loss, how)
    left = seconds - (time.monotonic() - begun)
    return max(_FIRST, int(left * _LATER / each))


def seconds_a_step(model: Learner, examples: TrainingExamples, loss: Loss, how: Fit) -> float:
    """How long a step takes once the first ones, which are slow, are done; the model is left as it was."""
    before = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
    fit(model, _Few(examples, _FIRST), loss, how)
    _wait(model)
    begun = time.monotonic()
    fit(model, _Few(examples, _TIMED), loss, how)
    _wait(model)
    model.load_state_dict(before)
    return (time.monotonic() - begun) / _TIMED


def _wait(model: Learner) -> None:
    """A GPU is handed its work and goes on by itself: the clock must not stop before it does."""
    if next(model.parameters()).is_cuda:
        torch.cuda.synchronize()


# Questions made of a corpus while it is trained on: a sentence with a span taken out asks for that span.
# Where the span stands in another sentence too, the asking one is taken out of the passage (recurring span
# selection); else it stays and the question loses some words, so that the reader learns to find it again. Windows and
# golds are those of real questions, so that the same head learns from both.

Ints = NDArray[np.int64]
_MOST_GOLDS = 4
_WIDE = 0.7
_ROUND = 32
_AWAY = 10  # a passage without the answer is drawn anew so often


@dataclass(frozen=True, slots=True)
class SelectionQuestion:
    """A question, a passage, and the first and last tokens of its answers; none: there is no answer."""

    question: Ints
    passage: Ints
    golds: tuple[tuple[int, int], ...]


class SelectionExamples:
    """`steps` batches of questions out of the places of a corpus."""

    def __init__(
        self, corpus: Corpus, vocabulary: Vocabulary, places: Places, how: Selected, *, steps: int, language: str
    ) -> None:
        self.corpus, self.places, self.how, self.steps = corpus, places, how, steps
        self._tokenizer: Tokenizer = vocabulary.tokenizer()
        self._rows = vocabulary.rows
        self._kinds: Mapping[str, str] = kinds_of(language, self._tokenizer)
        self._asked = {kind: [self._ids(phrase) for phrase in phrases] for kind, phrases in how.asked.items()}
        self._mark = self._ids(how.mark)
        ids = vocabulary.ids()
        self._ends = frozenset(ids[sign] for sign in ENDS if sign in ids)
        self._mask = np.asarray([ids[MASK]])
        self._frame = bert_frame(ids[CLS], ids[SEP])
        self._continues = continues(vocabulary)

    def batches(self, size: int, seed: int) -> list[tuple[int, Ints]]:
        """Places of each batch, with a seed for what is drawn in making them."""
        random = np.random.default_rng(seed)
        turns = -(-size * self.steps // len(self.places))
        order = np.concatenate([random.permutation(len(self.places)) for _ in range(turns)])
        rows = order[: size * self.steps].reshape(self.steps, size)
        return [(seed * 1_000_003 + number, row) for number, row in enumerate(rows)]

    def collate(self, batch: tuple[int, Ints]) -> Batch:
        seed, rows = batch
        random = np.random.default_rng(seed)
        return _batch([self.made(self.places[row], random) for row in rows], self._frame)

    def made(self, place: Places, random: np.random.Generator) -> SelectionQuestion:
        """One question."""
        begin, end, first, last, twin = (int(one) for one in place)
        ids, how = self.corpus.ids, self.how
        span = ids[first:last]
        question = self._question(begin, end, first, last, random, drop=0.0 if twin >= 0 else how.dropped)
        if twin < 0 and random.random() < how.nothing:
            passage = self._elsewhere(span, random)
            return SelectionQuestion(question, passage, ())
        lower, upper = self._reach(first, last, random)
        if twin < 0:
            # the answer asked for is where it was taken from: the same words elsewhere answer nothing
            start, stop = _around(first, last, lower, upper, how.passage, random)
            return SelectionQuestion(question, ids[start:stop].astype(np.int64), ((first - start, last - start - 1),))
        # the sentence that asks is cut out, and what is left is one text
        gap, length = end - begin, last - first
        at = twin if twin < begin else twin - gap
        rest = np.concatenate((ids[lower:begin], ids[end:upper])).astype(np.int64)
        start, stop = _around(at - lower, at - lower + length, 0, len(rest), how.passage, random)
        passage = rest[start:stop]
        own = at - lower - start
        return SelectionQuestion(
            question, passage, _occurrences(passage, span, self._continues) or ((own, own + length - 1),)
        )

    def _reach(self, first: int, last: int, random: np.random.Generator) -> tuple[int, int]:
        """The document a span is in; of a short one often with its neighbours, so that there is more to search."""
        document = int(self.corpus.document[first])
        lower, upper = int(self.corpus.bounds[document]), int(self.corpus.bounds[document + 1])
        if upper - lower < self.how.passage and random.random() < _WIDE:
            room = 2 * self.how.passage
            lower, upper = max(0, min(lower, first - room)), min(len(self.corpus.ids), max(upper, last + room))
        return lower, upper

    def _question(
        self, begin: int, end: int, first: int, last: int, random: np.random.Generator, *, drop: float
    ) -> Ints:
        """The sentence with what asks in the place of the span, cut to its surroundings, some words left out."""
        ids, room = self.corpus.ids, self.how.question - len(self._mark)
        asking = self._asking(ids[first:last], random)[: room // 2]
        before, after = ids[begin:first], ids[last:end]
        if len(after) and after[-1] in self._ends:
            after = after[:-1]
        if drop:
            before, after = self._thinned(before, drop, random), self._thinned(after, drop, random)
        room -= len(asking)
        left = min(len(before), max(room - len(after), int(room * random.uniform(0.3, 0.7))))
        right = min(len(after), room - left)
        parts = (before[len(before) - left :], asking, after[:right], self._mark)
        return np.concatenate(parts).astype(np.int64)

    def _asking(self, span: NDArray[np.uint16], random: np.random.Generator) -> Ints:
        if not self._asked or random.random() >= self.how.asking:
            return self._mask
        text = "".join(
            piece[2:] if piece.startswith("##") else f" {piece}" for piece in (self._rows[one] for one in span)
        ).strip()
        kind = kind_of(text, self._kinds)
        phrases = self._asked.get(kind) or self._asked.get(OTHER) or [self._mask]
        return phrases[int(random.integers(len(phrases)))]

    def _thinned(self, tokens: NDArray[np.uint16], drop: float, random: np.random.Generator) -> NDArray[np.uint16]:
        """Without some of its words."""
        if not len(tokens):
            return tokens
        word = np.cumsum(~self._continues[tokens])
        return tokens[(random.random(int(word[-1]) + 1) >= drop)[word]]

    def _elsewhere(self, span: NDArray[np.uint16], random: np.random.Generator) -> Ints:
        """A piece of some document that does not have the span."""
        passage = np.zeros(0, dtype=np.int64)
        for _ in range(_AWAY):
            document = int(random.integers(len(self.corpus)))
            lower, upper = int(self.corpus.bounds[document]), int(self.corpus.bounds[document + 1])
            start, stop = _around(lower, lower, lower, upper, self.how.passage, random)
            passage = self.corpus.ids[start:stop].astype(np.int64)
            if not _occurrences(passage, span, self._continues):
                break
        return passage

    def _ids(self, text: str) -> Ints:
        return np.asarray(self._tokenizer.encode(text, add_special_tokens=False).ids, dtype=np.int64)


def _around(first: int, last: int, lower: int, upper: int, room: int, random: np.random.Generator) -> tuple[int, int]:
    """A piece of [lower, upper) of at most `room` tokens that holds [first, last)."""
    if upper - lower <= room:
        return lower, upper
    earliest = max(lower, last - room)
    latest = min(first, upper - room)
    start = int(random.integers(earliest, max(earliest, latest) + 1))
    return start, min(upper, start + room)


def _occurrences(passage: Ints, span: NDArray[np.uint16], continues: NDArray[np.bool_]) -> tuple[tuple[int, int], ...]:
    """Where a span stands in a passage and no word goes on behind it; the first few."""
    length = len(span)
    if len(passage) < length:
        return ()
    at = np.flatnonzero(passage[: len(passage) - length + 1] == span[0])
    found = [
        int(one)
        for one in at
        if np.array_equal(passage[one : one + length], span)
        and not continues[passage[one + length : one + length + 1]].any()
    ]
    return tuple((one, one + length - 1) for one in found[:_MOST_GOLDS])


def _batch(made: list[SelectionQuestion], frame: Frame) -> Batch:
    """Questions side by side, as `windows.collate` has them, without the way through windows of a whole set."""
    heads = np.asarray([len(frame.before) + len(one.question) + len(frame.between) for one in made])
    lengths = heads + np.asarray([len(one.passage) + len(frame.after) for one in made])
    width = -(-int(lengths.max()) // _ROUND) * _ROUND
    ids = np.full((len(made), width), frame.pad, dtype=np.int64)
    golds = np.full((len(made), _MOST_GOLDS, 2), -1, dtype=np.int64)
    for row, one in enumerate(made):
        line = np.concatenate((frame.before, one.question, frame.between, one.passage, frame.after))
        ids[row, : len(line)] = line
        if one.golds:
            golds[row, : len(one.golds)] = np.asarray(one.golds) + heads[row]
        else:
            golds[row, 0] = 0
    place = np.arange(width)[None, :]
    inside = place < lengths[:, None]
    passage = (place >= heads[:, None]) & inside
    valid = passage & (place < lengths[:, None] - len(frame.after))
    valid[:, 0] = True
    return Batch(
        index=np.arange(len(made)),
        ids=torch.from_numpy(ids),
        types=torch.from_numpy(passage.astype(np.int64)),
        mask=torch.from_numpy(inside),
        valid=torch.from_numpy(valid),
        golds=torch.from_numpy(golds),
        labelled=torch.ones(len(made), dtype=torch.bool),
    )


# The weights an encoder begins with: random ones from which it does not have to find out what a neighbour is.
# With positions drawn at random, masked words are told by little more than how frequent they are, for thousands of
# steps, until some head happens to look at the word beside it; a run of minutes ends before that. So positions begin
# as waves, where a step to the side is a turn, and the heads of the lowest layers begin with that turn: each looks a
# few words to the left or to the right. All of it is learnt further, and no tensor is other than those of any BERT.

_SMALL = 0.02
# words and positions begin equally loud, and not too low: words are told by the same table, so they grow as they are
# learnt, and would drown small positions
_LOUD = 0.04
# radians a step: the quickest tells a place from the one beside it, the slowest one end of a window from the other
_QUICKEST, _SLOWEST = 3.0, 0.003
_SHARP = 2.0
_OFFSETS = (-1, 1, -2, 2, -3, 3)
_HEAD = 64


def fresh_encoder(rows: int, body: EncoderSize, *, dropout: float) -> Encoder:
    """An encoder with new weights, each matrix as loud as its width allows.

    What a layer adds begins smaller the more layers there are, so that a high rate does not upset it, but not so small
    that what its heads look at makes no difference: they would get no gradient to speak of.
    """
    shape = Shape(
        rows=rows,
        hidden=body.hidden,
        layers=body.layers,
        heads=max(1, body.hidden // _HEAD),
        inner=body.inner,
        positions=body.positions,
        dropout=dropout,
        embedding=0 if body.embedding == body.hidden else body.embedding,
    )
    encoder = Encoder(shape)
    for name, parameter in encoder.encoder.named_parameters():
        if parameter.dim() > 1:
            added = body.layers**-0.5 if name.endswith("output.dense.weight") else 1.0
            nn.init.normal_(parameter, std=added * parameter.shape[1] ** -0.5)
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)
    below = encoder.embeddings
    nn.init.normal_(below.word_embeddings.weight, std=_LOUD)
    nn.init.normal_(below.token_type_embeddings.weight, std=_SMALL)
    if encoder.embeddings_project is not None:
        nn.init.zeros_(encoder.embeddings_project.bias)
    with torch.no_grad():
        below.position_embeddings.weight.copy_(waves(body.positions, shape.narrow) * _LOUD * 2**0.5)
        wide = _widened(encoder)
        heads = [module for module in encoder.modules() if isinstance(module, SelfAttention)]
        for attention in heads[: body.near]:
            _look_beside(attention, wide)
    return encoder


def waves(positions: int, width: int) -> Tensor:
    """Sines and cosines side by side, from quick to slow; a step to the side turns each pair by an angle of its own."""
    angles = torch.arange(positions)[:, None] * _speeds(width)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


def _speeds(width: int) -> Tensor:
    half = width // 2
    return _QUICKEST * (_SLOWEST / _QUICKEST) ** (torch.arange(half) / half)


def _widened(encoder: Encoder) -> Tensor:
    """What takes word vectors to the width of the layers, begun so that it can be undone: its columns stand apart."""
    shape = encoder.shape
    if encoder.embeddings_project is None:
        return torch.eye(shape.hidden)
    straight = nn.init.orthogonal_(torch.empty(shape.hidden, shape.narrow))
    encoder.embeddings_project.weight.copy_(straight * (shape.hidden / shape.narrow) ** 0.5)
    return straight


def _look_beside(attention: SelfAttention, wide: Tensor) -> None:
    """Each head finds the place that lies its offset away: it asks for its own position, turned so far."""
    hidden, narrow = wide.shape
    quick = torch.arange(0, max(1, narrow // 4), max(1, -(-narrow // 4 // (_HEAD // 2))))  # half of the waves, or some
    loud = (_SHARP * (_HEAD / 2 / len(quick)) * narrow / hidden) ** 0.5
    found = loud * wide.T[torch.stack((2 * quick, 2 * quick + 1), dim=1).flatten()]
    for head in range(attention.heads):
        angles = _speeds(narrow)[quick] * _OFFSETS[head % len(_OFFSETS)]
        turned = torch.empty_like(found)
        turned[0::2] = angles.cos()[:, None] * found[0::2] + angles.sin()[:, None] * found[1::2]
        turned[1::2] = angles.cos()[:, None] * found[1::2] - angles.sin()[:, None] * found[0::2]
        rows = slice(_HEAD * head, _HEAD * head + len(found))
        attention.query.weight[rows].copy_(turned)
        attention.key.weight[rows].copy_(found)


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
    folder = WorkFolder(work)
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
    folder = WorkFolder(work)
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
    plan: EncoderPlan, work: WorkFolder, vocabulary: Vocabulary, device: torch.device, say: Say, save_every: float
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
    plan: EncoderPlan, work: WorkFolder, vocabulary: Vocabulary, device: torch.device, say: Say, save_every: float
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


def _steps(
    job: str, work: WorkFolder, model: Learner, examples: TrainingExamples, loss: Loss, pace: TrainingPace, say: Say
) -> int:
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


def _how(pace: TrainingPace) -> Fit:
    return Fit(lr=pace.lr, batch=pace.batch, warmup=pace.warmup, weight_decay=pace.weight_decay, seed=pace.seed)


def _fit(
    job: str,
    work: WorkFolder,
    model: Learner,
    examples: TrainingExamples,
    loss: Loss,
    pace: TrainingPace,
    say: Say,
    save_every: float,
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


def _keep(work: WorkFolder, job: str, model: Learner, result: dict[str, Any], begun: float) -> None:
    state: dict[str, Tensor] = plain_state(model)
    work.store(job, state, {})
    work.finish(job, {**result, "seconds": round(time.monotonic() - begun, 1)})
