"""From a run to a package: what the run knows is filled in, and what is open is marked as open."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from readproof.errors import InputError
from readproof.readers.track import TrackRecord, write_track
from readproof.submit import check
from readproof.submit.about import TeamStatement, read_about, template
from readproof.submit.archive import Budget
from readproof.submit.check import form_values
from readproof.submit.document import read_document
from readproof.submit.pack import pack_celue, pack_gcrc, pack_registration
from readproof.submit.problems import Problems
from tests.submit.parts import CODE, predictions, rows, safetensors

docx = pytest.importorskip("docx", reason="needs the extra [submit]")

ABOUT = TeamStatement(
    {"team": "读证队", "organisation": "示例大学"},
    {"external_data": "无", "method": "逐字比较选项与原文。", "steps": "python run.py test.json GCRC_advRobust.json"},
    {"no_large_model": True, "no_manual_labels": True, "no_construction_rules": True, "reproducible": True},
)


def made_run(folder: Path, **facts: Any) -> Path:
    """Predictions with who answered, as `readproof answer` leaves them."""
    folder.mkdir(exist_ok=True)
    path = folder / "predictions.json"
    path.write_bytes(predictions())
    told = {
        "reader": "zh",
        "fingerprint": "abc",
        "parameters": 12,
        "closed_track": "yes",
        "why": "",
        "independent": True,
    }
    write_track(TrackRecord(**(told | facts)), path)
    return path


def made_model(folder: Path) -> Path:
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(safetensors())
    (folder / "run.py").write_text("print('run')\n", encoding="utf-8")
    return folder


def text_of(package: Path) -> str:
    with zipfile.ZipFile(package) as archive:
        data = io.BytesIO(archive.read("GCRC_advRobust.docx"))
    document = read_document(data, "x", Problems(), Budget(1 << 30))
    assert document is not None
    return document.text


def test_a_package_of_a_run_is_all_right(tmp_path: Path) -> None:
    run, model = made_run(tmp_path / "run"), made_model(tmp_path / "net")
    test = tmp_path / "test.json"
    test.write_bytes(predictions())
    package = pack_gcrc([run.parent], tmp_path / "GCRC_advRobust.zip", model=model, test=test, about=ABOUT)
    found = check(package, tests=[f"gcrc:{test}"], track="closed")
    assert found.problems == ()
    assert found.seen == {"rows": 4, "parameters": 12, "track": "closed"}
    text = text_of(package)
    assert "封闭赛道" in text and "python run.py" in text and "model/model.safetensors" in text
    assert str(tmp_path) not in text
    # the same run gives the same bytes
    again = pack_gcrc([run], tmp_path / "again.zip", model=model, test=test, about=ABOUT)
    assert again.read_bytes() == package.read_bytes()


def test_what_nobody_said_is_marked_and_found(tmp_path: Path) -> None:
    package = pack_gcrc(
        [made_run(tmp_path / "run")], tmp_path / "GCRC_advRobust.zip", model=made_model(tmp_path / "net")
    )
    found = check(package)
    assert {one.code for one in found.errors} == {"D409"}
    missing = ("参赛队名", "单位名称", "方法说明", "外部数据", "声明")
    assert {one.found.zh for one in found.errors} == {f"【待填写：{one}】" for one in missing}


def test_the_open_track_has_its_prompts(tmp_path: Path) -> None:
    reader = "llm:http://localhost:8080/v1#qwen?prompt=winner"
    run = made_run(
        tmp_path / "run", reader=reader, parameters=None, closed_track="no", why="a language model", independent=False
    )
    lines = [
        {"reader": reader, "track": "open"},
        {"prompt": "winner", "language": "zh", "user": "阅读：\n{passage}\n只答字母。"},
    ]
    prompts = run.with_name("predictions.json.prompts.jsonl")
    prompts.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8")
    package = pack_gcrc([run], tmp_path / "GCRC_advRobust.zip", about=ABOUT)
    assert [one.code for one in check(package, track="open").problems] == ["G225"]
    text = text_of(package)
    assert "开放赛道" in text and "只答字母。" in text and "三个题目一并提问" in text
    with zipfile.ZipFile(package) as outer, zipfile.ZipFile(io.BytesIO(outer.read("model.zip"))) as inner:
        assert json.loads(inner.read("run/prompts.jsonl").splitlines()[1])["prompt"] == "winner"
    with pytest.raises(InputError, match="closed track does not take"):
        pack_gcrc([run], tmp_path / "no.zip", track="closed", about=ABOUT)


def test_runs_are_put_together_and_filled_up(tmp_path: Path) -> None:
    bare = [{key: row[key] for key in ("id", "answer", "positive_answer", "negative_answer")} for row in rows()]
    paths = []
    for number in (0, 1):
        path = tmp_path / f"part{number}.json"
        path.write_bytes(predictions(bare[number * 2 : number * 2 + 2]))
        paths.append(path)
    test = tmp_path / "test.json"
    test.write_bytes(predictions())
    model = made_model(tmp_path / "net")
    out = tmp_path / "GCRC_advRobust.zip"
    pack_gcrc(paths[::-1], out, model=model, test=test, track="closed", about=ABOUT)
    with zipfile.ZipFile(out) as archive:
        assert json.loads(archive.read("GCRC_advRobust.json"))["data"] == rows()
    with pytest.raises(InputError, match="no prediction for 2 of 4"):
        pack_gcrc(paths[:1], out, model=model, test=test, track="closed")
    with pytest.raises(InputError, match="again"):
        pack_gcrc([paths[0], paths[0]], out, model=model, track="closed")
    with pytest.raises(InputError, match="--track"):
        pack_gcrc(paths, out, model=model)


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(InputError, match=r"readproof\[submit\]"):
        pack_registration(tmp_path / "form.docx", ABOUT)
    assert list(tmp_path.iterdir()) == []


def test_a_run_of_prove_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "variants.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="readproof answer gcrc"):
        pack_gcrc([tmp_path], tmp_path / "x.zip")


def test_the_registration_form(tmp_path: Path) -> None:
    about = tmp_path / "about.toml"
    filled = template().replace('track = ""', 'track = "open"').replace("members = []", 'members = ["李四", "王五"]')
    for key in ("organisation", "team", "leader", "address", "contact", "phone"):
        filled = filled.replace(f'{key} = ""', f'{key} = "某{key}"', 1)
    about.write_text(filled.replace("mails = []", 'mails = ["a@example.cn", "b@example.cn"]'), encoding="utf-8")
    form = pack_registration(tmp_path / "form.docx", read_about(about))
    found = check(form)
    assert (found.kind, found.problems) == ("registration", ())
    document = read_document(io.BytesIO(form.read_bytes()), "x", Problems(), Budget(1 << 30))
    assert document is not None
    assert form_values(document)["队伍组员"] == "李四、王五"
    assert form_values(document)["赛道选择"] == "开放赛道"
    empty = pack_registration(tmp_path / "empty.docx", TeamStatement())
    assert [one.code for one in check(empty).problems] == ["R502"] * 9


def test_mistakes_in_the_about_file_are_told(tmp_path: Path) -> None:
    path = tmp_path / "about.toml"
    for text, told in (
        ("[team]\nname = 'x'", "organisation"),
        ("[team", "TOML"),
        ("[model]\nreproducible = 'yes'", "true or false"),
        ("team = 3", "a table"),
        ("[team]\nteam = 3", "a text"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=told):
            read_about(path)


def test_celue_folders_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder of a task"):
        pack_celue([tmp_path], tmp_path / "x.zip")
    (tmp_path / "ccpm").mkdir()
    with pytest.raises(InputError, match="model_to_eval"):
        pack_celue([tmp_path], tmp_path / "x.zip")
    (tmp_path / "ccpm/model_to_eval.py").write_bytes(CODE)
    (tmp_path / "ccpm/1.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError, match="chnc"):
        pack_celue([tmp_path], tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()
