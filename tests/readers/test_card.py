"""What a card says is shown to programs too: whatever changes the answers."""

from __future__ import annotations

from readproof.cli.list import _record
from readproof.readers.card import ReaderCard


def test_the_settings_that_change_answers_are_listed() -> None:
    record = _record(ReaderCard(name="n", temperature=2.0, no_answer=-3.0, enough=0.4))
    assert (record["temperature"], record["no_answer"], record["enough"]) == (2.0, -3.0, 0.4)
