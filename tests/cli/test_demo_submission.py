"""`readproof pack demo`: what it makes is right, and can be checked and scored like anybody's."""

from __future__ import annotations

import json
import shlex
import zipfile
from pathlib import Path

import pytest

from readproof.submit import check
from tests.cli.running import run


def test_gcrc_by_the_shipped_reader(tmp_path: Path) -> None:
    pytest.importorskip("docx", reason="needs the extra [submit]")
    done = run("pack", "demo", "gcrc", "-o", tmp_path / "demo", "--limit", "1", "--threads", "1")
    assert done.returncode == 0, done.stderr
    package = tmp_path / "demo/GCRC_advRobust.zip"
    assert done.stdout.startswith(f"{package}: 1 item; all right\n")
    found = check(package, tests=[f"gcrc:{tmp_path}/demo/test.json"], track="closed")
    assert found.problems == ()
    with zipfile.ZipFile(package) as archive:
        (row,) = json.loads(archive.read("GCRC_advRobust.json"))["data"]
    assert {row[key] for key in ("answer", "positive_answer", "negative_answer")} <= set("ABCD")


def test_celue_by_a_model_that_says_what_it_is(tmp_path: Path) -> None:
    done = run("pack", "demo", "celue", "-o", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert (record["ok"], record["items"]) == (True, 15)
    assert [one["code"] for one in record["problems"]] == ["C634"]
    again = run("check", record["package"], *(part for one in record["tests"] for part in ("--test", one)))
    assert again.returncode == 0


def test_the_command_to_check_with_can_be_pasted(tmp_path: Path) -> None:
    done = run("pack", "demo", "celue", "-o", tmp_path / "演示 one")
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("check it: "))
    program, *arguments = shlex.split(line.removeprefix("check it: "))
    assert program == "readproof"
    assert run(*arguments).returncode == 0


def test_the_model_of_the_celue_demo_does_what_the_lines_say(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra [train]")
    assert run("pack", "demo", "celue", "-o", tmp_path).returncode == 0
    space: dict[str, object] = {}
    code = (tmp_path / "submission_files/chnc/model_to_eval.py").read_text(encoding="utf-8")
    exec(compile(code, "model_to_eval.py", "exec"), space)  # our own file
    modules = space["module_list"]
    assert isinstance(modules, dict)
    assert set(modules) == {"constant"}
    out = modules["constant"](torch.zeros(1, 21, dtype=torch.long))
    assert torch.equal(out, modules["constant"](torch.ones(1, 5, dtype=torch.long)))
