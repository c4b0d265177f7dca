"""`readproof check`: what a person and a program see, and the exit status."""

from __future__ import annotations

import gzip
import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.submit.parts import FORM, changed, form, gold_file, line, package, predictions, safetensors, submission


@pytest.fixture
def test(tmp_path: Path) -> Path:
    path = tmp_path / "test.json"
    path.write_bytes(predictions())
    return path


def written(folder: Path, data: bytes, name: str = "GCRC_advRobust.zip") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_all_right(tmp_path: Path, test: Path) -> None:
    found = run("check", written(tmp_path, package()), "--test", test, "--track", "closed")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.splitlines() == [
        f"{tmp_path}/GCRC_advRobust.zip: gcrc; all right",
        f"{tmp_path}/GCRC_advRobust.zip：检查通过",
    ]


@pytest.mark.parametrize(
    ("pack", "hint"), [(gzip.compress, "(gzip)"), (lzma.compress, "(xz)"), (lambda _: package(), "(zip)")]
)
def test_an_archive_under_the_name_of_predictions(pack: Callable[[bytes], bytes], hint: str, tmp_path: Path) -> None:
    found = run("check", written(tmp_path, pack(predictions()), "GCRC_advRobust.json"), "--lang", "en")
    assert found.returncode == 2
    assert f"bytes that are not UTF-8 {hint}" in found.stdout


def test_predictions_cut_inside_a_character(tmp_path: Path) -> None:
    text = predictions().decode()
    cut = text[: text.index("湿") + 1].encode()[:-1]
    found = run("check", written(tmp_path, cut, "GCRC_advRobust.json"))
    assert "seems cut short" in found.stdout and "内容似乎不完整" in found.stdout
    assert "GB18030" not in found.stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_package_in_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "found a pipe" in run("check", tmp_path / "pipe").stderr


def test_every_problem_in_both_languages(tmp_path: Path, test: Path) -> None:
    broken = package({"GCRC_advRobust.json": changed(0, answer="a", negative_answer="E"), "GCRC_advRobust.docx": None})
    found = run("check", written(tmp_path, broken), "--test", test)
    assert found.returncode == 2
    lines = found.stdout.splitlines()
    json_file = "GCRC_advRobust.zip/GCRC_advRobust.json"
    assert (
        "G201 error   GCRC_advRobust.zip GCRC_advRobust.docx: no GCRC_advRobust.docx at the top of the package; "
        in lines[0]
    )
    assert lines[2].startswith(
        f'G222 error   {json_file} line 14, data[0].answer: answer is "a"; expected: one capital'
    )
    assert lines[3].startswith(f'             {json_file} 第14行，data[0].answer：answer 为 "a"；应为：一个大写字母')
    assert lines[4].startswith(
        f"G223 error   {json_file} line 29, data[0].negative_answer: negative_answer is E, and there"
    )
    assert lines[-2:] == [f"{tmp_path}/GCRC_advRobust.zip: gcrc; 3 errors", f"{tmp_path}/GCRC_advRobust.zip：3 处错误"]
    assert "--explain" in found.stderr
    chinese = run("check", tmp_path / "GCRC_advRobust.zip", "--test", test, "--lang", "zh").stdout
    assert "expected" not in chinese and chinese.count("应为") == 3
    english = run("check", tmp_path / "GCRC_advRobust.zip", "--test", test, "--lang", "en").stdout
    assert "应为" not in english and english.count("expected: ") == 3


def test_for_a_program(tmp_path: Path) -> None:
    found = run("check", written(tmp_path, package()), "--json")
    record = json.loads(found.stdout)
    assert (found.returncode, record["ok"], record["kind"], record["warnings"]) == (0, True, "gcrc", 1)
    assert record["seen"] == {"rows": 4, "parameters": 12, "track": "closed"}
    assert record["problems"] == [
        {
            "code": "G225", "level": "warning", "file": "GCRC_advRobust.zip/GCRC_advRobust.json", "place": "",
            "found": {"en": "4 rows", "zh": "4 条"}, "expected": {"en": "288 rows", "zh": "288 条"},
        }
    ]  # fmt: skip
    broken = run("check", written(tmp_path, b"no zip"), "--json")
    assert (broken.returncode, json.loads(broken.stdout)["problems"][0]["code"]) == (2, "A101")


def test_the_predictions_of_the_day_and_a_form(tmp_path: Path, test: Path) -> None:
    alone = run("check", written(tmp_path, predictions(), "GCRC_advRobust.json"), "--test", test, "--lang", "en")
    assert (alone.returncode, alone.stdout.rstrip()[-30:]) == (0, "on: gcrc predictions; all right"[-30:])
    assert run("check", written(tmp_path, form(FORM), "报名表.docx")).returncode == 0
    assert run("check", written(tmp_path, form(FORM | {"地址": ""}), "报名表.docx")).returncode == 2


def test_celue_with_weights_beside_it(tmp_path: Path) -> None:
    tests = []
    for task in ("ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo"):
        tests += ["--test", f"{task}:{written(tmp_path, gold_file(task), f'{task}.test')}"]
    weights = written(tmp_path, safetensors(), "model.safetensors")
    found = run("check", written(tmp_path, submission(), "submission.zip"), *tests, "--model", weights, "--lang", "en")
    assert (found.returncode, found.stdout) == (0, f"{tmp_path}/submission.zip: celue; all right\n")


def test_weights_beside_it_that_run_code_or_are_none(tmp_path: Path) -> None:
    package = written(tmp_path, submission(), "submission.zip")
    evil = b"\x80\x02ctorch._utils\n_import_dotted_name\nX\x09\0\0\0os.system\x85RX\x0e\0\0\0echo PWNED >&2\x85R."
    found = run("check", package, "--model", written(tmp_path, evil, "evil.bin"), "--lang", "en")
    assert found.returncode == 2
    assert "M304 error   evil.bin: a call of torch._utils._import_dotted_name" in found.stdout
    none = run("check", package, "--model", written(tmp_path, safetensors({}, b""), "none.safetensors"), "--lang", "en")
    assert "C634" in none.stdout


def test_a_file_of_another_kind_is_told_what_is_taken(tmp_path: Path) -> None:
    found = run("check", written(tmp_path, b"B\nC\n", "p.txt"), "--lang", "en")
    assert found.returncode == 2
    for kind in ("GCRC_advRobust.zip", "GCRC_advRobust.json", "submission_files/", ".docx"):
        assert kind in found.stdout


def test_a_code_is_explained() -> None:
    found = run("check", "--explain", "g222")
    assert found.returncode == 0
    assert found.stdout == (Path(__file__).parents[2] / "docs/codes/G222.md").read_text(encoding="utf-8")
    assert run("check", "--explain", "X1").returncode == 2


def test_what_cannot_be_checked(tmp_path: Path) -> None:
    assert "no such file" in run("check", tmp_path / "none.zip").stderr
    assert "no file" in run("check").stderr
    written(tmp_path, package())
    wrong = run("check", tmp_path / "GCRC_advRobust.zip", "--test", written(tmp_path, b"{}", "x.json"))
    assert wrong.returncode == 2 and "Traceback" not in wrong.stderr


def test_a_folder_is_told_how_to_be_packed(tmp_path: Path) -> None:
    (tmp_path / "made up" / "submission_files" / "ccpm").mkdir(parents=True)
    told = run("check", tmp_path / "made up").stderr
    assert f"Pack it first: readproof pack celue '{tmp_path}/made up' -o submission.zip" in told
    (tmp_path / "GCRC_advRobust.json").write_bytes(predictions())
    assert "into one zip, or name GCRC_advRobust.json alone" in run("check", tmp_path).stderr


def test_a_flood_is_shown_by_its_first_cases(tmp_path: Path) -> None:
    wrong = {"chnc/12.jsonl": line("chnc", label="politics") * 450} | {f"~x{number}.txt": b"x" for number in range(40)}
    file = written(tmp_path, submission(wrong), "submission.zip")
    found = run("check", file, "--lang", "en").stdout
    assert found.count("C616 error") == 3
    assert "C616 … and 447 more in submission.zip/submission_files/chnc/12.jsonl\n" in found
    assert found.count("C606 warning") == 15 and "C606 … and 25 more in 25 files\n" in found
    assert "celue; 450 errors, " in found
    assert "中还有 447 处" in run("check", file, "--lang", "zh").stdout
    # a program gets more of them, and the number of all
    record = json.loads(run("check", file, "--json").stdout)
    assert record["errors"] == 450
    assert sum(one["code"] == "C616" for one in record["problems"]) == 200
    assert [one["count"] for one in record["unlisted"]] == [250]


def test_what_is_not_a_flood_is_shown_whole(tmp_path: Path) -> None:
    data = line("chnc", label="politics") * 10
    found = run(
        "check", written(tmp_path, submission({"chnc/12.jsonl": data}), "submission.zip"), "--lang", "en"
    ).stdout
    assert found.count("C616 error") == 10 and " more in " not in found


def test_two_folders_swapped(tmp_path: Path) -> None:
    swapped = {"ccpm/12.jsonl": line("chnc") * 200, "chnc/12.jsonl": line("ccpm") * 200}
    found = run("check", written(tmp_path, submission(swapped), "submission.zip"), "--lang", "en").stdout
    assert (
        "ccpm/12.jsonl: 200 lines that all have the key label: this looks like chnc; expected: predictions of" in found
    )
    assert "this looks like ccpm" in found
    assert "C614" not in found and "celue; 2 errors, " in found


def test_some_lines_of_another_task_are_told_each(tmp_path: Path) -> None:
    mixed = {"ccpm/12.jsonl": line("ccpm") + line("chnc") + line("cmeee")}
    found = run("check", written(tmp_path, submission(mixed), "submission.zip"), "--lang", "en").stdout
    assert "C607" not in found
    for number in (2, 3):
        assert f"C614 error   submission.zip/submission_files/ccpm/12.jsonl line {number}: no answer" in found


def test_a_tag_that_only_the_data_has_is_no_error(tmp_path: Path) -> None:
    spans = [{"start": 0, "end": 2, "type": "nx"}, {"start": 2, "end": 4, "type": "NN"}]
    file = "pku-segpos/12.jsonl"
    right = submission({file: line("pku-segpos", span_list=spans[:1]) * 3})
    found = run("check", written(tmp_path, right, "submission.zip"), "--lang", "en")
    assert found.returncode == 0 and found.stdout.count("C630 warning") == 1
    wrong = submission({file: line("pku-segpos", span_list=spans)})
    told = run("check", written(tmp_path, wrong, "submission.zip"), "--lang", "en").stdout
    # the whole list, to the last tag
    assert "the label NN; expected: one of n, t, " in told and "vn, an, vd, ad\n" in told
    for code in ("C616", "C630"):
        page = run("check", "--explain", code).stdout
        assert "{labels}" not in page and "nz, Ng, Vg, Ag, Tg, Dg, vn, an, vd, ad\n" in page and "nx, Bg" in page


def test_why_a_lenient_reader_is_no_excuse(tmp_path: Path) -> None:
    files = {
        "ccpm/12.jsonl": line("ccpm", answer=4) + line("ccpm", answer="0"),
        "chnc/12.jsonl": b"\xef\xbb\xbf" + line("chnc"),
    }
    found = run("check", written(tmp_path, submission(files), "submission.zip"), "--lang", "en").stdout
    assert "answer is 4, which can never be right; expected: a whole number from 0 to 3" in found
    assert 'answer is "0"; expected: a whole number from 0 to 3' in found
    assert "a byte-order mark, at which a plain JSON reader stops" in found


def test_a_copied_file_is_a_point_counted_twice(tmp_path: Path) -> None:
    copied = {"ccpm/6.jsonl": line("ccpm") * 3, "chnc/6.jsonl": line("chnc", label="sports") * 3}
    found = run("check", written(tmp_path, submission(copied), "submission.zip"))
    assert found.returncode == 0 and found.stdout.count("C608 warning") == 1
    assert "ccpm/6.jsonl: the same bytes as 12.jsonl: a point counted twice" in found.stdout
    assert "同一个点被计两次" in found.stdout
