"""From text to pieces, tokens, and places to ask about."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readproof.errors import InputError
from readproof.readers.vocabulary import SPECIAL, Vocabulary, read
from readproof.training.pretrain.corpus import Corpus, documents, load_corpus, save_corpus, tokenised, train_pieces
from readproof.training.pretrain.places import find_places
from readproof.training.pretrain.recipe import Pieces, find_encoder_plan, within
from tests.training.pretrain.texts import lines, write_plan, write_text

LETTERS = {"200C": "0020", "064A": "06CC", "0643": "06A9", "06F1": "0031", "0640": ""}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return train_pieces(lines(), Pieces(size=600, least=1, letters=LETTERS))


@pytest.fixture(scope="module")
def corpus(vocabulary: Vocabulary) -> Corpus:
    return tokenised(lines(), vocabulary)


def test_the_same_text_gives_the_same_pieces(vocabulary: Vocabulary) -> None:
    assert train_pieces(lines(), Pieces(size=600, least=1, letters=LETTERS)) == vocabulary


def test_letters_of_another_keyboard_are_the_same_tokens(vocabulary: Vocabulary) -> None:
    tokenizer = vocabulary.tokenizer()
    persian, arabic = (tokenizer.encode(text).ids for text in ("کتاب یکم ۱", "كتاب يكم 1"))
    assert persian == arabic
    assert tokenizer.encode("می‌گذرانند").ids == tokenizer.encode("می گذرانند").ids
    assert tokenizer.encode("کتـــاب").ids == tokenizer.encode("کتاب").ids


def test_offsets_are_those_of_the_text_as_it_was(vocabulary: Vocabulary) -> None:
    text = "شهـر تبريز می‌ماند"
    found = vocabulary.tokenizer().encode(text)
    words = {text[start:end] for start, end in found.offsets}
    assert {"می"} <= words
    assert all(0 <= start < end <= len(text) for start, end in found.offsets)


def test_letters_are_kept_with_the_vocabulary(vocabulary: Vocabulary, tmp_path: Path) -> None:
    assert vocabulary.rows[: len(SPECIAL)] == SPECIAL
    vocabulary.save(tmp_path)
    assert read(tmp_path) == vocabulary
    Vocabulary(vocabulary.rows, {}).save(tmp_path)
    assert not (tmp_path / "letters.tsv").exists()
    (tmp_path / "letters.tsv").write_text("064A 06CC\n", encoding="utf-8")
    with pytest.raises(InputError, match="code point"):
        read(tmp_path)


def test_a_corpus_is_its_documents(corpus: Corpus, vocabulary: Vocabulary, tmp_path: Path) -> None:
    text = write_text(tmp_path / "text.txt")
    again = tokenised(documents([text, text]), vocabulary)
    assert (len(corpus), len(again)) == (120, 240)
    save_corpus(tmp_path / "corpus.npz", corpus)
    kept = load_corpus(tmp_path / "corpus.npz")
    assert np.array_equal(kept.ids, corpus.ids)
    train, held = corpus.split(0.1)
    assert (len(train), len(held), len(train.ids) + len(held.ids)) == (108, 12, len(corpus.ids))


def test_places_are_whole_words_and_twins_say_the_same(corpus: Corpus, vocabulary: Vocabulary) -> None:
    places = find_places(corpus, vocabulary, most=10_000, recurring=0.5)
    twice = places[places[:, 4] >= 0]
    assert len(twice) > 100
    for begin, end, first, last, twin in twice.tolist():
        assert begin <= first < last <= end
        assert np.array_equal(corpus.ids[first:last], corpus.ids[twin : twin + last - first])
        assert not begin <= twin < end
        assert corpus.document[first] == corpus.document[twin]
    assert not any(vocabulary.rows[corpus.ids[first]].startswith("##") for first in places[:, 2].tolist())


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(alphabet="ابپت ی‌.؟ab1۲", min_size=1, max_size=80), min_size=1, max_size=12))
def test_no_text_breaks_it(texts: list[str]) -> None:
    vocabulary = train_pieces([*texts, *lines(4)], Pieces(size=300, least=1, letters=LETTERS))
    corpus = tokenised([*texts, *lines(4)], vocabulary)
    places = find_places(corpus, vocabulary, most=50, recurring=0.5)
    assert len(places) <= 50
    assert int(corpus.bounds[-1]) == len(corpus.ids)


def test_plans_are_checked(tmp_path: Path) -> None:
    plan = find_encoder_plan("encoder-fa")
    assert plan.selected is not None
    assert (plan.body.layers, plan.body.hidden, plan.language) == (9, 384, "fa")
    short = within(plan, 49.0)
    assert short.selected is not None
    assert short.masked.pace.seconds + short.selected.pace.seconds == pytest.approx(49.0)
    path = write_plan(tmp_path / "plan.toml")
    path.write_text(path.read_text(encoding="utf-8").replace("length = 48", "length = 480"), encoding="utf-8")
    with pytest.raises(InputError, match=r"masked\.length"):
        find_encoder_plan(str(path))
    with pytest.raises(InputError, match="encoder-fa"):
        find_encoder_plan("nothing-like-it")
