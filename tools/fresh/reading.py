"""Blind readings of a fresh suite: sheets without answers, and what the readers' answers say of every question.

    python -m tools.fresh.reading draw tools/fresh/texts/zh/suite SHEETS --reader 1 --seed 1
    python -m tools.fresh.reading judge tools/fresh/texts/zh/suite SHEETS 1 2 --out tools/fresh/readings/zh

A reader gets the sheet `closed` first: the questions alone, those of one passage far apart. Then one sheet for each
version of the passages, in an order of the reader's own: as written (asked in the words of the question, and in those
of the paraphrase), with all distractors, with all distractors of two sentences, with all answers substituted. Nothing
says which is which. Of a triple each version holds another question. Answers are lines of TSV, one file a sheet.

A question stays if both readers give its answer from the passage, in both wordings, and no reader finds fault with its
language; a variant of it stays if both give the right answer there. A question that both readers answer
without the passage goes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
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

CLOSED = "closed"
# which question of a triple each version holds
VERSIONS = {
    "plain": "original",
    "reworded": "positive",
    "distractor": "negative",
    "two-sentences": "",
    "substitute": "",
}
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
        if form:
            yield Asked(f"{item.id}#{form}", getattr(item, form))
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


def draw(texts: Sequence[FreshText], home: Path, reader: str, seed: int) -> None:
    """The sheets of one reader."""
    random = random_of(f"reading|{seed}")
    home.mkdir(parents=True, exist_ok=True)
    closed = [one for text in texts for fresh in items_of(text) for one in _closed(fresh, seed)]
    random.shuffle(closed)
    names = list(VERSIONS)
    random.shuffle(names)
    (home / f"{reader}.key.json").write_text(json.dumps([CLOSED, *names]) + "\n", encoding="utf-8")
    _write(home / f"{reader}.0.txt", "\n".join(_shown(one) for one in closed))
    for number, name in enumerate(names, start=1):
        blocks = []
        for text in random.sample(texts, len(texts)):
            passage, asked = versions(text).get(name, ("", []))
            if asked:
                blocks.append(f"=== {text.title}\n{passage}\n\n" + "\n".join(_shown(one) for one in asked))
        _write(home / f"{reader}.{number}.txt", "\n\n".join(blocks))


def _closed(fresh: FreshItem, seed: int) -> Iterator[Asked]:
    """A span question, or of a triple two questions: which two differs from reader to reader."""
    item = fresh.item
    if isinstance(item, Triple):
        yield Asked(f"{item.id}#original", item.original)
        form = ("positive", "negative")[seed % 2]
        yield Asked(f"{item.id}#{form}", getattr(item, form))
    elif isinstance(item, SpanItem) and not item.impossible:
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


def judge(texts: Sequence[FreshText], home: Path, readers: Sequence[str], out: Path) -> int:
    """Which questions and variants stay, and why the others go; both as files, with the readers' answers."""
    sheets = {(reader, name): one for reader in readers for name, one in _answered(home, reader)}
    stays: dict[str, dict[str, list[str]]] = {}
    tally: Counter[str] = Counter()
    agree: dict[str, list[tuple[str, str]]] = {}
    lines: list[str] = []
    for text in texts:
        shown = versions(text)
        for fresh in items_of(text):
            id, faults = fresh.item.id, {}
            for name, (_, asked) in shown.items():
                for one in asked:
                    if one.id.split("#")[0] != id:
                        continue
                    said = {reader: sheets[reader, name].answers.get(one.id, "?") for reader in readers}
                    good = {reader: right(one, value) for reader, value in said.items()}
                    tally[f"{name} questions"] += len(readers)
                    tally[f"{name} right"] += sum(good.values())
                    agree.setdefault(name, []).append(tuple(map(str, good.values())))  # type: ignore[arg-type]
                    odd = [f"{reader}: {note}" for reader in readers if (note := sheets[reader, name].odd.get(one.id))]
                    wrong = [f"{reader} says {said[reader]}" for reader in readers if not good[reader]]
                    if wrong or odd:
                        faults[f"{name}{one.id[len(id) :]}"] = wrong + odd
                    gold = (
                        one.item.letter
                        if isinstance(one.item, ChoiceItem)
                        else " / ".join(gold.text for gold in one.item.golds)
                    )
                    lines.append("\t".join([name, one.id, gold or "-", *said.values()]))
            guessed = _guessed(fresh, {reader: sheets[reader, CLOSED] for reader in readers}, tally)
            if guessed:
                faults[CLOSED] = [guessed]
            stays[id] = faults
    out.mkdir(parents=True, exist_ok=True)
    (out / "answers.tsv").write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    (out / "faults.json").write_text(
        json.dumps({id: faults for id, faults in stays.items() if faults}, ensure_ascii=False, indent=1) + "\n",
        encoding="utf-8",
    )
    for name in [CLOSED, *VERSIONS]:
        count = tally[f"{name} questions"]
        if count:
            pairs = agree.get(name, [])
            both = f", kappa {kappa(pairs):.2f}" if pairs and len(readers) == 2 else ""
            good = tally[f"{name} right"]
            print(f"{name}: {good} of {count} answers right ({good / count:.1%}){both}")
    for kind in ("spans", "options"):
        count = tally[f"{CLOSED} {kind}"]
        if count:
            print(f"  {CLOSED}, {kind}: {tally[f'{CLOSED} {kind} right'] / count:.1%} of {count}")
    print(f"{sum(not faults for faults in stays.values())} of {len(stays)} questions without a fault")
    return 0


def _guessed(fresh: FreshItem, sheets: Mapping[str, Sheet], tally: Counter[str]) -> str:
    """Whether every reader had the answer of the original question without the passage; counts as it goes."""
    found = []
    forms = (
        [Asked(f"{fresh.item.id}#{form}", getattr(fresh.item, form)) for form in ("original", "positive", "negative")]
        if isinstance(fresh.item, Triple)
        else [Asked(fresh.item.id, fresh.item)]
    )  # type: ignore[arg-type]
    for one in forms:
        if isinstance(one.item, SpanItem) and one.item.impossible:
            continue
        kind = "options" if isinstance(one.item, ChoiceItem) else "spans"
        for reader, own in sheets.items():
            said = own.answers.get(one.id)
            if said is None:
                continue
            good = right(one, said) and not (kind == "spans" and _NONE.match(said))
            tally[f"{CLOSED} questions"] += 1
            tally[f"{CLOSED} right"] += good
            tally[f"{CLOSED} {kind}"] += 1
            tally[f"{CLOSED} {kind} right"] += good
            if one.id.endswith("#original") or kind == "spans":
                found.append((reader, good))
    return "answered without the passage" if found and all(good for _, good in found) else ""


def _answered(home: Path, reader: str) -> Iterator[tuple[str, Sheet]]:
    """What a reader wrote, by what each sheet was: a reader does not know, the key does."""
    for number, name in enumerate(json.loads((home / f"{reader}.key.json").read_text(encoding="utf-8"))):
        yield name, sheet(home / f"{reader}.{number}.tsv")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("draw")
    one.add_argument("folder", type=Path)
    one.add_argument("sheets", type=Path)
    one.add_argument("--reader", required=True)
    one.add_argument("--seed", type=int, required=True)
    two = verbs.add_parser("judge")
    two.add_argument("folder", type=Path)
    two.add_argument("sheets", type=Path)
    two.add_argument("readers", nargs="+")
    two.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    texts = [read(path) for path in files_in(given.folder)]
    if given.verb == "draw":
        draw(texts, given.sheets, given.reader, given.seed)
        return 0
    return judge(texts, given.sheets, given.readers, given.out)


if __name__ == "__main__":
    sys.exit(main())
