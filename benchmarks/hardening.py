"""What hardening gained: clean and attacked F1 of two readers, every attack renewed against each of them.

    python benchmarks/hardening.py DATA AFTER [--before zh] [--questions 100] [--budget 600] [--torch] [--json FILE]

The questions are those of `benchmarks/attacks.py strength`: 100 drawn once, or 500 with `--questions 500`. AddSent is
the worst of five, AddAny has the strong preset and `--budget` queries. A question without a variant counts as unharmed.
The readers are whatever `load_reader` takes; with --torch, folders and `zh` (and `sense:` before these) are read in
batches (on a GPU, where there is one), with their weights in float, which is how 500 questions become possible.
--clean-on names a further file, read whole and clean by both. --part 1/2 measures every second question, so that two
processes with a core each can do the work (--threads 1 --json FILE); --merge FILE… tells what they found together.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks.attacks import sample
from readproof.attacks import SearchAttack, make_attack
from readproof.attacks.search import plain_f1
from readproof.items import SpanItem
from readproof.readers import load_reader
from readproof.readers.api import Reader
from readproof.readers.wrappers import sensible
from readproof.stats import Sample, intervals
from readproof.tasks import load

RUNS: tuple[tuple[str, dict[str, str]], ...] = (
    ("addsent", {"worst_of": "5"}),
    ("addany", {"preset": "strong"}),
)


class Batched:
    """A reader's weights in torch, read in batches; what is asked is made by processes of their own."""

    def __init__(self, spec: str, items: list[SpanItem], budget: int, only: str) -> None:
        from readproof.training.adversarial.attack_refresh import AttackPool, AttackWorker, usual_workers
        from readproof.training.adversarial.reading import preparing
        from readproof.training.adversarial.recipe import AttackMix
        from readproof.training.readerstart import reader_start

        self.start = reader_start(spec.removeprefix("sense:"))
        size = min(512, self.start.positions)
        whole = preparing(self.start, max_tokens=size, overlap=size // 4)
        self.prepare = (lambda items: whole(list(map(shown_less, items)))) if spec.startswith("sense:") else whole
        budgets = {"addsent": 6, "addany": budget}
        runs = [(name, options) for name, options in RUNS if not only or only == name]
        doses = [AttackMix(attack=name, options=options, budget=budgets[name]) for name, options in runs]
        self.names = [name for name, _ in runs]
        self.shop = AttackWorker(items, doses, self.prepare)
        self.crew = AttackPool(self.shop, usual_workers())

    def measured(self, whole: list[str]) -> dict[str, Any]:
        from readproof.training.adversarial.reading import TorchWindows, WindowReader
        from readproof.training.adversarial.table import CLEAN, budgets, figures
        from readproof.training.device import pick_device
        from readproof.training.readerstart import start_digest

        model = TorchWindows(self.start.reader(self.start.state(), dropout=0.0).to(pick_device()).eval())
        begun = time.perf_counter()
        numbers = range(len(self.shop.items))
        found = figures(budgets(self.shop.doses, {}), numbers, self.shop, self.crew, model, seed=0)
        out: dict[str, Any] = {"fingerprint": start_digest(self.start), "seconds": time.perf_counter() - begun}
        clean = found[CLEAN].f1
        for name, one in zip(("clean", *self.names), found.values(), strict=True):
            out[name] = asdict(one) | ({} if name == "clean" else {"share": 100 * one.f1 / clean if clean else 0.0})
        self.crew.close()
        reader = WindowReader(model, self.prepare)
        return out | {"whole": {data: whole_f1(reader, data) for data in whole}}


def shown_less(item: SpanItem) -> SpanItem:
    """The item as `sense:` shows it to a reader."""
    return replace(item, passage=sensible(item.passage).clean, golds=())


def figure(values: list[float], items: list[SpanItem]) -> dict[str, float]:
    """The mean in percent with its 95 % interval over passages."""
    groups = {passage: at for at, passage in enumerate(dict.fromkeys(item.passage for item in items))}
    drawn = Sample(
        columns=(values, [1.0] * len(values)),
        groups=[groups[item.passage] for item in items],
        statistic=lambda sums: {"f1": 100 * sums[..., 0] / sums[..., 1]},
    )
    mean = 100 * sum(values) / len(values)
    low, high = intervals(drawn).get("f1", (mean, mean))
    return {"f1": mean, "low": low, "high": high}


def under_attack(reader: Reader, items: list[SpanItem], budget: int, only: str) -> dict[str, Any]:
    answers = reader.answer(items)
    clean = [plain_f1(item, answer.text) for item, answer in zip(items, answers, strict=True)]
    found: dict[str, Any] = {"clean": figure(clean, items) | {"scores": clean}}
    for name, options in RUNS:
        if only and only != name:
            continue
        attack = make_attack(name, options)
        if not isinstance(attack, SearchAttack):
            raise SystemExit(f"{name} does not search")
        begun, scores, queries, wrong = time.perf_counter(), [], 0, 0
        searched = attack.search(items, reader, budget=budget if name == "addany" else 0)
        for item, before, one in zip(items, clean, searched, strict=True):
            new = one.made.variants[0].item if one.made.variants else item
            after = plain_f1(new, one.after.text) if one.after and isinstance(new, SpanItem) else before
            scores.append(after)
            wrong += before > 0 and after == 0
            queries += one.queries
            if len(scores) % 10 == 0:
                print(f"  {name}: {len(scores)} of {len(items)}", end="\r", flush=True)
        row = figure(scores, items)
        share = 100 * row["f1"] / found["clean"]["f1"] if found["clean"]["f1"] else 0.0
        seconds = time.perf_counter() - begun
        found[name] = row | {
            "scores": scores,
            "share": share,
            "wrong": wrong,
            "queries": queries / len(items),
            "seconds": seconds,
        }
    return found


def whole_f1(reader: Reader, data: str) -> float:
    items = [item for item in load(data) if isinstance(item, SpanItem) and item.golds]
    answers = reader.answer(items)
    return 100 * sum(plain_f1(item, one.text) for item, one in zip(items, answers, strict=True)) / len(items)


def measured(sides: dict[str, str], items: list[SpanItem], given: argparse.Namespace) -> dict[str, Any]:
    """What was found of each reader."""
    found: dict[str, Any] = {}
    # both before a device is touched: its processes are forked
    batched = {side: Batched(spec, items, given.budget, given.only) for side, spec in sides.items() if given.torch}
    for side, spec in sides.items():
        if given.torch:
            found[side] = {"reader": spec, **batched[side].measured(given.clean_on)}
            continue
        reader = load_reader(spec, threads=given.threads)
        found[side] = {"reader": spec, "fingerprint": reader.fingerprint}
        found[side] |= under_attack(reader, items, given.budget, given.only)
        found[side]["whole"] = {data: whole_f1(reader, data) for data in given.clean_on}
    return found


def merged(data: str, questions: int, files: list[Path]) -> dict[str, Any]:
    """What parts found, as one."""
    parts = [json.loads(path.read_text(encoding="utf-8")) for path in files]
    every = sample(data, questions)
    places = [place for part in parts for place in range(len(every))[_part(part["part"])]]
    items = [every[place] for place in places]
    if sorted(places) != list(range(len(every))):
        raise SystemExit("the parts are not the whole, each once")
    sides = [part["after"] for part in parts]
    found: dict[str, Any] = {"reader": sides[0]["reader"], "fingerprint": sides[0]["fingerprint"], "whole": {}}
    if any(side["fingerprint"] != found["fingerprint"] for side in sides):
        raise SystemExit("the parts are of different readers")
    for name in (one for one in ("clean", *(name for name, _ in RUNS)) if one in sides[0]):
        row = figure([score for side in sides for score in side[name]["scores"]], items)
        if name != "clean":
            queries = sum(side[name]["queries"] * len(side[name]["scores"]) for side in sides) / len(items)
            row |= {"share": 100 * row["f1"] / found["clean"]["f1"], "queries": queries}
        found[name] = row
    return found


def _part(text: str) -> slice:
    first, of = map(int, text.split("/"))
    return slice(first - 1, None, of)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("after")
    parser.add_argument("--before", default="zh", help="'' measures the hardened reader alone")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--budget", type=int, default=600)
    parser.add_argument("--only", default="", help="one of the attacks")
    parser.add_argument("--torch", action="store_true")
    parser.add_argument("--clean-on", action="append", default=[])
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--merge", type=Path, nargs="+", help="files of parts of the hardened reader alone")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    items = sample(given.data, given.questions)[_part(given.part)]
    record: dict[str, Any] = {
        "data": given.data,
        "questions": len(items),
        "part": given.part,
        "budget": given.budget,
    }
    if given.merge:
        sides, given.clean_on = {"after": given.after}, []
        record["after"] = merged(given.data, given.questions, given.merge)
    else:
        sides = {side: spec for side, spec in (("before", given.before), ("after", given.after)) if spec}
        record |= measured(sides, items, given)
    print(f"{len(items)} questions of {given.data}, F1 (95 %), attacks renewed against each reader")
    print(f"{'':<10}" + "".join(f"{side:>26}{'of clean':>10}" for side in sides) + f"{'queries':>9}")
    for name in (one for one in ("clean", *(name for name, _ in RUNS)) if one in record["after"]):
        line = f"{name:<10}"
        for side in sides:
            row = record[side][name]
            line += f"{row['f1']:>12.2f} ({row['low']:.1f}-{row['high']:.1f})".rjust(26)
            line += (f"{row['share']:.1f} %" if "share" in row else "").rjust(10)
        print(line + f"{record['after'][name].get('queries', 1):>9.0f}")
    for data in given.clean_on:
        print(f"{data}: " + ", ".join(f"{record[side]['whole'][data]:.2f} {side}" for side in sides))
    if given.json:
        given.json.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
