"""Which folders are trained through `transformers`, and what is told of those that cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

pytest.importorskip("transformers")

from readproof.errors import InputError
from readproof.training.begin import is_own, read_start
from readproof.training.plan import run_plan
from readproof.training.pretrainedstart import PretrainedReader
from readproof.training.recipe import DistilRecipe, Fit, Student, Teachers, TrainingPlan
from readproof.training.ship import export_reader
from readproof.training.span import TRAIN, distil_span, train_by_plan, train_span
from tests.training.folders import Folders, texts, wordpiece, xlm_roberta
from tests.training.made import made_items


def test_students_and_onnx_are_for_berts(folders: Folders, made: Path, tmp_path: Path) -> None:
    folder = folders("xlm-roberta")
    with pytest.raises(InputError, match="for distilling"):
        train_by_plan("zh", data=tmp_path / "nowhere", start=folder, work=tmp_path / "work")
    step = DistilRecipe(sets=(TRAIN,), layers=(0,))
    with pytest.raises(InputError, match="MacBERT"):
        distil_span([made], teachers=[folder], step=step, out=tmp_path / "small")
    with pytest.raises(InputError, match="for ONNX"):
        export_reader(folder, tmp_path / "onnx")
    plan = TrainingPlan(teachers=Teachers(stages=()), student=Student(steps=(step,)))
    with pytest.raises(InputError, match="neither distilled nor exported"):
        run_plan(plan, sets={}, starts=[folder], work=tmp_path / "work")
    assert [path.name for path in tmp_path.iterdir()] == ["made.json"], "nothing was begun"


def test_layers_that_are_one_have_one_rate(made: Path, tmp_path: Path) -> None:
    (tmp_path / "albert").mkdir()
    folder = wordpiece(tmp_path / "albert", texts(made_items(2)), "Albert")
    how = Fit(batch=8, layer_decay=0.9)
    with pytest.raises(InputError, match="cannot be told apart"):
        train_span([made], start=folder, out=tmp_path / "out", fit=how, max_tokens=64)
    assert train_span([made], start=folder, out=tmp_path / "out", fit=Fit(batch=8), max_tokens=64).folder.is_dir()


def test_berts_that_our_encoder_cannot_hold_go_through_transformers(made: Path, tmp_path: Path) -> None:
    (tmp_path / "bert").mkdir()
    folder = wordpiece(tmp_path / "bert", texts(made_items(6)), "Bert")
    assert json.loads((folder / "config.json").read_text(encoding="utf-8"))["num_attention_heads"] == 2
    assert not is_own(folder), "32 columns are half a head of ours"
    assert isinstance(read_start(folder).reader(read_start(folder).state(), dropout=0.0), PretrainedReader)
    assert train_span([made], start=folder, out=tmp_path / "out", fit=Fit(batch=8), max_tokens=64).folder.is_dir()


def changed(folder: Path, file: str, **values: object) -> None:
    path = folder / file
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **values}), encoding="utf-8")


def slow(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "CanineTokenizer"}', encoding="utf-8")


def without_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").unlink()


def short_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:5000])


def lost_weights(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if "layer.1." not in name}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (slow, "a slow tokenizer"),
        (without_tokenizer, "no tokenizer"),
        (short_weights, "nothing that transformers can load"),
        (lost_weights, "no tensor roberta.encoder.layer.1"),
        (lambda folder: (folder / "model.safetensors").unlink(), "nothing that transformers can load"),
        (lambda folder: changed(folder, "config.json", model_type="gpt9"), "nothing that transformers can load"),
        (lambda folder: changed(folder, "config.json", model_type="vit"), "nothing that transformers can load"),
    ],
)
def test_folders_that_cannot_be_trained(damage: Callable[[Path], None], told: str, tmp_path: Path) -> None:
    folder = xlm_roberta(tmp_path, texts(made_items(2)))
    damage(folder)
    with pytest.raises(InputError, match=told):
        read_start(folder)


def test_a_tokenizer_of_another_model_is_told(folders: Folders, tmp_path: Path) -> None:
    folder = xlm_roberta(tmp_path, ["他 生 于 a b"])
    (folder / "tokenizer.json").write_bytes((folders("xlm-roberta") / "tokenizer.json").read_bytes())
    start = read_start(folder)
    with pytest.raises(InputError, match="expected numbers below"):
        start.prepared(made_items(6), max_tokens=64, overlap=16)
    (folder / "tokenizer.json").write_bytes((folders("electra") / "tokenizer.json").read_bytes())
    with pytest.raises(InputError, match="tokenizer"):
        read_start(folder)


def test_token_types_that_the_model_does_not_know_are_told(folders: Folders, tmp_path: Path) -> None:
    folder = wordpiece(tmp_path, texts(made_items(1)), "Electra", type_vocab_size=1)
    with pytest.raises(InputError, match=r"types up to 1; expected 1 of them.*model_input_names"):
        read_start(folder)


def test_windows_longer_than_the_positions_are_refused(folders: Folders, made: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="at most 64"):
        train_span([made], start=folders("xlm-roberta"), out=tmp_path / "out")
