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
from readproof.attacks.options.triples import Triples
from readproof.attacks.records import read_variants, to_line
from readproof.attacks.review import drawn, judged_variants, read_judgements
from readproof.attacks.writers.judging import says
from readproof.cli._review_page import start
from readproof.items import ChoiceItem, Variant
from tests.attacks.options.data import ITEM, PASSAGE
from tests.cli import running
from tests.readers.llm.test_providers import Wire, chat

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


@pytest.fixture
def options(tmp_path: Path) -> Path:
    """GCRC's training layout attacked: a truth is known of each option, though the file has letters alone."""
    row = {
        "id": "q",
        "title": "",
        "passage": PASSAGE,
        "question": ITEM.question,
        "options": ITEM.options,
        "answer": "D",
    }
    data, out = tmp_path / "train.json", tmp_path / "attacked.json"
    data.write_text(json.dumps({"data": [row]}, ensure_ascii=False), encoding="utf-8")
    attack_file(f"gcrc:{data}", make_attack("options/keyword"), out, count=3)
    return record_of(out)


def test_options_of_gcrc_are_reviewed(options: Path, tmp_path: Path) -> None:
    file = tmp_path / "li.jsonl"
    variants = judged_variants(options)
    said = "".join(f"y\n{'y' if _truth(one) else 'n'}\n" for one in drawn(variants, 0, 0))
    done = run(options, "--by", "Li", "-j", file, said=said)
    assert "Is the new statement true of the passage?" in done.stderr
    told = json.loads(run(options, "-j", file, "--json").stdout)
    assert told["confirmed"] == len(variants) == 3


def _truth(variant: Variant) -> bool:
    (place,) = {edit.where for edit in variant.edits}
    assert isinstance(variant.item, ChoiceItem)
    return variant.item.truths[int(place.removeprefix("option "))]


def test_triples_are_reviewed_option_by_option(tmp_path: Path) -> None:
    triple = Triples().make(ITEM).variants[0]
    record, file, out = (tmp_path / name for name in ("t.variants.jsonl", "li.jsonl", "confirmed.jsonl"))
    record.write_text(json.dumps(to_line(triple), ensure_ascii=False) + "\n", encoding="utf-8")
    parts = judged_variants(record)
    assert len(parts) == len({edit.where for edit in triple.edits}) > 1
    right = [f"y\n{'y' if _truth(one) else 'n'}\n" for one in drawn(parts, 0, 0)]
    run(record, "--by", "Li", "-j", file, said="".join(right[:-1]))
    run(record, "-j", file, "-o", out)
    assert not out.read_text(encoding="utf-8")
    run(record, "--by", "Li", "-j", file, said=right[-1])
    run(record, "-j", file, "-o", out)
    assert list(read_variants(out)) == [triple]


def test_what_two_disagree_on_a_third_decides(options: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.jsonl" for name in ("li", "wang", "chen")]
    right = [f"y\n{'y' if _truth(one) else 'n'}\n" for one in drawn(judged_variants(options), 0, 0)]
    run(options, "--by", "Li", "-j", files[0], said="".join(right))
    run(options, "--by", "Wang", "-j", files[1], said="".join(right[:-1]) + "n\ny\n")
    between = ("--between", files[0], "--between", files[1])
    run(options, "--by", "Chen", *between, "-j", files[2], said=right[-1] * 3)
    assert len(list(read_judgements(files[2]))) == 1
    all_of_them = [part for file in files for part in ("-j", file)]
    assert json.loads(run(options, *all_of_them, "--json").stdout)["confirmed"] == 2
    assert json.loads(run(options, *all_of_them, "--adjudicator", "Chen", "--json").stdout)["confirmed"] == 3


def test_a_model_judges_beside_people_and_confirms_nothing(record: Path, tmp_path: Path) -> None:
    wire = Wire((200, {}, chat("是")))
    model, li = tmp_path / "model.jsonl", tmp_path / "li.jsonl"
    try:
        told = run(record, "--judge", f"llm:http://{wire.host}/v1#m?cache=off", "-j", model)
        assert told.returncode == 0, told.stderr
        assert "4 of 4 variants judged" in told.stdout
        assert len(wire.bodies) == 8
        assert "All 4 variants" in run(record, "--judge", f"llm:http://{wire.host}/v1#m", "-j", model).stderr
    finally:
        wire.close()
    assert {one.by for one in read_judgements(model)} == {"model:m"}
    alone = json.loads(run(record, "-j", model, "--json").stdout)
    assert (alone["confirmed"], alone["judges"]["model:m"]["fluent"]) == (0, 1)
    run(record, "--by", "Li", "-j", li, said="y\ny\n" * 3 + "n\ny\n")
    both = json.loads(run(record, "-j", model, "-j", li, "--json").stdout)
    assert both["confirmed"] == 3
    assert both["agreement"][0]["fluent"] == 0.75
    assert "--judge with --by" in run(record, "--judge", "llm:http://h/v1#m", "--by", "Li", "-j", model).stderr


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("是", "yes"),
        ("不是。", "no"),
        ("否", "no"),
        ("不确定", "unsure"),
        ("Yes, it is.", "yes"),
        ("No", "no"),
        ("嗯", None),
    ],
)
def test_what_a_model_says(reply: str, said: str | None) -> None:
    assert says(reply) == said
