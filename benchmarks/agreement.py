"""What export and quantising change, answer by answer: the trained reader in torch, its fp32 export, its int8 export.

    python -m benchmarks.agreement --trained FOLDER --int8 zh --data dev.json [--questions 400]

FOLDER is what `readproof train span` or `distil` wrote. All three read every window (no stopping early), so that only
the arithmetic differs.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from readproof.items import SpanItem
from readproof.readers.api import ReaderOptions
from readproof.readers.embedded import EmbeddedReader, open_folder
from readproof.readers.shipped import ZH
from readproof.tasks import load
from readproof.tasks.metrics import cmrc
from readproof.training.measure import measure
from readproof.training.model import reader_from
from readproof.training.sets import prepare
from readproof.training.ship import export_reader
from readproof.training.start import read_folder


def read_all(reader: EmbeddedReader, items: list[SpanItem]) -> list[str]:
    """The raw answers, with every window read."""
    reader.reading.config = replace(reader.reading.config, enough=1.0)
    return [answer.raw for answer in reader.answer(items)]


def exact(items: list[SpanItem], answers: list[str]) -> float:
    scores = [
        cmrc.official(text, [gold.text for gold in item.golds])[0] for item, text in zip(items, answers, strict=True)
    ]
    return 100 * sum(scores) / len(scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trained", type=Path, required=True)
    parser.add_argument("--int8", default="zh", help="an exported folder, or zh")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=0)
    options = parser.parse_args()
    items = [item for item in load(options.data) if isinstance(item, SpanItem)]
    if options.questions:
        items = items[:: max(1, len(items) // options.questions)]
    start = read_folder(options.trained)
    prepared = prepare(items, start.vocabulary.tokenizer())
    trained = [answer.raw for answer in measure([reader_from(start.state(), dropout=0.0)], prepared, size=8).answers]
    with tempfile.TemporaryDirectory() as name:
        folder = export_reader(options.trained, Path(name), precision="fp32")
        whole = read_all(open_folder(folder, ReaderOptions()), items)
    opened = ZH.open(ReaderOptions()) if options.int8 == "zh" else open_folder(Path(options.int8), ReaderOptions())
    if not isinstance(opened, EmbeddedReader):
        raise TypeError("an ONNX reader is wanted")
    small = read_all(opened, items)
    count = len(items)
    print(f"{count} questions")
    print(
        f"trained EM {exact(items, trained):.2f}, fp32 export {exact(items, whole):.2f}, int8 {exact(items, small):.2f}"
    )
    same = [sum(map(str.__eq__, one, other)) / count for one, other in ((trained, whole), (whole, small))]
    print(f"fp32 export agrees with the trained reader on {same[0]:.2%}, int8 with fp32 on {same[1]:.2%}")


if __name__ == "__main__":
    main()
