"""Where a reader is strong and weak on CMRC 2018: by question type, on classical Chinese, on cross-sentence questions.

    python -m benchmarks.breakdown --data dev.json --predictions predictions.json

The official challenge set is not public. Its stand-in: the 500 questions whose answer sentence shares the smallest part
of the question's character bigrams, so that matching words does not find the answer. The choice needs no reader.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from readproof.items import SpanItem
from readproof.tasks import load
from readproof.tasks.metrics import cmrc

CROSS_SENTENCE = 500
# particles of classical prose; modern texts have few of them
_CLASSICAL = re.compile("[之乎者也矣焉哉兮曰乃其于以为而则皆遂]")
_MODERN = re.compile("[的了是在们这那]")
_SENTENCE_END = re.compile("[。！？!?；\n]")

TYPES: dict[str, str] = {
    "who": "谁|何人|哪位|哪些人|什么人",
    "when": "何时|什么时候|哪一?年|几年|哪一?天|何年|什么时间|多久|哪个世纪|哪个朝代",
    "where": "哪里|何处|哪儿|什么地方|哪个国家|哪个省|哪座?城市|位于哪|何地|哪个地区",
    "how many": "多少|几[个位人种次名座条只届部场岁集]|多[长高大远重宽深]|第几",
    "why": "为什么|为何|原因|因何|由于什么",
    "how": "如何|怎么|怎样",
    "which": "哪[一些个种两几部家所条类]|哪",
    "what": "什么|何|啥",
}


def question_type(question: str) -> str:
    return next((name for name, pattern in TYPES.items() if re.search(pattern, question)), "other")


def _is_type(name: str, item: SpanItem) -> bool:
    return question_type(item.question) == name


def is_classical(passage: str) -> bool:
    """More classical particles than modern ones, and many of them."""
    old, new = len(_CLASSICAL.findall(passage)), len(_MODERN.findall(passage))
    return old > 2 * new and old / max(1, len(passage)) > 0.03


def shared_bigrams(item: SpanItem) -> float:
    """Which part of the question's character bigrams stands in the sentence of the first gold answer."""
    gold = next((gold for gold in item.golds if gold.start is not None and gold.start >= 0), None)
    if gold is None or gold.start is None:
        return 1.0
    start = max((found.end() for found in _SENTENCE_END.finditer(item.passage, 0, gold.start)), default=0)
    end = _SENTENCE_END.search(item.passage, gold.start + len(gold.text))
    sentence = item.passage[start : end.start() if end else len(item.passage)]
    asked = {item.question[at : at + 2] for at in range(len(item.question) - 1)}
    return sum(pair in sentence for pair in asked) / max(1, len(asked))


def cross_sentence(items: list[SpanItem]) -> set[str]:
    """The ids of the stand-in for the challenge set."""
    ranked = sorted(items, key=lambda item: (shared_bigrams(item), item.id))
    return {item.id for item in ranked[:CROSS_SENTENCE]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--predictions", type=Path, required=True)
    options = parser.parse_args()
    items = [item for item in load(options.data) if isinstance(item, SpanItem)]
    predictions = json.loads(options.predictions.read_text(encoding="utf-8"))
    hard = cross_sentence(items)
    groups: dict[str, Callable[[SpanItem], bool]] = {"all": lambda _: True}
    for name in (*TYPES, "other"):
        groups[name] = partial(_is_type, name)
    groups["classical passage"] = lambda item: is_classical(item.passage)
    groups["cross-sentence stand-in"] = lambda item: item.id in hard
    print(f"{'group':<24} {'questions':>9} {'EM':>7} {'F1':>7} {'simple EM':>10} {'simple F1':>10}")
    for name, belongs in groups.items():
        scores = []
        for item in filter(belongs, items):
            golds = [gold.text for gold in item.golds]
            text = predictions.get(item.id, "")
            scores.append((*cmrc.official(text, golds), *cmrc.simple(text, golds)))
        if scores:
            means = [100 * sum(column) / len(scores) for column in zip(*scores, strict=True)]
            print(f"{name:<24} {len(scores):>9} {means[0]:>7.2f} {means[1]:>7.2f} {means[2]:>10.2f} {means[3]:>10.2f}")


if __name__ == "__main__":
    main()
