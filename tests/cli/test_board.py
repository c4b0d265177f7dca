"""`readproof board`: a board made, served, submitted to, backed up and restored from the command line."""

from __future__ import annotations

import json
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
