"""`readproof ask --options` with a language model: the letter and the scores it gives, and no evidence."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from readproof.cli.main import app
from readproof.errors import InputError

ASKED = ["ask", "哪一项正确？", "--text", "湿地提供部分物资。", "--options", "所有物资", "--options", "部分物资"]


def test_letter_and_likelihoods(server: str) -> None:
    spec = f"llm:{server}#tiny?letters=likelihood"
    record = json.loads(CliRunner().invoke(app(), [*ASKED, "--reader", spec, "--json"]).stdout)
    assert record["reader"] == "llm:tiny"
    assert record["asked"] is None
    scores = [option["score"] for option in record["options"]]
    if record["letter"] is None:  # a model of chance weights may name neither letter
        assert scores == [None, None]
    else:
        assert record["letter"] == "AB"[scores.index(max(scores))]
        shown = CliRunner().invoke(app(), [*ASKED, "--reader", spec]).stdout
        assert shown.startswith(record["letter"]) and "█" in shown
    assert all(option["evidence"] == [] for option in record["options"])


def test_a_joint_prompt_takes_no_single_question(server: str) -> None:
    found = CliRunner().invoke(app(), [*ASKED, "--reader", f"llm:{server}#tiny?prompt=winner"])
    assert isinstance(found.exception, InputError)
    assert "whole triples" in str(found.exception)
