"""The system call filter: every call number is right, for both processors, and the program does what its list says."""

from __future__ import annotations

import errno
import re
import socket
import struct
from pathlib import Path

import pytest

from readproof.efficiency import sandbox_filter
from readproof.efficiency.sandbox_filter import program

ALLOWED, KILLED = 0x7FFF0000, 0x80000000
REFUSED = 0x00050000 | errno.EPERM
UNKNOWN = 0x00050000 | errno.ENOSYS
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
both = pytest.mark.parametrize("machine", sorted(AUDIT))


def verdict(machine: str, number: int, first: int = 0, audit: int | None = None) -> int:
    """What the kernel would do: a small machine for the packet-filter code."""
    code = [struct.unpack("=HBBI", piece) for piece in _pieces(program(machine))]
    data = struct.pack("=IIQQ", number, AUDIT[machine] if audit is None else audit, 0, first)
    place, held = 0, 0
    while True:
        operation, then, otherwise, value = code[place]
        place += 1
        if operation == 0x20:
            (held,) = struct.unpack_from("=I", data, value)
        elif operation == 0x06:
            return value
        else:
            holds = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[operation]
            place += then if holds else otherwise


def _pieces(code: bytes) -> list[bytes]:
    return [code[start : start + 8] for start in range(0, len(code), 8)]


@both
def test_calls(machine: str) -> None:
    column = sorted(AUDIT, reverse=True).index(machine)
    numbers = {name: pair[column] for name, pair in sandbox_filter._REFUSED.items()}
    assert {name for name, number in numbers.items() if verdict(machine, number) != REFUSED} == set()
    harmless = {"x86_64": (0, 1, 2, 9, 59, 60, 257), "aarch64": (56, 63, 64, 93, 221, 222)}[machine]
    assert {number for number in harmless if verdict(machine, number) != ALLOWED} == set()
    assert verdict(machine, 435) == UNKNOWN
    assert {verdict(machine, number) for number in (425, 442, 447)} == {REFUSED}


@both
def test_sockets(machine: str) -> None:
    number = {"x86_64": 41, "aarch64": 198}[machine]
    assert verdict(machine, number, socket.AF_UNIX) == ALLOWED
    assert verdict(machine, number, 1 << 32 | socket.AF_UNIX) == ALLOWED  # the kernel, too, takes the lower half
    assert {verdict(machine, number, family) for family in range(48) if family != 1} == {REFUSED}


@both
def test_threads_but_no_namespaces(machine: str) -> None:
    number = {"x86_64": 56, "aarch64": 220}[machine]
    assert verdict(machine, number, 0x003D0F00) == ALLOWED  # a thread
    assert verdict(machine, number, 0x01200011) == ALLOWED  # a fork
    for bit in (17, 25, 26, 27, 28, 29, 30):
        assert verdict(machine, number, 0x11 | 1 << bit) == REFUSED


@both
def test_calls_of_another_processor_kill(machine: str) -> None:
    assert verdict(machine, 0, audit=0x40000003) == KILLED
    if machine == "x86_64":
        assert verdict(machine, 0x40000000 | 101) == KILLED


@pytest.mark.parametrize(("column", "header"), [(0, "x86_64-linux-gnu/asm/unistd_64.h"), (1, "asm-generic/unistd.h")])
def test_the_numbers_are_those_of_the_kernel(column: int, header: str) -> None:
    path = Path("/usr/include", header)
    if not path.is_file():
        pytest.skip("no headers of the kernel here")
    numbers = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", path.read_text())}
    ours = {name: pair[column] for name, pair in sandbox_filter._REFUSED.items()}
    assert {name: number for name, number in ours.items() if numbers[name] != number} == {}
