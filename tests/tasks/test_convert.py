"""Layouts are written and read again without loss; offsets follow a change of script or width."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.files import writing
from readproof.items import ChoiceItem, Gold, Item, LabelItem, Mark, SpanItem, TagItem, Triple
from readproof.script import full_width, in_script
from readproof.tasks import load
from readproof.tasks.convert import WRITERS, mapped
from readproof.text import sanitised
from tests.shared_data import SHARED, needs_shared

QUESTION = ChoiceItem(
    id="t#original", passage="文", question="问？", options=("甲", "乙"), answer=1, truths=(False, True)
)
EVERY_KIND: list[Item] = [
    SpanItem(id="1", passage="甲乙", question="?", golds=(Gold("乙", 1), Gold("丙")), title="题", passage_id="p"),
    SpanItem(id="2", passage="甲乙", question="?", impossible=True, language="fa"),
    QUESTION,
    Triple(id="t", original=QUESTION, positive=QUESTION, negative=QUESTION),
    LabelItem(id="3", text="a", pair="b", label="entailment"),
    TagItem(id="4", text="北京好", marks=(Mark(0, 2, "ns"), Mark(2, 3, "a"))),
    TagItem(id="5", text="北京好"),
]


def _written(items: list[Item], layout: str, tmp_path: Path) -> Path:
    path = tmp_path / f"{layout}.json"
    with writing(path) as file:
        assert WRITERS[layout](items, file) == len(items)
    return path


def test_items_of_every_kind_survive(tmp_path: Path) -> None:
    assert list(load(_written(EVERY_KIND, "items", tmp_path), repair=False)) == EVERY_KIND


@needs_shared
@pytest.mark.parametrize("layout", ["squad", "rows", "items", "cmrc"])
def test_spans_in_every_layout(layout: str, tmp_path: Path) -> None:
    items = [item for item in load(SHARED / "data/cmrc2018/dev.json.xz") if isinstance(item, SpanItem)][:500]
    again = [item for item in load(_written(items, layout, tmp_path)) if isinstance(item, SpanItem)]
    assert [(one.id, one.passage, one.question) for one in again] == [
        (one.id, one.passage, one.question) for one in items
    ]
    texts = [[gold.text for gold in one.golds] for one in again]
    assert texts == [[gold.text for gold in one.golds] for one in items]
    if layout != "cmrc":
        assert [one.golds for one in again] == [one.golds for one in items]


@needs_shared
def test_triples_survive(tmp_path: Path) -> None:
    items = list(load(SHARED / "data/gcrc_advrobust/dev_a.json"))
    assert list(load(_written(items, "gcrc", tmp_path))) == items


@needs_shared
def test_offsets_follow_script_and_width() -> None:
    for item in list(load(SHARED / "data/drcd/DRCD_dev.json.xz"))[:500]:
        for step in (lambda raw: in_script(raw, "simplified"), full_width, sanitised):
            moved = mapped(item, step)
            assert isinstance(moved, SpanItem)
            for gold in moved.golds:
                assert gold.start is not None
                assert moved.passage[gold.start : gold.end] == gold.text


def test_a_kind_that_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="span items"):
        WRITERS["squad"]([EVERY_KIND[4]], io.StringIO())
    with pytest.raises(InputError, match="option items"):
        WRITERS["gcrc"]([EVERY_KIND[0]], io.StringIO())
