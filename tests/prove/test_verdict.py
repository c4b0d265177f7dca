"""The verdict is right about readers made for the purpose, and about limits a user sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import SpanItem
from readproof.prove import Run, prove
from readproof.prove.figures import Value
from readproof.prove.thresholds import check_names, parse
from readproof.prove.verdict import Pair, above_chance, checked
from tests.prove import made_readers


def test_a_reader_that_ignores_the_passage_does_not_read(tmp_path: Path) -> None:
    run = prove(made_readers.ignores, attacks=["addsent", "triples"], out=tmp_path / "run")
    assert [(one.part, one.reads) for one in run.scores.verdict.parts] == [("spans", "no"), ("options", "no")]
    assert "does not read, it answers without the passage nearly as well" in run.scores.verdict.headline
    part = run.scores.part("spans")
    assert part is not None
    assert part.clean["f1"].value == 100


def test_a_reader_that_falls_for_the_last_sentence_is_found_out(tmp_path: Path) -> None:
    run = prove(made_readers.last_sentence, attacks=["addsent", "homoglyph", "typo"], out=tmp_path / "run")
    (verdict,) = run.scores.verdict.parts
    assert (verdict.reads, verdict.falls_for, verdict.stands) == ("yes", ("addsent",), ("homoglyph", "typo"))
    assert run.scores.verdict.headline == "Reads, but falls for addsent."


def test_a_perfect_reader_reads_and_stands(tmp_path: Path) -> None:
    run = prove(made_readers.perfect, attacks=["addsent", "homoglyph", "triples"], out=tmp_path / "run")
    assert [one.reads for one in run.scores.verdict.parts] == ["yes", "yes"]
    assert run.scores.verdict.headline == (
        "Spans: reads, and stands under every attack tried. Options: reads, and stands under every attack tried."
    )


def test_a_reader_that_guesses_does_not_read(tmp_path: Path) -> None:
    def first(passage: str, question: str, options: list[str]) -> int:
        return 0

    run = prove(first, attacks=["triples"], out=tmp_path / "run")
    (verdict,) = run.scores.verdict.parts
    assert verdict.reads in ("no", "unclear"), "ten questions are few"


@pytest.mark.slow
def test_the_shipped_reader_reads_and_stands_under_added_sentences(tmp_path: Path) -> None:
    items = [item for item in made_readers.sample() if isinstance(item, SpanItem)]
    # half of them, the shorter ones; the README's first command, which the docs' tests run, reads them all
    shorter = sorted(items, key=lambda item: len(item.passage))[: len(items) // 2]
    run = prove("zh", shorter, attacks=["addsent", "typo"], out=tmp_path / "run", threads=1)
    (verdict,) = run.scores.verdict.parts
    assert verdict.reads == "yes"
    assert {"addsent", "typo"} <= set(verdict.stands), "the reader that ships is a hardened one"


def pair(clean: list[float], other: list[float], kind: str = "stands", chance: float = 0.0) -> Pair:
    def values(found: list[float]) -> list[Value]:
        return [Value(number, {"f1": value}) for number, value in enumerate(found)]

    return Pair(
        kind="reads" if kind == "reads" else "stands",
        name="x",
        part="spans",
        metric="f1",
        chance=chance,
        clean=values(clean),
        other=values(other),
    )


def test_few_questions_are_no_proof() -> None:
    assert checked(pair([1.0] * 9, [0.0] * 9)).outcome == "unclear"
    assert checked(pair([1.0] * 40, [0.0] * 40)).outcome == "failed"
    assert checked(pair([1.0] * 40, [1.0] * 40)).outcome == "passed"
    assert checked(pair([1.0] * 20, [1.0] * 16 + [0.0] * 4)).outcome == "unclear", "20 % lost, give or take"


def test_half_of_the_score_above_chance_must_go_with_the_passage() -> None:
    assert checked(pair([1.0] * 40, [0.0] * 40, "reads")).outcome == "passed"
    assert checked(pair([1.0] * 40, [0.9] * 40, "reads")).outcome == "failed"
    assert checked(pair([1.0] * 40, [0.25] * 40, "reads", chance=25.0)).value == pytest.approx(1.0)
    assert checked(pair([0.2] * 40, [0.2] * 40, "reads", chance=25.0)).outcome == "unclear"


def test_a_score_like_a_guess_proves_nothing() -> None:
    values = [Value(number, {"accuracy": float(number % 4 == 0)}) for number in range(400)]
    assert above_chance("options", "accuracy", 25.0, values).outcome == "unclear"
    assert above_chance("options", "accuracy", 50.0, values).outcome == "failed"
    assert above_chance("options", "accuracy", 10.0, values).outcome == "passed"


@pytest.mark.parametrize(
    ("limits", "kept"),
    [
        ("f1=100", True),
        ("f1 >= 100, em=99.5", True),
        ("score=100,acc2=100", True),
        ("invisible=30", True),
        ("invisible.f1=90", False),
        ("invisible.kept=0.9", False),
        ("invisible.worst=90", False),
        ("attacked.f1=90", False),
        ("worst.f1=1", True),
        ("no-passage.f1<=10", True),
        ("no-passage<=20", True),
        ("options-only.accuracy<=10", False),
        ("reads", True),
        ("stands", False),
        ("f1=100,reads,addsent.em=100", True),
        ("", True),
    ],
)
def test_limits(perfect_run: Run, limits: str, kept: bool) -> None:
    assert (not perfect_run.broken(limits)) is kept, perfect_run.broken(limits)


def test_a_figure_that_there_is_none_of_is_a_limit_not_kept(perfect_run: Run) -> None:
    assert perfect_run.broken("calibration<=0.5") == ["calibration: there is no such figure in this run"]


@pytest.mark.parametrize("limits", ["f1", "f1=high", "f2=3", "adsent.f1=4", "addsent.kept.f1=3", "typo.speed=1", "=4"])
def test_limits_that_mean_nothing_are_refused_before_the_run(limits: str) -> None:
    with pytest.raises(InputError, match="--fail-under"):
        check_names(parse(limits), ["addsent", "typo"])
