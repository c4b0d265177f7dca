"""`readproof attack` and `readproof attacks`, as a person types them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from readproof.attacks import ATTACKS
from readproof.tasks import load
from tests.cli.running import run
from tests.made_data import MADE

SAMPLE = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"


def test_a_file_attacked_by_each_attack_that_needs_nothing(tmp_path: Path) -> None:
    for name in ("addsent", "typo", "script"):
        out = tmp_path / f"{name}.json"
        told = json.loads(run("attack", name, SAMPLE, "-o", out, "--json").stdout)
        assert told["variants"] == len(list(load(out))) > 0
        assert told["attacked"] + sum(told["skipped"].values()) == told["items"]


def test_what_was_made_is_told_to_a_person(tmp_path: Path) -> None:
    done = run("attack", "invisible", SAMPLE, "--set", "mode=replace", "-o", tmp_path / "o.json")
    assert done.returncode == 0
    assert "variants of" in done.stdout
    assert f"record: {tmp_path / 'o.json'}.variants.jsonl" in done.stdout


def test_what_the_sanitiser_undoes_is_counted(tmp_path: Path) -> None:
    for name, some in (("invisible", True), ("typo", False)):
        told = json.loads(run("attack", name, SAMPLE, "-o", tmp_path / f"{name}.json", "--json").stdout)
        assert told["variants"] > 0
        assert (0 < told["undone"] <= told["variants"]) is some


def test_errors_say_what_to_do(tmp_path: Path) -> None:
    out = tmp_path / "o.json"
    for arguments, wanted in (
        (("adsent", SAMPLE), "Did you mean 'addsent'"),
        (("addany", SAMPLE), "--reader"),
        (("typo", SAMPLE, "--set", "budget"), "NAME=VALUE"),
        (("typo", SAMPLE, "--set", "kind=smell"), "sound"),
        (("backtranslate", SAMPLE), "translator"),
    ):
        done = run("attack", *arguments, "-o", out)
        assert done.returncode == 2, done.stderr
        assert wanted in done.stderr
        assert not out.exists()


def test_the_table_has_every_attack() -> None:
    told = json.loads(run("attacks", "--json").stdout)
    assert [one["name"] for one in told["attacks"]] == ATTACKS.names()
    assert "genetic" in run("attacks", "addany").stdout
    assert "addsent" in run("attacks").stdout


def test_a_folder_is_no_file_to_write_to(tmp_path: Path) -> None:
    done = run("attack", "typo", SAMPLE, "-o", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert "a folder" in done.stderr


def test_triples_are_named_as_what_they_are(tmp_path: Path) -> None:
    data, out = tmp_path / "v.json", tmp_path / "my triples.json"
    data.write_bytes(MADE["vgaokao"])
    done = run("attack", "triples", data, "-o", out)
    assert f"name it as {shlex.quote(f'gcrc:{out}')}" in done.stdout
