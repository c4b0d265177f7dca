"""All runs on one page, runs side by side, the checks for a CI: of real runs, read back as their readers read them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from readproof.codec import write_json
from readproof.proof.compare import Difference, compare
from readproof.proof.results import TIMINGS
from readproof.proof.run import RunResults, prove_reader
from readproof.reports.comparison import comparison, explained, explanations
from readproof.reports.failures import faults_of_data
from readproof.reports.index import index_page, write_index
from readproof.reports.junit import junit
from tests.cli.running import run
from tests.reports.made_runs import Made, sample_items
from tests.reports.test_browser import opened
from tests.reports.test_page import Parsed

ATTACKS = ["addonesent", "typo"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[RunResults]:
    """Three runs of two readers, made on three days."""
    folder = tmp_path_factory.mktemp("sheets") / "runs"
    items = [one for one in sample_items() if type(one).__name__ == "SpanItem"]
    made = []
    for day, (name, steady) in enumerate((("made", False), ("steady", True), ("made", True)), start=1):
        found = prove_reader(Made(items, name=name, steady=steady), items, attacks=ATTACKS, out=folder / f"{day}")
        stamped = replace(found.timings, made={"date": f"2026-11-0{day} 10:00 UTC", "commit": f"abc{day}"})
        write_json(found.folder / TIMINGS, stamped)
        made.append(replace(found, timings=stamped))
    return made


def test_all_runs_on_one_page(runs: list[RunResults]) -> None:
    folder = runs[0].folder.parent
    (folder / "1/report.html").write_text("", encoding="utf-8")
    (folder / "broken").mkdir(exist_ok=True)
    (folder / "broken/run.json").write_text("{}", encoding="utf-8")
    text = write_index(folder).read_text(encoding="utf-8")
    parsed = Parsed(text)
    assert parsed.open == []
    rows = re.findall(r"<tr.*?</tr>", text, flags=re.S)[1:]
    assert [re.search(r"2026-11-0\d", row)[0] for row in rows] == ["2026-11-03", "2026-11-02", "2026-11-01"]  # type: ignore[index]
    assert all(f"F1 {one.scores.parts[0].clean['f1'].value:.1f}" in text for one in runs)
    assert rows[0].count("<svg") == 1 and "<svg" not in rows[1] + rows[2], "only the third run has one before it"
    assert 'href="1/report.html"' in rows[2] and "href" not in rows[0]
    assert "1 more are not finished" in text
    assert "abc3" in rows[0]


def test_the_page_of_all_runs_is_kept_by_prove(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"
    common = ("prove", "baseline:first", sample, "--attacks", "none", "--limit", 5)
    done = run(*common, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    index = tmp_path / "runs/index.html"
    assert "All runs:   runs/index.html" in done.stdout
    assert index.read_text(encoding="utf-8").count("<tr") == 2
    assert run(*common, "--out", "elsewhere/one", cwd=tmp_path).returncode == 0
    assert not (tmp_path / "elsewhere/index.html").exists()
    index.write_text("of another tool", encoding="utf-8")
    assert run(*common, "--seed", 1, cwd=tmp_path).returncode == 0
    assert index.read_text(encoding="utf-8") == "of another tool"
    assert run("report", "runs", cwd=tmp_path).returncode == 0
    assert index.read_text(encoding="utf-8").count("<tr") == 3
    assert run("report", "elsewhere/none", cwd=tmp_path).returncode == 2


def test_runs_side_by_side_as_a_page(runs: list[RunResults]) -> None:
    text = comparison(runs[:2])
    assert Parsed(text).open == []
    found = compare([one.folder for one in runs[:2]])
    shown = "".join(Parsed(text).texts)
    for row in found.differences:
        assert f"{row.difference:+.1f}" in shown and f"{row.low:+.1f} … {row.high:+.1f}" in shown
    assert "better" in shown


def test_one_latex_table_of_readers_by_attacks(runs: list[RunResults]) -> None:
    text = comparison(runs[:2], format="latex")
    first = text[text.index(r"\begin{table}") : text.index(r"\end{table}")]
    assert "Reader & clean & addonesent & typo" in first
    steady = runs[1].scores
    row = next(line for line in first.splitlines() if line.startswith("steady &"))
    for figures in (steady.parts[0].clean, *(one.attacked for one in steady.attacks)):
        assert f"{figures['f1'].value:.1f}" in row
    assert row.count(r"\textbf") >= 2
    assert r"\begin{tabular}{lrrr}" in first
    assert "**" in comparison(runs[:2], format="markdown")


def test_sheets_have_no_finding_of_axe_and_fit(browser: Any, runs: list[RunResults], tmp_path: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    for name, text in (("i", index_page(runs[0].folder.parent)), ("c", comparison(runs[:2]))):
        file = tmp_path / f"{name}.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(viewport={"width": 390, "height": 800}, locale="zh-CN")
        view = context.new_page()
        troubles: list[str] = []
        view.on("console", lambda message, kept=troubles: kept.append(message.text))
        view.goto(file.as_uri())
        assert view.evaluate("document.documentElement.scrollWidth") <= 390
        assert view.evaluate("document.documentElement.lang") == "zh-Hans"
        assert [one["id"] for one in axe.run(view).response["violations"]] == []
        assert not troubles
        context.close()


def difference(**values: Any) -> Difference:
    base: dict[str, Any] = {
        "part": "spans", "attack": "typo", "metric": "f1", "first": "a", "later": "b", "items": 60, "same": True,
        "first_score": 50.0, "later_score": 60.0, "difference": 10.0, "low": 2.0, "high": 18.0, "p": 0.01, "lost": 1,
        "won": 9, "mcnemar": 0.02, "better": (), "worse": (), "passages": 20, "p_holm": 0.01, "mcnemar_holm": 0.02,
    }  # fmt: skip
    return Difference(**base | values)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "Four times as many (80) would halve the interval"),
        ({"low": -3.0}, "Go by the interval"),
        ({"low": -3.0, "mcnemar_holm": 0.5}, "not decided"),
        ({"p_holm": 0.2}, "after Holm's correction p is 0.200"),
        ({"low": 8.0, "high": 12.0}, ""),
        ({"low": -3.0, "p_holm": 0.5, "mcnemar_holm": 0.5}, ""),
    ],
)
def test_a_wide_interval_beside_a_small_p_is_explained(values: dict[str, Any], words: str) -> None:
    found = explained(difference(**values))
    assert words in found.en if found and words else found is None and not words


def test_what_is_alike_is_explained_once() -> None:
    rows = [difference(), difference(attack="addsent", high=40.0), difference(low=8.0, high=12.0)]
    (told,) = explanations(rows)
    assert told.en.startswith("addsent: ") and told.en.endswith("The same holds for typo.")


def test_checks_as_junit(runs: list[RunResults], sample: RunResults) -> None:
    root = ElementTree.fromstring(junit([runs[0], sample]))
    assert (root.tag, len(root)) == ("testsuites", 2)
    bare, limited = root
    assert int(bare.get("tests", "")) == len(bare.findall("testcase")) == len(runs[0].scores.verdict.checks)
    failed = [check for check in runs[0].scores.verdict.checks if check.outcome == "failed"]
    assert len(bare.findall("testcase/failure")) == int(bare.get("failures", "")) == len(failed)
    assert bare.get("timestamp") == "2026-11-01T10:00:00"
    broken = [one for one in sample.scores.verdict.checks if one.kind == "threshold" and one.outcome == "failed"]
    found = limited.findall("testcase/failure")
    assert [one.get("message") for one in found] == [one.why for one in broken] != []
    assert limited.get("skipped") != "0", "rules of the verdict are told, and fail nothing"


def test_junit_of_hostile_names_is_xml(hostile: RunResults) -> None:
    ElementTree.fromstring(junit([hostile]))


def test_junit_on_the_command_line(tmp_path: Path) -> None:
    sample = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"
    file = tmp_path / "checks.xml"
    common = (sample, "--attacks", "none", "--limit", 5, "--out", tmp_path / "run", "--junit", file)
    done = run("prove", "baseline:first", *common, "--fail-under", "f1=99")
    assert done.returncode == 3
    assert ElementTree.parse(file).getroot().get("failures") == "1"
    assert run("rescore", tmp_path / "run", "--fail-under", "f1=0", "--junit", file).returncode == 0
    assert ElementTree.parse(file).getroot().get("failures") == "0"


def test_flaws_of_the_questions_have_a_colour_of_their_own(browser: Any, sample_page: Path) -> None:
    assert faults_of_data("guessed") and not faults_of_data("broken")
    with opened(browser, sample_page) as view:
        colour = "one => getComputedStyle(one).color"
        of_data = view.locator(".kinds .data a").first.evaluate(colour)
        assert of_data != view.locator(".kinds li:not(.data) a").first.evaluate(colour)
        # a case of that kind, as the browser of failures shows it
        in_list = """kind => {
          const tags = document.createElement("div"), one = document.createElement("span");
          tags.className = "tags";
          one.className = `kind ${kind}`;
          tags.append(one);
          document.body.append(tags);
          return getComputedStyle(one).color;
        }"""
        assert view.evaluate(in_list, "guessed") == of_data != view.evaluate(in_list, "broken")
