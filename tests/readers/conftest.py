from __future__ import annotations

from pathlib import Path

import pytest

from readproof.readers.api import ReaderOptions
from readproof.readers.embedded import EmbeddedReader, open_folder
from tests.readers.tiny import save_tiny


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("onnx")
    return save_tiny(tmp_path_factory.mktemp("tiny"), card={"name": "tiny", "languages": ["zh"]})


@pytest.fixture(scope="session")
def tiny(tiny_folder: Path) -> EmbeddedReader:
    return open_folder(tiny_folder, ReaderOptions(threads=1))
