"""`readproof answer` with a language model: official predictions, prompts kept, nothing asked twice after a kill."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from readproof.journal import part_of
from readproof.readers import load_reader
from readproof.readers.job import answer_file, prompts_of
from readproof.tasks import TASKS
from readproof.tasks.scoring import score as scored
from tests.made_data import MADE
from tests.readers.llm.proxy import Proxy


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "readproof.cli.main", "answer", *map(str, arguments)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Forty triples, each on a passage of its own."""
    record = json.loads(MADE["gcrc"])["data"][0]
    records = [{**record, "id": f"t{n}", "passage": f"{n}：{record['passage']}"} for n in range(40)]
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"data": records}, ensure_ascii=False), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> dict[str, Any]:
    found = subprocess.run(command(*arguments, "--json"), capture_output=True, text=True, encoding="utf-8", check=False)
    assert found.returncode == 0, found.stderr
    record: dict[str, Any] = json.loads(found.stdout)
    return record


def test_predictions_figures_and_prompts(data: Path, proxy: Proxy, tmp_path: Path) -> None:
    proxy.says = lambda request: "答案：B" if "不正确" not in request["messages"][-1]["content"] else "难说"
    out = tmp_path / "predictions.json"
    record = run(f"gcrc:{data}", "--reader", f"llm:{proxy.address}#some/model?max_tokens=2", "-o", out)
    figures = record["language_model"]
    assert (record["questions"], record["reader"], figures["requests"]) == (120, "llm:some/model", 120)
    assert figures["tokens_in"] > 0 and figures["tokens_out"] > 0
    assert (figures["unparsed"], figures["independent"], figures["track"]) == (40, True, "open")
    row = json.loads(out.read_text(encoding="utf-8"))["data"][0]
    assert (row["answer"], row["positive_answer"], row["negative_answer"]) == ("B", "B", "")
    assert scored(TASKS.get("gcrc"), out, data).official["Acc0"] == 1
    lines = [json.loads(line) for line in Path(record["prompts"]).read_text(encoding="utf-8").splitlines()]
    assert lines[0]["model"] == "some/model"
    assert (lines[1]["prompt"], lines[1]["language"]) == ("independent", "zh")
    assert "{passage}" in lines[1]["user"]
    assert not part_of(out).exists()


def test_for_a_person(data: Path, proxy: Proxy, tmp_path: Path) -> None:
    proxy.says = lambda request: "选A"
    spec = f"llm:{proxy.address}#m?prompt=winner&max_tokens=2"
    found = subprocess.run(
        command(f"gcrc:{data}", "--reader", spec, "-o", tmp_path / "p.json", "--limit", "3"),
        capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert "9 requests" in found.stdout
    assert "no letter found in the replies to 0 of 9 questions (0.0%)" in found.stdout
    assert "not independent" in found.stdout
    assert (
        json.loads(prompts_of(tmp_path / "p.json").read_text(encoding="utf-8").splitlines()[0])["independent"] is False
    )


def test_killed_and_started_again_nothing_is_asked_twice(data: Path, proxy: Proxy, cache: Path, tmp_path: Path) -> None:
    spec = f"llm:{proxy.address}#m?max_tokens=2&concurrency=3"
    proxy.hold_after = 50
    out = tmp_path / "p.json"
    killed = subprocess.Popen(command(data, "--reader", spec, "-o", out), stderr=subprocess.DEVNULL, env=os.environ)
    until = time.monotonic() + 30
    while time.monotonic() < until and (replies_in(cache) < 50 or len(proxy.seen) < 53):
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    # fifty answered, three in the air, which never reached the server
    assert (sum(proxy.forwarded.values()), len(proxy.seen)) == (50, 53)
    assert not out.exists()
    proxy.hold_after = None
    record = run(data, "--reader", spec, "-o", out)
    figures = record["language_model"]
    assert (figures["requests"], figures["cache_hits"]) == (70, 50)
    assert len(proxy.forwarded) == 120
    assert set(proxy.forwarded.values()) == {1}
    assert run(data, "--reader", spec, "-o", tmp_path / "again.json")["language_model"]["requests"] == 0
    assert (tmp_path / "again.json").read_bytes() == out.read_bytes()


def replies_in(cache: Path) -> int:
    try:
        with sqlite3.connect(f"file:{cache / 'answers.sqlite'}?mode=ro", uri=True) as file:
            return int(file.execute("SELECT COUNT(*) FROM replies").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_stopped_by_a_person_it_goes_on(data: Path, proxy: Proxy, tmp_path: Path) -> None:
    def stop(done: int, _total: int) -> None:
        if done == 30:
            raise KeyboardInterrupt

    spec = f"llm:{proxy.address}#m?max_tokens=1"
    with pytest.raises(KeyboardInterrupt):
        answer_file(str(data), load_reader(spec), tmp_path / "p.json", progress=stop)
    before = len(proxy.seen)
    assert 30 <= before < 60
    done = answer_file(str(data), load_reader(spec), tmp_path / "p.json")
    assert (done.questions, len(proxy.forwarded)) == (120, 120)
    assert set(proxy.forwarded.values()) == {1}


def test_a_joint_prompt_refuses_what_is_no_triple_before_it_asks(proxy: Proxy, tmp_path: Path) -> None:
    (tmp_path / "train.json").write_bytes(MADE["gcrc train"])
    spec = f"llm:{proxy.address}#m?prompt=winner"
    found = subprocess.run(
        command(f"gcrc:{tmp_path / 'train.json'}", "--reader", spec, "-o", tmp_path / "p.json"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 2
    assert "whole triples" in found.stderr
    assert not proxy.seen


def test_spans_of_a_file(proxy: Proxy, tmp_path: Path) -> None:
    (tmp_path / "dev.json").write_bytes(MADE["cmrc squad"])
    proxy.says = lambda request: "三大故事"
    out = tmp_path / "p.json"
    record = run(f"cmrc2018:{tmp_path / 'dev.json'}", "--reader", f"llm:{proxy.address}#m", "-o", out)
    assert record["language_model"]["not_in_the_passage"] == 0
    assert json.loads(out.read_text(encoding="utf-8")) == {"DEV_0_QUERY_0": "三大故事", "DEV_0_QUERY_1": "三大故事"}


def test_ask_takes_it_too(proxy: Proxy) -> None:
    proxy.says = lambda request: "部分物资"
    arguments = ["ask", "湿地提供了什么？", "--text", "湿地提供了部分物资。", "--reader", f"llm:{proxy.address}#m"]
    found = subprocess.run(
        [sys.executable, "-m", "readproof.cli.main", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "⟦部分物资⟧" in found.stdout


def test_a_server_that_is_down_is_told(data: Path, tmp_path: Path) -> None:
    found = subprocess.run(
        command(data, "--reader", "llm:http://127.0.0.1:9/v1#m", "-o", tmp_path / "p.json"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert found.returncode == 2
    assert "Is the endpoint up?" in found.stderr
    assert not (tmp_path / "p.json").exists()
