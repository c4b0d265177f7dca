"""An encoder from text to a folder, to a reader, to answers; killed in between, it ends with the same weights."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from readproof.errors import InputError
from readproof.items import Gold, SpanItem
from readproof.readers import load_reader
from readproof.training import fit as loop
from readproof.training.prepare import write_set
from readproof.training.pretrain.recipe import find_encoder_plan
from readproof.training.pretrain.train import train_encoder
from readproof.training.recipe import Fit
from readproof.training.ship import export_reader
from readproof.training.span import train_span
from readproof.training.start import read_folder
from tests.training.pretrain.texts import NAMES, lines, write_plan, write_text


class _KilledError(Exception):
    pass


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_text_becomes_a_reader(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    plan = find_encoder_plan(str(write_plan(tmp_path / "plan.toml")))
    text = write_text(tmp_path / "text.txt")
    said: list[str] = []
    encoder = train_encoder([text], plan, out=tmp_path / "encoder", work=tmp_path / "work", say=said.append)
    start = read_folder(encoder)
    assert start.is_reader
    assert (start.layers, start.positions) == (2, 128)
    assert any("held-out" in line for line in said)
    items = []
    for number, line in enumerate(lines(24)):
        name = NAMES[number % len(NAMES)]
        gold = Gold(name, line.index(name))
        items.append(SpanItem(id=f"{number}", passage=line, question="نام شهر چیست؟", golds=(gold,)))
    write_set(tmp_path / "train.json", items)
    reader = train_span(
        [tmp_path / "train.json"], start=encoder, out=tmp_path / "reader", fit=Fit(epochs=1, lr=1e-3), max_tokens=128
    ).folder
    shipped = export_reader(reader, tmp_path / "onnx")
    assert (shipped / "letters.tsv").is_file()
    answers = load_reader(str(shipped), threads=1).answer(items)
    for item, answer in zip(items, answers, strict=True):
        assert answer.raw
        assert item.passage[answer.start : answer.end] == answer.raw
    fp32 = load_reader(str(export_reader(reader, tmp_path / "fp32", precision="fp32")), threads=1).answer(items)
    theirs = load_reader(str(reader), threads=1).answer(items)
    assert [one.text for one in fp32] == [one.text for one in theirs]


def test_a_killed_run_ends_with_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = find_encoder_plan(str(write_plan(tmp_path / "plan.toml", steps=5)))
    text = write_text(tmp_path / "text.txt", 40)
    whole = train_encoder([text], plan, out=tmp_path / "whole", work=tmp_path / "w1")
    kept = loop.save_training

    def dies(*given: object) -> None:
        kept(*given)  # type: ignore[arg-type]
        raise _KilledError

    for stop in range(3):
        monkeypatch.setattr(loop, "save_training", dies)
        with pytest.raises(_KilledError):
            train_encoder([text], plan, out=tmp_path / "again", work=tmp_path / "w2", save_every=0.0)
        monkeypatch.setattr(loop, "save_training", kept)
        assert not (tmp_path / "again").exists(), stop
    again = train_encoder([text], plan, out=tmp_path / "again", work=tmp_path / "w2")
    one, other = (load_file(folder / "model.safetensors") for folder in (whole, again))
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_part_takes_about_the_time_it_is_given(tmp_path: Path) -> None:
    plan = find_encoder_plan(str(write_plan(tmp_path / "plan.toml", seconds=1.5)))
    said: list[str] = []
    text = write_text(tmp_path / "text.txt", 40)
    train_encoder([text], plan, out=tmp_path / "encoder", work=tmp_path / "work", say=said.append)
    assert any(line.startswith("masked:") and "steps in about 2 s" in line for line in said)


def test_text_must_be_there(tmp_path: Path) -> None:
    plan = find_encoder_plan(str(write_plan(tmp_path / "plan.toml")))
    with pytest.raises(InputError, match="no such file"):
        train_encoder([tmp_path / "none.txt"], plan, out=tmp_path / "encoder", work=tmp_path / "work")
