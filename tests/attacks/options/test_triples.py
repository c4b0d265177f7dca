"""Triples made of plain questions, in the official format."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

from readproof.attacks.options.triples import Triples, build, build_triple
from readproof.items import Triple
from readproof.lang.zh.stems import polarity
from readproof.tasks import gcrc, vgaokao
from readproof.tasks.convert import write_gcrc
from tests.attacks.options.data import ITEM, real_items
from tests.shared_data import SHARED, needs_shared


def test_an_example() -> None:
    triple = build_triple(ITEM)
    assert isinstance(triple, Triple)
    assert triple.original.options == ITEM.options
    assert triple.positive.question == ITEM.question
    assert triple.positive.options != ITEM.options
    assert triple.positive.answer == ITEM.answer
    assert triple.negative.question == "下列关于原文内容的表述，正确的一项是"
    assert triple.negative.truths.count(True) == 1


def test_reasons_why_there_is_none() -> None:
    assert build_triple(replace(ITEM, language="en")) == "not Chinese"
    assert build_triple(replace(ITEM, question="作者为什么这样写？")).startswith("stem does not ask")
    assert build_triple(replace(ITEM, truths=(), answer=None)) == "truth of the options not known"
    assert build_triple(replace(ITEM, truths=(True, False, True, False))) == "not one answer"
    assert build_triple(replace(ITEM, answer=0)) == "answer and truths disagree"
    assert build_triple(replace(ITEM, options=("对", "错", "是", "否"))) == "no option can be said otherwise"


@needs_shared
def test_every_question_of_a_triple_has_one_answer() -> None:
    built = [made for item in real_items() if not isinstance(made := build(item), str)]
    assert len(built) > 0.7 * len(real_items())
    for one in built:
        for question in one.triple.questions:
            fitting = [at for at, truth in enumerate(question.truths) if truth is polarity(question.question)]
            assert fitting == [question.answer]
        assert one.triple.positive.truths == one.triple.original.truths
        assert all(rewrite is None or rewrite.truth == "kept" for rewrite in one.positive)
        assert any(rewrite is not None and rewrite.truth == "flipped" for rewrite in one.negative)
        for rewrite, old, new in zip(
            one.negative, one.triple.original.options, one.triple.negative.options, strict=True
        ):
            assert new == (old if rewrite is None else rewrite.of(old))


@needs_shared
def test_the_official_reader_reads_them(tmp_path: Path) -> None:
    triples = [made for item in real_items()[:30] if isinstance(made := build_triple(item, seed=5), Triple)]
    text = io.StringIO()
    assert write_gcrc(triples, text) == len(triples)
    path = tmp_path / "made.json"
    path.write_text(text.getvalue(), encoding="utf-8")
    keys = (
        "id,title,passage,question,options,answer,positive_options,positive_answer,negative_question,negative_options"
    )
    assert list(json.loads(text.getvalue())["data"][0]) == [*keys.split(","), "negative_answer"]
    read = list(gcrc.load(path))
    assert [question.answer for triple in read for question in triple.questions] == [
        question.answer for triple in triples for question in triple.questions
    ]


@needs_shared
def test_same_seed_same_triple_and_another_seed_another() -> None:
    item = real_items()[0]
    assert build(item, 1) == build(item, 1)
    assert len({str(build(item, seed)) for seed in range(6)}) > 1


@needs_shared
def test_as_an_attack() -> None:
    made = Triples().make(ITEM)
    (variant,) = made.variants
    assert isinstance(variant.item, Triple)
    assert {edit.where.split()[0] for edit in variant.edits} == {"positive", "negative"}
    assert Triples(strategies="nonsense").make(ITEM).skipped == "no strategy"
    only = Triples(strategies="keyword").make(ITEM)
    assert all(name.startswith("keyword/") for one in only.variants for name in one.strategy.split(","))


@needs_shared
def test_share_of_vgaokao_that_gives_a_triple() -> None:
    items = list(vgaokao.load(SHARED / "data" / "vgaokao" / "clean.json.xz"))[::3]
    made = [build_triple(item) for item in items]
    assert sum(isinstance(one, Triple) for one in made) >= 0.7 * len(items)
