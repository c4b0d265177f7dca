"""The client against a real server behind a proxy of faults."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem
from readproof.readers.api import ReaderOptions
from readproof.readers.llm import open_llm
from readproof.readers.llm.client import Client, RefusedError, retry_after
from tests.readers.llm.proxy import FAULTS, Proxy


def request(text: str = "你好", **more: object) -> dict[str, object]:
    return {"model": "m", "messages": [{"role": "user", "content": text}], "max_tokens": 2, "temperature": 0, **more}


def test_a_real_server_answers_and_counts_tokens(server: str) -> None:
    client = Client(server)
    reply = client.ask("/chat/completions", request())
    assert isinstance(reply["choices"][0]["message"]["content"], str)
    assert client.counts.answered == 1
    assert client.counts.tokens_in > 6
    assert client.counts.tokens_out == 2


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_asked_again(proxy: Proxy, fault: str) -> None:
    proxy.plan = lambda body, tries: fault if tries < 2 else ""
    client = Client(proxy.address)
    assert client.ask("/chat/completions", request())["choices"]
    assert (client.counts.answered, client.counts.failed_tries) == (1, 2)


def test_a_server_that_is_not_up_yet(server: str) -> None:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    made: list[Proxy] = []

    def later() -> None:
        time.sleep(0.5)
        made.append(Proxy(server, port))

    threading.Thread(target=later).start()
    try:
        assert Client(f"http://127.0.0.1:{port}/v1").ask("/chat/completions", request())["choices"]
    finally:
        made[0].close()


def test_a_server_that_is_never_up_is_given_up_soon() -> None:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{place.getsockname()[1]}/v1"
        start = time.monotonic()
        with pytest.raises(InputError, match=r"ConnectError.*Is the endpoint up"):
            Client(address).ask("/chat/completions", request())
    assert time.monotonic() - start < 60  # the patience of a server that was reached is ten minutes


def test_a_slow_server_is_asked_again_and_patience_ends(proxy: Proxy) -> None:
    proxy.hold_after = 0
    start = time.monotonic()
    client = Client(proxy.address, timeout=0.2, patience=1.0)
    with pytest.raises(InputError, match="ReadTimeout"):
        client.ask("/chat/completions", request())
    assert client.counts.failed_tries > 1
    assert time.monotonic() - start < 60  # ten minutes, if patience were not heard


def test_being_told_to_wait_is_no_failure_and_the_wait_is_kept(proxy: Proxy) -> None:
    proxy.plan = lambda body, tries: "429" if tries < 6 else ""
    start = time.monotonic()
    client = Client(proxy.address, tries=2)
    assert client.ask("/chat/completions", request())["choices"]
    # six waits of 0.05 s as the server asked, and not 0.25 s and twice as long each time
    assert 0.3 <= time.monotonic() - start < 15


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", None), ("2", 2), ("-1", 0), ("soon", None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("1e999", float("inf"))],
)
def test_how_long_a_server_asks_to_wait(text: str, seconds: float | None) -> None:
    assert retry_after(text) == seconds


def test_failures_end_at_last(proxy: Proxy) -> None:
    proxy.plan = lambda body, tries: "500"
    client = Client(proxy.address, tries=3)
    with pytest.raises(InputError, match=r"status 500 \(bad\)"):
        client.ask("/chat/completions", request())
    assert client.counts.failed_tries == 3


def test_what_the_server_never_takes_is_not_asked_again(proxy: Proxy) -> None:
    with pytest.raises(RefusedError, match=r"400.*context"):
        Client(proxy.address).ask("/chat/completions", request("长" * 5000))
    assert len(proxy.seen) == 1
    with pytest.raises(InputError, match="404"):
        Client(proxy.address).ask("/no-such-path", request())


def test_the_key_goes_into_the_header_and_nowhere_else(
    proxy: Proxy, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    key = "secret-key-123"
    monkeypatch.setenv("READPROOF_API_KEY", key)
    item = ChoiceItem(id="1", passage="天是蓝的。", question="天是什么颜色？", options=("红", "蓝"))
    reader = open_llm(f"llm:{proxy.address}#m?max_tokens=2", ReaderOptions())
    reader.answer([item])
    assert proxy.headers[0]["Authorization"] == f"Bearer {key}"
    kept = b"".join(path.read_bytes() for path in cache.rglob("*") if path.is_file())
    assert kept and key.encode() not in kept
    assert key not in repr((reader.figures(), reader.prompts(), reader.fingerprint, proxy.seen))
    monkeypatch.setenv("READPROOF_API_KEY", "ключ")
    with pytest.raises(InputError, match="READPROOF_API_KEY") as caught:
        open_llm(f"llm:{proxy.address}#m", ReaderOptions())
    assert "ключ" not in str(caught.value)
