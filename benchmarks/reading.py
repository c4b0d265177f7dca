"""How fast the shipped reader reads and what it needs: against a plain BERT-base, on long passages, from a cold start.

    python -m benchmarks.reading --data dev.json [--windows 40] [--questions 0]

The baseline is BERT-base in transformers + PyTorch fp32 (random weights: speed does not depend on them), every window
padded to 512 tokens, as the common scripts do. All its windows cost the same, so some of them are timed and the rest is
multiplied out. Both run on the same threads, one after the other. Needs the extra [train] for the baseline.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import readproof.readers
from readproof.items import SpanItem
from readproof.readers.factory import load_reader
from readproof.readers.vocabulary import read
from readproof.tasks import load
from readproof.tasks.metrics import cmrc

PADDED = 512
OVERLAP = 128
LENGTHS = (1_000, 3_000, 10_000, 30_000, 100_000)


def baseline(windows: int, threads: int) -> float:
    """Seconds a window of BERT-base in transformers and PyTorch, padded to 512."""
    import torch
    from transformers import BertConfig, BertForQuestionAnswering

    torch.set_num_threads(threads)
    model = BertForQuestionAnswering(BertConfig(vocab_size=21128)).eval()
    ids = torch.randint(100, 20000, (1, PADDED))
    with torch.no_grad():
        model(input_ids=ids, attention_mask=torch.ones_like(ids))
        start = time.perf_counter()
        for _ in range(windows):
            model(input_ids=ids, attention_mask=torch.ones_like(ids))
    return (time.perf_counter() - start) / windows


def padded_windows(items: list[SpanItem], vocabulary: Path) -> int:
    """How many windows of 512 tokens with an overlap of 128 the common scripts would read."""
    tokenizer = read(vocabulary).tokenizer()
    lengths: dict[str, int] = {}
    count = 0
    for item in items:
        if item.passage not in lengths:
            lengths[item.passage] = len(tokenizer.encode(item.passage, add_special_tokens=False).ids)
        room = PADDED - 3 - min(len(tokenizer.encode(item.question, add_special_tokens=False).ids), 64)
        count += max(1, -(-(lengths[item.passage] - OVERLAP) // (room - OVERLAP)))
    return count


def read_all(items: list[SpanItem], threads: int, name: str) -> tuple[float, float, float, dict[str, str]]:
    """Seconds, exact match and F1 (official), and the answers."""
    reader = load_reader(name, threads=threads)
    reader.answer(items[:1])
    start = time.perf_counter()
    answers = reader.answer(items)
    seconds = time.perf_counter() - start
    scores = [
        cmrc.official(answer.text, [gold.text for gold in item.golds])
        for item, answer in zip(items, answers, strict=True)
    ]
    exact, f1 = (100 * sum(one[at] for one in scores) / len(scores) for at in (0, 1))
    return seconds, exact, f1, {answer.id: answer.text for answer in answers}


def growth(items: list[SpanItem], threads: int, name: str) -> list[tuple[int, float, float]]:
    """Characters, seconds of the first question on a passage, seconds of the next one."""
    chance = random.Random(0)
    passages = list(dict.fromkeys(item.passage for item in items))
    reader = load_reader(name, threads=threads)
    reader.answer(items[:1])
    rows = []
    for length in LENGTHS:
        text = ""
        while len(text) < length:
            text += chance.choice(passages)
        text = (
            text[: length - len(items[0].passage)] + items[0].passage
            if length > len(items[0].passage)
            else text[:length]
        )
        times = []
        for question in (items[0].question, items[1].question):
            item = SpanItem(id="x", passage=text, question=question)
            start = time.perf_counter()
            reader.answer([item])
            times.append(time.perf_counter() - start)
        rows.append((len(text), *times))
    return rows


def cold_start(passage: str, question: str) -> tuple[float, float]:
    """CPU and wall seconds of `readproof ask` from the shell prompt to the answer; the best of three."""
    best = (9e9, 9e9)
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        command = [sys.executable, "-m", "readproof.cli.main", "ask", question, "--text", passage, "--json"]
        subprocess.run(command, check=True, capture_output=True)
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, (spent, wall))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="CMRC 2018 dev or other span data")
    parser.add_argument("--reader", default="zh")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--windows", type=int, default=20, help="baseline windows to time; 0 leaves the baseline out")
    parser.add_argument(
        "--questions", type=int, default=0, help="read only so many questions, evenly picked; 0 for all"
    )
    parser.add_argument("--predictions", type=Path, help="write the answers here")
    options = parser.parse_args()
    items = [item for item in load(options.data) if isinstance(item, SpanItem)]
    if options.questions:
        items = items[:: max(1, len(items) // options.questions)]
    seconds, exact, f1, answers = read_all(items, options.threads, options.reader)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(items)} questions, {options.threads} threads: {seconds:.1f} s, {1000 * seconds / len(items):.1f} ms each"
    )
    print(f"official EM {exact:.2f} F1 {f1:.2f}; peak resident memory {peak:.0f} MB")
    if options.predictions:
        options.predictions.write_text(json.dumps(answers, ensure_ascii=False), encoding="utf-8")
    cpu, wall = cold_start(items[0].passage, items[0].question)
    print(f"cold start of `readproof ask`: {cpu:.2f} s of CPU time, {wall:.2f} s on the clock")
    for length, first, then in growth(items, options.threads, options.reader):
        print(f"passage of {length:>7,} characters: first question {first * 1000:8.1f} ms, next {then * 1000:7.1f} ms")
    if options.windows:
        each = baseline(options.windows, options.threads)
        count = padded_windows(items, Path(readproof.readers.__file__).parent / "models" / "zh")
        print(
            f"BERT-base, fp32, padded: {each * 1000:.0f} ms a window, {count} windows: {each * count:.0f} s; "
            f"readproof is {each * count / seconds:.1f} times as fast"
        )


if __name__ == "__main__":
    main()
