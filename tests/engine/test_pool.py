"""A pool of real processes: some are killed by signal 9, and nothing but time is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from readproof.engine import choose
from readproof.engine.base import cores, shards
from readproof.engine.pool import Pool
from readproof.errors import InputError, ReadproofError
from tests.engine.works import Squares, begun

SQUARES = [[one * one for one in some] for some in shards(range(60), 3)]


def squares(work: Squares, workers: int = 2) -> list[list[int]]:
    with Pool(workers=workers).start(work) as mapped:
        return list(mapped(shards(range(60), 3)))


def test_results_in_order_and_never_far_ahead(tmp_path: Path) -> None:
    read = 0

    def counted() -> Iterator[list[int]]:
        nonlocal read
        for shard in shards(range(60), 3):
            read += 1
            yield shard

    with Pool(workers=2).start(Squares(tmp_path, seconds=0.02)) as mapped:
        for number, found in enumerate(mapped(counted())):
            assert found == SQUARES[number]
            assert read - number <= 4 * 2
        again = list(mapped([[7], [8]]))
    assert again == [[49], [64]]
    assert len(begun(tmp_path)) == 2, "workers stay for all that is mapped"


def test_a_killed_worker_is_replaced_and_its_shard_done_again(tmp_path: Path) -> None:
    found: list[list[int]] = []
    with Pool(workers=2).start(Squares(tmp_path, seconds=0.05)) as mapped:
        for number, result in enumerate(mapped(shards(range(60), 3))):
            found.append(result)
            if number == 3:
                os.kill(begun(tmp_path)[0], signal.SIGKILL)
    assert found == SQUARES
    assert len(begun(tmp_path)) == 3


def test_a_shard_that_ends_its_worker_once_is_done_by_another(tmp_path: Path) -> None:
    assert squares(Squares(tmp_path, deadly=31)) == SQUARES


def test_a_shard_that_ends_three_workers_is_an_error_with_its_items(tmp_path: Path) -> None:
    with pytest.raises(ReadproofError, match=r"number 30, number 31, number 32 \(signal SIGKILL\)"):
        squares(Squares(tmp_path, deadly=31, once=False), workers=1)


def test_workers_that_never_begin_are_told(tmp_path: Path) -> None:
    with pytest.raises(ReadproofError, match=r"in a row ended before they could work \(signal SIGKILL\)"):
        squares(Squares(tmp_path, stillborn=True), workers=1)


def test_an_error_comes_back_whole(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        squares(Squares(tmp_path, wrong=4), workers=1)
    error = caught.value
    assert (error.file, error.place, error.found) == ("numbers", "number 4", "a wrong one")


def test_workers_end_with_the_process_that_waits_for_them(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from readproof.engine.pool import Pool\n"
        "from tests.engine.works import Squares\n"
        "if __name__ == '__main__':\n"
        f"    with Pool(workers=1).start(Squares(Path({str(tmp_path)!r}), seconds=600)) as mapped:\n"
        "        list(mapped([[2], [3]]))\n",
        encoding="utf-8",
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    driver = subprocess.Popen([sys.executable, str(script)], env=environment)
    _until(lambda: list(tmp_path.glob("shard-*")))
    (worker,) = begun(tmp_path)
    driver.kill()
    driver.wait()
    _until(lambda: not _runs(worker))


def _until(there: object) -> None:
    end = time.monotonic() + 30
    while not there():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)


def _runs(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().split(")")[1]
    except OSError:
        return False


# choosing


def test_workers_and_threads_fit_the_machine() -> None:
    assert choose().name == "local"
    assert choose(workers=3).name == "pool"
    assert (choose("pool").workers, choose("pool").threads) == (cores(), 1)
    pool = choose("pool", workers=1)
    assert (pool.workers, pool.threads) == (1, cores())
    assert choose("pool", threads=10_000).workers == 1
    assert choose("ray", workers=5).workers == 5


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"engine": "cloud"}, "one of local, pool, ray"),
        ({"engine": "local", "workers": 2}, "--engine pool or ray"),
        ({"engine": "pool", "address": "auto"}, "expected --engine ray"),
    ],
)
def test_what_does_not_go_together_is_told(given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        choose(**given)  # type: ignore[arg-type]
