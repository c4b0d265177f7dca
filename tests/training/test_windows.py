from __future__ import annotations

from itertools import pairwise

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from readproof.items import Gold, SpanItem
from readproof.readers.tokens import spread
from readproof.readers.vocabulary import SPECIAL, whole
from readproof.training.losses import gold_targets
from readproof.training.measure import EvalSet
from readproof.training.sets import converted, prepare
from readproof.training.spans import answers, best_spans
from readproof.training.windows import by_length, collate, joined, shuffled


@given(st.integers(0, 3000), st.integers(16, 500), st.integers(0, 200))
def test_pieces_cover_everything_and_are_never_too_long(length: int, capacity: int, overlap: int) -> None:
    pieces = spread(length, capacity, overlap)
    assert pieces[0][0] == 0 and pieces[-1][1] == length
    assert all(end - start <= capacity for start, end in pieces)
    shared = [before - after for (_, before), (after, _) in pairwise(pieces)]
    assert all(share >= min(overlap, capacity // 2) for share in shared)


def test_a_reader_that_knows_the_golds_answers_with_them(prepared: EvalSet) -> None:
    windows = prepared.windows
    assert len(windows) > len(prepared.questions)
    found = [np.zeros((len(windows), 4), kind) for kind in (np.float32, np.int64, np.int64)]
    for index in by_length(windows, 3):
        batch = collate(windows, index)
        logs = (gold_targets(batch, batch.ids.shape[1]) + 1e-9).log().masked_fill(~batch.valid[:, :, None], -1e4)
        for target, tensor in zip(found, best_spans(logs, batch.valid), strict=True):
            target[index] = tensor.numpy()
    for answer, question in zip(answers(prepared.questions, windows, *found), prepared.questions, strict=True):
        assert answer.raw == question.item.golds[0].text
        assert answer.start == question.item.golds[0].start


def test_invisible_characters_are_not_read_but_stay_in_the_raw_answer() -> None:
    item = SpanItem(id="1", passage="他生于越\u200b南。", question="哪国？", golds=(Gold("越\u200b南", 3),))
    tokenizer = whole([*SPECIAL, *"他生于越南。哪国？"]).tokenizer()
    question = prepare([item], tokenizer).questions[0]
    assert question.golds == ((3, 4),)
    assert question.passage.raw_span(3, 4) == (3, 6)


def test_every_distinct_gold_has_its_share() -> None:
    golds = (Gold("越南", 3), Gold("南", 4), Gold("越南", 3))
    item = SpanItem(id="1", passage="他生于越南。", question="哪国？", golds=golds)
    windows = prepare([item], whole([*SPECIAL, *"他生于越南。哪国？"]).tokenizer()).windows
    batch = collate(windows, np.array([0]))
    target = gold_targets(batch, batch.ids.shape[1])[0]
    assert target[8].tolist() == [0.5, 0.0]
    assert target[9].tolist() == [0.5, 1.0]


def test_batches_hold_every_window_once_and_do_not_depend_on_anything_but_the_seed(prepared: EvalSet) -> None:
    both = joined([prepared.windows, prepared.windows])
    assert len(both) == 2 * len(prepared.windows)
    assert both.questions.max() == 2 * len(prepared.questions) - 1
    batches = shuffled(both, 3, seed=1)
    assert sorted(np.concatenate(batches)) == list(range(len(both)))
    assert all((one == other).all() for one, other in zip(batches, shuffled(both, 3, seed=1), strict=True))


def test_padding_is_masked(prepared: EvalSet) -> None:
    batch = collate(prepared.windows, np.arange(len(prepared.windows)))
    assert batch.mask.sum(dim=1).tolist() == prepared.windows.lengths.tolist()
    assert not (batch.valid & ~batch.mask).any()
    assert batch.valid[:, 0].all()
    assert torch.equal(batch.ids[~batch.mask], torch.zeros_like(batch.ids[~batch.mask]))


def test_golds_move_with_a_changed_passage() -> None:
    from readproof.script import in_script

    item = SpanItem(id="1", passage="陸特在歐洲。", question="?", golds=(Gold("歐洲", 3),))
    moved = converted(item, in_script(item.passage, "simplified"), "?")
    assert moved.golds == (Gold("欧洲", 3),)
