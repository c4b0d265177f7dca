"""Hostile model files: each leaves the host as it was, gets a clear verdict, and is not taken for an answer of ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from readproof.efficiency.sandbox import able
from readproof.errors import InputError
from tests.efficiency.sandbox_host import HOSTILE, SMALL, Host, host

pytestmark = pytest.mark.skipif(able().fence is None, reason="this system has no sandbox: " + "; ".join(able().words))

# the verdicts that a file may get; "answer" is `done` with the signed answer, for files whose attacks just fail
EXPECTED: dict[str, set[str]] = {
    "become_root": {"answer"},
    "close_everything": {"crashed"},
    "core_dump": {"crashed"},
    "crash": {"crashed"},
    "daemon": {"answer"},
    "daemon_talks": {"answer"},
    "deaf": {"time"},
    "descriptor_flood": {"answer"},
    "devices": {"answer"},
    "endless_children": {"time"},
    "endless_loop": {"time"},
    "endless_sleep": {"time"},
    "fill_disk": {"answer"},
    "fill_disk_by_files": {"answer"},
    "forge_at_exit": {"answer"},
    "forge_by_adding": {"done"},
    "forge_by_descriptor": {"done"},
    "forge_by_modules": {"answer"},
    "forge_by_print": {"done"},
    "fork_and_leave": {"answer", "time", "done", "processes", "crashed"},
    "fork_bomb": {"time", "processes"},
    "hard_links": {"answer"},
    "huge_errors": {"output"},
    "huge_output": {"output"},
    "kill_all": {"answer"},
    "kill_parent": {"answer"},
    "many_files": {"answer", "memory"},
    "memory_at_once": {"memory"},
    "memory_bit_by_bit": {"memory"},
    "memory_files": {"answer"},
    "memory_together": {"memory"},
    "mount": {"answer"},
    "net_abstract": {"answer"},
    "net_connect": {"answer"},
    "net_families": {"answer"},
    "net_listen": {"answer"},
    "net_names": {"answer"},
    "pretend": {"done"},
    "pretend_to_be_the_sandbox": {"crashed"},
    "raise_limits": {"answer"},
    "read_descriptors": {"answer"},
    "read_environment": {"answer"},
    "read_gold": {"answer"},
    "read_home": {"answer"},
    "read_processes": {"answer"},
    "read_system": {"answer"},
    "run_own_program": {"answer"},
    "set_clock": {"answer"},
    "shadow_imports": {"answer"},
    "slow_output": {"time"},
    "standard_input": {"answer"},
    "stopped": {"time"},
    "symlinks": {"answer"},
    "thread_bomb": {"answer", "processes", "memory"},
    "trace_processes": {"answer"},
    "write_compiled": {"answer"},
    "write_outside": {"answer"},
}
# these use up their time
SLOW = {name for name, verdicts in EXPECTED.items() if "time" in verdicts}
BY_TRYING = {"become_root", "devices", "hard_links", "memory_files", "mount", "symlinks", "trace_processes"} | {
    name for name in EXPECTED if name.startswith(("net_", "read_", "write_"))
}


@pytest.fixture(name="one", scope="module")
def _one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with host(tmp_path_factory.mktemp("submission")) as found:
        yield found


def _check(one: Host, name: str) -> None:
    limits = SMALL
    if name in SLOW:
        limits = replace(SMALL, seconds=1.0) if name != "endless_children" else replace(SMALL, cpu_seconds=1)
    outcome, question = one.attack(name, limits=limits)
    try:
        verdict = "answer" if question.answer(outcome) == b"an answer of ours" else "forged"
    except InputError:
        verdict = outcome.verdict
    said = outcome.stderr[-3000:].decode(errors="replace")
    assert verdict in EXPECTED[name], (outcome.verdict, outcome.status, said)
    assert "BREACHED" not in said
    assert one.secret not in said
    if name in BY_TRYING:
        assert "HELD" in said
    assert outcome.seconds < limits.seconds + 4
    assert one.harm() == []


def test_every_hostile_file_has_a_verdict() -> None:
    assert {path.stem for path in HOSTILE.glob("*.py")} == set(EXPECTED)
    assert len(EXPECTED) >= 25


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_hostile_file(one: Host, name: str) -> None:
    _check(one, name)


@pytest.mark.parametrize(
    "name", ["net_connect", "net_abstract", "read_home", "read_gold", "read_processes", "symlinks"]
)
def test_without_a_fence_the_same_files_do_harm(tmp_path: Path, name: str) -> None:
    """Else the tests above would prove nothing."""
    with host(tmp_path) as found:
        outcome, _ = found.attack(name, trust=True)
        assert b"BREACHED" in outcome.stderr
