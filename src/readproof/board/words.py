"""The words of the board's pages in English and Chinese: one table, as in the reports."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from readproof.report.labels import Label


@lru_cache(maxsize=1)
def words() -> dict[str, Label]:
    """All labels by their keys."""
    text = files("readproof.board").joinpath("labels.tsv").read_text(encoding="utf-8")
    entries = (line.split("\t") for line in text.split("\n") if line and not line.startswith("# "))
    return {key: Label(english, chinese) for key, english, chinese in entries}


def word(key: str, **values: object) -> Label:
    """A label with its {places} filled."""
    found = words()[key]
    return found.filled(**values) if values else found
