"""What the tests of closed and tagging tasks share: gold answers, and the way predictions go through a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Item, LabelItem, TagItem
from readproof.tasks import TASKS
from readproof.tasks.base import Score


def written(folder: Path, text: str, name: str = "file.txt") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def gold_answer(item: Item) -> Answer:
    if isinstance(item, ChoiceItem):
        return Answer(id=item.id, choice=item.answer)
    if isinstance(item, LabelItem):
        return Answer(id=item.id, label=item.label)
    assert isinstance(item, TagItem)
    return Answer(id=item.id, marks=item.marks or ())


def scored(
    name: str, items: Iterable[Item], answers: Iterable[Answer], folder: Path, metric: str = "official"
) -> Score:
    """Write predictions in the task's own format, read them again and score them."""
    task, kept = TASKS.get(name), list(items)
    path = folder / "predictions.json"
    with path.open("w", encoding="utf-8") as file:
        task.write_predictions(kept, {answer.id: answer for answer in answers}, file)
    return task.metrics[metric](kept, task.read_predictions(path))


def refusal(name: str, path: Path) -> InputError:
    """The error that loading a file ends in."""
    with pytest.raises(InputError) as caught:
        list(TASKS.get(name).load(path))
    assert caught.value.file == str(path)
    return caught.value
