"""The evaluation half: a reader on the original questions and under every attack, the first table, and ARTEFACT.md."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from examples.persian_study import tables
from examples.persian_study.artefact import MODES, oracle
from examples.persian_study.cells import Cell, ask, cells_file, done_before, header_of
from examples.persian_study.explaining import artefact_text
from examples.persian_study.questions import answerable, questions_digest, sample, split
from examples.persian_study.rows import ORIGINAL, ROWS, USUAL, Row, rows_for
from examples.persian_study.scoring import Figures, measured
from examples.persian_study.telling import Pace, Say, in_words
from readproof import __version__
from readproof.errors import InputError
from readproof.files import check_folder, writing
from readproof.items import SpanItem
from readproof.readers.api import Reader, need
from readproof.readers.factory import load_reader

ADDANY = 200
_PILOT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationPlan:
    """What is measured: which reader, on what, by which rows. With `split` only the fifth that is not learnt from.

    `label` is what the tables call the reader, where that is not its name.
    """

    reader: str
    data: str
    out: Path
    label: str = ""
    rows: tuple[str, ...] = USUAL
    translators: Mapping[str, str] = field(default_factory=dict)
    split: bool = False
    addany: int = ADDANY
    limit: int = 0
    seed: int = 0
    threads: int = 0
    fresh: bool = False
    only_plan: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """The figures of one reader, row by row, and those of the original on the very questions of each row."""

    figures: dict[str, Figures]
    originals: dict[str, Figures]


def evaluate(plan: EvaluationPlan, say: Say) -> dict[str, Any]:
    """Do what is not done yet, write the tables, and give what is in evaluation.json (nothing for a mere plan)."""
    items = sample(_questions(plan.data, plan.split), plan.limit)
    rows = rows_for(plan.rows, translators=plan.translators, addany=plan.addany)
    reader = load_reader(plan.reader, threads=plan.threads)
    need(reader, items[0])
    make_folder(plan.out)
    folder = plan.out / "cells"
    begin_rows(folder, rows, fresh=plan.fresh)
    pace = _told_plan(plan, rows, items, reader, folder, say)
    if plan.only_plan:
        return {}
    begun, label = time.monotonic(), plan.label or label_of(plan.reader)
    asked = ask_rows(rows, items, reader, folder, seed=plan.seed, pace=pace)
    oracles = {mode: oracle(mode, items, plan.seed) for mode in MODES}
    record = {
        "reader": plan.reader,
        "fingerprint": reader.fingerprint,
        "data": Path(plan.data).name,
        "questions": len(items),
        "passages": len({item.passage for item in items}),
        "digest": questions_digest(items),
        "split": plan.split,
        "seed": plan.seed,
        "version": __version__,
        "rows": {row.name: _row_record(row, asked) for row in rows},
        "oracle": {mode: found.plain() for mode, found in oracles.items()},
        "seconds": round(time.monotonic() - begun, 1),
    }
    write_json(plan.out / "evaluation.json", record)
    table = tables.evaluation(rows, asked.figures, label)
    write_text(plan.out / "evaluation.md", _page(plan, label, rows, items, table))
    artefact = artefact_text(oracles, asked.figures, label, len(items))
    write_text(plan.out / "ARTEFACT.md", artefact)
    say(f"\n{table}\nwritten: evaluation.md, evaluation.json and ARTEFACT.md in {plan.out}")
    return record


def ask_rows(
    rows: Sequence[Row], items: Sequence[SpanItem], reader: Reader, folder: Path, *, seed: int, pace: Pace
) -> Asked:
    """Every row that can be measured; the original first, as questions without a variant count as in it."""
    cells: dict[str, list[Cell]] = {}
    figures: dict[str, Figures] = {}
    originals: dict[str, Figures] = {}
    make_folder(folder)
    for row in sorted((row for row in rows if not row.missing), key=lambda row: row.name != ORIGINAL):
        chosen = sample(items, row.sample)
        said = 0

        def tell(count: int, row: Row = row, whole: int = len(chosen)) -> None:
            nonlocal said
            said += count
            pace.did(count * row.readings, f"{row.label}: {said} of {whole} questions")

        said = done_before(folder, row, header_of(row, chosen, reader, seed))
        cells[row.name] = ask(row, chosen, reader, folder, seed=seed, tell=tell)
        by_id = {item.id: cell for item, cell in zip(items, cells[ORIGINAL], strict=True)}
        olds = [by_id[item.id] for item in chosen]
        figures[row.name] = measured(row, chosen, cells[row.name], olds)
        whole = len(chosen) == len(items) and ORIGINAL in figures
        originals[row.name] = figures[ORIGINAL] if whole else measured(ROWS[ORIGINAL], chosen, olds, olds)
    return Asked(figures, originals)


def readings_left(
    rows: Sequence[Row], items: Sequence[SpanItem], reader: Reader, folder: Path, seed: int
) -> dict[str, int]:
    """How many readings each row still takes, at the most."""
    out = {}
    for row in rows:
        if not row.missing:
            chosen = sample(items, row.sample)
            left = len(chosen) - done_before(folder, row, header_of(row, chosen, reader, seed))
            out[row.name] = left * row.readings
    return out


def seconds_each(reader: Reader, items: Sequence[SpanItem]) -> float:
    """How long this reader takes for a question, by a few of them; the first one warms it up."""
    few = sample(items, _PILOT)
    reader.answer(few[:1])
    begun = time.perf_counter()
    for item in few:
        reader.answer([item])
    return (time.perf_counter() - begun) / len(few)


def begin_rows(folder: Path, rows: Sequence[Row], *, fresh: bool) -> None:
    """With `fresh` the answers of earlier runs go."""
    for row in rows:
        if fresh:
            cells_file(folder, row).unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    check_folder(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        found = f"a folder that cannot be made ({os.strerror(error.errno or 0)})"
        raise InputError(file=path, found=found, expected="a place to write to") from None


def write_json(path: Path, record: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(record, ensure_ascii=False, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    with writing(path) as file:
        file.write(text)


def slug(reader: str) -> str:
    """A reader's name as a folder's."""
    return re.sub(r"[^\w.-]+", "-", Path(reader).name or reader).strip("-.") or "reader"


def label_of(reader: str) -> str:
    """A reader's name in a table: of a folder the last part."""
    return Path(reader).resolve().name if Path(reader).exists() else reader


def _questions(data: str, split_it: bool) -> tuple[SpanItem, ...]:
    items = answerable(data)
    return split(items).measured if split_it else items


def _told_plan(
    plan: EvaluationPlan, rows: Sequence[Row], items: Sequence[SpanItem], reader: Reader, folder: Path, say: Say
) -> Pace:
    left = readings_left(rows, items, reader, folder, plan.seed)
    each = seconds_each(reader, items) if any(left.values()) else 0.0
    part = ", the fifth that is not learnt from" if plan.split else ""
    say(f"{plan.reader} on {len(items)} answerable questions of {plan.data}{part}; {1000 * each:.0f} ms a reading")
    for row in rows:
        if row.missing:
            say(f"  {row.label}: {row.missing}, so it is not measured")
            continue
        on = f"on {len(sample(items, row.sample))} questions"
        time_left = f"about {in_words(left[row.name] * each)}" if left[row.name] else "done before"
        translating = ", and the translator's time" if row.attack == "backtranslate" and left[row.name] else ""
        say(f"  {row.label}: {on}, {time_left}{translating}")
    say(f"at the most about {in_words(sum(left.values()) * each)} in all; stop it when you like, it goes on from there")
    return Pace(sum(left.values()), each, say)


def _row_record(row: Row, asked: Asked) -> dict[str, Any]:
    if row.missing:
        return asdict(row) | {"figures": None}
    original = asked.originals[row.name]
    same = {"raw": original.raw.value, "clean": original.clean.value}
    return asdict(row) | {"figures": asked.figures[row.name].plain(), "original_on_the_same_questions": same}


def _page(plan: EvaluationPlan, label: str, rows: Sequence[Row], items: Sequence[SpanItem], table: str) -> str:
    sampled = [row for row in rows if row.sample and row.sample < len(items)]
    notes = [
        f"{len(items)} answerable questions of {Path(plan.data).name}"
        + (", the fifth that is not learnt from" if plan.split else "")
        + f"; reader {label}; seed {plan.seed}; readproof {__version__}. F1 in percent, 95 % intervals by "
        "bootstrap over passages.",
        "*Raw*: SQuAD's F1 of the slice cut from the attacked passage, as the study scored. *Clean*: SQuAD 2.0's F1 "
        "with ZWNJ as a space, nothing invisible on either side. *Kept*: the share of the original F1 of the same "
        "questions. *Attacked*: how many questions the attack could do something with; the others count as they are.",
        "The study's figures are of its own readers on its own questions: they stand here for the layout, not to be "
        "compared digit by digit. Its invisible figure is the raw one; ARTEFACT.md says what that means.",
    ]
    if sampled:
        notes.append(f"Measured on a sample: {', '.join(f'{row.label} ({row.sample} questions)' for row in sampled)}.")
    if any(row.missing for row in rows):
        notes.append(
            "Back-translation was not measured where no translator was configured. *Paraphrase* is another attack, "
            "by rules and synonyms on the question; it is no back-translation."
        )
    return "# The Persian study, evaluation\n\n" + table + "\n" + "\n\n".join(notes) + "\n"
