"""How sure a reader should be: the temperature that fits its confidence to questions it has not learnt from.

    python tools/temperature.py READER DATA [--threads 1]
    python tools/temperature.py READER --spans held.json … [--threads 1]

READER is a reader's folder or name, DATA the folder of public files that `train options --plan` takes. The Gaokao
questions that plans hold out are asked; told is the temperature under which the right letters are likeliest, beside the
one that the reader has. It goes into `options` of reader.json.

With `--spans`, the span questions of those files that have an answer are asked: told is the temperature under which it
is likeliest that answers are exactly right where they are, and wrong where they are not, with the expected calibration
error. It is the `temperature` of reader.json.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from readproof.items import ChoiceItem, SpanItem
from readproof.proof.measure import Confident, calibrated
from readproof.readers import load_reader
from readproof.readers.card import FILE, read_card
from readproof.readers.embedded import EmbeddedReader
from readproof.readers.options import JudgesOptions, manner_of
from readproof.readers.reading import Reading
from readproof.readers.shipped import Shipped
from readproof.tasks import load
from readproof.tasks.metrics import cmrc
from readproof.tasks.persianqa import fair
from readproof.training.options.sets import OPTION_SOURCES, find_option_sources, kept_apart

STEPS = np.arange(0.5, 12.01, 0.1)
SPAN_STEPS = np.arange(0.5, 4.01, 0.1)


def held_out(data: Path) -> list[ChoiceItem]:
    paths = find_option_sources(data)
    if not {"vgaokao", "gaokao_extra"} <= set(paths):
        raise SystemExit(f"{data}: the Gaokao questions (vgaokao, gaokao_extra) are not there")
    every = [one for key in ("vgaokao", "gaokao_extra") for one in load(f"{OPTION_SOURCES[key].task}:{paths[key]}")]
    return kept_apart([one for one in every if isinstance(one, ChoiceItem)])[1]


def loss(logits: list[np.ndarray[tuple[int], np.dtype[np.float64]]], right: list[int], temperature: float) -> float:
    """The mean of -log p of the right letters."""
    total = 0.0
    for row, answer in zip(logits, right, strict=True):
        scaled = row / temperature
        total += float(np.log(np.exp(scaled - scaled.max()).sum()) + scaled.max() - scaled[answer])
    return total / len(right)


def span_rows(reader: EmbeddedReader, items: Sequence[SpanItem]) -> dict[float, list[Confident]]:
    """For each temperature how sure the reader is of its answers, and whether they are right; windows are read once."""
    model, own = reader.reading.model, reader.reading.config
    steps = sorted({round(float(one), 1) for one in (*SPAN_STEPS, own.temperature)})
    readings = {one: Reading(model, replace(own, temperature=one)) for one in steps}
    found: dict[float, list[Confident]] = {one: [] for one in steps}
    for item in items:
        for one, reading in readings.items():
            answer = reading.best(item)[0]
            golds = [gold.text for gold in item.golds]
            right, score = (cmrc.official if item.language == "zh" else fair)(answer.text, golds)
            found[one].append(Confident(answer.confidence or 0.0, right, score))
    return found


def span_loss(rows: Sequence[Confident]) -> float:
    sure = np.clip([row.confidence for row in rows], 1e-6, 1 - 1e-6)
    right = np.asarray([row.right for row in rows])
    return float(-(right * np.log(sure) + (1 - right) * np.log(1 - sure)).mean())


def fit_spans(spec: str, files: Sequence[str], threads: int) -> None:
    reader = load_reader(spec, threads=threads)
    if not isinstance(reader, EmbeddedReader):
        raise SystemExit(f"{spec}: not the folder or the name of an ONNX reader")
    items = [item for one in files for item in load(one) if isinstance(item, SpanItem) and not item.impossible]
    found = span_rows(reader, items)
    best = min(found, key=lambda one: span_loss(found[one]))
    own = round(reader.card.temperature, 1)
    print(f"{len(items)} questions, {sum(row.right for row in found[own]):.0f} exactly right")
    for name, one in (("best", best), ("its own", own), ("none", 1.0)):
        calibration = calibrated(found[one])
        error = f"{calibration.error:.3f}" if calibration else "too few questions"
        print(f"{name}: temperature {one:.1f}, loss {span_loss(found[one]):.3f}, expected calibration error {error}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader")
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--spans", nargs="+", metavar="FILE")
    parser.add_argument("--threads", type=int, default=0)
    given = parser.parse_args()
    if given.spans:
        fit_spans(given.reader, given.spans, given.threads)
        return
    if given.data is None:
        parser.error("DATA or --spans is needed")
    reader = load_reader(given.reader, threads=given.threads)
    if not isinstance(reader, JudgesOptions) or ":" in given.reader:
        raise SystemExit(f"{given.reader}: not the folder or the name of a reader that judges options")
    folder = Path(given.reader) if Path(given.reader).is_dir() else Shipped(given.reader).folder
    has = manner_of(read_card(folder).options, folder / FILE).temperature
    items = [item for item in held_out(given.data) if item.answer is not None]
    answers = [reader.judge(item).answer for item in items]
    logits = [has * np.log(np.maximum(answer.scores, 1e-300)) for answer in answers]
    right = [item.answer or 0 for item in items]
    best = min(STEPS, key=lambda one: loss(logits, right, float(one)))
    if best in (STEPS[0], STEPS[-1]):
        print("the best lies at the end of what was tried: look further")
    found = sum(answer.choice == item.answer for answer, item in zip(answers, items, strict=True))
    print(f"{len(items)} questions, {found} right, chance {np.log(np.mean([len(i.options) for i in items])):.3f}")
    for name, one in (("best", float(best)), ("its own", has)):
        print(f"{name}: temperature {one:.1f}, loss {loss(logits, right, one):.3f}")


if __name__ == "__main__":
    main()
