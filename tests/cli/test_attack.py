"""`readproof attack` and `readproof list attacks`, as a person types them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from readproof.attacks import ATTACKS
from readproof.tasks import load
from tests.attacks.options.data import ITEM, PASSAGE
from tests.cli.running import run
from tests.made_data import MADE
from tests.shared_data import SHARED, needs_shared

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
    told = json.loads(run("list", "attacks", "--json").stdout)
    assert [one["name"] for one in told["attacks"]] == ATTACKS.names()
    assert "genetic" in run("list", "attacks", "addany").stdout
    assert "addsent" in run("list", "attacks").stdout


def test_a_folder_is_no_file_to_write_to(tmp_path: Path) -> None:
    done = run("attack", "typo", SAMPLE, "-o", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert "a folder" in done.stderr


def test_triples_are_named_as_what_they_are(tmp_path: Path) -> None:
    data, out = tmp_path / "v.json", tmp_path / "my triples.json"
    data.write_bytes(MADE["vgaokao"])
    done = run("attack", "triples", data, "-o", out)
    assert f"name it as {shlex.quote(f'gcrc:{out}')}" in done.stdout


def _train_file(folder: Path) -> Path:
    """Questions in GCRC's own training layout: no triples, one letter each."""
    data = folder / "train_GCRC.json"
    rows = [
        {
            "id": f"q{number}",
            "title": "",
            "passage": PASSAGE,
            "question": question,
            "options": ITEM.options,
            "answer": "D",
        }
        for number, question in enumerate((ITEM.question, "下列各句断句正确的一项是", ITEM.question))
    ]
    data.write_text(json.dumps({"data": rows}, ensure_ascii=False), encoding="utf-8")
    return data


def test_the_training_layout_of_gcrc_is_attacked(tmp_path: Path) -> None:
    data, out = _train_file(tmp_path), tmp_path / "attacked.json"
    done = run("attack", "options/keyword", data, "-o", out, "--count", 4)
    assert done.returncode == 0, done.stderr
    assert "the stem asks about wording or technique 1" in done.stdout
    assert "keyword" in done.stdout and "truth flipped" in done.stdout
    attacked = json.loads(out.read_text(encoding="utf-8"))["data"]
    assert {one["question"] for one in attacked} == {ITEM.question}
    assert all(one["passage"] == PASSAGE and tuple(one["options"]) != ITEM.options for one in attacked)
    told = json.loads(run("attack", "options/keyword", data, "-o", tmp_path / "b.json", "--count", 4, "--json").stdout)
    assert sum(told["strategies"].values()) == told["variants"] == len(attacked)


def test_triples_of_it_are_counted_by_strategy(tmp_path: Path) -> None:
    data, out = _train_file(tmp_path), tmp_path / "triples.json"
    told = json.loads(run("attack", "triples", data, "-o", out, "--json").stdout)
    made = json.loads(out.read_text(encoding="utf-8"))["data"]
    assert told["attacked"] == len(made) == 2
    lists = ("positive_options", "negative_options")
    changed = sum(one not in row["options"] for row in made for name in lists for one in row[name])
    assert sum(told["strategies"].values()) == changed > 0
    assert (
        "triples, which are attacked already" in run("attack", "options/cause", out, "-o", tmp_path / "c.json").stderr
    )


def test_audit_counts_the_reasoning_that_options_need(tmp_path: Path) -> None:
    told = json.loads(run("audit", _train_file(tmp_path), "--json").stdout)
    assert told["strategies"]["cause"] == 3  # one option in each of three questions
    assert sum(told["strategies"].values()) == 3 * len(ITEM.options)
    assert "reasoning that the original options need" in run("audit", _train_file(tmp_path)).stdout


@needs_shared
def test_triples_say_what_readers_without_the_passage_have_right(tmp_path: Path) -> None:
    data = SHARED / "data/vgaokao/clean.json.xz"
    found = json.loads(run("attack", "triples", data, "-o", tmp_path / "t.json", "--limit", "60", "--json").stdout)
    assert [one["reader"] for one in found["blind"]] == ["letters", "length", "options"]
    assert all(one["chance"] == 25.0 and one["low"] <= one["made"] <= one["high"] for one in found["blind"])
    few = json.loads(run("attack", "triples", data, "-o", tmp_path / "f.json", "--limit", "5", "--json").stdout)
    assert few["blind"] == []
