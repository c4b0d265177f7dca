"""The table of a run in a terminal: it fits its width and loses no figure."""

from __future__ import annotations

import pytest

from readproof.proof.run import RunResults
from readproof.reports.terminal import table


def test_a_narrow_table_loses_no_figure(sample: RunResults) -> None:
    narrow, wide = (table(sample.scores, sample.timings, width) for width in (40, 80))
    assert "…" not in narrow
    words = set(narrow.split())
    assert [word for word in wide.split() if word not in words] == []


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_fits_its_width(sample: RunResults, width: int) -> None:
    text = table(sample.scores, sample.timings, width)
    assert max(map(len, text.splitlines()[1:])) <= width
    assert "…" not in text
    for one in sample.scores.attacks:
        assert f"  {one.attack} " in text
