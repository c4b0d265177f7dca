"""The Python side: `import readproof as rp`, a table for any width, a fixture for a team's own tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import readproof as rp
from readproof.prove import Run
from tests.prove import made_readers

ROOT = Path(__file__).parents[2]


def test_the_package_can_be_called(tmp_path: Path) -> None:
    run = rp.prove(made_readers.perfect, list(made_readers.sample()[:4]), attacks=["typo"], out=tmp_path / "run")
    assert rp.open_run(run.folder).scores == run.scores
    assert rp.rescore(run.folder).scores == run.scores
    assert "prove" in dir(rp)
    with pytest.raises(AttributeError, match="no attribute 'proof'"):
        _ = rp.proof


def test_docstrings_and_docs_tell_the_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import doctest

    monkeypatch.chdir(tmp_path)
    (tmp_path / "dev.json").write_bytes((ROOT / "examples/cmrc2018.sample.json").read_bytes())
    (tmp_path / "my_package.py").write_text(
        "def reader(passage, question):\n    return passage[:8]\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = doctest.testfile(str(ROOT / "docs/prove.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
    assert found.attempted > 3


def test_a_narrow_table_loses_no_figure(perfect_run: Run) -> None:
    narrow, wide = (perfect_run.table(width) for width in (40, 80))
    assert "…" not in narrow
    words = set(narrow.split())
    assert [word for word in wide.split() if word not in words] == []


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_fits_its_width(perfect_run: Run, width: int) -> None:
    table = perfect_run.table(width)
    assert max(map(len, table.splitlines()[1:])) <= width
    assert "…" not in table
    for one in perfect_run.scores.attacks:
        assert f"  {one.attack} " in table
    assert str(perfect_run) == perfect_run.table()


def test_the_default_folder_is_the_same_for_the_same_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    items = list(made_readers.sample()[:3])
    one = rp.prove(made_readers.perfect, iter(items), attacks=[])  # as `load` gives them
    other = rp.prove(made_readers.perfect, items, attacks=[], seed=1)
    assert one.folder == rp.prove(made_readers.perfect, items, attacks=[]).folder != other.folder
    assert one.folder.parent == Path("runs")


TESTS = """
def test_good(robustness):
    robustness("my_reader:good", "dev.json", attacks=["typo"], limit=6).at_least(em=0).keeps("typo.f1=0")

def test_bad(robustness):
    robustness("my_reader:good", "dev.json", attacks=["typo"], limit=6).at_least(f1=99)
"""


def test_a_fixture_for_a_team_s_own_tests(tmp_path: Path) -> None:
    (tmp_path / "test_reader.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "my_reader.py").write_text("def good(passage, question):\n    return passage[:8]\n", encoding="utf-8")
    (tmp_path / "dev.json").write_bytes((ROOT / "examples/cmrc2018.sample.json").read_bytes())
    # a checkout that was installed before the entry point came does not have it yet
    plugin = ["-p", "readproof.pytest_plugin"] if not _installed() else []
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "f1 is" in done.stdout
    assert "F1 under attack" in done.stdout


def _installed() -> bool:
    from importlib.metadata import entry_points

    return any(point.name == "readproof" for point in entry_points(group="pytest11"))


def test_the_plugin_is_light() -> None:
    code = (
        "import sys, readproof.pytest_plugin\n"
        "print([name for name in ('numpy', 'readproof.prove') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
