"""The page as text: whole in itself, safe with any data, the same figures as scores.json."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from readproof.codec import write_json
from readproof.proof.results import Calibration, CoveragePoint, Timings
from readproof.proof.run import RunResults, prove_reader
from readproof.reports import report, write_report
from readproof.reports.failures import Failures
from readproof.reports.page import page
from readproof.reports.shell import marked, spelt
from readproof.reports.terminal import table as table_text
from tests.reports import made_runs

VOID = {"meta", "input", "br", "hr", "img", "link", "path", "rect", "circle"}


class Parsed(HTMLParser):
    """The elements, attributes and texts of a page; scripts and styles by themselves."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag in self.inside:
            self.inside[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.inside:
            self.inside[self.open[-1]][-1] += data
        else:
            self.texts.append(data)


@pytest.fixture(scope="module")
def sample_text(sample: RunResults) -> str:
    return report(sample).text


@pytest.fixture(scope="module")
def hostile_text(hostile: RunResults) -> str:
    return report(hostile).text


def test_elements_close_and_ids_are_unique(sample_text: str, hostile_text: str) -> None:
    for text in (sample_text, hostile_text):
        parsed = Parsed(text)
        assert parsed.open == []
        ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        for _, attributes in parsed.elements:
            for name in ("aria-labelledby",):
                assert attributes.get(name) is None or attributes[name] in ids


def test_nothing_is_loaded(sample_text: str) -> None:
    parsed = Parsed(sample_text)
    assert not {"link", "img", "iframe", "object", "embed"} & {tag for tag, _ in parsed.elements}
    for _, attributes in parsed.elements:
        assert not {"src", "style", "onload", "onclick", "onerror"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in parsed.inside["style"][0]
    assert "@import" not in parsed.inside["style"][0]


def test_only_the_own_script_may_run(hostile_text: str) -> None:
    parsed = Parsed(hostile_text)
    policy = next(one["content"] for tag, one in parsed.elements if "http-equiv" in one) or ""
    assert policy.startswith("default-src 'none'; ")
    scripts = [one for tag, one in parsed.elements if tag == "script"]
    assert [one.get("type") for one in scripts] == ["application/json", "application/octet-stream", None]
    for kind, text in (("script", parsed.inside["script"][-1]), ("style", parsed.inside["style"][0])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", parsed.inside["script"][1])


def test_hostile_names_are_but_texts(hostile: RunResults, hostile_text: str) -> None:
    shown = "".join(Parsed(hostile_text).texts)
    assert hostile.scores.run.reader.name in shown
    assert hostile.scores.run.data.name in shown
    assert "⟨RIGHT-TO-LEFT OVERRIDE⟩right to left⟨POP DIRECTIONAL FORMATTING⟩" in shown
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x07\x1b]", hostile_text)
    hostile_text.encode("utf-8")


def test_spelling_out() -> None:
    assert spelt("a\u202eb\x00\ud800") == "a⟨RIGHT-TO-LEFT OVERRIDE⟩b⟨U+0000⟩\ufffd"
    assert marked("<b>&\u2067") == "&lt;b&gt;&amp;⟨RIGHT-TO-LEFT ISOLATE⟩"


def test_failures_are_packed_whole(sample: RunResults, sample_text: str) -> None:
    data = json.loads(gzip.decompress(base64.b64decode(Parsed(sample_text).inside["script"][1])))
    assert set(data) == {"texts", "cases"}
    assert len(data["cases"]) == report(sample).shown


def test_every_figure_is_in_a_table(sample: RunResults, sample_text: str) -> None:
    shown = set(Parsed(sample_text).texts)
    for one in sample.scores.attacks:
        metric = "f1" if one.part == "spans" else "accuracy"
        for figures in (one.clean, one.attacked, one.worst, one.sanitised, one.hardened or {}):
            if metric in figures:
                figure = figures[metric]
                assert f"{figure.value:.1f} ({figure.low:.0f}–{figure.high:.0f})" in shown
    for part in sample.scores.parts:
        for probe in part.probes:
            if probe.figures:
                assert any(text.startswith(f"{probe.figures[part.single].value:.1f} (") for text in shown)
        for one in part.baselines:
            assert any(text.startswith(f"{one.figures[part.single].value:.1f} (") for text in shown)


def test_plots_are_plain_drawings(sample_text: str) -> None:
    plots = re.findall(r"<svg .*?</svg>", sample_text, flags=re.S)
    # bars and probes, calibration and coverage, of two parts; times of two parts and of the steps
    assert len(plots) >= 9
    for plot in plots:
        kinds = {str(element.tag).rpartition("}")[2] for element in ElementTree.fromstring(plot).iter()}
        assert kinds <= {"svg", "g", "rect", "circle", "path", "text", "title"}
    assert plots[0].count('class="of-clean"') == plots[0].count('class="of-attacked"') == 5
    assert plots[0].count("of-limit") == 5


def test_no_text_of_the_data_where_none_is_wanted(sample: RunResults) -> None:
    made = report(sample, most=0)
    question = next(sample.cases()).question.item.question
    assert made.failures > 0
    assert made.shown == 0
    assert question not in made.text
    assert 'id="packed"' not in made.text


def test_a_bare_run_has_a_page_too(sample: RunResults) -> None:
    scores = replace(
        sample.scores,
        attacks=(),
        parts=tuple(
            replace(part, probes=(), types=(), calibration=None, attacked_calibration=None, worst=None, hardened=None)
            for part in sample.scores.parts
        ),
    )
    text = page(scores, Timings(), Failures())
    assert Parsed(text).open == []
    assert "No failure to show." in text


def test_the_language_of_labels(sample: RunResults) -> None:
    text = report(sample, language="zh", most=0).text
    assert '<html lang="zh-Hans" data-labels="zh" data-fixed>' in text
    assert "<title>readproof: made 在 items 上的表现</title>" in text


def test_written_beside_the_run(sample: RunResults, tmp_path: Path) -> None:
    assert write_report(sample, most=0) == sample.folder / "report.html"
    assert (
        write_report(sample, format="latex", out=tmp_path / "tables.tex").read_text(encoding="utf-8").startswith("% ")
    )


def test_what_rests_on_few_questions_is_grey_or_left_out(sample: RunResults) -> None:
    text = report(sample).text
    few = [one for one in sample.scores.attacks if one.items < 10 and one.variants]
    table = re.findall(r"<tr(?: class=\"few\")?>.*?</tr>", text, flags=re.S)
    for attack in few:
        own = [row for row in table if f'data-attack="{attack.attack}"' in row]
        assert own and all(row.startswith('<tr class="few">') for row in own)
    assert few or 'class="few"' in text
    part = sample.scores.parts[0]
    for questions, shown in ((49, False), (50, True)):
        calibration = Calibration(
            questions=questions, error=0.25, bins=(), curve=(CoveragePoint(share=1.0, score=50.0),)
        )
        parts = (replace(part, calibration=calibration, attacked_calibration=None),)
        made = page(replace(sample.scores, parts=parts), sample.timings, Failures())
        assert ("0.250" in made) is shown
        assert ("from 50 questions on" in made) is not shown
        assert ("0.250" in table_text(replace(sample.scores, parts=parts), sample.timings)) is shown


def test_a_page_says_when_and_of_what_it_was_made(sample: RunResults) -> None:
    timings = replace(sample.timings, made={"date": "2026-11-19 20:00 UTC", "commit": "abc123"})
    shown = "".join(Parsed(page(sample.scores, timings, Failures())).texts)
    assert "2026-11-19 20:00 UTC" in shown and "commit abc123" in shown and "Python 3." in shown
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", sample.timings.made["date"])


def test_a_run_that_is_only_looked_at_again_keeps_its_date(tmp_path: Path) -> None:
    items = made_runs.sample_items()[:3]
    reader = made_runs.Made(items)
    first = prove_reader(reader, items, attacks="none", out=tmp_path / "run")
    write_json(tmp_path / "run/timings.json", replace(first.timings, made={"date": "2020-01-01 00:00 UTC"}))
    again = prove_reader(reader, items, attacks="none", out=tmp_path / "run")
    assert again.timings.made == {"date": "2020-01-01 00:00 UTC"}
