"""A trained option reader, exported, judges as it did in training: as a folder of its own, or onto a span reader's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from readproof.errors import InputError
from readproof.items import ChoiceItem
from readproof.readers import load_reader
from readproof.readers.api import OPTIONS, SPANS
from readproof.readers.embedded import EmbeddedReader
from readproof.readers.options import JudgesOptions, manner_for
from readproof.training.checkpoint import write_checkpoint
from readproof.training.model import plain_state, reader_from
from readproof.training.options.measure import logits
from readproof.training.options.model import OptionReader, option_reader_from
from readproof.training.options.records import Group
from readproof.training.options.start import write_option_folder
from readproof.training.options.windows import cut
from readproof.training.ship import export_adapter, export_reader
from readproof.training.start import read_folder

pytest.importorskip("onnx")

ITEM = ChoiceItem(
    id="1",
    passage="山上有一座桥。桥下有水。水里有鱼，鱼很多。",
    question="下列说法正确的一项是",
    options=("山上有桥", "水里没有鱼"),
)


@pytest.fixture
def pair(start: Path, tmp_path: Path) -> tuple[Path, Path, OptionReader]:
    """A span reader's folder, that of an option reader which differs from it a little, and the latter itself."""
    torch.manual_seed(1)
    begin = read_folder(start)
    span = reader_from(begin.state(), dropout=0.0).eval()
    write_checkpoint(tmp_path / "span", plain_state(span), begin.vocabulary, {})
    option = option_reader_from(plain_state(span), dropout=0.0).eval()
    with torch.no_grad():
        for name, parameter in option.named_parameters():
            if "embeddings" not in name:
                parameter.add_(torch.randn_like(parameter) * 0.02)
    manner = manner_for("verify", 64)
    write_option_folder(tmp_path / "option", plain_state(option), begin.vocabulary, {}, manner)
    return tmp_path / "span", tmp_path / "option", option


def _wanted(folder: Path, reader: OptionReader) -> list[float]:
    tokenizer = read_folder(folder).vocabulary.tokenizer()
    group = Group(id="1", passage=ITEM.passage, statements=ITEM.options, labels=(1, 0))
    table = logits([reader], cut([group], tokenizer, manner_for("verify", 64)))[0]
    return [float(value) for value in 1 / (1 + np.exp(-table.mean(axis=1)))]


def _scores(reader: object) -> list[float]:
    assert isinstance(reader, JudgesOptions)
    return [option.score for option in reader.judge(ITEM).options]


def test_a_folder_of_its_own(pair: tuple[Path, Path, OptionReader], tmp_path: Path) -> None:
    _, folder, option = pair
    export_reader(folder, tmp_path / "onnx", precision="fp32")
    reader = load_reader(str(tmp_path / "onnx"))
    assert reader.capabilities == {OPTIONS}
    assert _scores(reader) == pytest.approx(_wanted(folder, option), abs=1e-4)


def test_onto_a_span_reader(pair: tuple[Path, Path, OptionReader], tmp_path: Path) -> None:
    span, folder, option = pair
    out = export_reader(span, tmp_path / "both", precision="fp32")
    alone = load_reader(str(out))
    before = alone.fingerprint
    assert alone.capabilities & {OPTIONS} == set()
    export_adapter(folder, span, out / "options.npz", rank=4096)
    both = load_reader(str(out))
    assert isinstance(both, EmbeddedReader)
    assert {SPANS, OPTIONS} <= both.capabilities
    assert both.fingerprint != before
    # every matrix at its full rank; what is left is the rounding of the two factors
    assert _scores(both) == pytest.approx(_wanted(folder, option), abs=0.02)


def test_readers_that_do_not_belong_together_are_refused(pair: tuple[Path, Path, OptionReader], tmp_path: Path) -> None:
    span, folder, _ = pair
    with pytest.raises(InputError, match="began as"):
        export_adapter(span, folder, tmp_path / "options.npz")
