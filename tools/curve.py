"""The baseline curve of the CELUE tasks out of finished multi-exit trainings.

    python tools/curve.py WORK [WORK …] -o src/readproof/efficiency/curves/celue.json --made "how it was made"

A WORK folder is one of `readproof train celue`. For a hard baseline train every depth by itself, with three seeds:

    for depth in 1 … 12: readproof train celue TASK --depth N --alone --seeds 0,1,2 --work curve/TASK-N …
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from readproof.errors import InputError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", nargs="+", type=Path, help="Work folders of finished trainings.")
    parser.add_argument("-o", "--out", type=Path, required=True, help="The curve's file.")
    parser.add_argument("--name", default="readproof CELUE baseline", help="What the curve is called.")
    parser.add_argument("--made", default="", help="How it was made, in a sentence.")
    asked = parser.parse_args(arguments)
    from readproof.training.multi_exit.curve import write_curve

    try:
        curve = write_curve(asked.out, asked.work, name=asked.name, made=asked.made)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    for task, one in curve["tasks"].items():
        figures = ", ".join(f"{point['performance']:.2f}" for point in one["points"])
        print(f"{task}: {len(one['points'])} points on {one['items']} items: {figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
