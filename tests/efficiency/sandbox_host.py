"""The host of a sandbox test: things worth stealing or breaking, and a look at them afterwards."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import readproof
from readproof.efficiency.sandbox import Limits, SandboxOutcome, run_sandboxed
from readproof.efficiency.sandbox_channel import SandboxRequest, ask

HOSTILE = Path(__file__).parent / "hostile"
WORKER = Path(__file__).parent / "hostile_worker.py"
SMALL = Limits(seconds=12.0, cpu_seconds=8, memory=400 * 2**20, processes=24, files=64, written=2**22, output=2**20)


@dataclass
class Host:
    """One host, its bait, and how it looked at first."""

    folder: Path
    home_secret: Path
    secret: str
    mark: str
    server: socket.socket
    abstract: socket.socket
    socket_file: socket.socket
    bystander: subprocess.Popen[bytes]
    free_port: int
    looks: dict[str, object]

    def attack(
        self, name: str, *, limits: Limits = SMALL, trust: bool = False
    ) -> tuple[SandboxOutcome, SandboxRequest]:
        """Run a hostile file as a model file would be run."""
        model = self.folder / "model_to_eval.py"
        model.write_bytes((HOSTILE / f"{name}.py").read_bytes())
        model.chmod(0o644)
        self.looks["folder"] = _names(self.folder)
        target = {
            "model": str(model),
            "gold": str(self.folder / "gold.json"),
            "folder": str(self.folder),
            "home": str(Path.home()),
            "home_secret": str(self.home_secret),
            "secret": self.secret,
            "mark": self.mark,
            "package": str(Path(readproof.__file__).parent),
            "port": self.server.getsockname()[1],
            "free_port": self.free_port,
            "abstract": self.mark,
            "socket_file": str(self.folder / "socket"),
            "host_process": self.bystander.pid,
        }
        question = ask(json.dumps({"model": str(model), "target": target}).encode())
        argv = [sys.executable, "-P", str(WORKER), self.mark]
        readable = [WORKER, model]
        return run_sandboxed(argv, stdin=question.stdin, readable=readable, limits=limits, trust=trust), question

    def harm(self) -> list[str]:
        """What is not as it was."""
        found = [f"process {one}" for one in processes(self.mark)]
        found += [f"{place} changed" for place, before in self.looks.items() if self._look(place) != before]
        found += [f"call on {name}" for name in ("server", "abstract", "socket_file") if _called(getattr(self, name))]
        if self.bystander.poll() is not None:
            found.append("a process was killed")
        if _answers(self.free_port):
            found.append("a port is open")
        if self.home_secret.read_text() != self.secret:
            found.append("the home file changed")
        return found

    def look(self) -> None:
        for place in ("folder", "home", "temporary", "package", "root", "here", "shared"):
            self.looks[place] = self._look(place)

    def _look(self, place: str) -> object:
        if place == "package":
            package = Path(readproof.__file__).parent
            return [(str(one), one.stat().st_size, one.stat().st_mode) for one in sorted(package.glob("*.py"))] + [
                str(one) for one in package.rglob(f"*{self.mark}*")
            ]
        places = {
            "folder": self.folder,
            "home": Path.home(),
            "temporary": Path("/tmp"),
            "root": Path("/"),
            "here": Path(),
            "shared": Path("/dev/shm"),
        }
        names = _names(places[place])
        # others use the shared places at the same time
        return names if place == "folder" else [name for name in names if self.mark in name or "core" in name]


@contextmanager
def host(folder: Path) -> Iterator[Host]:
    mark = f"hostile{secrets.token_hex(6)}"
    secret = f"secret{secrets.token_hex(6)}"
    home_secret = Path.home() / f".{mark}-secret"
    folder.chmod(0o755)
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind("\0" + mark)
        socket_file = stack.enter_context(socket.socket(socket.AF_UNIX))
        socket_file.bind(str(folder / "socket"))
        for one in (server, abstract, socket_file):
            one.listen()
            one.setblocking(False)
        bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        stack.callback(bystander.wait)
        stack.callback(bystander.kill)
        home_secret.write_text(secret)
        stack.callback(lambda: home_secret.unlink(missing_ok=True))
        stack.callback(lambda: (Path.home() / mark).unlink(missing_ok=True))  # without a fence it is written
        (folder / "gold.json").write_text(secret)
        (folder / "model_to_eval.py").touch()
        os.environ["READPROOF_TEST_SECRET"] = secret
        stack.callback(lambda: os.environ.pop("READPROOF_TEST_SECRET", None))
        made = Host(folder, home_secret, secret, mark, server, abstract, socket_file, bystander, _free_port(), looks={})
        made.look()
        yield made


def _names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir()) if folder.is_dir() else []


def processes(mark: str) -> list[str]:
    """The processes whose command line has the mark."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            line = (one / "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in line:
            found.append(f"{one.name}: {line!r}")
    return found


def _called(server: socket.socket) -> bool:
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 0.2).close()
    except OSError:
        return False
    return True
