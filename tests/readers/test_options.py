"""The reader of options: both passes, what a stem asks for, evidence, and that each question is read by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem, Triple
from readproof.readers import load_reader
from readproof.readers.adapter import adapted
from readproof.readers.api import OPTIONS, SPANS
from readproof.readers.embedded import EmbeddedReader
from readproof.readers.evidence import pairs
from readproof.readers.onnxweights import read_weights
from readproof.readers.options import JudgesOptions, OptionReading, OptionReadingConfig, asked_of, statements
from readproof.readers.shipped import ZH
from readproof.tasks import load
from tests.readers.independence import assert_independent
from tests.shared_data import SHARED, needs_shared

_SENTENCE = "第{}座桥建于{}年，全长{}米，由当地工匠以青石砌成，至今仍在使用。"
LONG = "".join(_SENTENCE.format(number, 1000 + 7 * number, 10 + number) for number in range(60))
ITEM = ChoiceItem(
    id="1",
    passage=LONG,
    question="下列说法不正确的一项是",
    options=("第3座桥建于1021年", "第50座桥全长60米", "第7座桥已经拆毁", "第20座桥由青石砌成"),
)


class Overlap:
    """A model that takes what shares most pairs for true and relevant; it counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def verdict(self, statement: str, piece: str) -> tuple[float, float]:
        self.asked.append((statement, piece))
        wanted = pairs(statement)
        share = len(wanted & pairs(piece)) / max(1, len(wanted))
        return 8 * share - 5, 10 * share


def reading(**config: float) -> OptionReading:
    return OptionReading(Overlap(), replace(OptionReadingConfig(), **config))


def test_what_stems_ask_for_decides_which_end_is_taken() -> None:
    false = reading().judge(ITEM)
    assert (false.asked, false.answer.choice) == ("false", 2)
    true = reading().judge(replace(ITEM, question="下列说法正确的一项是"))
    assert true.asked == "true"
    assert true.answer.choice != 2
    assert [one.score for one in true.options] == [one.score for one in false.options]
    best = reading().judge(replace(ITEM, question="第7座桥怎么了？"))
    assert best.asked == "best"


def test_an_option_stands_alone_only_where_truth_is_asked_for() -> None:
    assert statements(ITEM) == list(ITEM.options)
    why = replace(ITEM, question="下面不属于臭氧形成原因的一项是")
    assert asked_of(why) == "false"
    assert statements(why)[0] == "下面属于臭氧形成原因的一项是 第3座桥建于1021年"
    assert statements(replace(ITEM, question="谁修了桥？"))[1] == "谁修了桥？ 第50座桥全长60米"


def test_the_coarse_pass_reads_all_and_the_fine_pass_what_matters() -> None:
    made = reading()
    made.judge(replace(ITEM, options=("第50座桥全长60米", "第3座桥建于1021年")))
    model = made.model
    assert isinstance(model, Overlap)
    first = [piece for statement, piece in model.asked if statement == "第50座桥全长60米"]
    *coarse, fine = first
    assert all(sentence in "".join(coarse) for sentence in LONG.split("。") if sentence)
    assert coarse[0][-20:] in coarse[1]  # each begins with the end of the one before
    assert len(fine) <= OptionReadingConfig().fine
    assert "第50座桥" in fine


def test_scores_are_joined_by_weight() -> None:
    item = replace(ITEM, options=("第50座桥全长60米", "第7座桥已经拆毁"))
    both, coarse, fine = (reading(fine_share=share).judge(item).options[0].score for share in (0.5, 0.0, 1.0))
    assert min(coarse, fine) <= both <= max(coarse, fine)
    assert coarse != fine


def test_evidence_is_cut_from_the_raw_passage() -> None:
    hidden = LONG.replace("第50座桥", "第50\u200e座桥")
    judged = reading().judge(replace(ITEM, passage=hidden))
    best = judged.options[1].evidence[0]
    assert hidden[best.start : best.end].startswith("第50\u200e座桥建于1350年")
    assert best.weight == 1.0


def test_a_long_passage_is_read_where_it_matters() -> None:
    made = reading(most=3)
    judged = made.judge(replace(ITEM, passage=LONG * 20, options=("第50座桥全长60米",)))
    assert isinstance(made.model, Overlap)
    assert len(made.model.asked) == 4
    assert "第50座桥" in (LONG * 20)[judged.options[0].evidence[0].start :][:10]


@pytest.mark.parametrize("passage", ["", "。", " \n", "短文。", "\u200e", "长" * 5000])
def test_odd_passages_are_answered(passage: str) -> None:
    judged = reading().judge(replace(ITEM, passage=passage))
    assert judged.answer.choice in range(4)
    assert sum(judged.answer.scores) == pytest.approx(1.0)


def test_the_same_statement_is_read_once() -> None:
    made = reading()
    made.judge(ITEM)
    assert isinstance(made.model, Overlap)
    count = len(made.model.asked)
    made.judge(replace(ITEM, id="2", question="下列说法正确的一项是"))
    assert len(made.model.asked) == count


def test_no_option_is_no_answer() -> None:
    assert reading().judge(replace(ITEM, options=())).answer.choice is None


def test_the_shipped_reader_reads_options() -> None:
    reader = load_reader("zh", threads=1)
    assert {SPANS, OPTIONS} <= reader.capabilities
    assert isinstance(reader, JudgesOptions)
    item = replace(ITEM, passage="会议由张三主持，李四因病没有参加。", options=("李四主持了会议", "会议由张三主持"))
    judged = reader.judge(replace(item, question="下列说法正确的一项是"))
    assert judged.answer.choice == 1
    assert judged.options[1].score > judged.options[0].score
    assert reader.answer([item])[0].choice == 0


def test_changed_weights_are_those_of_the_file(tmp_path: Path) -> None:
    model = ZH.folder / "model.onnx"
    before, after = read_weights(model), adapted(model, ZH.folder / "options.npz")
    name = "bert.encoder.layer.0.qkv"
    assert before[f"{name}.weight"].shape == after[f"{name}.weight"].shape == (768, 2304)
    moved = after[f"{name}.weight"] * after[f"{name}.scale"] - before[f"{name}.weight"] * before[f"{name}.scale"]
    assert 0 < np.abs(moved).mean() < 0.5 * np.abs(before[f"{name}.weight"] * before[f"{name}.scale"]).mean()
    assert after["head.weight"].shape == before["head.weight"].shape
    np.savez(tmp_path / "other.npz", **{"no.such.bias": np.zeros(3)})
    with pytest.raises(InputError, match="another model"):
        adapted(model, tmp_path / "other.npz")


def test_a_folder_without_the_file_reads_spans_only(tmp_path: Path) -> None:
    for name in ("model.onnx", "vocab.txt", "borrowed.tsv", "reader.json"):
        (tmp_path / name).symlink_to(ZH.folder / name)
    reader = load_reader(str(tmp_path))
    assert isinstance(reader, EmbeddedReader)
    assert OPTIONS not in reader.capabilities
    assert reader.fingerprint != load_reader("zh").fingerprint
    with pytest.raises(InputError, match="ChoiceItem"):
        reader.answer([ITEM])


@needs_shared
def test_questions_of_a_triple_are_read_by_themselves() -> None:
    triples = [item for item in load(f"gcrc:{SHARED}/data/gcrc_advrobust/dev_a.json") if isinstance(item, Triple)]
    short = sorted(triples, key=lambda one: len(one.original.passage))[:3]
    assert_independent(load_reader("zh"), short)


@needs_shared
def test_it_is_above_chance_on_questions_it_never_saw() -> None:
    items = [one for one in load(f"{SHARED}/data/c3/c3-d-test.json") if isinstance(one, ChoiceItem)]
    shorter = sorted(items, key=lambda one: (len(one.passage), one.id))[: len(items) // 2]
    some = shorter[:: len(shorter) // 60][:60]
    right = sum(one.choice == item.answer for one, item in zip(load_reader("zh").answer(some), some, strict=True))
    assert right > 0.4 * len(some)


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ('{"temperature": 0}', "temperature"),
        ('{"most": 0}', "most"),
        ('{"head": "x"}', "head"),
        ('{"mast": 3}', "mast"),
    ],
)
def test_a_wrong_card_is_told(options: str, place: str, tmp_path: Path) -> None:
    for name in ("model.onnx", "vocab.txt", "borrowed.tsv", "options.npz"):
        (tmp_path / name).symlink_to(ZH.folder / name)
    (tmp_path / "reader.json").write_text(f'{{"options": {options}}}', encoding="utf-8")
    reader = load_reader(str(tmp_path))
    with pytest.raises(InputError, match=place):
        reader.answer([ITEM])


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    model = ZH.folder / "model.onnx"
    (tmp_path / "bad.npz").write_bytes(b"no such thing")
    with pytest.raises(InputError, match="cannot be read"):
        adapted(model, tmp_path / "bad.npz")
    np.savez(tmp_path / "half.npz", **{"bert.encoder.layer.0.qkv.left": np.zeros((3, 2), np.int8)})
    with pytest.raises(InputError, match="another shape"):
        adapted(model, tmp_path / "half.npz")
