"""How to train: everything that changes what comes out, in frozen values that can be written beside the weights."""

from __future__ import annotations

from dataclasses import dataclass


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
    """Some data sets, by name, and how to fit them."""

    sets: tuple[str, ...]
    fit: Fit = Fit()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Fine-tuning: stages one after another."""

    stages: tuple[Stage, ...]
    dropout: float = 0.1
    rdrop: float = 0.0
    smoothing: float = 0.0
    max_tokens: int = 512
    overlap: int = 128
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilRecipe:
    """Distilling: the student takes the teacher's `layers` (counted from 0) and learns what they gave."""

    sets: tuple[str, ...]
    layers: tuple[int, ...] = (1, 3, 5, 7, 9, 11)
    fit: Fit = Fit(epochs=4, lr=1e-4)
    dropout: float = 0.1
    gold: float = 0.3
    logits: float = 1.0
    temperature: float = 2.0
    hidden: float = 0.1
    relation: float = 0.0
    max_tokens: int = 512
    overlap: int = 128
    seed: int = 0
