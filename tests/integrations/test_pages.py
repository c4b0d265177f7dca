"""Tutorials and cookbook as a person follows them: every command, in order, in a folder with data and a reader."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.cli.running import run
from tests.docs.pages import DOCS, ROOT, Block, blocks
from tests.docs.test_commands import parsed

READER = "def answer(passage, question):\n    return passage.split('。')[0]\n"
PAGES = ("cookbook.md", "tutorial-engineer.md", "tutorial-researcher.md", "tutorial-organiser.md")


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "examples/cmrc2018.sample.json", tmp_path / "dev.json")
    shutil.copy(ROOT / "examples/cmrc2018.sample.predictions.json", tmp_path / "predictions.json")
    (tmp_path / "my_reader.py").write_text(READER, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_of_a_page(desk: Path, name: str) -> None:
    for block in blocks(DOCS / name):
        if block.title.endswith(".py"):
            (desk / block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            in_python(block, desk)
        elif block.language == "bash":
            for line in block.text.splitlines():
                follow(line, desk, block.place)


def in_python(block: Block, desk: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", block.text]
    done = subprocess.run(command, cwd=desk, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{block.place}: {done.stderr}"


def follow(line: str, desk: Path, place: str) -> None:
    """A line as typed: readproof in this process, anything else in a shell."""
    if line.startswith("readproof "):
        done = run(*shlex.split(line)[1:], cwd=desk)
    else:
        done = subprocess.run(["bash", "-ec", line], cwd=desk, capture_output=True, text=True)
    assert done.returncode == 0, f"{place}: {line}\n{done.stdout}{done.stderr}"


def snippet(title: str) -> str:
    (found,) = [one for one in blocks(DOCS / "integrations.md") if one.title == title]
    return found.text


def test_the_steps_for_github(desk: Path) -> None:
    workflow = yaml.safe_load(snippet(".github/workflows/readproof.yml"))
    steps = workflow["jobs"]["prove"]["steps"]
    assert all("uses" in step or "run" in step for step in steps)
    scripts = [step["run"] for step in steps if "run" in step]
    assert scripts[0] == "pip install readproof"
    in_shell(scripts[1:], desk)
    assert "# my\\_reader:answer on dev" in (desk / "summary.md").read_text(encoding="utf-8")
    (upload,) = [step for step in steps if "upload-artifact" in step.get("uses", "")]
    assert all((desk / path).exists() for path in upload["with"]["path"].split())


def test_the_script_for_gitlab(desk: Path) -> None:
    job = yaml.safe_load(snippet(".gitlab-ci.yml"))["readproof"]
    assert job["script"][0] == "pip install readproof"
    in_shell(job["script"][1:], desk)
    assert (desk / job["artifacts"]["reports"]["junit"]).is_file()
    assert (desk / job["artifacts"]["paths"][0]).is_dir()


def in_shell(scripts: list[str], desk: Path) -> None:
    """The scripts of a CI, by bash as it runs them, with a `readproof` on the path that is this one."""
    command = desk / "bin/readproof"
    command.parent.mkdir(exist_ok=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m readproof "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    # the reader of the page is weak on purpose: its thresholds are low, the shape of the command is what counts
    for script in scripts:
        script = script.replace("f1=60,addsent.kept=0.5", "f1=1,typo.kept=0.1").replace(
            "--limit 200", "--limit 5 --attacks typo"
        )
        environment = {
            "PATH": f"{command.parent}:/usr/bin:/bin",
            "PYTHONPATH": str(ROOT / "src"),
            "GITHUB_STEP_SUMMARY": str(desk / "summary.md"),
        }
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script], cwd=desk, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{script}\n{done.stderr}"


def test_the_python_of_the_page(desk: Path) -> None:
    for block in blocks(DOCS / "integrations.md"):
        if block.language == "python":
            if "datasets" in block.text:
                pytest.importorskip("datasets")
            in_python(block, desk)


def test_the_hook_refuses_what_audit_finds(desk: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["id"] == "readproof-audit" and hook["language"] == "python"
    local = yaml.safe_load(snippet(".pre-commit-config.yaml (local)"))["repos"][0]["hooks"][0]
    assert local["entry"] == hook["entry"]
    entry = shlex.split(hook["entry"])[1:]
    good, bad = desk / "good.json", desk / "bad.json"
    row = {
        "id": "a",
        "context": "北京是中国的首都。",
        "question": "首都是哪里？",
        "answers": [{"text": "北京", "answer_start": 0}],
    }
    good.write_text(json.dumps([row]), encoding="utf-8")
    bad.write_text(json.dumps([row | {"answers": [{"text": "北京", "answer_start": 3}]}]), encoding="utf-8")
    # pre-commit puts the files that changed behind the entry
    assert run(*entry, good, good).returncode == 0
    done = run(*entry, good, bad)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "bad.json" in done.stdout


def test_the_image_is_made_of_what_there_is_and_runs_what_is_known() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD"}
    assert {word for word, _ in steps} <= known and steps[0][0] == "FROM"
    let_in = [line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"]
    for word, rest in steps:
        if word == "COPY" and not rest.startswith("--from"):
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists() and source in let_in, source
    extras = yaml.safe_load(
        next(rest for word, rest in steps if "pip install" in rest).rpartition('"')[0].rpartition('".')[2]
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras) <= set(project["optional-dependencies"])
    assert ["ENTRYPOINT", '["readproof"]'] in steps
    assert steps[-2][0] == "ENTRYPOINT" and any(word == "USER" for word, _ in steps)


def test_the_compose_file_says_commands_that_there_are() -> None:
    file = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert set(file["services"]) == {"cli", "setup", "board"}
    for service in file["services"].values():
        assert service["build"] == "." and service["image"] == "readproof"
        for volume in service["volumes"]:
            assert volume.startswith(".:") or volume.partition(":")[0] in file["volumes"]
        if "command" in service:
            parsed(shlex.join(service["command"]).replace("${ORGANISER:-organiser@example.org}", "a@example.org"))
    assert file["services"]["board"]["ports"] == ["127.0.0.1:8000:8000"], "to be reached through a reverse proxy only"
