"""The cache: the exact request is the key, the address is not; several processes may use it at a time."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem
from readproof.readers.api import ReaderOptions
from readproof.readers.llm import open_llm
from readproof.readers.llm.client import ReplyCache, cache_folder, request_key
from tests.readers.llm.proxy import Proxy


def test_the_key_is_of_the_exact_request() -> None:
    one = request_key("/chat/completions", {"model": "m", "temperature": 0})
    assert one == request_key("/chat/completions", {"temperature": 0, "model": "m"})
    assert len({one, request_key("/completions", {"model": "m", "temperature": 0})}) == 2
    assert one != request_key("/chat/completions", {"model": "n", "temperature": 0})
    assert one != request_key("/chat/completions", {"model": "m", "temperature": 0.5})


def test_what_is_put_is_there_for_another_process(tmp_path: Path) -> None:
    ReplyCache(tmp_path).put("k", {"choices": [{"text": "字"}]})
    code = (
        "import sys; from pathlib import Path; from readproof.readers.llm.client import ReplyCache; "
        "print(ascii(ReplyCache(Path(sys.argv[1])).get('k')))"
    )
    found = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ascii({"choices": [{"text": "字"}]})
    assert ReplyCache(tmp_path).get("other") is None


def test_many_threads(tmp_path: Path) -> None:
    caches = [ReplyCache(tmp_path), ReplyCache(tmp_path)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: caches[n % 2].put(str(n), {"n": n}), range(200)))
        assert list(pool.map(lambda n: caches[n % 2].get(str(n)), range(200))) == [{"n": n} for n in range(200)]


def test_a_file_that_is_no_cache_is_told(tmp_path: Path) -> None:
    (tmp_path / "answers.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(InputError, match="READPROOF_CACHE"):
        ReplyCache(tmp_path)


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("READPROOF_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "readproof"
    monkeypatch.setenv("READPROOF_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"


def test_the_same_request_at_the_same_time_is_asked_once(proxy: Proxy) -> None:
    items = [ChoiceItem(id=str(n), passage="天。", question="？", options=("是", "否")) for n in range(20)]
    reader = open_llm(f"llm:{proxy.address}#m?max_tokens=2&concurrency=8", ReaderOptions())
    reader.answer(items)
    assert len(proxy.seen) == 1
    assert reader.figures()["cache_hits"] == 19
