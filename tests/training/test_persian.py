"""The Persian sets: nothing of what is measured in them, questions without an answer kept as such."""

from __future__ import annotations

from pathlib import Path

from readproof.items import Gold, SpanItem
from readproof.training.persian import make_persian_sets, usable, write_passages
from readproof.training.prepare import prepare_sets, write_set
from readproof.training.pretrain.corpus import train_pieces
from readproof.training.pretrain.recipe import Pieces
from readproof.training.sets import prepare, span_items
from tests.shared_data import SHARED, needs_shared

PASSAGE = "شهر تبریز در سال 1357 بازسازی شد و مردم آن از کشاورزی زندگی می‌گذرانند. رضا کاظمی شهردار آن بود."


def _item(name: str, passage: str = PASSAGE, *, impossible: bool = False) -> SpanItem:
    golds = () if impossible else (Gold("تبریز", passage.index("تبریز")),)
    return SpanItem(id=name, passage=passage, question="نام شهر چیست؟", golds=golds, impossible=impossible)


def test_a_passage_that_is_measured_on_is_not_trained_on() -> None:
    other = PASSAGE.replace("کشاورزی", "ماهیگیری در دریاچه‌ای بسیار بزرگ و دور از شهرهای دیگر").replace("رضا", "حسن")
    loaded = {"persianqa": [_item("m")], "pquad_test": [_item("a")], "pquad_validation": [_item("b", f"{other * 3}")]}
    sets = make_persian_sets(loaded)
    trained = {item.id for name, items in sets.items() if name != "persianqa" for item in items}
    assert "a" not in trained


def test_no_answer_is_learnt_and_not_left_out(tmp_path: Path) -> None:
    items = usable([_item("a"), _item("b", impossible=True), SpanItem(id="c", passage=PASSAGE, question="چه؟")])
    assert [item.id for item in items] == ["a", "b"]
    count = write_set(tmp_path / "a.json", items, impossible=True)
    assert (count.questions, count.labelled) == (2, 1)
    again = span_items(f"squad:{tmp_path / 'a.json'}")
    assert [item.impossible for item in again] == [False, True]
    windows = prepare(again, train_pieces([PASSAGE] * 9, Pieces(size=300, least=1)).tokenizer()).windows
    assert windows.labelled.tolist() == [True, True]
    assert windows.golds[1, 0].tolist() == [0, 0]
    text = write_passages({"pquad": tmp_path / "a.json", "held_pquad": tmp_path / "none.json"}, tmp_path / "text.txt")
    assert text.read_text(encoding="utf-8") == f"{PASSAGE}\n"


@needs_shared
def test_the_real_sets(tmp_path: Path) -> None:
    counts, sources = prepare_sets(SHARED / "data", tmp_path, language="fa")
    assert set(sources) == {"pquad_validation", "pquad_test", "parsquad", "parsinlu", "persianqa"}
    assert counts["persianqa"].labelled == 651
    assert counts["pquad"].questions > 15_000
    passages = {name: {item.passage for item in span_items(f"squad:{tmp_path / name}.json")} for name in counts}
    assert not passages["held_pquad"] & passages["pquad"]
    assert not passages["persianqa"] & (passages["pquad"] | passages["parsquad"] | passages["parsinlu"])
