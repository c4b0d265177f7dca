"""Four hundred packages that are broken or mean harm: each gets its code and place, none does any harm."""

from __future__ import annotations

from typing import Any

import pytest

from readproof.submit.problems import codes
from tests.submit.cases import Case
from tests.submit.helpers import measured
from tests.submit.hostile import every_case, files_for, write

CASES = every_case()
SECONDS, MEGABYTES = 2, 300
# every CELUE package without weights has this warning
_ALWAYS = "C634"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("hostile")
    jobs = [(str(path), files_for(case, folder), case.options) for case, path in write(folder)]
    return measured(jobs, folder)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.name for case in CASES])
def test_code_and_place(number: int, found: dict[str, Any]) -> None:
    case, told = CASES[number], found["told"][number]["problems"]
    hits = [one for one in told if one[0] == case.code and _is_there(case, one)]
    assert hits, told[:5]
    # one fault is one kind of problem, but for what follows from it
    assert {one[0] for one in told} <= {case.code, *case.also, _ALWAYS}


def _is_there(case: Case, problem: list[str]) -> bool:
    _, file, place, _ = problem
    named = file.startswith(case.file[:-1]) if case.file.endswith("*") else file == case.file
    return named and case.place in (None, place)


def test_there_are_enough_and_every_code_is_among_them() -> None:
    assert len(CASES) >= 200
    assert len({case.name for case in CASES}) == len(CASES)
    assert {case.code for case in CASES} == set(codes())


def test_time_and_memory_are_bounded(found: dict[str, Any]) -> None:
    assert max(one["seconds"] for one in found["told"]) <= SECONDS
    assert found["megabytes"] <= MEGABYTES


def test_nothing_is_written_started_or_unpickled(found: dict[str, Any]) -> None:
    assert found["done"] == []


def test_messages_do_not_steer_a_terminal(found: dict[str, Any]) -> None:
    for one in found["told"]:
        for sentence in one["sentences"]:
            assert sentence.isprintable(), sentence
