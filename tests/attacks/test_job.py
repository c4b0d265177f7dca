"""A whole file attacked: its own format, a record beside it, resumable, the same with any number of workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from readproof.attacks import make_attack
from readproof.attacks.base import AttackInfo, AttackOutput
from readproof.attacks.edits import golds_stand
from readproof.attacks.job import attack_file, record_of
from readproof.attacks.records import read_variants
from readproof.errors import InputError, ReadproofError
from readproof.items import Item, SpanItem
from readproof.journal import part_of
from readproof.tasks import load
from tests.readers.tiny import save_tiny

SAMPLE = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"


def test_a_file_in_its_own_format_with_its_record(tmp_path: Path) -> None:
    out = tmp_path / "typos.json"
    done = attack_file(str(SAMPLE), make_attack("typo"), out, seed=3)
    before, after = list(load(SAMPLE)), list(load(out))
    assert done.variants == len(after) == len(before)
    variants = list(read_variants(record_of(out)))
    assert [variant.item.id for variant in variants] == [item.id for item in after]
    assert [variant.origin for variant in variants] == [item.id for item in before]
    assert not part_of(out).exists()


def test_originals_stand_before_their_variants(tmp_path: Path) -> None:
    out = tmp_path / "both.json"
    attack_file(str(SAMPLE), make_attack("typo"), out, count=2, originals=True, limit=2)
    first, second = (item.id for item in list(load(SAMPLE))[:2])
    names = [item.id for item in load(out)]
    assert names == [first, f"{first}-typo-0", f"{first}-typo-1", second, f"{second}-typo-0", f"{second}-typo-1"]


def test_skipped_items_are_counted_and_told(tmp_path: Path) -> None:
    out = tmp_path / "spaces.json"
    done = attack_file(str(SAMPLE), make_attack("invisible", {"mode": "replace"}), out, limit=4)
    told = [json.loads(line) for line in record_of(out).read_text(encoding="utf-8").splitlines()]
    assert done.items == len({line["origin"] for line in told}) == 4
    assert sum("skipped" in line for line in told) == sum(done.skipped.values())


def test_workers_change_nothing(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "tiny")
    outs = [tmp_path / f"{number}.json" for number in (1, 2)]
    for out, workers in zip(outs, (1, 2), strict=True):
        attack = make_attack("addany", {"together": "1"})
        attack_file(str(SAMPLE), attack, out, reader=str(folder), budget=8, threads=1, workers=workers, limit=4)
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert record_of(outs[0]).read_bytes() == record_of(outs[1]).read_bytes()


def test_the_effect_of_a_search_is_told(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "tiny")
    done = attack_file(str(SAMPLE), make_attack("addany"), tmp_path / "o.json", reader=str(folder), budget=6, limit=3)
    assert done.effect is not None
    assert done.effect.items == 3
    assert done.effect.queries <= 18
    assert done.effect.expected_attacked <= done.effect.expected_clean


def test_killed_and_started_again_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.json", tmp_path / "cut.json"
    folder = save_tiny(tmp_path / "tiny")

    def command(out: Path) -> list[str]:
        given = ["attack", "addany", str(SAMPLE), "--reader", str(folder), "--budget", "60", "-o", str(out)]
        return [sys.executable, "-m", "readproof", *given, "--threads", "1", "--set", "together=1"]

    subprocess.run(command(whole), check=True, capture_output=True)
    kills = 0
    while not cut.exists():
        process = subprocess.Popen(command(cut), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        size = part_of(cut).stat().st_size if part_of(cut).exists() else 0
        while process.poll() is None and kills < 3:
            if part_of(cut).exists() and part_of(cut).stat().st_size > size + 2000:
                os.kill(process.pid, signal.SIGKILL)
                kills += 1
            time.sleep(0.01)
        process.wait()
    assert kills
    assert cut.read_bytes() == whole.read_bytes()
    assert record_of(cut).read_bytes() == record_of(whole).read_bytes()


def test_another_jobs_results_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    part_of(out).write_text('{"readproof": 1, "task": "other"}\n', encoding="utf-8")
    assert attack_file(str(SAMPLE), make_attack("typo"), out).variants  # nothing was done there yet
    part_of(out).write_text('{"readproof": 1, "task": "other"}\n{"variants": []}\n', encoding="utf-8")
    with pytest.raises(InputError, match="another job"):
        attack_file(str(SAMPLE), make_attack("typo"), out)
    assert attack_file(str(SAMPLE), make_attack("typo"), out, fresh=True).variants


def test_what_an_attack_needs_is_asked_for_first(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without a reader"):
        attack_file(str(SAMPLE), make_attack("addany"), tmp_path / "o.json")
    with pytest.raises(InputError, match="Leave --reader out"):
        attack_file(str(SAMPLE), make_attack("typo"), tmp_path / "o.json", reader="zh")


def test_nothing_that_is_read_is_written_over(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    data.write_bytes(SAMPLE.read_bytes())
    with pytest.raises(InputError, match="read from"):
        attack_file(str(data), make_attack("typo"), data)
    assert data.read_bytes() == SAMPLE.read_bytes()
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="no plain file"):
        attack_file(str(data), make_attack("typo"), pipe)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("", encoding="utf-8")
    link.symlink_to(real)
    attack_file(str(SAMPLE), make_attack("typo"), link, limit=2)
    assert link.is_symlink()
    assert len(list(load(real))) == 2


def test_data_that_an_attack_cannot_take_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="questions with options"):
        attack_file(str(SAMPLE), make_attack("keyword"), tmp_path / "o.json")


def test_a_fault_in_every_item_is_no_result(tmp_path: Path) -> None:
    out = tmp_path / "o.json"
    with pytest.raises(ReadproofError, match="every item failed"):
        attack_file(str(SAMPLE), _Broken(), out)
    assert not out.exists()


@dataclass(frozen=True)
class _Broken:
    about = AttackInfo(name="broken", does="fails", languages=("zh",))

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        raise RuntimeError(item.id)


def test_options_of_attacks_are_checked() -> None:
    assert make_attack("typo", {"budget": "3"}).budget == 3  # type: ignore[union-attr]
    wrong = {"x": "1", "budget": "a", "where": "title"}
    for name, match in (("x", "one of"), ("budget", "a number"), ("where", "passage")):
        with pytest.raises(InputError, match=match):
            make_attack("typo", {name: wrong[name]})
    for text in ("-1", "nan", "inf", "9999999999"):
        with pytest.raises(InputError, match="from 0 on"):
            make_attack("backtranslate", {"fall": text})
    with pytest.raises(InputError, match="from Python only"):
        make_attack("backtranslate", {"by": "x"})
    with pytest.raises(InputError, match="Did you mean 'addsent'"):
        make_attack("adsent")


def test_items_are_never_lost_between_formats(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    attack_file(str(SAMPLE), make_attack("homoglyph"), out)
    for item in load(out):
        assert isinstance(item, SpanItem)
        assert golds_stand(item)
