"""Training an option reader, as one call: by a plan on the public files, or on files of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from readproof.errors import InputError
from readproof.files import digest
from readproof.items import ChoiceItem, Triple
from readproof.readers.options import Head, manner_for
from readproof.tasks import find, load
from readproof.training.options.measure import LossWeights
from readproof.training.options.plan import run_option_plan
from readproof.training.options.recipe import OptionFit, OptionPlan, OptionStage, OptionTeachers
from readproof.training.options.records import write_groups
from readproof.training.options.sets import CHOICE_SETS, SETS, kept_apart, prepare_option_sets, questions
from readproof.training.plan import TrainingOutcome
from readproof.training.site import Say
from readproof.training.span import HELD, TRAIN, beside

USUAL = OptionFit()


def train_options_by_plan(
    plan: OptionPlan,
    *,
    data: Path,
    starts: Sequence[Path],
    work: Path,
    out: Path | None = None,
    student_start: Path | None = None,
    say: Say = lambda _: None,
) -> TrainingOutcome:
    """A plan on the public files in the folder `data`; only the sets that the plan names are made."""
    head = plan.manner.head
    known = CHOICE_SETS if head == "choice" else tuple(SETS)
    for name in plan.named():
        if name not in known:
            expected = f"one of {', '.join(known)}"
            raise InputError(file=plan.name, place="sets", found=f"{name!r} for the head {head}", expected=expected)
    counts, sources = prepare_option_sets(data, work / "sets", only=plan.named(), head=head, say=say)
    sets = {name: work / "sets" / f"{name}.jsonl" for name in counts}
    return run_option_plan(
        plan, sets=sets, starts=starts, work=work, out=out, student_start=student_start, sources=sources, say=say
    )


def train_options(
    data: Sequence[str | Path],
    *,
    start: Path,
    out: Path,
    work: Path | None = None,
    fit: OptionFit = USUAL,
    head: Head = "verify",
    coarse: float = 0.4,
    smoothing: float = 0.0,
    held_out: float = 0.1,
    max_tokens: int = 512,
    say: Say = lambda _: None,
) -> TrainingOutcome:
    """Train on files of any task with options; the epoch is chosen by a held-out part of the passages."""
    choice = head == "choice"
    weights = LossWeights(truth=0.0, evidence=0.0) if choice else LossWeights(smoothing=smoothing)
    stage = OptionStage(sets=(TRAIN,), fit=fit, coarse=0.0 if choice else coarse, weights=weights)
    plan = OptionPlan(
        name="options",
        teachers=OptionTeachers(stages=(stage,), seeds=(fit.seed,)),
        manner=manner_for(head, max_tokens),
        held={HELD: 1.0},
    )
    folder = work or beside(out)
    sets, sources = split_options(data, folder / "sets", held_out, head=head, say=say)
    return run_option_plan(plan, sets=sets, starts=[start], work=folder, out=out, sources=sources, say=say)


def split_options(
    data: Sequence[str | Path], folder: Path, held_out: float, *, head: Head, say: Say
) -> tuple[dict[str, Path], dict[str, str]]:
    """All files as one training set and one held-out set, whole passages in either; and the hashes of the files."""
    if not 0 <= held_out < 1:
        raise InputError(place="--held-out", found=f"{held_out}", expected="0 (nothing) to less than 1")
    items = [item for one in data for item in choice_items(one)]
    known = [item for item in items if item.answer is not None or (item.truths and head == "verify")]
    learnt, held = kept_apart(known, held_out)
    if not learnt:
        found = f"{len(items)} questions with options, {len(known)} with an answer"
        files = ", ".join(map(str, data))
        raise InputError(file=files, found=found, expected="questions to train on, some of them not held out")
    twice = len(known) - len(learnt) - len(held)
    more = f", {twice} left out: another copy of their passage is learnt from" if twice else ""
    unknown = len(items) - len(known)
    say(f"{len(learnt)} questions to train on, {len(held)} held out, {unknown} without an answer left out{more}")
    folder.mkdir(parents=True, exist_ok=True)
    sets = {TRAIN: learnt} | ({HELD: held} if held else {})
    for name, part in sets.items():
        write_groups(folder / f"{name}.jsonl", questions(part, name, head))
    sources = {f"{number}": digest(find(one)[1]) for number, one in enumerate(data)}
    return {name: folder / f"{name}.jsonl" for name in sets}, sources | {"held_out": f"{held_out}", "head": head}


def choice_items(data: str | Path) -> list[ChoiceItem]:
    """The questions with options of a file; a triple is three of them."""
    out: list[ChoiceItem] = []
    for item in load(data):
        if isinstance(item, Triple):
            out += item.questions
        elif isinstance(item, ChoiceItem):
            out.append(item)
    return out
