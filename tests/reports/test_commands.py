"""The command that makes a run again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from readproof.proof.plan import FAST, AttackSelection, chosen
from readproof.proof.results import AttackFacts, DataFacts, Left, ReaderFacts, RunFacts, SuiteFacts
from readproof.proof.run import RunResults, folder_name, prove_reader
from readproof.reports.page import command

EXAMPLE = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"

READER = ReaderFacts(name="zh", spec="zh", fingerprint="f")
DATA = DataFacts(name="dev", given="my data/dev.json", task="cmrc2018", digest="d", items=3)


def facts(*attacks: AttackFacts, left: tuple[Left, ...] = ()) -> RunFacts:
    return RunFacts(version="1", reader=READER, data=DATA, attacks=attacks, left=left)


def made(name: str, **more: object) -> AttackFacts:
    return AttackFacts(attack=name, does="", part="spans", **more)  # type: ignore[arg-type]


def test_the_usual_set_needs_no_words() -> None:
    names = chosen(AttackSelection(attacks=(FAST,)))
    run = facts(made(names[0]), left=tuple(Left(attack=name, reason="") for name in names[1:]))
    assert command(run) == "readproof prove zh 'my data/dev.json'"


def test_what_is_not_usual_is_told() -> None:
    typo = made("typo", settings={"kind": "shape", "budget": 0, "where": "passage"}, count=3)
    run = replace(facts(typo, made("addsent", searched=True, budget=9)), seed=5, limit=2)
    assert command(run, "f1=80,reads") == (
        "readproof prove zh 'my data/dev.json' --attacks typo,addsent --budget 9 --count 3 --set typo.kind=shape "
        "--seed 5 --limit 2 --fail-under f1=80,reads"
    )


def test_whether_there_may_be_no_answer_is_told() -> None:
    run = replace(facts(made("typo")), reader=replace(READER, no_answer=True))
    assert command(run).endswith("--no-answer")


def test_a_suite_brings_its_own_items() -> None:
    own = SuiteFacts(digest="abc", given="my suite.jsonl", attacks=("typo",))
    assert command(replace(facts(made("typo")), suite=own)) == "readproof prove zh --suite 'my suite.jsonl'"
    both = replace(facts(made("typo"), made("addsent", searched=True, budget=9)), suite=own)
    assert command(both) == "readproof prove zh --suite 'my suite.jsonl' --attacks addsent --budget 9"


def test_objects_of_python_have_no_command(sample: RunResults) -> None:
    assert command(sample.scores.run) == ""


def test_the_command_makes_the_same_run(tmp_path: Path) -> None:
    reader = "tests.reports.readers_by_name:first_words"
    run = prove_reader(
        reader, str(EXAMPLE), attacks=["typo"], settings={"typo": {"kind": "shape"}}, limit=2, out=tmp_path / "1"
    )
    words = command(run.scores.run).split()
    assert words[:2] == ["readproof", "prove"]
    from typer.testing import CliRunner

    from readproof.cli.main import app

    again = CliRunner().invoke(app(), [*words[1:], "--out", str(tmp_path / "2")])
    assert again.exit_code == 0, again.output
    first, second = ((tmp_path / name / "scores.json").read_bytes() for name in "12")
    assert first == second
    assert folder_name(run.scores.run)
