"""The public files that the option reader learns from, beside those of the span reader."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from readproof.training.sources import SOURCES, Source, find_among

OPTION_SOURCES: Mapping[str, Source] = {
    "ocnli": Source("ocnli", ("train.50k.json", "ocnli/train.json"), "CC BY-NC 2.0"),
    "c3_d_train": Source("c3", ("c3-d-train.json",), "non-commercial research"),
    "c3_m_train": Source("c3", ("c3-m-train.json",), "non-commercial research"),
    "c3_d_dev": Source("c3", ("c3-d-dev.json",), "non-commercial research"),
    "c3_m_dev": Source("c3", ("c3-m-dev.json",), "non-commercial research"),
    "c3_d_test": Source("c3", ("c3-d-test.json",), "non-commercial research"),
    "c3_m_test": Source("c3", ("c3-m-test.json",), "non-commercial research"),
    "logiqa_eval": Source("logiqa", ("zh_eval.txt",), "none stated"),
    "logiqa_test": Source("logiqa", ("zh_test.txt",), "none stated"),
    "vgaokao": Source("vgaokao", ("vgaokao/clean.json",), "Apache-2.0"),
    "gaokao_extra": Source("gaokao", ("gaokao_extra/clean.json",), "none stated"),
    **SOURCES,
}


def find_option_sources(data: Path) -> dict[str, Path]:
    """The sources that lie in a folder or in the folders below it."""
    return find_among(data, OPTION_SOURCES)
