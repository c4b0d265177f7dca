"""What a spec says, and what it may not say."""

from __future__ import annotations

import pytest

from readproof.errors import InputError
from readproof.readers.api import ReaderOptions
from readproof.readers.factory import load_reader
from readproof.readers.llm import LanguageModelReader, open_llm
from readproof.readers.llm.spec import parse_spec
from tests.readers.llm.proxy import Proxy


def test_address_model_and_options() -> None:
    found = parse_spec("llm:https://host/v1/#org/model:free?prompt=reason&shuffle=3&temperature=0.5&price_in=2.5")
    assert (found.address, found.model) == ("https://host/v1", "org/model:free")
    assert (found.prompt, found.shuffle, found.temperature, found.price_in) == ("reason", 3, 0.5, 2.5)
    assert parse_spec("llm:http://h/v1#m?temperature=none").temperature is None
    assert isinstance(load_reader("llm:http://127.0.0.1:9/v1#m"), LanguageModelReader)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("llm:", "without an address"),
        ("llm:http://host/v1", "without a model"),
        ("llm:http://host/v1#", "without a model"),
        ("llm:ftp://host/v1#m", "no http"),
        ("llm:localhost:80#m", "no http"),
        ("llm:http://host:x/v1#m", "no http"),
        ("llm:http://h/v1#m?promt=reason", "the option 'promt'"),
        ("llm:http://h/v1#m?letters=guess", "generate or likelihood"),
        ("llm:http://h/v1#m?shuffle=0", "from 1"),
        ("llm:http://h/v1#m?temperature=hot", "a number"),
        ("llm:http://h/v1#m?temperature=nan", "a number"),
        ("llm:http://h/v1#m?prompt=nothing", "few-shot, independent, reason, span, table5, winner"),
        ("llm:http://h/v1#m?prompt=winner&shuffle=2", "shuffle with a joint prompt"),
        ("llm:http://h/v1#m?prompt=reason&letters=likelihood", "go together"),
        ("llm:http://h/v1#m?prompt=few-shot", "without examples"),
        ("llm:http://h/v1#m?examples=x.json", "examples with prompt=independent"),
    ],
)
def test_what_is_wrong_is_named(spec: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        open_llm(spec, ReaderOptions())


def test_a_password_in_the_address_is_refused_and_not_shown() -> None:
    with pytest.raises(InputError, match="READPROOF_API_KEY") as caught:
        parse_spec("llm:https://me:hush@host/v1#m")
    assert "hush" not in str(caught.value)


def test_the_fingerprint_follows_what_is_asked_and_who_is_but_not_how_fast(proxy: Proxy, server: str) -> None:
    def of(rest: str, address: str = proxy.address) -> str:
        return open_llm(f"llm:{address}#{rest}", ReaderOptions()).fingerprint

    assert of("m") == of("m?concurrency=9&timeout=5&price_in=1&max_requests=3")
    different = ["m", "n", "m?prompt=reason", "m?shuffle=2", "m?temperature=1", "m?constrain=json", "m?thinking=9"]
    assert len({of("m", server), *map(of, different)}) == len(different) + 1
    proxy.serves = {"id": "m", "meta": {"size": 1}}
    served = of("m")
    proxy.serves = {"id": "m", "meta": {"size": 2}}
    assert of("m") != served
