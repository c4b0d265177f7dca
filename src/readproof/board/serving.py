"""Running a board: the web server, and beside it, unless told otherwise, a worker in a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from readproof.board.board import Board, open_board
from readproof.board.lookover import competitions_in, look_over
from readproof.board.rescoring import announced
from readproof.board.settings import FILE, load_settings
from readproof.board.worker import LEASE, ScoringWorker
from readproof.errors import InputError, ReadproofError
from readproof.files import check_place

_GRACE = 3
_BACKLOG = 2048
_PARENT = 2.0
_LOOK = 0.5
_LAST = 20.0
_HERE = ("127.0.0.1", "localhost", "::1")


def serve(
    folder: Path,
    host: str,
    port: int,
    *,
    workers: int = 1,
    proxies: str = "127.0.0.1",
    access_log: Path | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> None:
    """Until interrupted. Files are looked at and tables brought to this release first.

    `access_log` gets a line of JSON for each request; a file that was moved away by logrotate is opened again.
    """
    import uvicorn

    from readproof.board.web.app import make_app
    from readproof.board.web.connections import guarded, most_connections, raise_limit
    from readproof.board.web.ranking_pages import warm

    look_over(competitions_in(folder), say)
    address = load_settings(folder).address
    if _elsewhere(address, port):
        say(f"pages name {address}: set the address in {folder / FILE} to what people type")
    sockets = listening(host, port)
    board = open_board(folder, migrate=True)
    for told in announced(board):
        say(told)
    most = most_connections(raise_limit())
    app = make_app(board, _logged(access_log) if access_log else None)
    warm(app)
    stop = threading.Event()
    command = [sys.executable, "-m", "readproof.cli.main", "board", "worker", str(folder), "--parent", str(os.getpid())]
    keepers = [threading.Thread(target=_keep, args=(command, stop)) for _ in range(workers)]
    for one in keepers:
        one.start()
    config = uvicorn.Config(
        app,
        http=guarded(most),
        log_level="warning",
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=20,
    )
    say(f"Serving {folder} at http://{host}:{port} (Ctrl-C to stop)")
    server = uvicorn.Server(config)
    try:
        with suppress(KeyboardInterrupt):
            server.run(sockets)
        if not server.started:
            raise ReadproofError(f"{folder}: the server did not start; what it said stands above")
    finally:
        stop.set()
        for one in keepers:
            one.join()
        board.close()


def _logged(path: Path) -> Callable[[str], None]:
    """Lines into a file, or to standard output for `-`."""
    import logging.handlers

    if str(path) != "-":
        check_place(path)
    handler = logging.StreamHandler(sys.stdout) if str(path) == "-" else logging.handlers.WatchedFileHandler(path)
    logger = logging.getLogger("readproof.board.access")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.handlers = [handler]
    return logger.info


def _elsewhere(address: str, port: int) -> bool:
    """Whether the address that pages name is one of this machine with another port: there nobody answers."""
    try:
        parts = urlsplit(address)
        # without a port it is that of a proxy
        return parts.hostname in _HERE and parts.port not in (None, port)
    except ValueError:
        return True


def listening(host: str, port: int) -> list[socket.socket]:
    """Sockets at every address of a host, before anything is said or started: a port can be taken."""
    found: list[socket.socket] = []
    try:
        wanted = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        addresses = dict.fromkeys((one[0], one[4]) for one in wanted)
        found.extend(socket.create_server(address, family=family, backlog=_BACKLOG) for family, address in addresses)
        for one in found:
            # asyncio asks for it only of sockets it made itself; without, every page waits 40 ms for an acknowledgement
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except (OSError, UnicodeError) as error:
        for one in found:
            one.close()
        # Python repeats the address behind the reason
        told = str(error.strerror).partition(" (")[0] if isinstance(error, OSError) else "no name of a host"
        raise InputError(
            place=f"--host {host} --port {port}",
            found=f"an address that cannot be listened at ({told})",
            expected="an address of this machine and a free port",
            do="Stop what listens there, or name another port.",
        ) from None
    return found


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
    if not parent:
        # a server looks before it starts its own workers; nobody has looked for this one
        look_over(board.competitions, say)
        for one in announced(board):
            say(one)
    stop = threading.Event()
    worker = ScoringWorker(board, timedelta(seconds=lease))
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
