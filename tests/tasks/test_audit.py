"""The audit finds what is known to be wrong with the public files, and says with which items."""

from __future__ import annotations

import pytest

from readproof.items import ChoiceItem, Gold, LabelItem, Mark, SpanItem, TagItem, Triple
from readproof.tasks import TASKS, find
from readproof.tasks.audit import audit, defects
from readproof.tasks.overlap import shared_passages
from tests.shared_data import SHARED, needs_shared

DATA = SHARED / "data"


def _numbers(file: str) -> dict[str, int]:
    task, path = find(DATA / file)
    result = audit(task.load(path))
    return {code: len(finding.ids) for code, finding in result.findings.items()}


@needs_shared
def test_cmrc_dev_offsets() -> None:
    found = _numbers("cmrc2018/dev.json.xz")
    assert found["offset-negative"] == 193
    assert found["offset-wrong"] == 7
    assert found["no-right-offset"] == 3


@needs_shared
def test_persianqa_offsets_are_right() -> None:
    task, path = find(DATA / "persianqa/pqa_test.json")
    result = audit(task.load(path))
    assert result.counts["items"] == 930
    assert result.counts["unanswerable"] == 279
    assert not defects(result)


@needs_shared
def test_gcrc_artefacts() -> None:
    result = audit(TASKS.get("gcrc").load(DATA / "gcrc_advrobust/dev_a.json"))
    assert result.number("letters-all-differ") == 168
    assert any("differ in 168 of 168" in warning for warning in result.warnings)
    assert any("original letter: A" in warning for warning in result.warnings)
    public = audit(TASKS.get("gcrc").load(DATA / "gcrc_advrobust/test_public.json.xz"))
    assert public.number("negative-question-same") == 2
    assert public.counts["items"] == 288


@needs_shared
def test_xquad_overlaps_chinese_squad() -> None:
    def load(file: str) -> object:
        task, path = find(DATA / file)
        return task.load(path)

    assert len(shared_passages(load("drcd/DRCD_dev.json.xz"), load("cmrc2018/dev.json.xz"))) <= 5
    same = shared_passages(load("xquad/xquad.zh.json"), load("xquad/xquad.zh.json"))
    assert len(same) == 240
    assert all(one.share == 1.0 for one in same)


def _choice(name: str, options: tuple[str, ...], answer: int | None = 0) -> ChoiceItem:
    return ChoiceItem(id=name, passage="文章", question="问", options=options, answer=answer)


def test_options() -> None:
    result = audit(
        [_choice("a", ("甲甲甲甲", "", "丙", "丙")), _choice("a", ("一二三四", "二三四五", "三四五六"), None)]
    )
    assert result.number("duplicate-id") == 1
    assert result.findings["option-empty"].ids == ["a"]
    assert result.number("option-short") == 2
    assert result.number("option-duplicate") == 1
    assert result.number("options-not-four") == 1
    assert result.number("no-gold") == 1


def test_letter_skew_is_reported_only_where_it_is_more_than_chance() -> None:
    even = [_choice(str(number), ("一二三四", "二三四五", "三四五六", "四五六七"), number % 4) for number in range(100)]
    assert not audit(even).warnings
    skewed = [
        _choice(str(number), ("一二三四", "二三四五", "三四五六", "四五六七"), number % 8 % 4 * (number % 2))
        for number in range(100)
    ]
    assert audit(skewed).warnings


def test_independent_letters_give_no_warning() -> None:
    options = ("一二三四", "二三四五", "三四五六", "四五六七")
    triples = [
        Triple(
            id=str(number),
            original=_choice(f"{number}#o", options, number % 4),
            positive=_choice(f"{number}#p", options, number // 4 % 4),
            negative=_choice(f"{number}#n", options, number // 16 % 4),
        )
        for number in range(64)
    ]
    result = audit(triples)
    assert result.number("letters-all-differ") == 24
    assert not result.warnings


@pytest.mark.parametrize(
    ("item", "code"),
    [
        (SpanItem(id="1", passage="", question="q", golds=(Gold("x", 0),)), "empty-passage"),
        (SpanItem(id="1", passage="x", question=" ", golds=(Gold("x", 0),)), "empty-question"),
        (SpanItem(id="1", passage="x", question="q"), "no-gold"),
        (SpanItem(id="1", passage="x", question="q", golds=(Gold("y", 0),)), "no-usable-answer"),
        (LabelItem(id="1", text="x"), "no-label"),
        (TagItem(id="1", text="xyz", marks=(Mark(0, 2, "a"), Mark(1, 3, "b"))), "marks-overlap"),
    ],
)
def test_each_finding(item: SpanItem, code: str) -> None:
    assert audit([item]).number(code) == 1
