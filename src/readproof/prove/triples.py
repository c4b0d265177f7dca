"""The official score over whole triples, out of the outcomes of a run: in percent, with intervals."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from readproof.items import ChoiceItem, Triple, letter
from readproof.prove.model import Figure, Figures
from readproof.prove.tallying import Outcome, PartTally
from readproof.tasks.metrics.triples import Row, TriplePredictions, official

FORMS = ("positive", "negative")
# more letters than any question has options
_OPTIONS = ("",) * 26


def triple_figures(part: PartTally) -> Figures:
    """acc0, acc1, acc2 and score over the items whose three questions were all asked; empty where there are none."""
    forms: dict[int, dict[str, Outcome]] = {}
    for one in part.attacks.get("triples", ()):
        forms.setdefault(one.at, {})[one.strategy] = one
    whole = {
        at: (part.clean[at].outcome, *(found[name] for name in FORMS))
        for at, found in forms.items()
        if all(name in found for name in FORMS)
    }
    if not whole:
        return {}
    golds = [_gold(at, str(part.clean[at].group), found) for at, found in whole.items()]
    rows = tuple(_row(at, found) for at, found in whole.items())
    score = official("gcrc", golds, TriplePredictions(Path(), rows))
    return {
        name.lower(): Figure(value=100 * value, low=100 * score.intervals[name][0], high=100 * score.intervals[name][1])
        if name in score.intervals
        else Figure(value=100 * value)
        for name, value in sorted(score.exact.items(), key=lambda pair: pair[0] != "Score")
    }


def _gold(at: int, passage: str, found: Iterable[Outcome]) -> Triple:
    original, positive, negative = (
        ChoiceItem(id=f"{at}#{number}", passage=passage, question="", options=_OPTIONS, answer=one.gold)
        for number, one in enumerate(found)
    )
    return Triple(id=str(at), original=original, positive=positive, negative=negative)


def _row(at: int, found: Iterable[Outcome]) -> Row:
    first, second, third = ("" if one.choice is None else letter(one.choice) for one in found)
    return Row(str(at), (first, second, third))
