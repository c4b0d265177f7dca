"""Readers are deaf to invisible characters, width forms and letter pairs: attacked answers are the clean ones.

A sample of `benchmarks.sanitising`, which runs whole data sets.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.sanitising import ATTACKS, compare

from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, SpanItem
from readproof.readers import load_reader
from readproof.readers.api import Reader, ReaderOptions
from readproof.readers.callable import FunctionReader
from readproof.readers.embedded import open_folder
from readproof.readers.options import OptionReading, OptionReadingConfig
from readproof.readers.wrappers import SanitizingReader
from readproof.tasks import load
from tests.readers import tiny as tiny_module
from tests.readers.tiny import save_tiny
from tests.shared_data import SHARED, needs_shared

EXACT_ZH = ("invisible", "invisible before", "invisible anywhere", "full width", "half width", "mixed width")
EXACT_FA = ("invisible", "invisible before", "full width", "letter pairs")
LEXICAL = "clean:tests.readers.lexical:answer"


def sample(name: str, count: int) -> list[SpanItem]:
    found = [item for item in load(SHARED / "data" / name) if isinstance(item, SpanItem) and not item.impossible]
    return found[:: len(found) // count][:count]


def check(reader: Reader, items: list[SpanItem], attack: str, clean: list[Answer] | None = None) -> None:
    row = compare(reader, items, clean or reader.answer(items), attack)
    assert row.questions >= len(items) / 3
    assert row.examples == ()
    assert row.equal == 1.0


@pytest.fixture(scope="module")
def persian_tiny(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """The reader with chance weights, its tokens Persian letters: any other letter changes what it says."""
    pytest.importorskip("onnx")
    letters = "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیآئؤأءة۰۱۲۳۴۵۶۷۸۹.،؟()يك٠١"
    with pytest.MonkeyPatch.context() as patch:
        rows = [*tiny_module.SPECIAL, *letters, *(f"##{one}" for one in letters)]
        patch.setattr(tiny_module, "ROWS", rows)
        folder: Path = save_tiny(tmp_path_factory.mktemp("persian"), card={"name": "tiny", "languages": ["fa"]})
    return open_folder(folder, ReaderOptions(threads=1))


@pytest.fixture(scope="module")
def shipped() -> tuple[Reader, list[SpanItem], list[Answer]]:
    reader = load_reader("zh", threads=1)
    items = sample("cmrc2018/train.json.xz", 4)
    return reader, items, reader.answer(items)


@needs_shared
@pytest.mark.parametrize("attack", EXACT_ZH)
def test_the_shipped_reader_hears_nothing(shipped: tuple[Reader, list[SpanItem], list[Answer]], attack: str) -> None:
    reader, items, clean = shipped
    check(reader, items, attack, clean)


@needs_shared
@pytest.mark.parametrize("attack", [*EXACT_ZH, "script"])
def test_a_function_behind_the_sanitiser_hears_nothing(attack: str) -> None:
    check(load_reader(LEXICAL), sample("cmrc2018/train.json.xz", 60), attack)


@needs_shared
@pytest.mark.parametrize("attack", [*EXACT_FA, "script"])
def test_persian_readers_hear_nothing(persian_tiny: Reader, attack: str) -> None:
    items = sample("pquad/Validation.json.xz", 40)
    for reader in (load_reader(LEXICAL), persian_tiny):
        check(reader, items, attack)


@needs_shared
@pytest.mark.parametrize("name", ["pquad/Validation.json.xz", "cmrc2018/train.json.xz"])
@pytest.mark.parametrize(("attack", "least"), [("invisible replace", 0.995), ("reorder", 0.995), ("homoglyph", 0.98)])
def test_what_is_not_undone_to_the_letter_takes_next_to_nothing(name: str, attack: str, least: float) -> None:
    reader, items = load_reader(LEXICAL), sample(name, 60)
    assert compare(reader, items, reader.answer(items), attack).kept >= least


@needs_shared
def test_a_reader_that_is_not_deaf_is_found_out() -> None:
    """The same function without the sanitiser: else these tests could not fail."""
    reader, items = load_reader("tests.readers.lexical:answer"), sample("pquad/Validation.json.xz", 40)
    for attack in ("invisible anywhere", "letter pairs", "homoglyph"):
        assert compare(reader, items, reader.answer(items), attack).other > 3, attack


def test_an_answer_is_cut_from_the_users_own_text() -> None:
    passage = "公司成立于２\u200e０１０年，總部位於北京。"
    reader = SanitizingReader(load_reader("tests.readers.lexical:answer"))
    (answer,) = reader.answer([SpanItem(id="1", passage=passage, question="公司成立于哪年？")])
    assert answer.start is not None and answer.end is not None
    assert passage[answer.start : answer.end] == answer.raw
    assert "２\u200e０１０" in answer.raw
    assert "２０１０" in answer.text
    assert reader.sanitises and reader.name == "clean:tests.readers.lexical:answer"


def test_options_are_judged_by_what_is_seen() -> None:
    class Model:
        def verdict(self, statement: str, piece: str) -> tuple[float, float]:
            return float(len(set(statement) & set(piece))), 0.0

    reading = OptionReading(Model(), OptionReadingConfig())
    item = ChoiceItem(
        id="1",
        passage="北京是中国的首都，人口2000万。",
        question="下列说法不正确的一项是",
        options=("北京是首都", "上海是首都"),
    )
    marked = ChoiceItem(
        id="1",
        passage="北\u200b京是中国的首\u200e都，人口２０００万。",
        question="下列说法不\u200b正确的一项是",
        options=("北京\u200e是首都", "上海是首都"),
    )
    plain, attacked = reading.judge(item), reading.judge(marked)
    assert plain.asked == attacked.asked == "false"
    assert plain.answer.scores == attacked.answer.scores
    assert attacked.answer.choice == plain.answer.choice
    for option in attacked.options:
        assert all(0 <= one.start <= one.end <= len(marked.passage) for one in option.evidence)


def test_every_attack_of_the_benchmark_is_named() -> None:
    assert {*EXACT_ZH, *EXACT_FA} <= set(ATTACKS)


def test_options_behind_the_sanitiser_are_those_that_our_own_readers_read() -> None:
    """Signs in the width they have; letters, digits and invisible characters in one form."""
    seen: list[tuple[str, ...]] = []

    def answer(passage: str, question: str, options: list[str]) -> int:
        seen.append((passage, question, *options))
        return 1

    item = ChoiceItem(
        id="1", passage="北\u200b京,人口２０００万（约）。", question="正确\u200e的是", options=("Ａ：", "ｂ:")
    )
    (found,) = SanitizingReader(FunctionReader("module:answer", answer)).answer([item])
    assert seen == [("北京,人口2000万（约）。", "正确的是", "A：", "b:")]
    assert (found.choice, found.text) == (1, "ｂ:")


def test_clean_without_a_reader_is_told() -> None:
    with pytest.raises(InputError, match="no reader"):
        load_reader("clean:")
