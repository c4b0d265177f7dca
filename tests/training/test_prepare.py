from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import Gold, SpanItem
from readproof.training.prepare import apart, make_sets, prepare_sets, simplified, write_set
from readproof.training.sets import span_items
from readproof.training.sources import find_sources
from tests.shared_data import SHARED, needs_shared
from tests.training.made import made_items

LONG = "黑豹队的防守只丢了308分，在联赛中排名第六，同时也以24次拦截领先国家橄榄球联盟。"


def item(name: str, passage: str, *answers: str) -> SpanItem:
    golds = tuple(Gold(answer, passage.find(answer)) for answer in answers)
    return SpanItem(id=name, passage=passage, question="问什么？", golds=golds)


def test_what_is_measured_on_is_not_trained_on() -> None:
    measured = item("x", LONG, "308分")
    other = "另外一段完全不同的文字，讲的是别的事情，与前面没有任何相同之处。"
    loaded = {
        "cmrc_dev": [measured],
        "dureader": [item("1", LONG.replace("308", " 308 "), "第六"), item("2", other, "别的事情")],
        "xquad": [item("same", "甲乙丙丁", "乙")],
        "chinese_squad": [
            item("same", "戊己庚辛", "庚"),
            item("beside", "戊己庚辛", "己"),
            item("apart", "壬癸", "癸"),
        ],
    }
    sets = make_sets(loaded)
    assert [one.id for one in sets["dureader"]] == ["2"]
    assert [one.id for one in sets["csquad"]] == ["apart"]
    assert apart([item("3", "", "")], {1}) == [item("3", "", "")]


def test_yes_and_no_are_no_spans() -> None:
    sets = make_sets(
        {"cjrc_dev": [item("1", "被告是张三", "张三"), item("2", "被告是张三", "是"), item("3", "被告", "原")]}
    )
    assert [one.id for one in sets["cjrc"]] == ["1"]
    assert [(one.id, one.golds) for one in sets["unlabelled_law"]] == [("2", ()), ("3", ())]


def test_simplified_script_moves_the_golds() -> None:
    (found,) = simplified([item("1", "歐洲與龍", "龍")])
    assert (found.passage, found.golds) == ("欧洲与龙", (Gold("龙", 3),))


def test_cmrc_is_split_by_passages() -> None:
    items = [item(f"TRAIN_{number}_QUERY_0", chr(0x4E00 + number) * 40, "一") for number in range(1, 60)]
    sets = make_sets({"cmrc_train": items})
    assert sum(map(len, sets.values())) == len(items)
    assert len(sets["cmrc_plain"]) > len(sets["held_plain"]) > 0
    near = [one for one in made_items(60) if one not in sets["cmrc_plain"]]  # passages that differ by a year
    assert 0 < len(make_sets({"cmrc_train": near})["cmrc_plain"]) < len(near)
    with pytest.raises(InputError, match="TRAIN_186_QUERY_0"):
        make_sets({"cmrc_train": [item("x", LONG, "第六")]})


def test_a_set_keeps_passages_together_and_only_placed_golds(tmp_path: Path) -> None:
    items = [item("1", "甲乙", "乙"), item("2", "丙丁", "丁"), item("3", "甲乙", "没有")]
    count = write_set(tmp_path / "a.json", items)
    assert (count.questions, count.labelled, count.passages) == (3, 2, 2)
    assert [one.id for one in span_items(tmp_path / "a.json")] == ["1", "3", "2"]


def test_missing_sources_are_told(tmp_path: Path) -> None:
    (tmp_path / "cmrc2018").mkdir()
    write_set(tmp_path / "cmrc2018" / "train.json", made_items(30))
    write_set(tmp_path / "train.json", made_items(2))
    assert find_sources(tmp_path) == {"cmrc_train": tmp_path / "cmrc2018" / "train.json"}
    lines: list[str] = []
    counts, hashes = prepare_sets(tmp_path, tmp_path / "work", say=lines.append)
    assert any("DRCD_dev.json" in line and "left out" in line for line in lines)
    assert "drcd" not in counts and counts["cmrc_plain"].questions > 0
    assert list(hashes) == ["cmrc_train"]
    lines.clear()
    assert prepare_sets(tmp_path, tmp_path / "work", say=lines.append) == (counts, hashes)
    assert not lines
    with pytest.raises(InputError, match="no such folder"):
        find_sources(tmp_path / "nowhere")


@needs_shared
@pytest.mark.slow
def test_the_sets_of_the_shipped_reader(tmp_path: Path) -> None:
    counts, hashes = prepare_sets(SHARED / "data", tmp_path)
    assert len(hashes) == 9
    assert {name: count.questions for name, count in counts.items()} == {
        "cmrc_plain": 4852,
        "cmrc_wordy": 4261,
        "held_plain": 758,
        "held_wordy": 271,
        "held_drcd": 441,
        "cmrc_dev": 3219,
        "xquad": 1190,
        "drcd": 6576,
        "csquad": 3445,
        "cjrc": 7908,
        "dureader": 1404,
        "unlabelled": 6678,
        "unlabelled_law": 4092,
    }
    assert json.loads((tmp_path / "sets.json").read_text(encoding="utf-8"))["sources"] == hashes
