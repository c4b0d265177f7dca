"""The published counting rules: the golden figures, and a whole BERT added up to the last multiply-add."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.efficiency import rules
from readproof.efficiency.flops import measure
from readproof.efficiency.modules import ModuleUse, parse
from readproof.errors import InputError
from tests.efficiency.made import BERT, trace
from tests.shared_data import SHARED, needs_shared

LENGTHS = (8, 10, 16, 21, 32, 57, 64, 88, 128, 256, 384, 512)


def closed_formula(length: int, layers: int = 12, labels: int = 2) -> int:
    """A BERT base classifier, multiplied out by hand: nothing is shared with the rules."""
    square = 12 * (2 * length * length + 2 * 64 * length * length)
    dense = length * (3 * 768 * 768 + 768 * 768 + 2 * 768 * 3072)
    norms = 2 * (2 * 768) * length
    return 2 * 768 * length + layers * (square + dense + norms) + 768 * 768 + 768 * labels


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    path = tmp_path / "bert.json"
    path.write_text(json.dumps(BERT), encoding="utf-8")
    return path


@needs_shared
def test_golden_figures(bert: Path) -> None:
    golden = json.loads((SHARED / "golden/flops.json").read_text(encoding="utf-8"))
    for length, macs in golden["bert_layer"].items():
        assert rules.bert_layer(int(length)) == macs
        layer = ModuleUse("layer_1", (int(length), 768))
        assert measure(bert, [layer]).of[layer].macs == macs
        assert measure(bert, [layer]).of[layer].parameters == golden["layer_parameters"]
    for length, macs in golden["embeddings"].items():
        words = ModuleUse("emb", (int(length),))
        assert measure(bert, [words]).of[words].macs == macs
    pooler, classifier = ModuleUse("pooler", (88, 768)), ModuleUse("classifier", (768,))
    costs = measure(bert, [pooler, classifier])
    assert costs.of[pooler].macs == golden["pooler"]
    assert costs.of[classifier].macs == golden["classifier_768_to_2"]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_whole_classifier_adds_up(length: int, bert: Path) -> None:
    passed = parse(trace("chnc", length, 12))
    assert measure(bert, passed).macs(passed) == closed_formula(length)


def test_a_module_passed_twice_is_paid_twice(bert: Path) -> None:
    passed = parse("(8,768),layer_1;(8,768),layer_1")
    assert measure(bert, passed).macs(passed) == 2 * 56747520


def test_parameters_of_a_description(bert: Path) -> None:
    embeddings = (21128 + 512 + 2) * 768 + 2 * 768
    assert measure(bert, []).parameters == embeddings + 12 * 7087872 + 769 * 768 + 769 * 2


def test_no_head_is_no_attention() -> None:
    assert rules.self_attention(1, 8, 768, 0, 64, 0) == 0
    assert rules.self_attention(2, 8, 768, 12, 64, 768) == 2 * rules.self_attention(1, 8, 768, 12, 64, 768)


def test_what_a_description_cannot_count_is_told(bert: Path) -> None:
    wrong = [
        ModuleUse("layer_13", (8, 768)),
        ModuleUse("layer_1", (8, 512)),
        ModuleUse("layer_1", (768,)),
        ModuleUse("emb", (8, 768)),
    ]
    costs = measure(bert, wrong)
    assert set(costs.faults) == set(wrong)
    assert "no such module" in costs.faults[wrong[0]]


@pytest.mark.parametrize(
    "modules",
    [
        {},
        {"a": 3},
        {"a": {"kind": "conv"}},
        {"a": {"kind": "linear", "inputs": 3}},
        {"a": {"kind": "linear", "inputs": 3, "outputs": True}},
        {"a": {"kind": "layer", "hidden": 10, "heads": 3, "inner": 4}},
        {"a": {"kind": "embeddings", "rows": [], "hidden": 4}},
        {"a1..a3": {"kind": "pooler", "hidden": 4}, "a2": {"kind": "pooler", "hidden": 4}},
    ],
)
def test_a_wrong_description(modules: object, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"modules": modules}), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        measure(path, [])
    assert caught.value.file == str(path)
