"""The same text in another script: traditional for simplified Chinese and back, Arabic for Persian letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import ClassVar

from readproof.attacks.base import About, Made
from readproof.attacks.characters import WHERE, changed
from readproof.items import Edit, Item
from readproof.script import Script as Which
from readproof.script import in_script

_ARABIC = {"ی": "ي", "ک": "ك"}
_SELDOM = 10  # of ten characters of simplified prose at least one has another traditional form


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    about: ClassVar[About] = About(
        name="script",
        does="traditional for simplified characters (or back); Arabic ي ك for Persian ی ک",
        languages=("zh", "fa"),
    )

    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> Made:
        """There is but one variant; golds are cut from the converted passage."""
        language = getattr(item, "language", "")
        change = _letters if language == "fa" else _characters
        return changed(self.about, item, change, where=self.where, seed=seed, count=min(count, 1), golds=True)


def _letters(text: str, _free: Callable[[int, int], bool], _random: Random) -> Sequence[Edit]:
    return [Edit(at, sign, _ARABIC[sign], "Arabic letter") for at, sign in enumerate(text) if sign in _ARABIC]


def _characters(text: str, _free: Callable[[int, int], bool], _random: Random) -> Sequence[Edit]:
    return _converted(text)


@lru_cache(maxsize=64)  # several questions share a passage
def _converted(text: str) -> tuple[Edit, ...]:
    """To traditional script; a text that is in it already goes back to simplified."""
    to: Which = "traditional"
    edits = in_script(text, to).edits
    if len(edits) * _SELDOM < len(text):
        back = in_script(text, "simplified").edits
        if len(back) > len(edits):
            to, edits = "simplified", back
    return tuple(Edit(edit.start, edit.old, edit.new, f"{to} script") for edit in edits)
