"""Hugging Face data sets: as objects, as folders, and by name as they lie in the cache, without a network."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import readproof as rp
from readproof.errors import InputError
from readproof.items import SpanItem
from readproof.tasks import find, load
from tests.cli.running import run

datasets = pytest.importorskip("datasets", reason="needs the extra [hub]")
SAMPLE = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"


@pytest.fixture(scope="module")
def made() -> Any:
    rows = [
        {
            "id": item.id,
            "context": item.passage,
            "question": item.question,
            "answers": {"text": [g.text for g in item.golds], "answer_start": [g.start for g in item.golds]},
        }
        for item in load(SAMPLE)
        if isinstance(item, SpanItem)
    ]
    return datasets.Dataset.from_list(rows)


@pytest.fixture(scope="module")
def cached(made: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache as `load_dataset("hfl/cmrc2018")` leaves it: built by the library, and given that name."""
    folder = tmp_path_factory.mktemp("hub")
    made.to_parquet(folder / "v.parquet")
    cache = folder / "cache"
    datasets.load_dataset("parquet", data_files={"validation": str(folder / "v.parquet")}, cache_dir=str(cache))
    (source,) = cache.glob("parquet/*/*/*/")
    target = cache / "hfl___cmrc2018/default/0.0.0" / source.name
    target.parent.mkdir(parents=True)
    shutil.move(source, target)
    for file in target.glob("parquet-*"):
        file.rename(target / file.name.replace("parquet", "cmrc2018"))
    info = json.loads((target / "dataset_info.json").read_text(encoding="utf-8"))
    info |= {"builder_name": "cmrc2018", "dataset_name": "cmrc2018", "config_name": "default"}
    (target / "dataset_info.json").write_text(json.dumps(info), encoding="utf-8")
    return cache


@pytest.fixture
def offline(cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", cached)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


def test_a_dataset_object(made: Any, tmp_path: Path) -> None:
    assert list(rp.load(made)) == [item for item in map(bare, load(SAMPLE)) if isinstance(item, SpanItem)]
    found = rp.prove("baseline:first", made, attacks="none", out=tmp_path / "run", page=False)
    assert found.scores.run.data.items == 27
    renamed = made.rename_column("context", "story")
    assert len(list(rp.load(renamed, columns={"passage": "story"}))) == 27
    with pytest.raises(InputError, match="one split"):
        list(rp.load(datasets.DatasetDict({"train": made})))


def bare(item: Any) -> Any:
    """An item without what rows do not hold."""
    return SpanItem(id=item.id, passage=item.passage, question=item.question, golds=item.golds, language=item.language)


def test_folders_of_save_to_disk(made: Any, tmp_path: Path) -> None:
    one, both = tmp_path / "one", tmp_path / "both"
    made.save_to_disk(str(one))
    datasets.DatasetDict({"train": made.select(range(3)), "validation": made}).save_to_disk(str(both))
    assert find(one)[0].name == "hf"
    assert len(list(load(one))) == len(list(load(both))) == 27
    assert len(list(load(f"hf:{both}:train"))) == 3
    with pytest.raises(InputError, match="one of train, validation"):
        list(load(f"hf:{both}:nope"))
    told = run("attack", "typo", one, "-o", tmp_path / "x.json")
    assert told.returncode == 2 and f"readproof convert {one} --to squad" in told.stderr
    done = run("prove", "baseline:first", one, "--attacks", "none", "--out", tmp_path / "run", "--json")
    facts = json.loads(done.stdout)["runs"][0]["scores"]["run"]["data"]
    assert (facts["name"], facts["given"], facts["digest"]) == ("one", str(one), made_again(one))
    assert run("convert", f"hf:{both}:train", "--to", "squad", "-o", tmp_path / "c.json").returncode == 0
    assert len(list(load(tmp_path / "c.json"))) == 3


def made_again(folder: Path) -> str:
    return str(datasets.load_from_disk(str(folder))._fingerprint)


@pytest.mark.usefixtures("offline")
def test_a_name_of_the_hub_out_of_the_cache(tmp_path: Path) -> None:
    for spec in ("hf://hfl/cmrc2018:validation", "hf://hfl/cmrc2018"):
        assert len(list(load(spec))) == 27
    done = run("prove", "baseline:first", "hf://hfl/cmrc2018:validation", "--attacks", "none", "--out", tmp_path / "r")
    assert done.returncode == 0, done.stderr
    assert "baseline:first on cmrc2018: 27 span questions" in done.stdout
    assert "prove baseline:first hf://hfl/cmrc2018:validation" in (tmp_path / "r/report.html").read_text("utf-8")


def test_what_is_no_folder_of_save_to_disk_is_not_looked_for_on_the_hub(tmp_path: Path) -> None:
    for spec in (f"hf:{SAMPLE}", f"hf:{tmp_path}:train"):
        with pytest.raises(InputError, match="save_to_disk"):
            list(load(spec))


@pytest.mark.usefixtures("offline")
def test_a_name_that_is_not_there() -> None:
    done = run("show", "hf://nobody/nothing:test")
    assert done.returncode == 2
    assert "hf://nobody/nothing: found nothing that datasets can load" in done.stderr and "save_to_disk" in done.stderr
