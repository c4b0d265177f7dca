"""CMRC 2018: Chinese span reading, in its original layout, in SQuAD's, or as flat rows."""

from __future__ import annotations

from readproof.tasks.base import Peek
from readproof.tasks.layouts.squad import is_original
from readproof.tasks.squad import cmrc_metrics, first_id, span_task

_ID_PARTS = ("DEV_", "TRAIN_", "TRIAL_", "TEST_", "CHALLENGE_")


def _recognise(peek: Peek) -> bool:
    if is_original(peek.first):
        return True
    name = first_id(peek.first)
    return name.startswith(_ID_PARTS) and "QUERY" in name


TASK = span_task(
    name="cmrc2018",
    title="CMRC 2018: Chinese span reading",
    languages=("zh",),
    recognise=_recognise,
    metrics=cmrc_metrics("cmrc2018"),
    licence="CC BY-SA 4.0",
    citation=(
        "Cui et al. 2019. A Span-Extraction Dataset for Chinese Machine Reading Comprehension. EMNLP-IJCNLP 2019."
    ),
)
