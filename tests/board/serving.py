"""A board behind a real server in a thread, with a worker in another: what browsers and programs talk to."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from readproof.board.board import Board
from readproof.board.web.app import make_app
from readproof.board.worker import ScoringWorker


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def served(board: Board) -> Iterator[str]:
    """The address of the board, while it runs."""
    port = free_port()
    config = uvicorn.Config(make_app(board), port=port, log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    stop = threading.Event()
    threads = [
        threading.Thread(target=server.run, daemon=True),
        threading.Thread(target=ScoringWorker(board).run, args=(stop,), daemon=True),
    ]
    for thread in threads:
        thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        stop.set()
        server.should_exit = True
        for thread in threads:
            thread.join()
