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
from readproof.readers.llm.cache import ReplyCache, cache_folder, reply_cache, request_key
from readproof.readers.llm.client import served_model
from tests.readers.llm.proxy import Proxy

HERE = ("http://localhost:1/v1", "")


def test_the_key_is_of_the_exact_request_and_of_who_is_asked() -> None:
    one = request_key(*HERE, "/chat/completions", {"model": "m", "temperature": 0})
    assert one == request_key(*HERE, "/chat/completions", {"temperature": 0, "model": "m"})
    others = [
        request_key(*HERE, "/completions", {"model": "m", "temperature": 0}),
        request_key(*HERE, "/chat/completions", {"model": "n", "temperature": 0}),
        request_key(*HERE, "/chat/completions", {"model": "m", "temperature": 0.5}),
        request_key("http://localhost:2/v1", "", "/chat/completions", {"model": "m", "temperature": 0}),
        request_key(HERE[0], "weights b", "/chat/completions", {"model": "m", "temperature": 0}),
    ]
    assert len({one, *others}) == 6


def test_what_a_server_serves_is_told_without_what_changes_at_each_start() -> None:
    listing = {"data": [{"id": "m", "created": 1, "meta": {"size": 5}}, {"id": "n"}]}
    assert served_model(listing, "m") == '[{"id": "m", "meta": {"size": 5}}]'
    assert "n" in served_model(listing, "other")
    assert served_model({"data": []}, "m") == served_model([], "m") == ""


def test_what_is_put_is_there_for_another_process(tmp_path: Path) -> None:
    ReplyCache(tmp_path).put("k", {"choices": [{"text": "字"}]})
    code = (
        "import sys; from pathlib import Path; from readproof.readers.llm.cache import ReplyCache; "
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


ITEM = ChoiceItem(id="1", passage="天。", question="？", options=("是", "否"))


def test_two_servers_that_give_one_name_to_their_models_never_share_an_answer(server: str) -> None:
    proxies = [Proxy(server), Proxy(server)]
    try:
        for proxy, letter in zip(proxies, "AB", strict=True):
            proxy.says = lambda _request, letter=letter: letter  # type: ignore[misc]
        said = []
        for proxy in (*proxies, *proxies):
            reader = open_llm(f"llm:{proxy.address}#model", ReaderOptions())
            said.append(reader.answer([ITEM])[0].choice)
            reader.close()
        assert said == [0, 1, 0, 1]
        assert [len(proxy.seen) for proxy in proxies] == [1, 1]
    finally:
        for proxy in proxies:
            proxy.close()


def test_another_model_at_the_same_address_is_asked_again(proxy: Proxy) -> None:
    for size, seen in ((1, 1), (1, 1), (2, 2)):
        proxy.serves = {"id": "m", "meta": {"size": size}, "created": size}
        open_llm(f"llm:{proxy.address}#m?max_tokens=2", ReaderOptions()).answer([ITEM])
        assert len(proxy.seen) == seen


def test_a_port_where_nothing_listens_answers_nothing(proxy: Proxy) -> None:
    open_llm(f"llm:{proxy.address}#m?max_tokens=2", ReaderOptions()).answer([ITEM])
    proxy.close()
    with pytest.raises(InputError, match="Is the endpoint up"):
        open_llm(f"llm:{proxy.address}#m?max_tokens=2", ReaderOptions()).answer([ITEM])


def test_without_a_cache_everything_is_asked(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READPROOF_CACHE", "off")
    assert reply_cache() is None
    for seen in (1, 2):
        reader = open_llm(f"llm:{proxy.address}#m?max_tokens=2", ReaderOptions())
        reader.answer([ITEM])
        assert len(proxy.seen) == seen
        assert reader.figures()["cache_hits"] == 0
