"""Slips of the pen: Chinese characters of the same sound or shape, keys beside the right one elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.resources import files
from random import Random
from typing import ClassVar

from readproof.attacks.base import About, Made
from readproof.attacks.characters import WHERE, changed, chosen
from readproof.items import Edit, Item
from readproof.lang.lists import lines

KINDS = ("both", "sound", "shape")


@lru_cache(maxsize=8)
def slips(language: str, kind: str) -> Mapping[str, str]:
    """Each character with those that are written for it by mistake."""
    if language == "zh":
        wanted = [name for name, of in (("homophones", "sound"), ("lookalikes", "shape")) if kind in ("both", of)]
        found: dict[str, str] = {}
        for name in wanted:
            for character, others in lines("zh", name):
                found[character] = found.get(character, "") + others
        return found
    text = files("readproof.lang").joinpath("keyboards.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {key: beside for of, key, beside in rows if of == language}


@dataclass(frozen=True, slots=True, kw_only=True)
class Typo:
    about: ClassVar[About] = About(
        name="typo",
        does="characters of the same sound or shape (zh), keys beside the right one (fa, en)",
        languages=("zh", "fa", "en"),
    )

    kind: str = field(
        default="both", metadata={"values": KINDS, "help": "Chinese only: same sound, look-alike, or both"}
    )
    budget: int = field(default=0, metadata={"help": "how many slips; 0: one in thirty characters"})
    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> Made:
        """Gold answers stay as they are."""
        change = partial(self._change, slips(getattr(item, "language", ""), self.kind))
        strategy = self.kind if getattr(item, "language", "") == "zh" else "keyboard"
        return changed(
            self.about, item, change, where=self.where, seed=seed, count=count, strategy=strategy, golds=False
        )

    def _change(
        self, known: Mapping[str, str], text: str, free: Callable[[int, int], bool], random: Random
    ) -> Sequence[Edit]:
        places = [at for at, sign in enumerate(text) if sign in known and free(at, at + 1)]
        return [
            Edit(places[at], text[places[at]], random.choice(known[text[places[at]]]), "slip")
            for at in (chosen(places, random, self.budget, 30) if places else ())
        ]
