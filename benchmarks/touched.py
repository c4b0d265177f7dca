"""How much of the package one question passes through: the modules and functions that a proof of one question calls.

    python -m benchmarks.touched zh dev.json --attacks addsent,typo

Modules that only define values (no function of theirs is called) count where their classes are made.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

import readproof
from readproof.proof.run import prove_reader

ROOT = str(Path(readproof.__file__).parent)


def touched(reader: str, data: str, attacks: list[str]) -> dict[str, set[str]]:
    """The functions that are called, by module."""
    found: dict[str, set[str]] = {}

    def look(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT) and code.co_name != "<module>":
            found.setdefault(code.co_filename[len(ROOT) + 1 :], set()).add(code.co_qualname)

    with tempfile.TemporaryDirectory() as folder:
        sys.setprofile(look)
        try:
            prove_reader(reader, data, attacks=attacks, limit=1, out=Path(folder) / "run")
        finally:
            sys.setprofile(None)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader")
    parser.add_argument("data")
    parser.add_argument("--attacks", default="addsent,typo")
    given = parser.parse_args()
    found = touched(given.reader, given.data, given.attacks.split(","))
    for name, functions in sorted(found.items()):
        print(f"{len(functions):>5}  {name}")
    print(f"{len(found)} modules, {sum(map(len, found.values()))} functions")


if __name__ == "__main__":
    main()
