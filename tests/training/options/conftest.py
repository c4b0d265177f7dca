from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from readproof.readers.vocabulary import SPECIAL, Vocabulary, whole
from readproof.training.options.recipe import OptionPlan
from readproof.training.options.recipefile import parse_option_plan
from readproof.training.options.records import write_groups
from readproof.training.options.sets import questions
from tests.training.options.made import TINY, choice_items


@pytest.fixture
def vocabulary() -> Vocabulary:
    texts = [text for item in choice_items(3) for text in (item.passage, item.question, *item.options)]
    return whole(
        [*SPECIAL, *sorted(set("".join(texts)) | set("0123456789")), *(f"##{digit}" for digit in "0123456789")]
    )


@pytest.fixture
def plan() -> OptionPlan:
    return parse_option_plan(TINY, "tiny.toml")


@pytest.fixture
def sets(tmp_path: Path) -> dict[str, Path]:
    """Four sets of questions as statements, no passage in two of them."""
    items = choice_items(11)
    parts = {"a": items[:6], "b": items[6:16], "held": items[16:20], "last": items[20:]}
    for name, part in parts.items():
        write_groups(tmp_path / f"{name}.jsonl", questions(part, name))
    return {name: tmp_path / f"{name}.jsonl" for name in parts}
