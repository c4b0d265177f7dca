"""FarsTail: Persian natural language inference, a tab-separated table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from readproof.errors import shown
from readproof.items import LabelItem
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import refuse
from readproof.tasks.layouts import closed
from readproof.tasks.layouts.lines import rows
from readproof.tasks.metrics.accuracy import accuracy_metrics

# entailment, contradiction, neutral
LABELS = ("e", "c", "n")
_PREMISE, _HYPOTHESIS, _LABEL = "premise", "hypothesis", "label"


def _recognise(peek: Peek) -> bool:
    header = peek.head.partition("\n")[0].removesuffix("\r").split("\t")
    return peek.layout == "text" and header[:2] == [_PREMISE, _HYPOTHESIS]


def load(path: Path) -> Iterator[LabelItem]:
    """Every pair, numbered from 0. The test file has further columns, and a file without labels is read too."""
    names: list[str] = []
    for index, (place, fields) in enumerate(rows(path, "\t"), start=-1):
        if not names:
            names = fields
            if _PREMISE not in names or _HYPOTHESIS not in names:
                refuse(path, place, shown("\t".join(fields)), "a header: premise, hypothesis, label (tab-separated)")
            continue
        if len(fields) != len(names):
            refuse(path, place, f"{len(fields)} columns", f"{len(names)}, as in the header")
        row = dict(zip(names, fields, strict=True))
        label = row.get(_LABEL) or None
        if label is not None and label not in LABELS:
            refuse(path, place, f"the label {label!r}", "e (entailment), c (contradiction) or n (neutral)")
        yield LabelItem(id=str(index), text=row[_PREMISE], pair=row[_HYPOTHESIS], label=label, language="fa")


TASK = Task(
    name="farstail",
    title="FarsTail: Persian natural language inference",
    kind="label",
    languages=("fa",),
    recognise=_recognise,
    load=load,
    read_predictions=closed.read_predictions,
    write_predictions=partial(closed.write_flat, closed.label_of),
    metrics=accuracy_metrics("farstail", LABELS),
    licence="Apache-2.0",
    citation="Amirkhani et al. 2023. FarsTail: a Persian natural language inference dataset. Soft Computing 27.",
    labels=LABELS,
)
