"""What a run will do, before it does anything: which attacks fit the items and the reader, and why others do not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from readproof.attacks.base import Attack, Kind, SearchAttack
from readproof.attacks.known import ATTACKS, make_attack
from readproof.errors import InputError
from readproof.items import Item
from readproof.prove.model import CLEAN, PROBE, AttackFacts, Left, PartName
from readproof.prove.probes import PROBES
from readproof.prove.questions import part_of, single

FAST, ALL = "fast", "all"

# left out of the fast set: a part of another, a search that takes hundreds of queries, one that needs a translator
_NOT_FAST = ("addonesent", "addany", "hotflip", "backtranslate")
# most queries an item of a search: small enough that a hundred questions take minutes, and always told
_BUDGETS = {FAST: {"addsent": 4, "addany": 60}, ALL: {"addsent": 6, "addany": 60}}
_OTHER_BUDGET = {FAST: 10, ALL: 60}
_KINDS: dict[Kind, PartName] = {"span": "spans", "choice": "options"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Which attacks a user wants, and how hard they try.

    `attacks` is fast, all, or names; `settings` are options by attack; `budget` 0 is each set's own.
    """

    attacks: tuple[str, ...] = (FAST,)
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    budget: int = 0
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One pass over some of the items: the clean questions, a probe, or an attack. `weight`: readings an item."""

    name: str
    numbers: tuple[int, ...]
    weight: int = 1
    facts: AttackFacts | None = None
    attack: Attack | SearchAttack | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All phases in order, and the attacks that are not made."""

    phases: tuple[Phase, ...]
    left: tuple[Left, ...] = ()

    @property
    def attacks(self) -> tuple[AttackFacts, ...]:
        return tuple(phase.facts for phase in self.phases if phase.facts is not None)


def planned(items: Sequence[Item], wish: Wish, abilities: Collection[str] | None, *, probes: bool = True) -> Plan:
    """The phases for these items; `abilities` are those of the reader that searches ask, None where there is none."""
    numbers = tuple(range(len(items)))
    phases = [Phase(name=CLEAN, numbers=numbers)]
    if probes:
        parts = {part_of(item) for item in items}
        names = [name for name in PROBES if name != "options-only" or "options" in parts]
        phases += [Phase(name=f"{PROBE}{name}", numbers=numbers) for name in names]
    left: list[Left] = []
    for name in chosen(wish):
        made, reason = _attack(name, items, wish, abilities)
        phases += made
        left += [Left(attack=name, reason=reason)] if reason else []
    return Plan(phases=tuple(phases), left=tuple(left))


def chosen(wish: Wish) -> list[str]:
    """The names of the wanted attacks, each once, in the order of the table of attacks; unknown ones are refused."""
    for name in (*wish.attacks, *wish.settings):
        if name not in (FAST, ALL):
            ATTACKS.get(name)
    wanted = {ATTACKS.get(name).about.name for name in wish.attacks if name not in (FAST, ALL)}
    wanted |= {ATTACKS.get(name).about.name for name in wish.settings}
    known = [ATTACKS.get(name).about.name for name in ATTACKS.names()]
    if ALL in wish.attacks:
        return known
    if FAST in wish.attacks:
        wanted |= {name for name in known if name not in _NOT_FAST}
    return [name for name in known if name in wanted]


def _attack(name: str, items: Sequence[Item], wish: Wish, abilities: Collection[str] | None) -> tuple[list[Phase], str]:
    """The phases of an attack, one for each kind of item that it takes; or why there are none."""
    options = {ATTACKS.get(key).about.name: value for key, value in wish.settings.items()}.get(name, {})
    attack = make_attack(name, _kept(name) | dict(options))
    about = attack.about
    needs = [need for need in about.needs if need not in ("reader", "translator") and need not in (abilities or ())]
    if "translator" in about.needs and not options:
        return [], f"needs a translator: --set {name}.translator=…"
    if abilities is None and not isinstance(attack, Attack):
        return [], "needs a reader to search against"
    if abilities is not None and needs:
        return [], f"needs a reader that gives {', '.join(needs)}"
    phases = []
    for kind in about.kinds:
        fitting = [number for number, item in enumerate(items) if part_of(item) == _KINDS[kind]]
        spoken = tuple(number for number in fitting if single(items[number]).language in about.languages)
        if spoken:
            phases.append(_phase(attack, _KINDS[kind], spoken, wish, searching=abilities is not None))
    if phases:
        return phases, ""
    what = " or ".join("span questions" if kind == "span" else "questions with options" for kind in about.kinds)
    if any(part_of(item) in map(_KINDS.__getitem__, about.kinds) for item in items):
        return [], f"not for this language; speaks {', '.join(about.languages)}"
    return [], f"for {what}, of which there are none"


def _phase(
    attack: Attack | SearchAttack, part: PartName, numbers: tuple[int, ...], wish: Wish, *, searching: bool
) -> Phase:
    about = attack.about
    searched = searching and isinstance(attack, SearchAttack) and part == "spans"
    effort = ALL if ALL in wish.attacks else FAST
    budget = (wish.budget or _BUDGETS[effort].get(about.name, _OTHER_BUDGET[effort])) if searched else 0
    facts = AttackFacts(
        attack=about.name,
        does=about.does,
        part=part,
        needs=about.needs,
        truth=about.truth,
        undone=about.undone,
        settings=_settings(attack),
        searched=searched,
        budget=budget,
        count=1 if searched else wish.count,
    )
    weight = budget if searched else 2 if about.name == "triples" else wish.count
    return Phase(name=about.name, numbers=numbers, weight=weight, facts=facts, attack=attack)


def _kept(name: str) -> dict[str, str]:
    """A turned option leaves no single answer, so options are said otherwise; `triples` turns whole questions."""
    kind = ATTACKS.get(name)
    able = is_dataclass(kind) and any(
        one.name == "truth" and "kept" in one.metadata.get("values", ()) for one in fields(kind)
    )
    return {"truth": "kept"} if able else {}


def _settings(attack: Any) -> dict[str, str | int | float | bool]:
    values = {one.name: getattr(attack, one.name) for one in fields(attack)} if is_dataclass(attack) else {}
    return {name: value for name, value in values.items() if isinstance(value, str | int | float | bool)}


def parse_settings(given: Sequence[str]) -> dict[str, dict[str, str]]:
    """`ATTACK.NAME=VALUE`, as `--set` gives it."""
    found: dict[str, dict[str, str]] = {}
    for one in given:
        place, separator, value = one.partition("=")
        attack, dot, name = place.rpartition(".")
        if not separator or not dot or not attack or not name:
            expected, do = "ATTACK.NAME=VALUE", "`readproof attacks NAME` lists the options of an attack."
            raise InputError(place="--set", found=repr(one), expected=expected, do=do)
        found.setdefault(attack, {})[name] = value
    return found
