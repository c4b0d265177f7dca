"""`readproof pack`: the commands, and that what they wrote is checked at once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.submit.parts import CODE, LINES, line, predictions
from tests.submit.test_pack import made_model, made_run

pytest.importorskip("docx", reason="needs the extra [submit]")


def filled(path: Path) -> Path:
    assert run("pack", "about", "-o", path).returncode == 0
    text = (
        path.read_text(encoding="utf-8")
        .replace("= false", "= true")
        .replace('external_data = ""', 'external_data = "无"')
    )
    text = text.replace('method = ""', 'method = "数字符。"').replace('team = ""', 'team = "读证队"', 1)
    path.write_text(text.replace('organisation = ""', 'organisation = "示例大学"'), encoding="utf-8")
    return path


def test_gcrc(tmp_path: Path) -> None:
    test = tmp_path / "test.json"
    test.write_bytes(predictions())
    run_, model, out = made_run(tmp_path / "run"), made_model(tmp_path / "net"), tmp_path / "GCRC_advRobust.zip"
    arguments = ("pack", "gcrc", run_.parent, "--model", model, "--test", test, "-o", out)
    done = run(*arguments, "--about", filled(tmp_path / "about.toml"), "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    record = json.loads(done.stdout)
    assert (record["package"], record["ok"], record["warnings"]) == (str(out), True, 0)
    # without what the team declares it is not written, and what is open is told
    before = out.read_bytes()
    bare = run(*arguments)
    assert bare.returncode == 2 and "D409 error" in bare.stdout
    assert f"did not write {out}: it has errors; the file that was there before is as it was" in bare.stderr
    assert out.read_bytes() == before
    forced = run(*arguments, "--force")
    assert forced.returncode == 2 and f"wrote {out}" in forced.stderr
    assert out.read_bytes() != before


def test_a_package_with_errors_is_not_left_to_be_uploaded(tmp_path: Path) -> None:
    for task in LINES:
        folder = tmp_path / "runs" / task
        folder.mkdir(parents=True)
        (folder / "6.jsonl").write_bytes(line(task, modules=...) * 3)
        (folder / "model_to_eval.py").write_bytes(CODE)
    out = tmp_path / "submission.zip"
    done = run("pack", "celue", tmp_path / "runs", "-o", out)
    assert done.returncode == 2
    assert f"{out}: celue; 15 errors" in done.stdout and f"did not write {out}" in done.stderr
    record = json.loads(run("pack", "celue", tmp_path / "runs", "-o", out, "--json").stdout)
    assert (record["ok"], record["written"], record["errors"], record["file"]) == (False, False, 15, str(out))
    # nor is a part of it
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]
    assert run("pack", "celue", tmp_path / "runs", "-o", out, "--force").returncode == 2
    assert out.is_file()


def test_celue(tmp_path: Path) -> None:
    for task in LINES:
        folder = tmp_path / "runs" / task
        folder.mkdir(parents=True)
        (folder / "6.jsonl").write_bytes(line(task) * 3)
    code = tmp_path / "model.py"
    code.write_bytes(CODE)
    folders = [tmp_path / "runs" / task for task in LINES]
    done = run("pack", "celue", *folders, "--code", code, "-o", tmp_path / "submission.zip")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{tmp_path}/submission.zip: celue; all right, 6 warnings" in done.stdout
    assert run("pack", "celue", tmp_path / "runs", "-o", tmp_path / "x.zip").returncode == 2


def test_registration(tmp_path: Path) -> None:
    done = run("pack", "registration", "--about", filled(tmp_path / "about.toml"), "-o", tmp_path / "form.docx")
    assert done.returncode == 2 and done.stdout.count("R502 error") == 7
    assert not (tmp_path / "form.docx").exists()


def test_an_about_file_is_never_overwritten(tmp_path: Path) -> None:
    path = filled(tmp_path / "about.toml")
    before = path.read_bytes()
    assert run("pack", "about", "-o", path).returncode == 2
    assert path.read_bytes() == before


def test_what_is_read_is_not_written_over(tmp_path: Path) -> None:
    about = filled(tmp_path / "about.toml")
    before = about.read_bytes()
    assert "read from" in run("pack", "registration", "--about", about, "-o", about).stderr
    assert "read from" in run("pack", "gcrc", made_run(tmp_path / "run"), "--about", about, "-o", about).stderr
    assert about.read_bytes() == before


def test_the_commands_that_are_named_need_no_folder_made_before() -> None:
    page = (Path(__file__).parents[2] / "docs/packages.md").read_text(encoding="utf-8")
    for text in (page, run("pack", "gcrc", "--help").stdout):
        (written,) = re.findall(r"readproof answer gcrc:test\.json -o (\S+)", text)
        assert Path(written).parent == Path()
        assert f"readproof pack gcrc {written} " in text
