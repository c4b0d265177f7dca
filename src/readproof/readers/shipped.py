"""The readers inside the package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from readproof.errors import InputError
from readproof.readers.api import Reader, ReaderOptions
from readproof.readers.card import ReaderCard, has_weights, read_card, shipped_folder


@dataclass(frozen=True, slots=True)
class Shipped:
    """A reader whose weights lie under readers/models."""

    name: str

    @property
    def folder(self) -> Path:
        return shipped_folder(self.name)

    def card(self) -> ReaderCard:
        return read_card(self.folder)

    def open(self, options: ReaderOptions) -> Reader:
        from readproof.readers.embedded import open_folder

        if not has_weights(self.folder):
            raise InputError(
                found=f"no weights for the reader {self.name!r}",
                expected=f"weights in the folder readers/models/{self.name}",
                do="Install readproof again, or use another reader.",
            )
        return open_folder(self.folder, options)


ZH = Shipped("zh")
FA = Shipped("fa")
