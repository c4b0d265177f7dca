"""Runs held side by side: each later one against the first, clean and under every attack, over the same questions.

Intervals and p come from resampling whole passages, McNemar's test from the questions that only one of two readers has
right; as many rows are looked at together, all p are also given after Holm's correction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, erfc, sqrt
from pathlib import Path

from readproof.errors import InputError
from readproof.proof.measure import Measured, Value, difference, figures, mean_of
from readproof.proof.results import CLEAN, PartName, RunFacts, Scores
from readproof.proof.run import RunResults, open_results
from readproof.proof.scoring import PartOutcomes, by_item, outcomes

# the metric of a row, and the one that says whether an answer is right
_METRICS: dict[PartName, tuple[str, str]] = {"spans": ("f1", "em"), "options": ("accuracy", "accuracy")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A later run minus the first, on the `items` that both have, in percent.

    `same` says whether both read the very same texts: live searches find other variants for each reader. `lost` counts
    the items that only the first run has right, `won` those that only the later one has right.
    """

    part: PartName
    attack: str
    metric: str
    first: str
    later: str
    items: int
    same: bool
    first_score: float
    later_score: float
    difference: float
    low: float
    high: float
    p: float
    lost: int
    won: int
    mcnemar: float
    better: tuple[str, ...]
    worse: tuple[str, ...]
    passages: int = 0
    p_holm: float = 1.0
    mcnemar_holm: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Variants that were made against one reader, read by another: the score that is left."""

    attack: str
    part: PartName
    metric: str
    made_against: str
    read_by: str
    clean: float
    attacked: float
    kept: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What `compare` found; `transfer` is empty unless a reader read variants that were made against another."""

    runs: tuple[str, ...]
    differences: tuple[Difference, ...]
    transfer: tuple[Transfer, ...]


@dataclass(frozen=True, slots=True)
class _Seen:
    """One item of a run under one attack: its mean, whether all its variants are right, and what was read."""

    value: Value
    right: bool
    texts: tuple[bytes, ...]


_Table = Mapping[tuple[PartName, str], Mapping[str, _Seen]]


def compare(folders: Sequence[str | Path]) -> Comparison:
    """Each later run against the first; the runs must have questions in common."""
    if len(folders) < 2:
        raise InputError(found=f"{len(folders)} run", expected="two runs or more to compare")
    runs = [open_results(folder) for folder in folders]
    names = _names(runs)
    tables = [_seen(run) for run in runs]
    rows: list[Difference] = []
    for name, table in zip(names[1:], tables[1:], strict=True):
        found = _differences(names[0], tables[0], name, table)
        if not found:
            expected = "runs with questions in common"
            raise InputError(file=names[0], found=f"no question that is also in {name}", expected=expected)
        rows += found
    corrected = holm([row.p for row in rows]), holm([row.mcnemar for row in rows])
    pairs = zip(rows, *corrected, strict=True)
    return Comparison(
        runs=tuple(names),
        differences=tuple(replace(row, p_holm=p, mcnemar_holm=exact) for row, p, exact in pairs),
        transfer=_transfer([run.scores for run in runs]),
    )


def _names(runs: Sequence[RunResults]) -> list[str]:
    """The readers' names where they tell the runs apart, else the folders'."""
    readers = [run.scores.run.reader.name for run in runs]
    if len(set(readers)) == len(readers):
        return readers
    folders = [run.folder.resolve().name for run in runs]
    return folders if len(set(folders)) == len(folders) else [str(run.folder) for run in runs]


def _seen(run: RunResults) -> _Table:
    tables: dict[tuple[PartName, str], dict[str, _Seen]] = {}
    for name, part in outcomes(run.folder).parts.items():
        right = _METRICS[name][1]
        items = _identities(part)
        clean = {at: [one.outcome] for at, one in part.clean.items()}
        for attack, items_of in {CLEAN: clean, **{key: by_item(found) for key, found in part.attacks.items()}}.items():
            tables[name, attack] = {
                items[at]: _Seen(
                    Value(part.clean[at].group, mean_of([one.measured for one in found])),
                    all(one.measured[right] == 1.0 for one in found),
                    tuple(one.texts for one in found),
                )
                for at, found in items_of.items()
            }
    return tables


def _identities(part: PartOutcomes) -> dict[int, str]:
    """A name for each item that two runs share: its id, and where ids repeat which of them it is."""
    times: dict[str, int] = {}
    names = {}
    for at, one in part.clean.items():
        identity = one.outcome.identity
        times[identity] = times.get(identity, 0) + 1
        names[at] = identity if times[identity] == 1 else f"{identity} ({times[identity]})"
    return names


def _differences(first: str, one: _Table, later: str, other: _Table) -> list[Difference]:
    rows = []
    for (part, attack), seen in one.items():
        theirs = other.get((part, attack), {})
        clean = (one[part, CLEAN], other.get((part, CLEAN), {}))
        # the same id on other texts is another question
        common = [name for name in seen if name in theirs and clean[0][name].texts == clean[1][name].texts]
        if common:
            pairs = [(name, seen[name], theirs[name]) for name in common]
            rows.append(_difference(part, attack, first, later, pairs))
    return rows


def _difference(
    part: PartName, attack: str, first: str, later: str, pairs: Sequence[tuple[str, _Seen, _Seen]]
) -> Difference:
    metric = _METRICS[part][0]
    # passages are numbered by the first run, so that both are resampled alike
    before = [one.value for _, one, _ in pairs]
    after = [Value(one.value.group, other.value.measured) for _, one, other in pairs]
    gap = difference(after, before, metric)
    lost = sum(one.right and not other.right for _, one, other in pairs)
    won = sum(other.right and not one.right for _, one, other in pairs)

    def worth(measured: Measured) -> float:
        return measured[metric]

    return Difference(
        part=part,
        attack=attack,
        metric=metric,
        first=first,
        later=later,
        items=len(pairs),
        same=all(one.texts == other.texts for _, one, other in pairs),
        first_score=figures(before, with_intervals=False)[metric].value,
        later_score=figures(after, with_intervals=False)[metric].value,
        difference=gap.difference,
        low=gap.low,
        high=gap.high,
        p=gap.p,
        lost=lost,
        won=won,
        mcnemar=mcnemar(lost, won),
        passages=len({one.group for one in before}),
        better=tuple(name for name, one, other in pairs if worth(other.value.measured) > worth(one.value.measured)),
        worse=tuple(name for name, one, other in pairs if worth(other.value.measured) < worth(one.value.measured)),
    )


def _transfer(scores: Sequence[Scores]) -> tuple[Transfer, ...]:
    """Every cell that there is, where the searched variants of the runs were made against different readers."""
    against = [_made_against(one.run) for one in scores]
    same_data = len({one.run.data.digest for one in scores}) == 1
    if not same_data or len(set(filter(None, against))) < 2:
        return ()
    cells = []
    for made, one in zip(against, scores, strict=True):
        for attack in one.attacks:
            metric = _METRICS[attack.part][0]
            if made and attack.made.searched and attack.variants:
                cells.append(
                    Transfer(
                        attack=attack.attack,
                        part=attack.part,
                        metric=metric,
                        made_against=made,
                        read_by=one.run.reader.name,
                        clean=attack.clean[metric].value,
                        attacked=attack.attacked[metric].value,
                        kept=attack.kept,
                    )
                )
    crossed = any(cell.made_against != cell.read_by for cell in cells)
    return tuple(cells) if crossed else ()


def _made_against(run: RunFacts) -> str:
    """Whom the searches of a run asked; a run without a suite searches against its own reader."""
    if run.suite is not None:
        return run.suite.made_against
    return run.reader.name if any(one.searched for one in run.attacks) else ""


# tests

_EXACT = 1000


def mcnemar(lost: int, won: int) -> float:
    """The chance of so uneven a split of the questions that only one of two readers has right, if both are alike.

    Exact (binomial) up to a thousand such questions, then by the normal curve with its correction of a half.

    >>> mcnemar(1, 9)
    0.021484375
    """
    number, fewer = lost + won, min(lost, won)
    if not number:
        return 1.0
    if number > _EXACT:
        return erfc(max(0.0, abs(lost - won) - 1) / sqrt(2 * number))
    tail: int = sum(comb(number, count) for count in range(fewer + 1))
    return min(1.0, float(Fraction(2 * tail, 2**number)))


def holm(chances: Sequence[float]) -> list[float]:
    """p values that hold for all comparisons together (Holm 1979), in the order given.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    corrected = [0.0] * len(chances)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[at]))
        corrected[at] = highest
    return corrected
