"""The artefact: what the raw metric makes of a reader that is always right."""

from __future__ import annotations

from pathlib import Path

import pytest
from examples.persian_study.artefact import MODES, oracle
from examples.persian_study.explaining import artefact_text
from examples.persian_study.questions import answerable

from tests.examples.made import made_file
from tests.shared_data import SHARED, needs_shared


def test_a_perfect_reader_is_perfect_by_the_clean_metric_only(tmp_path: Path) -> None:
    items = answerable(str(made_file(tmp_path / "pqa.json")))
    for mode in MODES:
        found = oracle(mode, items)
        assert found.clean == found.followed == (100.0, 100.0)
        assert found.raw[1] < 60 and found.raw[0] == pytest.approx(found.one_word)
        assert found.followed_wrong == 0.0
    before, replace = (oracle(mode, items) for mode in MODES)
    assert before.moved > 80 and before.shift > 0
    # one character in place of another moves nothing
    assert (replace.moved, replace.shift) == (0.0, 0.0) and replace.other > 0


def test_the_text_has_the_figures(tmp_path: Path) -> None:
    items = answerable(str(made_file(tmp_path / "pqa.json")))
    oracles = {mode: oracle(mode, items) for mode in MODES}
    text = artefact_text(oracles, {}, "none", len(items))
    assert "mBERT 22.3, ParsBERT 19.3" in text and "7.3 / 17.9 and 4.1 / 13.5" in text
    assert f"{oracles[MODES[0]].raw[1]:.1f} F1 to a reader that makes no mistake" in text
    assert "⟨U+200E⟩" in text and "\u200e" not in text


@needs_shared
def test_the_known_figures_of_persianqa() -> None:
    items = answerable(str(SHARED / "data" / "persianqa" / "pqa_test.json"))
    assert len(items) == 651
    before, replace = (oracle(mode, items) for mode in MODES)
    assert [round(value, 1) for value in before.raw] == [13.5, 36.4]
    assert round(before.other, 1) == 99.7
    assert before.clean == replace.clean == (100.0, 100.0)
    assert [round(value, 1) for value in replace.raw] == [13.5, 13.5]
