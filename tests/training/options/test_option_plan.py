"""A whole plan on a tiny encoder: stages, folds, seeds, the teachers' word, a student."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.training.options.folding import pooled
from readproof.training.options.measure import logits, scored
from readproof.training.options.model import option_reader_from
from readproof.training.options.plan import run_option_plan
from readproof.training.options.recipe import OptionPlan
from readproof.training.options.recipefile import parse_option_plan
from readproof.training.options.records import read_groups
from readproof.training.options.start import read_option_start
from readproof.training.options.windows import cut
from tests.training.options.made import TINY


def test_from_sets_to_a_reader(plan: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    found = run_option_plan(plan, sets=sets, starts=[start], work=tmp_path / "work", say=lines.append)
    notes = json.loads((found.folder / "notes.json").read_text(encoding="utf-8"))
    seeds = [[f"teacher-{s}-stage-1", f"teacher-{s}-fold-1", f"teacher-{s}-fold-2", f"teacher-{s}"] for s in (3, 5)]
    assert list(notes["jobs"]) == [*seeds[0], *seeds[1], "ensemble", "student-1", "student-2"]
    assert notes["jobs"]["teacher-3-stage-1"]["chosen"] == "the end"
    teacher = notes["jobs"]["teacher-3"]
    assert teacher["chosen"] == max(teacher["folds"], key=lambda point: teacher["folds"][point]["select"])
    assert teacher["folds"][teacher["chosen"]]["scores"]["fold"]["questions"] == 10  # each question of "b" once
    assert teacher["chosen"] in teacher["points"]
    assert set(teacher["points"][teacher["chosen"]]["scores"]) == {"held"}
    assert notes["reader"] == "student-2"
    assert notes["jobs"]["student-1"]["points"] and notes["jobs"]["student-2"]["chosen"] == "the end"
    assert set(notes["measured"]) == {"teacher-3", "teacher-5", "ensemble", "student-2"}
    assert str(tmp_path) not in json.dumps(notes)
    assert "no set missing: left out" in lines and any("left" in line and "windows/s" in line for line in lines)
    again = read_option_start(found.folder)
    assert (again.layers, again.is_reader, again.manner) == (2, True, plan.manner)
    windows = cut(read_groups(sets["last"]), again.bert.vocabulary.tokenizer(), plan.manner)
    score = scored(windows, logits([option_reader_from(again.state())], windows), plan.manner.fine_share)
    assert round(score.choice, 3) == notes["measured"]["student-2"]["last"]["choice"]
    assert not list((tmp_path / "work" / "checkpoints").iterdir())


def test_a_stage_without_folds_keeps_the_best_of_the_held_out(
    sets: dict[str, Path], start: Path, tmp_path: Path
) -> None:
    plan = parse_option_plan(TINY.split("[student]")[0].replace('choose = "folds"', 'choose = "held"'), "held.toml")
    notes = run_option_plan(plan, sets=sets, starts=[start], work=tmp_path / "work").notes
    job = notes["jobs"][notes["reader"]]
    best = max(one["select"] for one in job["points"].values())
    assert job["points"][job["chosen"]]["select"] == best
    chosen = {seed: notes["jobs"][f"teacher-{seed}"] for seed in (3, 5)}
    bests = {seed: one["points"][one["chosen"]]["select"] for seed, one in chosen.items()}
    assert notes["reader"] == f"teacher-{max(bests, key=lambda seed: bests[seed])}"


def test_what_does_not_fit_is_told(plan: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="too few for 40 folds"):
        many = replace(plan.teachers.stages[1], folds=40)
        run_option_plan(
            replace(plan, teachers=replace(plan.teachers, stages=(many,))),
            sets=sets,
            starts=[start],
            work=tmp_path / "1",
        )
    with pytest.raises(InputError, match=r"max_tokens.*at most 64"):
        wide = replace(plan, manner=replace(plan.manner, max_tokens=128))
        run_option_plan(wide, sets=sets, starts=[start], work=tmp_path / "2")
    with pytest.raises(InputError, match=r"layer 9.*0 to 3"):
        deep = replace(plan, student=replace(plan.student, layers=(1, 9)))  # type: ignore[type-var]
        run_option_plan(deep, sets=sets, starts=[start], work=tmp_path / "3")
    with pytest.raises(InputError, match="none of its sets"):
        run_option_plan(plan, sets={"a": sets["a"]}, starts=[start], work=tmp_path / "4")


def test_folds_are_weighed_by_their_questions() -> None:
    def fold(choice: float | None, questions: int) -> dict[str, object]:
        scores = {"choice": choice, "truth": 50.0, "loss": 1.0, "questions": questions, "statements": 4}
        return {"points": {"epoch 1": {"scores": {"fold": scores}}}}

    assert pooled([fold(100.0, 1), fold(0.0, 3)])["epoch 1"]["select"] == 25.0
    assert pooled([fold(None, 0), fold(None, 0)])["epoch 1"]["select"] == 50.0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("folds = 2", "folds = 1"), r"stages\[1\].folds.*2 or more"),
        (('sets = ["a", "b/2"]', 'sets = ["a", "b/0"]'), "NAME/2"),
        (('choose = "end"', 'choose = "best"'), "one of held, folds, end, turned"),
        (("statement = 16", "statement = 48"), r"manner.statement.*1 to 40"),
        (("weights = { said = 0.5 }", "weights = { truth = 0.5 }"), r"steps\[1\].weights.said.*more than 0"),
        (('measured = ["last", "gone"]', 'measured = ["b"]'), "b; expected sets that are not trained on"),
        (("seeds = [3, 5]", "seeds = [3, 3]"), "a seed twice"),
        (("guide = 1", "guide = 2"), "guide.*0 to 1"),
        (
            ('batch = 600 }\nchoose = "end"', 'batch = 600 }\nchoose = "turned"'),
            r"stages\[0\].choose.*a stage before it",
        ),
        (("folds = 2", "share = 0.0"), r"stages\[1\].share.*more than 0"),
        (("folds = 2", "share = 0.5"), r"stages\[1\].share.*with choose = .folds"),
        (
            ('batch = 600 }\nchoose = "end"', 'batch = 600 }\nchoose = "end"\nshare = 0.5'),
            r"stages\[0\].share.*nothing stands before it",
        ),
    ],
)
def test_faults_of_a_plan_are_told(change: tuple[str, str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_option_plan(TINY.replace(*change), "tiny.toml")
