"""`readproof board`: a board made, served, submitted to, backed up and restored from the command line."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra [board]")

import httpx

from readproof.board import accounts
from readproof.board.board import open_board
from tests.board.made_board import captain, letters, made_folder
from tests.board.serving import free_port
from tests.cli import running


def run(*arguments: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    return running.run("board", *arguments, **more)


def test_init_says_what_is_still_missing(tmp_path: Path) -> None:
    found = run("init", tmp_path / "b", "--organiser", "me@example.org", "--json", READPROOF_PASSWORD="a long secret")
    assert found.returncode == 0, found.stderr
    record = json.loads(found.stdout)
    # what the organiser has set is not printed
    assert record["password"] == "" and "a long secret" not in found.stdout + found.stderr
    assert any(one.startswith("gcrc: ") and one.endswith("gold.json") for one in record["missing"])
    assert run("init", tmp_path / "b").returncode == 2
    assert run("worker", tmp_path).returncode == 2
    assert run("init", tmp_path / "c", "--organiser", "nobody").returncode == 2
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("mail", "password", "told"),
    [
        ("notmail", "", "the organiser: found the text 'notmail'; expected an e-mail address: me@example.org."),
        (
            "me@example.org",
            "short",
            "READPROOF_PASSWORD: found a password of 5 characters; expected 10 to 200 characters.",
        ),
    ],
)
def test_what_is_wrong_with_an_organiser_is_a_sentence(tmp_path: Path, mail: str, password: str, told: str) -> None:
    found = run("init", tmp_path / "b", "--organiser", mail, READPROOF_PASSWORD=password)
    assert found.returncode == 2
    assert found.stderr.strip().endswith(told)


@pytest.mark.parametrize("port", [-1, 0, 65536, 99999])
def test_a_port_that_there_is_not(tmp_path: Path, port: int) -> None:
    found = run("serve", made_folder(tmp_path / "b"), f"--port={port}")
    assert found.returncode == 2 and "Serving" not in found.stderr
    assert "--port" in found.stderr and "Traceback" not in found.stderr


def test_a_port_that_is_taken_is_told_before_anything_is_served(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        found = run("serve", made_folder(tmp_path / "b"), "--port", str(taken.getsockname()[1]))
    assert found.returncode == 2 and "Serving" not in found.stderr
    assert "an address that cannot be listened at (Address already in use)" in found.stderr
    found = run("serve", tmp_path / "b", "--host", "a..b")
    assert found.returncode == 2 and "cannot be listened at" in found.stderr


def test_serve_does_not_start_with_files_that_do_not_go_together(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "b")
    test = folder / "competitions/gcrc/test.json"
    test.write_text(test.read_text("utf-8").replace('"question"', '"answer": "", "question"'), encoding="utf-8")
    found = run("serve", folder, "--port", str(free_port()))
    assert found.returncode == 2 and "Serving" not in found.stderr
    assert "test.json, data[0].answer: found the text ''; expected a test file without letters" in found.stderr


def test_a_token_that_no_header_can_hold(tmp_path: Path) -> None:
    file = tmp_path / "GCRC_advRobust.json"
    file.write_bytes(letters(1))
    to = ("--to", "http://127.0.0.1:1/c/reading", "--track", "closed")
    for token in ("rp_…", "rp_a\nb"):
        found = run("submit", file, *to, READPROOF_TOKEN=token)
        assert found.returncode == 2 and token not in found.stderr
        assert "the environment variable READPROOF_TOKEN: found characters that no header can hold" in found.stderr
    assert "found no READPROOF_TOKEN" in run("submit", file, *to, READPROOF_TOKEN=" ").stderr


def test_a_folder_is_not_submitted(tmp_path: Path) -> None:
    to = ("--to", "http://127.0.0.1:1/c/reading", "--track", "closed")
    assert "found a folder; expected a package" in run("submit", tmp_path, *to, READPROOF_TOKEN="rp_x").stderr
    assert "found no such file" in run("submit", tmp_path / "x", *to, READPROOF_TOKEN="rp_x").stderr


def test_serve_submit_backup_restore(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "b")
    from readproof.board.times import now

    board = open_board(folder, clock=now, migrate=True)
    token = accounts.make_token(board, captain(board, "an"), "t")
    board.close()
    port = free_port()
    command = [sys.executable, "-m", "readproof.cli.main", "board", "serve", str(folder), "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        try:
            wait(port)
            good, bad = tmp_path / "GCRC_advRobust.json", tmp_path / "bad.json"
            good.write_bytes(letters(1))
            bad.write_text("[]")
            to = ("--to", f"http://127.0.0.1:{port}/c/reading", "--track", "closed")
            found = run("submit", good, *to, "--json", READPROOF_TOKEN=token)
            assert found.returncode == 0, found.stderr
            record: dict[str, Any] = json.loads(found.stdout)
            assert (record["status"], record["score"]) == ("scored", 1.0)
            refused = run("submit", bad, *to, READPROOF_TOKEN=token)
            assert refused.returncode == 2 and "error" in refused.stdout and "应为" in refused.stdout
            assert run("submit", good, "--to", "http://x", "--track", "y", READPROOF_TOKEN=token).returncode == 2
        finally:
            server.terminate()
    made = tmp_path / "backup.zip"
    assert run("backup", folder, "-o", made).returncode == 0
    assert run("restore", made, tmp_path / "again", "--json").returncode == 0
    assert run("restore", made, tmp_path / "again").returncode == 2


def wait(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            httpx.get(f"http://127.0.0.1:{port}/health", timeout=2)
            return
        except httpx.TransportError:
            time.sleep(0.2)
    raise AssertionError("the server does not answer")
