"""The words of the board's pages in English and Chinese: one table, as in the reports."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from readproof.reports.labels import Label


class PluralNumber(int):
    """A number that chooses the words beside it: {count:team|teams} is "team" for one, "teams" for 0, 2 and more."""

    def __format__(self, spec: str) -> str:
        one, choice, more = spec.partition("|")
        if choice:
            return one if self == 1 else more
        return super().__format__(spec)


@lru_cache(maxsize=1)
def words() -> dict[str, Label]:
    """All labels by their keys."""
    text = files("readproof.board").joinpath("labels.tsv").read_text(encoding="utf-8")
    entries = (line.split("\t") for line in text.split("\n") if line and not line.startswith("# "))
    return {key: Label(english, chinese) for key, english, chinese in entries}


def word(key: str, **values: object) -> Label:
    """A label with its {places} filled; numbers among them choose between singular and plural."""
    found = words()[key]
    return found.filled(**{name: _counted(value) for name, value in values.items()}) if values else found


def counted(number: int, one: str, more: str) -> str:
    """A number and its noun, for what commands say: 1 row, 1,200 rows."""
    return f"{number:,} {one if number == 1 else more}"


def _counted(value: object) -> object:
    return PluralNumber(value) if isinstance(value, int) and not isinstance(value, bool) else value


# A wish that the board does not grant: a key of the table of labels, so that it can be told in both languages.


class Refusal(Exception):  # noqa: N818 - it is no error of ours but an answer
    """`key` is a label's key, `values` fill it, `status` is that of HTTP."""

    def __init__(self, key: str, status: int = 400, **values: object) -> None:
        super().__init__(key)
        self.key, self.status, self.values = key, status, values
