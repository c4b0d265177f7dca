"""The fresh suites: what ships is what tools/fresh builds of texts and readings, as large as its datasheet says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tools.fresh.build import HOME, OUT, build_language
from tools.fresh.check import faults_of
from tools.fresh.page import PAGE, page
from tools.fresh.reading import CLOSED, Sheet, judge, right, sheet, versions
from tools.fresh.texts import files_in, read

from readproof.items import ChoiceItem, SpanItem
from readproof.proof.suite import DEFAULT, SAMPLED, read_suite, shipped_suites, suite_for

LANGUAGES = ("zh", "en", "fa")
LEAST = {"zh": (320, 100, 80), "en": (100, 0, 30), "fa": (100, 0, 30)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_ships_is_what_is_built(language: str, tmp_path: Path) -> None:
    for path in build_language(language, tmp_path):
        do = f"python -m tools.fresh.build {language} writes it anew"
        assert path.read_bytes() == (OUT / path.name).read_bytes(), do


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_suite_is_as_large_as_its_datasheet_says(language: str) -> None:
    suite = read_suite(shipped_suites()[f"{language}-fresh"])
    spans = [one for one in suite.items if isinstance(one, SpanItem)]
    passages = {one.passage_id for one in suite.items}
    least = LEAST[language]
    assert len(spans) >= least[0] and suite.header.triples >= least[1] and len(passages) >= least[2]
    assert suite.header.data.licence == "CC BY 4.0"
    assert {one.language for one in spans} == {language}
    assert suite_for([language]) == f"{language}-fresh"
    # the head of a suite is a sample of it
    first = suite.items[:SAMPLED]
    assert len({one.passage_id for one in first if isinstance(one, SpanItem)}) >= min(30, least[2]) - 6
    assert sum(isinstance(one, ChoiceItem) for one in first) >= (10 if least[1] else 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_have_no_faults_of_form(language: str) -> None:
    for path in files_in(HOME / "texts" / language / "suite"):
        assert not list(faults_of(read(path), path.stem)), path.name


def test_the_page_shows_the_suite_as_it_is() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "python -m tools.fresh.page writes it anew"


def test_an_unknown_language_gets_the_default() -> None:
    assert suite_for(["xx"]) == DEFAULT


# the judge of blind readings


def test_a_reading_is_judged_question_by_question(tmp_path: Path) -> None:
    text = read(next(iter(files_in(HOME / "texts/en/suite"))))
    asked = versions(text)["plain"][1]
    good = [f"{one.id}\t{_gold(one.item)}" for one in asked if isinstance(one.item, SpanItem)]
    bad = [f"{asked[0].id}\tnothing of the kind", *good[1:-1], f"{good[-1]}\tcontradicts itself"]
    for reader, lines in (("a", good), ("b", bad)):
        (tmp_path / f"{reader}.key.json").write_text(json.dumps(["plain"]), encoding="utf-8")
        (tmp_path / f"{reader}.0.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    judge([text], tmp_path, ["a", "b"], tmp_path / "out")
    faults = json.loads((tmp_path / "out/faults.json").read_text(encoding="utf-8"))
    assert faults == {
        asked[0].id: {"plain": ["b says nothing of the kind"]},
        asked[-1].id: {"plain": ["b: contradicts itself"]},
    }


def test_who_guesses_alike_without_the_passage_drops_a_question(tmp_path: Path) -> None:
    text = read(next(iter(files_in(HOME / "texts/en/suite"))))
    asked = [one for one in versions(text)["plain"][1] if isinstance(one.item, SpanItem) and one.item.golds]
    for reader in "abc":
        (tmp_path / f"{reader}.key.json").write_text(json.dumps(["closed-spans"]), encoding="utf-8")
        lines = [f"{one.id}\t{_gold(one.item)}" for one in (asked[:1] if reader != "c" else asked)]
        (tmp_path / f"{reader}.0.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    judge([text], tmp_path, ["a", "b", "c"], tmp_path / "out", last="c")
    faults = json.loads((tmp_path / "out/faults.json").read_text(encoding="utf-8"))
    assert faults == {asked[0].id: {"closed-spans": ["answered without the passage"]}}


def test_no_answer_is_said_by_a_dash(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("en-news-01-q1\t-\nodd\tA title\tbad grammar\n", encoding="utf-8")
    read_back = sheet(tmp_path / "x.tsv")
    assert read_back == Sheet({"en-news-01-q1": "-"}, {"A title": "bad grammar"})
    texts = [read(path) for path in files_in(HOME / "texts/en/suite")]
    asked = [one for text in texts for one in versions(text)["plain"][1]]
    found = next(one for one in asked if isinstance(one.item, SpanItem) and one.item.impossible)
    assert right(found, "-") and not right(found, "something")
    assert set(CLOSED) == {"closed-spans", "closed-options"}


def _gold(item: object) -> str:
    assert isinstance(item, SpanItem)
    return item.golds[0].text if item.golds else "-"
