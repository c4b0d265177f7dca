"""What the modules of a file leave open: a layer or an embedding that is not paid for, a shape with a batch in it.

Costs are their author's statement, so these are notes. They hold for early exit, where a line may stop after any layer:
only what no way of stopping explains is told.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from readproof.efficiency.flops import Costs
from readproof.efficiency.modules import ModuleUse, Trace
from readproof.efficiency.predictions import Predictions

# part_3 is layer 3 for some tokens alone, as our own readers have it; heads (exit_3) may well leave numbers out
_LAYER = re.compile(r"(layer|block|part)[_.-]?([0-9]{1,4})", re.IGNORECASE)
# the texts of one item, where a task has several
_TEXTS = {"ccpm": 4}
_MOST = 20


def passed_notes(label: str, task: str, predictions: Predictions, costs: Costs) -> list[str]:
    """The notes on one file; `label` is how to speak of it."""
    lines: Counter[str] = Counter()
    first: dict[str, int] = {}
    often = Counter(predictions.order)
    odd = _other_modules(predictions.traces, often, costs)
    for number, trace in enumerate(predictions.traces):
        for words in (*_left_out(trace, costs), *odd.get(number, ()), *batches(trace, costs, _TEXTS.get(task, 0))):
            lines[words] += often[number]
            first[words] = min(first.get(words, predictions.first[number]), predictions.first[number])
    told = [f"{label}: {words} ({_where(count, first[words])})" for words, count in lines.items()]
    left = len(told) - _MOST
    return [*told[:_MOST], f"{label}: … and {left} more notes on its modules"] if left > 0 else told


def _where(count: int, first: int) -> str:
    return f"line {first}" if count == 1 else f"{count:,} lines, the first of them line {first}"


def _left_out(trace: Trace, costs: Costs) -> Iterator[str]:
    if not any(use in costs.words for use in trace):
        yield "no embedding: no module of the line takes token ids; is its cost left out?"
    depths = _depths(trace)
    for depth in sorted(depths):
        # layers are counted from 0 or from 1
        if depth > 1 and depth - 1 not in depths:
            name = depths[depth]
            stem = name.rstrip("0123456789")
            yield f"{name} without {stem}{depth - 1}: is its cost left out?"


def _depths(trace: Trace) -> dict[int, str]:
    """The numbers of the layers that were passed, each with a name."""
    found = ((_LAYER.fullmatch(use.name), use.name) for use in trace)
    return {int(match[2]): name for match, name in found if match}


def _other_modules(traces: Sequence[Trace], often: Counter[int], costs: Costs) -> dict[int, list[str]]:
    """By trace: modules beside the layers that it lacks, and that most lines have which stop at the same layer.

    Lines that stop elsewhere may have other heads; those that stop at the same layer were read in the same way.
    """
    alike: defaultdict[int, list[tuple[int, frozenset[str]]]] = defaultdict(list)
    for number, trace in enumerate(traces):
        depths = _depths(trace)
        if depths:
            # an embedding that is missing is told by itself
            beside = {use.name for use in trace if use not in costs.words and not _LAYER.fullmatch(use.name)}
            alike[max(depths)].append((number, frozenset(beside)))
    found = {}
    for depth, group in alike.items():
        sets: Counter[frozenset[str]] = Counter()
        for number, names in group:
            sets[names] += often[number]
        usual, count = sets.most_common(1)[0]
        for number, names in group:
            lacking = ", ".join(sorted(usual - names))
            if lacking and count > sets[names]:
                found[number] = [f"no {lacking}, which most lines have that stop at layer {depth}"]
    return found


def batches(trace: Trace, costs: Costs, texts: int = 0) -> Iterator[str]:
    """What looks like a batch in the shapes of a line; `texts` is how many texts an item of the task has."""
    words = [use for use in trace if use in costs.words]
    lengths = {use.shape[0] for use in words if len(use.shape) == 1}
    told: set[int] = set()
    for use in trace:
        # of token ids (22) and vectors (8,22,768) the 8 belongs to no text; images and (22,5,768) are something else
        if len(use.shape) == 3 and use.shape[1] in lengths and use.shape[0] not in lengths | told:
            told.add(use.shape[0])
            yield f"the shapes {_like(trace, use)} begin with {use.shape[0]}: {_NO_BATCH}"
    many = {use.shape[0] for use in words if len(use.shape) == 2}
    if len(many) == 1 and not lengths and many != {texts} and all(use.shape[0] in many for use in trace):
        yield f"all shapes begin with {next(iter(many))}: {_NO_BATCH}"


_NO_BATCH = "a shape has no batch dimension, and what stands there is paid for"


def _like(trace: Trace, first: ModuleUse) -> str:
    """The uses with the same first number and rank, by name."""
    names = dict.fromkeys(use.name for use in trace if len(use.shape) == 3 and use.shape[0] == first.shape[0])
    return _few(names)


def _few(names: Collection[str]) -> str:
    listed = list(names)
    return f"of {', '.join(listed)}" if len(listed) <= 3 else f"of {listed[0]} to {listed[-1]}"
