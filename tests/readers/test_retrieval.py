"""Long passages: the right segment is found, pieces are contiguous, the cost is linear."""

from __future__ import annotations

import random
import time
from itertools import pairwise

from hypothesis import given

from readproof.items import SpanItem
from readproof.readers.embedded import EmbeddedReader
from readproof.readers.reading import MOST_WINDOWS, PassageSource, joined
from readproof.readers.retrieval import PIECE, cuts, index_of
from tests.strategies import texts

FACT = "《战国无双3》由光荣和ω-force合作开发。"
ENGLISH = "The lighthouse at Cape Arkona was built by Karl Friedrich Schinkel in 1826. "


def filler(length: int, seed: int = 0) -> str:
    """Sentences of chance characters."""
    chance = random.Random(seed)
    characters = "的一是在中人有上大这为和年他生于越南主教什么时候名字东西南北山水火土金木日月星辰春夏秋冬"
    sentences = []
    while length > 0:
        size = min(length, chance.randrange(10, 60))
        sentences.append("".join(chance.choices(characters, k=size - 1)) + "。")
        length -= size
    return "".join(sentences)


def passage_with(fact: str, length: int, at: float) -> str:
    text = filler(length)
    place = text.index("。", int(length * at)) + 1
    return text[:place] + fact + text[place:]


def test_the_segment_with_the_answer_is_found() -> None:
    for at in (0.0, 0.31, 0.77, 0.98):
        text = passage_with(FACT, 50_000, at)
        index = index_of(text)
        best = index.ranked("《战国无双3》是由哪两个公司合作开发的？")[0]
        start, end = index.segment(int(best))
        assert start <= text.index(FACT) and text.index(FACT) + len(FACT) <= end


def test_words_are_found_whatever_their_case() -> None:
    text = "Nothing much happens here, and nobody builds anything at all. " * 300
    text = text[:9_300] + ENGLISH + text[9_300:]
    index = index_of(text)
    start, end = index.segment(int(index.ranked("who built the LIGHTHOUSE at cape arkona?")[0]))
    assert start <= text.index(ENGLISH) < end


@given(texts(400))
def test_pieces_cover_the_text(text: str) -> None:
    bounds = cuts(text, 20)
    assert bounds[0] == 0 and bounds[-1] == len(text)
    assert all(0 < end - start <= 20 for start, end in pairwise(bounds)) or not text


@given(texts(60), texts(20))
def test_any_text_can_be_searched(text: str, question: str) -> None:
    index = index_of(text * 20)
    ranked = index.ranked(question).tolist()
    assert sorted(ranked) == list(range(max(1, len(index.bounds) - 2)))
    assert index.segment(ranked[-1])[1] <= len(text) * 20


def test_a_segment_is_two_pieces() -> None:
    text = filler(5_000)
    index = index_of(text)
    spans = [index.segment(number) for number in range(len(index.bounds) - 2)]
    assert all(start < end <= start + 2 * PIECE for start, end in spans)
    assert all(after[0] < before[1] for before, after in pairwise(spans))


def test_runs_that_touch_are_one() -> None:
    assert joined([(5, 7), (0, 2), (2, 4), (6, 9)]) == [(0, 4), (5, 9)]


def test_what_is_read_is_contiguous_in_order_and_little(tiny: EmbeddedReader) -> None:
    text = passage_with(FACT, 60_000, 0.6)
    source = PassageSource(text, tiny.reading.model.encode)
    found = source.pieces("《战国无双3》是由哪两个公司合作开发的？", 470, 128)
    pieces = [piece.passage for piece in found]
    assert sum(len(piece.ids) for piece in pieces) <= MOST_WINDOWS * 470
    places = [(int(piece.starts[0]), int(piece.ends[-1])) for piece in pieces]
    assert all(before[1] < after[0] for before, after in pairwise(places))
    assert any(start <= text.index(FACT) < end for start, end in places)
    for piece in pieces:
        gaps = piece.starts[1:] - piece.ends[:-1]
        assert (gaps <= 2).all()
    assert all(-1 <= piece.relevance <= 0 for piece in found)
    (best,) = [piece for piece in found if piece.relevance == 0]
    assert best.passage.starts[0] <= text.index(FACT) < best.passage.ends[-1]


def test_pieces_that_share_nothing_with_the_question_are_all_alike(tiny: EmbeddedReader) -> None:
    pieces = PassageSource(filler(20_000), tiny.reading.model.encode).pieces("who?", 470, 128)
    assert pieces and all(piece.relevance == 0 for piece in pieces)


def test_a_short_passage_is_read_whole(tiny: EmbeddedReader) -> None:
    source = PassageSource(filler(1_000), tiny.reading.model.encode)
    (piece,) = source.pieces("谁？", 470, 128)
    assert len(piece.passage.ids) == 1_000
    assert piece.relevance == 0


def test_time_grows_no_faster_than_length(tiny: EmbeddedReader) -> None:
    def seconds(length: int) -> float:
        taken = []
        for seed in range(3):
            item = SpanItem(id="1", passage=filler(length, seed), question="战国无双是谁开发的？")
            start = time.process_time()
            answer = tiny.answer([item])[0]
            taken.append(time.process_time() - start)
            assert item.passage[answer.start : answer.end] == answer.raw
        return min(taken)

    seconds(20_000)
    assert seconds(400_000) < 20 * 2 * max(seconds(20_000), 0.01)
