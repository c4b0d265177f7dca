"""The check that nothing is learnt from what is measured finds a passage that is in both."""

from __future__ import annotations

from pathlib import Path

from benchmarks.overlap import shared_with

from readproof.items import ChoiceItem
from readproof.tasks.gcrc import write_data
from tests.training.options.made import choice_items


def written(path: Path, items: list[ChoiceItem]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        write_data(items, file)
    return path


def test_a_passage_in_both_is_found(tmp_path: Path) -> None:
    items = choice_items(4)
    passages = list(dict.fromkeys(item.passage for item in items))
    assert len(passages) > 2
    written(tmp_path / "data" / "haihua" / "clean.json", items)
    apart = written(tmp_path / "apart.json", [item for item in items if item.passage == passages[0]])
    found = shared_with(tmp_path / "data", [f"gcrc:{apart}"])
    assert list(found) == ["haihua"]
    first = next(item for item in items if item.passage == passages[0])
    assert [one.split(" in ")[0] for one in found["haihua"]] == [first.id]
