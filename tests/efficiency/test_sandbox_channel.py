"""The signed answer: ours is accepted, and nothing else is."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.efficiency.sandbox import Limits, SandboxOutcome, able, run_sandboxed
from readproof.efficiency.sandbox_channel import SandboxRequest, ask
from readproof.errors import InputError

TRUST = able().fence is None
WORKER = """
import sys
from readproof.efficiency.sandbox_channel import open_channel
channel = open_channel()
{}
channel.answer(channel.request[::-1])
"""


def _asked(code: str, request: bytes = b"a request") -> tuple[SandboxRequest, SandboxOutcome]:
    question = ask(request)
    argv = [sys.executable, "-P", "-c", WORKER.format(code)]
    return question, run_sandboxed(argv, stdin=question.stdin, limits=Limits(seconds=10), trust=TRUST)


def _done(stdout: bytes) -> SandboxOutcome:
    return SandboxOutcome("done", 0, stdout, b"", 0.1)


def test_a_question_and_its_answer() -> None:
    request = bytes(range(256)) * 5000
    question, outcome = _asked("", request)
    assert question.answer(outcome) == request[::-1]


def test_prints_go_to_standard_error() -> None:
    question, outcome = _asked("print('a word'); import os; os.system('true'); sys.stdout.flush()")
    assert question.answer(outcome) == b"tseuqer a"
    assert outcome.stderr == b"a word\n"


def test_standard_input_is_empty_by_then() -> None:
    question, outcome = _asked("print(repr(sys.stdin.read()), flush=True)")
    assert question.answer(outcome) == b"tseuqer a"
    assert outcome.stderr == b"''\n"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("raise SystemExit(0)", "ended without an answer"),
        ("raise SystemExit(4)", r"did not end well \(crashed, status 4\)"),
        ("import os; os.write(3, b'{}'); os._exit(0)", "not the signed answer"),
        ("import os; os.write(3, b'{}')", "not the signed answer"),
    ],
)
def test_what_is_no_answer(code: str, found: str) -> None:
    question, outcome = _asked(code)
    with pytest.raises(InputError, match=found):
        question.answer(outcome, file="model_to_eval.py")


def test_a_run_that_was_stopped_has_no_answer_even_if_it_wrote_one() -> None:
    question, outcome = _asked("")
    stopped = SandboxOutcome("time", None, outcome.stdout, b"", 1.0)
    with pytest.raises(InputError, match=r"did not end well \(time, stopped\)"):
        question.answer(stopped)


def test_an_answer_to_another_question() -> None:
    _, outcome = _asked("")
    with pytest.raises(InputError, match="not the signed answer"):
        ask(b"a request").answer(outcome)


def test_keys_differ() -> None:
    assert len({ask(b"").key for _ in range(100)}) == 100


@given(stdout=st.binary() | st.binary().map(lambda data: b"readproof answer " + b"0" * 64 + b"\n" + data))
def test_no_other_bytes_are_accepted(stdout: bytes) -> None:
    with pytest.raises(InputError):
        ask(b"").answer(_done(stdout))


@given(change=st.integers(0), bit=st.integers(0, 7))
def test_no_bit_can_be_changed(change: int, bit: int) -> None:
    question = SandboxRequest(b"k" * 32, b"")
    payload = b'{"macs": 931921920}'
    import hashlib
    import hmac

    whole = bytearray(b"readproof answer " + hmac.digest(question.key, payload, hashlib.sha256).hex().encode())
    whole += b"\n" + payload
    assert question.answer(_done(bytes(whole))) == payload
    whole[change % len(whole)] ^= 1 << bit
    with pytest.raises(InputError):
        question.answer(_done(bytes(whole)))
