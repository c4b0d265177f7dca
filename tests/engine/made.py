"""The four jobs on small data, and what they leave behind: the same on every engine."""

from __future__ import annotations

from pathlib import Path

from readproof.attacks import make_attack
from readproof.attacks.job import attack_file, record_of
from readproof.engine import Engine
from readproof.proof.run import prove_reader
from readproof.proof.suite import build_suite
from readproof.readers.job import answer_file
from readproof.readers.reader_ref import ReaderRef
from readproof.tasks.itemlines import write_items
from tests.proof.conftest import contents
from tests.proof.made_readers import sample

SAMPLE = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"
FUNCTION = "tests.proof.made_readers:perfect"
ATTACKS = ("addsent", "invisible", "triples")


def the_main_jobs(engine: Engine, folder: Path, reader: str) -> dict[str, bytes]:
    """All files of an answered and an attacked data file, and of a run with two readers."""
    folder.mkdir()
    answers, attacked = folder / "answers.json", folder / "attacked.json"
    answer_file(str(SAMPLE), ReaderRef(reader, threads=1), answers, engine=engine)
    attack_file(str(SAMPLE), make_attack("addsent"), attacked, seed=3, engine=engine)
    run = prove_reader(FUNCTION, _small(folder), attacks=ATTACKS, hardened=FUNCTION, out=folder / "run", engine=engine)
    return {path.name: path.read_bytes() for path in (answers, attacked, record_of(attacked))} | contents(run.folder)


def all_jobs(engine: Engine, folder: Path, reader: str) -> dict[str, bytes]:
    """A search and a suite too."""
    found = the_main_jobs(engine, folder, reader)
    searched, suite = folder / "searched.json", folder / "suite.jsonl"
    attack_file(str(SAMPLE), make_attack("addany"), searched, reader=reader, budget=4, limit=4, engine=engine)
    build_suite(_small(folder), suite, attacks=ATTACKS, engine=engine)
    return found | {path.name: path.read_bytes() for path in (searched, record_of(searched), suite)}


def _small(folder: Path) -> str:
    """The same file for all engines: a suite and a run say where their data were."""
    data = folder.parent / "small.jsonl"
    if not data.exists():
        with data.open("w", encoding="utf-8") as file:
            write_items([*sample()[:5], *sample()[-2:]], file)
    return str(data)
