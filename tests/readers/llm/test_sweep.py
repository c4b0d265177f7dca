"""One model asked in many ways: every combination is scored, what does not go together is named, prefixes are kept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem
from readproof.readers.llm.client import BudgetError
from readproof.readers.llm.reader import lanes
from readproof.readers.llm.sweep import sweep
from tests.made_data import MADE
from tests.readers.llm.proxy import Proxy


@pytest.fixture
def data(tmp_path: Path) -> str:
    path = tmp_path / "dev.json"
    path.write_bytes(MADE["gcrc"])
    return f"gcrc:{path}"


def gold_letters(data: str) -> list[str]:
    record = json.loads(Path(data.removeprefix("gcrc:")).read_text(encoding="utf-8"))["data"][0]
    return [record["answer"], record["positive_answer"], record["negative_answer"]]


def test_every_combination_answers_the_same_items_and_the_best_comes_first(proxy: Proxy, data: str) -> None:
    first, second, third = gold_letters(data)

    def knows(request: dict[str, object]) -> str:
        """Right where the questions are asked in one text, and first of all options where they are not."""
        text = str(request["messages"])
        return third if "问题3" in text else second if "问题2" in text else first if "问题1" in text else "A"

    proxy.says = knows
    grid = {"prompt": ["independent", "table5"], "letters": ["generate"], "joined": ["", "text"]}
    told: list[tuple[int, int]] = []
    found = sweep(f"llm:{proxy.address}#m", data, grid, progress=lambda done, total: told.append((done, total)))
    assert [row.options["prompt"] for row in found.rows] == ["table5", "table5", "independent"]
    assert found.rows[0].score.exact["Score"] == 1
    assert told[-1] == (18, 18)
    assert [why for _, why in found.left] == ["joined=text with prompt=independent, which asks one question"]
    # two rows that ask the same words ask them once
    assert set(proxy.forwarded.values()) == {1}


def test_the_table_and_its_estimate(proxy: Proxy, data: str) -> None:
    proxy.says = lambda request: "答案：A"
    command = [
        "sweep",
        f"llm:{proxy.address}#m?price_in=1",
        data,
        "--prompts",
        "independent,winner",
        "--shuffle",
        "1,2",
    ]
    run = [sys.executable, "-m", "readproof.cli.main", *command]
    found = subprocess.run(run, capture_output=True, text=True, encoding="utf-8", check=True)
    assert "Estimate: 3 combinations" in found.stderr
    assert "left out: prompt=winner" in found.stdout and "shuffle with a joint prompt" in found.stdout
    assert found.stdout.count("independent  ") >= 2
    dry = subprocess.run([*run, "--dry-run", "--json"], capture_output=True, text=True, encoding="utf-8", check=True)
    assert json.loads(dry.stdout)["estimate"]["combinations"] == 3


def test_limits_are_of_all_combinations_together(proxy: Proxy, data: str) -> None:
    spec = f"llm:{proxy.address}#m?max_tokens=2&max_requests=8&concurrency=1"
    with pytest.raises(BudgetError, match="8 requests"):
        sweep(spec, data, {"prompt": ["independent", "winner", "table5"]})
    assert len(proxy.seen) == 8


def test_nothing_that_can_be_asked_is_told(data: str) -> None:
    with pytest.raises(InputError, match="no combination"):
        sweep("llm:http://127.0.0.1:9/v1#m", data, {"prompt": ["winner"], "shuffle": ["2"]})


def test_questions_on_one_passage_are_asked_in_turn() -> None:
    items = [ChoiceItem(id=str(n), passage="甲乙丙丁"[n % 4], question="？", options=("是", "否")) for n in range(12)]
    groups = [(item,) for item in items]
    assert all(len({items[at].passage for at in lane}) == 1 for lane in lanes(groups, 4))
    assert sorted(at for lane in lanes(groups, 4) for at in lane) == list(range(12))
    # fewer passages than requests at a time: nobody waits
    assert all(len(lane) == 1 for lane in lanes(groups, 5))
