"""There and back: predictions packed, checked, taken out again and scored have lost nothing."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

from readproof.files import lines
from readproof.items import Answer, ChoiceItem, Item, LabelItem, Mark, TagItem
from readproof.submit import check
from readproof.submit.pack import pack_celue, pack_gcrc
from readproof.tasks import TASKS
from readproof.tasks.scoring import score
from tests.shared_data import SHARED, needs_shared
from tests.submit.parts import CODE
from tests.submit.test_pack import ABOUT, made_model

pytest.importorskip("docx", reason="needs the extra [submit]")

READING = """
def answer(passage, question, options):
    return max(range(4), key=lambda at: sum(one in passage for one in options[at]))
"""


@needs_shared
def test_gcrc_there_and_back(tmp_path: Path) -> None:
    """answer → pack → check → score, over dev_a with a reader that counts characters."""
    data = SHARED / "data/gcrc_advrobust/dev_a.json"
    (tmp_path / "counting.py").write_text(READING, encoding="utf-8")
    run = tmp_path / "run" / "predictions.json"
    run.parent.mkdir()
    asked = ("answer", f"gcrc:{data}", "--reader", "counting:answer", "-o", str(run))
    command = [sys.executable, "-m", "readproof.cli.main", *asked]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    package = pack_gcrc(
        [run.parent],
        tmp_path / "GCRC_advRobust.zip",
        model=made_model(tmp_path / "net"),
        test=data,
        track="closed",
        about=ABOUT,
    )
    found = check(package, tests=[f"gcrc:{data}"], track="closed")
    assert found.problems == ()
    with zipfile.ZipFile(package) as archive:
        archive.extract("GCRC_advRobust.json", tmp_path)
    task = TASKS.get("gcrc")
    back = score(task, tmp_path / "GCRC_advRobust.json", data, metric="strict")
    assert back.official == score(task, run, data, metric="strict").official
    assert back.counts["items"] == 168 and back.counts["missing"] == back.counts["malformed"] == 0


@needs_shared
def test_the_public_test_file(tmp_path: Path) -> None:
    """All 288 items by letters alone: the package has the format of the dev file, and only then is it all right."""
    test = SHARED / "data/gcrc_advrobust/test_public.json.xz"
    letters = {"answer": "A", "positive_answer": "B", "negative_answer": "C"}
    bare = [{"id": item.id} | letters for item in TASKS.get("gcrc").load(test)]
    run = tmp_path / "GCRC_advRobust.json"
    run.write_text(json.dumps({"data": bare}), encoding="utf-8")
    assert [one.code for one in check(run, tests=[test]).problems] == ["G227"]
    assert [one.code for one in check(run).problems] == ["G227"]
    package = pack_gcrc(
        [run],
        tmp_path / "GCRC_advRobust.zip",
        model=made_model(tmp_path / "net"),
        test=test,
        track="closed",
        about=ABOUT,
    )
    found = check(package, tests=[test])
    assert (found.problems, found.seen["rows"]) == ((), 288)
    assert [one.code for one in check(package, tests=[SHARED / "data/gcrc_advrobust/dev_a.json"]).problems][:2] == [
        "G220", "G220",
    ]  # fmt: skip


@dataclass
class Real:
    """Real data of a task, the first so many lines, and the simplest thing that answers it."""

    file: str
    lines: int
    answer: Callable[[Item], Answer]


def _shared_letters(item: Item) -> Answer:
    assert isinstance(item, ChoiceItem)
    near = [len(set(option) & set(item.question)) for option in item.options]
    return Answer(id=item.id, choice=near.index(max(near)))


def _one_label(item: Item) -> Answer:
    assert isinstance(item, LabelItem)
    return Answer(id=item.id, label="sports" if "比赛" in item.text or "球" in item.text else "entertainment")


def _words(item: Item) -> Answer:
    import rjieba

    assert isinstance(item, TagItem)
    marks, at = [], 0
    for word in rjieba.cut(item.text):
        marks.append(Mark(at, at + len(word), "w" if len(word) == 1 and not word.isalnum() else "n"))
        at += len(word)
    return Answer(id=item.id, marks=tuple(marks))


def _known_entities(item: Item) -> Answer:
    assert isinstance(item, TagItem)
    found = [
        Mark(at, at + 2, "bod")
        for at in range(len(item.text) - 1)
        if item.text[at : at + 2] in ("皮肤", "关节", "血液", "心脏")
    ]
    return Answer(id=item.id, marks=tuple(found))


REAL = {
    "ccpm": Real("ccpm/valid.jsonl", 300, _shared_letters),
    "chnc": Real("chnc/dev.csv.xz", 301, _one_label),
    "cmeee": Real("cmeee/valid.txt", 20_000, _known_entities),
    "pku-segpos": Real("pku-segpos/199801.first80.txt.xz", 300, _words),
    "wordseg-weibo": Real("wordseg-weibo/nlpcc2016-wordseg-dev.dat", 300, _words),
}


@needs_shared
def test_celue_there_and_back(tmp_path: Path) -> None:
    """predictions → pack → check → score over real data of all five tasks."""
    direct, tests = {}, []
    for name, real in REAL.items():
        gold = tmp_path / f"{name}.gold"
        kept = [line for _, line in islice(lines(SHARED / "data/celue" / real.file), real.lines)]
        # the last sentence may be cut short
        whole = max((at for at, line in enumerate(kept) if line.startswith("IMGID")), default=len(kept))
        gold.write_text("\n".join(kept[:whole]) + "\n", encoding="utf-8")
        task = TASKS.get(name)
        items = list(task.load(gold))
        answers = {item.id: real.answer(item) for item in items}
        plain = io.StringIO()
        task.write_predictions(items, answers, plain)
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        with (folder / "12.jsonl").open("w", encoding="utf-8") as file:
            for line in plain.getvalue().splitlines():
                file.write(
                    json.dumps(json.loads(line) | {"modules": "(4),emb;(4,8),layer_1"}, ensure_ascii=False) + "\n"
                )
        (folder / "plain.json").write_text(plain.getvalue(), encoding="utf-8")
        direct[name] = score(task, folder / "plain.json", gold)
        tests.append(f"{name}:{gold}")
    (tmp_path / "model_to_eval.py").write_bytes(CODE)
    package = pack_celue([tmp_path / "runs"], tmp_path / "submission.zip", code=tmp_path / "model_to_eval.py")
    found = check(package, tests=tests)
    assert [one.code for one in found.problems] == ["C634"]
    with zipfile.ZipFile(package) as archive:
        archive.extractall(tmp_path / "out")
    for name in REAL:
        again = score(TASKS.get(name), tmp_path / f"out/submission_files/{name}/12.jsonl", tmp_path / f"{name}.gold")
        assert again.exact == direct[name].exact
        assert max(again.exact.values()) > 5, name
