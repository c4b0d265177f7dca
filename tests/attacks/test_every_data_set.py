"""Over every span data set: golds stand after each truth-keeping attack, ids trace back, same seed, same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from readproof.attacks import ATTACKS, Attack, make_attack
from readproof.attacks.edits import golds_stand
from readproof.attacks.records import from_line, to_line
from readproof.items import ChoiceItem, SpanItem
from readproof.tasks import find, load
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared
EVERY = 40  # items of a file, from all over it


def _files() -> Iterator[Path]:
    folders = ("cmrc2018", "drcd", "chinese_squad", "cjrc", "dureader_checklist", "xquad", "pquad", "persianqa")
    for folder in (*folders, "parsquad", "parsinlu_rc", "adversarial_squad_en", "vgaokao", "gaokao_extra", "c3"):
        yield from sorted(path for path in (SHARED / "data" / folder).rglob("*.json*") if path.is_file())


def _free() -> list[str]:
    return [name for name in ATTACKS.names() if not ATTACKS.get(name).about.needs]


@pytest.mark.parametrize("path", list(_files()) if SHARED.is_dir() else [], ids=lambda path: path.name)
def test_golds_stand_and_ids_trace_back(path: Path) -> None:
    assert find(path)[0].kind in ("span", "choice")
    items = [item for item in islice(load(path), 0, 4000, 4000 // EVERY) if isinstance(item, SpanItem | ChoiceItem)]
    standing = [item for item in items if not isinstance(item, SpanItem) or golds_stand(item)]
    made = 0
    for name in _free():
        attack, again = make_attack(name), make_attack(name)
        assert isinstance(attack, Attack)
        assert isinstance(again, Attack)
        for item in standing:
            result = attack.make(item, seed=5)
            assert result == again.make(item, seed=5)
            assert bool(result.variants) != bool(result.skipped)
            for variant in result.variants:
                made += 1
                assert variant.origin == item.id
                assert variant.item != item
                assert from_line(to_line(variant), path, "") == variant
                if isinstance(variant.item, SpanItem):
                    assert golds_stand(variant.item)
    assert made
