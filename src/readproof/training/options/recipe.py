"""How to train an option reader: everything that changes what comes out, in frozen values that TOML files can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from readproof.readers.options import OptionReadingConfig
from readproof.training.options.measure import LossWeights
from readproof.training.recipe import Fit

# which weights of a stage are kept: the best on the held-out sets, those of the epoch that is best when each part of
# the stage's own passages is left out in turn, the last, or the last mixed with what the stage began with as is best
# for questions turned round, again each part left out in turn
Choose = Literal["held", "folds", "end", "turned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionFit(Fit):
    """One pass of the optimiser over some statements; `batch` counts tokens, padding included."""

    epochs: int = 3
    lr: float = 3e-5
    batch: int = 16384


_FIT = OptionFit()
_GOLD = LossWeights()
_SAID = LossWeights(truth=0.3, choice=0.3, said=1.0)
_MANNER = OptionReadingConfig()


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionStage:
    """Training on some sets, by name; `NAME/2` is every second group of a set.

    `coarse` is the share of long passages that are read in segments, the others by their best sentences. With
    `choose = "folds"` the questions of the sets `folded` (all, where none is named) are judged, each by a reader that
    has seen nothing of its passage in this stage; with `"turned"` triples made of them are, and choose the share.

    `share` is how much of the stage's own weights is kept where nothing is chosen (`"end"`); the rest is what it began
    with. The first stage has nothing to begin with and keeps all.
    """

    sets: tuple[str, ...]
    fit: OptionFit = _FIT
    coarse: float = 0.0
    weights: LossWeights = _GOLD
    choose: Choose = "held"
    folds: int = 3
    folded: tuple[str, ...] = ()
    share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionTeachers:
    """Readers of the start's own size, one a seed, each through all stages. Tensors named as `frozen` never move."""

    stages: tuple[OptionStage, ...] = ()
    seeds: tuple[int, ...] = (0,)
    dropout: float = 0.1
    frozen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionStep:
    """Learning what the teachers say (`weights.said`), with as much of the labels as `weights` has of them.

    `hidden` is the weight of the layers' outputs, which are to be those of the guide. `after` takes the teachers' word
    as it was after so many of their stages: a last stage on few questions makes them forget much of the others. `share`
    is as that of a stage; of a student with a rank the mean is cut to that rank. `choose = "end"` keeps the last
    weights, whatever the held-out sets say.
    """

    sets: tuple[str, ...]
    fit: OptionFit = _FIT
    coarse: float = 0.5
    weights: LossWeights = _SAID
    hidden: float = 0.0
    after: int | None = None
    share: float = 1.0
    choose: Literal["held", "end"] = "held"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionStudent:
    """A reader that learns from all teachers, through all steps.

    It begins as `layers` (counted from 0; none named: all) of the teacher in the place `guide`, or of a start of its
    own where the run is given one, such as a span reader's weights. With a `rank` its matrices change by products of
    that rank and the rest of it learns a tenth as fast, its word vectors not at all; with 0 everything learns.
    """

    steps: tuple[OptionStep, ...]
    layers: tuple[int, ...] = ()
    guide: int = 0
    dropout: float = 0.1
    frozen: tuple[str, ...] = ()
    rank: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionPlan:
    """A whole training: teachers, then, if there is one, their student.

    `held` says by which sets, and with which weights, epochs are chosen; `measured` sets are looked at only when all is
    done. `vocabulary` names a shipped reader whose rows are kept; with none the start's whole vocabulary stays.
    """

    teachers: OptionTeachers
    student: OptionStudent | None = None
    name: str = ""
    about: str = ""
    licence: str = ""
    vocabulary: str = ""
    manner: OptionReadingConfig = _MANNER
    held: Mapping[str, float] = field(default_factory=dict)
    measured: tuple[str, ...] = ()

    def parts(self) -> tuple[OptionStage | OptionStep, ...]:
        """All stages and steps."""
        return (*self.teachers.stages, *(self.student.steps if self.student else ()))

    def sets(self) -> tuple[str, ...]:
        """Every set that is trained on, once."""
        return tuple(dict.fromkeys(name for part in self.parts() for name in part.sets))

    def named(self) -> tuple[str, ...]:
        """Every set that the plan speaks of, once, without its share."""
        every = (*self.sets(), *self.held, *self.measured)
        return tuple(dict.fromkeys(name.partition("/")[0] for name in every))
