"""One signed answer out of a sandbox: what a model file prints is never taken for the answer of our worker.

The outer side asks with `ask(request)`, whose `stdin` begins with a key made for this one run. Inside, the worker calls
`open_channel()` before anything untrusted runs: it takes the key, standard input and the real standard output away.
The answer is signed with the key, and accepted only if it is all that came out.

Code in the same interpreter can find the key if it goes looking for it: a signature tells an answer of the worker from
the output of a model file, but does not make a statement true. docs/sandbox.md has more.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.efficiency.sandbox import SandboxOutcome

KEY = 32
_HEAD = b"readproof answer "
# bound now: a model file may put others in their places later
_write, _exit = os.write, os._exit


@dataclass(frozen=True)
class SandboxRequest:
    """A request for a sandboxed worker, and the key that its answer must be signed with."""

    key: bytes
    request: bytes

    @property
    def stdin(self) -> bytes:
        """What to give to `run_sandboxed`."""
        return self.key + self.request

    def answer(self, outcome: SandboxOutcome, *, file: str | Path = "") -> bytes:
        """The worker's answer, or an InputError that tells why there is none."""
        if outcome.verdict != "done":
            status = "stopped" if outcome.status is None else f"status {outcome.status}"
            raise _unanswered(file, f"a program that did not end well ({outcome.verdict}, {status})")
        head, _, payload = outcome.stdout.partition(b"\n")
        if not outcome.stdout:
            raise _unanswered(file, "a program that ended without an answer")
        seal = head.removeprefix(_HEAD)
        if not head.startswith(_HEAD) or not hmac.compare_digest(seal, _sealed(self.key, payload)):
            raise _unanswered(file, "output that is not the signed answer")
        return payload


def ask(request: bytes) -> SandboxRequest:
    """A question with a fresh key."""
    return SandboxRequest(secrets.token_bytes(KEY), request)


class Channel:
    """The worker's end."""

    def __init__(self, key: bytes, request: bytes, descriptor: int) -> None:
        self.request = request
        self._key = key
        self._descriptor = descriptor

    def answer(self, payload: bytes) -> NoReturn:
        """Write the answer and end at once: exit handlers and threads of the model file have no say any more."""
        left = memoryview(signed(self._key, payload))
        try:
            while left:
                left = left[_write(self._descriptor, left) :]
        except OSError:
            _exit(1)
        _exit(0)


def open_channel() -> Channel:
    """Take standard input and output away from whatever runs next: nothing to read, and prints go to standard error."""
    with os.fdopen(os.dup(0), "rb") as file:
        given = file.read()
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    descriptor = os.dup(1)
    os.dup2(2, 1)
    return Channel(given[:KEY], given[KEY:], descriptor)


def signed(key: bytes, payload: bytes) -> bytes:
    """An answer as it goes over the channel."""
    return _HEAD + _sealed(key, payload) + b"\n" + payload


def _sealed(key: bytes, payload: bytes) -> bytes:
    return hmac.new(key, payload, hashlib.sha256).hexdigest().encode()


def _unanswered(file: str | Path, found: str) -> InputError:
    return InputError(
        file=file,
        found=found,
        expected="the answer of our own worker",
        do="A model file must only define its modules: it may not end the process or write to its descriptors.",
    )
