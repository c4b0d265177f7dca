"""The labels of CELUE's tasks: those that a task publishes, and those that only its data has."""

from __future__ import annotations

from collections.abc import Mapping

from readproof.tasks import TASKS
from readproof.tasks.celue.segpos import BEYOND

LABELLED = ("chnc", "cmeee", "pku-segpos")
# a scorer takes them for right where the gold answers have them, so they are no mistake
_BEYOND_OF: Mapping[str, tuple[str, ...]] = {"pku-segpos": BEYOND}


def published(task: str) -> tuple[str, ...]:
    """The labels that the task lists."""
    return TASKS.get(task).labels


def beyond(task: str) -> tuple[str, ...]:
    """The labels that published data has and the task's list has not."""
    return _BEYOND_OF.get(task, ())
