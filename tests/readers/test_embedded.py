"""The embedded reader: answers hang on their item alone, offsets are right, nothing crashes it."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readproof.errors import InputError
from readproof.items import ChoiceItem, SpanItem
from readproof.lang.cleaning import cleaned
from readproof.readers import READERS, load_reader
from readproof.readers.api import DISTRIBUTION, SPANS, Reader, ReaderOptions
from readproof.readers.card import ReaderCard, read_card
from readproof.readers.embedded import EmbeddedReader, open_folder
from readproof.readers.vocabulary import Vocabulary, read
from tests.readers.tiny import save_tiny
from tests.strategies import texts

PASSAGE = (
    "范廷颂枢机，圣名保禄·若瑟，是越南罗马天主教枢机。1963年被任为主教；1990年被擢升为宗座署理；1994年被擢升为总主教。"
)
MESSY = (
    "",
    " ",
    "\n",
    "\u200b\u200d\ufeff",
    "😀👩🏽‍🚀🇮🇷",
    "\ud800",
    "a\udfffb",
    "سلام دنیا",
    "中文 and English و فارسی",
    "\x00",
    "é" * 300,
)


def item(passage: str, question: str = "他是谁？", id: str = "1") -> SpanItem:
    return SpanItem(id=id, passage=passage, question=question)


def check(one: SpanItem, reader: EmbeddedReader, count: int = 3) -> None:
    answers = reader.best(one, count)
    assert 1 <= len(answers) <= count
    for answer in answers:
        assert answer.id == one.id
        assert answer.confidence is not None and 0 <= answer.confidence <= 1
        if answer.start is None or answer.end is None:
            assert answer.text == answer.raw == ""
        else:
            assert one.passage[answer.start : answer.end] == answer.raw
            seen = cleaned(one.passage)
            wide = seen.clean[slice(*seen.to_clean(answer.start, answer.end))]
            # what is shown in another order than it is stored in is cut as a whole
            turned = any("another order" in edit.why for edit in seen.edits)
            assert answer.text in wide if turned else answer.text == wide
    assert reader.answer([one]) == answers[:1]


def test_it_is_a_reader(tiny: EmbeddedReader) -> None:
    assert isinstance(tiny, Reader)
    assert tiny.name == "tiny"
    assert tiny.capabilities == {SPANS, DISTRIBUTION}


@pytest.mark.parametrize("passage", MESSY)
@pytest.mark.parametrize("question", MESSY)
def test_messy_texts(tiny: EmbeddedReader, passage: str, question: str) -> None:
    check(item(passage, question), tiny)
    check(item(passage + PASSAGE + passage, question + "谁？"), tiny)


@settings(deadline=None)
@given(texts(60), texts(10))
def test_any_text(tiny: EmbeddedReader, passage: str, question: str) -> None:
    check(item(passage, question), tiny)
    check(item(passage * 30, "谁" + question), tiny, 2)


@settings(deadline=None, max_examples=20)
@given(st.text(max_size=20), st.integers(1, 40))
def test_any_long_text(tiny: EmbeddedReader, text: str, times: int) -> None:
    check(item((text + "他生于越南。") * 50 * times), tiny)


def test_order_batches_and_what_was_asked_before_change_nothing(tiny_folder: Path) -> None:
    chance = random.Random(0)
    passages = ["".join(chance.choices(PASSAGE, k=size)) for size in (5, 60, 700, 1_300, 4_000, 9_000)]
    items = [
        item(passage, "".join(chance.choices(PASSAGE, k=9)), f"{number}-{turn}")
        for turn in range(4)
        for number, passage in enumerate(passages)
    ]
    alone = {one.id: open_folder(tiny_folder, ReaderOptions(threads=1)).answer([one])[0] for one in items}
    reader = open_folder(tiny_folder, ReaderOptions(threads=2))
    for _ in range(3):
        chance.shuffle(items)
        size = chance.randrange(1, 9)
        for at in range(0, len(items), size):
            part = items[at : at + size]
            assert reader.answer(part) == [alone[one.id] for one in part]


def test_the_distribution_sums_to_one_and_begins_with_the_answer(tiny: EmbeddedReader) -> None:
    one = item(PASSAGE * 12)
    spans = tiny.distribution(one, 10**6)
    assert sum(share for *_, share in spans) == pytest.approx(1)
    answer = tiny.answer([one])[0]
    assert spans[0] == (answer.start, answer.end, answer.confidence)
    assert tiny.distribution(one, 7) == spans[:7]
    assert tiny.distribution(item("")) == []


def test_answers_do_not_overlap(tiny: EmbeddedReader) -> None:
    answers = tiny.best(item(PASSAGE * 12), 8)
    places = sorted((answer.start or 0, answer.end or 0) for answer in answers)
    assert len(answers) == 8
    assert all(before[1] <= after[0] for before, after in pairwise(places))


def test_temperature_changes_confidence_and_nothing_else(tmp_path: Path) -> None:
    hot = open_folder(save_tiny(tmp_path / "hot", card={"temperature": 5.0}), ReaderOptions())
    cold = open_folder(save_tiny(tmp_path / "cold", card={"temperature": 0.5}), ReaderOptions())
    one, other = hot.answer([item(PASSAGE)])[0], cold.answer([item(PASSAGE)])[0]
    assert (one.start, one.end) == (other.start, other.end)
    assert (one.confidence or 0) < (other.confidence or 0)


def test_no_answer_is_an_answer_where_its_score_is_high_enough(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, card={"no_answer": -1e9})
    assert open_folder(folder, ReaderOptions()).answer([item(PASSAGE)])[0].text
    (first, second) = open_folder(folder, ReaderOptions(no_answer=True)).best(item(PASSAGE), 2)
    assert first.text == "" and first.start is None
    assert second.text
    (tmp_path / "reader.json").write_text('{"no_answer": 1e9}', encoding="utf-8")
    assert open_folder(folder, ReaderOptions(no_answer=True)).answer([item(PASSAGE)])[0].text == second.text


def test_an_item_of_another_kind_is_refused(tiny: EmbeddedReader) -> None:
    with pytest.raises(InputError, match="ChoiceItem"):
        tiny.answer([ChoiceItem(id="7", passage="一", question="二", options=("三", "四"))])


def test_the_fingerprint_is_of_what_answers(tmp_path: Path) -> None:
    one = open_folder(save_tiny(tmp_path / "a"), ReaderOptions()).fingerprint
    assert one == open_folder(save_tiny(tmp_path / "b"), ReaderOptions(threads=1)).fingerprint
    assert one != open_folder(tmp_path / "b", ReaderOptions(no_answer=True)).fingerprint
    assert one != open_folder(save_tiny(tmp_path / "c", seed=1), ReaderOptions()).fingerprint


def test_a_card_with_nothing_in_it(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "mine")
    assert read_card(folder) == ReaderCard(name="mine", size=read_card(folder).size)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"temperature": 0}',
        '{"temperature": "x"}',
        '{"languages": "zh"}',
        '{"name": 3}',
        '{"max_tokens": 4}',
        '{"max_tokens": 10000000000}',
        '{"longest": 0}',
    ],
)
def test_a_wrong_card_is_refused(tmp_path: Path, text: str) -> None:
    (save_tiny(tmp_path) / "reader.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"reader\.json"):
        open_folder(tmp_path, ReaderOptions())


@pytest.mark.parametrize(
    ("file", "data"),
    [("vocab.txt", b"\xff\n"), ("borrowed.tsv", b"\xe9\x87\x8c\n"), ("borrowed.tsv", b"\xe9\x87\x8c\t99999\n")],
)
def test_a_wrong_vocabulary_is_refused(tmp_path: Path, file: str, data: bytes) -> None:
    (save_tiny(tmp_path) / file).write_bytes(data)
    with pytest.raises(InputError, match=file):
        open_folder(tmp_path, ReaderOptions()).answer([item(PASSAGE)])


def test_a_vocabulary_leaves_no_rows_of_another(tmp_path: Path) -> None:
    Vocabulary(("一", "二"), {"三": 1}).save(tmp_path)
    Vocabulary(("一", "二"), {}).save(tmp_path)
    assert read(tmp_path) == Vocabulary(("一", "二"), {})


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    (save_tiny(tmp_path) / "model.onnx").write_bytes(b"no model")
    with pytest.raises(InputError, match=r"model\.onnx"):
        open_folder(tmp_path, ReaderOptions()).answer([item(PASSAGE)])


def test_windows_longer_than_the_model_has_positions_are_refused(tmp_path: Path) -> None:
    for most, passage in ((600, "他。"), (512, PASSAGE * 12)):
        folder = save_tiny(tmp_path / str(most), card={"max_tokens": most}, positions=256)
        with pytest.raises(InputError, match=r"(?s)model\.onnx.* \d+ tokens.*max_tokens in reader\.json"):
            open_folder(folder, ReaderOptions()).answer([item(passage)])
    fits = save_tiny(tmp_path / "fits", card={"max_tokens": 600}, positions=600)
    assert open_folder(fits, ReaderOptions()).answer([item(PASSAGE * 12)])[0].text


def test_names_and_paths(tiny_folder: Path, tmp_path: Path) -> None:
    assert load_reader(str(tiny_folder)).name == "tiny"
    assert load_reader(str(tiny_folder / "model.onnx")).name == "tiny"
    assert "zh" in READERS
    for spec, says in (
        ("llm:http://host/v1", "language-model"),
        ("zhh", "Did you mean 'zh'"),
        (str(tmp_path), "without a reader"),
        ("./no/such/folder", "no such folder"),
        ("no_such_module:answer", "no module"),
        ("json:no_such_function", "no function"),
    ):
        with pytest.raises(InputError, match=says):
            load_reader(spec)


def test_the_card_is_read_as_written(tmp_path: Path) -> None:
    card = {
        "name": "n",
        "languages": ["zh", "en"],
        "parameters": 12,
        "scores": {"cmrc2018": {"EM": 1.5}},
        "note": "kept by people",
    }
    (tmp_path / "reader.json").write_text(json.dumps(card), encoding="utf-8")
    found = read_card(tmp_path)
    assert (found.name, found.languages, found.parameters) == ("n", ("zh", "en"), 12)
    assert found.scores == {"cmrc2018": {"EM": 1.5}}


def test_the_fingerprint_is_of_the_form_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = save_tiny(tmp_path / "a")
    behind = "clean:tests.readers.lexical:answer"
    before = open_folder(folder, ReaderOptions()).fingerprint, load_reader(behind).fingerprint
    monkeypatch.setattr("readproof.readers.embedded.FORM_VERSION", 0)
    monkeypatch.setattr("readproof.readers.wrappers.FORM_VERSION", 0)
    after = open_folder(folder, ReaderOptions()).fingerprint, load_reader(behind).fingerprint
    assert before[0] != after[0] and before[1] != after[1]
