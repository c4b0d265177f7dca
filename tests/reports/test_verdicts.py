"""What the page says at once: all that failed, and what is unclear unless that is a long list."""

from __future__ import annotations

import pytest

from readproof.proof.results import Check, Outcome, Verdict
from readproof.reports.verdicts import shown_first


def check(name: str, outcome: Outcome) -> Check:
    return Check(
        kind="stands", name=name, part="spans", what="kept", value=0.9, limit=0.8, outcome=outcome, why="it is so"
    )


@pytest.mark.parametrize(("unclear", "shown"), [(0, 1), (3, 4), (4, 1)])
def test_a_long_list_of_doubts_is_folded_away(unclear: int, shown: int) -> None:
    doubts = [check(f"attack {number}", "unclear") for number in range(unclear)]
    checks = (check("typo", "passed"), check("addsent", "failed"), *doubts)
    found = shown_first(Verdict(headline="", parts=(), checks=checks))
    assert len(found) == shown
    assert [one.outcome for one in found].count("failed") == 1
