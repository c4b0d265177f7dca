"""What is trained on is what is read: training windows, the torch reader and the exported one see the same tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

import torch

from readproof.items import ChoiceItem, SpanItem
from readproof.readers import load_reader
from readproof.readers.options import Head, OptionReading, OptionReadingConfig, manner_for
from readproof.readers.vocabulary import CLS, SEP, SPECIAL, Vocabulary
from readproof.tasks import load
from readproof.text import encodable, sanitised
from readproof.training.adversarial.reading import preparing
from readproof.training.begin import Start, read_start
from readproof.training.checkpoint import write_checkpoint
from readproof.training.encoder import Encoder, Shape
from readproof.training.model import SpanReader, plain_state
from readproof.training.options.sets import questions
from readproof.training.options.windows import cut
from readproof.training.ship import export_reader
from tests.shared_data import SHARED, needs_shared

CMRC, PQUAD, VGAOKAO, C3 = (
    "cmrc2018/train.json.xz",
    "pquad/Validation.json.xz",
    "vgaokao/clean.json.xz",
    "c3/c3-d-train.json.xz",
)
# a letter of another keyboard, and the non-joiner as a space, as the Persian vocabulary has them
LETTERS = {"ي": "ی", "\u200c": " "}
OTHER = str.maketrans({"ک": "ك", "۱": "١", "，": ",", "（": "("})
Windows = list[list[int]]


def some(name: str, kind: type, count: int) -> list[Any]:
    found = [item for item in load(SHARED / "data" / name) if isinstance(item, kind)]
    return found[:: len(found) // count][:count]


def with_characters_of(texts: Sequence[str], letters: dict[str, str] | None = None) -> Vocabulary:
    """Every character is a token, in every width and spelling: what is read in another form has other tokens."""
    characters = sorted({one for text in texts for one in text.lower() if not one.isspace()} | set("，,（(）)：:；;"))
    return Vocabulary((*SPECIAL, *characters, *(f"##{one}" for one in characters)), {}, letters or {})


def trained(folder: Path, vocabulary: Vocabulary) -> Path:
    torch.manual_seed(0)
    reader = SpanReader(Encoder(Shape(rows=len(vocabulary), hidden=64, layers=1, heads=1, inner=64, positions=512)))
    return write_checkpoint(folder, plain_state(reader), vocabulary, {})


def seen_by(reader: Any, items: Sequence[SpanItem]) -> list[Windows]:
    """The windows that a reader's model is given, question by question; with "no answer" it reads them all."""
    model, given = reader.reading.model, []
    before: Callable[..., Any] = model.scores

    def scores(question: Any, passage: Any) -> Any:
        given.append([*question.tolist(), -1, *passage.tolist()])
        return before(question, passage)

    model.scores = scores
    out = []
    for item in items:
        given.clear()
        reader.answer([item])
        out.append(sorted(given))
    return out


def in_training(start: Start, items: Sequence[SpanItem]) -> list[Windows]:
    prepared = preparing(start, max_tokens=512, overlap=128)(list(items))
    windows, out = prepared.windows, [[] for _ in items]  # type: tuple[Any, list[Windows]]
    for number, question in enumerate(windows.questions.tolist()):
        ids = windows.ids[windows.offsets[number] : windows.offsets[number + 1]].tolist()
        head = int(windows.heads[number])
        out[question].append([*ids[1 : head - 1], -1, *ids[head:-1]])
    return [sorted(one) for one in out]


@needs_shared
@pytest.mark.parametrize(("name", "letters"), [(CMRC, None), (PQUAD, LETTERS)])
def test_spans(name: str, letters: dict[str, str] | None, tmp_path: Path) -> None:
    items: list[SpanItem] = some(name, SpanItem, 12)
    # of other keyboards and widths, too, and in the order of a screen
    items += [replace(item, id=f"{item.id}, other", passage=item.passage.translate(OTHER)) for item in items[:4]]
    turned = f"\u202e{items[0].passage[:9][::-1]}\u202c（a）,1:2"
    items.append(replace(items[0], id="turned", passage=turned, golds=()))
    vocabulary = with_characters_of([text for item in items for text in (item.passage, item.question)], letters)
    folder = trained(tmp_path / "tiny", vocabulary)
    start = read_start(folder)
    learnt = in_training(start, items)
    direct = start.prepared(items, max_tokens=512, overlap=128).windows
    assert sorted(direct.lengths.tolist()) == sorted(len(one) + 2 for windows in learnt for one in windows)
    assert seen_by(load_reader(str(folder), threads=1, no_answer=True), items) == learnt
    onnx = export_reader(folder, tmp_path / "onnx", precision="fp32")
    assert seen_by(load_reader(str(onnx), threads=1, no_answer=True), items) == learnt
    # and that is not the text as it stands: else the test would say nothing
    tokenizer = vocabulary.tokenizer()
    plain = [tokenizer.encode(encodable(sanitised(one.passage).clean), add_special_tokens=False).ids for one in items]
    differ = [set(ids) != {token for one in windows for token in one[one.index(-1) + 1 :]}
              for windows, ids in zip(learnt, plain, strict=True)]  # fmt: skip
    assert sum(differ[12:-1]) >= 3 and differ[-1]


@needs_shared
@pytest.mark.parametrize("name", [CMRC, PQUAD])
def test_golds_are_found_in_the_form_and_cut_from_the_passage(name: str, tmp_path: Path) -> None:
    items = [item for item in some(name, SpanItem, 60) if item.golds]
    vocabulary = with_characters_of([item.passage for item in items])
    prepared = read_start(trained(tmp_path / "tiny", vocabulary)).prepared(items, max_tokens=512, overlap=128)
    for question in prepared.questions:
        spans = [question.passage.answer("", first, last, score=0.0) for first, last in question.golds]
        assert {one.raw for one in spans} == {gold.text.strip() for gold in question.item.golds}


@needs_shared
@pytest.mark.parametrize(("name", "head"), [(VGAOKAO, "verify"), (C3, "verify"), (C3, "choice")])
def test_options(name: str, head: Head) -> None:
    items: list[ChoiceItem] = [item for item in some(name, ChoiceItem, 16) if item.answer is not None]
    wide = str.maketrans("abc12", "ａｂｃ１２")
    items += [
        replace(item, id=f"{item.id}, wide", passage=item.passage.translate(wide) + "\u200b（ａ,１）", options=tuple(
            f"{option}\u200e：ｂ:２" for option in item.options)) for item in items[:6]
    ]  # fmt: skip
    texts = [text for item in items for text in (item.passage, item.question, *item.options)]
    tokenizer = with_characters_of(texts).tokenizer()
    # the model's own liking of segments is known only when it reads; all segments are learnt from
    config = replace(manner_for(head, 512), liking=0.0, most=10**6) if head == "choice" else OptionReadingConfig(
        liking=0.0, most=10**6)  # fmt: skip
    cls, sep = (tokenizer.token_to_id(token) for token in (CLS, SEP))
    for item in items:
        read: list[list[int]] = []

        class Model:
            def verdict(self, statement: str, piece: str, read: list[list[int]] = read) -> tuple[float, float]:
                said, body = (
                    tokenizer.encode(encodable(one), add_special_tokens=False).ids for one in (statement, piece)
                )
                said = said[: config.statement]
                read.append([cls, *said, sep, *body[: config.max_tokens - len(said) - 3], sep])
                return 0.0, 0.0

        OptionReading(Model(), config).judge(item)
        learnt = cut(questions([item], "some", head), tokenizer, config)
        found = {tuple(np.asarray(one).tolist()) for one in learnt.tokens}
        assert found == set(map(tuple, read)), item.id


def test_tokens_that_borrow_a_row_are_kept(tmp_path: Path) -> None:
    """As in the shipped vocabulary, where ₁ has the row of 1: the folder must not know one of the two by chance."""
    letters = "0123456789年建于桥"
    borrowed = {f"##{one}": len(SPECIAL) + at for at, one in enumerate(letters)}
    vocabulary = Vocabulary((*SPECIAL, *letters), borrowed)
    folder = trained(tmp_path / "reader", vocabulary)
    tokenizer: Any = load_reader(str(folder))._model._pair.tokenizer  # type: ignore[attr-defined]
    text = "桥建于1623年"
    assert tokenizer(text, add_special_tokens=False)["input_ids"] == vocabulary.tokenizer().encode(text).ids
    assert tokenizer.unk_token_id not in tokenizer(text)["input_ids"]
