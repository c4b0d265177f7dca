"""What the seeds of `option_seeds.py` score, from the logits that came back.

    python tools/option_seeds.py figures BUNDLE LOGITS --measure FILE

Every figure is a mean over seeds (beside each seed's own, and that of the seeds' joined scores); every interval is a
bootstrap over passages. Held-out questions come first: they choose. What is measured chooses nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readproof.items import Triple
from readproof.stats import PairedDifference, Sample, intervals, paired
from readproof.tasks import load

Arrays = Mapping[str, NDArray[Any]]
Scores = dict[int, NDArray[np.float64]]

HELD = ("held_gaokao", "held_haihua", "held_turned")
_TRIPLES = ("dev_a", "dev_a_without", "dev_a_elsewhere")
_WAYS = {"dev_a": "with", "dev_a_without": "without", "dev_a_elsewhere": "another passage"}


def joined_scores(rows: NDArray[Any], values: NDArray[np.float32], fine_share: float = 0.5) -> Scores:
    """For each group what is said of its statements, fine and coarse joined as when a reader answers."""
    fine: dict[int, list[float]] = {}
    coarse: dict[int, list[float]] = {}
    for group, form, _, first, count, _ in rows.tolist():
        if first + count > len(values):
            break
        truth, rated = values[first : first + count].T.astype(np.float64)
        weights = np.exp(rated - rated.max())
        (coarse if form else fine).setdefault(group, []).append(float((weights * truth).sum() / weights.sum()))
    out = {}
    for group, each in fine.items():
        other = coarse.get(group, each)
        if len(other) == len(each):
            out[group] = fine_share * np.asarray(each) + (1 - fine_share) * np.asarray(other)
    return out


def picked(arrays: Arrays, name: str, scores: Scores) -> dict[int, bool]:
    """For each question with one odd option whether it is found; a stem that asks for what is false takes the least."""
    rows, groups = arrays[f"{name}/rows"], json.loads(arrays[f"{name}/groups"].tobytes().decode())
    labels: dict[int, list[int]] = {}
    for group, form, label, *_ in rows.tolist():
        if form == 0:
            labels.setdefault(group, []).append(label)
    out = {}
    for group, said in scores.items():
        if groups[group]["kind"] == "one":
            odd = int(sum(labels[group]) == 1)
            pick = int(np.argmax(said) if odd else np.argmin(said))
            out[group] = labels[group][pick] == odd
    return out


def right(arrays: Arrays, name: str, values: NDArray[np.float32]) -> tuple[int, int]:
    """Questions whose odd option is found, and how many there are."""
    found = picked(arrays, name, joined_scores(arrays[f"{name}/rows"], values))
    return sum(found.values()), len(found)


# Several readers' answers as samples: what is counted is the mean over the readers.


def triple_columns(found: Mapping[int, bool]) -> NDArray[np.float64]:
    """Original right; that and one other form; all three; one a triple. The groups stand in the order of the forms."""
    forms = np.asarray([found[number] for number in range(len(found))], bool).reshape(-1, 3)
    first = forms[:, 0]
    every = np.stack((first, first & forms[:, 1:].any(1), forms.all(1), np.ones(len(forms))))
    return every.astype(np.float64)


def official(columns: Any) -> Mapping[str, Any]:
    """The four figures of GCRC_advRobust, in percent, of sums of the columns (in the last axis)."""
    each = [100 * columns[..., at] / columns[..., 3] for at in range(3)]
    return {"Score": 0.2 * each[0] + 0.3 * each[1] + 0.5 * each[2], **{f"Acc_{at}": each[at] for at in range(3)}}


def choice_columns(found: Mapping[int, bool]) -> NDArray[np.float64]:
    hits = np.asarray([found[number] for number in sorted(found)], np.float64)
    return np.stack((hits, np.ones(len(hits))))


def accuracy(columns: Any) -> Mapping[str, Any]:
    return {"accuracy": 100 * columns[..., 0] / columns[..., 1]}


def readers_of(arrays: Arrays, logits: Arrays, name: str, point: str = "mean") -> dict[str, dict[int, bool]]:
    """What each seed, and the seeds' joined scores, found of one set."""
    seeds = sorted({key.partition("/")[0] for key in logits if key.endswith(f"/{point}-{name}")})
    scores = {f"seed {seed}": joined_scores(arrays[f"{name}/rows"], logits[f"{seed}/{point}-{name}"]) for seed in seeds}
    if len(seeds) > 1:
        every = list(scores.values())
        scores["ensemble"] = {key: np.mean([one[key] for one in every], axis=0) for key in every[0]}
    return {who: picked(arrays, name, said) for who, said in scores.items()}


def with_mean(columns: Mapping[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """The columns of each reader, and their mean over the seeds."""
    seeds = [one for who, one in columns.items() if who.startswith("seed")]
    return {**columns, f"mean of {len(seeds)}": np.mean(seeds, axis=0)} if len(seeds) > 1 else dict(columns)


def numbered(names: Sequence[str]) -> list[int]:
    known: dict[str, int] = {}
    return [known.setdefault(name, len(known)) for name in names]


def between(gap: PairedDifference) -> str:
    return f"{gap.difference:+.1f} ({gap.low:+.1f} to {gap.high:+.1f}), p = {gap.p:.3f}"


def figures(bundle: Path, logits: Path, measure: Path, say: Callable[[str], None]) -> None:
    arrays, found = np.load(bundle), np.load(logits)
    points = sorted({key.split("/")[1].partition("-")[0] for key in found.files})
    say("held out (questions right)")
    for point in points:
        each = {name: readers_of(arrays, found, name, point) for name in HELD if f"{name}/rows" in arrays}
        for who in next(iter(each.values())):
            counts = [f"{name[5:]} {sum(one[who].values())}/{len(one[who])}" for name, one in each.items()]
            total = sum(sum(one[who].values()) for one in each.values())
            whole = sum(len(one[who]) for one in each.values())
            say(f"  {point:<7} {who:<9} {', '.join(counts)}; together {total}/{whole} = {100 * total / whole:.1f} %")
    items = [item for item in load(measure) if isinstance(item, Triple)]
    passages = numbered([item.original.passage for item in items])
    for point in points:
        ways = [name for name in _TRIPLES if any(key.endswith(f"/{point}-{name}") for key in found.files)]
        if ways:
            say(f"{measure.name}, {point}: {len(items)} triples, {len(set(passages))} passages; percent")
            columns = {}
            for name in ways:
                readers = readers_of(arrays, found, name, point)
                columns[name] = with_mean({who: triple_columns(one) for who, one in readers.items()})
            tell(columns, passages, official, _WAYS, say)
    name = "c3_test"
    groups = json.loads(arrays[f"{name}/groups"].tobytes().decode())
    texts = numbered([one["id"].rpartition("-")[0] for one in groups if one["kind"] == "one"])
    say(f"C3 test: {len(texts)} questions, {len(set(texts))} texts; percent")
    columns = {}
    for name in ("c3_test", "c3_test_without"):
        readers = readers_of(arrays, found, name)
        columns[name] = with_mean({who: choice_columns(one) for who, one in readers.items()})
    tell(columns, texts, accuracy, {"c3_test": "with", "c3_test_without": "without"}, say)


def tell(
    columns: Mapping[str, Mapping[str, NDArray[np.float64]]],
    groups: Sequence[int],
    statistic: Callable[[Any], Mapping[str, Any]],
    ways: Mapping[str, str],
    say: Callable[[str], None],
) -> None:
    """For each reader its scores in each way of being asked, and how far the first way is above the others."""
    first = next(iter(columns))
    for who in columns[first]:
        samples = {name: Sample(list(one[who]), groups, statistic) for name, one in columns.items()}
        for name, sample in samples.items():
            exact = statistic(np.asarray(sample.columns).sum(axis=1))
            low, high = next(iter(intervals(sample).values()))
            numbers = "  ".join(f"{key} {float(value):.2f}" for key, value in exact.items())
            say(f"  {who:<9} {ways[name]:<16} {numbers}  (first: {low:.1f} to {high:.1f})")
        for name in list(samples)[1:]:
            key, gap = next(iter(paired(samples[first], samples[name]).items()))
            say(f"  {who:<9} {key} with − {ways[name]}: {between(gap)}")
