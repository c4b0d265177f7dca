"""The reader on a real server: each way of asking, and that an answer hangs on its item alone."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem, SpanItem, Triple
from readproof.readers.api import OPTIONS, SPANS, TRIPLES, ReaderOptions, StreamingReader
from readproof.readers.llm import LanguageModelReader, open_llm
from readproof.readers.llm.asking import letter_scores
from readproof.readers.llm.reader import changes, majority, orders
from tests.readers.llm.proxy import Proxy

ITEM = ChoiceItem(
    id="1",
    passage="湿地为人类提供了部分物资。",
    question="下列说法正确的一项是",
    options=("提供了所有物资", "提供了部分物资", "没有提供物资", "只提供了饮水"),
)
SPAN = SpanItem(id="2", passage="湿地为人类提供了部分物资。", question="湿地提供了什么？")


def reader_of(proxy: Proxy, options: str = "", *, no_answer: bool = False) -> LanguageModelReader:
    return open_llm(f"llm:{proxy.address}#m?{options}", ReaderOptions(no_answer=no_answer))


def asked(request: dict[str, Any]) -> str:
    return str(request["messages"][-1]["content"])


def chooses(text: str) -> Any:
    """A model that finds an option by its text, wherever it stands."""

    def says(request: dict[str, Any]) -> str:
        found = re.search(rf"^([A-Z])\. {text}$", asked(request), re.MULTILINE)
        assert found
        return f"答案：{found[1]}"

    return says


def test_one_question_a_request(proxy: Proxy) -> None:
    proxy.says = chooses("提供了部分物资")
    reader = reader_of(proxy)
    assert isinstance(reader, StreamingReader)
    assert reader.capabilities == {SPANS, OPTIONS}
    (answer,) = reader.answer([ITEM])
    assert (answer.id, answer.choice, answer.text) == ("1", 1, "提供了部分物资")
    (request,) = proxy.seen
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("m", 0.0, 256)
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert ITEM.passage in asked(request) and "B. 提供了部分物资" in asked(request)


def test_a_reply_without_a_letter_is_counted_and_never_guessed(proxy: Proxy) -> None:
    proxy.says = lambda request: "Let's see"
    reader = reader_of(proxy)
    (answer,) = reader.answer([ITEM])
    assert (answer.choice, answer.text) == (None, "")
    figures = reader.figures()
    assert (figures["unparsed"], figures["unparsed_rate"]) == (1, 1.0)


def test_reasons_then_a_letter(proxy: Proxy) -> None:
    proxy.says = lambda request: "A项说“所有”，错误。B项与原文相符。\n答案：B"
    (answer,) = reader_of(proxy, "prompt=reason").answer([ITEM])
    assert answer.choice == 1
    assert "逐项" in asked(proxy.seen[0])
    assert proxy.seen[0]["max_tokens"] == 2048


def test_english_items_are_asked_in_english(proxy: Proxy) -> None:
    reader = reader_of(proxy, "max_tokens=1")
    reader.answer([replace(ITEM, language="en"), replace(ITEM, language="fa")])
    assert all("Read the passage" in asked(request) for request in proxy.seen)
    assert [line["language"] for line in reader.prompts()[1:]] == ["en"]


def test_letters_by_likelihood(proxy: Proxy) -> None:
    for api in ("chat", "completions"):
        reader = reader_of(proxy, f"letters=likelihood&top=300&api={api}")
        (answer,) = reader.answer([ITEM])
        assert answer.choice is not None
        assert len(answer.scores) == 4
        assert sum(answer.scores) == pytest.approx(1)
        assert answer.scores[answer.choice] == max(answer.scores) == answer.confidence
        assert proxy.seen[-1]["max_tokens"] == 1
    assert proxy.seen[-1]["prompt"].endswith("答案：")


def test_the_answer_hangs_on_the_item_alone(proxy: Proxy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    items = [replace(ITEM, id=str(n), passage=f"{n}：{ITEM.passage}") for n in range(12)]
    options = "letters=likelihood&top=300"
    found = []
    for run, order in enumerate((items, items[::-1], items[5:] + items[:5])):
        monkeypatch.setenv("READPROOF_CACHE", str(tmp_path / str(run)))
        found.append({answer.id: answer for answer in reader_of(proxy, options).answer(order)})
    monkeypatch.setenv("READPROOF_CACHE", str(tmp_path / "single"))
    single = reader_of(proxy, f"{options}&concurrency=1")
    found.append({item.id: single.answer([item])[0] for item in items})
    requests = [json.dumps(request, sort_keys=True) for request in proxy.seen]
    runs = [sorted(requests[at : at + len(items)]) for at in range(0, len(requests), len(items))]
    assert len(runs) == 4
    assert runs[0] == runs[1] == runs[2] == runs[3]
    for item in items:
        assert len({one[item.id].choice for one in found}) == 1
        for other in found[1:]:
            # a server that reads several requests in one batch rounds differently
            assert other[item.id].scores == pytest.approx(found[0][item.id].scores, abs=0.01)


def test_scores_of_the_letters_among_the_tokens() -> None:
    scores = letter_scores({"A": -1.0, " A": -1.0, "B": -1.0, "a": 0.0, "Ans": 0.0, "Z": 0.0}, 4)
    assert scores == pytest.approx((2 / 3, 1 / 3, 0, 0))
    assert letter_scores({"The": -0.1, "E": -0.2}, 4) is None
    assert letter_scores({"（C": -900.0}, 4) == (0, 0, 1, 0)


def test_a_server_without_log_probabilities_is_told(proxy: Proxy) -> None:
    proxy.says = lambda request: "B"
    proxy.strip_logprobs = True
    with pytest.raises(InputError, match="no log-probabilities"):
        reader_of(proxy, "letters=likelihood").answer([replace(ITEM, id=str(n), question=f"{n}？") for n in range(6)])


def test_one_reply_without_log_probabilities_is_a_letter_less(proxy: Proxy) -> None:
    """As where the likeliest token is the end of the text."""
    proxy.strip_logprobs = True
    proxy.says = lambda request: ""
    proxy.only = "第3天"
    items = [replace(ITEM, id=str(n), passage=f"第{n}天") for n in range(6)]
    reader = reader_of(proxy, "letters=likelihood&top=300")
    assert [answer.choice is None for answer in reader.answer(items)] == [n == 3 for n in range(6)]
    assert reader.figures()["unparsed"] == 1


def test_shuffled_a_reader_that_reads_changes_nothing(proxy: Proxy) -> None:
    proxy.says = chooses("提供了部分物资")
    reader = reader_of(proxy, "shuffle=3")
    (answer,) = reader.answer([ITEM])
    assert (answer.choice, answer.confidence) == (1, 1.0)
    assert len(proxy.seen) == 3
    assert len({asked(request) for request in proxy.seen}) == 3
    figures = reader.figures()
    assert (figures["changed_letters"], figures["compared_letters"], figures["changed_share"]) == (0, 2, 0.0)


def test_shuffled_a_reader_of_letters_is_found_out(proxy: Proxy) -> None:
    proxy.says = lambda request: "A"
    reader = reader_of(proxy, "shuffle=24")
    (answer,) = reader.answer([ITEM])
    assert answer.scores == (0.25, 0.25, 0.25, 0.25)
    assert answer.choice == 0
    assert reader.figures()["changed_letters"] == 18
    assert reader.figures()["compared_letters"] == 23


def test_orders_and_votes() -> None:
    assert orders(ITEM, 5, 0) == orders(replace(ITEM, passage="another"), 5, 0)
    assert orders(ITEM, 5, 0)[0] == (0, 1, 2, 3)
    assert len(set(orders(replace(ITEM, options=("甲", "乙")), 9, 0))) == 2
    assert majority([2, 1, 1]) == 1
    assert majority([2, 1, None]) == 2
    assert majority([None, None]) is None
    assert changes([None, 1]) == (0, 0)
    assert changes([1, 2, 1, None]) == (1, 2)


def test_the_joint_prompt_needs_whole_triples(proxy: Proxy) -> None:
    reader = reader_of(proxy, "prompt=winner")
    assert reader.capabilities == {TRIPLES}
    for item in (ITEM, SPAN):
        with pytest.raises(InputError, match="whole triples"):
            reader.answer([item])
    assert not proxy.seen


def test_the_joint_prompt_gives_the_passage_once_and_the_answers_in_turn(proxy: Proxy) -> None:
    letters = {"问题一": "选A", "问题二": "？", "问题三": "选C"}
    proxy.says = lambda request: next(say for name, say in letters.items() if name in asked(request))
    triple = Triple(
        id="t",
        original=replace(ITEM, id="t#o"),
        positive=replace(ITEM, id="t#p", options=ITEM.options[::-1]),
        negative=replace(ITEM, id="t#n", question="不正确的一项是"),
    )
    reader = reader_of(proxy, "prompt=winner")
    ((at, answers),) = reader.stream([triple.questions])
    assert (at, [answer.choice for answer in answers]) == (0, [0, None, 2])
    assert [answer.id for answer in answers] == ["t#o", "t#p", "t#n"]
    last = proxy.seen[-1]["messages"]
    assert [one["role"] for one in last] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert [last[2]["content"], last[4]["content"]] == ["选A", "？"]
    assert sum(ITEM.passage in one["content"] for one in last) == 1
    assert "不正确的一项是" in last[5]["content"]
    assert reader.figures()["independent"] is False
    assert reader.prompts()[0]["independent"] is False


def test_examples_come_before_the_question(proxy: Proxy, tmp_path: Path) -> None:
    def record(number: str, passage: str) -> dict[str, Any]:
        return {"id": number, "passage": passage, "question": "哪一项？", "options": list("甲乙丙丁"), "answer": "C"}

    path = tmp_path / "examples.json"
    records = [record("e1", ITEM.passage), record("e2", "第二篇。"), record("e3", "第三篇。")]
    path.write_text(json.dumps({"data": records}, ensure_ascii=False), encoding="utf-8")
    proxy.says = lambda request: "B"
    reader = reader_of(proxy, f"prompt=few-shot&examples=gcrc:{path}&shots=2")
    assert reader.answer([ITEM])[0].choice == 1
    messages = proxy.seen[0]["messages"]
    assert [one["role"] for one in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert [messages[2]["content"], messages[4]["content"]] == ["C", "C"]
    # the first example is on the passage that is asked about, and might give its answer away
    assert "第二篇" in messages[1]["content"] and "第三篇" in messages[3]["content"]
    assert "examples_sha256" in reader.prompts()[0]


def test_spans(proxy: Proxy) -> None:
    proxy.says = lambda request: "答案：部分物资。"
    reader = reader_of(proxy)
    (answer,) = reader.answer([SPAN])
    assert (answer.text, answer.start, answer.end) == ("部分物资", 8, 12)
    assert "无答案" not in asked(proxy.seen[0])
    proxy.says = lambda request: "无答案"
    unsure = reader_of(proxy, no_answer=True)
    assert unsure.answer([SPAN])[0].text == ""
    assert "无答案" in asked(proxy.seen[-1])
    proxy.says = lambda request: "很多东西"
    other = reader_of(proxy, "max_tokens=8")
    assert other.answer([SPAN])[0].start is None
    assert other.figures()["not_in_the_passage"] == 1


def test_models_that_only_complete(proxy: Proxy) -> None:
    proxy.says = lambda request: "B"
    (answer,) = reader_of(proxy, "api=completions").answer([ITEM])
    assert answer.choice == 1
    assert proxy.seen[0]["prompt"].endswith("答案：")
    assert proxy.seen[0]["stop"] == ["\n"]


def test_one_passage_too_long_is_one_answer_less(proxy: Proxy) -> None:
    long = replace(ITEM, id="long", passage="长" * 5000)
    reader = reader_of(proxy, "max_tokens=2")
    answers = reader.answer([long, ITEM, replace(ITEM, id="3", question="？")])
    assert answers[0].choice is None
    figures = reader.figures()
    assert (figures["refused"], figures["requests"]) == (1, 2)
    assert "context" in figures["refusal"]
    with pytest.raises(InputError, match="context"):
        reader_of(proxy, "max_tokens=3").answer([long])


def test_a_users_own_prompt_and_prices(proxy: Proxy, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("max_tokens = 3\n[zh]\nuser = '{passage}问{question}选{options}'\n", encoding="utf-8")
    reader = reader_of(proxy, f"prompt={path}&price_in=1000000&price_out=0")
    reader.answer([ITEM])
    assert [one["role"] for one in proxy.seen[0]["messages"]] == ["user"]
    figures = reader.figures()
    assert figures["cost"] == figures["tokens_in"] > 0
    reader.answer([ITEM])
    assert reader.figures()["cost"] == figures["cost"]
    assert reader.figures()["cost_without_cache"] == 2 * figures["cost"]
    assert reader.prompts()[1]["user"].startswith("{passage}问")
