"""How sure an option reader should be: the temperature that fits its confidence to questions it has not learnt from.

    python tools/temperature.py READER DATA [--threads 1]

READER is a reader's folder or name, DATA the folder of public files that `train options --plan` takes. The Gaokao
questions that plans hold out are asked; told is the temperature under which the right letters are likeliest, beside the
one that the reader has. It goes into `options` of reader.json.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from readproof.items import ChoiceItem
from readproof.readers import load_reader
from readproof.readers.card import FILE, read_card
from readproof.readers.judged import Judges
from readproof.readers.optionmanner import manner_of
from readproof.readers.shipped import Shipped
from readproof.tasks import load
from readproof.training.options.sets import kept_apart
from readproof.training.options.sources import OPTION_SOURCES, find_option_sources

STEPS = np.arange(0.5, 12.01, 0.1)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader")
    parser.add_argument("data", type=Path)
    parser.add_argument("--threads", type=int, default=0)
    given = parser.parse_args()
    reader = load_reader(given.reader, threads=given.threads)
    if not isinstance(reader, Judges) or ":" in given.reader:
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
