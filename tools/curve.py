"""The baseline curve of the CELUE tasks: readers of every depth, trained for it alone, and the best of each depth.

    python tools/curve.py train chnc --data data --start zh-bert-base --work curve/chnc
    python tools/curve.py write curve/* -o src/readproof/efficiency/curves/celue.json --made "how it was made"

A folder to write from is one of `train`, or the work folder of `readproof train celue`: its exits are candidates too.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from readproof.errors import InputError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    train = commands.add_parser("train", help="Train and measure readers of every depth for one task.")
    train.set_defaults(call=_train)
    train.add_argument("task")
    train.add_argument("--data", type=Path, required=True, help="A folder with the published files.")
    train.add_argument("--start", type=Path, required=True, help="Weights to start from: a BERT.")
    train.add_argument("--work", type=Path, required=True, help="Where the figures go; called again it goes on.")
    train.add_argument("--plan", default="", help="Another recipe than celue-TASK.")
    train.add_argument("--depths", default="1,2,3,4,5,6,7,8,9,10,11,12")
    train.add_argument("--rates", default="5e-5,8e-5,3e-5", help="A learning rate a run; run 0 has seed 0.")
    train.add_argument("--epochs", type=int, default=0, help="Of all depths [as in the recipe].")
    train.add_argument("--more", type=int, default=2, help="Epochs more for the shallowest third.")
    train.add_argument("--no-replay", action="store_true", help="On a CUDA device: no steps replayed as graphs.")
    train.add_argument("--seconds", type=float, default=0.0, help="Stop after so long [never].")
    write = commands.add_parser("write", help="Write the curve.")
    write.set_defaults(call=_write)
    write.add_argument("work", nargs="+", type=Path, help="Work folders.")
    write.add_argument("-o", "--out", type=Path, required=True, help="The curve's file.")
    write.add_argument("--name", default="readproof CELUE baseline", help="What the curve is called.")
    write.add_argument("--made", default="", help="How it was made, in a sentence.")
    asked = parser.parse_args(arguments)
    try:
        asked.call(asked)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _train(asked: argparse.Namespace) -> None:
    from readproof.training.multi_exit.curve import DepthRun, train_depths
    from readproof.training.multi_exit.recipe import find_exit_plan

    plan = find_exit_plan(asked.plan or f"celue-{asked.task}")
    epochs = asked.epochs or plan.fit.epochs
    rates = map(float, asked.rates.split(","))
    begun = time.monotonic()
    path = train_depths(
        plan,
        data=[asked.data],
        start=asked.start,
        work=asked.work,
        depths=map(int, asked.depths.split(",")),
        runs=[DepthRun(seed, rate, epochs, epochs + asked.more) for seed, rate in enumerate(rates)],
        say=lambda line: print(line, file=sys.stderr, flush=True),
        replay=not asked.no_replay,
        out_of_time=lambda: bool(asked.seconds) and time.monotonic() - begun > asked.seconds,
    )
    print(path)


def _write(asked: argparse.Namespace) -> None:
    from readproof.training.multi_exit.curve import write_curve

    curve = write_curve(asked.out, asked.work, name=asked.name, made=asked.made)
    for task, one in curve["tasks"].items():
        figures = ", ".join(f"{point['performance']:.2f}" for point in one["points"])
        print(f"{task}: {len(one['points'])} points on {one['items']} items: {figures}")


if __name__ == "__main__":
    sys.exit(main())
