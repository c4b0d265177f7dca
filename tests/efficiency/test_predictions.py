"""Prediction files with modules: both layouts, every malformed line told in one pass, with its line and column."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.efficiency import modules
from readproof.efficiency.modules import ModuleUse
from readproof.efficiency.predictions import ANSWER_KEYS, Predictions, ProblemsError, SourceProblem, read
from readproof.tasks.layouts.closed import ClosedPredictions
from readproof.tasks.layouts.marks import MarkPredictions

GOOD = "(21),emb;(21,768),layer_1;(768),classifier"

# the lines of the guide
SAMPLES = {
    "ccpm": {"answer": 0, "modules": "(88),emb;(88,768),layer_1;(88,768),pooler;(768),classifier"},
    "chnc": {"label": "finance", "modules": GOOD},
    "cmeee": {"entities": [{"start_idx": 13, "end_idx": 15, "type": "equ", "entity": "质谱仪"}], "modules": GOOD},
    "pku-segpos": {"span_list": [{"start": 0, "end": 1, "type": "ad"}], "modules": GOOD},
    "wordseg-weibo": {"ans": "你 拥有 这么 多", "modules": GOOD},
}


def written(folder: Path, *lines: str | bytes, name: str = "3.jsonl") -> Path:
    path = folder / name
    path.write_bytes(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
    return path


def line(**fields: object) -> str:
    return json.dumps({"label": "car", "modules": GOOD} | fields, ensure_ascii=False)


def good(task: str, path: Path, **more: bool) -> Predictions:
    found, problems = read(task, path, **more)
    assert not problems
    assert found is not None
    return found


def bad(task: str, path: Path) -> list[SourceProblem]:
    found, problems = read(task, path)
    assert found is None
    return problems


@pytest.mark.parametrize("task", ANSWER_KEYS)
def test_the_lines_of_the_guide(task: str, tmp_path: Path) -> None:
    path = written(tmp_path, *[json.dumps(SAMPLES[task], ensure_ascii=False)] * 3)
    found = good(task, path)
    assert list(found.order) == [0, 0, 0]
    assert list(found.first) == [1]
    assert found.uses() == set(modules.parse(str(SAMPLES[task]["modules"])))


def test_answers_as_the_metrics_take_them(tmp_path: Path) -> None:
    closed = good(
        "ccpm", written(tmp_path, '{"answer": 2, "modules": "(1),a"}', '{"answer": null, "modules": "(1),a"}')
    )
    assert isinstance(closed.answers, ClosedPredictions)
    assert dict(closed.answers.values) == {"0": 2, "1": None}
    span = written(tmp_path, json.dumps(SAMPLES["pku-segpos"]))
    ends = []
    for inclusive in (False, True):
        marks = good("pku-segpos", span, inclusive=inclusive).answers
        assert isinstance(marks, MarkPredictions)
        assert marks.lines[0] is not None
        ends.append(marks.lines[0].marks[0].end)
    assert ends == [1, 2]


def test_the_same_modules_are_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    real = modules.parse

    def counted(text: str) -> modules.Trace:
        parsed.append(text)
        return real(text)

    monkeypatch.setattr("readproof.efficiency.predictions.parse", counted)
    texts = ["(5),emb", "(6),emb", "(7,),emb"]
    read("chnc", written(tmp_path, *[line(modules=texts[at % 3]) for at in range(3000)]))
    assert sorted(parsed) == sorted(texts)


def test_all_malformed_lines_in_one_pass(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        line(),
        line(modules="(21, 768),layer_1"),
        "{",
        "",
        "[1]",
        line(modules=None),
        '{"label": "car"}',
        line(label=3),
        '{"modules": "(1),a"}',
        b'{"label": "\xff", "modules": "(1),a"}',
        '{"label": "car", "modules": "(1),a", "modules": "(1),b"}',
        line(label=[], modules="(0),emb"),
        line(),
    )
    problems = bad("chnc", path)
    assert [problem.line for problem in problems] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12]
    assert {problem.file for problem in problems} == {str(path)}
    texts = [f"{problem.found}; {problem.expected}" for problem in problems]
    for number, words in enumerate(
        (
            "in modules; a whole number", "no JSON", "an empty line", "a list of 1; an object", "modules: null",
            "no key 'modules'", "the number 3; a text", "no key 'label'", "the byte ff; UTF-8", "'modules' twice",
        )
    ):  # fmt: skip
        assert words in texts[number]
    error = ProblemsError(problems)
    assert f"{path}: found 12 problems" in str(error)
    assert f"{path}:2:" in str(error)


def test_a_long_list_is_cut_in_print_and_whole_for_a_program(tmp_path: Path) -> None:
    problems = bad("chnc", written(tmp_path, *[line(modules="no")] * 500))
    error = ProblemsError(problems)
    assert len(error.problems) == 500
    assert "… and 480 more; --json lists all of them." in str(error)
    assert str(error).count("\n") == 21


@pytest.mark.parametrize(
    "raw",
    [
        '{"label": "car", "modules": "(21),emb;x"}',
        '{"modules" :  "(21),emb;x", "label": "car"}',
        '{"label": "新闻", "modules": "x"}',
        r'{"label": "car", "modules": "(21),\u0065mb;x"}',
        r'{"label": "car", "modules": "(1),\ud83d\ude00;x"}',
        r'{"label": "\"modules\": \"", "modules": "x"}',
    ],
)
def test_columns_point_at_the_character(raw: str, tmp_path: Path) -> None:
    (problem,) = bad("chnc", written(tmp_path, raw))
    assert problem.column == raw.rindex("x") + 1


def test_the_table_layout(tmp_path: Path) -> None:
    path = written(tmp_path, "index\tpred\tmodules", "0\t3\t(88),emb; (768),classifier", "1\t0\t(9),emb", name="3.tsv")
    found = good("ccpm", path)
    assert isinstance(found.answers, ClosedPredictions)
    assert dict(found.answers.values) == {"0": 3, "1": 0}
    assert found.traces[0] == (ModuleUse("emb", (88,)), ModuleUse("classifier", (768,)))
    spans = written(tmp_path, "index\tpred\tmodules", '0\t[{"start": 0, "end": 2, "type": "n"}]\t(9),emb', name="4.tsv")
    assert good("pku-segpos", spans).order[0] == 0
    words = written(tmp_path, "index\tpred\tmodules", "0\t你 拥有\t(9),emb\r", name="5.tsv")
    assert good("wordseg-weibo", words).traces == [(ModuleUse("emb", (9,)),)]


def test_all_malformed_rows_of_a_table(tmp_path: Path) -> None:
    rows = ("id\tpred\tmodules", "0\tcar\t(9),emb", "2\tcar\t(9),emb", "2\tcar", "3\tcar\t(9),emb,", "4\t7\t(9),emb")
    problems = bad("chnc", written(tmp_path, *rows, name="3.tsv"))
    assert [(problem.line, problem.column) for problem in problems] == [(1, 1), (3, 1), (4, 1), (5, 14), (6, 3)]
    assert "indices count from 0" in problems[1].expected
    assert rows[4][13] == ","


def test_marks_are_looked_into(tmp_path: Path) -> None:
    wrong = {"entities": [{"start_idx": 1, "end_idx": "3", "type": "dis"}], "modules": GOOD}
    (problem,) = bad("cmeee", written(tmp_path, json.dumps(wrong)))
    assert "entities[0].end_idx" in problem.found
    assert problem.expected == "a whole number"


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "3.jsonl"
    path.write_bytes(content)
    (problem,) = bad("chnc", path)
    assert problem.found == "an empty file"
