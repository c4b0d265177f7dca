"""What a run will do: the attacks that fit, their budgets and settings, the probes and baselines for each item."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readproof.attacks import ATTACKS
from readproof.errors import InputError
from readproof.items import SpanItem, Triple
from readproof.proof.plan import FAST, AttackSelection, baselines_for, chosen, parse_settings, planned
from readproof.proof.probes import PROBES
from readproof.proof.results import CLEAN, PROBE
from readproof.readers.api import DISTRIBUTION, OPTIONS, SPANS
from tests.proof.made_readers import sample

ABLE = frozenset({SPANS, DISTRIBUTION, OPTIONS})


def test_the_fast_set_leaves_out_what_takes_long_and_all_has_everything() -> None:
    assert chosen(AttackSelection(attacks=("all",))) == ATTACKS.names()
    fast = chosen(AttackSelection(attacks=(FAST,)))
    assert {"addsent", "typo", "triples"} <= set(fast)
    assert not {"addany", "hotflip", "backtranslate"} & set(fast)
    assert chosen(AttackSelection(attacks=("typo", "addsent", "typo"))) == ["addsent", "typo"]
    with pytest.raises(InputError, match="Did you mean 'addsent'"):
        chosen(AttackSelection(attacks=("adsent",)))


def test_attacks_that_do_not_fit_are_left_out_with_the_reason() -> None:
    items = list(sample())
    left = {one.attack: one.reason for one in planned(items, AttackSelection(attacks=("all",)), ABLE).left}
    assert left == {
        "hotflip": "needs a reader that gives gradients",
        "backtranslate": "needs a translator: --set backtranslate.translator=…",
    }
    spans = [item for item in items if isinstance(item, SpanItem)]
    left = {
        one.attack: one.reason for one in planned(spans, AttackSelection(attacks=("keyword", "addany")), {OPTIONS}).left
    }
    assert "of which there are none" in left["options/keyword"]
    assert left["addany"] == "needs a reader that gives spans"
    english = [replace(item, language="en") for item in spans]
    (one,) = planned(english, AttackSelection(attacks=("script",)), ABLE).left
    assert one.reason.startswith("not for this language")
    (one,) = planned(spans, AttackSelection(attacks=("addany",)), None).left
    assert one.reason == "needs a reader to search against"


def test_searches_have_a_small_budget_and_options_keep_their_truth() -> None:
    plan = planned(list(sample()), AttackSelection(attacks=("addsent", "keyword")), ABLE)
    addsent, keyword = plan.attacks
    assert (addsent.searched, addsent.budget) == (True, 4)
    assert keyword.settings["truth"] == "kept"
    named = {phase.name.removeprefix(PROBE) for phase in plan.phases if phase.name.startswith(PROBE)}
    assert named == set(PROBES["spans"]) | set(PROBES["options"])


def test_settings_name_their_attack() -> None:
    found = parse_settings(["addsent.worst_of=3", "options/keyword.denial=no"])
    assert found == {"addsent": {"worst_of": "3"}, "options/keyword": {"denial": "no"}}
    plan = planned(list(sample()), AttackSelection(attacks=("addsent",), settings=found), ABLE)
    assert plan.attacks[0].settings["worst_of"] == 3
    with pytest.raises(InputError, match=r"ATTACK\.NAME=VALUE"):
        parse_settings(["worst_of=3"])


def test_a_probe_is_put_to_the_items_that_it_fits() -> None:
    items = list(sample())
    phases = {phase.name: phase.numbers for phase in planned(items, AttackSelection(attacks=()), ABLE).phases}
    spans = tuple(at for at, item in enumerate(items) if isinstance(item, SpanItem))
    options = tuple(at for at, item in enumerate(items) if isinstance(item, Triple))
    assert phases[CLEAN] == phases[f"{PROBE}no-passage"] == tuple(range(len(items)))
    assert phases[f"{PROBE}substituted"] == spans
    assert phases[f"{PROBE}options-only"] == options


def test_the_baselines_fit_the_items() -> None:
    spans = [item for item in sample() if isinstance(item, SpanItem)]
    triples = [item for item in sample() if isinstance(item, Triple)]
    assert baselines_for(spans) == tuple(f"baseline:{name}" for name in ("first", "last", "overlap", "typed", "random"))
    assert set(baselines_for(triples)) == {f"baseline:{name}" for name in ("A", "B", "C", "D", "longest", "overlap")}


def test_no_attack_at_all() -> None:
    assert chosen(AttackSelection(attacks=("none",))) == []
    assert chosen(AttackSelection(attacks=("none", "typo"))) == ["typo"]
