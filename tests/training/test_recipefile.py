from __future__ import annotations

from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.training.recipefile import find_plan, parse, plan_names, read_plan

LEAST = '[[teachers.stages]]\nsets = ["a"]\n'
STUDENT = '[[student.steps]]\nsets = ["a"]\n'


def test_the_shipped_plans() -> None:
    assert plan_names() == ["fa", "zh", "zh-free"]
    plan = find_plan("zh")
    first, second = plan.teachers.stages
    assert plan.teachers.seeds == (0, 1, 2)
    assert (first.rdrop, first.fit.lr) == (0.0, 4e-5)
    assert (second.rdrop, second.smoothing, second.fit.layer_decay, second.fit.lr) == (1.0, 0.1, 0.9, 2e-5)
    assert plan.student is not None
    assert [(step.fit.epochs, step.gold, step.hidden) for step in plan.student.steps] == [(6, 0.3, 1.0), (2, 0.6, 1.0)]
    assert "cmrc_dev" not in {*plan.sets(), *plan.held}
    assert set(find_plan("zh-free").sets()) == {"cmrc_plain", "cmrc_wordy", "drcd", "dureader"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = ", "no TOML"),
        ("", "teachers: found nothing"),
        ("[teachers]\nseeds = [1]", "teachers.stages: found nothing"),
        (LEAST + "fitt = 1", r"teachers.stages\[0\].fitt: found an unknown key"),
        (
            LEAST + "fit = { epochs = 'x' }",
            r"teachers.stages\[0\].fit.epochs: found the text 'x'; expected a whole number",
        ),
        (LEAST + "fit = { epochs = 0 }", r"teachers.stages\[0\].fit.epochs: found 0"),
        (LEAST + "rdrop = true", "rdrop: found true; expected a number"),
        ("[[teachers.stages]]\nsets = 'a'", r"teachers.stages\[0\].sets: .* expected a list"),
        ("[[teachers.stages]]\nsets = []", r"teachers.stages\[0\].sets: found no set"),
        ("[[teachers.stages]]\nsets = [1]", r"teachers.stages\[0\].sets\[0\]: found the number 1; expected a text"),
        ("max_tokens = 100\n" + LEAST, "max_tokens: found 100"),
        ("[held]\na = 'x'\n" + LEAST, "held.a: found the text 'x'; expected a number"),
        (LEAST + "[student]\nguide = 3\n" + STUDENT, "student.guide: found 3"),
        (LEAST + STUDENT + "layers = []", r"student.steps\[0\].layers"),
        (LEAST + STUDENT + STUDENT + "layers = [1]", "student.steps: found other layers"),
        ("[teachers]\nseeds = [1, 1]\n" + LEAST, "teachers.seeds: found a seed twice"),
    ],
)
def test_faults_name_file_and_key(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        parse(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml")


def test_no_such_plan(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="zh, zh-free"):
        find_plan("zhh")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="UTF-8"):
        read_plan(tmp_path / "bad.toml")
    (tmp_path / "good.toml").write_text(LEAST, encoding="utf-8")
    assert find_plan(str(tmp_path / "good.toml")).teachers.seeds == (0,)
