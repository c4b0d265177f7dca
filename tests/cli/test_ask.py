"""`readproof ask`: one question or many, for people and for programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from readproof.cli._ask_lines import AROUND, lines
from readproof.cli._show_lines import PageStyle
from readproof.items import Answer, SpanItem
from readproof.readers.shipped import ZH
from tests.cli import running
from tests.readers.tiny import save_tiny

needs_weights = pytest.mark.skipif(not (ZH.folder / "model.onnx").is_file(), reason="needs the shipped weights")
PASSAGE = "他生于越\u200b南。1963年在中国的公司上有人。"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("onnx")
    return str(save_tiny(tmp_path_factory.mktemp("tiny"), card={"name": "tiny"}))


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return running.run("ask", *arguments, given=given)


def test_an_answer_for_a_program(tiny: str, tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    file.write_text(PASSAGE, encoding="utf-8")
    ways = [("--passage", str(file)), ("--text", PASSAGE), ("--passage", "-")]
    found = [run("他是谁？", *way, "--reader", tiny, "--json", given=PASSAGE) for way in ways]
    assert all(one.returncode == 0 for one in found), found[0].stderr
    records = [json.loads(one.stdout) for one in found]
    assert records[0] == records[1] == records[2]
    record = records[0]
    assert PASSAGE[record["start"] : record["end"]] == record["raw"]
    assert record["reader"] == "tiny"
    assert record["answers"][0]["text"] == record["text"]
    assert len(record["answers"]) <= 3


def test_an_answer_for_a_person(tiny: str) -> None:
    found = run("他是谁？", "--text", PASSAGE, "--reader", tiny, "--top", "1")
    assert found.returncode == 0, found.stderr
    assert "⟦" in found.stdout and "%" in found.stdout
    assert "\u200b" not in found.stdout


@needs_weights
def test_what_was_not_read_is_told() -> None:
    thrown = "进来紧张中国认为来自消息哦接受人类完成。"
    text = f"湿地是人类的衣食父母，为人类提供了部分物资。{thrown}人们到了19世纪中叶才开始研究湿地。"
    found = run("人们什么时候开始研究湿地？", "--text", text, "--reader", "sense:zh")
    assert "not read by sense:zh:" in found.stdout and f"22–42  {thrown}" in found.stdout
    program = json.loads(run("谁？", "--text", text, "--reader", "sense:zh", "--json").stdout)
    assert program["not_read"] == [{"start": 22, "end": 42, "text": thrown}]
    assert "not_read" not in json.loads(run("谁？", "--text", text, "--reader", "zh", "--json").stdout)


def test_questions_line_by_line(tiny: str) -> None:
    found = run("--text", PASSAGE, "--reader", tiny, "--json", given="他是谁？\n\n \u200b\n在哪里？\n")
    assert [one["question"] for one in json.loads(found.stdout)["questions"]] == ["他是谁？", "在哪里？"]


@pytest.mark.parametrize("encoding", ["ascii", "gbk"])
def test_questions_are_utf8_on_any_console(tiny: str, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    command = [sys.executable, "-m", "readproof.cli.main", "ask", "--text", PASSAGE, "--reader", tiny, "--json"]
    found = subprocess.run(command, input="他是谁？\n", capture_output=True, encoding="utf-8", check=False)
    assert [one["question"] for one in json.loads(found.stdout)["questions"]] == ["他是谁？"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("谁？",), "no passage"),
        (("谁？", "--text", "一", "--passage", "二"), "both --passage and --text"),
        (("", "--text", "一"), "an empty question"),
        ((" \u200b", "--text", "一"), "an empty question"),
        (("谁？", "--text", ""), "an empty passage"),
        (("谁？", "--text", "\n \u200b"), "an empty passage"),
        (("谁？", "--passage", "-"), "standard input: found an empty passage"),
        (("谁？", "--passage", "no-such-file"), "no such file"),
        (("--passage", "-"), "no question"),
        (("谁？", "--text", "一", "--reader", "llm:x"), "language-model"),
        (("谁？", "--text", "一", "--threads", "99999999999999"), "--threads"),
    ],
)
def test_what_cannot_be_asked(arguments: tuple[str, ...], says: str) -> None:
    found = run(*arguments)
    assert found.returncode == 2
    assert says in found.stderr
    assert not found.stdout


def test_a_function_can_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text("def answer(passage, question):\n    return passage[1:3]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    environment = {**os.environ, "READPROOF_DEBUG": "1"}
    command = [sys.executable, "-m", "readproof.cli.main", "ask", "?", "--text", "甲乙丙丁", "--reader", "mine:answer"]
    found = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, env=environment)
    assert "甲⟦乙丙⟧丁" in found.stdout


def test_of_a_long_passage_only_what_is_near() -> None:
    passage = "甲" * 1000 + "乙丙" + "丁" * 1000
    item = SpanItem(id="1", passage=passage, question="?")
    shown = "\n".join(lines(item, [Answer(id="1", text="乙丙", raw="乙丙", start=1000, end=1002)], PageStyle(width=60)))
    assert shown.count("甲") == shown.count("丁") == AROUND
    assert "⟦乙丙⟧" in shown.replace("\n", "")
    nothing = "\n".join(lines(item, [Answer(id="1")], PageStyle(width=60)))
    assert "(no answer)" in nothing


@needs_weights
def test_the_shipped_reader_answers_in_time() -> None:
    passage = "《战国无双3》（）是由光荣和ω-force开发的战国无双系列的正统第三续作。"
    code = (
        "import resource, subprocess, sys\n"
        "out = subprocess.run([sys.executable, '-m', 'readproof.cli.main', 'ask', sys.argv[2], '--text', sys.argv[1],"
        " '--json'], capture_output=True, text=True, check=True, encoding='utf-8').stdout\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(out, used.ru_utime + used.ru_stime, sep='\\n@')\n"
    )
    question = "《战国无双3》是由哪两个公司合作开发的？"
    found = subprocess.run(
        [sys.executable, "-c", code, passage, question], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    answer, _, seconds = found.stdout.partition("\n@")
    assert json.loads(answer)["text"] == "光荣和ω-force"
    assert float(seconds) < 1.5
