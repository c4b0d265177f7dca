"""`prove` with a language model: the estimate before, the budget, what it cost after, nobody else's answers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from readproof.proof.estimate import estimated
from readproof.proof.plan import AttackSelection, on_data
from readproof.proof.results import TIMINGS, read_timings
from readproof.readers.api import ReaderOptions
from readproof.readers.llm import open_llm
from tests.made_data import MADE
from tests.readers.llm.proxy import Proxy

SAMPLE = Path(__file__).parents[3] / "examples/cmrc2018.sample.json"


@pytest.fixture
def triples(tmp_path: Path) -> Path:
    """Eight triples, each on a passage of its own."""
    record = json.loads(MADE["gcrc"])["data"][0]
    records = [{**record, "id": f"t{n}", "passage": f"{n}：{record['passage']}"} for n in range(8)]
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"data": records}, ensure_ascii=False), encoding="utf-8")
    return path


def readproof(*arguments: str | Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "readproof.cli.main", *map(str, arguments)]
    found = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert found.returncode == status, found.stderr
    return found


def proved(spec: str, data: str | Path, out: Path, *more: str) -> dict[str, Any]:
    found = readproof("prove", spec, data, "--out", out, "--no-page", "--json", *more)
    record: dict[str, Any] = json.loads(found.stdout)["runs"][0]
    return record


def test_a_dry_run_estimates_and_asks_nothing_that_is_billed(proxy: Proxy, tmp_path: Path) -> None:
    spec = f"llm:{proxy.address}#m?max_tokens=2&price_in=1&price_out=2"
    found = readproof("prove", spec, SAMPLE, "--limit", "4", "--attacks", "none", "--dry-run", "-o", tmp_path / "run")
    assert "Estimate: about" in found.stderr and "cost" in found.stderr
    assert not proxy.seen
    assert not (tmp_path / "run").exists()
    plain = json.loads(
        readproof("prove", spec, SAMPLE, "--limit", "4", "--attacks", "none", "--dry-run", "--json").stdout
    )["estimate"]
    assert plain["requests"] > 4 and plain["cost"] > 0
    readproof("prove", "zh", SAMPLE, "--dry-run", status=2)


def test_the_estimate_is_what_is_asked_in_the_end(server: str, tmp_path: Path) -> None:
    spec = f"llm:{server}#m?max_tokens=2&price_in=1"
    reader = open_llm(spec, ReaderOptions())
    selection = AttackSelection(attacks=("typo", "invisible"))
    prepared = on_data(str(SAMPLE), reader, selection, seed=0, limit=6)
    told = estimated(prepared, reader, dry=True)
    assert told.counted == "the server's tokenizer"
    run = proved(spec, SAMPLE, tmp_path / "run", "--limit", "6", "--attacks", "typo,invisible")
    usage = run["timings"]["usage"]["reader"]
    assert told.requests == usage["requests"]
    assert abs(told.tokens_in - usage["tokens_in"]) < 0.05 * usage["tokens_in"]
    reader.close()
    # all of it is in the cache now
    again = open_llm(spec, ReaderOptions())
    told = estimated(on_data(str(SAMPLE), again, selection, seed=0, limit=6), again, dry=True)
    assert (told.requests, told.tokens_in) == (0, 0)
    assert "nothing to ask" in told.in_words()[0]
    again.close()


def test_table_page_and_files_say_what_it_cost(proxy: Proxy, tmp_path: Path) -> None:
    spec = f"llm:{proxy.address}#m?max_tokens=2&price_in=1000&price_out=1000"
    found = readproof("prove", spec, SAMPLE, "--limit", "3", "--attacks", "none", "-o", tmp_path / "run")
    assert "tokens in" in found.stdout and "cost" in found.stdout and "a request took" in found.stdout
    assert "under 1 ms" not in found.stdout
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "requests to the language model" in page and "语言模型请求数" in page
    usage = read_timings(tmp_path / "run" / TIMINGS).usage["reader"]
    assert usage.requests == len(proxy.seen) == len(usage.latencies)
    assert usage.cost == pytest.approx((usage.tokens_in + usage.tokens_out) / 1000)
    # from the cache: nothing is asked, and nothing is said of how fast the server is
    again = proved(spec, SAMPLE, tmp_path / "again", "--limit", "3", "--attacks", "none")["timings"]
    assert again["usage"]["reader"]["requests"] == 0
    assert again["usage"]["reader"]["cache_hits"] > 0
    assert "latency" not in again["usage"]["reader"] and again["speed"] == {}


def test_a_budget_ends_a_run_that_a_higher_one_resumes(proxy: Proxy, tmp_path: Path) -> None:
    spec = f"llm:{proxy.address}#m?max_tokens=2&concurrency=2"
    more = ("prove", spec, SAMPLE, "--limit", "4", "--attacks", "none", "--no-page", "-o", tmp_path / "run")
    stopped = readproof(*more, "--max-requests", "9", status=2)
    assert "--max-requests" in stopped.stderr
    assert len(proxy.seen) == 9
    readproof(*more)
    assert set(proxy.forwarded.values()) == {1}
    broke = readproof("prove", spec, SAMPLE, "--max-cost", "1", status=2)
    assert "price_in" in broke.stderr
    assert "Only a language model" in readproof("prove", "zh", SAMPLE, "--max-cost", "1", status=2).stderr


def test_money_is_not_spent_beyond_its_limit(proxy: Proxy, tmp_path: Path) -> None:
    spec = f"llm:{proxy.address}#m?max_tokens=2&concurrency=1&price_in=1000"
    more = ("answer", SAMPLE, "--reader", spec, "-o", tmp_path / "p.json")
    assert "--max-cost" in readproof(*more, "--max-cost", "2", status=2).stderr
    tokens = sum(reply["usage"]["prompt_tokens"] for reply in proxy.replies.values())
    assert 0 < tokens / 1000 <= 2


def test_two_servers_with_one_model_name_never_share_a_run(proxy: Proxy, server: str, tmp_path: Path) -> None:
    """Two real servers, one name: the second run has answers of its own, though its folder would be the same."""
    other = Proxy(server)
    try:
        for one, letter in ((proxy, "答案：谁"), (other, "答案：无双")):
            one.says = lambda _request, letter=letter: letter  # type: ignore[misc]
        runs = []
        for one in (proxy, other):
            command = ("prove", f"llm:{one.address}#model", SAMPLE, "--limit", "2", "--attacks", "none", "--no-page")
            found = subprocess.run(
                [sys.executable, "-m", "readproof.cli.main", *map(str, command), "--json"],
                capture_output=True, text=True, encoding="utf-8", check=True, cwd=tmp_path,
            )  # fmt: skip
            runs.append(json.loads(found.stdout)["runs"][0]["folder"])
        assert runs[0] != runs[1]
        assert proxy.seen and len(proxy.seen) == len(other.seen)
        # and the folder of one is refused to the other
        folder = tmp_path / runs[0]
        spec = f"llm:{other.address}#model"
        refused = readproof(
            "prove", spec, SAMPLE, "--limit", "2", "--attacks", "none", "--no-page", "-o", folder, status=2
        )
        assert "another run" in refused.stderr
    finally:
        other.close()


def test_killed_and_started_again_nothing_is_asked_twice(proxy: Proxy, tmp_path: Path) -> None:
    spec = f"llm:{proxy.address}#m?max_tokens=2&concurrency=2"
    arguments = ["prove", spec, SAMPLE, "--limit", "6", "--attacks", "none", "--no-page", "-o", tmp_path / "run"]
    proxy.hold_after = 25
    command = [sys.executable, "-m", "readproof.cli.main", *map(str, arguments)]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ)
    until = time.monotonic() + 60
    while time.monotonic() < until and len(proxy.seen) < 26:
        time.sleep(0.02)
    time.sleep(0.2)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert sum(proxy.forwarded.values()) == 25
    proxy.hold_after = None
    readproof(*arguments)
    assert set(proxy.forwarded.values()) == {1}


@pytest.mark.parametrize("prompt", ["winner", "table5"])
def test_joint_prompts_ask_the_questions_of_a_triple_in_one_conversation(
    proxy: Proxy, triples: Path, tmp_path: Path, prompt: str
) -> None:
    proxy.says = lambda request: "B"
    spec = f"llm:{proxy.address}#m?prompt={prompt}&concurrency=2"
    run = proved(spec, f"gcrc:{triples}", tmp_path / "run", "--attacks", "triples")
    notes = run["scores"]["run"]["notes"]
    assert any("not independent" in note for note in notes)
    assert run["timings"]["usage"]["reader"]["independent"] is False
    texts = [json.dumps(request["messages"], ensure_ascii=False) for request in proxy.seen]
    third = [text for text in texts if ("问题3" if prompt == "table5" else "问题三") in text]
    assert len(third) == 8
    if prompt == "table5":
        assert all(len(request["messages"]) == 1 for request in proxy.seen)
        assert all("答：B\\n\\n问题2" in text and "答：B\\n\\n问题3" in text for text in third)
    # every probe asks the first question of a conversation of its own
    assert {probe["name"] for part in run["scores"]["parts"] for probe in part["probes"]} >= {"no-passage"}
    again = readproof("prove", spec, SAMPLE, "--no-page", "-o", tmp_path / "other", status=2)
    assert "whole triples" in again.stderr
