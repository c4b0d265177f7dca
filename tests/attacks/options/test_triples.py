"""Triples made of plain questions, in the official format."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from readproof.attacks.options.blind import GUESSING, blind_scores
from readproof.attacks.options.triples import BuiltTriple, Triples, build, build_triple
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
    assert set(triple.positive.options) != set(ITEM.options)
    assert triple.negative.question == "下列关于原文内容的表述，正确的一项是"
    assert triple.positive.truths.count(False) == 1
    assert triple.negative.truths.count(True) == 1


def test_reasons_why_there_is_none() -> None:
    assert build_triple(replace(ITEM, language="en")) == "not Chinese"
    assert build_triple(replace(ITEM, question="作者为什么这样写？")).startswith("stem does not ask")
    assert build_triple(replace(ITEM, question="下列断句正确的一项是")) == "the stem asks about wording or technique"
    assert build_triple(replace(ITEM, truths=(), answer=None)) == "truth of the options not known"
    assert build_triple(replace(ITEM, truths=(True, False, True, False))) == "not one answer"
    assert build_triple(replace(ITEM, answer=0)) == "answer and truths disagree"
    assert build_triple(replace(ITEM, options=("对", "错", "是", "否"))) == "options too short"


@lru_cache(maxsize=1)
def many() -> tuple[BuiltTriple, ...]:
    return tuple(made for item in real_items() if isinstance(made := build(item), BuiltTriple))


@needs_shared
def test_every_question_of_a_triple_has_one_answer() -> None:
    assert len(many()) > 0.35 * len(real_items())
    for one in many():
        for question in one.triple.questions:
            fitting = [at for at, truth in enumerate(question.truths) if truth is polarity(question.question)]
            assert fitting == [question.answer]
        original = one.triple.original
        for question, mixture in ((one.triple.positive, one.positive), (one.triple.negative, one.negative)):
            assert sorted(mixture.order) == list(range(len(original.options)))
            assert any(rewrite is not None for rewrite in mixture.rewrites)
            for place, (number, rewrite) in enumerate(zip(mixture.order, mixture.rewrites, strict=True)):
                old, truth = original.options[number], original.truths[number]
                assert question.options[place] == (old if rewrite is None else rewrite.of(old))
                assert question.truths[place] is (truth is not (rewrite is not None and rewrite.truth == "flipped"))


@needs_shared
def test_a_triple_mixes_originals_positives_and_negatives_and_its_letters_are_independent() -> None:
    triples = [one.triple for one in many()]
    rewrites = [rewrite for one in many() for rewrite in (*one.positive.rewrites, *one.negative.rewrites)]
    for part in (
        [one for one in rewrites if one is None],
        [one for one in rewrites if one is not None and one.truth == "kept"],
        [one for one in rewrites if one is not None and one.truth == "flipped"],
    ):
        assert 0.1 < len(part) / len(rewrites) < 0.7
    same = sum(one.positive.answer == one.original.answer for one in triples) / len(triples)
    assert 0.1 < same < 0.42


@needs_shared
def test_readers_that_never_see_the_passage_guess() -> None:
    for blind in blind_scores([one.triple for one in many()]):
        assert blind.guesses, blind


@needs_shared
def test_a_blind_reader_finds_options_that_give_themselves_away() -> None:
    """The check can fail: where false options say so, a reader of options alone is right."""
    marked = []
    for one in many():
        questions = [
            replace(
                question,
                options=tuple(
                    text if truth else f"{text}这是绝对的"
                    for text, truth in zip(question.options, question.truths, strict=True)
                ),
            )
            for question in one.triple.questions
        ]
        marked.append(Triple(id=one.triple.id, original=questions[0], positive=questions[1], negative=questions[2]))
    found = {blind.reader: blind for blind in blind_scores(marked)}
    assert not found["options"].guesses
    assert found["options"].made > 90
    assert found["options"].score > 5 * GUESSING


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
    assert sum(isinstance(one, Triple) for one in made) >= 0.35 * len(items)
