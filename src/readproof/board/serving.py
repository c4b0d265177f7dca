"""Running a board: the web server, and beside it, unless told otherwise, a worker in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from readproof.board.board import Board, open_board
from readproof.board.worker import LEASE, Worker

_GRACE = 3
_PARENT = 2.0
_LOOK = 0.5
_LAST = 20.0


def serve(folder: Path, host: str, port: int, *, workers: int = 1, proxies: str = "127.0.0.1") -> None:
    """Until interrupted. Tables are brought to this release first."""
    import uvicorn

    from readproof.board.web.app import make_app
    from readproof.board.web.ranking_pages import warm

    board = open_board(folder, migrate=True)
    app = make_app(board)
    warm(app)
    stop = threading.Event()
    command = [sys.executable, "-m", "readproof.cli.main", "board", "worker", str(folder), "--parent", str(os.getpid())]
    keepers = [threading.Thread(target=_keep, args=(command, stop)) for _ in range(workers)]
    for one in keepers:
        one.start()
    try:
        uvicorn.run(
            app,
            host=host,
            port=port,
            log_level="warning",
            server_header=False,
            proxy_headers=True,
            forwarded_allow_ips=proxies,
            timeout_graceful_shutdown=_GRACE,
            timeout_keep_alive=20,
        )
    finally:
        stop.set()
        for one in keepers:
            one.join()
        board.close()


def _keep(command: list[str], stop: threading.Event) -> None:
    """A worker, and another when it falls; at the end it may finish what it holds, or leave it to the next."""
    while not stop.is_set():
        child = subprocess.Popen(command)
        while child.poll() is None and not stop.wait(_LOOK):
            pass
        child.terminate()
        try:
            child.wait(_LAST)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        stop.wait(_PARENT)


def work(
    board: Board,
    say: Callable[[str], None],
    *,
    parent: int = 0,
    once: bool = False,
    lease: float = LEASE.total_seconds(),
) -> None:
    """Score what waits, until told to stop, or until the server that started it is gone."""
    stop = threading.Event()
    worker = Worker(board, timedelta(seconds=lease))
    if once:
        while done := worker.once():
            say(done)
        return
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    if parent:
        threading.Thread(target=_watch, args=(parent, stop), daemon=True).start()
    worker.run(stop, say)


def _watch(parent: int, stop: threading.Event) -> None:
    while os.getppid() == parent:
        if stop.wait(_PARENT):
            return
    stop.set()
