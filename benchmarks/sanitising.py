"""How deaf a reader is to what nobody sees or few would notice: each attack beside the clean answers, whole data sets.

    python -m benchmarks.sanitising --data dev.json [--reader zh] [--questions 300] [--attacks homoglyph,script]

A row an attack: how many questions it changed, their clean and attacked F1, and how many attacked answers are not the
clean ones: *moved* ones are cut at another place of the passage, *other* ones have another text. The script attack and
width forms change letters of the answer itself, so that its text is compared in the form that readers read.

A window of the very same tokens is read by the model once and looked up when it comes again, which makes whole data
sets a matter of minutes; `--anew` reads it again every time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from readproof.attacks import make_attack
from readproof.attacks.edits import PASSAGE, edited
from readproof.items import Answer, Edit, SpanItem, Variant
from readproof.lang.cleaning import clean_golds, cleaned
from readproof.lang.forms import kind_of, read_as
from readproof.readers.api import Reader
from readproof.readers.factory import load_reader
from readproof.readers.tokens import Ints
from readproof.script import full_width, half_width
from readproof.tasks import load
from readproof.tasks.metrics import cmrc
from readproof.tasks.persianqa import fair
from readproof.text import Text, applied

Make = Callable[[SpanItem], Variant | None]
Step = Callable[[str], Text]


@dataclass(frozen=True, slots=True)
class Row:
    """What one attack did; the examples are a question's id with its clean and its attacked answer."""

    attack: str
    questions: int
    clean: float
    attacked: float
    moved: int
    other: int
    examples: tuple[tuple[str, str, str], ...]

    @property
    def kept(self) -> float:
        return self.attacked / self.clean if self.clean else 1.0

    @property
    def equal(self) -> float:
        return 1 - max(self.moved, self.other) / self.questions if self.questions else 1.0


def compare(reader: Reader, items: Sequence[SpanItem], clean: Sequence[Answer], attack: str) -> Row:
    """The reader's answers to the attacked questions beside its clean ones."""
    make, told = ATTACKS[attack], []
    scores: list[tuple[float, float]] = []
    places = texts = 0
    for item, before in zip(items, clean, strict=True):
        variant = make(item)
        if variant is None or not isinstance(variant.item, SpanItem):
            continue
        after = reader.answer([variant.item])[0]
        scores.append((f1(item, before), f1(variant.item, after)))
        place = place_before(item, variant, after) != (before.start, before.end)
        text = form(after.text, variant.item.passage) != form(before.text, item.passage)
        places, texts = places + place, texts + text
        if place or text:
            told.append((item.id, before.text, after.text))
    count = max(1, len(scores))
    means = (100 * sum(column) / count for column in zip(*scores, strict=True)) if scores else (0.0, 0.0)
    return Row(attack, len(scores), *means, places, texts, tuple(told))


def remembered(reader: Reader) -> None:
    """Let a reader of ours look up what its model said of a window that it has seen."""
    model: Any = getattr(getattr(reader, "reading", None), "model", None)
    if model is None:
        return
    known: dict[tuple[bytes, bytes], Any] = {}
    read = model.scores

    def scores(question: Ints, passage: Ints) -> Any:
        key = question.tobytes(), passage.tobytes()
        if key not in known:
            known[key] = read(question, passage)
        return known[key]

    model.scores = scores


def f1(item: SpanItem, answer: Answer) -> float:
    """By the metric of the language; golds are cut from the clean passage, as the answer's text is."""
    if item.impossible or not item.golds:
        return float(not answer.text)
    golds = [gold.text for gold in clean_golds(item)]
    return (cmrc.official if item.language == "zh" else fair)(answer.text, golds)[1]


def place_before(item: SpanItem, variant: Variant, answer: Answer) -> tuple[int | None, int | None]:
    """Where the attacked answer stands in the passage before the attack."""
    if answer.start is None or answer.end is None:
        return answer.start, answer.end
    edits = sorted((edit for edit in variant.edits if edit.where == PASSAGE), key=lambda edit: edit.start)
    return applied(item.passage, edits).to_raw(answer.start, answer.end)


def form(text: str, passage: str) -> str:
    """An answer's text as the reader of the passage reads it."""
    return read_as(cleaned(text), kind_of(cleaned(passage).clean)).clean


def named(name: str, **options: str) -> Make:
    """An attack of the package."""

    def make(item: SpanItem) -> Variant | None:
        attack = make_attack(name, options)
        variants = attack.make(item, seed=0, count=1).variants  # type: ignore[call-arg]
        return variants[0] if variants else None

    return make


def converted(step: Step) -> Make:
    """The passage in another form."""

    def make(item: SpanItem) -> Variant | None:
        edits = [Edit(edit.start, edit.old, edit.new, edit.why, PASSAGE) for edit in step(item.passage).edits]
        new = edited(item, edits, id=f"{item.id}-converted")
        return Variant(item=new, origin=item.id, attack="", edits=tuple(edits)) if edits else None

    return make


def paired(raw: str, table: dict[str, str]) -> Text:
    """Letters written as their doubles."""
    return applied(raw, (Edit(at, sign, table[sign], "pair") for at, sign in enumerate(raw) if sign in table))


def every_other(step: Step) -> Step:
    """Only half of the places, so that both forms stand side by side."""
    return lambda raw: applied(raw, step(raw).edits[::2])


PAIRS = dict(zip("یکه۰۱۲۳۴۵۶۷۸۹", "يكە٠١٢٣٤٥٦٧٨٩", strict=True))
ATTACKS: dict[str, Make] = {
    "invisible": named("invisible"),
    "invisible before": named("invisible", mode="before"),
    "invisible anywhere": named("invisible", mode="anywhere", where="both"),
    "invisible replace": named("invisible", mode="replace"),
    "full width": converted(full_width),
    "half width": converted(half_width),
    "mixed width": converted(every_other(full_width)),
    "letter pairs": converted(partial(paired, table=PAIRS)),
    "script": named("script"),
    "reorder": named("reorder"),
    "homoglyph": named("homoglyph"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--reader", default="zh")
    parser.add_argument("--questions", type=int, default=0, help="so many, evenly spread; 0: all")
    parser.add_argument("--attacks", default=",".join(ATTACKS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--anew", action="store_true", help="read every window again")
    parser.add_argument("--show", type=int, default=3, help="so many differing answers of each attack")
    options = parser.parse_args()
    items = [item for item in load(options.data) if isinstance(item, SpanItem)]
    if options.questions:
        items = items[:: max(1, len(items) // options.questions)][: options.questions]
    reader = load_reader(options.reader, threads=options.threads)
    if not options.anew:
        remembered(reader)
    began = time.perf_counter()
    clean = [reader.answer([item])[0] for item in items]
    mean = 100 * sum(map(f1, items, clean)) / len(items)
    print(f"{len(items)} questions of {options.data}, reader {options.reader}: clean F1 {mean:.3f}")
    print(f"{'attack':20} {'n':>5} {'clean':>7} {'attacked':>8} {'kept':>8} {'equal':>8} {'moved':>5} {'other':>5}")
    for attack in options.attacks.split(","):
        row = compare(reader, items, clean, attack)
        print(
            f"{row.attack:20} {row.questions:5} {row.clean:7.3f} {row.attacked:8.3f} {row.kept:8.2%} {row.equal:8.2%} "
            f"{row.moved:5} {row.other:5}",
            flush=True,
        )
        for name, before, after in row.examples[: options.show]:
            print(f"    {name}: {before!r} → {after!r}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
