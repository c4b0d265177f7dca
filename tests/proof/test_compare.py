"""Runs held side by side."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.errors import InputError
from readproof.items import SpanItem
from readproof.proof.compare import compare, holm, mcnemar
from readproof.proof.run import prove_reader
from readproof.proof.suite import build_suite
from readproof.tasks.itemlines import write_items
from tests.proof import made_readers

ATTACKS = ["addonesent", "typo"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("compare")
    spans = [item for item in made_readers.sample() if isinstance(item, SpanItem)]
    readers = {"weak": made_readers.last_sentence, "strong": made_readers.perfect}
    return {
        name: prove_reader(reader, spans, attacks=ATTACKS, out=home / name).folder for name, reader in readers.items()
    } | {"few": prove_reader(made_readers.perfect, spans[:15], attacks=ATTACKS, out=home / "few").folder}


def test_the_stronger_reader_wins_under_the_attack_that_the_other_falls_for(folders: dict[str, Path]) -> None:
    found = compare([folders["weak"], folders["strong"]])
    rows = {row.attack: row for row in found.differences}
    assert list(rows) == ["clean", "addonesent", "typo"]
    won = rows["addonesent"]
    assert won.same
    assert won.difference == pytest.approx(won.later_score - won.first_score)
    assert won.later_score == 100
    assert won.low > 0
    assert won.p < won.p_holm < 0.05
    assert (won.lost, won.won) == (0, won.items - sum(row_right(folders["weak"])))
    assert won.mcnemar <= won.mcnemar_holm < 0.05
    assert set(won.better) and not won.worse
    back = {row.attack: row for row in compare([folders["strong"], folders["weak"]]).differences}["addonesent"]
    assert back.difference == pytest.approx(-won.difference)
    assert (back.worse, back.better) == (won.better, won.worse)


def row_right(folder: Path) -> list[bool]:
    from readproof.proof.records import cases

    return [case.prediction.measured["em"] == 1 for case in cases(folder) if case.question.attack == "addonesent"]


def test_a_run_against_itself_differs_in_nothing(folders: dict[str, Path]) -> None:
    for row in compare([folders["weak"], folders["weak"]]).differences:
        assert (row.difference, row.low, row.high, row.p, row.mcnemar) == (0, 0, 0, 1, 1)
        assert not row.better and not row.worse


def test_only_common_questions_count(folders: dict[str, Path]) -> None:
    counts = {row.items for row in compare([folders["strong"], folders["few"]]).differences}
    # an attack has a variant of most of them, and none of those that only one run has
    assert max(counts) == 15 and min(counts) >= 12


def test_one_run_is_nothing_to_compare(folders: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="two runs or more"):
        compare([folders["weak"]])


def test_runs_without_a_common_question_are_refused(folders: dict[str, Path], tmp_path: Path) -> None:
    spans = [item for item in made_readers.sample() if isinstance(item, SpanItem)]
    other = prove_reader(made_readers.perfect, spans[20:22], attacks=[], out=tmp_path / "other")
    with pytest.raises(InputError, match="no question that is also in"):
        compare([folders["few"], other.folder])


def test_variants_made_against_one_reader_read_by_another(tmp_path: Path) -> None:
    data = tmp_path / "spans.jsonl"
    with data.open("w", encoding="utf-8") as file:
        write_items([item for item in made_readers.sample()[:12] if isinstance(item, SpanItem)], file)
    readers = {"weak": "tests.proof.made_readers:last_sentence", "strong": "tests.proof.made_readers:perfect"}
    runs = []
    for made in readers:
        build_suite(data, tmp_path / f"{made}.jsonl", attacks=["addsent"], reader=readers[made])
        for read in readers:
            out = tmp_path / f"{made}-{read}"
            runs.append(prove_reader(readers[read], suite=tmp_path / f"{made}.jsonl", out=out).folder)
    cells = {(cell.made_against, cell.read_by): cell.attacked for cell in compare(runs).transfer}
    assert len(cells) == 4
    assert cells[readers["weak"], readers["weak"]] < 70
    assert cells[readers["weak"], readers["strong"]] == 100


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_never_lowers_a_p_and_keeps_their_order(chances: list[float]) -> None:
    corrected = holm(chances)
    for chance, after in zip(chances, corrected, strict=True):
        assert chance <= after <= 1
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    assert [corrected[at] for at in order] == sorted(corrected)


def test_mcnemar() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(0, 10) == pytest.approx(2 / 2**10)
    exact, normal = mcnemar(450, 550), mcnemar(451, 550)
    assert exact == pytest.approx(normal, rel=0.2)
    assert doctest.testmod(import_module("readproof.proof.compare")).failed == 0
