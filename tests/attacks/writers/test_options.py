"""Options written by an endpoint on loopback: what is asked, what is refused and why; nothing is asked twice."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpx", reason="needs the extra llm")

from readproof.attacks import make_attack
from readproof.attacks.base import Attack
from readproof.attacks.job import attack_file
from readproof.attacks.records import read_variants
from readproof.attacks.writers import options as writing
from readproof.attacks.writers.options import OptionWriter, line_of, load_prompt, refusal, verdict
from readproof.errors import InputError
from readproof.items import ChoiceItem
from readproof.tasks.itemlines import write_items
from tests.attacks.options.data import ITEM, PASSAGE

OPTION = ITEM.options[2]
KEPT, FLIPPED = "唐代的抄本大多保存在南方，人们十分看重抄本。", "唐代的抄本少数保存在南方，人们非常重视抄本。"
Says = Callable[[str], str]


class Model:
    """A server that speaks the chat protocol; `says` gives its words for what the user's turn asks."""

    def __init__(self, says: Says) -> None:
        self.says = says
        self.asked: list[dict[str, Any]] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                model.asked.append(request)
                said = model.says(request["messages"][-1]["content"])
                choice = {"message": {"role": "assistant", "content": said}}
                usage = {"prompt_tokens": 10, "completion_tokens": 2}
                body = json.dumps({"choices": [choice], "usage": usage}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.spec = f"llm:http://127.0.0.1:{self.server.server_port}/v1#tiny?price_in=100000"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    monkeypatch.setenv("READPROOF_CACHE", str(tmp_path / "cache"))
    writing._opened.cache_clear()  # each test has a cache of its own
    made = Model(honest)
    yield made
    made.server.shutdown()
    made.server.server_close()


def honest(asked: str) -> str:
    """Writes the one or the other, and judges by the word that was turned."""
    if "判断" in asked:
        return "错误" if "少数" in asked.split("【说法】")[1] else "正确。"
    return f"改写后的选项：{FLIPPED}" if "相反" in asked else f"“{KEPT}”"


def written(model: Model, wanted: str, judge: str = "") -> list[Any]:
    writer = OptionWriter(model.spec, judge)
    made = writer.rewrites(OPTION, PASSAGE, True, wanted, "keyword", ITEM.options)  # type: ignore[arg-type]
    return [one if isinstance(one, str) else (one.of(OPTION), one.truth, one.strategy) for one in made]


def test_one_that_says_the_same_and_one_of_the_other_truth(model: Model) -> None:
    again = ["nothing new"] * 2
    assert written(model, "kept") == [(KEPT, "kept", "keyword/written"), *again]
    assert written(model, "flipped") == [(FLIPPED, "flipped", "keyword/written"), *again]
    first = model.asked[0]
    assert first["model"] == "tiny" and first["temperature"] == 0.0
    assert PASSAGE in first["messages"][-1]["content"] and OPTION in first["messages"][-1]["content"]
    judged = [one for one in model.asked if "判断" in one["messages"][-1]["content"]]
    assert len(judged) == 2 and OPTION not in judged[0]["messages"][-1]["content"]


def test_what_the_judge_finds_otherwise_is_refused(model: Model) -> None:
    model.says = lambda asked: "正确" if "判断" in asked else FLIPPED
    assert written(model, "flipped")[0] == "the judge finds another truth"
    model.says = lambda asked: "难说" if "判断" in asked else KEPT
    assert written(model, "kept")[0] == "the judge does not say"
    assert written(model, "kept", "none")[0] == (KEPT, "kept", "keyword/written")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (KEPT, ""),
        (OPTION, "nothing new"),
        (ITEM.options[0], "nothing new"),
        ("", "not one line"),
        ("抄本在。", "too short or too long"),
        (OPTION * 3, "too short or too long"),
        ("The manuscripts were kept.", "not Chinese"),
        ("唐代的抄本多数保存在南方，这种说法是错误的。", "denies the whole option"),
        ("以下是唐代的抄本多数保存在南方的写法。", "talks about the task"),
        ("的唐代抄了本的多在数的保存南方重人们的视着非常。", "not fluent"),
    ],
)
def test_checks(text: str, reason: str) -> None:
    assert refusal(text, OPTION, set(ITEM.options)) == reason


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (" 甲乙丙。\n", "甲乙丙。"),
        ("选项：甲乙丙。", "甲乙丙。"),
        ("B. 甲乙丙。", "甲乙丙。"),
        ("1.5亿人甲乙丙。", "1.5亿人甲乙丙。"),
        ("“甲”与“乙”", "“甲”与“乙”"),
        ("**甲乙丙**", "甲乙丙"),
        ("甲乙丙。\n理由：丁。", ""),
    ],
)
def test_the_line_of_a_reply(reply: str, line: str) -> None:
    assert line_of(reply) == line


@pytest.mark.parametrize(
    ("reply", "said"),
    [("正确", True), ("错误。", False), ("不正确", False), ("这句话不对，是错误的", False), ("不知道", None)],
)
def test_verdicts(reply: str, said: bool | None) -> None:
    assert verdict(reply) is said


def test_as_an_attack_counted_cached_and_resumed(model: Model, tmp_path: Path) -> None:
    data, out = tmp_path / "data.jsonl", tmp_path / "out.jsonl"
    with data.open("w", encoding="utf-8") as file:
        write_items([ITEM], file)
    attack = make_attack("options/keyword", {"writer": model.spec, "truth": "flipped"})
    assert isinstance(attack, Attack)
    summary = attack_file(str(data), attack, out, count=9)
    assert summary.variants == sum(truth == "flipped" for _, truth in summary.strategies.elements()) > 0
    assert summary.rejected["nothing new"] > 0
    for variant in read_variants(summary.record):
        assert isinstance(variant.item, ChoiceItem) and FLIPPED in variant.item.options
    requests = summary.written["writer"]["requests"]
    assert requests == len(model.asked)
    assert summary.written["writer"]["cost"] == pytest.approx(requests * 10 / 10)
    again = attack_file(str(data), attack, tmp_path / "again.jsonl", count=9)
    assert len(model.asked) == requests
    assert again.variants == summary.variants and again.written["writer"]["cache_hits"] > 0


def test_without_known_truths_nothing_is_asked(model: Model) -> None:
    attack = make_attack("options/cause", {"writer": model.spec})
    assert isinstance(attack, Attack)
    item = ChoiceItem(id="q", passage=PASSAGE, question="作者为什么这样写？", options=ITEM.options, answer=1)
    assert attack.make(item).skipped == "truth of the options not known"
    assert not model.asked


@pytest.mark.parametrize("name", ["keyword", "logic", "cause", "spacetime", "judge"])
def test_every_strategy_has_a_prompt(name: str) -> None:
    prompt = load_prompt(name)
    assert all("{passage}" in words and "{option}" in words for key, words in prompt.words.items() if key != "system")


def test_prompts_of_a_user(tmp_path: Path) -> None:
    own = tmp_path / "cause.toml"
    own.write_text('[zh]\nkept = "{passage}{option}"\nflipped = "改：{passage}{option}"\n', encoding="utf-8")
    assert load_prompt("cause", str(tmp_path)).words["flipped"].startswith("改")
    assert load_prompt("logic", str(tmp_path)) == load_prompt("logic")
    own.write_text('[zh]\nkept = "{option}"\n', encoding="utf-8")
    load_prompt.cache_clear()
    with pytest.raises(InputError, match=r"no \{passage\} and \{option\} in zh.kept"):
        load_prompt("cause", str(tmp_path))
    with pytest.raises(InputError, match=r"a folder with STRATEGY\.toml"):
        load_prompt("cause", str(tmp_path / "none"))
