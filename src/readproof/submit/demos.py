"""Demo submissions: a newcomer sees what right looks like. What they say was computed by what they hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import islice
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.files import check_folder, writing
from readproof.items import ChoiceItem, Item, LabelItem, TagItem, Triple
from readproof.readers import load_reader
from readproof.readers.job import answer_file
from readproof.readers.shipped import ZH
from readproof.readers.track import track_of, write_track
from readproof.submit.about import TeamStatement
from readproof.submit.celue import CODE
from readproof.submit.gcrc import PACKAGE
from readproof.submit.lines import FOLDERS, KEYS
from readproof.submit.pack import pack_celue, pack_gcrc
from readproof.tasks import TASKS, find, gcrc

# what the demo's model says to everything
CONSTANT = {"ccpm": 0, "chnc": "entertainment"}
_NOUN = "n"
_FILES = dict(
    zip(FOLDERS, ("ccpm.jsonl", "chnc.csv", "cmeee.jsonl", "pku-segpos.txt", "wordseg-weibo.txt"), strict=True)
)


@dataclass(frozen=True, slots=True)
class Demo:
    """The package, and the test files that it answers."""

    package: Path
    tests: tuple[str, ...]
    items: int


def demo_gcrc(
    out: Path,
    *,
    data: Path | None = None,
    limit: int | None = None,
    threads: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Demo:
    """The shipped reader answers the triples of the shipped sample, or of a file of the user's."""
    _folder(out)
    items = list(islice(_triples(data), limit))
    if not items:
        raise InputError(file=data or "", found="no triples", expected="GCRC_advRobust data")
    test = out / "test.json"
    with writing(test) as file:
        gcrc.write_data([_unanswered(item) for item in items], file)
    reader = load_reader("zh", threads=threads)
    predictions = out / "predictions.json"
    answer_file(f"gcrc:{test}", reader, predictions, fresh=True, progress=progress)
    write_track(track_of(reader), predictions)
    package = pack_gcrc([predictions], out / PACKAGE, model=ZH.folder, test=test, track="closed", about=_ABOUT)
    return Demo(package, (f"gcrc:{test}",), len(items))


def demo_celue(out: Path, *, data: tuple[str, ...] = ()) -> Demo:
    """The same answer to every item of five small files of ours, or of the user's (TASK:FILE)."""
    _folder(out)
    given = {}
    for one in data:
        known, path = find(one)
        given[known.name] = path
    tests, total = [], 0
    with as_file(files("readproof.submit").joinpath("demo")) as shipped:
        for task in FOLDERS:
            folder = out / "submission_files" / task
            folder.mkdir(parents=True, exist_ok=True)
            test = given.get(task) or _copied(shipped / _FILES[task], out / "test" / _FILES[task])
            items = list(TASKS.get(task).load(test))
            with writing(folder / "constant.jsonl") as file:
                file.writelines(json.dumps(_line(task, item), ensure_ascii=False) + "\n" for item in items)
            _copied(shipped / CODE, folder / CODE)
            tests.append(f"{task}:{test}")
            total += len(items)
    return Demo(pack_celue([out], out / "submission.zip"), tuple(tests), total)


def _triples(data: Path | None) -> list[Item]:
    from readproof.proof.plan import sample_path

    if data is not None:
        return [item for item in gcrc.load(data) if isinstance(item, Triple)]
    path = sample_path("zh")
    if path is None:
        raise InputError(found="no shipped sample", expected="--data: GCRC_advRobust data")
    return [item for item in TASKS.get("items").load(path) if isinstance(item, Triple)]


def _unanswered(item: Item) -> Item:
    """As the public test file has it: no gold letters."""
    from dataclasses import replace

    if not isinstance(item, Triple):
        raise TypeError(f"{type(item).__name__} where a Triple was expected")
    original, positive, negative = (replace(one, answer=None) for one in item.questions)
    return replace(item, original=original, positive=positive, negative=negative)


def _line(task: str, item: Item) -> dict[str, Any]:
    """What the constant model says, and the one module that said it."""
    text = item.text if isinstance(item, TagItem | LabelItem) else item.question if isinstance(item, ChoiceItem) else ""
    said: Any = CONSTANT.get(task)
    if task == "cmeee":
        said = []
    elif task == "pku-segpos":
        said = [{"start": at, "end": at + 1, "type": _NOUN} for at in range(len(text))]
    elif task == "wordseg-weibo":
        said = " ".join(text)
    return {KEYS[task]: said, "modules": f"({max(len(text), 1)}),constant"}


def _folder(out: Path) -> None:
    check_folder(out)
    out.mkdir(parents=True, exist_ok=True)


def _copied(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())
    return target


_ABOUT = TeamStatement(
    {"team": "示例队", "organisation": "readproof 示例"},
    {
        "external_data": "无（示例）。",
        "method": "本提交由 readproof 自带的中文阅读模型生成，仅用于展示正确的提交格式。",
    },
    {"no_large_model": True, "no_manual_labels": True, "no_construction_rules": True, "reproducible": True},
)
