"""What is made small: agreement over shared tokens, and no belief in added ones; pushes that are taken back."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from readproof.attacks.edits import inserted, variant
from readproof.items import SpanItem, Variant
from readproof.training.adversarial.aligned import Attacked, aligned, joined_attacked
from readproof.training.adversarial.loop import Mixed, MixedBatch, adversarial_passes, agreement, carried
from readproof.training.adversarial.recipe import EmbeddingPerturbation
from readproof.training.measure import EvalSet
from readproof.training.model import SpanReader
from readproof.training.optimise import pushed
from readproof.training.sets import prepare
from readproof.training.windows import collate
from tests.training.adversarial.conftest import tiny_vocabulary
from tests.training.made import made_items

TOKENIZER = tiny_vocabulary().tokenizer()


def longer(item: SpanItem, text: str = "主教是什么时候。") -> Variant:
    return variant(item, [inserted(item, len(item.passage), text, why="")], id=f"{item.id}-x", attack="made")


def mixed(items: list[SpanItem], variants: list[Variant]) -> tuple[EvalSet, Attacked, Mixed]:
    numbers = {item.id: at for at, item in enumerate(items)}
    clean = prepare(items, TOKENIZER)
    originals = prepare([items[numbers[one.origin]] for one in variants], TOKENIZER)
    news = prepare([one.item for one in variants if isinstance(one.item, SpanItem)], TOKENIZER)
    part = aligned(originals, news, variants)
    firsts = np.asarray([numbers[one.origin] for one in variants], dtype=np.int32)[part.windows.questions]
    attacked = joined_attacked([part], [firsts], part.windows)
    said = np.zeros((len(clean.windows.ids), 2), np.float16)
    return clean, attacked, Mixed(clean.windows, attacked, said)


def two() -> tuple[MixedBatch, int, int]:
    """A clean window and the same with eight more tokens; where the passage begins, and how long the clean one is."""
    items = made_items(1)[:1]
    clean, _, examples = mixed(items, [longer(items[0])])
    head = int(clean.windows.heads[0])
    return examples.collate(np.asarray([0, 1])), head, int(clean.windows.lengths[0]) - head - 1


def logs_with(batch: MixedBatch, row_scores: list[dict[int, float]]) -> torch.Tensor:
    scores = torch.zeros(*batch.ids.shape, 2)
    for row, given in enumerate(row_scores):
        for place, score in given.items():
            scores[row, place] = score
    return torch.log_softmax(scores.masked_fill(~batch.windows.valid[:, :, None], -1e4), dim=1)


def test_the_same_reading_over_shared_tokens_costs_only_what_strays() -> None:
    batch, head, size = two()
    same = logs_with(batch, [{head + 3: 30.0}, {head + 3: 30.0}])
    assert float(agreement(same, batch)) == pytest.approx(0.0, abs=1e-5)
    added = head + size + 2
    half = logs_with(batch, [{head + 3: 30.0}, {head + 3: 30.0, added: 30.0}])
    assert float(agreement(half, batch)) == pytest.approx(np.log(2), abs=1e-3)
    other = logs_with(batch, [{head + 3: 30.0}, {head + 5: 30.0}])
    assert float(agreement(other, batch)) > 10


def test_gradients_take_belief_from_added_tokens() -> None:
    batch, head, size = two()
    scores = torch.zeros(*batch.ids.shape, 2, requires_grad=True)
    valid = batch.windows.valid[:, :, None]
    loss = agreement(torch.log_softmax(scores.masked_fill(~valid, -1e4), dim=1), batch)
    loss.backward()
    assert scores.grad is not None
    assert (scores.grad[1, head + size : head + size + 8] > 0).all()
    assert (scores.grad[1, head : head + size] < 0).all()


def test_carried_is_held_to_what_was_said_before() -> None:
    batch, head, _ = two()
    assert batch.said is not None
    batch.said[0, head + 3] = 30.0
    right = logs_with(batch, [{}, {head + 3: 30.0}])
    wrong = logs_with(batch, [{}, {head + 4: 30.0}])
    assert float(carried(right, batch)) < 0.01 < 10 < float(carried(wrong, batch))


def test_an_epoch_has_every_window_once_and_partners_together() -> None:
    items = made_items(5)
    variants = [longer(item) for item in items[::2]] + [longer(item, "总主教。") for item in items[::3]]
    clean, attacked, examples = mixed(items, variants)
    batches = examples.batches(6, seed=4)
    flat = np.concatenate(batches)
    assert sorted(flat.tolist()) == list(range(len(clean.windows) + len(attacked.windows)))
    assert max(map(len, batches)) <= 6
    assert [one.tolist() for one in batches] == [one.tolist() for one in examples.batches(6, seed=4)]
    assert [one.tolist() for one in batches] != [one.tolist() for one in examples.batches(6, seed=5)]
    pairs = 0
    for one in batches:
        batch = examples.collate(one)
        pairs += len(batch.partners)
        for row, partner in batch.partners.tolist():
            number = int(one[row]) - len(clean.windows)
            assert int(one[partner]) == int(attacked.partners[number])
        assert torch.equal(batch.windows.ids, collate(examples.windows, one).ids)
    assert pairs == len(variants)


def test_fgm_is_what_the_other_loop_does_and_pgd_stays_in_its_ball() -> None:
    from readproof.training.encoder import Encoder, Shape
    from readproof.training.losses import gold_loss

    torch.manual_seed(0)
    vocabulary = tiny_vocabulary()
    reader = SpanReader(Encoder(Shape(rows=len(vocabulary), hidden=64, layers=1, heads=1, inner=32, dropout=0.0)))
    windows = prepare(made_items(2), TOKENIZER).windows
    batch = collate(windows, np.arange(len(windows)))
    walked: list[float] = []
    before = reader.words.detach().clone()

    def again() -> None:
        walked.append(float((reader.words.detach() - before).norm()))
        gold_loss(reader(batch)[0], batch).backward()  # type: ignore[no-untyped-call]

    def gradients(push: EmbeddingPerturbation) -> torch.Tensor:
        reader.zero_grad(set_to_none=True)
        walked.clear()
        again()
        adversarial_passes(reader, push, again)
        assert torch.equal(reader.words.detach(), before)
        assert reader.words.grad is not None
        return reader.words.grad.clone()

    plain = gradients(EmbeddingPerturbation())
    found = gradients(EmbeddingPerturbation(method="fgm", size=0.5))
    assert walked == [0.0, pytest.approx(0.5, rel=1e-4)]
    reader.zero_grad(set_to_none=True)
    again()
    with pushed(reader.words, 0.5):
        again()
    assert reader.words.grad is not None and torch.equal(found, reader.words.grad)
    walk = gradients(EmbeddingPerturbation(method="pgd", size=0.5, step=0.3, steps=4))
    assert walked[1] == pytest.approx(0.3, rel=1e-4) and max(walked) <= 0.5001 and len(walked) == 5
    assert not torch.allclose(walk, found) and not torch.allclose(walk, plain)
    # one step of PGD is FGM
    once = gradients(EmbeddingPerturbation(method="pgd", size=0.5, step=0.5, steps=1))
    assert torch.allclose(once, found, atol=1e-6)
