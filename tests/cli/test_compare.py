"""`readproof compare`: what it says to folders that are no runs."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import run
from tests.submit.parts import package, submission


def test_submissions_are_sent_to_the_command_that_compares_them(tmp_path: Path) -> None:
    folder, packed = tmp_path / "ours", tmp_path / "theirs.zip"
    (folder / "submission_files" / "chnc").mkdir(parents=True)
    packed.write_bytes(submission())
    for pair in ((folder, packed), (packed, folder)):
        done = run("compare", *pair)
        assert done.returncode == 2
        assert f"readproof elue {pair[0]} {pair[1]}" in done.stderr


def test_what_is_no_submission_of_celue_is_told_as_before(tmp_path: Path) -> None:
    other = tmp_path / "GCRC_advRobust.zip"
    other.write_bytes(package())
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no zip")
    for one in (tmp_path, other, broken, tmp_path / "none"):
        done = run("compare", one, one)
        assert done.returncode == 2
        assert "readproof elue" not in done.stderr and "readproof prove" in done.stderr
