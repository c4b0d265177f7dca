"""The Python side: `import readproof as rp`, and a fixture for a team's own tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import readproof as rp
from readproof.items import SpanItem
from tests.proof import made_readers

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> rp.Run:
    out = tmp_path_factory.mktemp("api") / "run"
    return rp.prove(made_readers.perfect, list(made_readers.sample()[:4]), attacks=["typo"], out=out)


def test_a_run_is_opened_and_scored_again(run: rp.Run) -> None:
    assert rp.open_run(run.folder) == rp.rescore(run.folder, page=False) == run
    assert str(run) == run.table()
    assert "<pre>" in run._repr_html_()


def test_prove_writes_the_page_as_the_command_does(run: rp.Run, tmp_path: Path) -> None:
    assert run.page == run.folder / "report.html"
    assert run.page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert rp.report(run, tmp_path / "run.md", format="markdown").read_text(encoding="utf-8").startswith("#")
    bare = rp.prove(made_readers.perfect, made_readers.sample()[:2], attacks=[], out=tmp_path / "bare", page=False)
    assert not (bare.folder / "report.html").exists()
    assert bare.page.is_file(), "made when it is asked for"


def test_a_page_without_room_leaves_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("readproof.api.write_report", full)
    with pytest.warns(UserWarning, match="no page: .*No space left"):
        run = rp.prove(made_readers.perfect, made_readers.sample()[:2], attacks=[], out=tmp_path / "run")
    assert run.scores.verdict.headline


def test_a_data_frame_has_a_row_for_every_question(run: rp.Run) -> None:
    pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert len(frame) == sum(1 for _ in run.cases())
    assert set(frame["kind"]) == {"clean", "probe", "attack"}
    clean = frame[frame["kind"] == "clean"]
    assert len(clean) == 4 and (clean["measured_em"] == 1).all()
    assert set(frame[frame["kind"] == "attack"]["name"]) == {"typo"}


def test_data_is_answered_and_scored(tmp_path: Path) -> None:
    data = ROOT / "examples/cmrc2018.sample.json"
    out = tmp_path / "predictions.json"
    answers = rp.answer("baseline:overlap", data, out=out)
    assert {one.id for one in answers} == {item.id for item in rp.load(data)}
    score = rp.score(out, data)
    assert score.official == rp.score(out, f"cmrc2018:{data}").official
    assert rp.answer("baseline:overlap", list(rp.load(data)), limit=2) == answers[:2]
    with pytest.raises(rp.InputError, match="a list of items with `out`"):
        rp.answer("baseline:overlap", list(rp.load(data)), out=out)


def test_items_are_attacked_one_by_one() -> None:
    items = [item for item in rp.load(ROOT / "examples/cmrc2018.sample.json") if isinstance(item, SpanItem)]
    found = list(rp.attack("typo", items, limit=3))
    assert len(found) == 3
    assert any(one.variants for one in found)
    assert list(rp.attack("typo", iter(items), limit=3)) == found
    with pytest.raises(rp.InputError, match="searches against a reader"):
        rp.attack("addany", items)


def test_a_suite_and_a_comparison(tmp_path: Path) -> None:
    data = ROOT / "examples/cmrc2018.sample.json"
    assert rp.suite(data, tmp_path / "suite.jsonl", attacks=["typo"]).questions > 0
    suite = tmp_path / "suite.jsonl"
    runs = [rp.prove(f"baseline:{name}", suite=suite, out=tmp_path / name, page=False) for name in ("first", "last")]
    assert [row.attack for row in rp.compare(*runs).differences] == ["clean", "typo"]


def test_names_are_known_and_others_are_not() -> None:
    assert set(rp.__all__) <= set(dir(rp))
    for name in rp.__all__:
        getattr(rp, name)
    with pytest.raises(AttributeError, match="no attribute 'proved'"):
        _ = rp.proved  # type: ignore[attr-defined]


def test_functions_stay_functions_whatever_is_imported() -> None:
    """No package may bear the name of a function: importing it would put it in the function's place."""
    packages = {path.stem for path in (ROOT / "src/readproof").iterdir() if path.name[0] != "_"}
    assert not packages & set(rp.__all__)


def test_help_shows_the_parameters() -> None:
    import inspect

    assert inspect.isfunction(rp.prove)
    assert {"reader", "data", "attacks", "fail_under", "page"} <= set(inspect.signature(rp.prove).parameters)
    assert "fail_under: thresholds" in (inspect.getdoc(rp.prove) or "")


def test_a_type_checker_knows_the_names(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import readproof as rp\n"
        "run = rp.prove('zh', 'dev.json', atacks=['typo'])\n"
        "print(rp.proove)\n"
        "good: rp.Run = rp.prove('zh', 'dev.json', attacks=['typo'])\n"
        "print(good.scores.verdict.headline, good.page.name)\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(script)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert 'Unexpected keyword argument "atacks" for "prove"' in done.stdout, done.stdout
    assert 'has no attribute "proove"' in done.stdout, done.stdout
    assert "Found 2 errors in 1 file" in done.stdout, done.stdout


def test_docstrings_and_docs_tell_the_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import doctest

    monkeypatch.chdir(tmp_path)
    (tmp_path / "dev.json").write_bytes((ROOT / "examples/cmrc2018.sample.json").read_bytes())
    (tmp_path / "my_package.py").write_text(
        "def reader(passage, question):\n    return passage[:8]\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_package", raising=False)  # another test has one, too
    found = doctest.testfile(str(ROOT / "docs/prove.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0
    assert found.attempted > 3


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
        "print([name for name in ('numpy', 'readproof.proof') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
