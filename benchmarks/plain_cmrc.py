"""The CMRC 2018 scorer written plainly, as its description reads: what the fast one is measured against."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from nltk.tokenize import NLTKWordTokenizer

SIGNS = [
    "-", ":", "_", "*", "^", "/", "\\", "~", "`", "+", "=", "，", "。", "：", "？", "！", "“", "”", "；", "’",
    "《", "》", "……", "·", "、", "「", "」", "（", "）", "－", "～", "『", "』",
]  # fmt: skip
TOKENIZER = NLTKWordTokenizer()


def segmented(text: Any, drop_signs: bool = False) -> list[str]:
    text = str(text).lower().strip()
    segments: list[str] = []
    buffer = ""
    for character in text:
        if drop_signs and character in SIGNS:
            continue
        if re.search("[\u4e00-\u9fa5]", character) or character in SIGNS:
            if buffer:
                segments.extend(TOKENIZER.tokenize(buffer))
                buffer = ""
            segments.append(character)
        else:
            buffer += character
    if buffer:
        segments.extend(TOKENIZER.tokenize(buffer))
    return segments


def without_signs(text: Any) -> str:
    return "".join(character for character in str(text).lower().strip() if character not in SIGNS)


def longest_common(one: list[str], other: list[str]) -> int:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    best = 0
    for row in range(len(one)):
        for column in range(len(other)):
            if one[row] == other[column]:
                table[row + 1][column + 1] = table[row][column] + 1
                best = max(best, table[row + 1][column + 1])
    return best


def f1_of(answers: list[Any], prediction: str) -> float:
    scores = []
    for answer in answers:
        gold, predicted = segmented(answer, True), segmented(prediction, True)
        common = longest_common(gold, predicted)
        if common == 0:
            scores.append(0.0)
            continue
        precision, recall = common / len(predicted), common / len(gold)
        scores.append((2 * precision * recall) / (precision + recall))
    return max(scores)


def exact_of(answers: list[Any], prediction: str) -> float:
    return float(any(without_signs(answer) == without_signs(prediction) for answer in answers))


def evaluate(gold_path: Path, predictions_path: Path) -> dict[str, Any]:
    gold = json.loads(gold_path.read_text(encoding="utf-8"))
    predictions = json.loads(predictions_path.read_text(encoding="utf-8"))
    f1 = exact = 0.0
    total = skipped = 0
    instances = gold if isinstance(gold, list) else gold["data"]
    for instance in instances:
        for paragraph in instance.get("paragraphs", [instance]):
            for question in paragraph["qas"]:
                total += 1
                name = question["id"] if "id" in question else question["query_id"]
                answers = [answer["text"] if isinstance(answer, dict) else answer for answer in question["answers"]]
                if name not in predictions:
                    skipped += 1
                    continue
                f1 += f1_of(answers, str(predictions[name]))
                exact += exact_of(answers, str(predictions[name]))
    f1, exact = 100.0 * f1 / total, 100.0 * exact / total
    average = (f1 + exact) * 0.5
    return {"AVERAGE": f"{average:.3f}", "F1": f"{f1:.3f}", "EM": f"{exact:.3f}", "TOTAL": total, "SKIP": skipped}
