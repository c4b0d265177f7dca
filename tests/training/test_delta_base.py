"""A reader of another language as changes to the shipped one: it begins as that one, and reads with its graph."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

pytest.importorskip("onnx", reason="needs the extra [train]")

from readproof.cli.main import app
from readproof.errors import InputError
from readproof.items import SpanItem
from readproof.readers import load_reader
from readproof.readers.vocabulary import SPECIAL, Vocabulary
from readproof.training.checkpoint import write_checkpoint
from readproof.training.delta_base import DeltaBase, as_changes, lender, lent_encoder
from readproof.training.model import SpanReader, plain_state
from readproof.training.readerstart import reader_start
from readproof.training.ship import export_changes, export_reader, trained_onto

ONTO = DeltaBase(rank=3, words=24)
WORDS = ("تهران", "پایتخت", "ایران", "است", "شهر", "کجاست", "بزرگ", "1", "2", ".", "؟", "A", *"ابتدرزسشفقکلمنویه")
ITEM = SpanItem(id="1", passage="تهران پایتخت ایران است.", question="پایتخت ایران کجاست؟", language="fa")


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    pieces = (*SPECIAL, *dict.fromkeys(WORDS))
    return Vocabulary(pieces, {})


@pytest.fixture(scope="module")
def trained(vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reader whose changes were drawn by chance."""
    torch.manual_seed(0)
    reader = as_changes(SpanReader(lent_encoder(ONTO, vocabulary, dropout=0.0)), ONTO)
    with torch.no_grad():
        for name, one in reader.named_parameters():
            if one.requires_grad and name.endswith(".left") and ".layer." in name:
                one.normal_(std=0.05)
    folder = tmp_path_factory.mktemp("onto") / "reader"
    notes = {"plan": {"onto": {"reader": "zh", "rank": 3, "words": 24}}, "language": "fa"}
    return write_checkpoint(folder, plain_state(reader), vocabulary, notes)


def test_layers_are_lent_and_known_pieces_keep_their_vectors(vocabulary: Vocabulary) -> None:
    torch.manual_seed(0)
    found = dict(lent_encoder(ONTO, vocabulary, dropout=0.0).named_parameters())
    base = lender("zh")
    name = "encoder.layer.3.output.dense.weight"
    assert torch.equal(found[name], base.tensors[name])
    words = found["embeddings.word_embeddings.weight"]
    table, ids = base.tensors["embeddings.word_embeddings.weight"], base.vocabulary.ids()
    assert torch.equal(words[vocabulary.ids()["1"]], table[ids["1"]])
    assert words.shape == (len(vocabulary), 768)
    drawn = words.detach()[vocabulary.ids()["ایران"]]
    assert 0.5 < float(drawn.norm() / table.norm(dim=1).mean()) < 2.0


def test_what_is_exported_reads_as_what_was_trained(trained: Path, tmp_path: Path) -> None:
    out = export_changes(trained, tmp_path / "fa", trained_onto(trained, "zh"), name="fa")
    assert sorted(one.name for one in out.iterdir()) == ["changes.npz", "reader.json", "vocab.txt"]
    card = json.loads((out / "reader.json").read_text(encoding="utf-8"))
    assert card["onto"] == "zh" and card["languages"] == ["fa"]
    (said,), (kept,) = (load_reader(str(one), threads=1).answer([ITEM]) for one in (trained, out))
    assert kept.text == said.text
    assert kept.confidence == pytest.approx(said.confidence, abs=0.1)
    again = reader_start(str(out)).state()
    before = reader_start(str(trained)).state()
    name = "bert.encoder.layer.0.intermediate.dense.weight"
    base = lender("zh").state()[name]
    change, rounded = (before[name] - base).numpy(), (again[name] - base).numpy()
    assert np.abs(change).max() > 0.01
    assert np.corrcoef(change.ravel(), rounded.ravel())[0, 1] > 0.9


def test_readers_of_another_width_lend_too(vocabulary: Vocabulary, tmp_path: Path) -> None:
    """`fa` has ten layers of twelve narrow heads, and pieces that only a Unigram vocabulary has."""
    onto = DeltaBase(reader="fa", rank=3, words=24)
    torch.manual_seed(0)
    reader = as_changes(SpanReader(lent_encoder(onto, vocabulary, dropout=0.0)), onto)
    assert plain_state(reader)["bert.embeddings.word_embeddings.weight"].shape == (len(vocabulary), 384)
    with torch.no_grad():
        for name, one in reader.named_parameters():
            if one.requires_grad and name.endswith(".left") and ".layer." in name:
                one.normal_(std=0.05)
    folder = write_checkpoint(tmp_path / "reader", plain_state(reader), vocabulary, {"language": "fa"})
    out = export_changes(folder, tmp_path / "fa", onto)
    (said,), (kept,) = (load_reader(str(one), threads=1).answer([ITEM]) for one in (folder, out))
    assert kept.text == said.text
    assert kept.confidence == pytest.approx(said.confidence, abs=0.02)


def test_changes_to_another_graph_are_refused(trained: Path, tmp_path: Path) -> None:
    out = export_changes(trained, tmp_path / "fa", ONTO)
    card = json.loads((out / "reader.json").read_text(encoding="utf-8"))
    (out / "reader.json").write_text(json.dumps(card | {"onto_hash": "0" * 64}), encoding="utf-8")
    with pytest.raises(InputError, match="changes to another 'zh'"):
        load_reader(str(out), threads=1).answer([ITEM])
    (out / "reader.json").write_text(json.dumps(card | {"onto": "nobody"}), encoding="utf-8")
    with pytest.raises(InputError, match="name of a shipped reader"):
        load_reader(str(out), threads=1).answer([ITEM])


def test_only_shipped_readers_lend(trained: Path) -> None:
    with pytest.raises(InputError, match="a folder, or the name of a shipped reader"):
        trained_onto(trained, "nobody")


def test_the_command_writes_changes(trained: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app(), ["export", str(trained), "--onto", "zh", "-o", str(tmp_path / "fa"), "--json"])
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["bytes"] == (tmp_path / "fa" / "changes.npz").stat().st_size < 3_000_000


def test_what_cannot_be_is_refused_before_anything_is_trained(trained: Path, tmp_path: Path) -> None:
    for wrong in ({"rank": 0}, {"words": 0}, {"reader": "zhh"}):
        with pytest.raises(InputError):
            DeltaBase(**wrong)  # type: ignore[arg-type]
    out = export_changes(trained, tmp_path / "x", ONTO)
    rows = (out / "vocab.txt").read_text(encoding="utf-8").splitlines()
    (out / "vocab.txt").write_text("\n".join(rows[:-2]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"as changes\.npz has word vectors"):
        load_reader(str(out), threads=1).answer([ITEM])
    export_reader(trained, out)
    assert not (out / "changes.npz").exists()
    assert load_reader(str(out), threads=1).answer([ITEM])
    export_changes(trained, out, ONTO)
    assert not (out / "model.onnx").exists()
    (trained / "notes.json").rename(tmp_path / "notes.json")
    (trained / "notes.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="no JSON"):
        trained_onto(trained, "zh")
    (tmp_path / "notes.json").replace(trained / "notes.json")
