"""Make all that the Persian reader is trained from, small enough to carry to a machine with a GPU.

    python -m tools.persian.package ENCODER --data DATA --text fa.txt.xz --made made.json --work WORK -o FOLDER

ENCODER is multilingual-e5-small as a folder (model.safetensors, tokenizer.json): two published packages hold it, and
their mean is taken. FOLDER gets the encoder with the rows that are needed (int8 with a scale for each row), the text,
and the questions as tokens: what learns from them needs none of this package. `run.sh` in FOLDER is the whole training.
"""

from __future__ import annotations

import argparse
import io
import json
import lzma
import shutil
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tools.persian.vocabulary import cut, letters_of

from readproof.attacks.addsent import AddOneSent
from readproof.items import SpanItem
from readproof.readers.shipped import FA
from readproof.readers.tokens import TokenizedQuestion, encode
from readproof.readers.vocabulary import SPECIAL, WORD, Vocabulary
from readproof.tasks.overlap import shingles
from readproof.training.prepare import prepare_sets
from readproof.training.pretrain.corpus import clean_text
from readproof.training.sets import answerable, apart, span_items

PERSIAN = ("pquad", "parsquad", "parsinlu")
HELD = ("held_pquad", "held_parsquad")
CHINESE = ("cmrc_plain", "cmrc_wordy", "drcd", "csquad", "cjrc", "dureader")
ROWS, MORE = 12_000, 11_000
_GOLDS = 3
# variants to learn from: place of the sentence, how many, seed; those that are judged have another seed
LEARNT = (("end", 2, 101), ("random", 1, 202))
JUDGED = (("end", 1, 303),)


def sets_of(folder: Path, names: Iterable[str]) -> list[SpanItem]:
    return [item for name in names for item in span_items(f"squad:{folder / name}.json")]


def variants(items: Sequence[SpanItem], doses: Sequence[tuple[str, int, int]]) -> tuple[list[SpanItem], list[int]]:
    """AddSent's variants of the questions with an answer, and which question each is a variant of."""
    out: list[SpanItem] = []
    groups: list[int] = []
    for number, item in enumerate(answerable(items)):
        for place, count, seed in doses:
            attack = AddOneSent(place=place)
            one = replace(item, id=f"{number}-{item.id}")
            found = [variant.item for variant in attack.make(one, seed=seed, count=count).variants]
            out += [one for one in found if isinstance(one, SpanItem)]
            groups += [number] * len(found)
    return out, groups


def arrays(name: str, questions: Sequence[TokenizedQuestion], groups: Sequence[int] = ()) -> dict[str, NDArray[Any]]:
    """Questions and their passages, each once, laid end to end."""
    places: dict[int, int] = {}
    passages = []
    for question in questions:
        if id(question.passage) not in places:
            places[id(question.passage)] = len(passages)
            passages.append(question.passage.ids)
    golds = np.full((len(questions), _GOLDS, 2), -1, dtype=np.int32)
    for row, question in enumerate(questions):
        for at, gold in enumerate(question.golds[:_GOLDS]):
            golds[row, at] = gold
    flat: dict[str, NDArray[Any]] = {}
    for key, rows in (("p", passages), ("q", [question.ids for question in questions])):
        flat[key] = np.concatenate(rows).astype(np.uint16)
        flat[f"{key}o"] = np.concatenate(([0], np.cumsum([len(one) for one in rows]))).astype(np.int32)
    flat["qp"] = np.asarray([places[id(question.passage)] for question in questions], dtype=np.int32)
    flat["golds"] = golds
    flat["group"] = np.asarray(groups or range(len(questions)), dtype=np.int32)
    return {f"{name}.{key}": value for key, value in flat.items()}


def encoder_arrays(folder: Path, rows: Sequence[int]) -> dict[str, NDArray[Any]]:
    """Matrices as int8 with one scale a row, all else as it is, in half precision."""
    from safetensors.numpy import load_file

    out: dict[str, NDArray[Any]] = {}
    for name, table in load_file(folder / "model.safetensors").items():
        if name.startswith("pooler"):
            continue
        table = table.astype(np.float32)
        if name == "embeddings.word_embeddings.weight":
            table = table[list(rows)]
        if table.ndim == 2 and table.shape[0] > 2:
            scale = np.maximum(np.abs(table).max(axis=1), 1e-8) / 127
            out[name] = np.rint(table / scale[:, None]).astype(np.int8)
            # a scale this small has few bits left in half precision
            out[f"{name}.scale"] = scale.astype(np.float32)
        else:
            out[name] = table.astype(np.float16)
    return out


def save(path: Path, found: dict[str, NDArray[Any]]) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, **found)  # type: ignore[arg-type]
    path.write_bytes(lzma.compress(buffer.getvalue(), preset=6) if path.suffix == ".xz" else buffer.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("encoder", type=Path)
    for name in ("data", "text", "made", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("-o", "--out", type=Path, required=True)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    persian, chinese = asked.work / "sets_fa", asked.work / "sets_zh"
    prepare_sets(asked.data, persian, language="fa", say=print)
    prepare_sets(asked.data, chinese, language="zh", say=print)
    learnt, first = sets_of(persian, PERSIAN), sets_of(chinese, CHINESE)
    letters = letters_of(FA.folder / "letters.tsv")
    shipped, trained, rows = cut(asked.encoder, letters, asked.text, learnt, first, ROWS, MORE)
    reading = asked.work / "reading"
    reading.mkdir(exist_ok=True)
    shipped.save(reading)
    save(asked.out / "encoder.npz.xz", encoder_arrays(asked.encoder, rows))
    np.save(asked.out / "begins.npy", np.asarray([row.startswith(WORD) or row in SPECIAL for row in trained.rows]))
    shipped.tokenizer().save(str(asked.out / "tokenizer.json"))
    with lzma.open(asked.text, "rt", encoding="utf-8") as file:
        text = "\n".join(clean_text(line.strip("\n")) for line in file)
    (asked.out / "text.xz").write_bytes(lzma.compress(text.encode(), preset=9))
    counts = questions_into(asked.out / "data.npz.xz", shipped, trained, learnt, first, asked, persian)
    about = {"shipped": len(shipped), "rows": len(trained), "questions": counts}
    (asked.out / "about.json").write_text(json.dumps(about, indent=1) + "\n")
    for name in ("fit.py", "run.sh"):
        shutil.copy(Path(__file__).parent / name, asked.out / name)
    print(json.dumps(about), {path.name: path.stat().st_size for path in sorted(asked.out.iterdir())})


def questions_into(
    path: Path,
    shipped: Vocabulary,
    trained: Vocabulary,
    learnt: list[SpanItem],
    first: list[SpanItem],
    asked: argparse.Namespace,
    persian: Path,
) -> dict[str, int]:
    held = sets_of(persian, HELD)
    test = sets_of(persian, ["persianqa"])
    judged = {piece for passage in {item.passage for item in held + test} for piece in shingles(passage)}
    made = apart(span_items(f"squad:{asked.made}"), judged)
    found: dict[str, NDArray[Any]] = {}
    counts: defaultdict[str, int] = defaultdict(int)
    for name, items, doses in (
        ("zh", first, ()), ("fa", learnt, ()), ("held", held, ()), ("test", test, ()),
        ("made", made, ()), ("fa_addsent", learnt, LEARNT), ("held_addsent", held, JUDGED),
        ("made_addsent", made, JUDGED),
    ):  # fmt: skip
        some, groups = variants(items, doses) if doses else (items, [])
        tokens = encode(some, (trained if name == "zh" else shipped).tokenizer())
        found |= arrays(name, tokens, groups)
        counts[name] = len(tokens)
        print(name, len(tokens), flush=True)
    save(path, found)
    return dict(counts)


if __name__ == "__main__":
    main()
