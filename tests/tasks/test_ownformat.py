"""A data file written again in its own format is of the same task and has the same items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from readproof.attacks import make_attack
from readproof.attacks.job import attack_file
from readproof.items import ChoiceItem, Item, SpanItem
from readproof.tasks import find, load
from readproof.tasks.ownformat import own_writer
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared
_FOLDERS = (
    "cmrc2018",
    "drcd",
    "chinese_squad",
    "cjrc",
    "dureader_checklist",
    "xquad",
    "pquad",
    "persianqa",
    "parsquad",
    "parsinlu_rc",
    "gcrc_advrobust",
    "vgaokao",
    "gaokao_extra",
    "c3",
    "logiqa_zh",
)


def _files() -> Iterator[Path]:
    for folder in _FOLDERS:
        yield from sorted(path for path in (SHARED / "data" / folder).rglob("*") if path.is_file())


def _bare(item: Item) -> Item:
    """Without the name of the passage, which some formats give by the place in the file."""
    if isinstance(item, SpanItem):
        return replace(item, passage_id="", title="", id="")
    return replace(item, passage_id="", title="", id="") if isinstance(item, ChoiceItem) else item


@pytest.mark.parametrize("path", list(_files()) if SHARED.is_dir() else [], ids=lambda path: path.parent.name)
def test_written_and_read_again(path: Path, tmp_path: Path) -> None:
    if path.suffix in (".md", ".txt") and "logiqa" not in str(path):
        pytest.skip("not a data file")
    task, _ = find(path)
    items = list(load(f"{task.name}:{path}"))[:300]
    out = tmp_path / path.name.removesuffix(".xz")
    with out.open("w", encoding="utf-8") as file:
        own_writer(task, path)(items, file)
    assert find(out)[0].name == task.name
    again = list(load(out))
    assert [_bare(item) for item in again] == [_bare(item) for item in items]


@pytest.mark.parametrize(
    "folder", ["cmrc2018", "drcd", "xquad", "pquad", "parsquad", "persianqa", "dureader_checklist"]
)
def test_an_attacked_file_is_of_the_same_task(folder: str, tmp_path: Path) -> None:
    path = sorted((SHARED / "data" / folder).glob("*.json*"))[-1]
    out = tmp_path / "attacked.json"
    done = attack_file(str(path), make_attack("homoglyph"), out, limit=20)
    assert find(out)[0].name == done.task == find(path)[0].name
    assert len(list(load(out))) == done.variants > 0
