"""What readers that stand before another reader share: each item by itself, shown otherwise, the answer put back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from readproof.items import Answer, ChoiceItem, Item, SpanItem
from readproof.readers.base import Reader, need


class Behind(ABC):
    """`reader` does the reading; `name` and `capabilities` are those of the two together."""

    reader: Reader
    name: str
    capabilities: frozenset[str]

    @property
    @abstractmethod
    def fingerprint(self) -> str: ...

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        return [self._one(item) for item in items if isinstance(item, SpanItem | ChoiceItem)]

    @abstractmethod
    def _one(self, item: SpanItem | ChoiceItem) -> Answer: ...
