"""ARTEFACT.md: what the study's invisible-character figure really measured, told with the run's own figures."""

from __future__ import annotations

from collections.abc import Mapping

from examples.persian_study import published
from examples.persian_study.artefact import MODES, Oracle
from examples.persian_study.scoring import Figures
from examples.persian_study.tables import markdown

_MODE = {"invisible-before": "before every space", "invisible-replace": "in place of every space"}


def artefact_text(oracles: Mapping[str, Oracle], figures: Mapping[str, Figures], reader: str, questions: int) -> str:
    """The text; rows that were not asked of the reader are left out of its table."""
    before, replace = (oracles[mode] for mode in MODES)
    study = ", ".join(f"{one} {published.evaluated('invisible', one)}" for one in published.READERS)
    original = ", ".join(f"{one} {published.evaluated('original', one)}" for one in published.READERS)
    after = " and ".join(_pair(published.trained("invisible", one)) for one in published.READERS)
    parts = [
        "# The invisible characters: an artefact of scoring\n",
        f"{questions} answerable questions. The study puts U+200E, which nobody sees, into the passage and reports "
        f"that F1 falls to {study} (from {original}). Its text says that the character takes the place of every "
        "space; its code puts one before every space. Here are both.\n",
        "## An oracle that is always right\n",
        "It answers every question with the gold answer, cut from the attacked passage. Whatever it loses says "
        "nothing about reading.\n",
        markdown(
            ["U+200E", "raw metric, F1 / EM", "raw, ZWNJ as space", "raw, golds follow", "clean metric"],
            [_oracle_line(mode, oracles[mode]) for mode in MODES],
        ),
        f"- **Raw metric** (as the study scored): the answer keeps its U+200E ({before.marks:.1f} on average), the "
        "gold of the file has none, so all words but the last differ. Only answers of one word "
        f"({before.one_word:.1f} %) match. In place of spaces the whole answer is one long word.\n"
        "- **Golds follow**: the gold answer is cut from the attacked passage too, and raw is compared with raw.\n"
        "- **Clean metric**: everything invisible is removed before the answer is cut and before it is compared; "
        "the golds are those of the file.\n",
        f"So the raw metric gives {before.raw[1]:.1f} F1 to a reader that makes no mistake. The study's readers do "
        "make some, and have less. BERT's own cleaning deletes U+200E, so in the first mode they read the very "
        "tokens that they read before: nothing about their reading changed.\n",
    ]
    asked = [mode for mode in MODES if mode in figures]
    if asked:
        parts += [f"## The reader {reader}\n", _reader_table(figures, asked)]
    parts += [
        "## What `answer_start` does\n",
        markdown(
            ["U+200E", "offsets that moved", "by, on average", "another text at the old place", "wrong if they follow"],
            [_offset_line(mode, oracles[mode]) for mode in MODES],
        ),
        f"If the passage is attacked and `answer_start` is left as it was, {before.other:.1f} % of the places no "
        f"longer hold the answer. For example, in place of {_quoted(before.example[0])} a reader is taught "
        f"{_quoted(before.example[1])}. Who trains on such data unlearns to read; the study has {after} (attacked / "
        "original) after adversarial training. In place of spaces the offsets stay, as one character takes the "
        f"place of another, but {replace.other:.1f} % of the answers have other characters inside.\n",
        "With offsets that follow the attack, as readproof's always do, none is wrong.\n",
        "## What to take from it\n",
        "- Before a space the character is no attack on a reader that removes what is invisible; the fault is the "
        "scorer's. In place of a space it fuses words, and a reader has to find the spaces again: a real attack.\n"
        "- Score clean text, or cut golds and answers from the same passage.\n"
        "- Check after every attack that each gold answer is the slice at its offset.\n",
    ]
    return "\n".join(parts)


def _oracle_line(mode: str, found: Oracle) -> list[str]:
    columns = (found.raw, found.raw_zwnj, found.followed, found.clean)
    return [_MODE[mode], *(f"{f1:.1f} / {exact:.1f}" for exact, f1 in columns)]


def _offset_line(mode: str, found: Oracle) -> list[str]:
    shift = f"{found.shift:.0f} characters"
    return [_MODE[mode], f"{found.moved:.1f} %", shift, f"{found.other:.1f} %", f"{found.followed_wrong:.1f} %"]


def _reader_table(figures: Mapping[str, Figures], asked: list[str]) -> str:
    lines = [["original", *_both(figures["original"])], *([_MODE[mode], *_both(figures[mode])] for mode in asked)]
    return markdown(["U+200E", "raw metric, F1", "clean metric, F1"], lines)


def _both(found: Figures) -> list[str]:
    return [f"{found.raw.value:.1f}", f"{found.clean.value:.1f}"]


def _pair(values: tuple[float, float] | None) -> str:
    return "–" if values is None else f"{values[0]} / {values[1]}"


def _quoted(text: str) -> str:
    """Persian in a left-to-right line, its marks made visible."""
    return "`" + text.replace("\u200e", "⟨U+200E⟩") + "`"
