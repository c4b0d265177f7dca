"""Statements as windows, what is learnt from them, and how they are scored."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from readproof.readers.options import OptionReadingConfig, manner_for
from readproof.readers.vocabulary import Vocabulary
from readproof.training.encoder import Encoder, Shape, chosen_layers
from readproof.training.fit import fit
from readproof.training.options.measure import (
    Logits,
    LossWeights,
    choice_loss,
    evidence_loss,
    logits,
    option_loss,
    said_loss,
    scored,
)
from readproof.training.options.model import OptionReader, option_reader_from
from readproof.training.options.plan import matched, student_loss
from readproof.training.options.recipe import OptionFit, OptionStep
from readproof.training.options.records import Group
from readproof.training.options.sets import questions
from readproof.training.options.windows import OptionBatch, OptionExamples, OptionWindows, batches, collate, cut, merged
from tests.training.options.made import choice_items

MANNER = OptionReadingConfig(segment=24, overlap=6, fine=20, statement=16, max_tokens=48)


@pytest.fixture
def windows(vocabulary: Vocabulary) -> OptionWindows:
    return cut(questions(choice_items(3), "made"), vocabulary.tokenizer(), MANNER)


@pytest.fixture
def reader(vocabulary: Vocabulary) -> OptionReader:
    torch.manual_seed(0)
    return OptionReader(Encoder(Shape(rows=len(vocabulary), hidden=64, layers=2, heads=1, inner=128, positions=64)))


def test_a_window_is_a_statement_and_a_piece(windows: OptionWindows, vocabulary: Vocabulary) -> None:
    group, fine, coarse = windows.groups[0], windows.fine[0], windows.coarse[0]
    assert coarse is not None and [len(one) for one in fine.windows] == [1, 1, 1]
    assert len(coarse.windows[0]) > 2
    rows = vocabulary.rows
    for view in (fine, coarse):
        for statement, numbers in zip(group.statements, view.windows, strict=True):
            for number in numbers:
                tokens = [rows[token] for token in windows.tokens[number]]
                first = tokens.index("[SEP]")
                assert (tokens[0], tokens[-1], tokens.count("[SEP]")) == ("[CLS]", "[SEP]", 2)
                assert "".join(tokens[1:first]).replace("##", "") == statement
                assert windows.heads[number] == first + 1
                assert len(tokens) <= MANNER.max_tokens


def test_the_segment_that_holds_the_evidence_is_known(vocabulary: Vocabulary) -> None:
    passage = choice_items(1)[0].passage
    group = Group(id="1", passage=passage, statements=("越南",), labels=(1,), place=(0, 3))
    found = cut([group, replace(group, place=None)], vocabulary.tokenizer(), MANNER)
    assert [view.evidence for view in found.coarse if view] == [[0], [-1]]


def test_a_choice_reads_the_beginning_of_the_passage(vocabulary: Vocabulary) -> None:
    item = choice_items(1)[0]
    found = cut(questions([item], "made", "choice"), vocabulary.tokenizer(), manner_for("choice", 64))
    assert found.coarse == [None]
    tokens = [vocabulary.rows[token] for token in found.tokens[0]]
    first = tokens.index("[SEP]")
    assert len(tokens) == 64  # full to the brim
    assert "".join(tokens[first + 1 : first + 6]) == item.passage[:5]
    assert "".join(tokens[1:first]).startswith(item.question[:8])


def test_all_groups_are_seen_once_in_batches_that_fit(windows: OptionWindows) -> None:
    found = batches(windows, 600, seed=1, coarse=0.5)
    assert sorted(view.group for batch in found for view in batch) == list(range(len(windows.groups)))
    assert found != batches(windows, 600, seed=2, coarse=0.5)
    for batch in found:
        longest = max(len(windows.tokens[number]) for view in batch for number in view.numbers)
        count = sum(len(view.numbers) for view in batch)
        assert len(batch) == 1 or count * longest <= 600
    only = batches(windows, 600, seed=1, coarse=0.0)
    assert all(view in windows.fine for batch in only for view in batch)


def test_merged_sets_keep_their_windows(windows: OptionWindows) -> None:
    both = merged([windows, windows])
    views = [both.fine[len(windows.groups)], windows.fine[0]]
    first, second = (collate(one, [view]) for one, view in zip((both, windows), views, strict=True))
    assert torch.equal(first.ids, second.ids) and torch.equal(first.labels, second.labels)


def batch_of(labels: list[float], one: bool, said: list[float] | None = None) -> OptionBatch:
    count = len(labels)
    empty = torch.zeros(count, 1, dtype=torch.long)
    nothing = [float("nan")] * count
    return OptionBatch(
        ids=empty, types=empty, mask=empty, table=torch.arange(count)[:, None], rows=torch.arange(count)[None],
        labels=torch.tensor(labels, dtype=torch.float32), one=torch.tensor([one]), evidence=torch.full((count,), -1),
        said=torch.tensor(said or nothing),
    )  # fmt: skip


def test_the_odd_one_is_chosen_whether_true_or_false() -> None:
    high, low = torch.tensor([0.0, 5.0, 0.0]), torch.tensor([0.0, -5.0, 0.0])
    assert choice_loss(high, batch_of([0, 1, 0], True)) < 0.1 < choice_loss(low, batch_of([0, 1, 0], True))
    assert choice_loss(low, batch_of([1, 0, 1], True)) < 0.1 < choice_loss(high, batch_of([1, 0, 1], True))
    assert choice_loss(low, batch_of([0, 1, 0], False)) == 0


def test_the_parts_of_the_loss_are_weighed() -> None:
    scores, rated = torch.tensor([1.0, -2.0]), torch.zeros(2, 1)
    batch = batch_of([1, 0], True)
    assert option_loss(scores, rated, batch, LossWeights(truth=0, choice=0, evidence=0)) == 0
    alone = option_loss(scores, rated, batch, LossWeights(truth=0, choice=1, evidence=0))
    assert torch.equal(alone, choice_loss(scores, batch))
    both = option_loss(scores, rated, batch, LossWeights(truth=2, choice=1, evidence=0.3))
    truth = torch.nn.functional.binary_cross_entropy_with_logits(scores, batch.labels)
    torch.testing.assert_close(both, 2 * truth + alone)


def test_evidence_counts_where_its_place_is_known() -> None:
    rated = torch.tensor([[4.0, 0.0], [0.0, 0.0]])
    batch = batch_of([1, 0], False)
    assert evidence_loss(rated, batch) == 0
    known = OptionBatch(
        **{**{name: getattr(batch, name) for name in OptionBatch.__slots__}, "evidence": torch.tensor([0, -1])}
    )
    assert 0 < evidence_loss(rated, known) < 0.1


def test_who_says_the_same_as_the_teachers_loses_least() -> None:
    batch = batch_of([1, 0, 0], True, said=[2.0, -1.0, 0.5])
    same, other = (said_loss(torch.tensor(scores), batch) for scores in ([2.0, -1.0, 0.5], [0.0, 1.0, 0.5]))
    assert same < other
    assert said_loss(torch.tensor([1.0, 5.0, 1.0]), batch_of([1, 0, 0], True)) == 0  # nobody said anything


def test_a_reader_learns_and_a_student_learns_from_it(reader: OptionReader, windows: OptionWindows) -> None:
    def loss(batch: OptionBatch) -> torch.Tensor:
        found, rated = reader(batch)
        return option_loss(found, rated, batch, LossWeights())

    fit(reader, OptionExamples(windows, 0.5), loss, OptionFit(epochs=40, lr=3e-3, batch=2000))
    tables = logits([reader], windows)
    assert scored(windows, tables).choice == 100.0
    alone = logits([reader], windows, size=1)
    assert all(np.allclose(one, two, atol=1e-4) for one, two in zip(tables, alone, strict=True))
    windows.said = tables
    inner = {name.removeprefix("bert."): one for name, one in reader.state_dict().items() if name.startswith("bert.")}
    student = option_reader_from(chosen_layers(inner, (1,)))
    step = OptionStep(sets=("a",), weights=LossWeights(truth=0, choice=0, evidence=0, said=1.0), hidden=0.1)
    learnt = student_loss(student, reader, step, matched(1, 2))
    before = _apart(tables, logits([student], windows))
    fit(student, OptionExamples(windows, 0.5), learnt, OptionFit(epochs=40, lr=2e-3, batch=2000))
    assert _apart(tables, logits([student], windows)) < 0.5 * before


def _apart(one: list[Logits], other: list[Logits]) -> float:
    return float(np.abs(np.concatenate(one) - np.concatenate(other)).mean())


def test_scores_of_questions_and_statements() -> None:
    groups = [
        Group(id="1", passage="甲", statements=("乙", "丙"), labels=(1, 0), kind="one"),
        Group(id="2", passage="甲", statements=("乙", "丙", "丁"), labels=(1, 1, 0), kind="one"),
        Group(id="3", passage="甲", statements=("乙",), labels=(1,)),
    ]
    tables = [np.asarray(one, dtype=np.float32) for one in ([[2, 4], [1, -9]], [[3, 3], [-1, -1], [1, 1]], [[-1, -1]])]
    found = scored(OptionWindows(groups), tables)
    assert (found.choice, found.asked, found.statements, found.main) == (50.0, 2, 6, 50.0)
    assert found.truth == pytest.approx(50.0)
    fine = scored(OptionWindows(groups), tables, fine_share=1.0)
    assert fine.truth == pytest.approx(100 * 2 / 6)
    assert scored(OptionWindows(groups[2:]), tables[2:]).main == 0.0


def test_a_span_readers_head_is_not_taken_for_options(reader: OptionReader) -> None:
    state = {**reader.state_dict(), "qa_outputs.weight": torch.zeros(2, 64), "qa_outputs.bias": torch.zeros(2)}
    again = option_reader_from(state)
    assert torch.equal(again.truth.weight, reader.truth.weight)
    assert matched(6, 12) == (1, 3, 5, 7, 9, 11)
