"""The failures of a run: which cases are failures, of which kind, and what a person must see to understand one."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from readproof.items import ChoiceItem
from readproof.prove.answers import Said
from readproof.prove.cases import Case
from readproof.prove.kinds import type_of
from readproof.prove.model import CLEAN, PROBE
from readproof.prove.questions import part_of
from readproof.report.placing import Units, changes
from readproof.text import encodable

Kind = Literal["broken", "worse", "shaken", "wrong", "guessed", "fault"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 10_000

_MAIN = {"spans": "f1", "options": "accuracy"}
_SHAKEN = 0.1


def kind_of(case: Case) -> Kind | None:
    """What kind of failure a case is; None where it is none.

    An answer that was wrong before an attack and stays wrong is told once, as the clean question that it is.
    """
    question = case.question
    main = _MAIN[part_of(question.item)]
    now, before = case.said.measured[main], case.before.measured[main]
    if case.said.fault:
        return "fault"
    if question.attack == CLEAN:
        return "wrong" if now == 0 else None
    if question.attack.startswith(PROBE):
        return "guessed" if now == 1 else None
    if before > 0 and now == 0:
        return "broken"
    if now < before:
        return "worse"
    belief, believed = case.said.belief, case.before.belief
    if belief is None or believed is None or now == 0:
        return None
    return "shaken" if belief < believed - _SHAKEN else None


@dataclass(slots=True)
class Failures:
    """What the page's browser of failures shows.

    `texts` are the clean passages, questions and options, each once; `cases` name them by number. `found` counts all
    failures of the run, also those that were left out.
    """

    found: int = 0
    counts: Counter[Kind] = field(default_factory=Counter)
    texts: list[str] = field(default_factory=list)
    cases: list[dict[str, Any]] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """The number of a text."""
        text = encodable(text)
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]

    def plain(self) -> dict[str, Any]:
        return {"texts": self.texts, "cases": self.cases}


def failures(cases: Iterable[Case], most: int = MOST) -> Failures:
    """The failures among the cases; where there are more than `most`, an even sample by the hash of their names."""
    gathered = Failures()
    kept: list[tuple[int, int, Kind, Case]] = []
    for order, case in enumerate(cases):
        kind = kind_of(case)
        if kind is None:
            continue
        gathered.found += 1
        gathered.counts[kind] += 1
        entry = (-_chance(case), order, kind, case)
        if len(kept) < most:
            heapq.heappush(kept, entry)
        elif most:
            heapq.heappushpop(kept, entry)
    for _, _, kind, case in sorted(kept, key=lambda one: (KINDS.index(one[2]), one[1])):
        gathered.cases.append(_record(case, kind, gathered))
    return gathered


def _chance(case: Case) -> int:
    name = f"{case.question.attack}|{case.question.item.id}"
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def _record(case: Case, kind: Kind, page: Failures) -> dict[str, Any]:
    """One failure as JSON values; what has nothing to tell is left out. Texts are told as changes to the clean ones."""
    question, item, clean = case.question, case.question.item, case.clean.item
    if not question.attacked:
        clean = item
    edits = {place: [one for one in question.edits if one.where == place] for place in ("passage", "question", "")}
    record: dict[str, Any] = {
        "id": encodable(item.id),
        "attack": question.attack,
        "kind": kind,
        "type": type_of(case.clean.item),
        "lang": item.language,
        "passage": page.number(clean.passage),
        "question": page.number(clean.question),
        "after": _said(case.said, item.passage),
    }
    units = Units(item.passage)
    record |= _told(
        strategy=question.strategy,
        flipped=question.truth == "flipped",
        passageEdits=changes(clean.passage, item.passage, edits["passage"] or edits[""]),
        questionEdits=changes(clean.question, item.question, edits["question"]),
        before=_said(case.before, clean.passage) if question.attacked else None,
        sanitised=_said(case.sanitised, None),
        hardened=_said(case.hardened, None),
        fault=encodable(case.said.fault),
    )
    if isinstance(item, ChoiceItem):
        old = clean.options if isinstance(clean, ChoiceItem) else item.options
        record["options"] = _options(item, old, question.edits, page)
        record["right"] = item.answer
        record |= _told(rightBefore=clean.answer if isinstance(clean, ChoiceItem) and question.attacked else None)
    else:
        golds = dict.fromkeys(encodable(gold.text) for gold in item.golds)
        places = [units.span(gold.start, gold.end or 0) for gold in item.golds if gold.start is not None]
        record["golds"] = [] if item.impossible else list(golds)
        record |= _told(goldPlaces=[list(one) for one in sorted({tuple(place) for place in places})])
    return record


def _options(item: ChoiceItem, old: tuple[str, ...], edits: Iterable[Any], page: Failures) -> list[dict[str, Any]]:
    made = []
    told = tuple(edits)
    for number, text in enumerate(item.options):
        before = old[number] if number < len(old) else text
        own = [one for one in told if one.where == f"option {number}"]
        made.append({"text": page.number(before)} | _told(edits=changes(before, text, own)))
    return made


def _said(said: Said | None, passage: str | None) -> dict[str, Any] | None:
    """An answer; `passage` is the text that its places are in, None where they are of no use."""
    if said is None:
        return None
    answer = said.answer
    record: dict[str, Any] = {"text": encodable(answer.text), "score": said.measured}
    record |= _told(choice=answer.choice, confidence=answer.confidence, belief=said.belief)
    if passage is not None and answer.start is not None and answer.end is not None:
        record["place"] = Units(passage).span(answer.start, answer.end)
    if passage is not None and said.options:
        units = Units(passage)
        record["options"] = [
            {
                "score": one.score,
                "evidence": [[*units.span(part.start, part.end), part.weight] for part in one.evidence],
            }
            for one in said.options
        ]
    return record


def _told(**values: Any) -> dict[str, Any]:
    """Only what tells something; a zero does."""
    return {name: one for name, one in values.items() if one is not None and one is not False and one not in ("", [])}
