"""`readproof review`: in the terminal, on a page, summed up."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from readproof.attacks import make_attack
from readproof.attacks.job import attack_file, record_of
from readproof.attacks.review import judged_variants, read_judgements
from readproof.cli._review_page import start
from tests.cli import running

SAMPLE = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    out = tmp_path / "typos.json"
    attack_file(str(SAMPLE), make_attack("typo"), out, limit=4)
    return record_of(out)


def run(*arguments: str | Path, said: str = "") -> CompletedProcess[str]:
    return running.run("review", *arguments, given=said)


def test_judged_in_the_terminal_stopped_and_gone_on(record: Path, tmp_path: Path) -> None:
    file = tmp_path / "li.jsonl"
    first = run(record, "--by", "Li", "-j", file, said="y\ny\nn\nperhaps\nu\nq\n")
    assert first.returncode == 0, first.stderr
    assert "⟦" in first.stdout
    assert [(one.fluent, one.holds) for one in read_judgements(file)] == [(True, "yes"), (False, "unsure")]
    run(record, "--by", "Li", "-j", file, said="y\nn\ny\ny\n")
    assert len({one.variant for one in read_judgements(file)}) == 4
    assert "All 4 variants are judged" in run(record, "--by", "Li", "-j", file).stderr


def test_summed_up_with_what_is_confirmed(record: Path, tmp_path: Path) -> None:
    one, other, out = tmp_path / "li.jsonl", tmp_path / "wang.jsonl", tmp_path / "confirmed.jsonl"
    run(record, "--by", "Li", "-j", one, said="y\ny\n" * 4)
    run(record, "--by", "Wang", "-j", other, said="y\ny\n" * 3 + "n\ny\n")
    told = json.loads(run(record, "-j", one, "-j", other, "-o", out, "--json").stdout)
    assert told["confirmed"] == 3
    assert told["judges"]["Wang"]["fluent"] == 0.75
    assert len(judged_variants(out)) == 3
    assert "kappa" in run(record, "-j", one, "-j", other).stdout


def test_a_checker_sees_what_the_annotator_confirmed(record: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "li.jsonl", tmp_path / "wang.jsonl"
    run(record, "--by", "Li", "-j", one, said="y\ny\nn\ny\ny\nn\ny\ny\n")
    run(record, "--by", "Wang", "-j", other, "--after", one, said="y\ny\n" * 4)
    assert len(list(read_judgements(other))) == 2


def test_the_page_keeps_judgements_and_answers_nobody_else(record: Path, tmp_path: Path) -> None:
    file = tmp_path / "li.jsonl"
    variants = judged_variants(record)
    server, address = start(variants, "Li", file, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base, key = address.split("?key=")
    try:
        with urllib.request.urlopen(address) as reply:
            assert variants[0].item.id in reply.read().decode()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(base)
        body = json.dumps({"variant": variants[0].item.id, "fluent": True, "holds": "yes"}).encode()
        urllib.request.urlopen(urllib.request.Request(base, data=body, headers={"X-Key": key})).close()
        for wrong, secret in ((body, "no"), (b"{}", key), (b"\xff", key)):
            with pytest.raises(urllib.error.HTTPError, match="400"):
                urllib.request.urlopen(urllib.request.Request(base, data=wrong, headers={"X-Key": secret}))
    finally:
        server.shutdown()
        server.server_close()
    assert [one.variant for one in read_judgements(file)] == [variants[0].item.id]


def test_inputs_are_not_written_over(record: Path, tmp_path: Path) -> None:
    file = tmp_path / "li.jsonl"
    run(record, "--by", "Li", "-j", file, said="y\ny\n" * 4)
    before = record.read_bytes()
    done = run(record, "-j", file, "-o", record)
    assert done.returncode == 2
    assert record.read_bytes() == before


def test_neither_judging_nor_summing_up_is_refused(record: Path) -> None:
    done = run(record)
    assert done.returncode == 2
    assert "--by" in done.stderr
