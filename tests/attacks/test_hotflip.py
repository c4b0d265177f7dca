"""HotFlip follows the gradients of a torch reader, within its budget, the same each time; an ONNX reader has none."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from readproof.attacks.addany import AddAny
from readproof.attacks.base import SearchAttack
from readproof.attacks.edits import golds_stand
from readproof.attacks.hotflip import FlipGradient, HotFlip, flips, places_of
from readproof.attacks.known import make_attack
from readproof.attacks.search import GenomeWords, JudgedAnswer
from readproof.errors import InputError
from readproof.items import Answer, SpanItem
from readproof.readers import load_reader
from tests.attacks.matching import MatchingReader
from tests.training.adversarial.conftest import write_trained
from tests.training.made import made_items


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch

    torch.set_num_threads(1)
    return write_trained(tmp_path_factory.mktemp("reader") / "tiny")


def test_it_is_known_by_name() -> None:
    attack = make_attack("hotflip", {"tries": "4"})
    assert isinstance(attack, SearchAttack) and isinstance(attack, HotFlip) and attack.tries == 4


def test_the_answer_is_hurt_and_offsets_follow(folder: Path) -> None:
    reader = load_reader(str(folder), threads=1)
    items = made_items(2)
    found = list(HotFlip().search(items, reader, budget=40))
    assert len(found) == len(items)
    for item, one in zip(items, found, strict=True):
        (variant,) = one.made.variants
        assert isinstance(variant.item, SpanItem) and golds_stand(variant.item)
        assert variant.item.passage.startswith(item.passage) and one.queries <= 40
        assert all(gold.text not in variant.edits[0].new for gold in item.golds)
        assert one.attacked <= one.clean
    again = list(HotFlip(together=3).search(items, reader, budget=40))
    assert [one.made for one in again] == [one.made for one in found]
    assert [one.made for one in HotFlip().search(items, reader, budget=40, seed=1)] != [one.made for one in found]


def test_gradients_find_more_than_chance_with_as_many_queries(folder: Path) -> None:
    reader = load_reader(str(folder), threads=1)
    items = made_items(3)
    hot = sum(one.attacked for one in HotFlip().search(items, reader, budget=25))
    cold = sum(one.attacked for one in AddAny(preset="strong").search(items, reader, budget=25))
    assert hot < cold


def test_words_are_found_in_their_sentence() -> None:
    item = made_items(1)[0]
    genome = ("的", "的", "主教", "什么", "的")
    variant = HotFlip()._variant(item, genome)
    assert isinstance(variant.item, SpanItem)
    assert tuple(variant.item.passage[a:b] for a, b in places_of(variant, genome)) == genome


def test_the_best_exchange_by_the_estimate_is_tried() -> None:
    """A made judge: the more of the word 'x' the worse; the estimate says so too."""
    from random import Random

    words = GenomeWords(common=[*"abcdefghijklmnopqrstuvwx"], question=(), share=0.0)
    search = flips(words, Random(1), length=4, tries=3, budget=30)
    asked = next(search)
    judged = 0
    try:
        while True:
            replies: list[object] = []
            for want in asked:
                if isinstance(want, FlipGradient):
                    row = [1.0 if word == "x" else 0.0 for word in want.words]
                    replies.append([row] * 4)
                else:
                    judged += 1
                    share = 1 - want.count("x") / 4
                    replies.append(JudgedAnswer(Answer(id=""), share, share))
            asked = search.send(replies)
    except StopIteration as stop:
        assert stop.value.genome == ("x",) * 4
        assert judged < stop.value.queries <= 12


def test_a_reader_without_gradients_is_refused() -> None:
    with pytest.raises(InputError, match=r"gives gradients.*ONNX readers have none"):
        list(HotFlip().search(made_items(1), MatchingReader()))
    with pytest.raises(InputError, match="at least 3 queries"):
        list(HotFlip().search(made_items(1), MatchingReader(), budget=2))
