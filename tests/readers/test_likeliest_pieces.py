"""Unigram vocabularies: the likeliest pieces, exact offsets, and no text that spells a special token."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.errors import InputError
from readproof.lang.forms import shown
from readproof.readers.tokens import placed
from readproof.readers.vocabulary import CLS, SCORES, SEP, SPECIAL, UNKNOWN, WORD, Vocabulary, read, special_row
from readproof.text import encodable

LETTERS = {"\u200c": " ", "ي": "ی", "ك": "ک", **{chr(0x06F0 + at): str(at) for at in range(10)}}
SINGLE = "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی0123456789abcdefghijklmnopqrstuvwxyzCLSEP[]<>/.,،؛:؟!«»()"
WORDS = ("می", "رود", "تهران", "در", "سال", "13", "دانشگاه", "ها", "شهر")


def vocabulary() -> Vocabulary:
    rows = (*SPECIAL, WORD, *SINGLE, *WORDS, *(WORD + word for word in WORDS))
    scores = [-12.0 if len(row.removeprefix(WORD)) < 2 else -8.0 for row in rows]
    return Vocabulary(
        rows, {}, LETTERS, tuple(0.0 if row in SPECIAL else score for row, score in zip(rows, scores, strict=True))
    )


PARTS = [*SINGLE, *WORDS, " ", "\u200c", "\u200e", "\u200b", "\n", "ي", "۳", "北", "😀"]
TEXTS = st.lists(st.sampled_from(PARTS)).map("".join)


def test_the_likeliest_pieces_and_where_they_stand() -> None:
    text = "در سال ۱۳۱۳ می\u200cرود، تهران."
    tokens = vocabulary().tokenizer().encode(text, add_special_tokens=False)
    assert tokens.tokens == ["▁در", "▁سال", "▁13", "13", "▁می", "▁رود", "،", "▁تهران", "."]
    assert [text[slice(*span)] for span in tokens.offsets] == ["در", "سال", "۱۳", "۱۳", "می", "رود", "،", "تهران", "."]


def test_it_is_kept_in_a_folder(tmp_path: Path) -> None:
    vocabulary().save(tmp_path)
    again = read(tmp_path)
    assert again == vocabulary()
    Vocabulary(again.rows, {}).save(tmp_path)
    assert not (tmp_path / SCORES).exists()


@given(TEXTS)
def test_every_piece_stands_where_it_says(raw: str) -> None:
    form = shown(raw)
    passage = placed(form.text, vocabulary().tokenizer().encode(encodable(form.text.clean), add_special_tokens=False))
    at = 0
    for number in range(len(passage.ids)):
        start, end = passage.raw_span(number, number)
        assert at <= start < end <= len(raw)
        # a sign that is no letter of a word leaves the offsets where they are
        at = start
        assert passage.tokens_of(start, end) is not None


@pytest.mark.parametrize("token", SPECIAL)
def test_no_text_spells_a_special_token(token: str) -> None:
    tokenizer = vocabulary().tokenizer()
    row = special_row(tokenizer, token)
    assert row == vocabulary().ids()[token]
    for text in (token, f" {token}", f"a{token}b", f"{token} {token}"):
        assert row not in tokenizer.encode(text, add_special_tokens=False).ids or token == UNKNOWN


def test_words_of_wordpiece_have_their_rows() -> None:
    tokenizer = Vocabulary((*SPECIAL, "a"), {}).tokenizer()
    assert [special_row(tokenizer, token) for token in (CLS, SEP, "[NONE]")] == [2, 3, None]


@pytest.mark.parametrize(
    ("scores", "told"), [("1.0\n2.0\n", "2 scores"), ("nan\n" * 4, "finite"), ("0.5\nlow\n", "line 2")]
)
def test_scores_that_do_not_fit_are_told(tmp_path: Path, scores: str, told: str) -> None:
    (tmp_path / "vocab.txt").write_text("[UNK]\na\nb\nc\n", encoding="utf-8")
    (tmp_path / SCORES).write_text(scores, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read(tmp_path)


def test_pieces_without_a_row_for_what_is_unknown_are_told(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / SCORES).write_text("0.5\n0.5\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"no \[UNK\]"):
        read(tmp_path)
