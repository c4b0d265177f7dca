"""When a reader stops: rules as a person types them, and what each makes of a row of heads."""

from __future__ import annotations

import pytest

from readproof.errors import InputError
from readproof.readers.exits.deciding import Policy, Watch, check_policy, parse_policy


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("", Policy()),
        ("last", Policy()),
        ("layer:6", Policy("layer", 6.0)),
        ("entropy:0.2", Policy("entropy", 0.2)),
        ("entropy:0", Policy("entropy", 0.0)),
        ("patience:3", Policy("patience", 3.0)),
        ("tokens:1.5", Policy("tokens", 1.5)),
        ("entropy:0.2@8", Policy("entropy", 0.2, 8)),
        ("patience:3@4", Policy("patience", 3.0, 4)),
    ],
)
def test_rules_are_read_and_written(text: str, policy: Policy) -> None:
    assert parse_policy(text) == policy
    assert parse_policy(str(policy)) == policy


@pytest.mark.parametrize(
    "text",
    [
        "6",
        "layer",
        "layer:",
        "layer:0",
        "layer:1.5",
        "patience:0",
        "entropy:-1",
        "entropy:nan",
        "entropy:inf",
        "sure:1",
        "layer:6x",
        "patience:1e9",
        "layer:6@7",
        "tokens:0.2@3",
        "entropy:0.2@",
        "entropy:0.2@0",
        "entropy:0.2@x",
        "entropy:0.2@99999",
        "entropy@3",
        "@3",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="or, for tags"):
        parse_policy(text)


def stops(policy: Policy, said: list[str], doubts: list[float]) -> int:
    """The layer at which a row stops."""
    watch = Watch(policy)
    for layer, (one, doubt) in enumerate(zip(said, doubts, strict=True), 1):
        if watch.enough(layer, one, doubt):
            return layer
    return len(said)


@pytest.mark.parametrize(
    ("rule", "layer"),
    [
        ("", 5),
        ("layer:2", 2),
        ("entropy:0.5", 3),
        ("entropy:0.1", 5),
        ("patience:1", 1),
        ("patience:2", 3),
        ("patience:3", 5),
        ("entropy:0.5@4", 3),
        ("entropy:0.1@4", 4),
        ("patience:3@2", 2),
    ],
)
def test_a_row_stops_where_its_rule_says(rule: str, layer: int) -> None:
    said = ["a", "b", "b", "a", "a"]
    assert stops(parse_policy(rule), said, [0.9, 0.6, 0.4, 0.3, 0.2]) == layer


def test_the_same_answer_must_come_in_a_row() -> None:
    assert stops(parse_policy("patience:3"), ["a", "a", "b", "a", "a", "a", "a"], [1.0] * 7) == 6


def test_a_layer_without_a_head_and_tokens_of_no_tags_are_refused() -> None:
    with pytest.raises(InputError, match="2, 4, 6"):
        check_policy(Policy("layer", 3), "label", (2, 4, 6))
    with pytest.raises(InputError, match="a reader of tags"):
        check_policy(Policy("tokens", 0.1), "label", (2, 4, 6))
