"""A real llama.cpp server on loopback with a model of chance weights, started once, and a proxy before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.readers.llm.proxy import Proxy
from tests.readers.llm.tiny_gguf import save_tiny_gguf


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the server, with /v1."""
    xllamacpp = pytest.importorskip("xllamacpp", reason="needs the llama.cpp server of the wheel xllamacpp")
    pytest.importorskip("gguf", reason="needs the package gguf to make a model")
    options = xllamacpp.CommonParams()
    options.model.path = str(save_tiny_gguf(tmp_path_factory.mktemp("gguf") / "tiny.gguf"))
    options.n_parallel = 4
    options.n_ctx = options.n_parallel * 4096
    options.port = 0
    options.warmup = False
    options.verbosity = -1
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1
    running = xllamacpp.Server(options)
    yield f"{running.listening_address}/v1"
    del running


@pytest.fixture
def proxy(server: str) -> Iterator[Proxy]:
    made = Proxy(server)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test has a cache of its own, and no key."""
    monkeypatch.setenv("READPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("READPROOF_API_KEY", raising=False)
    return tmp_path / "cache"
