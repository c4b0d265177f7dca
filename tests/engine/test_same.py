"""Scores and variants to the byte on every engine; what one engine began, another may end."""

from __future__ import annotations

import os
import signal
from multiprocessing import active_children
from pathlib import Path

import pytest

from readproof.engine import choose
from readproof.engine.base import Local
from readproof.engine.pool import Pool
from readproof.errors import InputError
from readproof.journal import part_of
from readproof.proof.run import prove_reader
from readproof.readers.job import Progress, answer_file
from readproof.readers.reader_ref import ReaderRef
from tests.engine.made import SAMPLE, all_jobs
from tests.proof import made_readers
from tests.proof.conftest import contents, small
from tests.readers.tiny import save_tiny


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny(tmp_path_factory.mktemp("tiny"), card={"name": "tiny"}))


def test_a_pool_leaves_the_same_bytes_as_one_process(tiny: str, tmp_path: Path) -> None:
    one = all_jobs(Local(threads=1), tmp_path / "local", tiny)
    assert all_jobs(Pool(workers=2), tmp_path / "pool", tiny) == one


def test_begun_on_one_engine_and_ended_on_another(tiny: str, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.json", tmp_path / "out.json"
    answer_file(str(SAMPLE), ReaderRef(tiny, threads=1), whole)

    def stop_at(wanted: int) -> Progress:
        def stop(done: int, _total: int) -> None:
            if done >= wanted:
                raise KeyboardInterrupt

        return stop

    for engine, wanted in ((Pool(workers=2), 5), (Local(), 12)):
        with pytest.raises(KeyboardInterrupt):
            answer_file(str(SAMPLE), ReaderRef(tiny, threads=1), out, engine=engine, progress=stop_at(wanted))
    assert part_of(out).exists()
    assert answer_file(str(SAMPLE), ReaderRef(tiny, threads=1), out, engine=Pool(workers=2)).resumed == 12
    assert out.read_bytes() == whole.read_bytes()


def test_a_run_stopped_again_and_again_on_changing_engines(tmp_path: Path) -> None:
    def stop(_what: str, done: int, total: int) -> None:
        nonlocal last
        if done > last + total / 5:
            last = done
            raise KeyboardInterrupt

    attacks, data, last, stops = ("invisible", "reorder", "triples"), small(), 0, 0
    whole = prove_reader(made_readers.perfect, data, attacks=attacks, out=tmp_path / "whole")
    while True:
        engine = (Pool(workers=2), Local())[stops % 2]
        try:
            run = prove_reader(
                made_readers.perfect, data, attacks=attacks, out=tmp_path / "run", engine=engine, progress=stop
            )
        except KeyboardInterrupt:
            stops += 1
        else:
            break
    assert stops >= 3
    assert contents(run.folder) == contents(whole.folder)


def test_a_worker_of_a_run_killed_while_it_works(tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(_what: str, done: int, _total: int) -> None:
        children = active_children()
        if done > 3 and not killed and children:
            killed.append(children[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    whole = prove_reader(made_readers.slow, small(), attacks="reorder", out=tmp_path / "whole")
    out, data = tmp_path / "run", small()
    run = prove_reader(made_readers.slow, data, attacks="reorder", out=out, engine="pool", workers=2, progress=kill)
    assert killed
    assert contents(run.folder) == contents(whole.folder)


def test_readers_that_cannot_travel_are_told_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without a name that opens it elsewhere"):
        prove_reader(lambda passage, question: passage[:3], small(), out=tmp_path / "run", engine="pool")
    with pytest.raises(InputError, match="asks many questions at a time by itself"):
        prove_reader("llm:http://127.0.0.1:9/v1#model", small(), out=tmp_path / "run", engine="pool")


def test_another_reader_under_the_same_name_is_refused(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "tiny")
    who = ReaderRef(str(folder), threads=1)
    who.open().fingerprint  # noqa: B018 (it is kept from now on)
    save_tiny(folder, seed=1)
    with pytest.raises(InputError, match="another reader under the name"):
        answer_file(str(SAMPLE), who, tmp_path / "out.json", engine=choose("pool", workers=1))
