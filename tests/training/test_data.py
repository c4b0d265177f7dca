from __future__ import annotations

from readproof.items import Gold, SpanItem
from readproof.training.prepare import repeats, wordiness
from readproof.training.sets import answerable


def item(question: str, answer: str) -> SpanItem:
    return SpanItem(id="1", passage=answer, question=question, golds=(Gold(answer, 0),))


def test_wordy_annotators_are_told_from_plain_ones() -> None:
    wordy = item("王栋为什么急需用钱？", "王栋喜获一对龙凤双胞胎，因此急需用钱")
    plain = item("王栋为什么急需用钱？", "喜获双胞胎")
    assert repeats(wordy) and not repeats(plain)
    shares = wordiness([[wordy]] * 10 + [[plain]] * 10, around=2)
    assert shares[0] == 1.0 and shares[-1] == 0.0


def test_only_answers_that_stand_in_the_passage_are_learnt() -> None:
    nowhere = SpanItem(id="2", passage="甲", question="?", golds=(Gold("乙", None), Gold("", -1)))
    assert answerable([item("?", "甲"), nowhere]) == [item("?", "甲")]
