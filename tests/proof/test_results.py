"""Frozen values as JSON files, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.codec import to_plain, write_json
from readproof.errors import InputError
from readproof.proof.results import read_scores, read_timings
from readproof.proof.run import RunResults


def test_scores_come_back_from_their_file_as_they_were(perfect_run: RunResults, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    write_json(path, perfect_run.scores)
    assert read_scores(path) == perfect_run.scores
    write_json(path, perfect_run.timings)
    assert read_timings(path) == perfect_run.timings


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"format": 99}, "format 99"),
        ({"asked": "many"}, "at asked"),
        ({"verdict": {"headline": 3}}, "verdict.headline"),
        ({"parts": {}}, "at parts"),
    ],
)
def test_a_file_that_is_no_scores_is_refused(
    perfect_run: RunResults, tmp_path: Path, change: dict[str, object], found: str
) -> None:
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(to_plain(perfect_run.scores) | change), encoding="utf-8")
    with pytest.raises(InputError, match=found):
        read_scores(path)
