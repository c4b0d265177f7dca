"""A wish that the board does not grant: a key of the table of labels, so that it can be told in both languages."""

from __future__ import annotations


class Refusal(Exception):  # noqa: N818 - it is no error of ours but an answer
    """`key` is a label's key, `values` fill it, `status` is that of HTTP."""

    def __init__(self, key: str, status: int = 400, **values: object) -> None:
        super().__init__(key)
        self.key, self.status, self.values = key, status, values
