"""The rows of the study's table: each an attack with its options, and what is measured where there is no translator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from readproof.attacks import make_attack
from readproof.attacks.backtranslate import open_translator
from readproof.attacks.base import Attack, SearchAttack
from readproof.errors import InputError

ORIGINAL, PARAPHRASE = "original", "paraphrase"
PIVOTS = {"en": "English", "fr": "French", "hy": "Armenian"}
_ADDANY = 60  # population 6, 10 generations, as the study searched
_STRONG = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row. `study` is the key of the study's own figure; `budget` above 0 makes it a search that asks the reader.

    `sample` is on how many questions it is measured (0: all). `missing` says why it cannot be measured.
    """

    name: str
    label: str
    study: str = ""
    attack: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    budget: int = 0
    sample: int = 0
    missing: str = ""

    @property
    def readings(self) -> int:
        """How often the reader is asked for one question, at the most: a search, and the answer that is kept."""
        return self.budget + 1

    def made(self) -> Attack | SearchAttack:
        return make_attack(self.attack, self.options)


_NO_QUESTION_WORDS = {"preset": "study", "question_words": "no"}
_KNOWN = (
    Row(name=ORIGINAL, label="original", study="original"),
    Row(name="addsent", label="AddSent", study="addsent", attack="addsent"),
    Row(name="addsent-worst", label="AddSent, worst of 5 (ours)", attack="addsent", budget=6),
    Row(name="addany", label="AddAny", study="addany", attack="addany", options=_NO_QUESTION_WORDS, budget=1 + _ADDANY),
    Row(
        name="addany-strong",
        label="AddAny, question words too, 200 queries (ours)",
        attack="addany",
        options={"preset": "strong"},
        budget=_STRONG,
    ),
    *(
        Row(
            name=f"backtranslate-{pivot}",
            label=f"back-translation {pivot.upper()}",
            study=f"backtranslate-{pivot}",
            attack="backtranslate",
            options={"pivot": pivot, "where": "question"},
        )
        for pivot in PIVOTS
    ),
    Row(
        name=PARAPHRASE,
        label="paraphrase by rules (no back-translation)",
        attack="paraphrase",
        options={"where": "question"},
    ),
    Row(
        name="invisible-before",
        label="invisible, U+200E before spaces",
        study="invisible",
        attack="invisible",
        options={"mode": "before"},
    ),
    Row(
        name="invisible-replace",
        label="invisible, U+200E in place of spaces",
        attack="invisible",
        options={"mode": "replace"},
    ),
)
ROWS = {row.name: row for row in _KNOWN}
USUAL = tuple(name for name in ROWS if name not in ("addany-strong", PARAPHRASE))


def rows_for(
    names: Sequence[str] = USUAL, *, translators: Mapping[str, str] | None = None, addany: int = 0
) -> list[Row]:
    """The rows by name, in the table's order, the original always; AddAny on a sample of so many questions.

    Where a pivot has no translator its row says so, and the paraphrase is measured as a row of its own.
    """
    for name in names:
        if name not in ROWS:
            raise InputError(place="--rows", found=repr(name), expected=f"some of {', '.join(ROWS)}")
    given = translators or {}
    out = []
    wanted = {ORIGINAL, *names}
    for row in _KNOWN:
        if row.attack == "backtranslate" and row.name in wanted:
            row = _translated(row, given)
            if row.missing:
                wanted.add(PARAPHRASE)
        if row.name in wanted:
            out.append(replace(row, sample=addany) if row.attack == "addany" else row)
    return out


def translators_of(given: Sequence[str]) -> dict[str, str]:
    """`--translator SPEC` for every pivot, or `--translator PIVOT=SPEC` for one; each is opened once to see if it is
    there."""
    found: dict[str, str] = {}
    for text in given:
        pivot, separator, spec = text.partition("=")
        if separator and pivot in PIVOTS:
            found[pivot] = spec
        elif text.startswith("ct2:"):
            expected = "PIVOT=ct2:FOLDER_THERE,FOLDER_BACK, as en=ct2:fa-en,en-fa"
            raise InputError(place="--translator", found=repr(text), expected=expected)
        else:
            found |= dict.fromkeys((one for one in PIVOTS if one not in found), text)
    for pivot, spec in found.items():
        open_translator(spec, pivot)
    return found


def _translated(row: Row, translators: Mapping[str, str]) -> Row:
    pivot = row.options["pivot"]
    if pivot not in translators:
        return replace(row, missing="no translator configured")
    return replace(row, options={**row.options, "translator": translators[pivot]})
