"""The failures of a run: which cases are failures, of which kind, and what a person must see to understand one."""

from __future__ import annotations

import hashlib
import heapq
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal, get_args

from readproof.items import ChoiceItem, Edit
from readproof.proof.measure import RIGHT
from readproof.proof.records import Case, Prediction, part_of, type_of
from readproof.proof.results import CLEAN, PROBE, Check, Fault
from readproof.proof.scoring import followed
from readproof.text import encodable

# Places in texts as a browser counts them: in UTF-16 units, while Python counts characters.

# start, end and new text of one change, in units of the text before
Change = tuple[int, int, str]
_LAST = "\uffff"
_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Units:
    """Where each character of a text begins, in UTF-16 units."""

    def __init__(self, text: str) -> None:
        # most texts have no character beyond the first plane: their units are their characters
        wide = _WIDE.search(text) is not None
        self._places = [0, *accumulate(1 + (one > _LAST) for one in text)] if wide else None
        self._length = len(text)

    def at(self, place: int) -> int:
        """A place in units; one outside the text is moved to its nearest end."""
        inside = max(0, min(place, self._length))
        return self._places[inside] if self._places else inside

    def span(self, start: int, end: int) -> list[int]:
        return [self.at(start), self.at(end)]


def changes(before: str, after: str, edits: Sequence[Edit]) -> list[Change]:
    """What turns one text into the other: the edits as they are told, or, where they do not do it, one change."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if not _fit(before, ordered) or _changed(before, ordered) != after:
        ordered = _one_change(before, after)
    units = Units(before)
    return [
        (*units.span(edit.start, edit.end), encodable(edit.new))  # type: ignore[misc]
        for edit in ordered
        if edit.old != edit.new
    ]


def _fit(text: str, edits: Sequence[Edit]) -> bool:
    """Whether every edit takes out what stands there, one behind the other."""
    end = 0
    for edit in edits:
        if edit.start < end or not text.startswith(edit.old, edit.start):
            return False
        end = edit.end
    return end <= len(text)


def _changed(text: str, edits: Sequence[Edit]) -> str:
    pieces, at = [], 0
    for edit in edits:
        pieces += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*pieces, text[at:]])


def _one_change(before: str, after: str) -> list[Edit]:
    """The two texts without their common beginning and end."""
    if before == after:
        return []
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    tail = next((at for at in range(shorter - start) if before[-1 - at] != after[-1 - at]), shorter - start)
    return [Edit(start, before[start : len(before) - tail], after[start : len(after) - tail])]


Kind = Literal["broken", "worse", "shaken", "wrong", "guessed", "remembered", "unmoved", "missed", "fault"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 10_000

_MAIN = {"spans": "f1", "options": "accuracy"}
_METRICS = ("f1", "em", "accuracy")
_SHAKEN = 0.1
# probes to which a right answer was not read
_TAKEN_AWAY = (
    "no-passage",
    "question-only",
    "another-passage",
    "half-passage",
    "neutral-question",
    "options-only",
    "evidence-removed",
)


def kind_of(case: Case) -> Kind | None:
    """What kind of failure a case is; None where it is none.

    An answer that was wrong before an attack and stays wrong is told once, as the clean question that it is.
    """
    question = case.question
    main = _MAIN[part_of(question.item)]
    now, before = case.prediction.measured[main], case.before.measured[main]
    if case.prediction.fault:
        return "fault"
    if question.attack == CLEAN:
        return "wrong" if now == 0 else None
    if question.probe:
        return _probed(case, now, before)
    if before > 0 and now == 0:
        return "broken"
    if now < before:
        return "worse"
    belief, believed = case.prediction.belief, case.before.belief
    if belief is None or believed is None or now == 0:
        return None
    return "shaken" if belief < believed - _SHAKEN else None


def _probed(case: Case, now: float, before: float) -> Kind | None:
    """What an answer to a probe shows: right without what it takes to know, the old answer kept, a fresh one missed."""
    probe, measured = case.question.probe, case.prediction.measured
    if probe in _TAKEN_AWAY:
        return "guessed" if now == 1 else None
    if probe == "substituted" and case.before.measured["right"]:
        return "remembered" if followed(measured) == "sticks" else None if measured["right"] else "missed"
    if probe == "fresh-question":
        return None if measured["right"] else "missed"
    if probe == "rotated":
        return "missed" if case.before.measured["right"] and not measured["right"] else None
    if probe == "fresh-options":
        return None if now else "missed"
    if probe == "another-question":
        return "unmoved" if measured["same"] >= RIGHT and not case.before.is_empty else None
    if probe == "stem-turned":
        return "unmoved" if before and not measured["changed"] else None
    return "unmoved" if probe == "options-reordered" and not measured["moved"] else None


# how much a failure of a kind says by itself, the most telling first
_TELLING: tuple[Kind, ...] = (
    "fault",
    "remembered",
    "broken",
    "unmoved",
    "missed",
    "wrong",
    "guessed",
    "worse",
    "shaken",
)


def faults_of_data(kind: Kind) -> bool:
    """Whether a kind of failure says more of the questions than of the reader: they can be guessed."""
    return kind == "guessed"


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


def telling(found: Failures, checks: Iterable[Check], most: int = 3) -> list[int]:
    """The numbers of the cases that say most, each of another kind or attack as far as there are any.

    First those of a check that failed, then by their kind; among equals the one that the reader was surest of, on the
    shortest passage.
    """
    failed = {check.name for check in checks if check.outcome == "failed"}

    def order(at: int) -> tuple[bool, int, float, int, int]:
        case = found.cases[at]
        name = str(case["attack"]).removeprefix(PROBE)
        sure = float(case["after"].get("confidence") or 0.0)
        length = len(found.texts[case["passage"]])
        return name not in failed, _TELLING.index(case["kind"]), -round(sure, 1), length, at

    taken: list[int] = []
    left = sorted(range(len(found.cases)), key=order)
    for apart in ("kind", "attack", ""):
        for at in left:
            case = found.cases[at]
            shown = [found.cases[one] for one in taken]
            again = any(one["id"] == case["id"] or (apart and one[apart] == case[apart]) for one in shown)
            if len(taken) < most and at not in taken and not again:
                taken.append(at)
    return sorted(taken, key=left.index)


def _chance(case: Case) -> int:
    name = f"{case.question.attack}|{case.question.item.id}"
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def _record(case: Case, kind: Kind, page: Failures) -> dict[str, Any]:
    """One failure as JSON values; what has nothing to tell is left out. Texts are told as changes to the clean ones."""
    question, item, clean = case.question, case.question.item, case.clean.item
    compared = question.attacked or question.probe == "substituted"
    if not compared:
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
        "after": _answered(case.prediction, item.passage),
    }
    units = Units(item.passage)
    record |= _kept(
        strategy=question.strategy,
        flipped=question.truth == "flipped",
        passageEdits=changes(clean.passage, item.passage, edits["passage"] or edits[""]),
        questionEdits=changes(clean.question, item.question, edits["question"]),
        before=_answered(case.before, clean.passage) if compared else None,
        sanitised=_answered(case.sanitised, None),
        hardened=_answered(case.hardened, None),
        fault=_fault(case.prediction.fault),
    )
    if isinstance(item, ChoiceItem):
        old = clean.options if isinstance(clean, ChoiceItem) else item.options
        record["options"] = _options(item, old, question.edits, page)
        record["right"] = item.answer
        record |= _kept(rightBefore=clean.answer if isinstance(clean, ChoiceItem) and question.attacked else None)
    else:
        golds = dict.fromkeys(encodable(gold.text) for gold in item.golds)
        places = [units.span(gold.start, gold.end or 0) for gold in item.golds if gold.start is not None]
        record["golds"] = [] if item.impossible else list(golds)
        record |= _kept(goldPlaces=[list(one) for one in sorted({tuple(place) for place in places})])
    return record


def _scores(prediction: Prediction) -> dict[str, float]:
    """What an answer scores, without what a probe measures beside."""
    return {name: value for name, value in prediction.measured.items() if name in _METRICS}


def _fault(fault: Fault | None) -> str:
    """An error of the reader in a line."""
    if fault is None:
        return ""
    where = f" ({fault.where})" if fault.where else ""
    return encodable(f"{fault.error}: {fault.message}{where}" if fault.message else f"{fault.error}{where}")


def _options(item: ChoiceItem, old: tuple[str, ...], edits: Iterable[Any], page: Failures) -> list[dict[str, Any]]:
    made = []
    told = tuple(edits)
    for number, text in enumerate(item.options):
        before = old[number] if number < len(old) else text
        own = [one for one in told if one.where == f"option {number}"]
        made.append({"text": page.number(before)} | _kept(edits=changes(before, text, own)))
    return made


def _answered(prediction: Prediction | None, passage: str | None) -> dict[str, Any] | None:
    """An answer; `passage` is the text that its places are in, None where they are of no use."""
    if prediction is None:
        return None
    answer = prediction.answer
    record: dict[str, Any] = {"text": encodable(answer.text), "score": _scores(prediction)}
    record |= _kept(choice=answer.choice, confidence=answer.confidence, belief=prediction.belief)
    if passage is not None and answer.start is not None and answer.end is not None:
        record["place"] = Units(passage).span(answer.start, answer.end)
    if passage is not None and prediction.options:
        units = Units(passage)
        record["options"] = [
            {
                "score": one.score,
                "evidence": [[*units.span(part.start, part.end), part.weight] for part in one.evidence],
            }
            for one in prediction.options
        ]
    return record


def _kept(**values: Any) -> dict[str, Any]:
    """Only what tells something; a zero does."""
    return {name: one for name, one in values.items() if one is not None and one is not False and one not in ("", [])}
