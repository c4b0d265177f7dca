"""How an encoder is made from text: everything that changes what comes out, as a TOML file has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from readproof.errors import InputError
from readproof.training.delta_base import DeltaBase
from readproof.training.recipefile import parse_as, plan_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """The vocabulary. `letters` (code point to code point, hexadecimal) are characters that are read as others."""

    size: int = 14_000
    least: int = 5
    alphabet: int = 400
    letters: Mapping[str, str] = field(default_factory=dict)

    def letter_table(self) -> dict[str, str]:
        return {chr(int(one, 16)): chr(int(other, 16)) if other else "" for one, other in self.letters.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSize:
    """The sizes of the encoder; heads are 64 wide. Those of the lowest `near` layers begin by looking beside them."""

    hidden: int = 384
    layers: int = 9
    inner: int = 1024
    embedding: int = 128
    positions: int = 384
    near: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPace:
    """How long and how fast a part is trained: so many `steps`, or, with `seconds`, as many as that time allows.

    `batch` rows a step. The rate rises over the first part `warmup` of the steps and falls to nothing at the last.
    """

    seconds: float = 0.0
    steps: int = 1000
    batch: int = 256
    lr: float = 1e-3
    warmup: float = 0.06
    weight_decay: float = 0.05
    dropout: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """Masked words: rows of `length` tokens, `share` of whose words are masked, in runs of at most `longest` words."""

    pace: TrainingPace = TrainingPace()
    length: int = 256
    share: float = 0.2
    longest: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """Selected spans: questions made of sentences, answered by pointing (see `places` and `selection`).

    `recurring`: the span stands elsewhere too and the sentence is taken out of the passage. The others keep their
    sentence and lose `dropped` of the question's words; `nothing` of those get a passage that has no answer. `asked`
    are phrases, by the kind of span, that take its place in `asking` of the questions; [MASK] does in the others.
    """

    pace: TrainingPace = TrainingPace(lr=5e-4, batch=128, dropout=0.1)
    most: int = 400_000
    passage: int = 280
    question: int = 40
    recurring: float = 0.5
    dropped: float = 0.25
    nothing: float = 0.15
    asking: float = 0.7
    mark: str = ""
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderPlan:
    """The whole: pieces, masked words, and, where there is such a part, selected spans.

    With `onto` the layers of a shipped reader are begun with, and learnt as changes to it; `body` then says nothing.
    """

    masked: Masked
    selected: Selected | None = None
    pieces: Pieces = Pieces()
    body: EncoderSize = EncoderSize()
    onto: DeltaBase | None = None
    name: str = ""
    about: str = ""
    licence: str = ""
    language: str = ""
    held_out: float = 0.004


def find_encoder_plan(name: str) -> EncoderPlan:
    """A plan by its name, or by the path of its file."""
    text, file = plan_text(name, kind="encoder")
    plan = parse_as(EncoderPlan, text, file)
    body = plan.body
    least = min(body.layers, body.inner, body.embedding, body.positions, body.near + 1)
    if body.hidden % 64 or body.embedding % 2 or least < 1:
        expected = "sizes above 0, hidden a multiple of 64, embedding an even number"
        raise InputError(file=file, place="body", found=f"{body}", expected=expected)
    if plan.masked.length > body.positions:
        expected = f"at most body.positions, {body.positions}"
        raise InputError(file=file, place="masked.length", found=f"{plan.masked.length}", expected=expected)
    if plan.selected and plan.selected.passage + plan.selected.question + 3 > body.positions:
        found = f"{plan.selected.passage} and {plan.selected.question} tokens"
        raise InputError(
            file=file, place="selected", found=found, expected=f"windows of at most {body.positions}, with 3 signs"
        )
    try:
        plan.pieces.letter_table()
    except ValueError:
        expected = "code points, as 064A"
        raise InputError(file=file, place="pieces.letters", found="another text", expected=expected) from None
    return plan


def within(plan: EncoderPlan, seconds: float) -> EncoderPlan:
    """The same in a given time: the parts keep their shares of it."""
    paces = [plan.masked.pace, *([plan.selected.pace] if plan.selected else [])]
    shares = [pace.seconds or 1.0 for pace in paces]
    masked, *rest = [
        replace(pace, seconds=seconds * share / sum(shares)) for pace, share in zip(paces, shares, strict=True)
    ]
    selected = replace(plan.selected, pace=rest[0]) if plan.selected else None
    return replace(plan, masked=replace(plan.masked, pace=masked), selected=selected)
