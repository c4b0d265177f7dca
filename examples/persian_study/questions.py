"""The questions of the study: those of a PersianQA-style file that have an answer, all of them, a part, or a sample."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from readproof.errors import InputError
from readproof.items import Gold, SpanItem
from readproof.tasks import load
from readproof.tasks.overlap import shared_passages

HELD = 0.2  # the study kept about a fifth of its questions to measure on
_ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = ("", "data/persianqa", "data/pquad", "../shared/data/persianqa", "../shared/data/pquad")
MEASURED = ("pqa_test.json",)
LEARNT = ("pqa_train.json", "Train.json", "Validation.json", "Validation.json.xz")
# the passages of PersianQA's own test file, whatever its layout: readers are judged by it, so none may learn from it
_TEST_PASSAGES = "54705b23fbc29ccae6ca470078c8e60062c7283b46dda204b5b5a7cc5d185041"


@dataclass(frozen=True, slots=True)
class Parts:
    """The questions to learn from and those to measure on; no passage is in both."""

    learnt: tuple[SpanItem, ...]
    measured: tuple[SpanItem, ...]
    dropped: int = 0


def found_file(names: Sequence[str], option: str) -> str:
    """The user's own copy, where no file is named: in this folder, in data/, or beside the clone."""
    for name in names:
        for folder in _FOLDERS:
            for base in (Path.cwd(), _ROOT):
                path = base / folder / name
                if path.is_file():
                    return str(path.resolve())
    raise InputError(
        found=f"no {' or '.join(names[:2])} in this folder or in data/",
        expected=f"a PersianQA-style file: {option} FILE",
        do="PersianQA is at https://github.com/sajjjadayobi/PersianQA, in the folder dataset.",
    )


def answerable(data: str) -> tuple[SpanItem, ...]:
    """The Persian questions of a file whose answer stands in the passage, each with an id of its own."""
    spans = [item for item in load(data) if isinstance(item, SpanItem)]
    persian = [item for item in spans if item.language == "fa"]
    sound = [replace(item, golds=_placed(item)) for item in persian if not item.impossible and _placed(item)]
    if not sound:
        found = f"{len(spans)} span questions, {len(persian)} of them Persian, none with an answer in its passage"
        raise InputError(file=data, found=found, expected="Persian questions in the layout of PersianQA")
    return tuple(_told_apart(sound))


def split(items: Sequence[SpanItem], share: float = HELD) -> Parts:
    """About a fifth of the questions to measure on: whole passages, the same ones on every machine."""
    passages = sorted({item.passage for item in items}, key=lambda text: Random(f"persian study|{text}").random())
    counts = Counter(item.passage for item in items)
    held: set[str] = set()
    for passage in passages:
        if sum(counts[one] for one in held) >= share * len(items):
            break
        held.add(passage)
    learnt = tuple(item for item in items if item.passage not in held)
    if not learnt:
        raise InputError(found="one passage", expected="at least two, so that they can be split")
    return Parts(learnt, tuple(item for item in items if item.passage in held))


def apart(learnt: Sequence[SpanItem], measured: Sequence[SpanItem]) -> Parts:
    """Both as they are, but nothing is learnt from a passage that shares much with one that is measured on."""
    near = {one.id for one in shared_passages(learnt, measured)}
    passages = {item.passage for item in learnt if item.id in near}
    kept = tuple(item for item in learnt if item.passage not in passages)
    if not kept:
        do = "Give another --train-data, or --split to use a fifth of it for measuring."
        raise InputError(found="only passages that are measured on", expected="others to learn from", do=do)
    return Parts(kept, tuple(measured), len(learnt) - len(kept))


def refuse_test_set(data: str, items: Sequence[SpanItem]) -> None:
    """An InputError where the file to learn from is PersianQA's own test file."""
    if passages_digest(items) == _TEST_PASSAGES:
        do = "Learn from pqa_train.json or PQuAD, and measure on this file: --train-data FILE --data FILE."
        raise InputError(file=data, found="PersianQA's test file", expected="a file to learn from", do=do)


def sample(items: Sequence[SpanItem], count: int) -> tuple[SpanItem, ...]:
    """So many of the questions, drawn once and kept in order; 0 or more than there are: all of them."""
    if not count or count >= len(items):
        return tuple(items)
    chosen = sorted(Random("persian study|sample").sample(range(len(items)), count))
    return tuple(items[at] for at in chosen)


def passages_digest(items: Iterable[SpanItem]) -> str:
    """The SHA-256 of the passages, in no order."""
    return _digest(sorted({item.passage for item in items}))


def questions_digest(items: Iterable[SpanItem]) -> str:
    """The SHA-256 of all that is asked and accepted."""
    texts = []
    for item in items:
        texts += [item.id, item.passage, item.question, *(f"{gold.start} {gold.text}" for gold in item.golds)]
    return _digest(texts)


def _digest(texts: Iterable[str]) -> str:
    found = hashlib.sha256()
    for text in texts:
        found.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return found.hexdigest()


def _placed(item: SpanItem) -> tuple[Gold, ...]:
    return tuple(gold for gold in item.golds if gold.text and gold.start is not None and gold.start >= 0)


def _told_apart(items: Iterable[SpanItem]) -> list[SpanItem]:
    """Cells know a question by its id."""
    seen: Counter[str] = Counter()
    out = []
    for item in items:
        seen[item.id] += 1
        out.append(replace(item, id=f"{item.id}#{seen[item.id]}") if seen[item.id] > 1 else item)
    return out
