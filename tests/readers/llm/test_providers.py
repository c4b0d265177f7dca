"""What providers send, written by hand after their public descriptions: replies, errors, headers, keys, a proxy."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem
from readproof.readers.api import ReaderOptions
from readproof.readers.llm import LanguageModelReader, open_llm
from readproof.readers.llm.client import duration, used_up, wait_of
from readproof.readers.llm.spec import parse_spec

ITEM = ChoiceItem(id="1", passage="天是蓝的。", question="天是什么颜色？", options=("红", "蓝"))


class Wire:
    """A server that answers with bytes of the test's own: status, headers, body; one after another, the last again."""

    def __init__(self, *replies: tuple[int, dict[str, str], Any]) -> None:
        self.replies = list(replies)
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[dict[str, Any]] = []
        wire = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                wire.paths.append(self.path)
                wire.headers.append({name.lower(): value for name, value in self.headers.items()})
                wire.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                status, headers, body = wire.replies.pop(0) if len(wire.replies) > 1 else wire.replies[0]
                data = json.dumps(body, ensure_ascii=False).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self) -> None:
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments: object) -> None:
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def chat(content: str | None, *, finish: str = "stop", usage: dict[str, Any] | None = None, **message: Any) -> Any:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
    return {"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage or USAGE}


USAGE = {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102}


@pytest.fixture
def wires() -> Iterator[list[Wire]]:
    made: list[Wire] = []
    yield made
    for one in made:
        one.close()


def reader_of(
    wires: list[Wire], *replies: tuple[int, dict[str, str], Any], base: str = "/v1", more: str = ""
) -> tuple[Wire, LanguageModelReader]:
    wire = Wire(*replies)
    wires.append(wire)
    return wire, open_llm(f"llm:http://{wire.host}{base}#m{more}", ReaderOptions())


# what each provider's reply has beside what all have: (the body, tokens in its prefix cache)
REPLIES: dict[str, tuple[Any, int]] = {
    "OpenAI": (chat("B", refusal=None, usage={**USAGE, "prompt_tokens_details": {"cached_tokens": 64}}), 64),
    "vLLM": (chat("B", reasoning_content=None, usage={**USAGE, "prompt_tokens_details": None}), 0),
    "vLLM thinking": (chat("B", reasoning_content="先看选项A……"), 0),
    "llama.cpp": (
        {**chat("B", usage={**USAGE, "prompt_tokens_details": {"cached_tokens": 8}}), "timings": {"prompt_n": 92}},
        8,
    ),
    "llama.cpp thinking": (chat("<think>\nA？不对。\n</think>\n\nB"), 0),
    "Ollama": ({**chat("B"), "system_fingerprint": "fp_ollama"}, 0),
    "DashScope": (chat("B", usage={**USAGE, "prompt_tokens_details": {"cached_tokens": 0}}, reasoning_content=""), 0),
    "DeepSeek": (chat("B", usage={**USAGE, "prompt_cache_hit_tokens": 32, "prompt_cache_miss_tokens": 68}), 32),
    "ERNIE": ({**chat("答案：B"), "search_results": []}, 0),
    "GLM": ({**chat("**B**"), "request_id": "r"}, 0),
    "without usage": ({key: value for key, value in chat("B").items() if key != "usage"}, 0),
}


@pytest.mark.parametrize("provider", REPLIES)
def test_every_provider_s_reply_is_understood(provider: str, wires: list[Wire]) -> None:
    body, reused = REPLIES[provider]
    _, reader = reader_of(wires, (200, {}, body))
    assert reader.answer([ITEM])[0].choice == 1
    usage = reader.usage()
    assert usage.reused_tokens_in == reused
    assert usage.tokens_in == (0 if provider == "without usage" else 100)


def test_azure_keeps_its_version_in_the_address_and_its_key_in_its_own_header(
    wires: list[Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k-1")
    wire, reader = reader_of(
        wires,
        (200, {}, chat("B")),
        base="/openai/deployments/d?api-version=2024-10-21",
        more="?key=AZURE_OPENAI_API_KEY&key_header=api-key",
    )
    assert reader.answer([ITEM])[0].choice == 1
    assert wire.paths == ["/openai/deployments/d/chat/completions?api-version=2024-10-21"]
    assert wire.headers[0]["api-key"] == "k-1" and "authorization" not in wire.headers[0]


def test_a_key_has_no_place_in_an_address() -> None:
    with pytest.raises(InputError) as caught:
        parse_spec("llm:https://host/v1?key=hush#m")
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "withheld"),
    [
        (chat(None, refusal="I can't help with that."), 1),
        (chat("", finish="content_filter"), 1),
        (chat("", finish="sensitive"), 1),
        (chat("B"), 0),
    ],
    ids=["OpenAI refusal", "Azure filter", "GLM filter", "answer"],
)
def test_what_is_withheld_is_counted(body: Any, withheld: int, wires: list[Wire]) -> None:
    _, reader = reader_of(wires, (200, {}, body))
    reader.answer([ITEM])
    assert reader.usage().withheld == withheld
    assert reader.usage().unparsed == withheld


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "The response was filtered", "code": "content_filter"}},
        {"error": {"message": "maximum context length is 8192 tokens", "code": "context_length_exceeded"}},
        {"object": "error", "message": "This model's maximum context length is 4096", "code": 400},
        {"code": "DataInspectionFailed", "message": "Input data may contain inappropriate content."},
        {"error": {"code": "1301", "message": "系统检测到输入可能包含不安全或敏感内容"}},
    ],
    ids=["Azure filter", "OpenAI length", "vLLM length", "DashScope inspection", "GLM 1301"],
)
def test_a_question_that_is_refused_is_left_empty_and_told(body: Any, wires: list[Wire]) -> None:
    wire, reader = reader_of(wires, (200, {}, chat("B")), (400, {}, body))
    answers = reader.answer([ITEM, ChoiceItem(id="2", passage="z", question="？", options=("红", "蓝"))])
    assert sorted(answer.choice is None for answer in answers) == [False, True]
    assert reader.usage().refused == 1
    assert len(wire.paths) == 2
    assert "status 400 (" in reader.figures()["refusal"]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after-ms": "350", "retry-after": "1"}, 0.35),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-requests": "5", "x-ratelimit-reset-requests": "9s"}, None),
        ({}, None),
    ],
)
def test_how_long_a_busy_server_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_of(headers, busy=True) == (None if seconds is None else pytest.approx(seconds))


def test_limits_that_are_used_up() -> None:
    assert used_up({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1.5s"}) == 1.5
    assert used_up({"x-ratelimit-remaining-requests": "3"}) == 0
    assert [duration(text) for text in ("1h2m3s", "17", "soon", "")] == [3723.0, 17.0, None, None]


def test_a_limit_that_is_used_up_is_waited_for(wires: list[Wire]) -> None:
    spent = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "300ms"}
    _, reader = reader_of(wires, (200, spent, chat("B")), more="?concurrency=1")
    held: list[float] = []
    real = reader.endpoint.client._stopped.wait
    reader.endpoint.client._stopped.wait = lambda seconds=None: held.append(seconds or 0.0) or real(0)  # type: ignore[method-assign,func-returns-value,assignment]
    reader.answer([ITEM, ChoiceItem(id="2", passage="z", question="？", options=("红", "蓝"))])
    assert 0.1 < max(held) <= 0.3


def test_a_proxy_of_the_environment_is_taken(wires: list[Wire], monkeypatch: pytest.MonkeyPatch) -> None:
    through = Wire((200, {}, chat("B")))
    wires.append(through)
    monkeypatch.setenv("HTTP_PROXY", f"http://{through.host}")
    monkeypatch.setenv("http_proxy", f"http://{through.host}")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    reader = open_llm("llm:http://models.example/v1#m", ReaderOptions())
    assert reader.answer([ITEM])[0].choice == 1
    assert through.paths == ["http://models.example/v1/chat/completions"]


def test_fields_of_the_user_s_own_go_into_every_request(wires: list[Wire], tmp_path: Any) -> None:
    path = tmp_path / "extra.json"
    path.write_text('{"max_tokens": null, "max_completion_tokens": 900, "enable_thinking": false}', encoding="utf-8")
    wire, reader = reader_of(wires, (200, {}, chat("B")), more=f"?extra={path}")
    reader.answer([ITEM])
    assert wire.bodies[0]["max_completion_tokens"] == 900 and wire.bodies[0]["enable_thinking"] is False
    assert "max_tokens" not in wire.bodies[0]
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="an object"):
        reader_of(wires, (200, {}, chat("B")), more=f"?extra={path}")


def test_thoughts_have_room_of_their_own_and_what_is_cut_off_is_counted(wires: list[Wire]) -> None:
    wire, reader = reader_of(wires, (200, {}, chat("<think>\n想来想去", finish="length")), more="?thinking=2000")
    assert reader.answer([ITEM])[0].choice is None
    assert wire.bodies[0]["max_tokens"] == 2256
    assert (reader.usage().cut_off, reader.usage().unparsed) == (1, 1)


def test_constrained_by_a_schema(wires: list[Wire]) -> None:
    wire, reader = reader_of(wires, (200, {}, chat('{"answer": "B"}')), more="?constrain=json")
    assert reader.answer([ITEM])[0].choice == 1
    schema = wire.bodies[0]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["answer"]["enum"] == ["A", "B"]
    assert reader.usage().unconstrained == 0


def test_a_server_that_takes_no_notice_of_the_constraint_is_read_as_any_other(wires: list[Wire]) -> None:
    _, reader = reader_of(wires, (200, {}, chat("答案：B")), more="?constrain=json")
    assert reader.answer([ITEM])[0].choice == 1
    assert reader.usage().unconstrained == 1


def test_a_server_that_refuses_the_constraint_is_asked_without_it(wires: list[Wire]) -> None:
    no = {"error": {"message": "response_format is not supported"}}
    wire, reader = reader_of(wires, (400, {}, no), (200, {}, chat("B")), more="?constrain=json&concurrency=1")
    answers = reader.answer([ITEM, ChoiceItem(id="2", passage="z", question="？", options=("红", "蓝"))])
    assert [answer.choice for answer in answers] == [1, 1]
    assert ["response_format" in body for body in wire.bodies] == [True, False, False]
    assert (reader.usage().unconstrained, reader.usage().refused) == (2, 0)


def test_llama_cpp_keeps_to_a_grammar(server: str) -> None:
    reader = open_llm(f"llm:{server}#m?constrain=grammar&max_tokens=4", ReaderOptions())
    items = [ChoiceItem(id=str(n), passage=f"{n}天。", question="？", options=("红", "蓝")) for n in range(6)]
    assert all(answer.choice in (0, 1) for answer in reader.answer(items))
    assert reader.usage().unconstrained == 0
    reader.close()
