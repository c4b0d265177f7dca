"""The verdict on the zoo: no dishonest reader is called a reader, and noise never makes a verdict better.

`benchmarks/zoo.py` prints the whole matrix; here are the sizes that a test has time for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from readproof.items import Item, SpanItem, Triple
from readproof.proof.results import PartVerdict
from readproof.proof.run import RunResults, prove_reader
from readproof.reports.terminal import table
from tests.proof import made_readers
from tests.proof.zoo import ZOO, Specimen
from tests.shared_data import SHARED, needs_shared

Function = Callable[..., str | int]
_RANKS = {"no": 0, "not shown": 1, "yes": 2}
FAST = [one for one in ZOO if "shipped" not in one.name]


def spans(count: int = 30) -> list[Item]:
    return [item for item in made_readers.sample() if isinstance(item, SpanItem)][:count]


def options() -> list[Item]:
    return [item.original for item in made_readers.sample() if isinstance(item, Triple)]


def verdict_on(reader: Function, items: Sequence[Item], folder: Path) -> tuple[PartVerdict, RunResults]:
    run = prove_reader(reader, list(items), attacks=[], out=folder, fresh=True)
    (verdict,) = run.scores.verdict.parts
    return verdict, run


@pytest.mark.parametrize("specimen", [one for one in FAST if not one.honest], ids=lambda one: one.name)
def test_no_dishonest_reader_reads_the_sample(specimen: Specimen, tmp_path: Path) -> None:
    items = spans() if specimen.part == "spans" else options()
    verdict, run = verdict_on(specimen.make(items), items, tmp_path / "run")
    assert verdict.reads != "yes", table(run.scores, run.timings)


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("part", ["spans", "options"])
def test_the_zoo_at_sixty_questions(part: str, tmp_path: Path) -> None:
    """On data that none of our readers was trained on, and no rule was fitted to."""
    from benchmarks.zoo import items_of

    data = {"spans": "cmrc2018/dev.json.xz", "options": "c3/c3-m-test.json.xz"}[part]
    items = items_of(str(SHARED / "data" / data), part)
    outcomes: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
    for number, specimen in enumerate(FAST):
        if specimen.part == part and (specimen.honest or number % 3 == 0):  # the benchmark has time for all
            verdict, _ = verdict_on(specimen.make(items[:500]), items[:60], tmp_path / specimen.name)
            outcomes[specimen.honest].append((specimen.name, verdict.reads))
    assert not [name for name, reads in outcomes[False] if reads == "yes"]
    if part == "spans":
        assert not [name for name, reads in outcomes[True] if reads == "no"]
        assert sum(reads == "yes" for _, reads in outcomes[True]) >= 0.8 * len(outcomes[True])


# making a reader worse


def noisy(reader: Function, share: float, seed: int) -> Function:
    """Wrong in a share of what it is asked; what is wrong at one share is wrong at every higher one."""

    def answer(passage: str, question: str) -> str:
        mark = hashlib.sha256(f"{seed}|{question}|{len(passage)}".encode()).digest()
        if int.from_bytes(mark[:4], "big") < share * 2**32:
            at = int.from_bytes(mark[4:8], "big") % max(1, len(passage))
            return passage[at : at + 1 + mark[8] % 6]
        return str(reader(passage, question))

    return answer


HONEST = {one.name: one for one in FAST if one.honest and one.part == "spans"}


@pytest.mark.parametrize("name", ["perfect", "lexical", "lexical-words", "lexical-careful"])
@pytest.mark.parametrize("seed", range(3))
def test_noise_never_makes_the_verdict_better(name: str, seed: int, tmp_path: Path) -> None:
    items = spans()
    reader: Function = made_readers.perfect if name == "perfect" else HONEST[name].make(items)
    ranks = []
    for share in (0.0, 0.15, 0.3, 0.5, 0.7, 0.85, 1.0):
        verdict, _ = verdict_on(noisy(reader, share, seed), items, tmp_path / str(share))
        ranks.append(_RANKS[verdict.reads])
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[-1] == 0
    assert ranks[0] == 2 or name != "perfect"


@pytest.mark.parametrize("name", ["memory", "memory-careful", "type-first", "copied-sentence", "first-sentence"])
def test_noise_never_makes_a_reader_of_one_that_does_not_read(name: str, tmp_path: Path) -> None:
    items = spans()
    (specimen,) = (one for one in FAST if one.name == name)
    for share in (0.0, 0.3, 0.6, 0.9):
        verdict, _ = verdict_on(noisy(specimen.make(items), share, 1), items, tmp_path / str(share))
        assert verdict.reads != "yes"


# what must not matter


@given(order=st.permutations(range(12)))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_verdict_does_not_depend_on_the_order_of_the_items(
    order: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    items = spans(12)
    reader = HONEST["lexical"].make(items)
    folder = tmp_path_factory.mktemp("order")
    usual, first = verdict_on(reader, items, folder / "usual")
    other, second = verdict_on(reader, [items[at] for at in order], folder / "other")
    assert usual == other
    assert first.scores.verdict.checks == second.scores.verdict.checks
    assert first.scores.parts[0].probes == second.scores.parts[0].probes


def test_the_verdict_does_not_depend_on_the_engine_or_on_a_resume(tmp_path: Path) -> None:
    items = spans(15)
    whole = prove_reader("tests.proof.made_readers:perfect", items, attacks=["typo"], out=tmp_path / "whole")
    pool = prove_reader(
        "tests.proof.made_readers:perfect", items, attacks=["typo"], out=tmp_path / "pool", engine="pool", workers=2
    )
    assert pool.scores.verdict == whole.scores.verdict
    for name in ("variants.jsonl", "answers.jsonl"):
        lines = (tmp_path / "pool" / name).read_bytes()
        (tmp_path / "pool" / name).write_bytes(lines[: len(lines) // 3])
    resumed = prove_reader("tests.proof.made_readers:perfect", items, attacks=["typo"], out=tmp_path / "pool")
    assert resumed.scores == whole.scores


def test_the_zoo_is_large_and_each_specimen_says_what_it_does() -> None:
    assert len(ZOO) >= 40
    assert len({one.name for one in ZOO}) == len(ZOO)
    for part in ("spans", "options"):
        for honest in (True, False):
            assert sum(one.part == part and one.honest is honest for one in ZOO) >= 10
    assert all(one.habit.strip() for one in ZOO)
