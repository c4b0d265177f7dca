"""Made packages for the tests of efficiency: gold for five tasks, predictions of some quality, a model and a curve."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from readproof.items import Answer, ChoiceItem, Item, LabelItem, TagItem
from readproof.tasks import TASKS
from readproof.tasks.celue.chnc import LABELS

TASK_NAMES = ("ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo")
TAGGING = ("cmeee", "pku-segpos", "wordseg-weibo")

# BERT base for Chinese, as a description
BERT = {
    "modules": {
        "emb": {"kind": "embeddings", "rows": [21128, 512, 2], "hidden": 768},
        "layer_1..layer_12": {"kind": "layer", "hidden": 768, "heads": 12, "inner": 3072},
        "pooler": {"kind": "pooler", "hidden": 768},
        "classifier": {"kind": "linear", "inputs": 768, "outputs": 2},
    }
}

# the same as a model file
BERT_FILE = """
from transformers import BertConfig, BertForSequenceClassification

entire_model = BertForSequenceClassification(BertConfig(vocab_size=21128, num_labels=2))
print("what a model file prints must not disturb the answer")
module_list = {
    "emb": entire_model.bert.embeddings,
    "pooler": entire_model.bert.pooler,
    "classifier": entire_model.classifier,
    **{f"layer_{number}": layer for number, layer in enumerate(entire_model.bert.encoder.layer, 1)},
}
"""

# a model file that needs torch only, and little time
TINY_FILE = """
from torch import nn

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(768, 768)
        self.norm = nn.LayerNorm(768)

    def forward(self, x):
        return self.norm(self.dense(x))

class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(768, 768)

    def forward(self, x):
        return self.dense(x[:, 0]).tanh()

layers = [Layer() for _ in range(12)]
module_list = {"emb": nn.Embedding(21128, 768), "pooler": First(), "classifier": nn.Linear(768, 2)}
module_list.update({f"layer_{number}": layer for number, layer in enumerate(layers, 1)})
entire_model = nn.ModuleDict(module_list)
"""


def trace(task: str, length: int, layers: int) -> str:
    """The modules of an item of this length that went through so many layers."""
    middle = ";".join(f"({length},768),layer_{number}" for number in range(1, layers + 1))
    end = f"({length},768),classifier" if task in TAGGING else f"({length},768),pooler;(768),classifier"
    return f"({length}),emb;{middle};{end}"


def made_gold(folder: Path, count: int = 60) -> Path:
    """A folder with gold answers for the five tasks."""
    folder.mkdir()
    chance = Random(0)
    verses = ["渔灯灭复明", "残灯灭又然", "残灯暗复明", "残灯灭又明"]
    words = ["迈向/v", "充满/v", "希望/n", "的/u", "新/a", "世纪/n", "中国/ns"]
    files = {
        "ccpm.jsonl": "".join(
            json.dumps({"translation": f"第{at}盏灯", "choices": verses, "answer": chance.randrange(4)}) + "\n"
            for at in range(count)
        ),
        "chnc.csv": "category,news\n" + "".join(f"{chance.choice(LABELS)},第{at} 个 标题\n" for at in range(count)),
        "cmeee.jsonl": "".join(
            json.dumps(
                {
                    "text": f"患{'儿' * (at % 5 + 1)}有呼吸道感染",
                    "entities": [{"start_idx": 3 + at % 5, "end_idx": 5 + at % 5, "type": "bod", "entity": "呼吸道"}],
                }
            )
            + "\n"
            for at in range(count)
        ),
        "pku-segpos.txt": "".join("  ".join(chance.choices(words, k=6)) + "\n" for _ in range(count)),
        "wordseg-weibo.txt": "".join(
            " ".join(word.partition("/")[0] for word in chance.choices(words, k=6)) + "\n" for _ in range(count)
        ),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def made_lines(task: str, items: Sequence[Item], layers: int, right: float, seed: int = 0) -> list[str]:
    """Prediction lines with modules; about this share of the answers is right."""
    chance = Random(f"{seed}|{task}|{layers}")
    answers = {item.id: _answer(item, chance.random() < right) for item in items}
    file = io.StringIO()
    TASKS.get(task).write_predictions(items, answers, file)
    lines = []
    for number, line in enumerate(file.getvalue().splitlines()):
        record = json.loads(line) | {"modules": trace(task, 8 + number % 20, layers)}
        lines.append(json.dumps(record, ensure_ascii=False))
    return lines


def _answer(item: Item, right: bool) -> Answer:
    if isinstance(item, ChoiceItem):
        gold = item.answer or 0
        return Answer(id=item.id, choice=gold if right else (gold + 1) % 4)
    if isinstance(item, LabelItem):
        return Answer(id=item.id, label=item.label if right else "essay" if item.label != "essay" else "baby")
    assert isinstance(item, TagItem)
    return Answer(id=item.id, marks=(item.marks or ()) if right else (item.marks or ())[:1])


def made_package(
    folder: Path,
    gold: Path,
    points: Mapping[int, float],
    tasks: Sequence[str] = TASK_NAMES,
    model: str = "",
    seed: int = 0,
) -> Path:
    """A package whose points are a number of layers each, with the share of right answers there."""
    for task in tasks:
        place = folder / "submission_files" / task
        place.mkdir(parents=True)
        (source,) = [path for path in gold.iterdir() if path.name.startswith(f"{task}.")]
        items = list(TASKS.get(task).load(source))
        for layers, right in points.items():
            text = "\n".join(made_lines(task, items, layers, right, seed)) + "\n"
            (place / f"{layers}.jsonl").write_text(text, encoding="utf-8")
        if model:
            (place / "model_to_eval.py").write_text(model, encoding="utf-8")
        else:
            (place / "model_to_eval.json").write_text(json.dumps(BERT), encoding="utf-8")
    return folder


def zipped(folder: Path) -> Path:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in sorted(folder.rglob("*")):
            if one.is_file():
                archive.write(one, one.relative_to(folder).as_posix())
    return path


def made_curve(path: Path, tasks: Sequence[str] = TASK_NAMES) -> Path:
    """A small curve: 40, 60 and 70 percent at 1, 6 and 12 layers of BERT base at a length of about 17."""
    points = [
        {"performance": 40.0, "flops": 0.25e9, "parameters": 24_000_000, "made": "made up: layer 1"},
        {"performance": 60.0, "flops": 1.5e9, "parameters": 60_000_000, "made": "made up: layer 6"},
        {"performance": 70.0, "flops": 3.0e9, "parameters": 102_000_000, "made": "made up: layer 12"},
    ]
    whole = {"name": "made curve", "made": "for tests", "tasks": {task: {"points": points} for task in tasks}}
    path.write_text(json.dumps(whole, indent=1), encoding="utf-8")
    return path
