"""The public files that Chinese readers are trained from: how each is called where it is published, and its licence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from readproof.errors import InputError

_PACKED = ("", ".xz", ".gz")


@dataclass(frozen=True, slots=True)
class DataSource:
    """One published file. `names` are its usual ones, with the folder where the bare name would say too little."""

    task: str
    names: tuple[str, ...]
    licence: str


SOURCES: Mapping[str, DataSource] = {
    "cmrc_train": DataSource("cmrc2018", ("cmrc2018_train.json", "cmrc2018/train.json"), "CC BY-SA 4.0"),
    "cmrc_dev": DataSource("cmrc2018", ("cmrc2018_dev.json", "cmrc2018/dev.json"), "CC BY-SA 4.0"),
    "xquad": DataSource("xquad", ("xquad.zh.json",), "CC BY-SA 4.0"),
    "drcd_dev": DataSource("drcd", ("DRCD_dev.json",), "CC BY-SA 3.0"),
    "drcd_test": DataSource("drcd", ("DRCD_test.json",), "CC BY-SA 3.0"),
    "chinese_squad": DataSource("chinese_squad", ("dev-v2.0-zh.json",), "academic use only"),
    "cjrc_dev": DataSource("cjrc", ("cjrc/dev_ground_truth.json", "dev_ground_truth.json"), "none stated"),
    "cjrc_test": DataSource("cjrc", ("cjrc/test_ground_truth.json", "test_ground_truth.json"), "none stated"),
    "dureader": DataSource("dureader", ("dureader_checklist/train-r.json", "train-r.json"), "Apache-2.0"),
}


def find_sources(data: Path) -> dict[str, Path]:
    """The sources that lie in a folder or in the folders below it."""
    return find_among(data, SOURCES)


def find_among(data: Path, sources: Mapping[str, DataSource]) -> dict[str, Path]:
    """Those of some sources that lie in a folder or in the folders below it."""
    if not data.is_dir():
        raise InputError(file=data, found="no such folder", expected="a folder with the public data files")
    files = sorted(path for path in data.rglob("*") if path.is_file())
    found = {}
    for key, source in sources.items():
        wanted = [name + packed for name in source.names for packed in _PACKED]
        path = next((path for name in wanted for path in files if _ends(path, name)), None)
        if path is not None:
            found[key] = path
    return found


def _ends(path: Path, name: str) -> bool:
    wanted = Path(name).parts
    return path.parts[-len(wanted) :] == wanted
