"""Training a span reader, as one call: by a plan, on files of one's own, or by distilling readers that there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from readproof.errors import InputError
from readproof.files import digest
from readproof.tasks import find
from readproof.training.persian import write_passages
from readproof.training.plan import TrainingOutcome, check_starts, run_plan
from readproof.training.prepare import prepare_sets, write_set
from readproof.training.recipe import DistilRecipe, Fit, Stage, Student, Teachers, TrainingPlan
from readproof.training.recipefile import find_plan
from readproof.training.sets import answerable, is_held, span_items
from readproof.training.site import Say

TRAIN, HELD = "train", "held_out"
# text of the questions' own kind is scarce beside what an encoder is made from
_PASSAGES = 4


def train_by_plan(
    name: str,
    *,
    data: Path,
    work: Path,
    start: Path | None = None,
    out: Path | None = None,
    texts: Sequence[Path] = (),
    seconds: float | None = None,
    say: Say = lambda _: None,
) -> TrainingOutcome:
    """A plan by name or file, on the public files in the folder `data`.

    Without a start, a plan that names an encoder makes it first, from `texts` and the passages of its own sets, in
    about so many `seconds`.
    """
    plan = find_plan(name)
    if start is None and not (plan.encoder and texts):
        expected = "a folder to start from, or, by a plan with an encoder, files of text"
        raise InputError(found="neither start nor text", expected=expected, do="Add --start FOLDER or --text FILE.")
    if start is not None:
        check_starts(plan, [start])
    counts, sources = prepare_sets(data, work / "sets", language=plan.language, say=say)
    sets = {set_: work / "sets" / f"{set_}.json" for set_ in counts}
    begin = start or _encoder(plan, sets, texts, work, seconds, say)
    return run_plan(plan, sets=sets, starts=[begin], work=work, out=out, sources=sources, say=say)


def encoder_texts(sets: Mapping[str, Path], texts: Sequence[Path], work: Path) -> list[Path]:
    """The text that an encoder is made from: the files given, and the passages of the questions several times."""
    passages = write_passages(sets, work / "sets" / "passages.txt")
    return [*texts, *[passages] * _PASSAGES]


def _encoder(
    plan: TrainingPlan, sets: Mapping[str, Path], texts: Sequence[Path], work: Path, seconds: float | None, say: Say
) -> Path:
    from readproof.training.pretrain.recipe import find_encoder_plan, within
    from readproof.training.pretrain.train import train_encoder

    how = find_encoder_plan(plan.encoder)
    how = how if seconds is None else within(how, seconds)
    found = encoder_texts(sets, texts, work)
    return train_encoder(found, how, out=work / "encoder", work=work / "encoder.work", say=say)


def train_span(
    data: Sequence[str | Path],
    *,
    start: Path,
    out: Path,
    work: Path | None = None,
    fit: Fit | None = None,
    rdrop: float = 0.0,
    smoothing: float = 0.0,
    held_out: float = 0.1,
    max_tokens: int = 512,
    say: Say = lambda _: None,
) -> TrainingOutcome:
    """Fine-tune a start on files of any task with spans; the epoch is chosen by a held-out part of the passages."""
    how = fit or Fit(epochs=2, lr=2e-5)
    stage = Stage(sets=(TRAIN,), fit=how, rdrop=rdrop, smoothing=smoothing)
    plan = TrainingPlan(
        name="span",
        teachers=Teachers(stages=(stage,), seeds=(how.seed,)),
        held={HELD: 1.0},
        max_tokens=max_tokens,
        overlap=max_tokens // 4,
    )
    folder = work or beside(out)
    sets, sources = split_files(data, folder / "sets", held_out, unlabelled=False, say=say)
    return run_plan(plan, sets=sets, starts=[start], work=folder, out=out, sources=sources, say=say)


def distil_span(
    data: Sequence[str | Path],
    *,
    teachers: Sequence[Path],
    step: DistilRecipe,
    out: Path,
    work: Path | None = None,
    held_out: float = 0.1,
    max_tokens: int = 512,
    say: Say = lambda _: None,
) -> TrainingOutcome:
    """A student of the first teacher's chosen layers learns what all teachers say; questions need no answers."""
    plan = TrainingPlan(
        name="distil",
        teachers=Teachers(stages=(), seeds=tuple(range(len(teachers)))),
        student=Student(steps=(step,)),
        held={HELD: 1.0},
        max_tokens=max_tokens,
        overlap=max_tokens // 4,
    )
    check_starts(plan, teachers)
    folder = work or beside(out)
    sets, sources = split_files(data, folder / "sets", held_out, unlabelled=True, say=say)
    return run_plan(plan, sets=sets, starts=teachers, work=folder, out=out, sources=sources, say=say)


def split_files(
    data: Sequence[str | Path], folder: Path, held_out: float, *, unlabelled: bool, say: Say
) -> tuple[dict[str, Path], dict[str, str]]:
    """All files as one training set and one held-out set, whole passages in either; and the hashes of the files."""
    if not 0 <= held_out < 1:
        raise InputError(place="--held-out", found=f"{held_out}", expected="0 (nothing) to less than 1")
    items = [item for one in data for item in span_items(one)]
    known = {id(item) for item in answerable(items)}
    learnt = items if unlabelled else [item for item in items if id(item) in known]
    held = [item for item in learnt if id(item) in known and is_held(item.passage, held_out)]
    passages = {item.passage for item in held}
    train = [item for item in learnt if item.passage not in passages]
    if not train:
        found = f"{len(items)} span questions, {len(known)} with an answer that stands in the passage"
        files = ", ".join(map(str, data))
        raise InputError(file=files, found=found, expected="questions to train on, some of them not held out")
    left_out = len(items) - len(learnt)
    say(f"{len(train)} questions to train on, {len(held)} held out, {left_out} without an answer left out")
    folder.mkdir(parents=True, exist_ok=True)
    sets = {TRAIN: train} | ({HELD: held} if held else {})
    for name, part in sets.items():
        write_set(folder / f"{name}.json", part)
    sources = {f"{number}": digest(find(one)[1]) for number, one in enumerate(data)}
    return {name: folder / f"{name}.json" for name in sets}, sources | {"held_out": f"{held_out}"}


def beside(out: Path) -> Path:
    """The work folder of a reader, where none was named."""
    return out.with_name(f"{out.name}.work")
