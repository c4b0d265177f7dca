"""Counting torch's modules: the published rules where they apply, a stated estimate where they would give work away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from readproof.efficiency import rules
from readproof.efficiency.counting import OperationCount, count
from tests.efficiency.test_rules import LENGTHS, closed_formula
from tests.shared_data import SHARED, needs_shared

torch = pytest.importorskip("torch", reason="needs the extra [elue]")
nn = torch.nn


@pytest.fixture(autouse=True)
def on_meta() -> Iterator[None]:
    with torch.device("meta"):
        yield


@pytest.fixture(scope="module")
def bert() -> Any:
    transformers = pytest.importorskip("transformers")
    with torch.device("meta"):
        return transformers.BertForSequenceClassification(transformers.BertConfig(num_labels=2))


@needs_shared
def test_golden_figures(bert: Any) -> None:
    golden = json.loads((SHARED / "golden/flops.json").read_text(encoding="utf-8"))
    layer = bert.bert.encoder.layer[3]
    for length, macs in golden["bert_layer"].items():
        assert count(layer, (int(length), 768)) == OperationCount(macs)
    for length, macs in golden["embeddings"].items():
        assert count(bert.bert.embeddings, (int(length),)) == OperationCount(macs)
    assert count(bert.bert.pooler, (88, 768)) == OperationCount(golden["pooler"])
    assert count(bert.classifier, (768,)) == OperationCount(golden["classifier_768_to_2"])
    assert sum(one.numel() for one in layer.parameters()) == golden["layer_parameters"]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_whole_classifier_adds_up(length: int, bert: Any) -> None:
    parts = [count(layer, (length, 768)).macs for layer in bert.bert.encoder.layer]
    parts += [count(bert.bert.embeddings, (length,)).macs, count(bert.bert.pooler, (length, 768)).macs]
    assert sum(parts) + count(bert.classifier, (768,)).macs == closed_formula(length)
    assert count(bert, (length,)) == OperationCount(closed_formula(length))


class Tiny(nn.Module):  # type: ignore[misc]
    """A model whose cost can be added up from what its leaves see."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(50, 16)
        self.wide = nn.Conv1d(16, 8, 3, padding=1)
        self.act = nn.ReLU()
        self.pool = nn.MaxPool1d(2)
        self.norm = nn.LayerNorm(8)
        self.out = nn.Linear(8, 3)

    def forward(self, words: Any) -> Any:
        x = self.words(words).transpose(1, 2)
        x = self.pool(self.act(self.wide(x))).transpose(1, 2)
        return self.out(self.norm(x))


def test_a_tiny_model_against_hooks_of_its_own() -> None:
    """The same sums by hooks that know nothing of the counter, on real numbers."""
    model = Tiny().to_empty(device="cpu")
    total = 0

    def add(module: Any, inputs: Any, output: Any) -> None:
        nonlocal total
        name = type(module).__name__
        if name == "Linear":
            total += output.numel() * module.in_features
        elif name == "Conv1d":
            total += output.numel() * (module.in_channels * module.kernel_size[0] + 1)
        elif name == "ReLU":
            total += output.numel()
        elif name == "MaxPool1d":
            total += inputs[0].numel()
        elif name == "LayerNorm":
            total += 2 * inputs[0].numel()

    for part in model.modules():
        part.register_forward_hook(add)
    model(torch.zeros((1, 10), dtype=torch.long, device="cpu"))
    assert total == 80 * 49 + 80 + 80 + 80 + 120
    assert count(Tiny(), (10,)) == OperationCount(total)


class Attention(nn.Module):  # type: ignore[misc]
    """An attention that no counter knows."""

    def __init__(self, *, softmax_part: bool = False, fused: bool = False) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(64, 64) for _ in range(3))
        self.fused = fused
        self.soft = nn.Softmax(dim=-1) if softmax_part else None

    def forward(self, x: Any) -> Any:
        query, key, value = (
            one(x).unflatten(-1, (4, 16)).transpose(1, 2) for one in (self.query, self.key, self.value)
        )
        if self.fused:
            mixed = nn.functional.scaled_dot_product_attention(query, key, value)
        else:
            scores = query @ key.transpose(2, 3) / 4
            mixed = (self.soft(scores) if self.soft else scores.softmax(-1)) @ value
        return mixed.transpose(1, 2).flatten(2)


@pytest.mark.parametrize("how", [{}, {"softmax_part": True}, {"fused": True}])
def test_an_unknown_attention_is_not_free(how: dict[str, bool]) -> None:
    found = count(Attention(**how), (10, 64))
    assert found.macs == rules.self_attention(1, 10, 64, 4, 16, 64)
    assert found.estimated == {"Attention": 4 * (2 * 100 + 2 * 16 * 100)}


@pytest.mark.parametrize("name", ["DistilBert", "Electra"])
def test_other_attentions_of_transformers(name: str) -> None:
    transformers = pytest.importorskip("transformers")
    sizes = {"hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12} if name == "Electra" else {}
    config = getattr(transformers, f"{name}Config")(**sizes, n_layers=1, num_hidden_layers=1)
    model = getattr(transformers, f"{name}Model")(config)
    layer = (model.encoder if name == "Electra" else model.transformer).layer[0]
    found = count(layer, (128, 768))
    assert found.macs == rules.bert_layer(128)
    assert sum(found.estimated.values()) == 12 * (2 * 128 * 128 + 2 * 64 * 128 * 128)


def test_albert_and_roberta_are_known() -> None:
    transformers = pytest.importorskip("transformers")
    sizes = {"hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12, "num_hidden_layers": 1}
    albert = transformers.AlbertModel(transformers.AlbertConfig(**sizes))
    roberta = transformers.RobertaModel(transformers.RobertaConfig(**sizes))
    for layer in (albert.encoder.albert_layer_groups[0].albert_layers[0], roberta.encoder.layer[0]):
        assert count(layer, (57, 768)) == OperationCount(rules.bert_layer(57))


class BertSelfAttention(nn.Module):  # type: ignore[misc]
    """A known name, whose settings say less than what it does."""

    num_attention_heads, attention_head_size, all_head_size = 0, 0, 0

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        return self.dense(x)


def test_a_known_name_does_not_make_work_free() -> None:
    assert count(BertSelfAttention(), (5, 8)) == OperationCount(320, {"BertSelfAttention": 320})


class Odd(nn.Linear):  # type: ignore[misc]
    def forward(self, x: Any) -> Any:
        return super().forward(super().forward(x))


class ByHand(nn.Module):  # type: ignore[misc]
    def __init__(self, inference: bool = False) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(4, 8))
        self.inference = inference

    def forward(self, x: Any) -> Any:
        with torch.inference_mode(self.inference):
            return nn.functional.linear(x, self.weight).softmax(-1)


def test_classes_that_extend_and_products_by_hand() -> None:
    assert count(Odd(8, 8), (5, 8)) == OperationCount(640, {"Odd": 640})
    # the softmax of a classifier is free, as everywhere
    for inference in (False, True):
        assert count(ByHand(inference), (5, 8)) == OperationCount(160, {"ByHand": 160})


@pytest.mark.parametrize(
    ("module", "shape", "macs"),
    [
        (nn.Linear(8, 3), (5, 8), 120),
        (nn.Linear(8, 3, bias=False), (8,), 24),
        (nn.LayerNorm(8, elementwise_affine=False), (5, 8), 40),
        (nn.BatchNorm1d(5), (5, 8), 80),
        (nn.GELU(), (5, 8), 0),
        (nn.Tanh(), (5, 8), 0),
        (nn.Dropout(), (5, 8), 0),
        (nn.ReLU6(), (5, 8), 40),
        (nn.Embedding(10, 4), (5,), 0),
        (nn.Conv2d(3, 6, 3, groups=3, bias=False), (3, 5, 5), 9 * 3 * 2 * 9),
        (nn.AvgPool2d(2), (3, 4, 4), 48),
        (nn.Upsample(scale_factor=2), (3, 4, 4), 192),
        (nn.LSTM(8, 4, num_layers=2, bidirectional=True, batch_first=True), (5, 8), None),
        (nn.GRUCell(8, 4), (8,), 12 * 8 + 12 * 4 + 7 * 4 + 24),
        (nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)), (5, 8), 320 + 40 + 80),
    ],
)
def test_single_modules(module: Any, shape: tuple[int, ...], macs: int | None) -> None:
    if macs is None:
        # the second layer's matrix takes both directions of the first
        step = (16 * 8 + 16 * 4 + 40 + 32) + (16 * 8 + 16 * 4 + 40 + 32)
        macs = 2 * 5 * step
    assert count(module, shape) == OperationCount(macs)


def test_torchs_own_attention_counts_the_same_either_way_round() -> None:
    one = count(nn.TransformerEncoderLayer(64, 4, 128, batch_first=True), (10, 64))
    attention = 3 * (10 * 64 * 64 + 10 * 64) + 4 * (10 * 16 + 2 * 16 * 100 + 100) + 10 * 64 * 65
    assert one == OperationCount(attention + 2 * 10 * 64 * 128 + 2 * 2 * 640)


def test_a_module_that_does_not_run_says_so() -> None:
    with pytest.raises(RuntimeError):
        count(nn.Linear(8, 3), (5, 7))
