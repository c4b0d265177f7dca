"""Prediction files with what each answer cost: CELUE's own lines with `modules`, and the model file beside them.

The format of another task has no place for modules; there they go to OUT.modules.jsonl, a line an item.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from readproof.efficiency.predictions import ANSWER_KEYS
from readproof.errors import InputError
from readproof.files import writing
from readproof.items import Answer, Item
from readproof.readers.exits.modelfile import FILE

Write = Callable[[Iterable[Item], Mapping[str, Answer], TextIO], None]


def check_model_file(text: str, out: Path) -> None:
    """An InputError where the folder of the predictions has the model file of another reader."""
    path = out.parent / FILE
    if path.is_file() and path.read_text(encoding="utf-8") != text:
        found, expected = "the model file of another reader", "one reader for all predictions of a folder"
        raise InputError(file=path, found=found, expected=expected, do="Write the predictions to another folder.")


def with_modules(write: Write) -> Write:
    """The task's own writer of lines, each with its modules."""

    def traced(items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
        listed = list(items)
        plain = io.StringIO()
        write(listed, answers, plain)
        for item, line in zip(listed, plain.getvalue().splitlines(), strict=True):
            record: dict[str, Any] = json.loads(line)
            record["modules"] = answers[item.id].modules if item.id in answers else None
            file.write(json.dumps(record, ensure_ascii=False) + "\n")

    return traced


def beside(items: Iterable[Item], answers: Mapping[str, Answer], out: Path, task: str, model: str) -> list[Path]:
    """The model file and, for a task whose lines have no modules, those of each item; gives what was written."""
    written = [out.parent / FILE]
    with writing(written[0]) as file:
        file.write(model)
    if task not in ANSWER_KEYS:
        written.append(out.with_name(f"{out.name}.modules.jsonl"))
        with writing(written[1]) as file:
            for item in items:
                answer = answers[item.id]
                record = {"id": item.id, "exit": answer.exit, "modules": answer.modules}
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return written
