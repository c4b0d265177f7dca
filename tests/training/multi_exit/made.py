"""Tiny data in the formats of the five CELUE tasks, easy enough for an encoder of a few thousand weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import torch

from readproof.items import Answer, ChoiceItem, Item, LabelItem, Mark, TagItem
from readproof.readers.vocabulary import SPECIAL, Vocabulary, whole
from readproof.training.encoder import Encoder, Shape
from readproof.training.multi_exit.measure import HeadOutputs
from readproof.training.multi_exit.recipe import ExitPlan
from readproof.training.multi_exit.sets import SOURCES, write_gold
from readproof.training.recipe import Fit
from readproof.training.weights import packed, write_pieces
from tests.training.made import made_items

WORDS = {
    "春天": "t",
    "我们": "r",
    "去": "v",
    "看": "v",
    "花": "n",
    "北京": "ns",
    "医院": "n",
    "的": "u",
    "大": "a",
    "球赛": "n",
}
SICK = {"感冒": "dis", "头痛": "sym", "阿司匹林": "dru"}
LABELLED = {"球赛": "sports", "股票": "finance", "汽车": "car"}
TASK_NAMES = ("ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo")


def made(task: str, count: int, seed: int = 0) -> list[Item]:
    random = Random(f"{seed}|{task}")
    items = [_MADE[task](random, str(100 + 500 * seed + number)) for number in range(count)]
    return [replace(item, id=str(number)) for number, item in enumerate(items)]


def _ccpm(random: Random, name: str) -> Item:
    verses = random.sample([*WORDS, *SICK], 4)
    right = random.randrange(4)
    return ChoiceItem(id=name, passage="", question=f"{name}说{verses[right]}", options=tuple(verses), answer=right)


def _chnc(random: Random, name: str) -> Item:
    word = random.choice(list(LABELLED))
    return LabelItem(id=name, text=f"{name} {random.choice(list(WORDS))} {word}", label=LABELLED[word])


def _tagged(random: Random, name: str, words: dict[str, str], typed: bool) -> Item:
    chosen = [name, *random.choices(list(words), k=random.randint(2, 8))]
    text, marks = "", []
    for word in chosen:
        marks.append(Mark(len(text), len(text) + len(word), words.get(word, "m") if typed else ""))
        text += word
    return TagItem(id=name, text=text, marks=tuple(marks))


def _cmeee(random: Random, name: str) -> Item:
    text, marks = name, []
    for word in random.choices([*WORDS, *SICK], k=6):
        if word in SICK:
            marks.append(Mark(len(text), len(text) + len(word), SICK[word]))
        text += word
    return TagItem(id=name, text=text, marks=tuple(marks))


_MADE = {
    "ccpm": _ccpm,
    "chnc": _chnc,
    "cmeee": _cmeee,
    "pku-segpos": lambda random, name: _tagged(random, name, WORDS, True),
    "wordseg-weibo": lambda random, name: _tagged(random, name, WORDS, False),
}


def save_data(folder: Path, task: str, count: int = 320) -> Path:
    """The published files of a task, made."""
    folder.mkdir(parents=True, exist_ok=True)
    if task == "cmrc2018":
        items: list[Item] = list(made_items(10))
        write_gold(task, items[:28], folder).replace(folder / "train.json")
        write_gold(task, items[28:], folder).replace(folder / "dev.json")
        return folder
    source = SOURCES[task]
    write_gold(task, made(task, count), folder).replace(folder / source.learnt[0])
    if source.measured_file:
        write_gold(task, made(task, 40, seed=1), folder).replace(folder / source.measured_file)
    return folder


def vocabulary() -> Vocabulary:
    texts = "".join(
        [*WORDS, *SICK, *LABELLED, "说0123456789", *(item.passage + item.question for item in made_items(10))]
    )
    return whole([*SPECIAL, *sorted(set(texts)), *(f"##{digit}" for digit in "0123456789")])


def save_start(folder: Path, layers: int = 3) -> Path:
    """Start weights: a tiny random encoder in int8 parts."""
    torch.manual_seed(0)
    words = vocabulary()
    shape = Shape(rows=len(words), hidden=128, layers=layers, heads=2, inner=96, positions=64)
    write_pieces(packed(Encoder(shape).state_dict()), folder, "part", limit=10**7)
    words.save(folder)
    return folder


def plan_of(task: str, **changes: object) -> ExitPlan:
    usual: dict[str, object] = {"fit": Fit(epochs=3, lr=1e-3, batch=16), "max_tokens": 40, "dropout": 0.0}
    return ExitPlan(task=task, **{**usual, **changes})  # type: ignore[arg-type]


def gold_of(folder: Path, task: str) -> str:
    return f"{task}:{next((folder / 'work' / 'gold').glob(f'{task}.*'))}"


def said_of(answer: Answer) -> tuple[object, ...]:
    return answer.choice, answer.label, answer.marks, answer.exit, answer.modules


def clear_threshold(said: HeadOutputs) -> float:
    """An entropy that some answers are below, and none is near: rounding must not decide."""
    values = np.sort(np.unique(said.doubts))
    middle = values[len(values) // 4 : 3 * len(values) // 4]
    at = int(np.diff(middle).argmax())
    return float((middle[at] + middle[at + 1]) / 2)
