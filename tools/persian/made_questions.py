"""Questions made of plain Persian text, a word for asking in the place of a name or a number: to distil on.

    python -m tools.persian.made_questions fa.txt.xz -o made.json [--every 2]

The rules are those of the package (`readproof.lang.cloze`). At most three questions a text, at most one of a kind.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterator
from pathlib import Path

from readproof.items import Gold, SpanItem
from readproof.lang.cloze import clozes
from readproof.lang.fa.language import PERSIAN
from readproof.training.prepare import write_set

_LENGTHS = 350, 1500
_MOST = 3


def made(text: Path, every: int) -> Iterator[SpanItem]:
    with lzma.open(text, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            passage = " ".join(line.split())[: _LENGTHS[1]]
            if number % every or len(passage) < _LENGTHS[0]:
                continue
            kinds: set[str] = set()
            for one in clozes(passage, PERSIAN):
                if one.type not in kinds and len(kinds) < _MOST:
                    kinds.add(one.type)
                    golds = (Gold(text=passage[one.start : one.end], start=one.start),)
                    yield SpanItem(id=f"made-{number}-{one.start}", passage=passage, question=one.question, golds=golds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--every", type=int, default=2)
    asked = parser.parse_args()
    print(write_set(asked.out, list(made(asked.text, asked.every))))


if __name__ == "__main__":
    main()
