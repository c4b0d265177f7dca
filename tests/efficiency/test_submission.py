"""Packages: a folder for a task, safe unpacking, and clear words about what is missing."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from readproof.efficiency import submission
from readproof.efficiency.submission import opened, task_files
from readproof.errors import InputError


def package(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n", encoding="utf-8")
    return folder


def zipfile_of(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize("top", ["", "submission_files/", "team/", "team/submission_files/"])
def test_files_of_the_tasks(top: str, tmp_path: Path) -> None:
    names = ("ccpm/12.jsonl", "ccpm/3.jsonl", "ccpm/model_to_eval.py", "CNHC/a.tsv", "CNHC/model.py", "ccpm/notes.txt")
    tasks, problems, notes = task_files(package(tmp_path, *(top + name for name in names)), "mine.zip")
    assert (problems, notes) == ([], [])
    assert [path.name for path in tasks["ccpm"].predictions] == ["3.jsonl", "12.jsonl"]
    assert tasks["chnc"].model.name == "model.py"
    assert tasks["ccpm"].label == "mine.zip/ccpm"


def test_what_is_wrong_with_the_folders_is_told_at_once(tmp_path: Path) -> None:
    names = ("ccpm/3.jsonl", "chnc/model_to_eval.py", "cmeee/3.jsonl", "cmeee/a.py", "cmeee/b.py", "mrpc/3.jsonl")
    tasks, problems, notes = task_files(package(tmp_path, *names), "p")
    assert tasks == {}
    assert [(problem.file, problem.found) for problem in problems] == [
        ("p/ccpm", "no model file"),
        ("p/chnc", "no predictions"),
        ("p/cmeee", "a.py, b.py"),
    ]
    assert "mrpc is no task of CELUE" in notes[0]


def test_an_empty_package(tmp_path: Path) -> None:
    _, (problem,), _ = task_files(tmp_path, "p")
    assert problem.found == "no folder of a task"


def test_a_zip_file_is_gone_afterwards(tmp_path: Path) -> None:
    path = zipfile_of(tmp_path / "a.zip", **{"submission_files/ccpm/3.jsonl": "{}", "__MACOSX/ccpm/._3.jsonl": "x"})
    with opened(path) as folder:
        assert [one.name for one in folder.rglob("*") if one.is_file()] == ["3.jsonl"]
    assert not folder.exists()


@pytest.mark.parametrize(
    "name", ["../3.jsonl", "/etc/3.jsonl", "ccpm\\..\\3.jsonl", "C:/3.jsonl", "a/" * 9 + "3.jsonl"]
)
def test_names_that_lead_elsewhere(name: str, tmp_path: Path) -> None:
    path = zipfile_of(tmp_path / "a.zip", **{name: "x"})
    with pytest.raises(InputError, match="relative names"), opened(path):
        pass
    assert list(tmp_path.iterdir()) == [path]


def test_links_and_repeated_names(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("ccpm/3.jsonl")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(InputError, match="plain files"), opened(tmp_path / "a.zip"):
        pass
    with pytest.warns(UserWarning), zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("ccpm/3.jsonl", "1")
        archive.writestr("ccpm/3.jsonl", "2")
    with pytest.raises(InputError, match="twice"), opened(tmp_path / "b.zip"):
        pass


def test_a_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "LARGEST", 1 << 20)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ccpm/3.jsonl", b"0" * (4 << 20))
    with pytest.raises(InputError, match="over 1 MB"), opened(tmp_path / "a.zip"):
        pass
    monkeypatch.setattr(submission, "_MOST_MEMBERS", 3)
    many = zipfile_of(tmp_path / "b.zip", **{f"ccpm/{at}.jsonl": "" for at in range(4)})
    with pytest.raises(InputError, match="4 members"), opened(many):
        pass


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_unusual_methods(method: int, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.writestr("ccpm/3.jsonl", "".join(f"{number * number}\n" for number in range(500)))
    content = (tmp_path / "a.zip").read_bytes()
    # damaged or not, it is not opened
    for data in (content, content[:90] + b"\xff" * 20 + content[110:]):
        (tmp_path / "a.zip").write_bytes(data)
        with pytest.raises(InputError, match="stored or deflated"), opened(tmp_path / "a.zip"):
            pass


def test_a_name_that_says_it_is_utf_8(tmp_path: Path) -> None:
    path = zipfile_of(tmp_path / "a.zip", **{"ccpm/é.jsonl": "{}"})
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xff\xff"))
    with pytest.raises(InputError, match="no readable zip file"), opened(path):
        pass


def test_a_file_where_a_folder_must_be(tmp_path: Path) -> None:
    path = zipfile_of(tmp_path / "a.zip", **{"ccpm/a.json": "{}", "ccpm/a.json/b.json": "{}"})
    with pytest.raises(InputError, match="no readable zip file") as caught, opened(path):
        pass
    assert "readproof-" not in caught.value.found and "Errno" not in caught.value.found


@pytest.mark.parametrize("content", [b"", b"no zip file", b"PK\x03\x04" + b"\0" * 40])
def test_no_zip_file(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(content)
    with pytest.raises(InputError, match="no readable zip file"), opened(path):
        pass
    with pytest.raises(InputError, match="no such file"), opened(tmp_path / "none.zip"):
        pass
