"""What an engine gives and costs: local, pool and Ray on the same questions, and a million of them through one job.

    python -m benchmarks.engine --speed 400 [--data DEV.json] [--repeats 3]    questions a second and memory a worker
    python -m benchmarks.engine --same 5000 [--data TRAIN.json]                the same bytes on every engine
    python -m benchmarks.engine --million 1000000 [--engine pool]              answer → score: memory, a kill, a resume

`--speed` and `--same` read with the shipped reader, one thread each; `--same` also proves a reader that takes no time
under attacks, and compares the whole run folder. `--million` makes its questions itself and reads by shared pairs of
characters. Without --data, CMRC 2018 beside the checkout (../shared) is used.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random

from readproof.attacks import make_attack
from readproof.attacks.job import attack_file, record_of
from readproof.engine import Engine, choose, shards
from readproof.files import writing
from readproof.items import Gold, SpanItem
from readproof.journal import part_of
from readproof.proof.run import prove_reader
from readproof.readers.job import answer_file
from readproof.readers.reader_ref import ReaderRef
from readproof.tasks import load
from readproof.tasks.convert import write_squad
from readproof.tasks.scoring import score

CMRC = Path(__file__).resolve().parents[2] / "shared/data/cmrc2018"
ENGINES = ("local", "pool", "ray")
_SENTENCE = re.compile("[^。]+。?")
_SIGNS = "的一是不了人我在有他这中大来上国和地到以说时要就出会可也你对生能而子那得于着下自之年"


def overlap(passage: str, question: str) -> str:
    """A reader that takes no time: the sentence that shares most pairs of characters with the question."""
    pairs = {question[at : at + 2] for at in range(len(question) - 1)}
    return max(_SENTENCE.findall(passage) or [""], key=lambda one: sum(pair in one for pair in pairs))


# memory, of Linux alone


def memory(process: int, kind: str = "Rss") -> float:
    """MB of a process: Rss, or Pss, which counts what several processes share once among them."""
    with suppress(OSError):
        found = re.search(rf"^{kind}:\s+(\d+) kB", Path(f"/proc/{process}/smaps_rollup").read_text(), re.M)
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


def seconds_of(process: int) -> float:
    """Seconds of a core that a process has used, without its workers'."""
    with suppress(OSError, IndexError):
        used = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def workers_of(engine: str) -> list[int]:
    """The processes that have a reader."""
    if engine == "local":
        return [os.getpid()]
    if engine == "pool":
        import multiprocessing

        return [child.pid for child in multiprocessing.active_children() if child.pid]
    return [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if _command(path).startswith(b"ray::Hand")
    ]


def _command(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


# speed


def speed(data: str, count: int, repeats: int) -> None:
    """Questions a second with the start and without, and memory."""
    print(f"{count} questions, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; best of {repeats}")
    best: dict[str, tuple[float, float]] = {}
    # in turns, so that what else the machine does in a bad minute falls on all of them
    rounds = [{name: _timed(name, data, count) for name in ENGINES} for _ in range(repeats)]
    for name in ENGINES:
        rows = [one[name] for one in rounds]
        best[name] = min(row[0] for row in rows), min(row[1] for row in rows)
        whole, working = best[name]
        held = " and ".join(f"{rss:.0f} MB ({pss:.0f} shared out)" for rss, pss in rows[0][2])
        print(
            f"{name:<6} {whole:7.1f} s, at work {working:7.1f} s, {1000 * working / count:6.1f} ms a question; {held}"
        )
    for at, what in enumerate(("with the start", "at work")):
        local, pool, ray = (best[name][at] for name in ENGINES)
        print(f"{what}: pool {local / pool:.2f} times local; Ray {100 * (ray / pool - 1):+.1f} % over pool")
    sizes = [len(pickle.dumps(some)) for some in shards(islice(load(data), count), 64)]
    print(f"a question travels in {sum(sizes) / count:.0f} bytes; load now {os.getloadavg()[0]:.1f}")


def _timed(name: str, data: str, count: int) -> tuple[float, float, list[tuple[float, float]]]:
    held: list[tuple[float, float]] = []
    first: list[tuple[float, int]] = []

    def tell(done: int, total: int) -> None:
        if done and not first:
            first.append((time.perf_counter(), done))
        if done >= total // 2 and not held:
            held.extend((memory(one), memory(one, "Pss")) for one in workers_of(name))

    engine = choose(name, workers=0 if name == "local" else 2, threads=1)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        answer_file(
            data, ReaderRef("zh", threads=1), Path(folder) / "p.json", limit=count, engine=engine, progress=tell
        )
        ended = time.perf_counter()
    since, done = first[0]
    return ended - begun, (ended - since) * count / (count - done), held


# the same


def same(data: str, count: int) -> None:
    """Digests of all that comes out, engine by engine."""
    with tempfile.TemporaryDirectory() as name:
        found = {engine: _digests(engine, data, count, Path(name) / engine) for engine in ENGINES}
    for what in found["local"]:
        agree = len({found[engine][what] for engine in ENGINES}) == 1
        print(f"{what:<28} {found['local'][what][:16]} {'the same on all engines' if agree else 'DIFFERS'}")
    if any(found[engine] != found["local"] for engine in ENGINES):
        sys.exit(1)


def _digests(name: str, data: str, count: int, folder: Path) -> dict[str, str]:
    folder.mkdir()
    begun = time.perf_counter()
    # in this process with two threads, elsewhere with one: that must not matter either
    engine: Engine = choose(name, threads=2) if name == "local" else choose(name, workers=2, threads=1)
    answers, variants = folder / "answers.json", folder / "variants.json"
    answer_file(data, ReaderRef("zh", threads=engine.threads), answers, limit=count, engine=engine)
    task = data.partition(":")[0]
    told = score(task, answers, data.partition(":")[2])
    attack_file(data, make_attack("addsent"), variants, seed=1, limit=count, engine=engine)
    reader, attacks = "benchmarks.engine:overlap", ("addsent", "invisible", "typo")
    run = prove_reader(reader, data, attacks=attacks, limit=count, out=folder / "run", engine=engine)
    paths = [answers, variants, record_of(variants), *run.folder.iterdir()]
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths if path.name != "timings.json"}
    figures = f"F1 {told.exact['F1'] * told.counts['items'] / count:.4f}"
    print(f"{name}: {count} questions answered, attacked and proved in {time.perf_counter() - begun:.0f} s; {figures}")
    return found | {"score": figures}


# a million


def made(count: int) -> Iterator[SpanItem]:
    """Questions three to a passage, of chance signs; the answer stands in the passage."""
    for number in range(0, count, 3):
        chance = Random(number)
        passage = "".join("".join(chance.choices(_SIGNS, k=24)) + "。" for _ in range(8))
        for at in range(min(3, count - number)):
            start = chance.randrange(len(passage) - 10)
            gold = Gold(passage[start : start + 6], start)
            yield SpanItem(
                id=f"DEV_{number // 3}_QUERY_{at}",
                passage=passage,
                question=passage[max(0, start - 8) : start] + "？",
                golds=(gold,),
                passage_id=str(number // 3),
            )


def million(count: int, engine: str, workers: int) -> None:
    """Answered, killed in the middle, answered on, and scored; what the first process has in memory all the while."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, out = folder / "data.json", folder / "predictions.json"
        begun = time.perf_counter()
        with writing(data) as file:
            write_squad(made(count), file)
        print(f"{count} questions, {data.stat().st_size / 1e6:.0f} MB, made in {time.perf_counter() - begun:.0f} s")
        shared = ["--engine", engine, *(["--workers", str(workers)] if workers else [])]
        answer = ["answer", f"cmrc2018:{data}", "--reader", "benchmarks.engine:overlap", "-o", str(out), *shared]
        _watched("answer, killed", answer, part_of(out), count, kill_at=0.5)
        _watched("answer, gone on", answer, part_of(out), count)
        print(f"predictions {out.stat().st_size / count:.0f} bytes a question")
        _watched("score", ["score", "cmrc2018", str(out), str(data)], None, count)


def _watched(what: str, command: list[str], part: Path | None, count: int, kill_at: float = 0.0) -> None:
    begun = time.perf_counter()
    seen: list[tuple[float, float]] = []
    each = used = 0.0  # bytes of the part file for a question; seconds of a core
    # no pipe: what a killed process started may hold it open
    with tempfile.TemporaryFile("w+", encoding="utf-8") as told:
        process = subprocess.Popen([sys.executable, "-m", "readproof", *command], stdout=told)
        while process.poll() is None:
            time.sleep(0.5)
            done = 0.0
            if part is not None and part.exists():
                with part.open("rb") as file:
                    size, lines = part.stat().st_size, list(islice(file, 2000))
                each = sum(map(len, lines)) / len(lines) if lines else 0.0
                done = size / each / count if each else 0.0
            seen.append((done, memory(process.pid)))
            used = max(used, seconds_of(process.pid))
            if kill_at and done >= kill_at:
                process.send_signal(signal.SIGKILL)
        told.seek(0)
        said = told.read().strip().splitlines()
    steps = [next((held for done, held in seen if done >= step), 0.0) for step in (0.1, 0.3, 0.5, 0.7, 0.9)]
    at = ", ".join(f"{held:.0f}" for held in steps if held)
    most = max((held for _, held in seen), default=0.0)
    print(f"{what}: {time.perf_counter() - begun:.0f} s ({used:.0f} s of a core), status {process.returncode}")
    print(f"  at most {most:.0f} MB", f"({at} on the way)" if at else "")
    if each:
        print(f"  part file {each:.0f} bytes a question")
    for line in said[:8]:
        print(f"  {line}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", type=int, metavar="QUESTIONS")
    parser.add_argument("--same", type=int, metavar="QUESTIONS")
    parser.add_argument("--million", type=int, metavar="QUESTIONS")
    parser.add_argument("--data", default="")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--engine", default="local")
    parser.add_argument("--workers", type=int, default=0)
    given = parser.parse_args()
    if given.speed:
        speed(given.data or f"cmrc2018:{CMRC / 'dev.json.xz'}", given.speed, given.repeats)
    if given.same:
        same(given.data or f"cmrc2018:{CMRC / 'train.json.xz'}", given.same)
    if given.million:
        million(given.million, given.engine, given.workers)


if __name__ == "__main__":
    main()
