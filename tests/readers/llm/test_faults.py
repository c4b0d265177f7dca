"""A thousand requests while the server and the way to it fail: no answer is lost, none is given to another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.items import ChoiceItem
from readproof.readers.api import ReaderOptions
from readproof.readers.llm import open_llm
from readproof.readers.llm.cache import ReplyCache, request_key
from tests.readers.llm.proxy import FAULTS, Proxy, some_faults


@pytest.mark.slow
def test_a_thousand_requests_under_faults_lose_no_answer(proxy: Proxy, cache: Path) -> None:
    proxy.plan = some_faults
    items = [ChoiceItem(id=str(n), passage=f"第{n}天。", question="？", options=("是", "否")) for n in range(1000)]
    reader = open_llm(f"llm:{proxy.address}#m?max_tokens=1&concurrency=16", ReaderOptions())
    answers = reader.answer(items)
    assert [answer.id for answer in answers] == [item.id for item in items]
    figures = reader.figures()
    assert (figures["requests"], figures["refused"], figures["cache_hits"]) == (1000, 0, 0)
    assert figures["failed_tries"] == sum(proxy.faults.values()) > 300
    assert set(proxy.faults) == set(FAULTS)
    assert 1 < proxy.most_at_once <= 16
    kept = ReplyCache(cache)
    for body, reply in proxy.replies.items():
        found = kept.get(
            request_key(proxy.address, reader.endpoint.client.served("m"), "/chat/completions", json.loads(body))
        )
        assert found is not None and found["choices"] == reply["choices"]
    assert len(proxy.replies) == 1000
    again = open_llm(f"llm:{proxy.address}#m?max_tokens=1", ReaderOptions())
    assert again.answer(items) == answers
    assert again.figures()["cache_hits"] == 1000
