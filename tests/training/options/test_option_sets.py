"""From files to groups of statements: labels, held-out passages, both heads, only what is wanted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.attacks.options.making import truths_of
from readproof.errors import InputError
from readproof.items import ChoiceItem, Gold, LabelItem, SpanItem
from readproof.readers.options import as_read
from readproof.tasks import load
from readproof.training.options.families import families, fold_of
from readproof.training.options.made import from_options, from_passages
from readproof.training.options.records import Group, read_groups, write_groups
from readproof.training.options.sets import inferences, kept_apart, prepare_option_sets, questions
from readproof.training.options.span_statements import told, yes_no
from tests.shared_data import SHARED, needs_shared
from tests.training.made import made_items


def gaokao() -> list[ChoiceItem]:
    names = ("vgaokao:{}/vgaokao/clean.json.xz", "gaokao:{}/gaokao_extra/clean.json.xz")
    found = [item for name in names for item in load(name.format(SHARED / "data"))]
    return [item for item in found if isinstance(item, ChoiceItem)]


def test_groups_come_back_as_they_were(tmp_path: Path) -> None:
    groups = [
        Group(id="1", passage="甲\u2028乙", statements=("丙", "丁"), labels=(1, 0), kind="one", place=(0, 1)),
        Group(id="2", passage="甲", statements=("丙",), labels=(0,)),
    ]
    assert write_groups(tmp_path / "set.jsonl", groups) == 2
    assert list(read_groups(tmp_path / "set.jsonl")) == groups
    (tmp_path / "bad.jsonl").write_text('{"id": "1"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1"):
        list(read_groups(tmp_path / "bad.jsonl"))


def test_a_question_for_what_is_not_true_has_one_false_statement() -> None:
    item = ChoiceItem(id="1", passage="甲", question="下列理解不正确的一项是", options=("乙", "丙", "丁"), answer=1)
    verified, chosen = (next(iter(questions([item], "set", head))) for head in ("verify", "choice"))
    assert (verified.statements, verified.labels, verified.kind) == (("乙", "丙", "丁"), (1, 0, 1), "one")
    assert (chosen.labels, chosen.kind) == ((0, 1, 0), "one")
    assert chosen.statements[1] == "下列理解不正确的一项是 丙"


@needs_shared
def test_real_questions_keep_their_answers() -> None:
    items = gaokao()[:200]
    for item, group in zip(items, questions(items, "g", "choice"), strict=True):
        assert group.labels.index(1) == item.answer and sum(group.labels) == 1
        options = as_read(item)[1].options
        assert all(option in statement for option, statement in zip(options, group.statements, strict=True))
    for item, group in zip(items, questions(items, "g"), strict=True):
        if truths := truths_of(item):
            assert group.labels == tuple(map(int, truths))


@needs_shared
def test_no_copy_of_a_held_out_passage_is_learnt_from() -> None:
    items = gaokao()
    learnt, held = kept_apart(items)
    assert (len(learnt), len(held)) == (718, 59)
    family = families(item.passage for item in items)
    assert not {family[item.passage] for item in learnt} & {family[item.passage] for item in held}
    assert len(set(family.values())) < len(family)  # there are copies
    folds = [fold_of(item.passage, 3, family) for item in learnt]
    assert min(folds.count(number) for number in range(3)) > 150
    assert len({(family[item.passage], fold) for item, fold in zip(learnt, folds, strict=True)}) == len(
        {family[item.passage] for item in learnt}
    )


def test_a_text_spaced_otherwise_is_of_the_family() -> None:
    text = "".join(chr(0x4E00 + at) for at in range(200))
    other = "".join(chr(0x6E00 + at) for at in range(200))
    found = families([text, f"{text[:120]}。", other])
    assert found[text] == found[f"{text[:120]}。"] != found[other]


def test_inferences_share_their_premise() -> None:
    pairs = [("甲", "乙", "entailment"), ("甲", "丙", "neutral"), ("丁", "戊", "contradiction"), ("丁", "己", None)]
    items = [LabelItem(id=str(at), text=a, pair=b, label=label) for at, (a, b, label) in enumerate(pairs)]
    assert [(one.passage, one.statements, one.labels) for one in inferences(items)] == [
        ("甲", ("乙", "丙"), (1, 0)),
        ("丁", ("戊",), (0,)),
    ]


def test_span_questions_are_told_with_their_own_and_other_answers() -> None:
    items = made_items(3)
    groups = list(told(items, "made"))
    assert len(groups) == len(items)
    for item, group in zip(items, groups, strict=True):
        right = group.statements[group.labels.index(1)]
        assert item.golds[0].text in right and sum(group.labels) == 1 and group.kind == "one"
        assert group.place is not None
        assert group.passage[slice(*group.place)] == item.golds[0].text
    assert groups == list(told(items, "made"))


def test_yes_and_no_are_truths() -> None:
    items = [
        SpanItem(id=text, passage="甲", question="乙？", golds=(Gold(text),)) for text in ("YES", "no", "否", "别的")
    ]
    assert [group.labels for group in yes_no(items, "law")] == [(1,), (0,), (0,)]


@needs_shared
def test_made_statements_stand_beside_their_opposites() -> None:
    items = gaokao()[:12]
    sentences = list(from_passages([(item.id, item.passage) for item in items[:4]], "g", most=3))
    assert sentences and all(0 in group.labels and group.place for group in sentences)
    for group in [*sentences, *from_options(items, "g")]:
        assert len(set(group.statements)) == len(group.statements) == len(group.labels)
        assert not any("并非如此" in statement for statement in group.statements)
    assert sentences == list(from_passages([(item.id, item.passage) for item in items[:4]], "g", most=3))


@needs_shared
def test_only_the_wanted_sets_are_made(tmp_path: Path) -> None:
    lines: list[str] = []
    data = SHARED / "data"
    counts, hashes = prepare_option_sets(data, tmp_path, only=("logiqa", "held_gaokao"), say=lines.append)
    assert counts == {"logiqa": 1302, "held_gaokao": 59}
    assert set(hashes) == {"logiqa_eval", "logiqa_test", "vgaokao", "gaokao_extra"}
    before = (tmp_path / "logiqa.jsonl").stat().st_mtime_ns
    assert prepare_option_sets(data, tmp_path, only=("logiqa", "held_gaokao")) == (counts, hashes)
    assert (tmp_path / "logiqa.jsonl").stat().st_mtime_ns == before
    prepare_option_sets(data, tmp_path, only=("logiqa", "held_gaokao"), head="choice")
    assert json.loads((tmp_path / "option-sets.json").read_text(encoding="utf-8"))["head"] == "choice"
    assert all(sum(group.labels) == 1 for group in read_groups(tmp_path / "held_gaokao.jsonl"))


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    lines: list[str] = []
    assert prepare_option_sets(tmp_path, tmp_path / "sets", only=("logiqa",), say=lines.append) == ({}, {})
    assert [line for line in lines if "zh_eval.txt is not in" in line]
