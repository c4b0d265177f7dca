"""Word lists that ship with the package."""

from __future__ import annotations

from importlib.resources import files

import pytest

from readproof.lang.api import column, lines


def test_a_list_is_read_without_its_first_line() -> None:
    assert lines("zh", "classes")[0][:2] == ("父亲", "母亲")
    assert column("zh", "surnames")[0] == "王"


@pytest.mark.parametrize(
    "path", sorted(path.name for path in files("readproof.lang").joinpath("zh").iterdir() if path.name.endswith(".tsv"))
)
def test_every_list_names_its_source_and_licence(path: str) -> None:
    text = files("readproof.lang").joinpath("zh", path).read_text(encoding="utf-8")
    first, rest = text.split("\n", 1)
    assert first.startswith("# ") and first.rpartition(";")[2].strip() in ("Apache-2.0", "MIT", "CC BY-SA 4.0"), first
    rows = [row for row in rest.split("\n") if row]
    assert len(rows) == len(set(rows)) and len(text.encode()) <= 700_000
