"""The Python of the docs: all of it compiles, what it imports is there, and what can be run without much is run."""

from __future__ import annotations

import ast
import doctest
import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from readproof.tasks import find, load
from tests.docs.pages import DOCS, ROOT, Block, all_blocks, blocks

PYTHON = all_blocks("python")
# pages whose blocks are run from top to bottom, in one namespace
WHOLE = ("concepts.md", "writing-a-reader.md", "writing-an-attack.md", "text.md")
READER = "def reader(passage, question):\n    return passage[:8]\n"


def source(block: Block) -> str:
    """The block's code; of a session, what was typed."""
    if ">>>" in block.text:
        return "".join(one.source for one in doctest.DocTestParser().get_examples(block.text))
    return block.text


@pytest.mark.parametrize("block", PYTHON, ids=[block.place for block in PYTHON])
def test_it_compiles_and_its_imports_are_there(block: Block) -> None:
    own = {one.title.removesuffix(".py") for one in blocks(block.page) if one.title.endswith(".py")}
    for node in ast.walk(ast.parse(source(block), filename=block.place)):
        if isinstance(node, ast.ImportFrom) and node.module not in own:
            module = import_module(str(node.module))
            missing = [one.name for one in node.names if not hasattr(module, one.name)]
            assert not missing, f"{block.place}: {node.module} has no {missing}"
        if isinstance(node, ast.Import):
            for one in node.names:
                import_module(one.name)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the pages take it: the examples, a data file, predictions, a reader."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("persian_study"))
    shutil.copy(ROOT / "examples/cmrc2018.sample.json", tmp_path / "dev.json")
    shutil.copy(ROOT / "examples/cmrc2018.sample.predictions.json", tmp_path / "predictions.json")
    (tmp_path / "my_package.py").write_text(READER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("my_package", "my_reader", "my_package_entry", "echo_attack"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


@pytest.mark.parametrize("name", WHOLE)
def test_the_page_runs(name: str, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from readproof.attacks import ATTACKS

    monkeypatch.setattr(ATTACKS, "_places", dict(ATTACKS._places))
    namespace: dict[str, Any] = {}
    for block in blocks(DOCS / name):
        if block.language != "python":
            continue
        if block.title:
            (desk / block.title).write_text(block.text, encoding="utf-8")
        exec(compile(block.text, block.place, "exec"), namespace)


def test_the_python_of_the_commands_page_runs(desk: Path) -> None:
    scoring, offsets = (block for block in blocks(DOCS / "commands.md") if block.language == "python")
    namespace: dict[str, Any] = {"passage": "这是\u200b答\u200b案。"}
    for block in (scoring, offsets):
        exec(compile(block.text, block.place, "exec"), namespace)
    assert namespace["result"].counts["items"] == 27


@pytest.mark.parametrize("name", ["writing-a-reader.md", "writing-an-attack.md"])
def test_the_commands_of_the_page_run_with_its_plug_in(name: str, desk: Path) -> None:
    """An installed package is a folder with entry points on the path; the page's pyproject.toml says which."""
    import tomllib

    found = blocks(DOCS / name)
    for block in found:
        if block.title.endswith(".py"):
            (desk / block.title).write_text(block.text, encoding="utf-8")
    (toml,) = (block for block in found if block.title == "pyproject.toml")
    points = tomllib.loads(toml.text)["project"]["entry-points"]
    folder = desk / "plug_in-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: plug-in\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"[{group}]\n{key} = {value}" for group, named in points.items() for key, value in named.items()]
    (folder / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    commands = "".join(block.text for block in found if block.language == "bash")
    if name == "writing-a-reader.md":
        commands += (
            "readproof list readers | grep nearest\n"
            "readproof ask 谁？ --passage examples/passage.txt --reader nearest\n"
        )
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PYTHONPATH": str(desk), "PATH": path}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("how often the question is put" if "attack" in name else "longest_number") in done.stdout


JSON = [block for block in blocks(DOCS / "tasks.md") if block.language == "json"]


@pytest.mark.parametrize("block", JSON, ids=[block.title for block in JSON])
def test_the_files_on_the_tasks_page_are_recognised(block: Block, tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text(block.text, encoding="utf-8")
    task, _ = find(path)
    assert task.name == block.title
    assert list(load(path))


def test_other_json_is_json() -> None:
    for block in all_blocks("json"):
        text = block.text.replace("…", "")
        try:
            json.loads(text)
        except json.JSONDecodeError:
            # lines, each of its own, or one object over several lines after another
            decoder, at = json.JSONDecoder(), 0
            while at < len(text.rstrip()):
                _, at = decoder.raw_decode(text, at)
                at += len(text[at:]) - len(text[at:].lstrip())
