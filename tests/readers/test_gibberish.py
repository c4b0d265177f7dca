"""Sentences without sense are not shown to a reader: answers, places and fingerprints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from readproof.attacks.search import judge
from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Gold, Item, SpanItem
from readproof.readers import load_reader
from readproof.readers.api import SPANS, GivesNBest, SkipsText
from readproof.readers.options import JudgesOptions
from readproof.readers.track import parameters_of
from readproof.readers.wrappers import GibberishFilter, behind_sense, sensible

BEFORE = "湿地是人类的衣食父母，为人类提供了部分物资。"
THROWN = "进来紧张中国认为来自消息哦接受人类完成。"
AFTER = "人们到了19世纪中叶才开始研究湿地，此前湿地一直被当作荒地开垦。"
ITEM = SpanItem(id="1", passage=BEFORE + AFTER, question="人们什么时候开始研究湿地？")
PLACES = [(BEFORE, AFTER, THROWN), (BEFORE, THROWN, AFTER), (THROWN, BEFORE, AFTER)]


@pytest.mark.parametrize("parts", PLACES)
def test_the_same_answer_with_words_thrown_in(parts: tuple[str, ...]) -> None:
    reader = load_reader("sense:zh")
    clean = reader.answer([ITEM])[0]
    passage = "".join(parts)
    found = reader.answer([replace(ITEM, id="2", passage=passage)])[0]
    assert (found.id, found.text) == ("2", clean.text)
    assert found.start is not None and found.end is not None
    assert passage[found.start : found.end] == found.raw == clean.raw
    assert found.confidence == clean.confidence


@pytest.mark.parametrize("parts", PLACES)
def test_a_search_sees_that_nothing_changed(parts: tuple[str, ...]) -> None:
    reader = load_reader("sense:zh")
    asked = replace(ITEM, golds=(Gold(text="19世纪中叶", start=len(BEFORE) + 4),))
    whole = replace(asked, passage="".join(parts), golds=(Gold(text="19世纪中叶"),))
    before, after = judge(reader, [asked, whole])
    assert (after.f1, after.expected) == (before.f1, before.expected)


def test_it_reads_as_the_reader_itself_where_all_makes_sense() -> None:
    usual, careful = load_reader("zh"), load_reader("sense:zh")
    assert careful.name == "sense:zh"
    assert careful.fingerprint != usual.fingerprint
    more = (parameters_of(careful) or 0) - (parameters_of(usual) or 0)
    assert 1e6 < more < 2e6
    assert careful.answer([ITEM]) == usual.answer([ITEM])


class Told:
    """Answers with its whole passage, and remembers what it was shown."""

    name, fingerprint = "told", "told"
    capabilities = frozenset({SPANS, "options"})

    def __init__(self) -> None:
        self.seen: list[str] = []

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        out = []
        for item in items:
            assert isinstance(item, SpanItem | ChoiceItem)
            self.seen.append(item.passage)
            text = item.passage
            out.append(
                Answer(id=item.id, choice=0)
                if isinstance(item, ChoiceItem)
                else Answer(id=item.id, text=text, raw=text, start=0, end=len(text))
            )
        return out


def test_any_reader_can_be_kept_from_it_and_passages_like_each_other_are_read_once() -> None:
    told = Told()
    reader = GibberishFilter(told)
    passage = BEFORE + THROWN + AFTER
    first, second = reader.answer([replace(ITEM, passage=passage), ITEM])
    assert told.seen == [BEFORE + AFTER]
    assert (first.start, first.end, first.raw, first.text) == (0, len(passage), passage, BEFORE + AFTER)
    assert second.raw == BEFORE + AFTER
    choice = ChoiceItem(id="3", passage=passage, question="正确的一项是", options=("甲", "乙"))
    assert reader.answer([choice])[0].choice == 0
    assert told.seen[-1] == BEFORE + AFTER


def test_other_languages_are_left_alone() -> None:
    text = "Sky table seven running because green. The river is long."
    assert sensible(text).clean == text


def test_no_reader_named() -> None:
    with pytest.raises(InputError, match="sense:READER"):
        load_reader("sense:")


def test_what_was_passed_over_is_told_and_the_best_answers_stand_where_they_stood() -> None:
    reader = load_reader("sense:zh")
    assert isinstance(reader, SkipsText) and isinstance(reader, GivesNBest)
    passage = BEFORE + THROWN + AFTER
    assert [passage[start:end] for start, end in reader.left_out(passage)] == [THROWN]
    assert reader.left_out(BEFORE + AFTER) == []
    found = reader.best(replace(ITEM, passage=passage), 2)
    usual = load_reader("zh")
    assert isinstance(usual, GivesNBest)
    assert [one.text for one in found] == [one.text for one in usual.best(ITEM, 2)]
    assert all(passage[one.start : one.end] == one.raw for one in found)
    assert [one.raw for one in GibberishFilter(Told()).best(replace(ITEM, passage=passage), 2)] == [passage]


def test_options_are_judged_by_sentences_of_the_whole_passage() -> None:
    usual, careful = load_reader("zh"), load_reader("sense:zh")
    assert isinstance(usual, JudgesOptions) and isinstance(careful, JudgesOptions)
    assert not isinstance(behind_sense(Told()), JudgesOptions)
    options = ("湿地为人类提供了部分物资", "湿地从来没有人研究，今后也不必研究")
    item = ChoiceItem(id="1", passage=BEFORE + AFTER, question="下列说法不正确的一项是", options=options)
    other = replace(item, passage=BEFORE + THROWN + AFTER)
    one, two = usual.judge(item), careful.judge(other)
    assert one.answer == two.answer and one.asked == two.asked
    for first, second in zip(one.options, two.options, strict=True):
        assert first.score == second.score
        said = [
            [text[piece.start : piece.end] for piece in judged.evidence]
            for text, judged in ((item.passage, first), (other.passage, second))
        ]
        assert said[0] == said[1] != []
