"""The wheel and the sdist: all that is needed is inside, nothing else is, and one can be made of the other."""

from __future__ import annotations

import re
import tarfile
import tomllib
from zipfile import ZipFile

import pytest
from packaging.metadata import Metadata

import readproof
from tests.docs.conftest import Distributions
from tests.docs.pages import ROOT

pytestmark = pytest.mark.slow

NEEDED = [
    "readproof/py.typed",
    "readproof/readers/models/zh/model.onnx",
    "readproof/readers/models/zh/options.npz",
    "readproof/readers/models/zh/vocab.txt",
    "readproof/readers/models/zh/LICENSE.md",
    "readproof/readers/models/fa/model.onnx",
    "readproof/readers/models/fa/scores.txt",
    "readproof/readers/models/fa/letters.tsv",
    "readproof/samples/zh.jsonl.xz",
    "readproof/lang/zh/ngrams.npz",
    "readproof/lang/LICENSE.unicode.txt",
    "readproof/training/recipes/harden-zh.toml",
    "readproof/readers/llm/prompts/independent.toml",
    "readproof/board/web/templates/base.html",
    "readproof/board/web/static/board.css",
    "readproof/board/examples/gcrc.toml",
    "readproof/submit/codes.toml",
]
# what no release may carry, wherever it lies
STRAY = re.compile(
    r"(^|/)(__pycache__|\.git|\.gpu|\.venv|\.hypothesis|runs|site|dist|shared)(/|$)|\.pyc$|\.part\.jsonl$"
)


def files(path: str) -> list[str]:
    return sorted(name for name in ZipFile(path).namelist() if not name.endswith("/"))


def test_the_wheel_has_all_and_nothing_else(built: Distributions) -> None:
    names = files(str(built.wheel))
    assert not [one for one in NEEDED if one not in names]
    assert {name.partition("/")[0] for name in names} == {"readproof", f"readproof-{readproof.__version__}.dist-info"}
    assert not [name for name in names if STRAY.search(name) or "/tests/" in name]
    source = {
        f"readproof/{path.relative_to(ROOT / 'src/readproof')}"
        for path in (ROOT / "src/readproof").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert source == {name for name in names if name.startswith("readproof/")}
    size = round(built.wheel.stat().st_size / 1e6)
    assert all(f"{size} MB" in (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))


def test_licences_travel(built: Distributions) -> None:
    names = files(str(built.wheel))
    for licence in ("LICENSE", "NOTICE", "lang/LICENSE.unicode.txt", "models/zh/LICENSE.md", "models/fa/LICENSE.md"):
        assert any("/licenses/" in name and name.endswith(licence) for name in names), licence


def test_the_metadata_are_right(built: Distributions) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with ZipFile(built.wheel) as wheel:
        (name,) = (one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
        text = wheel.read(name).decode("utf-8")
        points = wheel.read(name.replace("METADATA", "entry_points.txt")).decode("utf-8")
    # what an index checks before it takes an upload
    metadata = Metadata.from_email(text, validate=True)
    assert str(metadata.version) == readproof.__version__ == project["version"]
    assert metadata.description_content_type == "text/markdown" and metadata.summary == project["description"]
    assert set(metadata.provides_extra or ()) == set(project["optional-dependencies"])
    assert "Framework :: Pytest" in metadata.classifiers
    # a page of an index shows the README without the files beside it
    assert metadata.description and "readproof prove" in metadata.description
    assert "readproof = readproof.cli.main:main" in points and "[pytest11]" in points


def test_the_sdist_has_what_a_developer_needs_and_gives_the_same_wheel(built: Distributions) -> None:
    with tarfile.open(built.sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    for one in ("pyproject.toml", "mkdocs.yml", "constraints.txt", "README.md", "LICENSE", "tests/docs/pages.py"):
        assert one in names, one
    assert any(name.startswith("docs/attacks/readings/") for name in names)
    assert not [name for name in names if STRAY.search(name)]
    assert files(str(built.wheel)) == files(str(built.direct))


def test_the_version_is_said_in_one_place_and_repeated_in_one() -> None:
    said = [
        path.relative_to(ROOT).as_posix()
        for folder in ("src", "tools", "benchmarks", "examples")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(rf'"{re.escape(readproof.__version__)}"', path.read_text(encoding="utf-8"))
    ]
    assert said == ["src/readproof/__init__.py"]
