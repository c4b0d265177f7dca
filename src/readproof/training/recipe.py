"""How to train: everything that changes what comes out, in frozen values that can be written beside the weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from readproof.training.delta_base import DeltaBase
from readproof.training.measure import Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """One pass of the optimiser over some windows. `schedule` is the epoch at which the rate reaches nothing."""

    epochs: int = 1
    schedule: float | None = None
    lr: float = 4e-5
    batch: int = 32
    warmup: float = 0.06
    weight_decay: float = 0.01
    layer_decay: float = 1.0
    head: float = 1.0
    clip: float = 1.0
    fgm: float = 0.0
    ema: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Fine-tuning on some data sets, by name; `NAME/2` is every second question of a set."""

    sets: tuple[str, ...]
    fit: Fit = Fit()
    rdrop: float = 0.0
    smoothing: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Teachers:
    """Readers of the start's own size, one a seed, each through all stages."""

    stages: tuple[Stage, ...]
    seeds: tuple[int, ...] = (0,)
    dropout: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilRecipe:
    """Distilling: the student takes the teacher's `layers` (counted from 0) and learns what they gave.

    A `fresh` one takes them from the start instead, before it was trained: better where it is as large as the teachers,
    who by then know their questions by heart.
    """

    sets: tuple[str, ...]
    layers: tuple[int, ...] = (1, 3, 5, 7, 9, 11)
    fit: Fit = Fit(epochs=4, lr=1e-4)
    dropout: float = 0.1
    gold: float = 0.3
    logits: float = 1.0
    temperature: float = 2.0
    hidden: float = 0.1
    relation: float = 0.0
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """A reader of fewer layers, through all steps; it begins as layers of the teacher in the place `guide`."""

    steps: tuple[DistilRecipe, ...]
    guide: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """A whole training: teachers, then, if there is one, the student of all of them.

    `held` says by which sets, and with which weights, epochs are chosen; `measured` sets are looked at only when all is
    done. `vocabulary` names a shipped reader whose rows are kept; with none the start's whole vocabulary stays.
    With `onto` readers learn as changes to a shipped one. `language` says which public files the sets come from,
    `metric` what they are scored by; `encoder` is the plan of an encoder made from text where no start is given.
    """

    teachers: Teachers
    student: Student | None = None
    name: str = ""
    about: str = ""
    licence: str = ""
    vocabulary: str = ""
    encoder: str = ""
    onto: DeltaBase | None = None
    language: Literal["zh", "fa"] = "zh"
    metric: Metric = "cmrc"
    max_tokens: int = 512
    overlap: int = 128
    held: Mapping[str, float] = field(default_factory=dict)
    measured: tuple[str, ...] = ()

    def sets(self) -> tuple[str, ...]:
        """Every set that is trained on, once."""
        named = [stage.sets for stage in self.teachers.stages]
        named += [step.sets for step in self.student.steps] if self.student else []
        return tuple(dict.fromkeys(name for sets in named for name in sets))
