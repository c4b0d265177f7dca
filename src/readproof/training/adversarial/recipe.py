"""How a reader is hardened: everything that changes what comes out, in frozen values that can be written beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from readproof.attacks.base import Attack, SearchAttack
from readproof.attacks.known import ATTACKS, make_attack
from readproof.errors import InputError
from readproof.readers.api import DISTRIBUTION, GRADIENTS, SPANS
from readproof.training.recipe import Fit
from readproof.training.recipefile import parse_as, plan_text

# queries an item of a search in training, where none are named: few, as a search is made anew every epoch
_BUDGETS = {"addsent": 6, "addany": 40, "hotflip": 40}
_GRADIENT = 3.0  # a gradient costs what three readings cost
_FEWEST = 3
_HAVE = (SPANS, DISTRIBUTION, GRADIENTS, "reader")


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackMix:
    """An attack and the share of the questions that get a variant by it, others every epoch.

    `budget` is how often a search may ask the reader an item; 0 for the usual number. `search = false` takes what an
    attack makes without asking.
    """

    attack: str
    rate: float = 0.2
    budget: int = 0
    search: bool = True
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The attack with what is not usual about it."""
        return " ".join([self.attack, *(f"{key}={value}" for key, value in self.options.items())])

    def made(self) -> Attack | SearchAttack:
        return make_attack(self.attack, self.options)

    def queries(self) -> int:
        """How often an item is asked about; 0 where the attack asks nothing."""
        if not self.search or not isinstance(self.made(), SearchAttack):
            return 0
        return self.budget or _BUDGETS.get(self.attack, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingPerturbation:
    """Adversarial training on the word vectors: FGM, one push of `size`; PGD, `steps` of `step` within `size`."""

    method: Literal["none", "fgm", "pgd"] = "none"
    size: float = 1.0
    step: float = 0.3
    steps: int = 3

    @property
    def passes(self) -> int:
        """How many passes a step takes besides the plain one."""
        return {"none": 0, "fgm": 1, "pgd": self.steps}[self.method]


_FIT = Fit(epochs=3, lr=2e-5, ema=0.99)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A hardening. The loss is `gold` × the golds, clean and attacked; `consistency` × how far the attacked reading
    is from the clean one; `distil` × how far the clean reading is from that of the reader before; `carried` × how far
    the attacked reading is from that reader's clean one.

    `lost` is how much clean F1 an epoch may lose to be chosen. `patience` is after how many epochs in which the clean
    loss rose training stops. `look` is how many held-out questions are attacked after each epoch, `table` how many for
    the table. With `impossible`, questions that have no answer are learnt too; they are never attacked.

    `renewal` is how many times an epoch's readings the searches of that epoch may take; those above it are left out.

    With a `rank` the reader learns by narrow changes alone (see `narrow`), and its word vectors stay: what was hardened
    differs from the reader before by so little that readers kept beside that one can be kept beside this one too.

    `sets` and `held` are names of the sets that `training.prepare` makes of a folder of public files in that
    `language`; they count only where the data is such a folder.
    """

    doses: tuple[AttackMix, ...]
    sets: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    language: Literal["zh", "fa"] = "zh"
    fit: Fit = _FIT
    push: EmbeddingPerturbation = EmbeddingPerturbation()
    name: str = ""
    about: str = ""
    gold: float = 1.0
    consistency: float = 1.0
    distil: float = 1.0
    carried: float = 0.0
    temperature: float = 1.0
    smoothing: float = 0.0
    dropout: float = 0.1
    impossible: bool = False
    rank: int = 0
    held_out: float = 0.1
    lost: float = 0.5
    patience: int = 2
    look: int = 200
    table: int = 200
    table_budgets: Mapping[str, int] = field(default_factory=dict)
    max_tokens: int = 512
    overlap: int = 128
    renewal: float = 1.0

    def searched_share(self) -> float:
        """The part of the searches that is made, so that renewing the attacks takes at most `renewal` epochs' time."""
        training = 3.0 * (1 + sum(dose.rate for dose in self.doses)) * (1 + self.push.passes)
        asked = sum(dose.rate * dose.queries() * _cost(dose) for dose in self.doses)
        return min(1.0, self.renewal * training / asked) if asked else 1.0


def _cost(dose: AttackMix) -> float:
    """Readings a query: of a gradient search one query in nine is a gradient."""
    needs = ATTACKS.get(dose.attack).about.needs
    return 1 + (_GRADIENT - 1) / 9 if GRADIENTS in needs else 1.0


def find_recipe(name: str) -> Recipe:
    """A recipe by its name, or by the path of its file."""
    text, file = plan_text(name, harden=True)
    recipe = parse_as(Recipe, text, file)
    check_recipe(recipe, str(file))
    return recipe


def check_recipe(recipe: Recipe, file: str = "") -> None:
    """What types alone cannot say."""

    def need(right: bool, place: str, found: object, expected: str) -> None:
        if not right:
            raise InputError(file=file, place=place, found=f"{found}", expected=expected)

    need(bool(recipe.doses), "doses", "none", "at least one attack")
    for at, dose in enumerate(recipe.doses):
        place = f"doses[{at}]"
        about = dose.made().about
        need("span" in about.kinds and about.truth == "kept", place, about.name, "an attack on span questions")
        lacking = [one for one in about.needs if one not in _HAVE]
        need(not lacking, place, about.name, f"an attack that does without a {', '.join(lacking)}")
        need(0 < dose.rate <= 1, f"{place}.rate", dose.rate, "more than 0, at most 1")
        need(dose.search or isinstance(dose.made(), Attack), f"{place}.search", "false", f"true: {about.name} asks")
        need(dose.budget == 0 or dose.budget >= _FEWEST, f"{place}.budget", dose.budget, f"0, or {_FEWEST} or more")
    need(len({dose.name for dose in recipe.doses}) == len(recipe.doses), "doses", "one twice", "each once")
    need(0 < recipe.held_out < 1, "held_out", recipe.held_out, "between 0 and 1")
    for key in ("gold", "consistency", "distil", "carried", "smoothing", "lost"):
        need(getattr(recipe, key) >= 0, key, getattr(recipe, key), "0 or more")
    need(recipe.gold + recipe.distil + recipe.carried > 0, "gold", "0", "some weight for gold, distil or carried")
    for key in ("look", "table", "patience"):
        need(getattr(recipe, key) >= 1, key, getattr(recipe, key), "1 or more")
    need(recipe.fit.epochs >= 1, "fit.epochs", recipe.fit.epochs, "1 or more")
    need(recipe.fit.batch >= 1, "fit.batch", recipe.fit.batch, "1 or more")
    need(not recipe.fit.fgm, "fit.fgm", recipe.fit.fgm, 'push = { method = "fgm" }')
    need(recipe.rank >= 0, "rank", recipe.rank, "0 or more")
    push = recipe.push.method
    need(not recipe.rank or push == "none", "push", push, "none with a rank: word vectors stay as they are")
    need(recipe.push.steps >= 1, "push.steps", recipe.push.steps, "1 or more")
    need(recipe.renewal > 0, "renewal", recipe.renewal, "more than 0")
    need(recipe.temperature > 0, "temperature", recipe.temperature, "more than 0")
    fits = recipe.max_tokens >= max(16, 2 * recipe.overlap)
    need(fits, "max_tokens", recipe.max_tokens, "at least 16, and twice the overlap")


def dose_of(text: str, options: Mapping[str, Mapping[str, str]] | None = None) -> AttackMix:
    """NAME:RATE or NAME:RATE:BUDGET, as `--attack` gives it."""
    name, *rest = text.split(":")
    about = ATTACKS.get(name).about
    try:
        rate = float(rest[0]) if rest else 0.2
        budget = int(rest[1]) if len(rest) > 1 else 0
        if len(rest) > 2:
            raise ValueError
    except ValueError:
        expected = "NAME, NAME:RATE or NAME:RATE:BUDGET, as addsent:0.3 or addany:0.2:60"
        raise InputError(place="--attack", found=repr(text), expected=expected) from None
    return AttackMix(attack=about.name, rate=rate, budget=budget, options=dict((options or {}).get(about.name, {})))


def push_of(text: str) -> EmbeddingPerturbation:
    """fgm:SIZE, pgd:SIZE,STEP,STEPS or none, as `--embeddings` gives it."""
    method, _, figures = text.partition(":")
    parts = figures.split(",") if figures else []
    try:
        if method == "none" and not parts:
            return EmbeddingPerturbation()
        if method == "fgm" and len(parts) <= 1:
            return EmbeddingPerturbation(method="fgm", size=_size(parts[0]) if parts else 1.0)
        if method == "pgd" and len(parts) in (0, 3):
            usual = EmbeddingPerturbation(method="pgd")
            return (
                EmbeddingPerturbation(method="pgd", size=_size(parts[0]), step=_size(parts[1]), steps=int(parts[2]))
                if parts
                else usual
            )
        raise ValueError
    except ValueError:
        expected = "none, fgm:SIZE or pgd:SIZE,STEP,STEPS, as fgm:1.0 or pgd:1.0,0.3,3"
        raise InputError(place="--embeddings", found=repr(text), expected=expected) from None


def _size(text: str) -> float:
    number = float(text)
    if not number > 0:
        raise ValueError(text)
    return number


def names_of(doses: Sequence[AttackMix]) -> str:
    """Attacks with their rates, for a person."""
    return ", ".join(f"{dose.name} {dose.rate:g}" for dose in doses)
