"""The pictures of the docs can be taken of any run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from readproof.proof.run import prove_reader
from tools import screenshots

SAMPLE = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"


def test_pictures_of_two_runs(browser: Any, tmp_path: Path) -> None:
    runs = [
        prove_reader(f"baseline:{name}", SAMPLE, attacks=["typo"], limit=6, out=tmp_path / "runs" / name).folder
        for name in ("overlap", "typed")
    ]
    made = screenshots.pictures(browser, runs, tmp_path / "pictures")
    assert {path.name for path in made} >= {"report.png", "cases.png", "compare.png", "runs.png"}
    assert all(path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 10_000 for path in made)


def test_every_picture_of_the_docs_is_one_that_is_taken_or_drawn() -> None:
    there = {path.name for path in screenshots.PICTURES.glob("*.png")}
    taken = {one.name for one in screenshots.PAGES} | {"compare.png", "runs.png"}
    assert there <= taken
