"""The measures that training looks at: CMRC 2018's two for Chinese, SQuAD 2.0's for words between spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from readproof.items import Answer, SpanItem
from readproof.tasks.metrics.cmrc import official, simple
from readproof.tasks.metrics.squad import version_2
from readproof.tasks.persianqa import fair
from readproof.text import ZWNJ

Metric = Literal["cmrc", "squad2"]


def each_of(answers: Sequence[Answer], items: Sequence[SpanItem], metric: Metric) -> NDArray[Any]:
    """For each question exact match and F1, by the measure and by its looser sister (see `Measured`)."""
    rows = []
    for answer, item in zip(answers, items, strict=True):
        golds = [gold.text for gold in item.golds]
        if metric == "cmrc":
            rows.append((*official(answer.text, golds), *simple(answer.text, golds)))
        else:
            spaced = version_2(_spaced(answer.text), list(map(_spaced, golds or [""])))
            rows.append((*spaced, *fair(answer.text, golds or [""])))
    return np.asarray(rows, dtype=np.float64).reshape(-1, 4)


def _spaced(text: str) -> str:
    """The non-joiner counts as a space, as PersianQA's own scorer has it."""
    return text.replace(ZWNJ, " ")
