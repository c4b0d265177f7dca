"""What a run costs beside its reader: the bar is under 15 % of the wall time.

    python benchmarks/prove.py share [READER] [DATA] [--attacks fast]     the shipped reader on the shipped sample
    python benchmarks/prove.py scale DATA                                 time and memory by questions, with a reader
                                                                          that takes no time at all

`share` counts everything but the calls of the reader: loading, making variants, files, scores, intervals, verdict.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from readproof.proof.run import RunResults, prove_reader
from readproof.proof.runner import peak_memory


def share(reader: str, data: str | None, attacks: str, limit: int | None, threads: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        run = prove_reader(
            reader, data, attacks=attacks.split(","), limit=limit, threads=threads, out=Path(folder) / "run"
        )
        took = time.perf_counter() - begun
    inside = run.timings.reader_seconds
    asked = run.scores.asked + run.scores.queries
    print(f"{asked} questions in {took:.1f} s, {inside:.1f} s of it inside the reader")
    print(f"outside the reader: {100 * (1 - inside / took):.1f} % ({1000 * (took - inside) / asked:.2f} ms a question)")
    for phase, seconds in run.timings.phases.items():
        print(f"  {phase:<24}{seconds:>8.1f} s")


def first(passage: str, question: str, options: list[str] | None = None) -> str | int:
    """A reader that takes no time."""
    return 0 if options is not None else passage[: len(question)]


def scale(data: str, attacks: str, limit: int | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        begun = time.perf_counter()
        run = prove_reader(first, data, attacks=attacks.split(","), limit=limit, out=out)
        took = time.perf_counter() - begun
        _told("first", run, took)
        begun = time.perf_counter()
        again = prove_reader(first, data, attacks=attacks.split(","), limit=limit, out=out)
        _told("gone through again", again, time.perf_counter() - begun)
        size = sum(path.stat().st_size for path in out.iterdir()) / 1e6
        print(f"run folder {size:.0f} MB, peak memory {(peak_memory() or 0) / 1e6:.0f} MB")


def _told(what: str, run: RunResults, took: float) -> None:
    print(f"{what}: {run.scores.asked} questions in {took:.1f} s, {1000 * took / run.scores.asked:.2f} ms a question")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("share", "scale"))
    parser.add_argument("given", nargs="*")
    parser.add_argument("--attacks", default="fast")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--threads", type=int, default=0)
    given = parser.parse_args()
    if given.what == "share":
        reader, data = (*given.given, None, None)[:2]
        share(reader or "zh", data, given.attacks, given.limit, given.threads)
    else:
        scale(given.given[0], given.attacks, given.limit)


if __name__ == "__main__":
    main()
