"""Blind readings of a fresh suite: sheets without answers, and what the readers' answers say of every question.

    python -m tools.fresh.reading draw tools/fresh/texts/zh/suite SHEETS --reader 1 --sheets closed-spans,distractor
    python -m tools.fresh.reading judge tools/fresh/texts/zh/suite SHEETS 1 2 3 4 --out tools/fresh/readings/zh

Sheets without passages: `closed-spans` has the span questions, those of one passage far apart; `closed-options` one
question of each triple, which one by the reader's name. Sheets with passages, one for each version: as written
(`plain`), in the words of the paraphrase (`reworded`), with all distractors (`distractor`), with all distractors of two
sentences (`two-sentences`), with all answers substituted (`substitute`). Nothing says which is which. Of a triple each
of them but `substitute` holds one question; `options` holds all three, and no span questions. Answers are lines of TSV,
one file a sheet.

Give each reader one sheet, or one without passages and then one with them. Whoever has answered a passage before knows
its answers, and no longer reads what was added; options name facts that span questions ask for.

A question stays if every reader of it gives its answer from the passage, and none finds fault with its language; a
variant of it stays if all give the right answer there. A question that all answer without the passage goes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.fresh.items import FreshItem, items_of, substitution_edits
from tools.fresh.texts import FreshText, files_in, insertion, read

from readproof.attacks.base import random_of
from readproof.attacks.review import kappa
from readproof.items import ChoiceItem, Edit, SpanItem, Triple, letter
from readproof.proof.measure import measure_for
from readproof.text import applied

CLOSED = {"closed-spans": "spans", "closed-options": "options"}
# which question of a triple each version holds
VERSIONS = {
    "plain": "original",
    "reworded": "positive",
    "distractor": "negative",
    "two-sentences": "original",
    "substitute": "",
    "options": "*",
}
FORMS = ("original", "positive", "negative")
ATTACK_OF = {"distractor": "written/distractor", "two-sentences": "written/two-sentences"}
ATTACK_OF |= {"reworded": "written/paraphrase", "substitute": "written/substitute"}
_NONE = re.compile(r"^[-–—无]?$")
_ID = re.compile(r"\S+-[qo]\d+(#\w+)?")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a sheet: what is shown, and what would be right."""

    id: str
    item: SpanItem | ChoiceItem


def versions(text: FreshText) -> dict[str, tuple[str, list[Asked]]]:
    """Of each version the passage and the questions that go with it."""
    found: dict[str, tuple[str, list[Asked]]] = {}
    made = list(items_of(text))
    for name, form in VERSIONS.items():
        asked = [one for fresh in made for one in _asked(fresh, name, form)]
        passage = _passage(text, name)
        if asked:
            found[name] = passage, asked
    return found


def _asked(fresh: FreshItem, version: str, form: str) -> Iterator[Asked]:
    item = fresh.item
    if isinstance(item, Triple):
        for one in FORMS if form == "*" else filter(None, [form]):
            yield Asked(f"{item.id}#{one}", getattr(item, one))
        return
    if version == "plain" and isinstance(item, SpanItem):
        yield Asked(item.id, item)
        return
    variant = fresh.variants.get(ATTACK_OF[version]) if version in ATTACK_OF else None
    if variant is not None and isinstance(variant.item, SpanItem):
        yield Asked(item.id, variant.item)


def _passage(text: FreshText, version: str) -> str:
    """The passage with what was written for all of its questions."""
    edits: list[Edit] = []
    for question in text.questions:
        if version in ("distractor", "two-sentences"):
            added = question.distractor if version == "distractor" else question.distractor2
            edits.append(insertion(text, question, added))
        elif version == "substitute" and question.substitute is not None:
            for edit in substitution_edits(text.passage, question.substitute):
                if not any(one.start < edit.end and edit.start < one.end for one in edits):
                    edits.append(edit)
    return applied(text.passage, sorted(edits, key=lambda one: one.start)).clean


def draw(texts: Sequence[FreshText], home: Path, reader: str, sheets: Sequence[str]) -> None:
    """The sheets of one reader, in the order given."""
    random = random_of(f"reading|{reader}")
    home.mkdir(parents=True, exist_ok=True)
    (home / f"{reader}.key.json").write_text(json.dumps(list(sheets)) + "\n", encoding="utf-8")
    for number, name in enumerate(sheets):
        if name in CLOSED:
            asked = [one for text in texts for fresh in items_of(text) for one in _closed(fresh, name, reader)]
            blocks = [_shown(one) for one in random.sample(asked, len(asked))]
        else:
            blocks = []
            for text in random.sample(texts, len(texts)):
                passage, asked = versions(text).get(name, ("", []))
                if asked:
                    blocks.append(f"=== {text.title}\n{passage}\n\n" + "\n".join(_shown(one) for one in asked) + "\n")
        _write(home / f"{reader}.{number}.txt", "\n".join(blocks))


def _closed(fresh: FreshItem, sheet: str, reader: str) -> Iterator[Asked]:
    """A span question, or one of the three of a triple: which one differs from reader to reader."""
    item = fresh.item
    if isinstance(item, Triple) and CLOSED[sheet] == "options":
        form = random_of(f"{item.id}|{reader}").choice(FORMS)
        yield Asked(f"{item.id}#{form}", getattr(item, form))
    elif isinstance(item, SpanItem) and CLOSED[sheet] == "spans" and not item.impossible:
        yield Asked(item.id, item)


def _shown(asked: Asked) -> str:
    lines = [f"{asked.id}\t{asked.item.question}"]
    if isinstance(asked.item, ChoiceItem):
        lines += [f"    {letter(at)}. {option}" for at, option in enumerate(asked.item.options)]
    return "\n".join(lines)


def _write(path: Path, text: str) -> None:
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path.name}: {len(text)} characters")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one reader wrote on one version: answers by question, and what reads badly, by question or passage."""

    answers: Mapping[str, str]
    odd: Mapping[str, str]


def sheet(path: Path) -> Sheet:
    answers: dict[str, str] = {}
    odd: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if cells[0] == "odd" and len(cells) > 2:
            odd[cells[1]] = cells[2]
        elif _ID.fullmatch(cells[0]) and len(cells) > 1:
            answers[cells[0]] = cells[1].strip()
            if len(cells) > 2 and cells[2].strip():
                odd[cells[0]] = cells[2].strip()
    return Sheet(answers, odd)


def right(asked: Asked, said: str) -> bool:
    """Whether an answer is right: the letter; for a span readproof's own measure of what is right."""
    if isinstance(asked.item, ChoiceItem):
        return said.strip().upper()[:1] == asked.item.letter
    return measure_for("items").is_right(asked.item, "" if _NONE.match(said.strip()) else said)


def judge(texts: Sequence[FreshText], home: Path, readers: Sequence[str], out: Path, last: str = "") -> int:
    """Which questions and variants stay, and why the others go; both as files, with the readers' answers.

    `last` is a reader without passages whose guesses drop nothing: what it has right of what stays is the fair figure.
    """
    sheets: dict[str, dict[str, Sheet]] = {}
    for reader in readers:
        for number, name in enumerate(json.loads((home / f"{reader}.key.json").read_text(encoding="utf-8"))):
            sheets.setdefault(name, {})[reader] = sheet(home / f"{reader}.{number}.tsv")
    faults: dict[str, dict[str, list[str]]] = {}
    right_by: dict[str, list[list[bool]]] = {}
    guessed: dict[tuple[str, str], dict[str, bool]] = {}
    lines: list[str] = []
    total = 0
    for text in texts:
        shown = {name: asked for name, (_, asked) in versions(text).items()}
        made = list(items_of(text))
        for name in CLOSED:
            closed = {reader: list(_closed_of(made, name, reader)) for reader in sheets.get(name, {})}
            shown[name] = list({one.id: one for own in closed.values() for one in own}.values())
        total += len(made)
        for name, asked in shown.items():
            for one in asked:
                said = {who: own.answers[one.id] for who, own in sheets.get(name, {}).items() if one.id in own.answers}
                if not said:
                    continue
                good = {reader: right(one, value) for reader, value in said.items()}
                right_by.setdefault(name, []).append(list(good.values()))
                lines.append("\t".join([name, one.id, _gold(one), *(f"{who}: {value}" for who, value in said.items())]))
                found = faults.setdefault(one.id.split("#")[0], {})
                key = name + one.id[len(one.id.split("#")[0]) :]
                if name in CLOSED:
                    guessed.setdefault((name, one.id.split("#")[0]), {}).update(good)
                    continue
                odd = [f"{who}: {note}" for who in said if (note := sheets[name][who].odd.get(one.id))]
                wrong = [f"{who} says {value}" for who, value in said.items() if not good[who]]
                if wrong or odd:
                    found[key] = wrong + odd
    for (name, id), good in guessed.items():
        # of a triple each reader had the question of another form
        asked_of = [value for who, value in good.items() if who != last]
        if len(asked_of) > 1 and all(asked_of):
            faults[id][name] = ["answered without the passage"]
    out.mkdir(parents=True, exist_ok=True)
    kept = {id: found for id, found in sorted(faults.items()) if found}
    (out / "answers.tsv").write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    (out / "faults.json").write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for name, rows in sorted(right_by.items()):
        count, good = sum(map(len, rows)), sum(map(sum, rows))
        pairs = [row for row in rows if len(row) == 2]
        value = kappa([row[0] for row in pairs], [row[1] for row in pairs]) if name not in CLOSED else None
        agreement = f", both right or both wrong in {sum(a == b for a, b in pairs)} of {len(pairs)}" if pairs else ""
        print(f"{name}: {good} of {count} answers right ({good / count:.1%}){agreement}", end="")
        print(f", kappa {value:.2f}" if value is not None else "")
    print(f"{total - len(kept)} of {total} questions without a fault")
    for name in CLOSED if last else ():
        fair = [
            good[last] for (sheet_, id), good in guessed.items() if sheet_ == name and id not in kept and last in good
        ]
        if fair:
            print(
                f"{name}, what stays, by reader {last} alone: {sum(fair)} of {len(fair)} ({sum(fair) / len(fair):.1%})"
            )
    return 0


def _closed_of(made: Sequence[FreshItem], name: str, reader: str) -> Iterator[Asked]:
    return (one for fresh in made for one in _closed(fresh, name, reader))


def _gold(asked: Asked) -> str:
    if isinstance(asked.item, ChoiceItem):
        return asked.item.letter or "-"
    return " / ".join(gold.text for gold in asked.item.golds) or "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("draw")
    one.add_argument("folder", type=Path)
    one.add_argument("home", type=Path)
    one.add_argument("--reader", required=True)
    one.add_argument("--sheets", required=True, help="names of sheets, in their order")
    two = verbs.add_parser("judge")
    two.add_argument("folder", type=Path)
    two.add_argument("home", type=Path)
    two.add_argument("readers", nargs="+")
    two.add_argument("--out", type=Path, required=True)
    two.add_argument("--last", default="", help="a reader whose guesses without the passage drop nothing")
    given = parser.parse_args()
    texts = [read(path) for path in files_in(given.folder)]
    if given.verb == "draw":
        draw(texts, given.home, given.reader, given.sheets.split(","))
        return 0
    return judge(texts, given.home, given.readers, given.out, given.last)


if __name__ == "__main__":
    sys.exit(main())
