"""How fast are questions with options read, against a plain multiple-choice BERT-base in transformers and PyTorch?

    python benchmarks/options.py DEV [--questions 20] [--threads 2]

Both read the same questions of a GCRC file in the same run, one after the other. The plain one is a
`BertForMultipleChoice` of base size over 512 tokens, padded, as its examples do it; its weights are random, which costs
the same. Ours reads the whole passage; options that questions of a triple share are read once. Needs the extra [train].
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

from readproof.items import ChoiceItem
from readproof.readers import load_reader
from readproof.readers.api import questions_of
from readproof.readers.shipped import ZH
from readproof.readers.vocabulary import CLS, SEP, read
from readproof.tasks import load

_WINDOW = 512


def questions(path: str, count: int) -> list[ChoiceItem]:
    """Whole triples spread over the file, about `count` questions."""
    items = list(load(path))
    step = max(1, len(items) * 3 // max(1, count))
    return [one for item in items[::step] for one in questions_of(item) if isinstance(one, ChoiceItem)]


def ours(items: Sequence[ChoiceItem], threads: int) -> float:
    reader = load_reader("zh", threads=threads)
    reader.answer(items[:1])
    fresh = load_reader("zh", threads=threads)
    begun = time.perf_counter()
    fresh.answer(list(items))
    return time.perf_counter() - begun


def plain(items: Sequence[ChoiceItem], threads: int) -> float:
    import torch
    from transformers import BertConfig, BertForMultipleChoice

    torch.set_num_threads(threads)
    vocabulary = read(ZH.folder)
    ids, tokenizer = vocabulary.ids(), vocabulary.tokenizer()
    model = BertForMultipleChoice(BertConfig(vocab_size=21128)).eval()

    def rows(item: ChoiceItem) -> torch.Tensor:
        out = []
        for option in item.options:
            asked = tokenizer.encode(f"{item.question}{option}", add_special_tokens=False).ids[:128]
            body = tokenizer.encode(item.passage, add_special_tokens=False).ids[: _WINDOW - 3 - len(asked)]
            row = [ids[CLS], *body, ids[SEP], *asked, ids[SEP]]
            out.append(row + [0] * (_WINDOW - len(row)))
        return torch.tensor([out])

    with torch.inference_mode():
        model(rows(items[0]))
        begun = time.perf_counter()
        for item in items:
            tensor = rows(item)
            model(tensor, attention_mask=(tensor > 0).long())
        return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--questions", type=int, default=0, help="about so many; 0 for all")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    items = questions(given.data, given.questions or 1 << 30)
    mine = ours(items, given.threads)
    theirs = plain(items, given.threads)
    record = {
        "questions": len(items),
        "threads": given.threads,
        "ours_seconds": round(mine, 2),
        "plain_seconds": round(theirs, 2),
        "times_as_fast": round(theirs / mine, 2),
    }
    print(json.dumps(record))
    if given.out:
        given.out.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
